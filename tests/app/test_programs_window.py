"""Programs in any language in the window: the panel, a run as it happens, faults by hand, standard error."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot

from lydian.app.window.mainwindow import MainWindow
from lydian.views.playback.offerlists import for_ground, menu_for, ways
from lydian.views.selection import Hit, Selection
from tests.app.conftest import rest
from tests.nodes.plans import programs_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
Open = Callable[..., MainWindow]
ECHO = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    body = m["body"]
    print("got", body["type"], file=sys.stderr, flush=True)
    answer = {"type": body["type"] + "_ok", "in_reply_to": body["msg_id"]}
    if "echo" in body:
        answer["echo"] = body["echo"]
    print(json.dumps({"src": m["dest"], "dest": m["src"], "body": answer}), flush=True)
"""


@pytest.fixture
def window(open_window: Open) -> MainWindow:
    return open_window()


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "echo.py"
    path.write_text(ECHO, encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def started(qtbot: QtBot, window: MainWindow, command: str, **fields: object) -> None:
    """Fill in the panel, press Run, and wait until the run is on the screen."""
    window.desk.commands.do("run_programs")
    panel = window.programs.panel
    panel.command.setText(command)
    panel.network.setCurrentText("ring:3")
    panel.form.say({"workload": "echo", "duration": 60_000, "rate": 50.0, **fields})
    qtbot.mouseClick(panel.go, Qt.MouseButton.LeftButton)


def live(qtbot: QtBot, window: MainWindow) -> None:
    programs = window.desk.programs
    qtbot.waitUntil(lambda: programs.shown and window.playhead.timeline.m_messages > 20, timeout=30_000)


def over(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.desk.programs.on, timeout=30_000)
    qtbot.waitUntil(lambda: not window.desk.programs.conversation.alive, timeout=30_000)


def test_a_run_appears_as_it_happens_and_is_listed_at_its_end(
    qtbot: QtBot, window: MainWindow, program: str, tmp_path: Path
) -> None:
    started(qtbot, window, program)
    live(qtbot, window)
    timeline, panel = window.playhead.timeline, window.programs.panel
    assert timeline.processes == ("n0", "n1", "n2", "c0", "c1", "c2")
    assert panel.go.text() == "Stop"
    assert panel.state.text().startswith("Running: ")
    assert window.playhead.at_end
    assert not window.desk.commands.why_not("stop")
    qtbot.mouseClick(panel.go, Qt.MouseButton.LeftButton)
    over(qtbot, window)
    assert panel.go.text() == "Run"
    assert panel.state.text() == "All checks hold."
    (run, *_) = window.session.runs
    assert run.result["stopped"] == "cancelled"
    assert run.trace.summary["programs"]["workload"] == "echo"
    window.session.save_trace(tmp_path / "run.parquet")
    window.documents.open(tmp_path / "run.parquet")
    rest(window, qtbot)
    assert window.playhead.timeline.processes == timeline.processes
    assert window.playhead.speed == 64.0  # milliseconds in a second
    window.documents.open_example()
    rest(window, qtbot)
    assert window.playhead.speed == 1.0


def test_the_user_kills_pauses_and_cuts(qtbot: QtBot, window: MainWindow, program: str) -> None:
    started(qtbot, window, program)
    live(qtbot, window)
    hands = window.interference
    for hit, at, done in (
        (Hit("process", 0), 0, lambda: window.playhead.timeline.crashed_at(window.playhead.timeline.length)[0]),
        (Hit("process", 1), 1, lambda: 1 in hands.situation().paused),
        (Hit("link", (0, 1)), 0, lambda: (0, 1) in hands.situation().down),
    ):
        hands.do(menu_for(hands.situation(), hit)[at], QRect())
        qtbot.waitUntil(done, timeout=30_000)
    s = hands.situation()
    assert [each.short for each in menu_for(s, Hit("process", 0))] == ["Start again"]
    assert "slow" in [each.tool for each in menu_for(s, Hit("link", (1, 2)))]
    assert [each.short for each in menu_for(s, Hit("process", 1))] == ["Kill", "Resume"]
    assert menu_for(s, Hit("process", 3)) == []  # a client
    assert ways(s, Hit("link", (0, 1))) == []
    assert {each.tool for each in for_ground(s) if not each.reason} >= {"links_up", "recover_all", "release_all"}
    hands.do(menu_for(s, Hit("process", 0))[0], QRect())
    qtbot.waitUntil(lambda: not hands.situation().crashed[0], timeout=30_000)
    hands.act([{"do": "partition", "groups": [["n2", "c2"], ["n0", "n1", "c0", "c1"]]}])  # as a line drawn across
    qtbot.waitUntil(lambda: hands.situation().down >= {(0, 2), (1, 2)}, timeout=30_000)
    window.desk.commands.do("stop")
    over(qtbot, window)
    assert {each["do"] for each in window.session.shown.trace.summary["programs"]["done"]} == {
        "crash", "take_over", "link_down", "recover", "partition",
    }  # fmt: skip
    assert hands.situation() is None  # the run is over


def test_standard_error_is_shown_beside_the_selected_process(qtbot: QtBot, window: MainWindow, program: str) -> None:
    started(qtbot, window, program)
    live(qtbot, window)
    printed = window.programs.panel.printed
    qtbot.waitUntil(lambda: {each.process for each in printed.lines} == {"n0", "n1", "n2"}, timeout=30_000)
    window.playhead.select(Selection(processes=frozenset({1})))
    assert {(each.process, each.text) for each in printed.lines} == {("n1", "got echo")}
    assert printed.words.text() == "Standard error of n1"
    window.desk.commands.do("stop")
    over(qtbot, window)
    line = printed.lines[0]
    printed.event_wanted.emit(line.seq)
    assert window.playhead.selection.event == line.seq


def test_what_cannot_be_run_is_said_in_the_panel(qtbot: QtBot, window: MainWindow, program: str) -> None:
    before = window.session.experiment
    for command, fields, sentence in (
        ("", {}, "Command: the command is empty"),
        ("no-such-program", {}, "no program of this name was found"),
        (program, {"delay": "fast"}, "Delay: "),
        (program, {"delay": "", "faults": "crash n1 at 5; heal"}, "'heal' is not a fault"),
    ):
        started(qtbot, window, command, **fields)
        assert sentence in window.programs.panel.problem.text()
        assert not window.desk.programs.on
    assert window.session.experiment == before


def test_a_program_that_fails_ends_the_run_with_a_sentence(qtbot: QtBot, window: MainWindow) -> None:
    started(qtbot, window, shlex.join([sys.executable, "-c", "raise SystemExit('no')"]))
    over(qtbot, window)
    assert 'its last line on standard error is "no"' in window.programs.panel.problem.text()


def test_faults_on_a_schedule(qtbot: QtBot, window: MainWindow, program: str) -> None:
    started(qtbot, window, program, duration=600, settle=0, faults="crash n1 at 100; pause n2 at 200 until 300")
    over(qtbot, window)
    done = window.session.shown.trace.summary["programs"]["done"]
    assert [each["do"] for each in done] == ["crash", "take_over", "release"]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_closing_the_window_ends_the_programs(qtbot: QtBot, window: MainWindow, program: str) -> None:
    started(qtbot, window, program)
    live(qtbot, window)
    child = window.desk.programs.conversation._child.processId()
    assert len(programs_of(child)) == 3
    window.close()
    qtbot.waitUntil(lambda: not programs_of(child), timeout=30_000)


def test_another_experiment_ends_the_run(qtbot: QtBot, window: MainWindow, program: str) -> None:
    started(qtbot, window, program)
    live(qtbot, window)
    window.documents.open_example()
    over(qtbot, window)
    rest(window, qtbot)
    assert window.session.experiment is not None
    assert "programs" not in window.session.shown.trace.summary
