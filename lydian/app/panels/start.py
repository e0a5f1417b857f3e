"""The row of cards with ways to begin, below the network at the first start; it can be closed and shown again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.language import tr, trc

__all__ = ["CARDS", "Beginning", "StartCard", "StartRow"]


@dataclass(frozen=True)
class Beginning:
    """One card: the command of the window, the title, the remark, the icon, and the full description."""

    command: str
    word: str
    remark: str
    icon: str
    about: str


#: The cards from left to right; each leads to a moving picture with at most one more click.
CARDS: tuple[Beginning, ...] = (
    Beginning("begin_watch", tr("Watch"), tr("ECHO, an example"), "eye", tr("Play the example from the start")),
    Beginning(
        "begin_break", trc("start", "Break"), tr("With a crash"), "bolt", tr("Play a run in which a process crashes")
    ),
    Beginning(
        "begin_vary", tr("Vary"), tr("The same on a ring"), "network", tr("Run this protocol on a ring and play it")
    ),
    Beginning(
        "workspace_network", tr("Draw"), tr("Your own network"), "brush", tr("Draw the network and set its delays")
    ),
    Beginning(
        "begin_write", tr("Write"), tr("Your own protocol"), "code", tr("Start a protocol file, and run it here")
    ),
    Beginning(
        "help_first-steps", tr("Learn"), tr("In ten minutes"), "book", tr("Open the first steps beside the network")
    ),
    Beginning("open", trc("start", "Open"), tr("Your own file"), "open", tr("Open a file of any kind")),
)


class StartCard(QAbstractButton):
    """A card that can be clicked: icon, title, remark."""

    def __init__(self, what: Beginning, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what, self.theme = what, theme
        self.setText(what.word)
        self.setAccessibleName(what.word)
        self.setAccessibleDescription(f"{what.remark}. {what.about}.")
        self.setToolTip(what.about)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        lines = sum(self._metrics(role).height() for role in ("body", "small"))
        return QSize(150, lines + 18)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, self.sizeHint().height())

    def _metrics(self, role: str) -> QFontMetrics:
        return QFontMetrics(self.theme.font(role, semibold=role == "body"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            self._paint(p)
        finally:
            p.end()

    def _remarks_fit(self) -> bool:
        """Return whether the remarks of all cards of the row fit, or else none is shown; the tooltips say them too."""
        row = self.parentWidget()
        cards = [self] if row is None else row.findChildren(StartCard)
        metrics, beside = self._metrics("small"), self.theme.stretched(20) + 34
        return all(metrics.horizontalAdvance(card.what.remark) + beside <= card.width() for card in cards)

    def _paint(self, p: QPainter) -> None:
        theme, box = self.theme, self.rect().toRectF().adjusted(1, 1, -1, -1)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        marked = self.underMouse() or self.isDown()
        p.setBrush(theme.color("accent.soft" if marked else "surface.panel"))
        ring = self.hasFocus()
        p.setPen(QPen(theme.color("accent.ring" if ring else "border.control"), 2 if ring else 1))
        p.drawRoundedRect(box, theme.size("radius.card"), theme.size("radius.card"))
        side = theme.stretched(20)
        p.drawPixmap(
            QPoint(14, round((self.height() - side) / 2)),
            pixmap(self.what.icon, theme.color("accent.base"), side, self.devicePixelRatioF()),
        )
        left = side + 26
        y = 8
        for role, text, ink in (
            ("body", self.what.word, "text.primary"),
            ("small", self.what.remark, "text.secondary"),
        ):
            metrics = self._metrics(role)
            p.setFont(theme.font(role, semibold=role == "body"))
            p.setPen(theme.color(ink))
            if role == "body" or self._remarks_fit():
                p.drawText(left, y + metrics.ascent(), text)
            y += metrics.height() + 2


class StartRow(QFrame):
    """The row of cards."""

    #: The user closed it.
    closed = Signal()

    def __init__(self, theme: Theme, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("bottom")  # a panel like the one below it
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Start with"))
        self._wanted = False
        self.heading = QLabel(tr("Start with"))
        self.never = QLabel(tr("File > New shows this row again"))
        self.never.setObjectName("hint")
        self.cross = set_up(
            QToolButton(),
            name=tr("Close this row"),
            tip=tr("Close this row; File > New shows it again"),
            clicked=self.dismiss,
        )
        self.cross.setFixedSize(24, 24)
        row = across(spacing=8)
        self.cards = [StartCard(what, theme) for what in CARDS if what.command in actions]
        for card in self.cards:
            card.clicked.connect(actions[card.what.command].trigger)
            row.addWidget(card, 1)
        down(
            across(self.heading, ..., self.never, self.cross),
            row, on=self, margins=(10, 4, 10, 9), spacing=4,
        )  # fmt: skip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_look(self.heading, theme, font="body semibold")
        set_look(self.never, theme, font="small")
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        self.set_theme(theme)

    def offer(self) -> None:
        """Show the row, with the focus on the first card."""
        self._wanted = True
        self.setVisible(not self.theme.projector)

    def dismiss(self) -> None:
        """Close the row."""
        self._wanted = False
        self.hide()
        self.closed.emit()

    def set_theme(self, theme: Theme) -> None:
        self.setVisible(self._wanted and not theme.projector)
