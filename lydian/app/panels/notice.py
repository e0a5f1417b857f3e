"""A bar at the top that says one thing in a sentence; never a dialog, and it goes when it is closed or outdated.

An offer is a sentence that waits for an answer: other sentences cover it for a while, and it comes back after them.
One without whose answer nothing goes on comes to the front of everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.look.icons import icon, pixmap
from lydian.app.look.theme import Theme

__all__ = ["Notice"]


@dataclass(frozen=True, eq=False)
class _Offer:
    """A sentence that waits for an answer: a button and what it does, and what refusing does."""

    sentence: str
    button: str
    act: Callable[[], object]
    refuse: Callable[[], object] | None
    look: Callable[[], object] | None = None


class Notice(QWidget):
    """The bar: a sign, the sentence, perhaps one button or two, and a cross."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Message")
        self.announcer = Announcer(self)
        self._problem = True
        self._sign = QLabel()
        self.label = QLabel()
        self.label.setObjectName("noticeText")
        self.label.setAccessibleName("Message")
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = QPushButton()
        self.button.setAccessibleName("What can be done")
        self.button.clicked.connect(self._act)
        self._deed: Callable[[], object] | None = None
        self.refusal = QPushButton("Discard")
        self.refusal.setAccessibleName("Discard what is offered")
        self.refusal.clicked.connect(self._refuse)
        self.look = QPushButton("Look")
        self.look.setAccessibleName("Look at what is offered")
        self.look.clicked.connect(self._look)
        self._offers: list[_Offer] = []
        self._offer: _Offer | None = None  # the one that is shown
        self._close = QToolButton()
        self._close.setAccessibleName("Close the message")
        self._close.setToolTip("Close")
        self._close.clicked.connect(self._later)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        for widget in (self._sign, self.label, self.look, self.button, self.refusal, self._close):
            row.addWidget(widget)
        row.setStretchFactor(self.label, 1)
        self.set_theme(theme)
        self.hide()

    @property
    def text(self) -> str:
        """What it says; nothing if it is closed."""
        return "" if self.isHidden() else self.label.text()

    def say(
        self, sentence: str, *, problem: bool = True, button: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """Say a sentence, with one button if there is something to do; an empty sentence closes the bar.

        Closing uncovers an offer that has not been answered.
        """
        self._offer = None
        if not sentence and self._offers:
            self._show_offer()
            return
        self._show(sentence, problem, button, act)

    def offer(
        self, sentence: str, button: str, act: Callable[[], object], refuse: Callable[[], object] | None = None,
        *, look: Callable[[], object] | None = None, front: bool = False,
    ) -> Callable[[], None]:
        """Ask something that waits for its answer; the first question is asked first.

        Args:
            sentence: what is offered.
            button: what accepting says.
            act: what accepting does.
            refuse: what a second button, "Discard", does; without it there is none.  The cross answers nothing: the
                offer goes, and nothing is done.
            look: what a button "Look" does, which leaves the offer where it is.
            front: whether it is asked now, before everything else.  A problem that is shown gives way to it; good
                news comes back after the answer.

        Returns:
            What withdraws the offer, if it has not been answered.
        """
        offer = _Offer(sentence, button, act, refuse, look)
        if front:
            if self.text and self._offer is None and not self._problem:
                deed = self._deed or (lambda: None)
                self._offers.insert(0, _Offer(self.label.text(), self.button.text(), deed, None))
            self._offers.insert(0, offer)
        else:
            self._offers.append(offer)
        if front or self.isHidden():
            self._show_offer()
        return lambda: self._withdraw(offer)

    def forget_problem(self) -> None:
        """What went wrong belongs to something that is no longer at hand: close the bar if it says that."""
        if self.text and self._problem:
            self.say("")

    def _withdraw(self, offer: _Offer) -> None:
        if offer in self._offers:
            self._offers.remove(offer)
        if self._offer is offer:
            self.say("")

    def _show_offer(self) -> None:
        offer = self._offers[0]
        self._show(offer.sentence, False, offer.button, offer.act)
        self._offer = offer
        self.refusal.setVisible(offer.refuse is not None)
        self.look.setVisible(offer.look is not None)

    def _show(self, sentence: str, problem: bool, button: str, act: Callable[[], object] | None) -> None:
        self._problem, self._deed = problem, act
        self.refusal.hide()
        self.look.hide()
        self.label.setText(sentence)
        self.setAccessibleDescription(sentence)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.setProperty("problem", problem)
        self.style().unpolish(self)
        self.style().polish(self)
        self._paint_icons()
        self.setVisible(bool(sentence))
        if problem:
            self.announcer.assertive(sentence)
        else:
            self.announcer.polite(sentence)

    def _act(self) -> None:
        deed = self._deed
        self._later()
        if deed is not None:
            deed()

    def _refuse(self) -> None:
        refuse = None if self._offer is None else self._offer.refuse
        self._later()
        if refuse is not None:
            refuse()

    def _look(self) -> None:
        if self._offer is not None and self._offer.look is not None:
            self._offer.look()

    def _later(self) -> None:
        """Close what is shown; an offer is not made again before the next start."""
        if self._offer is not None:
            self._offers.remove(self._offer)
        self.say("")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._paint_icons()

    def _paint_icons(self) -> None:
        name, color = ("warning", "check.warn") if self._problem else ("info", "accent.base")
        self._sign.setPixmap(pixmap(name, self._theme.color(color), 18, self.devicePixelRatioF()))
        self._close.setIcon(icon("close", self._theme, "text.secondary"))
