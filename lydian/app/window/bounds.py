"""How much time and memory the code of a protocol may take: two fields below the tool bar, kept from start to start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLabel, QSpinBox

from lydian.app.panels.card import Popup
from lydian.app.work.settings import LEAST_MEMORY, MOST_MEMORY
from lydian.model.limits import usual_memory

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Bounds", "BoundsPopup"]

WIDTH = 400
ABOUT = (
    "A protocol runs in a process of its own. An action that takes longer, or a run that wants more memory, is ended "
    "with a sentence, and what happened until then is kept. What you choose holds from the next run on."
)


class BoundsPopup(Popup):
    """The two fields."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._settings = window.settings
        self.setAccessibleName("Limits for protocols")
        self.seconds, self.memory = QDoubleSpinBox(), QSpinBox()
        self.seconds.setRange(0.1, 3600)
        self.seconds.setDecimals(1)
        self.seconds.setSuffix(" s")
        self.seconds.setAccessibleName("Longest time of an action in seconds")
        self.memory.setRange(0, MOST_MEMORY)
        self.memory.setSingleStep(250)
        self.memory.setGroupSeparatorShown(True)
        self.memory.setSuffix(" MB")
        self.memory.setSpecialValueText(f"half of this machine ({usual_memory() // 1_000_000:,} MB)")
        self.memory.setAccessibleName("Most memory of a run in MB")
        for field in (self.seconds, self.memory):
            field.lineEdit().setTextMargins(4, 0, 0, 0)
            field.setKeyboardTracking(False)
        form = QFormLayout()
        form.addRow("An action may take", self.seconds)
        form.addRow("A run may take", self.memory)
        self.column.addLayout(form)
        about = QLabel(ABOUT)
        about.setObjectName("hint")
        about.setWordWrap(True)
        self.column.addWidget(about)
        self.seconds.setValue(self._settings.seconds)
        self.memory.setValue(self._settings.memory)
        self._session = window.session
        self.seconds.valueChanged.connect(lambda _value: self._keep())
        self.memory.valueChanged.connect(lambda _value: self._keep())

    def _keep(self) -> None:
        memory = self.memory.value()
        self._settings.seconds = self.seconds.value()
        self._settings.memory = memory if memory >= LEAST_MEMORY else 0
        self._session.bounds = self._settings.bounds


class Bounds:
    """Gives every run its bounds, and shows where to change them."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.popup: BoundsPopup | None = None
        window.session.bounds = window.settings.bounds

    def show(self) -> None:
        """Open the fields."""
        if self.popup is None:
            self.popup = BoundsPopup(self.window)
        bar, popup = self.window.toolbar, self.popup
        popup.setFixedWidth(round(WIDTH * self.window.theme.scale))
        popup.adjustSize()
        popup.move(bar.mapToGlobal(QPoint(8, bar.height() + 2)))
        popup.show()
        self.popup.seconds.setFocus()
