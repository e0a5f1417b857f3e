"""The Branches dock on its own: mouse, keys, names, notes and the menu; forks on the time line."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.kit.theming import set_theme_of
from lydian.app.live.runs.branches import BranchesPanel
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline.scrubber import Scrubber
from lydian.desk.playhead import Playhead
from lydian.model.experiment.branches import ROOT, Branches, add, note, rename
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.trace.timeline import Timeline
from lydian.views.others.branchtree import Fork
from tests.trace.sample import echo, grid

BASE = Experiment("two-wings", protocol="echo", network="ring:5")
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@dataclass
class Runs:
    """The part of the live runs that the panel uses."""

    tree: Branches
    branch: int = ROOT
    on: bool = False


def grown() -> Branches:
    tree = Branches(BASE)
    for parent, at, who in ((0, 6.0, "9"), (1, 8.0, "3"), (0, 2.0, "2")):
        tree, _ = add(tree, parent, [Intervention(at, "crash", process=who)], at)
    return tree


class Bench:
    """A panel with runs that can be renamed, and a record of its requests."""

    def __init__(self, qtbot: QtBot, tree: Branches | None = None) -> None:
        self.runs = Runs(grown() if tree is None else tree)
        self.panel = BranchesPanel(Theme("light"), self.rename)
        qtbot.addWidget(self.panel)
        self.panel.resize(640, 360)
        self.asked: list[tuple[object, ...]] = []
        for name in ("wanted", "fork_wanted", "live_wanted", "compare_wanted", "copy_wanted", "noted"):
            getattr(self.panel, name).connect(lambda *what, name=name: self.asked.append((name, *what)))
        self.show()
        self.panel.show()
        qtbot.waitExposed(self.panel)

    def show(self, time: float = 7.0) -> None:
        self.panel.show_runs(self.runs, time, {0: 15.2, 1: 13.1})

    def rename(self, branch: int, name: str) -> None:
        self.runs.tree = rename(self.runs.tree, branch, name)
        self.show()

    def spot(self, branch: int, time: float | None = None) -> QPoint:
        """Return a point on the name of a run, or on its row at a time."""
        rect = self.panel.tree.name_rect(branch)
        x = rect.left() + 20 if time is None else round(self.panel.tree.place(time))
        return QPoint(x, rect.center().y())

    def click(self, qtbot: QtBot, branch: int, time: float | None = None) -> None:
        qtbot.mouseClick(self.panel.tree.viewport(), LEFT, NONE, self.spot(branch, time))


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_a_click_selects_a_run_and_a_double_click_shows_it(bench, qtbot):
    compare, tree = bench.panel.compare, bench.panel.tree
    for branch, time in ((1, None), (3, 12.0)):
        bench.click(qtbot, branch, time)
        assert (tree.current, tree.tree.shown, compare.isEnabled()) == (branch, ROOT, True)
    bench.click(qtbot, ROOT, 14.0)
    assert tree.current == ROOT and not compare.isEnabled()
    assert bench.asked == []
    for branch, time in ((3, 12.0), (1, None), (ROOT, 14.0)):
        qtbot.mouseDClick(tree.viewport(), LEFT, NONE, bench.spot(branch, time))
    qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.RightButton, NONE, bench.spot(3))
    assert bench.asked == [("wanted", 3), ("wanted", 1)]


def test_a_double_click_on_a_fork_goes_there(bench, qtbot):
    place = bench.panel.tree.hit(QPointF(bench.spot(ROOT, 6.0)))
    assert place is not None
    assert (place.sort, place.branch) == ("fork", 1)
    assert place.words.startswith("9 crashed at 6.0 branches off here, at 6.0")
    qtbot.mouseDClick(bench.panel.tree.viewport(), LEFT, NONE, bench.spot(ROOT, 6.0))
    assert bench.asked == [("fork_wanted", 1)]


def test_a_glyph_describes_its_interference(bench):
    place = bench.panel.tree.hit(QPointF(bench.spot(2, 8.0)))
    assert place is not None
    assert (place.sort, place.words) == ("deed", "3 crashed at 8.0")


def test_arrows_move_and_enter_shows_a_run(bench, qtbot):
    tree = bench.panel.tree
    tree.setFocus()
    for key, where in (
        (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1), (Qt.Key.Key_Down, 3), (Qt.Key.Key_Up, 1),
    ):  # fmt: skip
        qtbot.keyClick(tree, key)
        assert tree.current == where
    assert bench.asked == []
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert bench.asked == [("wanted", 1)]


def test_f2_renames_and_refuses_invalid_names(bench, qtbot):
    tree = bench.panel.tree
    tree.choose(1)
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    field = bench.panel.field
    assert field.text() == "9 crashed at 6.0"
    field.setText("2 crashed at 2.0")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.trouble.isVisible()
    assert "Another branch is already called" in field.trouble.text()
    assert bench.runs.tree.name(1) == "9 crashed at 6.0"
    field.setText("the  deadlock")
    assert not field.trouble.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert bench.runs.tree.name(1) == "the deadlock"
    assert not field.isVisible()
    assert tree.current == 1


def test_escape_keeps_the_name_and_the_first_run_is_named_as_the_experiment(bench, qtbot):
    bench.panel.edit_name(ROOT)
    assert bench.panel.field is None
    bench.panel.edit_name(2)
    bench.panel.field.setText("other")
    qtbot.keyClick(bench.panel.field, Qt.Key.Key_Escape)
    assert bench.runs.tree.name(2) == "3 crashed at 8.0"


def test_a_second_click_on_a_name_renames(bench, qtbot):
    bench.runs.branch = 1
    bench.show()
    bench.click(qtbot, 1)
    assert bench.panel.field is not None
    assert bench.panel.field.isVisible()
    assert bench.asked == []


def test_notes_survive_choosing_another_run(bench, qtbot):
    bench.panel.tree.choose(1)
    assert bench.panel.notes.isEnabled()
    qtbot.keyClicks(bench.panel.notes, "why?")
    bench.panel.tree.choose(ROOT)
    assert bench.asked == [("noted", 1, "why?")]
    assert not bench.panel.notes.isEnabled()
    bench.runs.tree = note(bench.runs.tree, 1, "why?")
    bench.show()
    bench.panel.tree.choose(1)
    assert bench.panel.notes.toPlainText() == "why?"
    assert len(bench.asked) == 1


def texts(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "").partition("\t")[0] for action in menu.actions() if action.text()]


def test_a_run_has_a_menu(bench):
    menu = bench.panel.menu_for(1)
    assert texts(menu) == [
        "Show", "Show where it branches off", "Go live from here", "Compare with the current run", "Rename", "Notes",
        "Copy as command line",
    ]  # fmt: skip
    wanted = ("Go live from here", "Compare with the current run", "Copy as command line")
    for action in menu.actions():
        if action.text().replace("&", "") in wanted:
            action.trigger()
    assert bench.asked == [("live_wanted", 1), ("compare_wanted", 1), ("copy_wanted", 1)]
    shown = bench.panel.menu_for(ROOT)
    assert "Compare with" in texts(shown)
    assert not shown.actions()[0].isEnabled()


def test_a_single_run_explains_how_to_get_more(qtbot):
    bench = Bench(qtbot, Branches(BASE))
    assert "When you intervene, the original is kept here" in bench.panel.accessibleDescription()
    assert not bench.panel.notes.isVisible()
    bench.panel.grab()


def test_two_hundred_branches_scroll_and_keep_the_position(qtbot):
    tree = Branches(BASE)
    for number in range(200):
        tree, _ = add(tree, number if number % 3 else 0, [Intervention(float(number), "crash", process=str(number))])
    bench = Bench(qtbot, tree)
    bench.panel.tree.choose(150)
    bench.panel.grab()
    assert bench.panel.tree.visualRect(bench.panel.tree.currentIndex()).intersects(bench.panel.tree.viewport().rect())
    before = bench.panel.tree.verticalScrollBar().value()
    bench.runs.on = True
    bench.show(50.0)  # the run grows
    assert bench.panel.tree.current == 150
    assert bench.panel.tree.verticalScrollBar().value() == before


def test_everything_is_drawn_in_every_theme(bench):
    for name in ("light", "dark", "contrast"):
        set_theme_of(bench.panel, Theme(name, scale=1.5))
        assert not bench.panel.grab().isNull()


def test_the_ruler_moves_the_play_head(bench, qtbot):
    found = []
    bench.panel.sought.connect(found.append)
    x = round(bench.panel.tree.place(4.0))
    qtbot.mousePress(bench.panel.ruler, LEFT, NONE, QPoint(x, 8))
    assert len(found) == 1
    assert abs(found[0] - 4.0) < 0.2


def test_forks_are_drawn_on_the_time_line(qtbot):
    head = Playhead(Timeline(echo(9, grid(3, 3))))
    camera = TimeCamera()
    camera.load(head.timeline)
    line = Scrubber(head, Theme("light"), camera)
    qtbot.addWidget(line)
    line.resize(700, 90)
    line.show()
    time = head.end / 2
    line.set_forks([Fork(time, 1, "9 crashed at 6.0"), Fork(time, 0, "echo")], (0, 4))
    asked = []
    line.fork_wanted.connect(lambda branches, at: asked.append(branches))
    before = head.t
    at = QPoint(round(line.place(time)), 8)
    move = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(at), line.mapToGlobal(QPointF(at)), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, NONE,
    )  # fmt: skip
    line.mouseMoveEvent(move)
    assert line.toolTip().splitlines()[0].startswith("9 crashed at 6.0 branches off here, at ")
    assert line.toolTip().splitlines()[1].startswith("echo continues separately here, at ")
    qtbot.mouseClick(line, LEFT, NONE, at)
    assert asked == [[1, 0]]
    assert head.t == before
    line.set_forks([], ())
    qtbot.mouseClick(line, LEFT, NONE, at)
    assert asked == [[1, 0]]
    line.grab()
