"""Moving the focus with F6 from one part of the window to the next, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget
from shiboken6 import Shiboken

from lydian.app.canvas.canvas import Canvas

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage

__all__ = ["Panes"]


class Panes:
    """The panes of a window: notice, tool bar, visible docks, time line and the buttons below it.

    Each pane remembers the widget that last had the focus.

    Args:
        stage: the stage with the docks.
        above, below: the widgets above and below the views.
        front: returns the parts of another workspace that is in front.
        lesson: returns the dock of the lesson, if there is one.
    """

    def __init__(
        self, stage: Stage, above: Sequence[QWidget], below: Sequence[QWidget],
        front: Callable[[], Sequence[QWidget]], lesson: Callable[[], QDockWidget | None],
    ) -> None:  # fmt: skip
        self.stage, self._above, self._below, self._front, self._lesson = stage, above, below, front, lesson
        self._last: dict[str, QWidget] = {}

    def all(self) -> list[QWidget]:
        """Return the visible panes that can take the focus, from top left to bottom right."""
        lesson = self._lesson()
        docks = [
            dock
            for dock in [*self.stage.docks.values(), *([lesson] if lesson is not None else [])]
            if dock.isVisible() and (dock.isFloating() or not dock.visibleRegion().isEmpty())
        ]
        docks.sort(key=lambda d: (d.isFloating(), d.mapToGlobal(d.rect().topLeft()).x() // 64,
                                  d.mapToGlobal(d.rect().topLeft()).y()))  # fmt: skip
        found: list[QWidget] = [*self._above, *docks, *self._front(), *self._below]
        return [pane for pane in found if pane.isVisible() and self._target(pane) is not None]

    def current(self) -> QWidget | None:
        """Return the pane that has the focus."""
        focus = QApplication.focusWidget()
        return next((p for p in self.all() if focus is not None and (p is focus or p.isAncestorOf(focus))), None)

    def go(self, direction: int) -> None:
        """Go to the next pane (1) or the previous one (-1)."""
        panes, here, focus = self.all(), self.current(), QApplication.focusWidget()
        if not panes:
            return
        if here is not None and focus is not None:
            self._last[here.objectName()] = focus
        start = -1 if direction > 0 else 0
        pane = panes[((panes.index(here) if here is not None else start) + direction) % len(panes)]
        target = self._target(pane)
        if target is not None:
            pane.window().activateWindow()
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _target(self, pane: QWidget) -> QWidget | None:
        """Return the widget to focus in a pane: the last one, else the view, else the first that accepts focus."""
        last = self._last.get(pane.objectName())
        if (
            last is not None
            and Shiboken.isValid(last)
            and last.isVisible()
            and last.isEnabled()
            and pane.isAncestorOf(last)
        ):
            return last
        if pane.focusPolicy() != Qt.FocusPolicy.NoFocus and not pane.findChildren(Canvas):
            return pane
        inside = [w for w in pane.findChildren(QWidget) if w.isVisible() and w.isEnabled() and _takes(w)]
        content = getattr(pane, "content", None)
        first = [w for w in inside if content is not None and (w is content or content.isAncestorOf(w))]
        return next(iter(first or inside), None)


def _takes(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
