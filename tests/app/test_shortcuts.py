"""A walk over all commands in all workspaces, with each kind of control focused.

Each shortcut of the table triggers its command exactly once in the workspaces whose menus contain it and has no effect
in the others, or the command is disabled and explains why. Only typed text and the few keys that a list or a field
needs go to the focused widget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lydian.app.canvas.canvas import Canvas
from lydian.app.commands.table import KEPT, commands
from lydian.app.panels.timeline.scrubber import Scrubber
from lydian.app.panels.trace.tracelist import TraceList
from lydian.app.protocol.code.codekeys import KEYS
from lydian.app.protocol.code.codetext import CodeText
from lydian.app.window.mainwindow import MainWindow
from tests.app.conftest import one_window, rest

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
    pytest.mark.leaves_behind,  # the ready simulator belongs to the shared window, which ends it
]
Key, Mods = Qt.Key, Qt.KeyboardModifier
HELD = Mods.ControlModifier | Mods.AltModifier | Mods.MetaModifier
TEXTS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
#: Keys with Ctrl that a text field uses: undo, and moving by words.
EDITING = frozenset((Key.Key_Z, Key.Key_Y, Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Home,
                     Key.Key_End, Key.Key_Return))  # fmt: skip

WORKSPACES = ("run", "network", "protocol", "sweep", "archive")


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide a window with many visible parts."""
    with one_window(tmp_path_factory.mktemp("home")) as made:
        for workspace in (*WORKSPACES, "run"):  # each workspace is built on first use
            made.workspaces.show(workspace)
        made.looks.arrange("debug")
        for name in ("trace", "bookmarks", "branches", "checks", "experiment"):
            made.stage.show_view(name, True)
        yield made


@pytest.fixture(scope="module")
def wanted(window: MainWindow) -> Counter[str]:
    """Count the uses of each command, which has no other effect from now on."""
    seen: Counter[str] = Counter()
    for name, action in window.actions_by_name.items():
        action.triggered.disconnect()
        action.triggered.connect(lambda *_, name=name: seen.update([name]))
    return seen


def places(window: MainWindow, workspace: str) -> list[QWidget]:
    """Return one focusable control of each kind in a workspace."""
    found: dict[object, QWidget] = {}
    for widget in window.findChildren(QWidget):
        taken = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not taken or not widget.isVisible() or not widget.isEnabled() or widget.focusProxy() is not None:
            continue
        if widget.window() is not window or (isinstance(widget, QLineEdit) and widget.isReadOnly()):
            continue
        kind = type(widget) if not isinstance(widget, Canvas) else widget.spec.name
        found.setdefault(kind, widget)
    return list(found.values())


