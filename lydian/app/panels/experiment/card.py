"""A part of the experiment as a card with its name, its value and a remark; a click opens its choices below it."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme

__all__ = ["Card", "Elided", "Parts", "scrolled"]

_BETWEEN = re.compile(r" · |, | \(")


class Elided(QLabel):
    """A label that never requests room: an overlong text ends in "…", and the tooltip shows all of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = text
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.say(text)

    @property
    def whole(self) -> str:
        """The whole text."""
        return self._whole

    def say(self, text: str) -> None:
        self._whole = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(10, self.fontMetrics().height() + 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(10, self.fontMetrics().height() + 1)

    def _fit(self) -> None:
        shown = self._fitting(max(self.width() - 1, 8))
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")

    def _fitting(self, room: int) -> str:
        """Return the text that is shown in a number of pixels."""
        return self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)


class Parts(Elided):
    """A label that shows as many parts of a note as fit, and never half of one; the tooltip shows all of them.

    The parts are separated by a middle dot or a comma, or are in brackets, the most important ones first.
    """

    def _fitting(self, room: int) -> str:
        whole, metrics = self._whole, self.fontMetrics()
        starts = [whole[: match.start()] for match in reversed([*_BETWEEN.finditer(whole)])]
        parts = [whole, *(start for start in starts if start.count("(") == start.count(")"))]
        return next((part for part in parts if metrics.horizontalAdvance(part) <= room), "")


class Card(QPushButton):
    """A card with an icon, label, value, remark and a small arrow; what is long wraps."""

    def __init__(self, icon_name: str, label: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._icon_name, self._label_text = icon_name, label
        self._icon, self._arrow = QLabel(), QLabel()
        self.label, self.value, self.hint = (
            set_up(QLabel(), look=look, wraps=True) for look in ("cardLabel", "cardValue", "cardHint")
        )
        self.label.setText(label)
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 6, 8, 7)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.addWidget(self._icon, 0, 0, 1, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.label, 0, 1)
        grid.addWidget(self.value, 1, 1)
        grid.addWidget(self.hint, 2, 1)
        grid.addWidget(self._arrow, 0, 2, 3, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(1, 1)
        for label_widget in (self._icon, self._arrow, self.label, self.value, self.hint):
            label_widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        for words in (self.label, self.value, self.hint):
            words.setTextFormat(Qt.TextFormat.PlainText)
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._grid = grid
        set_look(self._icon, theme, icon=icon_name, ink="text.secondary")
        set_look(self._arrow, theme, icon="chevron-down", ink="text.hint", icon_size=14)

    def hasHeightForWidth(self) -> bool:
        """Return False: the hints are those for the current width, so that other parts of a column may shrink."""
        return False

    def sizeHint(self) -> QSize:
        return QSize(self._grid.sizeHint().width(), self._grid.totalHeightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._grid.totalHeightForWidth(max(self.width(), 120)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the words wrap anew

    def say(self, value: str, hint: str) -> None:
        """Show a value and a remark about it."""
        self.value.setText(value)
        self.hint.setText(hint)
        self.setAccessibleName(f"{self._label_text}: {value}")
        self.setAccessibleDescription(hint)


def scrolled(inside: QWidget | None = None) -> QScrollArea:
    """Return a frameless area that scrolls vertically if the content does not fit; the content takes the focus."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if inside is not None:
        area.setWidget(inside)
    return area
