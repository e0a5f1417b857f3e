"""The one row above the views: what it shows at each width, the menus of each workspace, and Alt."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Card, Elided, Parts
from lydian.app.window.mainwindow import MainWindow
from tests.app.conftest import Open

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
WORKSPACES = ("run", "network", "protocol", "sweep", "archive")


@pytest.fixture
def window(open_window: Open) -> MainWindow:
    return open_window(size=(1280, 720))


def words(window: MainWindow) -> list[str]:
    """Return the words in the row from left to right, and check that each has the room that it needs."""
    row, found = window.toolbar, []
    assert row.height() <= Theme(scale=window.theme.scale).size("space.toolButton") + 14
    for part in row.findChildren(QAbstractButton) + row.findChildren(QLabel):
        icon = isinstance(part, QToolButton) and part.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
        if part.isVisible() and part.window() is window and part.text() and not icon:
            x = part.mapTo(row, QPoint()).x()
            assert part.width() >= part.sizeHint().width(), part.text()
            assert x >= 0 and x + part.width() <= row.width(), part.text()
            found.append((x, part.text().replace("&", "")))
    return [text for _x, text in sorted(found)]


@pytest.mark.parametrize(
    ("width", "shown", "bar", "tabs"),
    [
        (1920, "Run  F5, Replay, Live, Crash, Cut, Lose, Delay, Watch, Study, Debug", True, True),
        (1600, "Run  F5, Replay, Live, Faults, Watch", True, True),
        (1280, "Run  F5, Replay, Live, Faults, Watch", False, True),
        (1024, "Run  F5, Replay, Live, Faults, Watch, Run", False, False),
    ],
)
def test_what_does_not_fit_becomes_a_menu(
    qtbot: QtBot, window: MainWindow, width: int, shown: str, bar: bool, tabs: bool
) -> None:
    window.looks.arrange("watch")
    window.resize(width, 720)
    qtbot.waitUntil(lambda: window.toolbar.width() == width and ", ".join(words(window)) == shown)
    assert window.toolbar.menu_bar.isVisible() is bar and window.toolbar.menu_bar.button.isVisible() is not bar
    assert window.workspaces.tabs.isVisible() is tabs
    assert window.toolbar.find_field.width() > 130


def test_the_row_fits_with_large_text_and_on_a_projector(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1024, 700)
    for scale, projector in ((2.5, False), (2.0, False), (1.0, True)):
        window.looks.apply(window.theme.but(scale=scale, projector=projector))
        QApplication.processEvents()
        row = window.toolbar
        ends = [part.mapTo(row, part.rect().topRight()).x() for part in row.findChildren(QAbstractButton)
                if part.isVisible() and part.window() is window]  # fmt: skip
        assert max(ends) < row.width()
        assert row.run.width() >= row.run.sizeHint().width() and row.menu_bar.button.isVisible()


def test_each_workspace_has_its_menus(window: MainWindow) -> None:
    def titles() -> list[str]:
        menus = window.toolbar.menu_bar.button.menu().actions()
        return [action.text().replace("&", "") for action in menus if action.isVisible()]

    own = {"run": [], "network": ["Network"], "protocol": ["Protocol"], "sweep": ["Sweep"], "archive": []}
    for workspace in (*WORKSPACES, "run"):
        window.workspaces.show(workspace)
        more = ["Playback", "Faults", "Class"] if workspace == "run" else []
        assert titles() == ["File", "Edit", "View", *own[workspace], "Run", *more, "Help"]
        assert window.toolbar.run.isVisible() is (workspace == "run")
    action = window.actions_by_name["draw_all"]
    assert not action.isVisible() and action.isEnabled()  # the search can still carry it out
    action.trigger()
    assert window.workspaces.current == "network" and action.isVisible()


def test_alt_opens_the_menus_and_a_letter_one_of_them(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    bar, canvas = window.toolbar.menu_bar, window.stage.canvases["basic"]
    menus = bar.button.menu()
    QTest.keyClick(canvas, Qt.Key.Key_Alt)
    assert menus.isVisible()
    menus.close()
    QTest.keyPress(canvas, Qt.Key.Key_Alt)
    QTest.keyClick(canvas, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)  # a command
    QTest.keyRelease(canvas, Qt.Key.Key_Alt)
    assert not menus.isVisible()
    QTest.keyClick(canvas, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    opened = QApplication.activePopupWidget()
    assert isinstance(opened, QMenu) and opened is bar.menus["&File"]
    opened.close()


def test_the_panel_of_faults_closes_when_one_is_chosen(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.interference.bar
    assert bar is not None and not bar.buttons["crash"].isVisible()
    qtbot.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    assert bar.panel.isVisible() and all(button.isVisible() for button in bar.buttons.values())
    assert all(button.width() >= button.sizeHint().width() for button in bar.buttons.values())
    qtbot.mouseClick(bar.buttons["crash"], Qt.MouseButton.LeftButton)
    assert not bar.panel.isVisible() and window.interference.aim.tool == "crash"
    assert bar.more.property("chosen") is True
    window.interference.let_go()
    assert bar.more.property("chosen") is False


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "size"), [(1.0, (1024, 700)), (1.0, (1280, 720)), (2.0, (1280, 720))])
def test_no_word_is_cut_in_any_workspace(qtbot: QtBot, window: MainWindow, scale: float, size: tuple[int, int]) -> None:
    window.resize(*size)
    window.access.set_text(scale)
    cut = []
    more = [place for place in WORKSPACES[1:] if scale == 1.0 or place != "protocol"]  # whose table has too little room
    for place in ("watch", "study", "debug", *more):
        if place in WORKSPACES:
            window.workspaces.show(place)
        else:
            window.looks.arrange(place)
        qtbot.waitUntil(lambda: window.toolbar.width() == size[0])
        QApplication.processEvents()
        for part in window.findChildren(QAbstractButton) + window.findChildren(QLabel):
            if not part.text() or not part.isVisible() or part.visibleRegion().isEmpty():
                continue
            if isinstance(part, QToolButton) and part.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
                continue
            wraps = isinstance(part, QLabel) and part.wordWrap()
            need = part.minimumSizeHint().width()
            if part.text().endswith("…") and isinstance(part, Elided) and part.text() != part.whole:
                cut.append(f"{place}: {part.whole}")
            elif not wraps and part.width() + 1 < need:
                cut.append(f"{place}: {part.text()} {part.width()} < {need}")
    assert cut == []


def test_a_note_leaves_out_whole_parts_and_a_card_wraps(qtbot: QtBot) -> None:
    note, card = Parts("154 messages (77 Ask, 77 Fork) · 2 in transit"), Card("code", "Protocol", Theme())
    for widget in (note, card):
        qtbot.addWidget(widget)
        widget.setFont(Theme().font("small"))
        widget.show()
    shown = set()
    for width in range(400, 0, -5):
        note.resize(width, 20)
        shown.add(note.text())
    assert shown == {"", "154 messages", "154 messages (77 Ask, 77 Fork)", note.whole}
    assert note.toolTip() == note.whole
    card.say("Chandy-Misra", "dining philosophers with dirty forks, which pass on priority")
    heights = []
    for width in (600, 200, 140):
        card.resize(width, card.height())
        heights.append(card.sizeHint().height())
    assert heights[0] < heights[1] < heights[2]
