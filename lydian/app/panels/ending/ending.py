"""The panel at the end of a run: beside the views why it failed, or below them what one should have seen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.ending.moments import MomentLines
from lydian.app.panels.ending.parts import ChainPicture, CodeLines, NextCard
from lydian.app.panels.timeline.transport import time_text
from lydian.authoring.ending import Ending, Moment
from lydian.desk.runs.whatnext import Suggestion
from lydian.language import tr, trc

__all__ = ["EndingPanel", "SeenRow"]

#: The width of the panel.
WIDE = 440


class EndingPanel(QFrame):
    """The panel beside the views about a run that failed, violated a property or got stuck.

    It reads downwards: the sentence, the chain of waiting processes, how it came about, the line of code, what to try.
    """

    #: Emitted with the number of an event to show.
    moment_wanted = Signal(int)
    #: Emitted to play the last steps before the decisive event.
    replay_wanted = Signal()
    #: Emitted to find the shortest run that fails in the same way.
    shorten_wanted = Signal()
    #: Emitted with a line of the protocol to open.
    line_wanted = Signal(int)
    #: Emitted with the suggestion that was chosen.
    chosen = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.ending: Ending | None = None
        self.announcer = Announcer(self)
        self.setObjectName("ending")
        self.setAccessibleName(tr("How the run ended"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sentence = set_up(QLabel(), name=tr("How the run ended"), wraps=True, plain=True)
        self.why = set_up(QLabel(), name=tr("Why"), wraps=True, plain=True)
        self.cross = set_up(QToolButton(), name=tr("Close"), tip=tr("Close (Esc)"), clicked=self.dismiss)
        head = held(down(
            across((self.sentence, 1), (self.cross, Qt.AlignmentFlag.AlignTop)), self.why,
            margins=(16, 10, 8, 12), spacing=4,
        ), "endingHead")  # fmt: skip
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.chain = ChainPicture(theme)
        self.replay = set_up(
            QPushButton(trc("the last steps", "Play again")), look="offer", tip=tr("Play again what led to this end"),
            clicked=lambda _checked=False: self.replay_wanted.emit(),
        )  # fmt: skip
        self.shorten = set_up(
            QPushButton(trc("a failing run", "Shorten")), look="offer",
            tip=tr("Find the shortest run that fails in the same way"),
            clicked=lambda _checked=False: self.shorten_wanted.emit(),
        )  # fmt: skip
        self.seen = set_up(QLabel(), name=tr("What you should have seen"), wraps=True, plain=True)
        self.way = set_up(
            QListWidget(), look="endingWay", name=tr("How it got there"), about=tr("Choose a line to see that moment"),
        )  # fmt: skip
        self.way.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.way.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.way.setItemDelegate(MomentLines(theme, self.way))
        self.way.itemClicked.connect(self._go)
        self.way.itemActivated.connect(self._go)
        self.code = CodeLines(theme)
        self.open_line = set_up(
            QPushButton(tr("Open at line {number}", number=1)),
            look="offer",
            clicked=lambda _checked=False: self._open(),
        )
        self.line_title = set_up(QLabel(), look="dockNote", plain=True)
        self._code = self._section("code", tr("The line"), self.line_title, self.code, self.open_line)
        self._way = self._section("trace", tr("How it got there"), None, self.way, self.shorten, self.replay)
        self._cards = QHBoxLayout()
        self._cards.setSpacing(8)
        self._next = self._section("flag", tr("What to try next"), None, held(_padded(self._cards)))
        inner = QWidget()
        inner.setObjectName("endingBody")
        self.seen_title = set_up(QLabel(tr("You should have seen")), look="heading")
        self._seen = held(down(self.seen_title, self.seen, margins=(16, 8, 12, 10), spacing=2))
        self._top = held(down(self.chain, margins=(14, 8, 10, 4)))
        down(head, self._top, self._way, self._code, self._seen, ..., on=inner)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        down((scroll, 1), self._next, on=self, margins=1)
        set_look(self.sentence, theme, font="title semibold")
        set_look(self.why, theme, font="body")
        set_look(self.seen, theme, font="body")
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        set_look(self.replay, theme, icon="play")
        self.set_theme(theme)
        self.hide()

    def _section(self, sign: str, title: str, note: QLabel | None, *parts: QWidget) -> QWidget:
        """Return a part of the panel below a heading; a second part is at the right of the heading."""
        mark = set_look(QLabel(), self.theme, icon=sign, ink="text.secondary")
        name = set_up(QLabel(title), look="dockName")
        first, *right = parts
        rest = QWidget() if note is None else note
        rest.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # it is cut if there is no room
        heading = held(across(mark, name, (rest, 1), *right, margins=(14, 5, 10, 5), spacing=8), "endingTitle")
        heading.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        return held(down(heading, first))

    def show_ending(
        self, ending: Ending, chain: Sequence[tuple[str, int, bool]], seen: str, where: str,
        suggestions: Sequence[Suggestion], end: float,
    ) -> None:  # fmt: skip
        """Show an end.

        Args:
            chain: the waiting processes as :meth:`ChainPicture.show_chain` takes them.
            seen: what one should have seen, "" if unknown.
            where: the name of the protocol's file.
            end: the time of the last event.
        """
        self.ending = ending
        self.sentence.setText(ending.sentence)
        self.why.setText(ending.why)
        self.why.setVisible(bool(ending.why))
        self.chain.show_chain(chain)
        self._top.setVisible(len(chain) > 1)
        self.seen.setText(seen)
        self._seen.setVisible(bool(seen))
        self._fill(ending.moments, end)
        line = ending.line
        self._code.setVisible(line is not None)
        if line is not None:
            self.code.show_line(line)
            place = f"{where}, {line.function}()" if line.function else where
            self.line_title.setText(place)
            self.open_line.setText(tr("Open at line {number}", number=line.number))
        _fill_cards(self._cards, suggestions, self.theme, self.chosen)
        self._next.setVisible(bool(suggestions))
        self.set_theme(self.theme)
        self.show()
        self.announcer.assertive(f"{ending.sentence} {ending.why}")

    def _fill(self, moments: Sequence[Moment], end: float) -> None:
        self.way.clear()
        for moment in moments:
            item = QListWidgetItem(moment.text, self.way)
            item.setData(Qt.ItemDataRole.UserRole, (moment, time_text(moment.time, end)))
            told = tr("{time}: {event}", time=time_text(moment.time, end), event=moment.text)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (told, moment.tag))))
            item.setToolTip(moment.text)
        self._way.setVisible(bool(moments))
        row = max(self.way.sizeHintForRow(0), 1)
        self.way.setFixedHeight(row * len(moments) + 6)

    def _go(self, item: QListWidgetItem) -> None:
        moment, _time = item.data(Qt.ItemDataRole.UserRole)
        self.moment_wanted.emit(moment.seq)

    def _open(self) -> None:
        if self.ending is not None and self.ending.line is not None:
            self.line_wanted.emit(self.ending.line.number)

    def dismiss(self) -> None:
        """Close the panel."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedWidth(theme.stretched(WIDE))
        if self.ending is not None:
            self._fill_heights()

    def _fill_heights(self) -> None:
        self.way.doItemsLayout()
        self.way.setFixedHeight(max(self.way.sizeHintForRow(0), 1) * self.way.count() + 6)


