"""The row of cards with ways to begin, below the network at the first start; it can be closed and shown again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import across
from lydian.app.kit.paintedcard import PaintedCard
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
    Beginning("begin_break", trc("start", "Break"), tr("a crash"), "bolt", tr("Play a run in which a process crashes")),
    Beginning("begin_vary", tr("Vary"), tr("on a ring"), "network", tr("Run this protocol on a ring and play it")),
    Beginning("workspace_network", tr("Draw"), tr("a network"), "brush", tr("Draw the network and set its delays")),
    Beginning("begin_write", tr("Write"), tr("a protocol"), "code", tr("Start a protocol file, and run it here")),
    Beginning(
        "help_first-steps", tr("Learn"), tr("in ten minutes"), "book", tr("Open the first steps beside the network")
    ),
    Beginning("open", trc("start", "Open"), tr("a file"), "open", tr("Open a file of any kind")),
)
#: The height of a card at the default size of text, its margin, the side of its icon, and the space between its parts.
HEIGHT, PAD, SIDE, SPACE = 32, 11, 16, 8


class StartCard(PaintedCard):
    """A card that can be clicked: icon, title, remark."""

    def __init__(self, what: Beginning, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what, self.theme, self.short = what, theme, False
        self.setText(what.word)
        self.setAccessibleName(what.word)
        self.setAccessibleDescription(f"{what.remark}. {what.about}.")
        self.setToolTip(what.about)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        remark = 0 if self.short else SPACE + self._metrics("small").horizontalAdvance(self.what.remark)
        return self.minimumSizeHint() + QSize(remark, 0)

    def minimumSizeHint(self) -> QSize:
        """Return the size without the remark."""
        metrics = self._metrics("body")
        wide = 2 * PAD + SIDE + SPACE + metrics.horizontalAdvance(self.what.word)
        return QSize(wide, max(HEIGHT, metrics.height() + 12))

    def shorten(self, short: bool) -> None:
        """Leave out the remark, or show it."""
        if short != self.short:
            self.short = short
            self.updateGeometry()

    def _metrics(self, role: str) -> QFontMetrics:
        return QFontMetrics(self.theme.font(role, semibold=role == "body"))

    def paint_inside(self, p: QPainter) -> None:
        theme = self.theme
        p.drawPixmap(
            QPoint(PAD, round((self.height() - SIDE) / 2)),
            pixmap(self.what.icon, theme.color("accent.base"), SIDE, self.devicePixelRatioF()),
        )
        left, base = PAD + SIDE + SPACE, (self.height() + self._metrics("body").capHeight()) // 2
        texts = [("body", self.what.word, "text.primary")]
        if not self.short:
            texts.append(("small", self.what.remark, "text.secondary"))
        for role, text, ink in texts:
            p.setFont(theme.font(role, semibold=role == "body"))
            p.setPen(theme.color(ink))
            p.drawText(left, base, text)
            left += self._metrics(role).horizontalAdvance(text) + SPACE


class StartRow(QFrame):
    """The row of cards, which folds away as soon as something is played."""

    def __init__(self, theme: Theme, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("bottom")  # a panel like the one below it
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Or start with"))
        self._wanted = False
        self.heading = QLabel(tr("Or start with"))
        self.hint = QLabel(tr("folds on Play"))
        self.hint.setObjectName("hint")
        self.hint.setToolTip(tr("File > New shows this row again"))
        self.cross = set_up(
            QToolButton(),
            name=tr("Close this row"),
            tip=tr("Close this row; File > New shows it again"),
            clicked=self.dismiss,
        )
        self.cross.setFixedSize(24, 24)
        self.cards = [StartCard(what, theme) for what in CARDS if what.command in actions]
        for card in self.cards:
            card.clicked.connect(actions[card.what.command].trigger)
        self._row = across(
            self.heading, *self.cards, ..., self.hint, self.cross, on=self, margins=(14, 6, 10, 6), spacing=7
        )  # fmt: skip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_look(self.heading, theme, font="body semibold")
        set_look(self.hint, theme, font="small")
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        self.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out the remarks of the cards if there is no room for them, and then the hint."""
        for short in (False, True):
            for card in self.cards:
                card.shorten(short)
            room = self._room()
            if room >= 0:
                break
        self.hint.setVisible(room >= self.hint.sizeHint().width() + self._row.spacing())

    def _room(self) -> int:
        """Return the width that the heading, the cards and the cross leave free."""
        margins, spacing = self._row.contentsMargins(), self._row.spacing()
        parts = [self.heading, *self.cards, self.cross]
        taken = margins.left() + margins.right() + (len(parts) + 1) * spacing
        return self.width() - taken - sum(part.sizeHint().width() for part in parts)

    def offer(self) -> None:
        """Show the row, with the focus on the first card."""
        self._wanted = True
        self.setVisible(not self.theme.projector)

    def dismiss(self) -> None:
        """Close the row."""
        self._wanted = False
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._fit()
        self.setVisible(self._wanted and not theme.projector)
