"""The window in two halves while two runs are compared: at the left the one that is shown, at the right the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal

from lydian.app.window import arrangement

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Halves"]

#: What the stage calls this way of putting docks together.
PLACES = "halves"


class Halves(QObject):
    """Puts the docks so, and afterwards back to where they were.

    Somebody who chooses a layout meanwhile has that layout, and the comparison is over.
    """

    #: The other run was closed, or has no place any more.
    left = Signal()

    def __init__(self, window: MainWindow, name: str) -> None:
        super().__init__(window)
        self.window, self.name = window, name
        self._before: QByteArray | None = None
        self._places = ""
        window.stage.docks[name].visibilityChanged.connect(lambda _on: self._look_later())

    @property
    def on(self) -> bool:
        return self._before is not None

    def begin(self) -> None:
        """The network above causality at the left, the other run at the right; the rest is out of sight."""
        stage = self.window.stage
        stage.put_back()
        if self._before is not None:
            stage.show_view(self.name, True)
            return
        self._before = stage.usual = stage.state()
        self._places, stage.places = stage.places, PLACES  # a layout that is chosen meanwhile puts every dock anew
        docks = stage.docks
        basic, causality, other = docks["basic"], docks["causality"], docks[self.name]
        for dock in docks.values():
            if not dock.isFloating():
                dock.hide()
        for dock in (basic, causality, other):
            dock.setFloating(False)
            stage.removeDockWidget(dock)  # beside a tab there would only be one more tab
        stage.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, basic)
        stage.splitDockWidget(basic, other, Qt.Orientation.Horizontal)
        stage.splitDockWidget(basic, causality, Qt.Orientation.Vertical)
        high = stage.height() >= arrangement.HIGH
        basic.show()
        other.show()
        causality.setVisible(high)
        arrangement.settle(stage)
        half = stage.width() // 2
        stage.resizeDocks([basic, other], [half, half], Qt.Orientation.Horizontal)
        if high:
            room = stage.height()
            stage.resizeDocks([basic, causality], [round(room * 0.58), round(room * 0.42)], Qt.Orientation.Vertical)
        stage.show_view(self.name, True)
        stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """Everything back to where it was."""
        before, self._before = self._before, None
        stage = self.window.stage
        if before is None:
            return
        stage.put_back()
        stage.usual = None
        if stage.places == PLACES:
            stage.places = self._places
            stage.put(before)
        stage.docks[self.name].hide()

    def _look_later(self) -> None:
        """It may come back within the same breath, as when one view is maximised."""
        if self._before is not None:
            QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        stage = self.window.stage
        if self._before is not None and stage.docks[self.name].isHidden() and not stage.maximised:
            self.left.emit()
