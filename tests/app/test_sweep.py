"""The Sweep workspace in the real window, with mouse and keys; :mod:`tests.app.sweepfake` makes the runs."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.panels.help.guidetext import place_of
from lydian.app.sweep import running, workspace
from lydian.app.sweep.form.form import Form, Row
from lydian.app.sweep.workspace import SweepWorkspace, base_folder, set_base
from lydian.app.window.mainwindow import MainWindow
from lydian.batch.folder import read_folder
from lydian.batch.sweep.file import is_sweep, load
from lydian.desk import conversation
from lydian.desk.guide.pages import Place, section
from tests.app import sweepfake
from tests.app.conftest import one_window, rest
from tests.app.test_newcomer import Hand, tab
from tests.batch.conftest import need_spark
from tests.batchfolder import folder_of
from tests.conftest import children, left_children

Open = Callable[..., MainWindow]

pytestmark = [
    pytest.mark.leaves_behind,  # the shared window keeps its simulator, and :func:`one` ends it
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
]

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SMALL = Form(rows=(Row(name="n", values="5, 8"), Row(field="network", values="ring:{n}", labels="ring")), seeds="6")


class Faked:
    """The substitute for the process that makes the runs, and its mood."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def be(self, mood: str) -> None:
        self.file.write_text(mood)


@pytest.fixture(scope="module")
def faked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faked]:
    mood = tmp_path_factory.mktemp("fake") / "mood"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SWEEPFAKE", str(mood))
        patch.setattr(running, "ENTRY", ("-m", sweepfake.__name__))
        patch.setattr(workspace, "missing", lambda _report: ("", False))
        yield Faked(mood)


