"""Exploring every schedule in the window: questions, the search in a child process, and its findings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from lydian.app.look.icons import resources
from lydian.app.protocol.checking.explorerpanel import ExplorerPanel, advance, facts, headline, remark
from lydian.app.protocol.checking.explorerplan import commanded, offered, on_network, planned
from lydian.app.protocol.workspace import ProtocolWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.app.work.loop import Loop
from lydian.desk.runs.searching import Search, Searched
from lydian.engine.explorer.search import Explorer
from lydian.model.archive.archive import archive
from lydian.model.archive.kepttests import judged, read_tests
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.protocol.properties import missing_between
from lydian.model.source.outline import outline
from tests.app.conftest import one_window, rest
from tests.conftest import children, left_children

pytestmark = [
    pytest.mark.leaves_behind,
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
]
LEFT = Qt.MouseButton.LeftButton


def block(page: str, name: str) -> str:
    text = (resources() / "guide" / page).read_text(encoding="utf-8")
    found = re.search(rf"^```\w+ file={re.escape(name)}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


POLITE = block("every-schedule.md", "polite.py")
ARCHIVED = (
    "echo", "tree", "chang-roberts", "ricart-agrawala", "flooding", "bully", "luby", "itai-rodeh", "lelann",
    "hirschberg-sinclair", "stabilising-tree", "dijkstra-k-state", "floodset", "suzuki-kasami", "polling",
)  # fmt: skip
CHAIR = "at most one process sits"


# ---------------------------------------------------------------------- the search space


@pytest.mark.parametrize("name", ARCHIVED)
def test_offered_networks_suit_the_protocol(name: str) -> None:
    source = archive().find("protocols", name).read_text(encoding="utf-8")
    needs = [each.name for each in outline(source).needs]
    for spec in offered(needs):
        experiment = Experiment("x", protocol=name, network=spec)
        network = archive().network(spec)
        resolved = on_network(experiment, spec, network, needs).resolve()
        assert missing_between(resolved.protocol.needs, resolved.network) == [], (spec, needs)
        assert resolved.network.n <= 6


def test_applicable_settings_survive_another_network() -> None:
    large = archive().experiment("echo-crash")
    assert planned(large) == (1, 0) and planned(large.with_(faults=())) == (0, 0)
    wakes = tuple(Intervention(1.0, "wake", process=p) for p in ("0", "7"))
    small = on_network(large.with_(workload=wakes), "line:2", from_spec("line:2"), [])
    assert small.network == "line:2" and small.faults == () and small.protocol == large.protocol
    assert small.workload == wakes[:1], "what a process does that is there"


def test_commands_of_users_are_planned_for_a_search(tmp_path: Path) -> None:
    (tmp_path / "polite.py").write_text(POLITE, encoding="utf-8")
    experiment = Experiment("x", protocol="./polite.py", network="line:2", path=tmp_path / "x.toml")
    events = [each for each in outline(POLITE).commands if each.kind == "command"]
    asked, words = commanded(experiment, from_spec("line:2"), events)
    assert [(each.process, each.label) for each in asked.workload] == [("0", "Want"), ("1", "Want")]
    assert "Want once" in words and commanded(asked, from_spec("line:2"), events) == (asked, "")
    with_field = outline(POLITE.replace('    """Ask for the chair."""', "    much: int")).commands
    assert commanded(experiment, from_spec("line:2"), with_field)[0] == experiment
    result = Explorer(asked).run()
    assert result.complete and [each.name for each in result.failed] == [CHAIR]
    told = result.to_dict()
    assert headline(told) == f"All schedules were tried, {result.configurations} configurations. " + (
        "1 property does not hold."
    )
    assert remark(told["findings"][0]) == "violated after 6 steps; always"
    assert remark(told["findings"][1]) == "holds; at the end"
    assert "3 to 4 messages in a run." in facts(told).splitlines()
    cut = Explorer(asked, depth=2).run().to_dict()
    assert "the largest depth was reached" in headline(cut) and "open" in remark(cut["findings"][0])
    assert advance(14_469, 20, 9, 2.0) == "14,469 configurations, 20 waiting, depth 9, 7,234 a second"


# ---------------------------------------------------------------------- in a child process


def big() -> Experiment:
    return Experiment("x", protocol="echo", network="complete:6")


def test_a_search_reports_progress_and_its_findings_when_stopped(qtbot: QtBot) -> None:
    processes = children()
    search, found, told = Search(Loop()), [], []
    search.finished.connect(found.append)
    search.progress.connect(lambda *at: told.append(at))
    search.start(big(), seconds=300)
    qtbot.waitUntil(lambda: len(told) > 1, timeout=60_000)
    assert told[1][0] > told[0][0] > 0 and told[1][3] >= told[0][3] >= 1
    search.stop()
    assert search.stopping
    qtbot.waitUntil(lambda: bool(found), timeout=60_000)
    (outcome,) = found
    assert isinstance(outcome, Searched) and outcome.problem is None and outcome.result["stopped"] == "cancelled"
    assert not search.busy and len(outcome.examples) == len(outcome.result["findings"])
    search.start(big(), seconds=300)
    search.close()
    assert len(found) == 1 and left_children(processes) == []


def test_a_lost_child_is_reported_and_one_can_be_ended_at_once(qtbot: QtBot) -> None:
    processes = children()
    search, found, told = Search(Loop()), [], []
    search.finished.connect(found.append)
    search.progress.connect(lambda *at: told.append(at))
    search.start(big(), seconds=300)
    qtbot.waitUntil(lambda: bool(told), timeout=60_000)
    search.conversation.kill()
    qtbot.waitUntil(lambda: bool(found), timeout=20_000)
    assert "ended from outside" in found[0].problem and not found[0].result
    search.start(big(), seconds=300)
    search.stop()
    search.stop()
    qtbot.waitUntil(lambda: len(found) == 2, timeout=20_000)
    assert found[1].problem == "The search was stopped at once; its findings are lost."
    assert left_children(processes) == []


def test_an_impossible_search_is_reported_in_one_sentence(qtbot: QtBot) -> None:
    search, found = Search(Loop()), []
    search.finished.connect(found.append)
    search.start(big().with_(network="ring:1"))
    qtbot.waitUntil(lambda: bool(found), timeout=60_000)
    assert "ring" in found[0].problem and found[0].result == {}


# ---------------------------------------------------------------------- in the window


@pytest.fixture(scope="module")
def one(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with one_window(tmp_path_factory.mktemp("home")) as window:
        yield window


def opened(window: MainWindow, qtbot: QtBot) -> tuple[ProtocolWorkspace, ExplorerPanel]:
    rest(window, qtbot)
    window.actions_by_name["protocol_explore"].trigger()
    w = window.workspaces.protocols.workspace
    assert w is not None and w.further.panel is not None
    return w, w.further.panel


def searched(panel: ExplorerPanel, qtbot: QtBot) -> None:
    QTest.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: not panel.search.busy, timeout=60_000)


def test_a_bug_hidden_in_ordinary_runs_is_found_shown_and_kept(one: MainWindow, qtbot: QtBot) -> None:
    w, panel = opened(one, qtbot)
    assert one.workspaces.current == "protocol" and w.tabs.currentWidget() is panel
    assert [panel.form.network.itemText(i) for i in range(3)] == ["line:2", "line:3", "complete:3"]
    assert panel.form.network.itemText(panel.form.network.count() - 1) == "two-wings", "a large one comes last"
    assert "proves a property for the network" in panel.words.text() and not panel.body.isVisibleTo(panel)
    w.files.new(POLITE, "polite.py")
    assert w.tabs.indexOf(panel) < 0, "another text"
    w, panel = opened(one, qtbot)
    line = panel.form.network.lineEdit()
    assert line is not None
    line.selectAll()
    QTest.keyClicks(line, "line:2")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert panel.search.busy and panel.stop_button.isVisibleTo(panel) and panel.bar.isVisibleTo(panel)
    qtbot.waitUntil(lambda: not panel.search.busy, timeout=60_000)
    assert "1 property does not hold" in panel.words.text() and "Want once" in panel.words.text()
    assert panel.findings.item(0).text().startswith("At most one process sits\nviolated after 6 steps")
    assert panel.findings.currentRow() == 0 and panel.steps.count() == 6
    assert panel.steps.item(5).text().strip() == "6  process 0 receives Yes from 1"
    panel.findings.setCurrentRow(1)
    assert not panel.right.isVisibleTo(panel), "what holds has no counterexample"
    panel.findings.setCurrentRow(0)

    QTest.mouseClick(panel.keep_button, LEFT)
    assert w.document.path is not None and w.right.currentWidget() is w.kept
    (test,) = read_tests(w.document.path)
    assert test.name == f"{CHAIR}, on line:2" and len(w.kept.tests) == 1
    from lydian.engine.simulator import Simulator

    verdict = judged(test, Simulator(test.experiment).run().to_dict())
    assert not verdict.good and CHAIR in verdict.sentence

    QTest.mouseClick(panel.open_button, LEFT)
    rest(one, qtbot)
    assert one.workspaces.current == "run"
    qtbot.waitUntil(lambda: one.session.shown is not None and bool(one.session.shown.result.get("checks")))
    assert one.session.shown is not None
    broken = [each["name"] for each in one.session.shown.result["checks"] if each["holds"] is False]
    assert broken == [CHAIR], "the simulator shows the same"
    one.session.undo.undo()
    rest(one, qtbot)
    assert one.session.experiment is not None and one.session.experiment.interventions == ()


def test_invalid_and_unsuitable_networks_are_refused(one: MainWindow, qtbot: QtBot) -> None:
    w, panel = opened(one, qtbot)
    panel.form.network.setCurrentText("ring:one")
    searched(panel, qtbot)
    assert "ring" in panel.words.text() and panel.words.objectName() == "problem"
    assert not panel.body.isVisibleTo(panel) and panel.start_button.isVisibleTo(panel)
    w.code.text.setPlainText("class Polite(:\n")
    QTest.mouseClick(panel.start_button, LEFT)
    assert not panel.search.busy, "a text that cannot be read is not searched"
    w.document.replace(POLITE)


def test_a_stopped_search_is_not_called_a_proof(one: MainWindow, qtbot: QtBot) -> None:
    w, _panel = opened(one, qtbot)
    w.files.new(archive().find("protocols", "echo").read_text(encoding="utf-8"), "mine.py")
    w, panel = opened(one, qtbot)
    panel.form.network.setCurrentText("complete:6")
    panel.form.deep.setValue(0)
    QTest.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: "a second" in panel.words.text(), timeout=60_000)
    assert not panel.form.isEnabled()
    QTest.mouseClick(panel.stop_button, LEFT)
    assert panel.stop_button.text() == "End at once"
    qtbot.waitUntil(lambda: not panel.search.busy, timeout=60_000)
    assert panel.words.text().startswith("Not all schedules were tried, because it was stopped")
    assert panel.form.isEnabled() and panel.findings.count() > 3
    QTest.mouseClick(panel.start_button, LEFT)
    w.leave_schedules()
    assert not panel.search.busy and w.tabs.indexOf(panel) < 0


def test_library_protocols_can_be_explored_and_keep_no_tests(one: MainWindow, qtbot: QtBot) -> None:
    w, _panel = opened(one, qtbot)
    w.files.open(archive().find("protocols", "flooding"))
    w, panel = opened(one, qtbot)
    panel.form.network.setCurrentText("line:3")
    panel.form.losses.setValue(1)
    searched(panel, qtbot)
    assert panel.steps.count() > 0 and not panel.keep_button.isEnabled() and panel.open_button.isEnabled()
    assert "library" in panel.keep_button.toolTip()


def test_a_schedule_without_an_end_has_its_own_heading_and_two_processes_find_it(one: MainWindow, qtbot: QtBot) -> None:
    w, _panel = opened(one, qtbot)
    w.files.new(block("every-schedule.md", "corridor.py"), "corridor.py")
    w, panel = opened(one, qtbot)
    panel.form.network.setCurrentText("line:2")
    assert panel.form.workers.minimum() == 1 and panel.form.bounds()["workers"] == 1
    panel.form.workers.setMaximum(2)
    panel.form.workers.setValue(2)
    assert panel.form.bounds()["workers"] == 2
    panel.form.walk.setValue(5)
    assert not panel.form.workers.isEnabled() and panel.form.bounds()["workers"] == 1
    panel.form.walk.setValue(0)
    searched(panel, qtbot)
    assert panel.steps_title.text() == "A schedule without an end that violates it"
    assert panel.steps.count() == 4 and panel.steps.item(2).text().endswith("and repeat from here for ever")
    assert panel.open_button.isEnabled() and not panel.keep_button.isEnabled()


def test_a_cycle_that_violates_a_property_is_told_as_a_cycle(tmp_path: Path) -> None:
    (tmp_path / "corridor.py").write_text(block("every-schedule.md", "corridor.py"), encoding="utf-8")
    made = Experiment("t", protocol=str(tmp_path / "corridor.py"), network="line:2")
    finding = Explorer(made, reduced=True).run().finding("both pass")
    assert remark(finding.to_dict()) == (
        "violated in a cycle; eventually; after 2 events a cycle of 2 events repeats for ever; in it the property "
        "never holds"
    )
