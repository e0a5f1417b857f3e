"""Views for screen readers: a canvas is a list whose items are the processes.

Qt requests the interface of a widget from the factory once, keeps it, and deletes it together with the widget. Python
must therefore never delete one; the objects made here, and their children, are kept for good.
"""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget
from shiboken6 import Shiboken, VoidPtr

from lydian.app.access.words import process_words, view_words
from lydian.app.canvas.canvas import Canvas
from lydian.language import tr, trc
from lydian.views.selection import Hit

__all__ = ["CanvasInterface", "ProcessInterface", "announce", "install", "wanted"]

Text, Role, Type = QAccessible.Text, QAccessible.Role, QAccessible.InterfaceType

_kept: dict[int, CanvasInterface] = {}
_for_good: list[QAccessibleInterface] = []
_installed = False


def wanted() -> bool:
    """Return whether the processes are children of the views: with ``LYDIAN_ACCESSIBLE_CHILDREN=1``.

    This is off by default: with PySide6 6.11, Qt deletes an interface that was made in Python a second time together
    with its widget (QAccessibleCache::objectDestroyed), and the program crashes. The text trace, the narration and the
    palette make everything accessible as well.
    """
    return os.environ.get("LYDIAN_ACCESSIBLE_CHILDREN") == "1"


def install() -> None:
    """Register the factory for canvases with Qt, once for the whole program."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_made)


def _made(_class: str, thing: QObject | None) -> QAccessibleInterface | None:
    if not isinstance(thing, Canvas):
        return None
    key = id(thing)
    if key not in _kept or not Shiboken.isValid(_kept[key]):
        _kept[key] = CanvasInterface(thing)
        _for_good.append(_kept[key])
        thing.destroyed.connect(lambda _thing=None, key=key: _kept.pop(key, None))
    return _kept[key]


class CanvasInterface(QAccessibleWidget):
    """A view: its name describes the selection, its children are the processes in the order of the network."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, Role.List, canvas.accessibleName())
        self.canvas = canvas
        self._children: dict[int, ProcessInterface] = {}

    def text(self, kind: QAccessible.Text) -> str:
        if kind == Text.Name:
            return view_words(self.canvas.accessibleName(), self.canvas.playhead)
        if kind == Text.Description:
            return self.canvas.accessibleDescription()
        return ""

    def childCount(self) -> int:
        timeline = self.canvas.playhead.timeline
        return 0 if timeline is None else timeline.n

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self._children:
            self._children[index] = ProcessInterface(self, index)
            _for_good.append(self._children[index])
        return self._children[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.process if isinstance(child, ProcessInterface) and child.above is self else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        hit = self.canvas.hit(self.canvas.mapFromGlobal(QPoint(x, y)).toPointF())
        return self.child(int(hit.id)) if hit is not None and hit.kind == "process" else None  # type: ignore[arg-type]

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        chosen = sorted(self.canvas.playhead.selection.processes)
        return self.child(chosen[0]) if chosen and self.canvas.hasFocus() else None


class _Actions(QAccessibleActionInterface):
    """The actions on a process."""

    def __init__(self, of: ProcessInterface) -> None:
        super().__init__()
        self._of = of

    def actionNames(self) -> list[str]:
        return [QAccessibleActionInterface.toggleAction(), QAccessibleActionInterface.pressAction(), "select"]

    def localizedActionName(self, name: str) -> str:
        if name == QAccessibleActionInterface.pressAction():
            return trc("command", "Open")
        return trc("command", "Select")

    def localizedActionDescription(self, name: str) -> str:
        if name == QAccessibleActionInterface.pressAction():
            return tr("Shows the process step by step")
        return tr("Selects the process in all views")

    def doAction(self, name: str) -> None:
        canvas, process = self._of.above.canvas, self._of.process
        selected = process in canvas.playhead.selection.processes
        if name == "select" and selected:
            return
        if name == QAccessibleActionInterface.pressAction():
            canvas.opened.emit(process)
        if name != QAccessibleActionInterface.pressAction() or not selected:
            canvas.playhead.pick(Hit("process", process), add=name == QAccessibleActionInterface.toggleAction())

    def keyBindingsForAction(self, name: str) -> list[str]:
        return ["Alt+Left", "Alt+Right", "Alt+Up", "Alt+Down"] if name == "select" else []


class ProcessInterface(QAccessibleInterface):
    """A process in a view: name, state, place in the list and on the screen, whether it is selected."""

    def __init__(self, above: CanvasInterface, process: int) -> None:
        super().__init__()
        self.above, self.process = above, process
        self._actions = _Actions(self)

    def isValid(self) -> bool:
        return bool(Shiboken.isValid(self.above.canvas)) and self.process < self.above.childCount()

    def object(self) -> Any:
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self.above.window()

    def parent(self) -> QAccessibleInterface:
        return self.above

    def child(self, index: int) -> Any:
        return None

    def childCount(self) -> int:
        return 0

    def childAt(self, x: int, y: int) -> Any:
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def role(self) -> QAccessible.Role:
        return Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        head = self.above.canvas.playhead
        if kind == Text.Name:
            return str(process_words(head, self.process))
        if kind == Text.Value:
            return next(iter(process_words(head, self.process).parts), "")
        if kind == Text.Description:
            return tr("{number} of {count}", number=self.process + 1, count=self.above.childCount())
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Ignore the text, because a process cannot be renamed here."""

    def rect(self) -> QRect:
        """Return the rectangle of the process on the screen, or of the whole view if that draws no single processes."""
        canvas = self.above.canvas
        place = canvas.process_rect(self.process)
        inside = canvas.rect() if place is None else place.toAlignedRect()
        return QRect(canvas.mapToGlobal(inside.topLeft()), inside.size())

    def state(self) -> QAccessible.State:
        canvas, state = self.above.canvas, QAccessible.State()
        chosen = canvas.playhead.selection.processes
        state.selectable = state.focusable = state.multiSelectable = 1
        state.selected = int(self.process in chosen)
        state.focused = int(bool(chosen) and min(chosen) == self.process and canvas.hasFocus())
        place = canvas.process_rect(self.process)
        state.offscreen = int(place is not None and not place.intersects(canvas.rect().toRectF()))
        state.invisible = int(not canvas.isVisible())
        return state

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        # Report a pointer that is nowhere explicitly: None would crash Qt.
        found = Shiboken.getCppPointer(self._actions)[0] if kind == Type.ActionInterface else 0
        return VoidPtr(found)


def announce(canvas: Canvas) -> None:
    """Tell a screen reader, if there is one, that the selection in the focused view has changed."""
    if not QAccessible.isActive() or not canvas.hasFocus():
        return
    QAccessible.updateAccessibility(QAccessibleEvent(canvas, QAccessible.Event.NameChanged))
    chosen = sorted(canvas.playhead.selection.processes)
    if chosen:
        event = QAccessibleEvent(canvas, QAccessible.Event.Focus)
        event.setChild(chosen[0])
        QAccessible.updateAccessibility(event)