def keeps(window: MainWindow, widget: QWidget, combination: QKeyCombination) -> bool:
    """Return whether a key goes to the focused widget and not to the window."""
    key, held = combination.key(), combination.keyboardModifiers()
    control = bool(held & HELD)
    typed = not control and (Key.Key_Space <= key <= Key.Key_AsciiTilde)
    if isinstance(widget, CodeText) and QKeySequence(combination).toString() in KEYS:
        return True
    if isinstance(widget, TEXTS):
        plain = not control and key in (*KEPT, Key.Key_Escape)
        return typed or plain or (not held & Mods.AltModifier and key in EDITING)
    if isinstance(widget, QComboBox | QAbstractItemView | QSlider) and not control and key in KEPT:
        return True
    if isinstance(widget, QAbstractButton) and key == Key.Key_Return and not control:
        return True
    letters = isinstance(widget, Canvas | Scrubber | TraceList)
    return typed and not letters and key not in (Key.Key_Space, Key.Key_Question)


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_each_shortcut_acts_or_its_command_explains_why_not(
    qtbot: QtBot, window: MainWindow, wanted: Counter[str], workspace: str
) -> None:
    actions, usual = window.actions_by_name, {command.name: command.help for command in commands()}
    rest(window, qtbot)
    window.workspaces.show(workspace)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    wrong, walked = [], 0
    for widget in places(window, workspace):
        widget.setFocus()
        if not widget.hasFocus():
            continue
        walked += 1
        for command in (each for each in commands() if each.name in actions):
            action = actions[command.name]
            for sequence in action.shortcuts():
                combination = sequence[0]
                wanted.clear()
                if QApplication.focusWidget() is not widget:
                    widget.setFocus()
                on = action.isEnabled()
                due = {command.name: 1} if workspace in command.workspaces else {}  # its menus are not here
                if on and (keeps(window, widget, combination) or (not due and isinstance(widget, TEXTS))):
                    continue
                if on:
                    QTest.keyClick(widget, combination.key(), combination.keyboardModifiers())
                where = f"{sequence.toString()} ({command.name}) in {type(widget).__name__} {widget.objectName()}"
                if on and dict(wanted) != due:
                    wrong.append(f"{where}: {dict(wanted)}")
                elif not on and action.statusTip() in ("", usual[command.name]):
                    wrong.append(f"{where}: greyed without a reason")
    assert walked >= 3
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_lessons_open_from_every_workspace(
    qtbot: QtBot, window: MainWindow, wanted: Counter[str], workspace: str
) -> None:
    rest(window, qtbot)
    window.workspaces.show(workspace)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    wanted.clear()
    QTest.keyClick(QApplication.focusWidget() or window, Key.Key_6, Mods.ControlModifier | Mods.AltModifier)
    assert dict(wanted) == {"lessons": 1}


@pytest.mark.parametrize("layout", ["watch", "study", "debug"])
def test_changing_the_layout_keeps_space_and_the_row_of_cards(
    qtbot: QtBot, window: MainWindow, wanted: Counter[str], layout: str
) -> None:
    window.workspaces.show("run")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.start.offer()
    for before in ("trace", "causality", "step", "basic"):
        window.stage.show_view(before, True)
        widget = window.stage.trace if before == "trace" else window.stage.canvases[before]
        qtbot.waitUntil(widget.isVisible)
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        window.looks.arrange(layout)
        focus = QApplication.focusWidget()
        assert focus is not None and window.stage.isAncestorOf(focus), (before, focus.accessibleName())
        wanted.clear()
        QTest.keyClick(focus, Key.Key_Space)
        assert dict(wanted) == {"play": 1} and window.start.isVisible()
    window.start.cross.setFocus()
    wanted.clear()
    QTest.keyClick(window.start.cross, Key.Key_Space)
    assert dict(wanted) == {"play": 1} and window.start.isVisible()
    QTest.keyClick(window.start.cross, Key.Key_Return)
    assert not window.start.isVisible()


def test_no_shortcut_conflicts_with_text_fields_or_window_managers() -> None:
    """The list was measured with Qt on X11 and looked up for GNOME, KDE, Cinnamon and Xfce."""
    fields = {"Ctrl+U", "Ctrl+E"}
    managers = {
        "Alt+F1", "Alt+F2", "Alt+F4", "Alt+F5", "Alt+F6", "Alt+F7", "Alt+F8", "Alt+F9", "Alt+F10", "Alt+Space",
        "Alt+Tab", "Alt+Esc", "Ctrl+Esc", "Ctrl+Alt+Left", "Ctrl+Alt+Right", "Ctrl+Alt+Up", "Ctrl+Alt+Down",
        "Ctrl+Alt+Home", "Ctrl+Alt+End", "Ctrl+Alt+L", "Ctrl+Alt+T", "Ctrl+Alt+D", "Ctrl+Alt+Del", "Ctrl+Alt+Esc",
        "Ctrl+Alt+Backspace", *(f"Ctrl+Alt+F{number}" for number in range(1, 13)),
    }  # fmt: skip
    assert {key for command in commands() for key in command.keys} & (fields | managers) == set()
