"""The question "Did other runs break too?": twenty other seeds, their squares, the heading, and where it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.protocol.checking import otherruns
from lydian.app.protocol.checking.otherruns import SEEDS, OtherRuns, attempts_of, breaks, heading, same_but_seed
from lydian.app.protocol.checking.severalruns import Attempt
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.runs.worker import WatchedRun
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment
from tests.app.conftest import one_window, rest, whole
from tests.conftest import children, left_children

pytestmark = [
    pytest.mark.leaves_behind,
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
]
LEFT = Qt.MouseButton.LeftButton
#: A protocol that violates a property with some seeds and fails in line 22 with others.
MOODY = '''"""Moody: a coin decides."""

from lydian import INIT, Process, at_end, on, states

IDLE, GLAD, SAD = states("idle", "glad", "sad")


class Moody(Process):
    state = IDLE

    @on(IDLE, INIT)
    def begin(self):
        coin = self.random.randrange(3)
        if coin == 0:
            self.state = GLAD
        elif coin == 1:
            self.state = SAD
        else:
            self.fail()

    def fail(self):
        raise RuntimeError("a bad day")


@at_end("everybody is glad")
def glad(c):
    return all(p.state != SAD for p in c.processes)
'''
LINE = MOODY.splitlines().index('        raise RuntimeError("a bad day")') + 1


def moody(folder: Path, seed: int = 2) -> Experiment:
    (folder / "moody.py").write_text(MOODY, encoding="utf-8")
    return Experiment("moody", protocol="./moody.py", network="line:2", seed=seed, path=folder / "moody.toml")


def ended(violated: tuple[str, ...] = (), problem: str | None = None, stopped: bool = False) -> Attempt:
    checks = [{"name": name, "holds": False} for name in violated] + [{"name": "fine", "holds": True}]
    return Attempt("Seed 1", Experiment("x"), WatchedRun(1, {"checks": checks}, None, problem, stopped))


@given(st.integers(0, 60), st.integers(1, 30))
def test_the_seed_of_the_run_is_left_out(seed: int, count: int) -> None:
    seeds = [each.experiment.seed for each in attempts_of(Experiment("x", seed=seed), count)]
    assert len(seeds) == len(set(seeds)) == count
    assert seed not in seeds and set(seeds) <= set(range(1, count + 2))
    if seed > count:
        assert seeds == list(range(1, count + 1))


def test_the_heading_counts_violations() -> None:
    bad = ended(("everybody has heard",))
    failed = ended(problem="mine.py, line 48: process 3 is waiting and got Ack from 1: KeyError: '1'")
    runs = [bad] * 6 + [failed] + [ended()] * 13
    assert heading(runs) == "7 of 20 runs fail: 6 × 'everybody has heard', 1 fails at line 48"
    assert heading([failed, failed, ended()]) == "2 of 3 runs fail: 2 fail at line 48"
    assert heading([ended()] * 20) == "None of 20 runs fails"
    assert heading([bad, ended()]) == "1 of 2 runs fails: 1 × 'everybody has heard'"
    waiting = Attempt("Seed 9", Experiment("x"))
    assert heading([bad, waiting], busy=True) == "1 of 2 runs done, 1 fails: 1 × 'everybody has heard'"
    assert heading([ended(), waiting], busy=True) == "1 of 2 runs done, none fails"
    given_up = ended(problem="It was not run.", stopped=True)
    assert breaks(given_up) == () and heading([bad, given_up]) == (
        "1 of 1 runs fails: 1 × 'everybody has heard'; 1 not run"
    )
    many = [ended((name,)) for name in "abcde"]
    assert heading(many).endswith("1 × 'a', 1 × 'b', 1 × 'c', 2 other ways")


def test_other_runs_differ_only_in_the_seed() -> None:
    one = Experiment("x", protocol="echo", network="ring:5", seed=3)
    assert same_but_seed(one, one.with_(seed=4, name="y")) and same_but_seed(one, one.with_(protocol="/far/echo.py"))
    assert not same_but_seed(one, one.with_(network="ring:6")) and not same_but_seed(one, None)


def test_squares_show_the_result_of_each_seed(qtbot: QtBot, tmp_path: Path) -> None:
    processes = children()
    strip = OtherRuns(Theme("light"))
    qtbot.addWidget(strip)
    strip.resize(400, 120)
    experiment = moody(tmp_path)
    attempts = attempts_of(experiment, 4)
    with qtbot.waitSignal(strip.runs.ended, timeout=60_000):
        strip.start(attempts)
        assert strip.isVisible() and strip.stop_button.isVisible() and "0 of 4 runs done" in strip.title.text()
    wanted = []
    for attempt in attempts:
        result = Simulator(attempt.experiment).run()
        broken = [check.name for check in result.checks if check.holds is False]
        wanted.append("fails" if result.error else broken[0] if broken else "")
    found = [breaks(each) for each in strip.runs.attempts]
    assert found == [(f"line {LINE}",) if w == "fails" else (f"'{w}'",) if w else () for w in wanted]
    assert len(set(wanted)) > 1, "the seeds differ"
    for square, attempt, w in zip(strip.squares, strip.runs.attempts, wanted, strict=True):
        assert square.accessibleName() == f"{attempt.title} {'broke' if w else 'succeeded'}"
        assert attempt.title in square.toolTip() and attempt.words in square.toolTip()
    assert strip.title.text() == heading(strip.runs.attempts) and not strip.stop_button.isVisible()

    opened: list[Attempt] = []
    strip.wanted.connect(opened.append)
    strip.squares[0].setFocus()
    QTest.keyClick(strip.squares[0], Qt.Key.Key_Right)
    assert strip.squares[1].focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert [s.focusPolicy() for s in strip.squares].count(Qt.FocusPolicy.StrongFocus) == 1, "one stop of the Tab key"
    QTest.keyClick(strip.squares[1], Qt.Key.Key_Return)
    QTest.mouseClick(strip.squares[3], LEFT)
    assert [each.experiment.seed for each in opened] == [attempts[1].experiment.seed, attempts[3].experiment.seed]
    assert [s.isChecked() for s in strip.squares] == [False, False, False, True]

    strip.start(attempts)
    QTest.mouseClick(strip.stop_button, LEFT)
    qtbot.waitUntil(lambda: not strip.runs.busy, timeout=20_000)
    assert "4 not run" in strip.title.text() or "not run" in strip.title.text()
    QTest.mouseClick(strip.close_button, LEFT)
    assert strip.isHidden()
    strip.close_all()
    assert left_children(processes) == []


# ---------------------------------------------------------------------- in the window


@pytest.fixture(scope="module")
def one(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(otherruns, "SEEDS", 3)
        with one_window(tmp_path_factory.mktemp("home")) as window:
            yield window


@pytest.mark.slow
def test_other_runs_are_offered_below_a_violated_check(one: MainWindow, qtbot: QtBot) -> None:
    others = one.workspaces.protocols.others
    rest(one, qtbot)
    assert others.foot is None or others.foot.isHidden(), "nothing is asked after a good run"
    one.stage.show_view("checks", True)
    crashing = archive().experiment("echo-crash")
    one.session.start(crashing, crashing.path)
    rest(one, qtbot)
    qtbot.waitUntil(lambda: others.foot is not None and others.foot.isVisibleTo(one), timeout=20_000)
    assert others.button.text() == "Did other runs break too?" and "Ctrl+Alt+B" in others.button.toolTip()
    QTest.mouseClick(others.button, LEFT)
    strip = others.strip
    assert strip is not None and strip.isVisibleTo(one) and not others.button.isVisibleTo(one)
    qtbot.waitUntil(lambda: not strip.runs.busy, timeout=60_000)
    assert len(strip.squares) == 3 and " of 3 runs fail" in strip.title.text()
    seed = strip.runs.attempts[1].experiment.seed
    QTest.mouseClick(strip.squares[1], LEFT)
    rest(one, qtbot)
    assert one.session.experiment is not None and one.session.experiment.seed == seed
    assert strip.isVisibleTo(one), "the others stay to be looked at"
    one.session.undo.undo()
    rest(one, qtbot)
    one.session.change("network", network="ring:6", faults=())
    assert strip.isHidden(), "they belong to another experiment"
    rest(one, qtbot)
    qtbot.waitUntil(lambda: others.foot is not None and others.foot.isHidden(), timeout=10_000)


@pytest.mark.slow
def test_other_runs_are_shown_beside_the_code(one: MainWindow, qtbot: QtBot) -> None:
    rest(one, qtbot)
    assert one.workspaces.show("protocol")
    w = one.workspaces.protocols.workspace
    assert w is not None
    w.files.new(MOODY.replace("randrange(3)", "randrange(2, 3)"), "gloomy.py")
    w.run()
    qtbot.waitUntil(lambda: w.runs.failure is not None and whole(one), timeout=30_000)
    QTest.mouseClick(w.moment.buttons["others"], LEFT)
    strip = w.further.strip
    assert strip.isVisibleTo(one) and len(strip.squares) == 3
    qtbot.waitUntil(lambda: not strip.runs.busy, timeout=60_000)
    assert strip.title.text() == f"3 of 3 runs fail: 3 fail at line {LINE}"
    w.files.new(MOODY.replace("randrange(3)", "randrange(1, 2)"), "sad.py")
    assert strip.isHidden(), "another text"
    w.run()
    qtbot.waitUntil(lambda: w.failed_bar.text != "", timeout=30_000)
    assert w.failed_bar.text == "In the latest run, 'everybody is glad' does not hold."
    one.workspaces.show("protocol")
    one.actions_by_name["protocol_others"].trigger()
    assert strip.isVisibleTo(one)
    qtbot.waitUntil(lambda: not strip.runs.busy, timeout=60_000)
    assert strip.title.text() == "3 of 3 runs fail: 3 × 'everybody is glad'"


def test_twenty_runs_are_requested() -> None:
    assert SEEDS == 20
