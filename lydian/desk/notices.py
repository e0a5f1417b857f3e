"""What is said to the user: one thing at a time in a bar, good news beside it, work that goes on.

An offer is a sentence that waits for an answer: other sentences cover it for a while, and it comes back after them.
One without whose answer nothing goes on comes to the front of everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydian.desk.signal import Signal

__all__ = ["Notice", "Notices"]

#: What is said of the button that stops some work.
STOP = "Stop writing; nothing is left of the file"


@dataclass(frozen=True, eq=False)
class Notice:
    """A sentence, what the button beside it says and does; for an offer also what refusing and looking at it do."""

    sentence: str
    problem: bool = False
    button: str = ""
    act: Callable[[], object] | None = None
    refuse: Callable[[], object] | None = None
    look: Callable[[], object] | None = None


class Notices:
    """What the bar says, and what else is said.

    Attributes:
        shown: what the bar says; ``None`` while it is closed.
        changed: tells that the bar says something else, or the same anew.
        told: tells good news.
        hinted: tells what holds for a while, such as what a click will do; empty when that is over.
        working: tells what goes on, which share of it is done (-1 if nobody knows), and what stopping it does;
            without words it is over.
        cancelled: tells that the work that goes on shall end.
    """

    def __init__(self) -> None:
        self.shown: Notice | None = None
        self.changed, self.told, self.hinted = Signal(), Signal(), Signal()
        self.working, self.cancelled = Signal(), Signal()
        self._offers: list[Notice] = []
        self._of_run = False

    @property
    def text(self) -> str:
        """What the bar says; empty while it is closed."""
        return "" if self.shown is None else self.shown.sentence

    def say(self, sentence: str, problem: bool = True) -> None:
        """Say something: a problem in the bar, good news beside it; an empty sentence closes the bar."""
        self._of_run = False
        if problem or not sentence:
            self.show(sentence, problem=problem)
        else:
            self.told.emit(sentence)

    def say_of_run(self, sentence: str, problem: bool) -> bool:
        """Say something of a run; an empty sentence takes back no more than what was said of one.

        Returns whether the bar or the line beside it was changed.
        """
        changed = bool(sentence) or self._of_run
        if changed:
            self.say(sentence, problem)
        self._of_run = bool(sentence)
        return changed

    def work(self, words: str, share: float, cancel: str = STOP) -> None:
        """Something goes on, and this share of it is done; without words it is over."""
        self.working.emit(words, share, cancel)

    # ------------------------------------------------------------------ the bar

    def show(
        self, sentence: str, *, problem: bool = True, button: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """Say a sentence in the bar, with one button if there is something to do; an empty sentence closes it.

        Closing uncovers an offer that has not been answered.
        """
        if not sentence and self._offers:
            self._put(self._offers[0])
        else:
            self._put(Notice(sentence, problem, button, act) if sentence else None)

    def offer(
        self,
        sentence: str,
        button: str,
        act: Callable[[], object],
        refuse: Callable[[], object] | None = None,
        *,
        look: Callable[[], object] | None = None,
        front: bool = False,
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
        offer = Notice(sentence, False, button, act, refuse, look)
        if front:
            if self.shown is not None and self.shown not in self._offers and not self.shown.problem:
                self._offers.insert(0, self.shown)
            self._offers.insert(0, offer)
        else:
            self._offers.append(offer)
        if front or self.shown is None:
            self._put(self._offers[0])
        return lambda: self._withdraw(offer)

    def forget_problem(self) -> None:
        """What went wrong belongs to something that is no longer at hand: close the bar if it says that."""
        if self.shown is not None and self.shown.problem:
            self.show("")

    # ------------------------------------------------------------------ answers

    def accept(self) -> None:
        """Do what the button says."""
        self._answer(None if self.shown is None else self.shown.act)

    def refuse(self) -> None:
        """Discard what is offered."""
        self._answer(None if self.shown is None else self.shown.refuse)

    def look(self) -> None:
        """Look at what is offered, which stays."""
        if self.shown is not None and self.shown.look is not None:
            self.shown.look()

    def close(self) -> None:
        """Close what is shown; an offer is not made again before the next start."""
        self._answer(None)

    def _answer(self, act: Callable[[], object] | None) -> None:
        if self.shown in self._offers:
            self._offers.remove(self.shown)
        self.show("")
        if act is not None:
            act()

    def _withdraw(self, offer: Notice) -> None:
        if offer in self._offers:
            self._offers.remove(offer)
        if self.shown is offer:
            self.show("")

    def _put(self, notice: Notice | None) -> None:
        self.shown = notice
        self.changed.emit()