@pytest.fixture(scope="module")
def one(qapp: object, faked: Faked, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for the tests that restore it."""
    with one_window(tmp_path_factory.mktemp("home"), "echo-random") as window:
        yield window


@pytest.fixture
def desk(one: MainWindow, faked: Faked, qtbot: QtBot, tmp_path: Path) -> SweepWorkspace:
    """Provide the workspace in front with a small sweep, which writes into the test's own folder."""
    rest(one, qtbot)
    faked.be("")
    w = one.workspaces.sweeps.made()
    if w.run.busy:
        w.run.close()
    w.document.load(SMALL)
    one.workspaces.show("sweep")
    w.form.open(-1)
    w.form.where.folder.setText(str(tmp_path / "out"))
    w.form.where.check()
    one.desk.notices.show("")
    w.sync()
    return w


@pytest.fixture
def alone(one: MainWindow, faked: Faked, open_window: Open) -> Open:
    """Return a function that opens separate windows; Spark is available but not needed.

    The shared window starts no trial runs meanwhile: the tests count the processes of a separate one.
    """
    w = one.workspaces.sweeps.made()
    w.estimating.want(None)
    w.estimating.close()
    faked.be("")
    return open_window


def press(window: MainWindow, keys: str) -> None:
    """Send a key to the focused widget of the window, which is the active one."""
    window.activateWindow()
    QApplication.processEvents()
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keySequence(focus, keys)


def write(field: QWidget, text: str) -> None:
    """Click into a field and replace its text."""
    QTest.mouseClick(field.viewport() if hasattr(field, "viewport") else field, LEFT)
    QTest.keySequence(field, "Ctrl+A")
    QTest.keyClicks(field, text)


def over(w: SweepWorkspace, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not w.run.busy, timeout=30_000)


# ---------------------------------------------------------------------------------------------------- the guide


@pytest.mark.slow
def test_the_steps_of_the_guide_work(alone: Open, qtbot: QtBot) -> None:
    """Follow "A sweep in the window" in ``many-runs.md``; the page and this test must be changed together."""
    page = section(place_of("sweep"))
    steps = re.findall(r"^\d\. (.+)$", page, re.MULTILINE)
    assert place_of("sweep") == Place("many-runs", "a-sweep-in-the-window") and len(steps) == 6
    window = alone("echo-random", size=(1920, 1080), layout="study")
    hand = Hand(window, qtbot)
    hand.click(window.panel.sweep)  # step 1
    w = window.workspaces.sweeps.workspace
    assert w is not None and w.isVisible() and "**Sweep…**" in steps[0] and window.panel.sweep.text() == "Sweep…"
    assert w.document.form == Form() and w.form.base.value.text() == "The current experiment"
    hand.click(w.form.vary)  # step 2
    assert f"**{w.form.vary.text()}**" in steps[1]
    (item,) = [w.form.popup.list.item(i) for i in range(w.form.popup.list.count())
               if w.form.popup.list.item(i).text().startswith("Number of processes   ")]  # fmt: skip
    QTest.mouseClick(w.form.popup.list.viewport(), LEFT, PLAIN, w.form.popup.list.visualItemRect(item).center())
    assert [row.name or row.field for row in w.document.form.rows] == ["n", "network"] and len(w.form.rows) == 2
    assert w.form.rows[0].chips.texts == ("8", "16", "32", "64") and "8, 16, 32 and 64" in steps[1]
    assert "{n}" in w.document.form.rows[1].values
    hand.click(w.form.vary)  # step 3
    QTest.keyClicks(w.form.popup.field, "delay")
    QTest.keyClick(w.form.popup.field, Qt.Key.Key_Return)
    assert w.form.rows[2].title.text() == "Delay of messages" and len(w.form.rows[2].chips.texts) == 4
    w.form.area.ensureWidgetVisible(w.form.rows[0].title)  # step 4
    QApplication.processEvents()
    hand.click(w.form.rows[0].title)
    assert w.form.rows[0].opened and "`8, 16`" in steps[3]
    write(w.form.rows[0].values, "8, 16")
    assert w.form.rows[0].chips.texts == ("8", "16")
    w.form.area.ensureWidgetVisible(w.form.seeds)  # step 5
    QApplication.processEvents()
    write(w.form.seeds, "5")
    assert f"**{w.form.total.text()}**" in steps[4] and w.form.total.text() == "2 × 4 × 5 = 40 runs"
    qtbot.waitUntil(lambda: w.form.costs.text().startswith("About"), timeout=30_000)
    hand.click(w.form.start)  # step 6
    over(w, qtbot)
    assert (w.run.state, w.run.done, w.run.bad) == ("done", 40, 0)
    assert w.progress.grid.shape.rows == ("n 8, random", "n 16, random") and list(w.run.groups) == [5] * 8
    qtbot.waitUntil(lambda: w.results.results is not None and len(w.results.results) == 40, timeout=20_000)
    assert w.run.folder is not None and read_folder(w.run.folder).sweep.base.protocol.endswith("echo.py")
    for name, button in (("Stop and keep results", w.progress.stop), ("Resume", w.progress.resume)):
        assert button.text() == name and f"**{name}**" in page


# ---------------------------------------------------------------------------------------------------- the form


def test_sweeps_are_a_workspace_beside_the_others(
    one: MainWindow, desk: SweepWorkspace, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    tabs = one.workspaces.tabs
    assert [tabs.tabText(i) for i in range(tabs.count())][:4] == ["Run", "Network", "Protocol", "Sweep"]
    tab(one, Hand(one, qtbot), "Run")
    assert one.workspaces.current == "run"
    press(one, "Ctrl+Alt+4")
    assert one.workspaces.current == "sweep" and desk.isVisible()
    assert one.windowTitle() == "echo-random-sweep — Sweep — LYDIAN[*]"
    monkeypatch.setattr(desk.run, "name", "other")  # as after opening the results of another sweep
    desk.run.changed.emit()
    assert one.windowTitle() == "echo-random-sweep, results of other — Sweep — LYDIAN[*]"
    press(one, "F6")
    assert one.workspaces.panes == [desk.tabs, desk.progress, desk.results]
    one.actions_by_name["help"].trigger()
    assert desk.help is not None and desk.help.isVisible()
    desk.help.leave()


def test_errors_are_shown_below_their_field_and_can_be_undone(one: MainWindow, desk: SweepWorkspace) -> None:
    card = desk.form.rows[0]
    QTest.mouseClick(card.title, LEFT)
    write(card.values, "5, 8, {k}")
    assert card.said.text() == "{k} is not varied; choose from n, network_, run, seed." and card.said.isVisible()
    assert not desk.form.start.isEnabled() and desk.form.total.text() == "Correct one problem first"
    assert desk.form.start.toolTip() == card.said.text()
    assert one.actions_by_name["undo"].text() == "&Undo: values"
    press(one, "Ctrl+Z")
    assert desk.document.form == SMALL and card.values.text() == "5, 8" and not card.said.isVisible()
    assert desk.form.total.text() == "2 × 6 = 12 runs" and not one.isWindowModified()
    press(one, "Ctrl+Y")
    assert card.values.text() == "5, 8, {k}" and one.isWindowModified()


def test_ranges_random_values_and_rows_in_step_can_be_entered(one: MainWindow, desk: SweepWorkspace) -> None:
    card = desk.form.rows[0]
    QTest.mouseClick(card.title, LEFT)
    QTest.mouseClick(card.how.buttons["range"], LEFT)
    assert card.said.text() and card.first.isVisible() and not card.values.isVisible()
    for field, text in ((card.first, "8"), (card.last, "64"), (card.step, "2")):
        write(field, text)
    QTest.mouseClick(card.log, LEFT, PLAIN, QPoint(8, card.log.height() // 2))
    assert card.chips.texts == ("8", "16", "32", "64") and desk.form.checked.runs == 24
    QTest.mouseClick(card.how.buttons["drawn"], LEFT)
    for field, text in ((card.low, "5"), (card.high, "9"), (card.draws, "3")):
        write(field, text)
    QTest.mouseClick(card.whole, LEFT, PLAIN, QPoint(8, card.whole.height() // 2))
    assert len(card.chips.texts) == 3 and all(5 <= int(text) <= 9 for text in card.chips.texts)
    desk.form.take("timing.loss")
    assert desk.form.checked.runs == 3 * 4 * 6
    write(desk.form.rows[2].values, "0, 0.1, 0.2")
    along = desk.form.rows[2].along
    along.setCurrentIndex(along.findData("n"))
    along.activated.emit(along.currentIndex())
    assert desk.form.checked.runs == 3 * 6 and desk.form.rows[2].said.text() == "In step with n."


def test_a_row_has_a_label_and_a_unit(one: MainWindow, desk: SweepWorkspace) -> None:
    card = desk.form.rows[0]
    QTest.mouseClick(card.title, LEFT)
    write(card.label, "size of the network")
    write(card.unit, "processes")
    row = desk.document.form.rows[0]
    assert (row.label, row.unit) == ("size of the network", "processes")
    assert card.title.text().startswith("size of the network") and desk.form.checked.good
    press(one, "Ctrl+Z")
    assert desk.document.form.rows[0].unit == ""


def test_random_faults_can_be_added_and_rows_removed(one: MainWindow, desk: SweepWorkspace) -> None:
    desk.form.take("Processes that crash")
    assert desk.form.checked.runs == 2 * 4 * 6 and len(desk.form.drawn) == 1
    drawn = desk.form.drawn[0]
    QApplication.processEvents()
    assert drawn.count.text() == "{crashes}" and drawn.isVisible()
    desk.form.area.ensureWidgetVisible(drawn)
    write(drawn.count, "{crashs}")
    assert "crashs" in drawn.said.text() and "crashes" in drawn.said.text()
    press(one, "Ctrl+Z")
    assert not drawn.said.isVisible()
    QTest.mouseClick(drawn.cross, LEFT)
    desk.form.rows[2].deeds["remove"].trigger()
    assert desk.document.form == SMALL
    desk.form.rows[1].deeds["up"].trigger()
    assert [row.field for row in desk.document.form.rows] == ["network", ""]


def test_a_field_missing_from_the_list_can_be_typed(one: MainWindow, desk: SweepWorkspace) -> None:
    desk.form.choose()
    QTest.keyClicks(desk.form.popup.field, "timing.drifts.0")
    QTest.keyClick(desk.form.popup.field, Qt.Key.Key_Return)
    assert desk.document.form.rows[-1].field == "timing.drifts.0" and desk.form.rows[-1].opened
    desk.form.take("faults[x")
    assert "written as in" in one.notice.text


def test_measures_limits_and_kept_runs_can_be_set(desk: SweepWorkspace) -> None:
    box = desk.form.measures.boxes["tree_depth"]
    desk.form.area.ensureWidgetVisible(box)
    QTest.mouseClick(box, LEFT, PLAIN, QPoint(8, box.height() // 2))
    desk.form.measures.add("by_kind.Ack.sent")
    assert desk.document.form.measures[-2:] == ("tree_depth", "by_kind.Ack.sent")
    assert desk.form.measures.boxes["by_kind.Ack.sent"].isChecked()
    desk.form.measures.add("nonsense")
    assert "nknown measure" in desk.form.measures.said.text() and not desk.form.start.isEnabled()
    write(desk.form.measures.fields["seconds"], "0")
    assert "more than 0" in desk.form.measures.limit.text() or "nonsense" in desk.form.measures.said.text()


@pytest.mark.slow
def test_refused_values_are_reported_at_their_row(desk: SweepWorkspace, qtbot: QtBot) -> None:
    desk.form.take("timing.loss")
    write(desk.form.rows[2].values, "0, 7")
    assert desk.form.checked.good  # only the experiment can check this
    qtbot.waitUntil(lambda: bool(desk.form.rows[2].said.text()), timeout=20_000)
    assert "loss" in desk.form.rows[2].said.text() and not desk.form.start.isEnabled()
    write(desk.form.rows[2].values, "0, 0.5")
    qtbot.waitUntil(lambda: desk.form.costs.text().startswith("About"), timeout=20_000)
    assert desk.form.start.isEnabled() and not desk.form.rows[2].said.text()


def test_a_sweep_starts_from_a_card_of_the_experiment(one: MainWindow, desk: SweepWorkspace) -> None:
    set_base(desk, "echo-crash")
    assert desk.form.base.value.text() == "echo-crash"
    one.workspaces.show("run")
    (several,) = [action for action in one.panel.timing.actions() if action.text() == "Give several values…"]
    several.trigger()
    assert one.workspaces.current == "sweep" and desk.document.form.base is None
    assert [row.field for row in desk.document.form.rows] == ["timing.delay"] and desk.form.rows[0].opened
    set_base(desk, "no-such-experiment")
    assert "no-such-experiment" in one.notice.text and desk.document.form.base is None
    one.actions_by_name["undo"].trigger()
    one.actions_by_name["undo"].trigger()
    assert desk.document.form.base == "echo-crash" and desk.document.form.rows == SMALL.rows


# ---------------------------------------------------------------------------------------------------- files


def test_a_sweep_is_saved_and_reopened(one: MainWindow, desk: SweepWorkspace, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    desk.document.change("name", name="mine", seeds="100 to 103")
    assert desk.files.save_to(file) and not one.isWindowModified()
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    assert data["experiment"] == "echo-random" and data["seeds"] == {"first": 100, "count": 4}
    assert load(file).count == desk.form.checked.runs == 8
    desk.document.load(Form())
    assert desk.files.open(file)
    assert replace(desk.document.form, base=None) == replace(SMALL, name="mine", seeds="100 to 103")
    assert base_folder(desk) == tmp_path and one.windowTitle().startswith("mine")
    for text, says in (
        ("seeds = 3", "experiment"),
        ("no toml", "mine.toml"),
        ('experiment = "echo-random"\nvary = 3', "vary"),
    ):
        before = desk.document.form
        file.write_text(text)
        assert not desk.files.open(file) and says in one.notice.text and desk.document.form == before
    desk.form.rows[0].edited.emit(replace(desk.document.form.rows[0], values=""), "values", "")
    assert not desk.files.save_to(file) and "is not saved" in one.notice.text and file.read_text() == text


def test_published_numbers_are_kept_while_they_fit(desk: SweepWorkspace, tmp_path: Path) -> None:
    file = tmp_path / "told.toml"
    at = "at = {n = 8}"
    file.write_text(
        'experiment = "echo-random"\nmeasure = ["messages", "time"]\n[[vary]]\nname = "n"\nvalues = [5, 8]\n'
        f'[[published]]\nmeasure = "time"\n{at}\nvalue = 9\n[[published]]\nmeasure = "messages"\nlow = 3\n'
    )
    assert desk.files.open(file) and desk.files.save_to(file)
    assert [each.measure for each in load(file).published] == ["time", "messages"]
    desk.document.change("rows", rows=())
    assert desk.files.save_to(file) and [each.measure for each in load(file).published] == ["messages"]
    desk.document.undo.undo()
    assert desk.files.save_to(file) and len(load(file).published) == 2


@pytest.mark.slow
def test_unsaved_input_survives_a_crash(alone: Open, qtbot: QtBot, home: Path) -> None:
    first = alone("echo-random")
    first.workspaces.show("sweep")
    w = first.workspaces.sweeps.workspace
    assert w is not None
    w.form.take("timing.delay")
    write(w.form.rows[0].values, "constant(1), constant(")
    kept = first.settings.kept.place("sweep.json")
    qtbot.waitUntil(lambda: kept.is_file() and 'constant(1), constant("' in kept.read_text())
    first.settings.kept.close()  # as the system does when a program ends for any reason
    second = alone("echo-random")
    second.workspaces.show("sweep")
    again = second.workspaces.sweeps.workspace
    assert again is not None and again.document.form == w.document.form and again.document.modified
    again.document.close()
    (home / "sweep.json").write_text('{"form": {"rows": 3}}')
    third = SweepWorkspace(second.session, second.shelf, second.settings, second.theme)
    qtbot.addWidget(third)
    assert third.document.form == Form()
    third.close_all()


# ---------------------------------------------------------------------------------------------------- runs


def test_a_stopped_sweep_is_kept_and_resumed(one: MainWindow, desk: SweepWorkspace, faked: Faked, qtbot: QtBot) -> None:
    faked.be("wait")
    press(one, "F5")
    qtbot.waitUntil(lambda: desk.run.done == 3, timeout=20_000)
    assert desk.progress.stop.isVisible() and not desk.form.start.isEnabled()
    assert desk.progress.rate.whole == "12 runs a second, about 2 s left" and sum(desk.run.groups) == 3
    assert not desk.start() and "already running" in one.notice.text
    one.workspaces.show("run")
    sign = one.workspaces.sweeps.sign
    assert sign is not None and sign.isVisible() and sign.text() == "Sweep: 3 of 12"
    QTest.mouseClick(sign, LEFT)
    assert one.workspaces.current == "sweep" and not sign.isVisible()
    faked.be("")
    QTest.mouseClick(desk.progress.stop, LEFT)
    over(desk, qtbot)
    assert desk.run.state == "cancelled" and desk.run.unfinished and 3 <= desk.run.done < 12
    assert desk.progress.resume.isVisible() and "are kept" in desk.progress.note.text()
    first = read_folder(desk.run.folder or "").done()
    QTest.mouseClick(desk.progress.resume, LEFT)
    over(desk, qtbot)
    assert (desk.run.state, desk.run.done) == ("done", 12) and list(desk.run.groups) == [6, 6]
    assert set(first) < set(read_folder(desk.run.folder or "").done())
    assert "is done: 12 runs" in one.status.label.text() and not desk.progress.resume.isVisible()
    assert desk.earlier.list.count() >= 1 and "12 runs" in desk.earlier.list.item(0).text()


def test_the_end_is_reported_in_the_current_workspace(one: MainWindow, desk: SweepWorkspace, qtbot: QtBot) -> None:
    desk.start()
    one.workspaces.show("run")
    over(desk, qtbot)
    assert one.notice.text == "The sweep echo-random-sweep is done: 12 runs." and one.notice.button.text() == "Show"
    QTest.mouseClick(one.notice.button, LEFT)
    assert one.workspaces.current == "sweep"


def test_failed_runs_count_as_results(
    one: MainWindow, desk: SweepWorkspace, faked: Faked, qtbot: QtBot, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.py"
    source = one.shelf.source("echo").replace(
        "self.parent = q", "self.parent = q\n        assert len(self.neighbours) != 2"
    )
    mine.write_text(source)
    desk.files.open(_file(tmp_path / "bad.toml", mine))
    desk.form.where.folder.setText(str(tmp_path / "bad"))
    desk.form.where.check()
    assert desk.start()
    over(desk, qtbot)
    assert (desk.run.state, desk.run.done, desk.run.bad) == ("done", 8, 4), desk.run.problem
    assert desk.progress.chip.text() == "4 runs failed" and desk.progress.grid.failed == {0: 4}
    QTest.mouseClick(desk.progress.chip, LEFT)
    assert desk.progress.failures.isVisible() and desk.progress.failures.count() == 5
    assert desk.progress.failures.item(0).text() == "4 runs: error in the protocol"
    item = desk.progress.failures.item(1)
    assert re.match(r"Run \d+ \(ring:6, seed \d\): ", item.text())
    with qtbot.waitSignal(one.workspaces.sweeps.odd_runs.shown, timeout=20_000):
        desk.progress.failures.itemActivated.emit(item)
    assert one.workspaces.current == "run" and one.session.shown is not None and one.session.shown.problem
    one.session.start(one.shelf.archive.experiment("echo-random"))


def _file(file: Path, protocol: Path) -> Path:
    file.write_text(
        f'seeds = 4\n[experiment]\nprotocol = "{protocol.as_posix()}"\nnetwork = "ring:6"\n'
        '[[vary]]\nfield = "network"\nvalues = ["ring:6", "complete:5"]\n'
    )
    return file


def test_a_crashed_process_loses_nothing(one: MainWindow, desk: SweepWorkspace, faked: Faked, qtbot: QtBot) -> None:
    faked.be("die")
    desk.start()
    over(desk, qtbot)
    assert desk.run.state == "failed" and "the system ended it" in desk.progress.note.text()
    assert "was stopped by a problem: 3 of 12 runs" in one.notice.text
    faked.be("")
    one.actions_by_name["sweep_resume"].trigger()
    over(desk, qtbot)
    assert (desk.run.state, desk.run.done) == ("done", 12)


def test_errors_of_spark_become_one_sentence(one: MainWindow, desk: SweepWorkspace, faked: Faked, qtbot: QtBot) -> None:
    faked.be("java")
    desk.start()
    over(desk, qtbot)
    assert desk.run.state == "failed" and desk.progress.note.text().startswith("Spark needs Java 17, 21 or 25")
    faked.be("")
    assert desk.form.start.isEnabled()
    QTest.mouseClick(desk.progress.resume, LEFT)  # nothing was written, so the sweep starts again
    over(desk, qtbot)
    assert desk.run.state == "done"


@pytest.mark.slow
def test_without_spark_everything_else_works(
    one: MainWindow, desk: SweepWorkspace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = "Sweeps need Spark, and pyspark is missing; get it with pip."
    monkeypatch.setattr(workspace, "missing", lambda _report: (lacks, False))
    desk.ask()
    qtbot.waitUntil(lambda: desk.bar.text == lacks)
    assert not desk.form.start.isEnabled() and desk.form.start.toolTip() == lacks
    assert not desk.start() and one.notice.text == lacks
    qtbot.waitUntil(lambda: desk.form.costs.text().startswith("About"), timeout=20_000)
    monkeypatch.setattr(workspace, "missing", lambda _report: ("", False))
    QTest.mouseClick(desk.bar.buttons[0], LEFT)
    qtbot.waitUntil(lambda: desk.form.start.isEnabled())
    assert not desk.bar.isVisible()


def test_a_cluster_is_chosen_by_its_address(desk: SweepWorkspace) -> None:
    where = desk.form.where
    desk.form.area.ensureWidgetVisible(where.where)
    QTest.mouseClick(where.where.buttons["cluster"], LEFT)
    write(where.address, "host:7077")
    assert where.problem.startswith("Write local[*]") and not desk.form.start.isEnabled()
    write(where.address, "spark://host:7077")
    assert where.master == "spark://host:7077" and desk.form.start.isEnabled()
    QTest.mouseClick(where.where.buttons["here"], LEFT)
    assert where.master == "local[*]"
    write(where.folder, "somewhere")
    assert "must be absolute" in where.problem and not desk.form.start.isEnabled()


@pytest.mark.slow
def test_an_earlier_sweep_can_be_opened(one: MainWindow, desk: SweepWorkspace, qtbot: QtBot, tmp_path: Path) -> None:
    desk.start()
    over(desk, qtbot)
    folder = desk.run.folder
    desk.document.load(replace(SMALL, seeds="3"))
    desk.form.where.folder.setText(str(tmp_path / "other"))
    desk.start()
    over(desk, qtbot)
    desk.tabs.setCurrentWidget(desk.earlier)
    item = desk.earlier.list.item(1)
    QTest.mouseClick(desk.earlier.list.viewport(), LEFT, PLAIN, desk.earlier.list.visualItemRect(item).center())
    qtbot.waitUntil(lambda: desk.run.folder == folder, timeout=20_000)
    assert (desk.run.total, desk.run.done, desk.run.state) == (12, 12, "done") and list(desk.run.groups) == [6, 6]
    qtbot.waitUntil(lambda: desk.results.results is not None and len(desk.results.results) == 12, timeout=20_000)
    desk.tabs.setCurrentIndex(0)
    desk.open_folder(tmp_path / "nowhere")
    qtbot.waitUntil(lambda: "this folder does not exist" in one.notice.text)


def test_a_sweep_opened_at_the_start_covers_the_example(alone: Open, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('experiment = "echo-random"\nseeds = [1, 2]\n', encoding="utf-8")
    window = alone(file)
    assert window.workspaces.current == "sweep" and not window.notice.text
    assert window.session.experiment is not None and window.session.experiment.name == "two-wings"


# ---------------------------------------------------------------------------------------------------- the end


@pytest.mark.slow
def test_closing_stops_the_sweep_and_the_next_start_offers_the_rest(
    alone: Open, faked: Faked, qtbot: QtBot, tmp_path: Path
) -> None:
    processes = children()
    window = alone("echo-random")
    window.workspaces.show("sweep")
    w = window.workspaces.sweeps.workspace
    assert w is not None
    w.document.load(SMALL)
    faked.be("wait")
    w.form.where.folder.setText(str(tmp_path / "out"))
    w.form.where.check()
    w.start()
    qtbot.waitUntil(lambda: w.run.done == 3, timeout=20_000)
    window.closeEvent(QCloseEvent())
    assert left_children(processes) == [] and not w.run.busy
    faked.be("")
    again = alone("echo-random")
    assert again.notice.text == "The sweep in out was stopped before its end; its finished runs are kept."
    QTest.mouseClick(again.notice.button, LEFT)
    other = again.workspaces.sweeps.workspace
    assert other is not None
    qtbot.waitUntil(lambda: other.run.state == "done", timeout=30_000)
    assert other.run.done == 12 and other.run.before >= 3
    again.settings.sync()
    kept = json.loads(str(again.settings._values.value("sweeps")))["folders"][0]
    assert (kept["done"], kept["total"]) == (12, 12)


def test_an_unresponsive_process_is_ended(
    alone: Open, faked: Faked, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(conversation, "PATIENCE", 0.2)
    processes = children()
    window = alone("echo-random")
    window.workspaces.show("sweep")
    w = window.workspaces.sweeps.workspace
    assert w is not None
    faked.be("mute")
    w.form.where.folder.setText(str(tmp_path / "out"))
    w.start()
    w.stop()
    assert w.run.state == "stopping" and w.run.busy
    window.closeEvent(QCloseEvent())
    assert left_children(processes) == []


@pytest.mark.spark
@pytest.mark.slow
def test_a_sweep_runs_on_a_real_spark(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    need_spark()
    processes = children()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "ENTRY", ("-m", "lydian.batch.drive"))
        window = open_window("echo-random")
        window.workspaces.show("sweep")
        w = window.workspaces.sweeps.workspace
        assert w is not None
        w.document.load(SMALL)
        w.form.where.folder.setText(str(tmp_path / "out"))
        w.form.where.check()
        qtbot.waitUntil(lambda: w.form.costs.text().startswith("About"), timeout=60_000)
        assert w.start()
        states: list[str] = []
        w.run.changed.connect(lambda: states.append(w.run.state))
        qtbot.waitUntil(lambda: not w.run.busy, timeout=180_000)
        assert (w.run.state, w.run.done, w.run.problem) == ("done", 12, "")
        assert {"starting", "running", "done"} <= set(states)
        assert left_children(processes | children()) == []
        table = read_folder(tmp_path / "out").table(["processes", "messages"])
        assert sorted(set(table.column("messages").to_pylist())) == [4 * 5 - 2 * 5 + 2, 4 * 8 - 2 * 8 + 2]


# ---------------------------------------------------------------------------------------------------- dropped files


def dropped(path: Path) -> QDropEvent:
    """Return the event of a dropped file, which keeps its data alive."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, data, LEFT, PLAIN)
    event.carried = data  # type: ignore[attr-defined]
    return event


@pytest.mark.parametrize("name", ["run", "network"])
def test_a_dropped_sweep_comes_to_the_front(one: MainWindow, desk: SweepWorkspace, tmp_path: Path, name: str) -> None:
    desk.files.save_to(tmp_path / "mine.toml")
    desk.document.load(Form())
    one.workspaces.show(name)
    before = one.session.experiment
    target = one if name == "run" else one.workspaces.editor
    assert target is not None
    event = dropped(tmp_path / "mine.toml")
    enter = QDragEnterEvent(QPoint(300, 300), Qt.DropAction.CopyAction, event.mimeData(), LEFT, PLAIN)
    for each in (enter, event):
        QApplication.sendEvent(target, each)
    assert one.workspaces.current == "sweep"
    assert [row.name for row in desk.document.form.rows][:1] == ["n"]
    assert desk.document.path == (tmp_path / "mine.toml").absolute()
    assert one.session.experiment is before


@pytest.mark.slow
def test_a_dropped_folder_of_results_is_shown(
    one: MainWindow, desk: SweepWorkspace, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "done")
    one.workspaces.show("run")
    with qtbot.waitSignal(desk.results.filled, timeout=20_000):
        one.dropEvent(dropped(folder.path))
    assert one.workspaces.current == "sweep"
    qtbot.waitUntil(lambda: desk.run.state == "done", timeout=20_000)
    # in a low window the list takes one line and the plots the rest
    qtbot.waitUntil(lambda: desk.rows.sizes()[0] < 60, timeout=20_000)
    progress = desk.progress
    assert progress.compact
    assert progress.grid.isHidden()
    assert "done" in progress.rate.whole
    high = desk.results.height()
    QTest.mouseClick(progress.cells, LEFT)
    qtbot.waitUntil(lambda: desk.results.height() < high - 50, timeout=20_000)
    assert not progress.grid.isHidden()
    QTest.mouseClick(progress.cells, LEFT)
    qtbot.waitUntil(lambda: abs(desk.results.height() - high) < 8, timeout=20_000)
    progress.set_low(False)
    assert not progress.compact
    assert not progress.grid.isHidden()
    assert progress.cells.isHidden()
    desk.results.close_folder()


def test_an_experiment_is_not_a_sweep(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text('protocol = "echo"\nnetwork = "ring:4"\n')
    (tmp_path / "s.toml").write_text('experiment = "echo-random"\nseeds = 3\n')
    (tmp_path / "bad.toml").write_text("experiment = ")
    assert [is_sweep(tmp_path / f"{name}.toml") for name in ("e", "s", "bad", "none")] == [False, True, False, False]


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script for sh")
def test_spark_is_installed_from_the_window(
    desk: SweepWorkspace, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = "Sweeps run on Apache Spark, which is not installed."
    go = tmp_path / "go"
    program = tmp_path / "python"
    monkeypatch.setattr(sys, "executable", str(program))

    def pip(text: str) -> None:
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)

    def press(words: str) -> None:
        QTest.mouseClick(next(each for each in desk.bar.buttons if each.text() == words), LEFT)

    with monkeypatch.context() as patch:
        patch.setattr(workspace, "missing", lambda _report: ("" if go.exists() else lacks, False))
        desk.ask()
        qtbot.waitUntil(lambda: desk.bar.text == lacks)
        pip("echo Collecting pyspark; exec sleep 600")
        press("Install Spark")
        qtbot.waitUntil(lambda: desk.bar.text == "Installing Spark: collecting pyspark")
        assert not desk.form.start.isEnabled()
        press("Stop")
        qtbot.waitUntil(lambda: desk.bar.text == lacks)
        pip("echo ERROR: no space left on device; exit 1")
        press("Install Spark")
        qtbot.waitUntil(lambda: desk.bar.text == "Spark could not be installed: ERROR: no space left on device")
        pip(f"touch {go}")
        press("Install Spark")
        qtbot.waitUntil(lambda: desk.form.start.isEnabled())
        assert not desk.bar.isVisible()
    desk.ask()
    qtbot.waitUntil(lambda: not desk.asking.busy)
