"""The order and headings of cards, and the cards of one process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.language import tr, trc
from lydian.views.playback.enabled import Card, Situation

__all__ = ["ORDERS", "TableCell", "arranged", "choosable", "earliest", "of_process", "row_of_table"]

#: The orders of cards, with their names.
ORDERS: Mapping[str, str] = {"time": tr("By time"), "process": tr("By process"), "kind": tr("By kind")}
#: The headings above cards of one kind; that of a message is the word of its class.
_KINDS = {
    "init": tr("Starts"), "receive": tr("Messages"), "timer": tr("Timers"), "command": tr("Commands"),
    "rule": tr("Rules"), "step": tr("Steps that end"), "loss": tr("Lost on the way"),
    "fault": tr("Planned by the experiment"),
}  # fmt: skip


@dataclass(frozen=True)
class TableCell:
    """A cell of the transition table's row for the current state of a process.

    Attributes:
        event: the class of the message, timer or command, or ``INIT``; ``label`` is what it is called.
        action: the function that answers it, ``""`` if none does.
        meaning: the first sentence of its docstring.
        cards: the enabled events of this process that this cell would answer.
    """

    event: str
    label: str
    action: str
    meaning: str
    cards: tuple[Card, ...]


def choosable(card: Card) -> bool:
    """Return True if it can be chosen."""
    return card.event.get("choose") is not None


def earliest(all_cards: Sequence[Card]) -> Card | None:
    """Return the event that happens next without interference; messages that wait at a process are not delivered on
    their own.

    Only the daemon decides which of the enabled rules is next.
    """
    coming = [card for card in all_cards if not card.waits and card.kind != "rule"]
    return min(coming, key=lambda card: float(card.event.get("time", 0.0)), default=None)


def arranged(
    all_cards: Sequence[Card],
    now: Situation,
    order: str = "time",
    *,
    only: Collection[int] | None = None,
    headings: bool = True,
) -> list[Card | str]:
    """Return the cards in an order, the earliest first among equals, with headings above those of one process or kind.

    Args:
        order: one of :data:`ORDERS`.
        only: numbers of the processes that are meant; all of them by default. A message counts for its receiver.
        headings: whether there are headings (never by time).
    """
    chosen = [card for card in all_cards if only is None or card.place in only]
    kinds = list(_KINDS)

    def rank(card: Card) -> tuple[Any, ...]:
        if order == "process":
            return (card.place < 0, card.place)
        if order == "kind":
            known = kinds.index(card.kind) if card.kind in kinds else len(kinds)
            return (known, card.label if card.kind == "receive" else "")
        return ()

    chosen.sort(key=rank)  # The sort is stable, so time decides among equals.
    if order == "time" or not headings:
        return list(chosen)
    found: list[Card | str] = []
    last = ""
    for card in chosen:
        heading = _heading(card, now, order)
        if heading != last:
            found.append(heading)
            last = heading
        found.append(card)
    return found


def _heading(card: Card, now: Situation, order: str) -> str:
    if order == "kind":
        return card.label if card.kind == "receive" else _KINDS.get(card.kind, trc("other events", "Others"))
    if card.place < 0:
        return tr("No process")
    name = now.names[card.place]
    own = tr(" · yours") if name in now.taken else ""
    return tr("Process {process}", process=name) + (f" · {card.word}" if card.word else "") + own


def of_process(all_cards: Sequence[Card], place: int) -> list[Card | str]:
    """Return what one process can do now and what may reach it: waiting messages first, then timers, then messages in
    transit.
    """
    headings = {
        "arrived": trc("messages", "Arrived"), "own": tr("Its own"), "in transit": tr("In transit to it"),
        "no choice": tr("Not its choice"),
    }  # fmt: skip
    groups: dict[str, list[Card]] = {group: [] for group in headings}
    for card in all_cards:
        if card.place != place:
            continue
        if not choosable(card):
            groups["no choice"].append(card)
        elif card.waits:
            groups["arrived"].append(card)
        else:
            groups["in transit" if card.kind == "receive" else "own"].append(card)
    found: list[Card | str] = []
    for group, some in groups.items():
        found += [headings[group], *some] if some else []
    return found


def row_of_table(all_cards: Sequence[Card], now: Situation, place: int) -> tuple[TableCell, ...]:
    """Return the transition table's row for the state of a process, with the enabled events of each cell.

    The events are in the order in which the protocol's text answers them; nothing if that text is not known.
    """
    state = now.state(place)
    events = dict.fromkeys(action.event for action in now.source.actions)
    found = []
    for event in events:
        action = now.source.action(state, event)
        fits = [c for c in all_cards if c.place == place and choosable(c) and c.event.get("label") == event]
        label = trc("event of the start of a process", "start") if event == "INIT" else now.animation.label(event)
        found.append(
            TableCell(event, label, action.function if action else "", action.doc if action else "", tuple(fits))
        )
    return tuple(found)