class SeenRow(QFrame):
    """The row below the views after a run that ended as it should: what one should have seen, and what to try next."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("bottom")
        self.setAccessibleName(tr("What to try next"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sign = QLabel()
        self.title = set_up(QLabel(tr("You should have seen")), look="heading")
        self.seen = set_up(QLabel(), name=tr("What you should have seen"), wraps=True, plain=True)
        self.seen.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cross = set_up(QToolButton(), name=tr("Close this row"), tip=tr("Close this row"), clicked=self.dismiss)
        self.cross.setFixedSize(24, 24)
        self._cards = QHBoxLayout()
        self._cards.setSpacing(8)
        across(
            (self.sign, Qt.AlignmentFlag.AlignTop), (down(self.title, self.seen, ..., spacing=2), 5),
            (held(self._cards), 8), (self.cross, Qt.AlignmentFlag.AlignTop), on=self, margins=(14, 8, 8, 8), spacing=10,
        )  # fmt: skip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_look(self.seen, theme, font="body")
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        self.set_theme(theme)
        self.hide()

    def show_next(self, seen: str, suggestions: Sequence[Suggestion]) -> None:
        """Show what one should have seen, and three things to try."""
        self.seen.setText(seen)
        _fill_cards(self._cards, suggestions, self.theme, self.chosen)
        self.setVisible(not self.theme.projector and bool(suggestions))

    def dismiss(self) -> None:
        """Close the row."""
        self.hide()
        self.closed.emit()

    def set_theme(self, theme: Theme) -> None:
        self.sign.setPixmap(icon("tick", theme, "check.holds").pixmap(18, 18))


def _fill_cards(row: QHBoxLayout, suggestions: Sequence[Suggestion], theme: Theme, chosen: object) -> None:
    while (item := row.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
    for number, what in enumerate(suggestions):
        card = NextCard(what, theme, best=number == 0)
        card.clicked.connect(lambda _checked=False, what=what: chosen.emit(what))  # type: ignore[attr-defined]
        row.addWidget(card, 1)


def _padded(row: QHBoxLayout) -> QVBoxLayout:
    return down(row, margins=(12, 8, 12, 10))
