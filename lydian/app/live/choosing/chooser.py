"""The enabled events as cards, and the choice of one of them: the part that the tray and the player's panel share."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lydian.app.kit.follow import follow
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.views.playback.dealing import choosable, earliest
from lydian.views.playback.enabled import Card, Situation, cards, deed, situation

if TYPE_CHECKING:
    from lydian.desk.live.live import Live

__all__ = ["Chooser"]


class Chooser(QObject):
    """The object that asks the simulator for one event and records the choices that the simulator refused.

    Cards are computed only when they are needed.

    Attributes:
        refused: key of a card -> why the simulator refused it; cleared when other events are enabled.
        latest: the choice that the simulator was asked for last.
    """

    #: Emitted when the cards have changed or may have changed, or when one of them was refused.
    dealt = Signal()

    def __init__(self, live: Live, playhead: Playhead, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.live, self.playhead = live, playhead
        self._cards: tuple[Card, ...] = ()
        self._now = Situation()
        self.refused: dict[str, str] = {}
        self._chance = random.Random()
        self._asked: tuple[str, dict[str, Any]] | None = None  # a card and its choice, not yet answered
        self.latest: dict[str, Any] | None = None
        self._known: tuple[object, ...] = ()
        follow(self, live.acted, self._answered)

    # ------------------------------------------------------------------ the cards

    @property
    def cards(self) -> tuple[Card, ...]:
        """The enabled events, the earliest first."""
        self._deal()
        return self._cards

    @property
    def now(self) -> Situation:
        """The configuration in which the events are enabled."""
        self._deal()
        return self._now

    def deal(self, *, at_once: bool = True) -> None:
        """Recompute the cards if something has changed; without ``at_once``, perhaps only when they are next needed."""
        if not at_once and self._asked is None and not self.refused:
            if not self._fresh():
                self.dealt.emit()
        elif self._deal():
            self.dealt.emit()

    def _key(self) -> tuple[object, ...]:
        live, head = self.live, self.playhead
        return live.on, live.alive, live.pending, live.taken, head.timeline, head.animation

    def _fresh(self) -> bool:
        """Return True if the cards belong to the current moment."""
        key = self._key()
        return len(key) == len(self._known) and all(a is b or a == b for a, b in zip(key, self._known, strict=True))

    def _deal(self) -> bool:
        """Compute the cards of the current moment; return True if that was necessary."""
        if self._fresh():
            return False
        live, head = self.live, self.playhead
        self._known = self._key()
        before = {card.key for card in self._cards}
        if live.on:
            self._now = situation(head.timeline, head.animation, live.taken)
            self._cards = cards(live.pending, self._now)
        else:
            self._now, self._cards = Situation(), ()
        if {card.key for card in self._cards} != before:
            self._asked = None
            self.refused.clear()  # A choice that was refused then may be possible now.
        return True

    @property
    def first(self) -> Card | None:
        """The event that happens next without interference."""
        return earliest(self.cards)

    def comes_next(self, card: Card | None) -> bool:
        """Return True if a card is the event that happens next without interference."""
        first = self.first
        return card is not None and first is not None and card.key == first.key

    # ------------------------------------------------------------------ the moment

    @property
    def behind(self) -> bool:
        """Whether the configuration shown is earlier than the one in which these events are enabled.

        During playback the simulator is slightly ahead of the play head; that does not count.
        """
        head = self.playhead
        if head.timeline is None or (head.playing and head.direction > 0):
            return False
        return bool(head.timeline.count(head.t) < head.timeline.length)

    def go_to_now(self) -> None:
        """Move the play head to the latest moment of the run."""
        self.playhead.pause()
        self.playhead.seek(self.live.time)

    # ------------------------------------------------------------------ the choice

    def choose(self, card: Card, *, by_process: bool = False) -> bool:
        """Let an event happen now; return True if the simulator was asked for it.

        The event that would happen next without interference happens at its own time, and is not an intervention.
        ``by_process`` means that the user plays the process of the event.
        """
        self._deal()
        if not self.live.on or self._asked is not None:
            return False
        by_itself = self.comes_next(card) and not by_process
        choice = card.choice
        if choice is None and not by_itself:
            return False  # The card shows the reason.
        if self.behind:
            self.go_to_now()
        self.refused.pop(card.key, None)
        if by_itself or choice is None:
            self.live.step()
            return True
        self._asked, self.latest = (card.key, choice), choice
        self.live.act(choice, deed(card, by_process=by_process))
        return True

    def take_earliest(self) -> None:
        """Let the earliest event happen at its own time."""
        if self.live.on:
            if self.behind:
                self.go_to_now()
            self.live.step()

    def take_random(self) -> Card | None:
        """Let one of the events that can be chosen happen now, at random; return its card."""
        possible = [card for card in self.cards if choosable(card)]
        card = self._chance.choice(possible) if possible else None
        return card if card is not None and self.choose(card) else None

    def mine(self, acted: Any) -> bool:
        """Return True if a gesture was a choice made here, whose outcome its card shows."""
        return self.latest is not None and [dict(each) for each in acted.what] == [self.latest]

    def _answered(self, acted: Any) -> None:
        """Record the simulator's answer: a refused card shows the reason."""
        asked = self._asked
        if asked is None or [dict(each) for each in acted.what] != [asked[1]]:
            return  # another intervention was answered
        self._asked = None
        if not acted.accepted:
            reason = str(acted.reason)
            self.refused[asked[0]] = tr("Refused: {reason}.", reason=reason) if reason else tr("Refused.")
            self.dealt.emit()
