"""Accessibility in the real window: keys, screen readers, text size, colour vision and reduced motion."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent, QGuiApplication, QImage, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lydian.app.access.still import in_steps
from lydian.app.access.words import process_words, thing_of, view_words
from lydian.app.canvas import accessible as canvases
from lydian.app.commands.keymap import FIXED, KeyMap
from lydian.app.look.theme import Theme
from lydian.app.look.vision import EYES, seen
from lydian.app.main import make_window
from lydian.app.panels.experiment.card import Elided
from lydian.app.window.mainwindow import MainWindow
from lydian.app.work import system
from lydian.app.work.settings import Settings
from lydian.views.playback.until import Breakpoint
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.words.words import joined

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

Key, Mod = Qt.Key, Qt.KeyboardModifier


@pytest.fixture(scope="module")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window of 1280 x 720 with its first run for the whole file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(tmp_path_factory.mktemp("home")))
        made = make_window()
        made.resize(1280, 720)
        made.show()
        while made.session.shown is None:
            qapp.processEvents()
        yield made
        made.close()
        made.deleteLater()
        qapp.processEvents()


@pytest.fixture
def window(qtbot: QtBot, shared: MainWindow) -> Iterator[MainWindow]:
    """Provide the shared window in its initial state, and restore it afterwards."""
    shared.player.step_seconds = 0.0
    shared.activateWindow()
    shared.looks.arrange("study", afresh=True)
    shared.playhead.select(NOTHING)
    shared.playhead.seek(4.0)
    shared.stage.big_play.hide()
    network = shared.stage.canvases["basic"]
    network.setFocus()
    qtbot.waitUntil(network.hasFocus)
    network.repaint()
    assert network.trouble is None
    yield shared
    shared.playhead.pause()
    shared.playhead.set_stops(())
    shared.camera.show_all()
    shared.desk.notices.show("")
    shared.access.set_text(1.0)
    shared.access.see_as("")
    shared.access.set_motion(True)
    shared.looks.choose("light")
    shared.access.keymap.reset_all()


#: Only in the child process of the last test, where Qt may crash afterwards: see lydian/app/canvas/accessible.py.
children = pytest.mark.skipif(not canvases.wanted(), reason="asks for LYDIAN_ACCESSIBLE_CHILDREN=1")


def focusable(window: QWidget) -> list[QWidget]:
    return [w for w in window.findChildren(QWidget) if w.focusPolicy() != Qt.FocusPolicy.NoFocus]


def press(qtbot: QtBot, widget: QWidget, key: Qt.Key, held: Qt.KeyboardModifier = Mod.NoModifier) -> None:
    qtbot.keyClick(widget, key, held)


# ---------------------------------------------------------------------- names


def test_every_focusable_widget_has_a_name(window: MainWindow) -> None:
    window.access.show_keys()
    inner = (QTabBar, QMenu)  # tabs and menus take their names from their entries
    without = []
    for widget in focusable(window):
        read = QAccessible.queryAccessibleInterface(widget)
        if isinstance(widget, inner) or widget.objectName().startswith("qt_") or read is None:
            continue
        if isinstance(widget, QAbstractItemView) and isinstance(widget.parent().parent(), QComboBox):
            continue  # the list of a named drop-down
        if not read.text(QAccessible.Text.Name).strip():
            without.append(f"{type(widget).__name__} {widget.objectName()!r} in {type(widget.parent()).__name__}")
    assert window.access.sheet is not None
    window.access.sheet.close()
    assert len(focusable(window)) > 40
    assert without == []


def test_buttons_without_text_have_tooltips(window: MainWindow) -> None:
    silent = [
        f"{type(b).__name__} {b.accessibleName()!r}"
        for b in window.findChildren(QAbstractButton)
        if b.isVisible() and not b.text() and not b.toolTip() and b.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]
    assert silent == []


@children
def test_a_view_describes_its_selection(window: MainWindow) -> None:
    canvas, head = window.stage.canvases["basic"], window.playhead
    read = QAccessible.queryAccessibleInterface(canvas)
    assert read.text(QAccessible.Text.Name) == "Network view, 12 processes"
    head.pick(Hit("process", 7))
    words = read.text(QAccessible.Text.Name)
    assert words.startswith("Network view, 12 processes, process 7 selected, ")
    assert words == view_words("Network view", head)
    assert "waits for" in " ".join(view_words("", head) for p in range(12) for _ in [head.pick(Hit("process", p))])
    head.select(Selection(processes=frozenset({1, 2, 3})))
    assert "processes 1, 2 and 3 selected" in read.text(QAccessible.Text.Name)
    assert read.text(QAccessible.Text.Description)


def test_the_description_of_a_wait_matches_the_chain_drawn(window: MainWindow) -> None:
    canvas, head = window.stage.canvases["basic"], window.playhead
    bands = [band for band in canvas.frame.pointers if band.declared.style == "waiting"]
    pairs = {(int(a), int(b)) for band in bands for a, b in zip(band.source, band.target, strict=True)}
    assert pairs
    for process in range(12):
        said = [part for part in process_words(head, process).parts if part.startswith("waits for ")]
        names = [canvas.frame.names[b] for a, b in sorted(pairs) if a == process]
        assert said == ([f"waits for {joined(names)}"] if names else [])


@children
def test_processes_are_children_of_a_view_and_can_be_selected(window: MainWindow) -> None:
    canvas, head = window.stage.canvases["basic"], window.playhead
    read = QAccessible.queryAccessibleInterface(canvas)
    assert read.childCount() == 12
    child = read.child(4)
    assert read.child(4) is child
    assert read.child(12) is None
    assert read.indexOfChild(child) == 4
    assert child.parent() is read
    assert child.role() == QAccessible.Role.ListItem
    assert child.text(QAccessible.Text.Name).startswith("Process 4, ")
    assert child.text(QAccessible.Text.Description) == "5 of 12"
    assert not child.state().selected and child.state().selectable
    act = child.actionInterface()
    assert "select" in act.actionNames()
    act.doAction("select")
    assert head.selection.processes == {4}
    assert child.state().selected and child.state().focused
    assert read.focusChild() is child
    act.doAction(act.toggleAction())
    assert not head.selection.processes
    middle = child.rect().center()
    assert canvas.hit(QPointF(canvas.mapFromGlobal(middle))) == Hit("process", 4)
    assert read.childAt(middle.x(), middle.y()) is child
    assert child.valueInterface() is None
    for other in window.stage.canvases.values():
        assert QAccessible.queryAccessibleInterface(other).childCount() == 12


def test_a_screen_reader_is_notified_of_a_new_selection(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr(QAccessible, "isActive", staticmethod(lambda: True))
    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(lambda e: told.append((e.type(), e.child()))))
    window.playhead.pick(Hit("process", 3))
    assert (QAccessible.Event.Focus, 3) in told
    assert any(kind == QAccessible.Event.NameChanged for kind, _child in told)


def test_a_selection_is_about_one_item() -> None:
    assert thing_of(NOTHING) is None
    assert thing_of(Selection(processes=frozenset({2}), event=5)) == Hit("event", 5)
    assert thing_of(Selection(processes=frozenset({2, 1}))) == Hit("process", 1)
    assert thing_of(Selection(messages=frozenset({9}))) == Hit("message", 9)
    assert thing_of(Selection(links=frozenset({(1, 2)}))) == Hit("link", (1, 2))


# ---------------------------------------------------------------------- keys


def test_f6_cycles_through_all_panes_both_ways(qtbot: QtBot, window: MainWindow) -> None:
    panes = window.access.panes.all()
    assert len(panes) >= 5
    start, seen_panes = window.access.panes.current(), []
    for _ in panes:
        press(qtbot, QApplication.focusWidget() or window, Key.Key_F6)
        seen_panes.append(window.access.panes.current())
    assert seen_panes[-1] is start
    assert {id(p) for p in seen_panes} == {id(p) for p in panes}
    press(qtbot, QApplication.focusWidget() or window, Key.Key_F6, Mod.ShiftModifier)
    assert window.access.panes.current() is seen_panes[-2]


def test_alt_and_an_arrow_select_the_neighbour_in_that_direction(qtbot: QtBot, window: MainWindow) -> None:
    canvas, head = window.stage.canvases["basic"], window.playhead
    press(qtbot, canvas, Key.Key_Right, Mod.AltModifier)
    assert head.selection.processes == {0}
    places = canvas.frame.positions
    for key, dx, dy in ((Key.Key_Right, 1, 0), (Key.Key_Down, 0, 1), (Key.Key_Left, -1, 0), (Key.Key_Up, 0, -1)):
        before = next(iter(head.selection.processes))
        ahead = [p for p in range(12) if (places[p] - places[before]) @ np.array([dx, dy]) > 1e-9]
        press(qtbot, canvas, key, Mod.AltModifier)
        after = next(iter(head.selection.processes))
        assert after in ahead or (not ahead and after == before)
    press(qtbot, canvas, Key.Key_Escape)
    assert not head.selection


def test_single_letters_act_only_while_a_view_has_the_focus(qtbot: QtBot, window: MainWindow) -> None:
    head, canvas = window.playhead, window.stage.canvases["basic"]
    press(qtbot, canvas, Key.Key_L)
    assert head.playing
    head.pause()
    button = window.toolbar.run
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(button.hasFocus)
    press(qtbot, button, Key.Key_L)
    assert not head.playing
    window.stage.show_view("trace", True)
    field = window.stage.pane.field
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "lbf")
    assert field.text() == "lbf" and not head.playing and not head.bookmarks.marks
    field.clear()


def test_the_menu_key_opens_the_menu_of_the_selection(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    window.playhead.pick(Hit("process", 4))
    press(qtbot, canvas, Key.Key_F10, Mod.ShiftModifier)
    menu = window.access.menus.shown
    assert menu is not None and menu.isVisible()
    assert menu.accessibleName() == "Process 4"
    words = [action.text().replace("&", "") for action in menu.actions()]
    wanted = ("Select", "Follow its events", "Break when…", "Hide its row", "Copy name", "Centre in the network")
    assert all(word in words for word in wanted)
    menu.close()
    qtbot.waitUntil(lambda: window.access.menus.shown is None)


def chosen(menu: QMenu, text: str) -> None:
    """Choose an entry of a menu or of one of its submenus by its label."""
    for action in menu.actions():
        if action.text().replace("&", "") == text:
            action.trigger()
            return
        inside = action.menu()
        if isinstance(inside, QMenu) and any(a.text().replace("&", "") == text for a in inside.actions()):
            chosen(inside, text)
            return
    raise AssertionError(f"{text!r} is not among {[a.text() for a in menu.actions()]}")


def test_the_entries_of_the_menu_work(qtbot: QtBot, window: MainWindow) -> None:
    head, menus, canvas = window.playhead, window.access.menus, window.stage.canvases["basic"]
    hit = Hit("process", 6)
    chosen(menus.for_hit(hit, canvas), "Select")
    assert head.selection.processes == {6}
    chosen(menus.for_hit(hit, canvas), "Copy name")
    assert QGuiApplication.clipboard().text() == "6"
    chosen(menus.for_hit(hit, canvas), "Follow its events")
    assert not window.stage.docks["step"].isHidden()
    chosen(menus.for_hit(hit, canvas), "Hide its row")
    assert window.camera.hidden == {6}
    causality = window.stage.canvases["causality"]
    window.stage.show_view("causality", True)
    causality.repaint()
    chosen(menus.for_hit(None, causality), "Show all (1 hidden)")
    assert not window.camera.hidden
    chosen(menus.for_hit(hit, canvas), "Centre in the network")
    canvas.repaint()
    place = canvas.process_rect(6)
    assert place is not None
    assert (place.center() - QPointF(canvas.width() / 2, canvas.height() / 2)).manhattanLength() < 1.5
    canvas.fit()


def test_a_breakpoint_from_the_menu_stops_playing(window: MainWindow) -> None:
    head = window.playhead
    menu = window.access.menus.for_hit(Hit("process", 9), window.stage.canvases["basic"])
    state = next(a for top in menu.actions() if isinstance(top.menu(), QMenu) for a in top.menu().actions()
                 if a.text().startswith("it enters the state acknowledged"))  # fmt: skip
    head.seek(0.0)
    state.trigger()
    state.trigger()
    assert len(head.stops) == len(window.commands.playback.waypoints.breakpoints) == 1
    assert window.bottom.condition.isVisible()
    window.bottom.condition.leave()
    head.play()
    for _ in range(4000):
        if not head.playing:
            break
        head.advance(0.1)
    assert not head.playing and not head.at_end
    timeline = head.timeline
    assert timeline is not None and head.stopped is not None and head.stopped.event is not None
    assert timeline.process[head.stopped.event] == 9
    chosen(window.access.menus.for_hit(None), "Remove 1 breakpoint")
    assert not head.stops


def test_events_messages_and_links_have_menus(window: MainWindow) -> None:
    head, menus, timeline = window.playhead, window.access.menus, window.playhead.timeline
    assert timeline is not None
    menu = menus.for_hit(Hit("event", 20), window.stage.canvases["causality"])
    chosen(menu, "Go there")
    assert head.t == pytest.approx(float(timeline.time[20]))
    chosen(menus.for_hit(Hit("message", 3)), "Go to its sending")
    assert head.t == pytest.approx(float(timeline.message_sent[3]))
    a, b = (int(end) for end in window.stage.canvases["basic"].frame.link_ends[0])
    link = Hit("link", (min(a, b), max(a, b)))
    menu = menus.for_hit(link)
    chosen(menu, "Select")
    assert head.selection.links == {link.id}
    assert "Copy name" in [x.text().replace("&", "") for x in menu.actions()]


def test_break_when_opens_the_bar_with_the_condition_filled_in(window: MainWindow) -> None:
    head, menus, bar, timeline = window.playhead, window.access.menus, window.bottom.condition, window.playhead.timeline
    assert timeline is not None
    names, message = timeline.processes, 3
    a, b = int(timeline.message_source[message]), int(timeline.message_target[message])
    low, high = sorted((a, b))
    label = timeline.labels[int(timeline.message_label[message])]
    for hit, wanted in (
        (Hit("event", 20), Breakpoint("event", 20)),
        (Hit("message", message), Breakpoint("message", label, names[b], "receive", peer=names[a])),
        (Hit("link", (low, high)), Breakpoint("message", "", names[low], "send", peer=names[high])),
        (Hit("process", 0), Breakpoint("state", "initiating", names[0])),
    ):
        menu = menus.for_hit(hit)
        entries = [*menu.actions(), *(x for top in menu.actions() if isinstance(top.menu(), QMenu)
                                      for x in top.menu().actions())]  # fmt: skip
        (entry,) = [x for x in entries if x.text().endswith("\tF9")]
        entry.trigger()
        assert bar.isVisible() and bar.condition() == wanted and bar.title.text() == "Break when"
        assert head.selection.has(hit)
        menu.close()
        bar.leave()
        window.commands.playback.break_when()  # F9 does the same for the selection
        assert bar.condition() == wanted
        bar.take()
        assert len(head.stops) == 1
        chosen(menus.for_hit(None), "Remove 1 breakpoint")
        assert not head.stops and not window.commands.playback.waypoints.breakpoints
        bar.leave()


@children
def test_every_process_has_its_own_position_in_every_view(window: MainWindow) -> None:
    window.looks.arrange("study", afresh=True)
    window.playhead.seek(7.0)
    for name in ("basic", "causality", "occupation", "communication"):
        window.stage.show_view(name, True)
        canvas = window.stage.canvases[name]
        canvas.repaint()
        view = QAccessible.queryAccessibleInterface(canvas)
        places = [view.child(i).rect() for i in range(view.childCount())]
        assert len({(r.x(), r.y()) for r in places}) == len(places) == 12, name
        whole = canvas.rect().translated(canvas.mapToGlobal(canvas.rect().topLeft()))
        for i, place in enumerate(places):
            assert whole.contains(place.center()), name
            if name != "basic":
                hit = canvas.painter.head_at(QPointF(3, canvas.mapFromGlobal(place.center()).y()),
                    QRectF(canvas.rect()), canvas.frame, canvas.camera) if name != "communication" else int(
                    canvas.hit(canvas.mapFromGlobal(place.center()).toPointF()).id)  # fmt: skip
                assert hit == i, name


def test_a_right_click_opens_the_menu_of_the_item_under_the_pointer(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    place = canvas.process_rect(2)
    assert place is not None
    at = place.center().toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    with qtbot.waitSignal(window.stage.menu_wanted) as asked:
        QApplication.sendEvent(canvas, event)
    assert asked.args[:2] == [canvas, Hit("process", 2)]
    menu = window.access.menus.shown
    assert menu is not None
    menu.close()


# ---------------------------------------------------------------------- other keys


def test_shortcuts_can_be_changed_and_are_kept(window: MainWindow) -> None:
    keymap, settings = window.access.keymap, window.settings
    assert keymap.conflict("loop", "F11") == "F11 belongs to “Projector”."
    assert keymap.conflict("loop", "Ctrl+Alt+U") == ""
    assert keymap.conflict("loop", "Tab").startswith("Tab always ")
    keymap.set("loop", ["F11"])
    assert window.actions_by_name["loop"].shortcut() == QKeySequence("F11")
    assert keymap.keys("projector") == ()
    assert "F11" in window.actions_by_name["loop"].toolTip()
    again = KeyMap(Settings(settings.file))
    settings.sync()
    again.load({name: QAction(action.text()) for name, action in window.actions_by_name.items()})
    assert again.keys("loop") == ("F11",) and again.keys("projector") == ()
    keymap.reset("loop")
    assert keymap.keys("loop") == keymap.usual("loop")
    keymap.reset_all()
    assert settings.record("keys") == {}
    with pytest.raises(ValueError, match="always"):
        keymap.set("loop", ["Tab"])


@pytest.mark.parametrize("rubbish", [{"loop": "x"}, {"loop": [3]}, {"nothing": ["F2"]}, {"loop": ["Tab", ""]}])
def test_damaged_shortcuts_in_the_settings_are_ignored(window: MainWindow, rubbish: dict[str, object]) -> None:
    window.settings.set_record("keys", rubbish)
    window.access.keymap.load(window.actions_by_name)
    assert window.access.keymap.keys("play") == ("Space",)
    assert not set(window.access.keymap.keys("loop")) & set(FIXED)


def test_no_two_commands_share_a_shortcut(window: MainWindow) -> None:
    keymap = window.access.keymap
    held = [key for command in keymap.commands() for key in keymap.keys(command.name)]
    assert sorted(held) == sorted(set(held))
    assert not set(held) & set(FIXED)


def test_the_shortcut_sheet_searches_changes_and_warns_at_once(qtbot: QtBot, window: MainWindow) -> None:
    window.access.show_keys()
    sheet = window.access.sheet
    assert sheet is not None and not sheet.isModal()
    sheet.search.setText("faster")
    shown = [name for name, item in sheet._items.items() if not item.isHidden()]
    assert "faster" in shown and "open" not in shown
    sheet.search.clear()
    sheet.show_command("bookmark")
    field = sheet.press.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    qtbot.keyClick(sheet.press, Key.Key_F5)
    assert "belongs to “Run”" in sheet.say.text()
    assert sheet.give.text() == "Reassign"
    qtbot.mouseClick(sheet.give, Qt.MouseButton.LeftButton)
    assert window.access.keymap.keys("bookmark") == ("F5",)
    assert sheet._items["run"].text(1) == ""
    qtbot.mouseClick(sheet.all_usual, Qt.MouseButton.LeftButton)
    assert window.access.keymap.keys("run") == ("F5",)
    sheet.close()
    qtbot.waitUntil(lambda: window.access.sheet is None)


# ---------------------------------------------------------------------- text size


def clipped(window: MainWindow) -> list[str]:
    """Return the visible labels and buttons that are clipped and have no tooltip."""
    found = []
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, QLabel | QPushButton | QToolButton) or not widget.isVisible():
            continue
        if not widget.text() or (isinstance(widget, QToolButton) and
                                 widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly):  # fmt: skip
            continue
        # the minimum size of a label that neither wraps nor elides is that of its text
        need, has = (widget.minimumSizeHint() if isinstance(widget, QLabel) else widget.sizeHint()), widget.size()
        if isinstance(widget, Elided):
            if widget.text() != widget.whole and not widget.toolTip():
                found.append(f"{widget.whole!r} has no tool tip")
            if has.height() < widget.fontMetrics().height() - 1:
                found.append(f"{widget.whole!r} is {has.height()} high")
            continue
        wraps = isinstance(widget, QLabel) and (widget.wordWrap() or widget.toolTip())
        if (has.width() < need.width() and not wraps) or has.height() < widget.fontMetrics().height():
            found.append(f"{type(widget).__name__} {widget.text()!r}: {has.toTuple()} of {need.toTuple()}")
    return found


def outside(window: MainWindow) -> list[str]:
    """Return the visible labels and buttons that extend beyond their parent or overlap a neighbour."""
    found = []
    widgets = [w for w in window.findChildren(QWidget)
               if isinstance(w, QLabel | QPushButton | QToolButton) and w.isVisible() and w.parentWidget()]  # fmt: skip
    for widget in widgets:
        above = widget.parentWidget()
        if not above.rect().contains(widget.geometry()):
            found.append(f"{widget.accessibleName() or widget.objectName()!r} {widget.geometry()} in {above.rect()}")
        found += [
            f"{widget.objectName()} {widget.geometry()} over {other.objectName()} {other.geometry()}"
            for other in widgets
            if other is not widget and other.parentWidget() is above and other.geometry().intersects(widget.geometry())
        ]
    return found


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("layout", ["study", "watch"])
def test_nothing_is_clipped_or_overlaps(qtbot: QtBot, window: MainWindow, scale: float, layout: str) -> None:
    window.looks.arrange(layout)
    window.stage.show_view("experiment", True)
    window.access.set_text(scale)
    window.playhead.pick(Hit("process", 4))
    qtbot.waitUntil(lambda: window.stage.canvases["basic"].painted > 0)
    QApplication.processEvents()
    assert window.size().toTuple() == (1280, 720)
    assert clipped(window) == []
    assert outside(window) == []
    assert not [c.trouble for c in window.stage.pictures() if c.trouble]


def test_keys_change_the_text_size_and_it_is_kept(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    body = window.toolbar.run.font().pixelSize()
    press(qtbot, canvas, Key.Key_Equal, Mod.ControlModifier)
    assert window.theme.scale == 1.1
    window.access.set_text(2.4)  # each step styles the whole window again, so some are skipped
    for _ in range(2):
        press(qtbot, canvas, Key.Key_Equal, Mod.ControlModifier)
    assert window.theme.scale == 2.5 == window.settings.text_scale
    assert window.toolbar.run.fontInfo().pixelSize() > 1.5 * body
    assert canvas.theme.px("body") == 32
    window.access.set_text(0.9)
    for _ in range(2):
        press(qtbot, canvas, Key.Key_Minus, Mod.ControlModifier)
    assert window.theme.scale == 0.8
    press(qtbot, canvas, Key.Key_0, Mod.ControlModifier | Mod.AltModifier)
    assert window.theme == Theme("light")


# ---------------------------------------------------------------------- vision and motion


def test_high_contrast_follows_the_desktop_or_the_preference(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.actions_by_name["theme_contrast"].trigger()
    assert window.theme.name == "contrast" == window.settings.theme
    assert window.stage.canvases["basic"].theme.name == "contrast"
    window.looks.choose("system")
    for wish in ("contrast", "dark", "light"):
        monkeypatch.setattr(system, "scheme", lambda wish=wish: wish)
        QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
        assert window.theme.name == wish
        assert window.stage.canvases["causality"].theme.name == wish
    window.looks.choose("light")
    monkeypatch.setattr(system, "scheme", lambda: "dark")
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert window.theme.name == "light"


def test_desktop_accessibility_settings_can_be_read(qapp: QApplication) -> None:
    assert system.scheme() in ("light", "dark", "contrast")
    assert system.less_motion() in (True, False)
    assert system.more_contrast() in (True, False)


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), dtype=np.uint8)
    return raw.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), 2::-1].copy()


@pytest.mark.parametrize("eye", list(EYES))
def test_views_can_simulate_colour_blindness(window: MainWindow, eye: str) -> None:
    canvas = window.stage.canvases["basic"]
    plain = canvas.grab().toImage()
    window.actions_by_name[f"see_{eye}"].trigger()
    other = canvas.grab().toImage()
    assert other.size() == plain.size()
    expected, got = pixels(seen(plain, eye)), pixels(other)
    assert np.abs(expected.astype(int) - got.astype(int)).max() <= 2
    assert np.abs(pixels(plain).astype(int) - got.astype(int)).max() > 40
    if eye == "grey":
        assert (got.max(axis=2) - got.min(axis=2)).max() <= 1
    window.actions_by_name["see_all"].trigger()
    assert np.array_equal(pixels(canvas.grab().toImage()), pixels(plain))


def test_white_black_and_greys_are_unchanged() -> None:
    image = QImage(256, 1, QImage.Format.Format_RGB32)
    for x in range(256):
        image.setPixel(x, 0, (255 << 24) | x << 16 | x << 8 | x)
    for eye in EYES:
        assert np.abs(pixels(seen(image, eye)).astype(int) - pixels(image).astype(int)).max() <= 1


def test_with_reduced_motion_messages_move_in_thirds_and_steps_jump(window: MainWindow) -> None:
    window.actions_by_name["motion"].trigger()
    assert window.theme.still and window.player.step_seconds == 0.0 and not window.settings.motion
    canvas = window.stage.canvases["basic"]
    canvas.repaint()
    fractions = canvas.frame.flights.fraction
    assert len(fractions)
    assert np.allclose(fractions * 3, np.round(fractions * 3))
    frame = canvas.compute()
    stepped = in_steps(frame)
    assert ((frame.flights.fraction - stepped.flights.fraction) < 1 / 3 + 1e-9).all()
    assert in_steps(window.stage.canvases["causality"].frame) is window.stage.canvases["causality"].frame
    window.actions_by_name["motion"].trigger()
    assert not window.theme.still and window.player.step_seconds > 0


def test_reduced_motion_follows_the_desktop_by_default(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.settings.forget("motion")
    monkeypatch.setattr("lydian.app.work.settings.less_motion", lambda: True)
    assert not window.settings.motion
    window.access._wishes_changed()
    assert window.theme.still and not window.actions_by_name["motion"].isChecked()
    window.settings.motion = True
    assert window.settings.motion


@pytest.mark.slow
def test_accessible_processes_work_in_a_fresh_interpreter() -> None:
    names = [name for name, each in globals().items() if name.startswith("test_") and children.mark in marks(each)]
    assert len(names) == 3
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
         *(f"{__file__}::{name}" for name in names)],
        cwd=Path(__file__).parents[2], env={**os.environ, "LYDIAN_ACCESSIBLE_CHILDREN": "1"},
        capture_output=True, encoding="utf-8", check=False, timeout=120,
    )  # fmt: skip
    assert "..." in done.stdout.splitlines()[0], done.stdout[-3000:]


def marks(function: object) -> list[pytest.Mark]:
    return list(getattr(function, "pytestmark", []))
