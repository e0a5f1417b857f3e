"""A newcomer draws a network: the steps of "Drawing networks", followed literally with mouse and keys.

The steps are those in ``resources/guide/drawing-networks.md``; the page and this test must be changed together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.network.workspace import EditorWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.guide.pages import guide
from lydian.model.network import Network
from tests.app.conftest import whole

Open = Callable[..., MainWindow]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

#: The network of the page: positions of its processes as shares of the drawing, and its links.
PLACES = [(0.14 + 0.24 * column, 0.32 + 0.4 * row) for row in (0, 1) for column in range(4)]
LINKS = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (0, 4), (1, 5), (2, 6), (3, 7)]
#: The slow links and their mean delays.
SLOW = {("1", "5"): 2.0, ("6", "7"): 2.5}

LEFT = Qt.MouseButton.LeftButton


class Hand:
    """A mouse and a keyboard that count their actions."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.clicks = self.doubles = self.drags = self.keys = 0

    @property
    def mouse(self) -> int:
        """The number of mouse actions."""
        return self.clicks + self.doubles + self.drags

    def see(self, widget: QWidget, at: QPoint) -> None:
        """Wait until a point of a widget can be clicked."""

        def there() -> None:
            assert widget.isVisible() and seen(widget, at), f"{widget.accessibleName()} cannot be clicked"

        self.qtbot.waitUntil(there)

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        self.clicks += 1
        at = widget.rect().center() if at is None else at
        self.see(widget, at)
        QTest.mouseMove(widget, at)
        QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, at)

    def double(self, widget: QWidget, at: QPoint) -> None:
        """Send a press, a release, a double press and a release, as a window system does."""
        self.doubles += 1
        QTest.mouseMove(widget, at)
        QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, at)
        QTest.mouseDClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, at)

    def drag(self, widget: QWidget, begin: QPoint, end: QPoint) -> None:
        self.drags += 1
        QTest.mouseMove(widget, begin)
        QTest.mousePress(widget, LEFT, Qt.KeyboardModifier.NoModifier, begin)
        for share in (0.1, 0.4, 0.8, 1.0):
            QTest.mouseMove(widget, begin + (end - begin) * share)
        QTest.mouseRelease(widget, LEFT, Qt.KeyboardModifier.NoModifier, end)

    def press(self, key: str) -> None:
        """Send a key to the focused widget of the window, which is active as under any window manager."""
        self.keys += 1
        self.window.activateWindow()
        QApplication.processEvents()
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keySequence(focus, key)


def seen(widget: QWidget, at: QPoint) -> bool:
    """Return whether a point of a widget can be clicked: it is not covered or scrolled out of view."""
    top = widget.window()
    there = top.childAt(widget.mapTo(top, at)) or top
    return there is widget or widget.isAncestorOf(there)


def tab(window: MainWindow, hand: Hand, word: str) -> None:
    tabs = window.workspaces.tabs
    (number,) = [i for i in range(tabs.count()) if tabs.tabText(i) == word]
    hand.click(tabs, tabs.tabRect(number).center())


def menu(window: MainWindow, hand: Hand, title: str, words: str) -> None:
    """Click a menu in the bar, or the button of the menus and then the menu, and then an entry of it."""
    bar = window.toolbar.menu_bar
    wide = bar.isVisible()
    menus = bar if wide else bar.button.menu()
    if not wide:
        hand.click(bar.button, bar.button.rect().center())
    (above,) = [action for action in menus.actions() if action.text().replace("&", "") == title]
    hand.click(menus, menus.actionGeometry(above).center())
    popup = above.menu()
    assert popup is not None
    hand.qtbot.waitUntil(popup.isVisible)
    (entry,) = [action for action in popup.actions() if action.text().replace("&", "") == words]
    hand.click(popup, popup.actionGeometry(entry).center())


def of_editor(window: MainWindow) -> EditorWorkspace:
    editor = window.workspaces.editor
    assert editor is not None and editor.isVisible()
    return editor


def rim(editor: EditorWorkspace, name: str, towards: str) -> QPoint:
    """Return a point just outside the disc of a process, towards another one."""
    canvas = editor.canvas
    begin, end = canvas.pixel_of(name), canvas.pixel_of(towards)
    step = (end - begin) / max(QPointF(end - begin).manhattanLength(), 1.0)
    away = next(r for r in range(1, 60) if (hit := canvas.hit(*(begin + step * r).toTuple())) and hit.kind == "rim")
    return (begin + step * (away + 2)).toPoint()


def middle(editor: EditorWorkspace, a: str, b: str) -> QPoint:
    """Return a point a third of the way along a link, away from the label at its middle."""
    begin, end = editor.canvas.pixel_of(a), editor.canvas.pixel_of(b)
    return (begin + (end - begin) * 0.38).toPoint()


