"""The messages to the user: one at a time in the notice bar, confirmations beside it, and the progress of work.

An offer is a message that waits for an answer. Other messages may cover it for a while, and it reappears after them.
An urgent offer is shown before everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydian.desk.signal import Signal
from lydian.language import tr

__all__ = ["Notice", "Notices"]

#: The default tooltip of the button that stops work in progress.
STOP = tr("Stop writing and discard the file")


@dataclass(frozen=True, eq=False)
class Notice:
    """A message with the label and the action of its button; an offer also has actions for refusing and viewing it."""

    sentence: str
    problem: bool = False
    button: str = ""
    act: Callable[[], object] | None = None
    refuse: Callable[[], object] | None = None
    look: Callable[[], object] | None = None


class Notices:
    """The notice bar and the other messages to the user.

    Attributes:
        shown: the notice in the bar; ``None`` while the bar is closed.
        changed: emitted when the bar shows another message, or the same one again.
        told: emitted with a confirmation.
        hinted: emitted with a hint that is valid for a while, such as what a click will do; empty when it is over.
        working: emitted with a description of the work in progress, the share that is done (-1 if unknown), and the
            tooltip of the button that stops it; an empty description means that the work is over.
        cancelled: emitted when the user stops the work in progress.
    """

    def __init__(self) -> None:
        self.shown: Notice | None = None
        self.changed, self.told, self.hinted = Signal(), Signal(), Signal()
        self.working, self.cancelled = Signal(), Signal()
        self._offers: list[Notice] = []
        self._of_run = False

    @property
    def text(self) -> str:
        """The message in the bar; empty while the bar is closed."""
        return "" if self.shown is None else self.shown.sentence

    def say(self, sentence: str, problem: bool = True) -> None:
        """Show a problem in the bar or a confirmation beside it; an empty sentence closes the bar."""
        self._of_run = False
        if problem or not sentence:
            self.show(sentence, problem=problem)
        else:
            self.told.emit(sentence)

    def say_of_run(self, sentence: str, problem: bool) -> bool:
        """Show a message about a run; an empty sentence clears only a message about a run.

        Returns True if the bar or the line beside it was changed.
        """
        changed = bool(sentence) or self._of_run
        if changed:
            self.say(sentence, problem)
        self._of_run = bool(sentence)
        return changed

    def work(self, words: str, share: float, cancel: str = STOP) -> None:
        """Report work in progress and the share that is done; an empty description means that the work is over."""
        self.working.emit(words, share, cancel)

    # ------------------------------------------------------------------ the bar

    def show(
        self, sentence: str, *, problem: bool = True, button: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """Show a message in the bar, with a button if there is an action; an empty sentence closes the bar.

        After closing, the bar shows the first offer that has not been answered.
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
        """Show an offer, which waits for an answer; offers are shown in the order in which they were made.

        Args:
            sentence: the text of the offer.
            button: the label of the button that accepts it.
            act: the action when it is accepted.
            refuse: the action of a second button, "Discard", which is shown only if this is given. Closing the bar
                withdraws the offer without any action.
            look: the action of a button "Look", which leaves the offer in the bar.
            front: whether to show it now, before everything else. It replaces a problem that is shown; any other
                notice reappears after the answer.

        Returns:
            A function that withdraws the offer if it has not been answered.
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
        """Close the bar if it shows a problem, as the problem concerns something that is no longer open."""
        if self.shown is not None and self.shown.problem:
            self.show("")

    # ------------------------------------------------------------------ answers

    def accept(self) -> None:
        """Carry out the action of the notice's button."""
        self._answer(None if self.shown is None else self.shown.act)

    def refuse(self) -> None:
        """Refuse the offer in the bar."""
        self._answer(None if self.shown is None else self.shown.refuse)

    def look(self) -> None:
        """View the subject of the offer, which stays in the bar."""
        if self.shown is not None and self.shown.look is not None:
            self.shown.look()

    def close(self) -> None:
        """Close the notice; an offer is not made again before the next start."""
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
