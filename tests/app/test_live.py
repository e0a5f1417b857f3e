"""Interfering with a run, with a real simulator beside a real window."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from lydian.app.canvas.viewpicture import ViewPicture
from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.live.live import Acted
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.experiment.branches import ROOT
from lydian.model.experiment.experiment import Experiment
from lydian.trace.events import Kind
from tests.conftest import children, left_children

#: The tests share a window whose next simulator is always ready; closing checks that nothing is left of it.
pytestmark = pytest.mark.leaves_behind
CRASH = {"do": "crash", "process": "3"}


class Lab:
    """A window on ECHO with six processes, with helpers for tests."""

    def __init__(self, window: MainWindow, bot: QtBot) -> None:
        self.window, self.bot = window, bot
        self.live, self.head, self.session = window.session.live, window.playhead, window.session
        self.acts: list[Acted] = []
        self.ends: list[str] = []
        self.live.acted.connect(self.acts.append)
        self.live.ended.connect(self.ends.append)

    def until(self, what: object, seconds: int = 20) -> None:
        self.bot.waitUntil(what, timeout=1000 * seconds)  # type: ignore[arg-type]

    def begin(self, seed: int = 1, experiment: Experiment | None = None) -> None:
        self.live.leave()
        self.head.set_speed(1.0)
        first = Experiment("lab", protocol="echo", network="gnm:6,9,seed=3", seed=seed)
        self.session.start(first if experiment is None else experiment)
        self.until(lambda: bool(self.session.runs))
        self.acts.clear()
        self.ends.clear()

    def act(self, *what: dict[str, object], text: str = "") -> Acted:
        count = len(self.acts)
        self.live.act(what, text)
        self.until(lambda: len(self.acts) > count)
        return self.acts[-1]

    def rest(self) -> None:
        """Play until no event is left."""
        self.head.set_speed(1000.0)
        self.head.play()
        self.until(lambda: self.live.quiet and not self.head.playing)

    def fingerprint(self) -> str:
        assert self.head.timeline is not None
        return self.head.timeline.trace.fingerprint()

    def offline(self) -> str:
        """Return the fingerprint of the run shown when it is run again without a window."""
        return Simulator(self.live.history.experiment(self.live.done)).run().fingerprint


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[MainWindow]:
    before, processes = os.environ.get("LYDIAN_HOME"), children()
    os.environ["LYDIAN_HOME"] = str(tmp_path_factory.mktemp("home"))
    window = make_window(None)
    window.player.step_seconds = 0.0
    window.resize(1280, 800)
    window.show()
    yield window
    window.close()
    window.deleteLater()
    assert not left_children(processes)
    if before is None:
        del os.environ["LYDIAN_HOME"]
    else:
        os.environ["LYDIAN_HOME"] = before


@pytest.fixture
def lab(one: MainWindow, qtbot: QtBot) -> Lab:
    made = Lab(one, qtbot)
    made.begin()
    return made


def test_a_live_run_without_interference_equals_the_recorded_one(lab: Lab) -> None:
    recorded = lab.fingerprint()
    lab.live.run()
    lab.until(lambda: lab.head.playing)
    assert lab.live.on
    assert lab.window.actions_by_name["mode_live"].isChecked()
    lab.rest()
    assert lab.fingerprint() == recorded
    assert len(lab.live.tree) == 1
    assert not lab.session.modified


def test_the_status_line_describes_the_live_run(lab: Lab) -> None:
    label = lab.window.status.label
    assert label.text().startswith("Run finished: ")
    lab.live.run()
    assert label.text() == "Live: starting…"
    lab.until(lambda: lab.head.playing)
    lab.head.pause()
    lab.until(lambda: lab.live.waiting and label.text().endswith(" so far, paused"))
    assert label.text() == f"Live, {len(lab.session.shown.trace)} events so far, paused"
    lab.act(CRASH)
    lab.session.undo.undo()
    lab.until(lambda: lab.live.waiting)
    assert label.text().startswith("Undone: ")
    lab.window.actions_by_name["bookmark"].trigger()
    assert label.text().startswith("Live, ")
    lab.window.actions_by_name["bookmark"].trigger()
    lab.window.desk.notices.say("Saved.", False)  # an unrelated notice stays until the run continues
    lab.head.play()
    assert label.text().startswith("Live, ") and "paused" not in label.text()
    lab.rest()
    assert label.text() == f"Live, {len(lab.session.shown.trace)} events, no event is enabled"
    lab.live.stop()
    lab.until(lambda: not lab.live.alive)
    assert label.text().startswith(f"Run finished: {len(lab.session.shown.trace)} events, ")


def test_a_live_run_that_is_stopped_is_not_called_finished(lab: Lab) -> None:
    lab.live.run()
    lab.until(lambda: lab.live.waiting and lab.session.shown.trace is not lab.session.runs[0].trace)
    lab.live.stop()
    lab.until(lambda: not lab.live.alive)
    assert lab.window.status.label.text().startswith("Run stopped: ")


def test_a_simulator_that_no_longer_reads_can_still_report_its_end(lab: Lab) -> None:
    lab.live.run()
    lab.until(lambda: lab.live.waiting and lab.session.shown.trace is not lab.session.runs[0].trace)
    child = lab.live.conversation._child
    assert child is not None
    lab.live.stop()
    child.errorOccurred.emit(QProcess.ProcessError.WriteError)  # the data was written too late
    assert lab.live.alive
    lab.until(lambda: not lab.live.alive)
    assert lab.window.status.label.text().startswith("Run stopped: ")


def test_interfering_with_a_record_begins_a_branch_at_the_play_head(lab: Lab) -> None:
    recorded = lab.fingerprint()
    lab.head.seek(2.0)
    done = lab.act(CRASH)
    assert done.accepted
    assert [each.time for each in done.interventions] == [2.0]
    assert lab.head.t == 2.0
    assert [(b.parent, b.at, b.name) for b in lab.live.tree.branches] == [(ROOT, 2.0, "3 crashed at 2.0")]
    timeline = lab.head.timeline
    assert timeline is not None
    assert int(timeline.kind[timeline.count(2.0) - 1]) == Kind.CRASH
    assert lab.session.undo.undo_text == "crash 3"
    assert lab.session.modified
    lab.rest()
    assert lab.fingerprint() == lab.offline() != recorded
    lab.live.switch(False)  # the record of the branch appears, then that of the run itself
    lab.until(lambda: not lab.live.on and bool(lab.session.shown) and lab.session.shown.branch == 1)
    assert lab.fingerprint() == lab.offline()
    lab.live.go(ROOT)
    lab.until(lambda: lab.session.shown is not None and lab.session.shown.branch == ROOT)
    assert lab.fingerprint() == recorded


def test_a_blocked_live_run_names_what_it_waits_for(lab: Lab) -> None:
    lab.head.seek(2.0)
    lab.act(CRASH)
    lab.rest()
    lab.until(lambda: "Nothing more can happen" in lab.window.bottom.narration.text)
    said = lab.window.bottom.narration.text
    assert "wait for 3, which has crashed" in said
    assert "; “the initiator learns that every process has the news” does not hold" in said


def test_undo_returns_to_the_moment_before_and_keeps_a_branch(lab: Lab) -> None:
    recorded = lab.fingerprint()
    lab.head.seek(2.0)
    lab.act(CRASH)
    lab.act({"do": "crash", "process": "4"})
    assert len(lab.live.done) == 2
    assert len(lab.live.tree) == 2  # two interferences form one branch
    lab.bot.keyClick(lab.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    lab.until(lambda: lab.live.waiting and len(lab.live.done) == 1)
    assert lab.head.t == 2.0
    lab.session.undo.undo()
    lab.until(lambda: lab.live.waiting and not lab.live.done)
    lab.rest()
    assert lab.fingerprint() == recorded
    lab.session.undo.redo()
    lab.session.undo.redo()
    lab.until(lambda: lab.live.waiting and len(lab.live.done) == 2)
    lab.until(lambda: lab.head.t == 2.0)
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_doing_something_else_after_undo_is_another_branch(lab: Lab) -> None:
    lab.head.seek(2.0)
    lab.act(CRASH)
    lab.session.undo.undo()
    lab.until(lambda: lab.live.waiting and not lab.live.done)
    lab.act({"do": "crash", "process": "5"})
    assert [b.name for b in lab.live.tree.branches] == ["3 crashed at 2.0", "5 crashed at 2.0"]
    assert lab.live.branch == 2
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_going_back_while_live_undoes_later_actions(lab: Lab) -> None:
    lab.head.seek(2.0)
    lab.act(CRASH)
    lab.rest()
    lab.head.seek(1.0)
    lab.act({"do": "crash", "process": "2"})
    assert [each.process for each in lab.live.done] == ["2"]
    assert lab.head.end == 1.0  # the future is undetermined again
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_impossible_actions_are_refused_with_a_reason(lab: Lab) -> None:
    lab.head.seek(2.0)
    lab.act(CRASH)
    again = lab.act(CRASH)
    assert not again.accepted
    assert "process 3 has crashed" in again.reason
    both = lab.act(CRASH, {"do": "crash", "process": "4"}, text="crash both")
    assert both.accepted
    assert "process 3 has crashed" in both.reason
    assert lab.session.undo.undo_text == "crash both"
    assert [each.process for each in lab.live.done] == ["3", "4"]


def test_during_playback_actions_take_effect_now(lab: Lab) -> None:
    lab.live.run()
    lab.until(lambda: lab.head.playing and lab.head.t > 0.3)
    done = lab.act(CRASH)
    at = done.interventions[0].time
    assert lab.head.playing
    lab.until(lambda: lab.head.t >= at)
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_a_gesture_computes_each_view_once(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.begin()
    lab.head.seek(2.0)
    lab.live.switch(True)
    lab.until(lambda: lab.live.waiting)
    seen = [each for each in lab.window.stage.pictures() if each.isVisible()]
    lab.until(lambda: all(each.current for each in seen))
    computed: list[str] = []
    compute = ViewPicture.compute

    def counted(view: ViewPicture) -> object:
        computed.append(view.spec.name)
        return compute(view)

    monkeypatch.setattr(ViewPicture, "compute", counted)
    before = lab.head.timeline
    lab.act(CRASH)
    lab.until(lambda: lab.head.timeline is not before and all(each.current for each in seen))
    assert seen
    assert sorted(computed) == sorted(each.spec.name for each in seen)


@pytest.mark.slow
def test_pausing_stays_at_the_simulator_and_scrubbing_leaves_it(lab: Lab) -> None:
    lab.live.run()
    lab.until(lambda: lab.head.playing and lab.head.t > 0.3)
    lab.head.pause()
    lab.until(lambda: lab.live.waiting and lab.head.at_end)
    assert lab.head.t == lab.live.time
    lab.head.play()
    lab.until(lambda: lab.head.t > 0.6)
    lab.window.desk.jump(0.2)
    lab.until(lambda: lab.live.waiting)
    lab.bot.wait(100)
    assert lab.head.t == 0.2


def test_the_run_advances_one_event_at_a_time(lab: Lab) -> None:
    lab.live.run()
    lab.until(lambda: lab.head.playing)
    lab.head.pause()
    lab.until(lambda: lab.live.waiting)
    step: QAction = lab.window.actions_by_name["step_forward"]
    for _ in range(4):
        before = lab.live.round
        step.trigger()
        lab.until(lambda before=before: lab.live.round > before and lab.live.waiting)
        lab.until(lambda: lab.head.at_end)
    assert not lab.head.playing
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_the_user_chooses_the_next_event(lab: Lab) -> None:
    lab.head.seek(1.0)
    lab.act({"do": "take_over", "process": "4"})
    assert lab.live.taken == {"4"}
    last = max((each for each in lab.live.pending if each["choose"]), key=lambda each: each["time"])
    assert lab.act(last["choose"]).accepted
    assert lab.act({"do": "release", "process": "4"}).accepted
    assert lab.live.taken == frozenset()
    lab.rest()
    assert lab.fingerprint() == lab.offline()


#: Experiments whose protocols have several roles, code that waits for messages, a program, or an observer.
OTHERS = ("primary-backup", "abd", "peterson", "view-synchrony", "bakery")


@pytest.mark.parametrize("name", OTHERS)
def test_other_kinds_of_protocols_are_played_live(lab: Lab, name: str) -> None:
    """A crash in the past begins a branch, and undo returns to the record."""
    lab.begin(experiment=archive().experiment(name))
    recorded, timeline = lab.fingerprint(), lab.head.timeline
    assert timeline is not None
    crashed = {each.process for each in lab.session.runs[0].experiment.faults}
    ends = {p: timeline.time[np.flatnonzero(timeline.process == i)[-1]] for i, p in enumerate(timeline.trace.processes)}
    victim, over = min(((p, end) for p, end in ends.items() if p not in crashed), key=lambda each: each[1])
    lab.head.seek((over + lab.head.end) / 2)  # it has done its part, so no process waits for it for ever
    assert lab.act({"do": "crash", "process": victim}).accepted
    lab.rest()
    assert lab.fingerprint() == lab.offline() != recorded
    lab.session.undo.undo()
    lab.until(lambda: lab.live.waiting and not lab.live.done)
    lab.rest()
    assert lab.fingerprint() == recorded


@pytest.mark.parametrize("name", OTHERS)
def test_the_next_event_is_chosen_in_other_kinds_of_protocols(lab: Lab, name: str) -> None:
    lab.begin(experiment=archive().experiment(name))
    lab.head.seek(0.2 * lab.head.end)
    for process in lab.session.shown.trace.processes:
        lab.act({"do": "take_over", "process": process})
    for _ in range(3):
        now = lab.live.pending
        chosen = next(each["choose"] for each in now if each["choose"] and each["process"] in lab.live.taken)
        assert lab.act(chosen).accepted
        lab.until(lambda now=now: lab.live.pending is not now)  # those of the new configuration are told later
    for process in sorted(lab.live.taken):
        assert lab.act({"do": "release", "process": process}).accepted
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_a_killed_simulator_is_reported_and_resumes(lab: Lab) -> None:
    lab.head.seek(2.0)
    lab.act(CRASH)
    assert lab.live.conversation._child is not None
    os.kill(lab.live.conversation._child.processId(), signal.SIGKILL)
    lab.until(lambda: bool(lab.ends))
    assert "the run up to that point is kept" in lab.ends[0]
    assert lab.window.notice.isVisible()
    assert lab.head.t == 2.0
    count = lab.head.events
    lab.window.notice.button.click()
    lab.until(lambda: lab.live.waiting)
    lab.until(lambda: lab.head.events == count)
    lab.rest()
    assert lab.fingerprint() == lab.offline()


def test_changing_the_experiment_ends_the_live_run(lab: Lab) -> None:
    lab.head.seek(2.0)
    lab.act(CRASH)
    lab.session.change("seed", seed=9)
    assert not lab.live.on
    assert lab.live.branch == ROOT
    lab.until(lambda: not lab.session.worker.busy)
    lab.session.undo.undo()
    lab.until(lambda: not lab.session.worker.busy)
    lab.session.undo.undo()  # undo the crash
    lab.until(lambda: lab.live.waiting and not lab.live.done)


def test_branches_survive_saving(lab: Lab, tmp_path: object) -> None:
    from lydian.model.experiment.experiment import loads

    lab.head.seek(2.0)
    lab.act(CRASH)
    lab.rest()
    there = lab.fingerprint()
    assert lab.session.experiment is not None
    lab.session.start(loads(lab.session.experiment.to_toml()))
    lab.until(lambda: bool(lab.session.runs))
    lab.live.go(1)
    lab.until(lambda: lab.session.shown is not None and lab.session.shown.branch == 1)
    assert lab.fingerprint() == there


def test_a_stopped_live_run_is_a_record(lab: Lab) -> None:
    lab.live.run()
    lab.until(lambda: lab.head.playing and lab.head.t > 0.5)
    lab.window.actions_by_name["stop"].trigger()
    lab.until(lambda: not lab.live.alive)
    assert lab.session.runs[0].result["stopped"] == "cancelled"
    assert not lab.head.unending