def slow(editor: EditorWorkspace, hand: Hand, a: str, b: str, mean: float) -> None:
    """Click a link and drag the mean on its curve to the right until the link is slow enough."""
    hand.click(editor.canvas, middle(editor, a, b))
    curve = editor.properties.links.law.curve

    def visible() -> None:
        mean = curve.mean_point()
        assert mean is not None and seen(curve, mean.toPoint()), "the mark of the mean cannot be seen"

    hand.qtbot.waitUntil(visible)  # the panel has its layout for the link
    point = curve.mean_point()
    assert point is not None
    hand.drag(curve, point.toPoint(), QPoint(round(curve.x_of(mean)), round(point.y())))


def drawn(window: MainWindow, hand: Hand) -> Network:
    """Carry out steps 1 to 6 of the page."""
    tab(window, hand, "Network")
    menu(window, hand, "Network", "New network")
    editor = of_editor(window)
    canvas = editor.canvas
    for x, y in PLACES:
        hand.double(canvas, QPoint(round(x * canvas.width()), round(y * canvas.height())))
    hand.press("Return")
    assert editor.board.network.n == len(PLACES)
    for a, b in LINKS:
        hand.drag(canvas, rim(editor, str(a), str(b)), canvas.pixel_of(str(b)).toPoint())
    for (a, b), mean in SLOW.items():
        slow(editor, hand, a, b, mean)
    hand.click(editor.desk.strip.buttons["initiator"])
    hand.click(canvas, canvas.pixel_of("0").toPoint())
    return editor.board.network


def run(window: MainWindow, hand: Hand, qtbot: QtBot) -> Mapping[str, Any]:
    """Carry out step 7: run, play to the end, and return the result."""
    before = window.session.shown
    hand.click(of_editor(window).top.run)
    qtbot.waitUntil(lambda: window.session.shown is not before and whole(window), timeout=20_000)
    qtbot.waitUntil(lambda: window.playhead.playing, timeout=20_000)
    assert window.workspaces.current == "run" and window.session.shown is not None
    hand.press("End")
    assert window.playhead.at_end
    return window.session.shown.result


def messages(m: int, n: int) -> int:
    """Return the number of messages that ECHO sends on a connected network, whatever the delays."""
    return 4 * m - 2 * n + 2


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_newcomer_draws_eight_processes_with_delays(open_window: Open, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = open_window(size=size)
    hand = Hand(window, qtbot)
    network = drawn(window, hand)
    assert network.processes == tuple("01234567") and network.initiators == ("0",)
    assert {frozenset((link.a, link.b)) for link in network.links} == {frozenset((str(a), str(b))) for a, b in LINKS}
    assert not any(link.directed for link in network.links)
    own = {(link.a, link.b): link.delay.mean for link in network.links if link.delay is not None}
    assert own == {pair: pytest.approx(mean, abs=0.05) for pair, mean in SLOW.items()}
    assert of_editor(window).chip.readiness.ready

    came = run(window, hand, qtbot)
    assert window.playhead.timeline is not None and window.playhead.timeline.n == len(PLACES)
    assert came["messages"] == messages(len(LINKS), len(PLACES)) == 26 and came["stopped"] == "quiescent"
    assert all(check["holds"] for check in came["checks"])
    assert hand.mouse <= 45 and hand.keys <= 5, vars(hand)
    page = (guide() / "drawing-networks.md").read_text(encoding="utf-8")
    told = "{} clicks, double clicks and drags" if window.toolbar.menu_bar.isVisible() else "{} if the menus are behind"
    assert told.format(hand.mouse) in page, vars(hand)


def test_three_clicks_generate_a_network(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    hand = Hand(window, qtbot)
    tab(window, hand, "Network")
    editor = of_editor(window)
    hand.click(editor.build.generate.pictures.buttons["smallworld"])
    assert editor.board.ghost is not None and editor.board.network.name == "two-wings"
    hand.click(editor.build.generate.replace_button)
    assert hand.mouse == 3 and editor.board.ghost is None
    network = editor.board.network
    assert network.n > 8 and network.connected and network.initiators and editor.chip.readiness.ready
    came = run(window, hand, qtbot)
    assert came["messages"] == messages(network.m, network.n) and hand.mouse == 4


def test_an_unsuitable_network_is_explained_with_a_remedy(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    hand = Hand(window, qtbot)
    tab(window, hand, "Network")
    menu(window, hand, "Network", "New network")
    editor = of_editor(window)
    for x, y in PLACES[:2]:
        hand.double(editor.canvas, QPoint(round(x * editor.canvas.width()), round(y * editor.canvas.height())))
    hand.press("Return")
    assert not editor.chip.readiness.ready
    for _ in range(8):  # each remedy removes one obstacle
        found = [each for each in editor.chip.readiness.obstacles if each.remedy is not None]
        if not found:
            break
        editor.chip.help(found[0])
    assert editor.chip.readiness.ready and editor.board.network.m == 1
