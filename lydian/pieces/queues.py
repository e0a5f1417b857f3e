"""Cards beside processes: the items of a variable at a moment, with those just added and just removed."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lydian.model.errors import BadInput, shown
from lydian.pieces.channels import TEXTS_SHOWN
from lydian.pieces.checks import one_of, slot_is_right
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.pieces.places import GLIDE
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Scene
from lydian.views.time.axis import remember
from lydian.views.words.values import value_text

__all__ = ["Cards", "Queue", "QueueFrame", "cards_of", "changes_of_cards", "queue_at", "widest_items"]

#: The number of moments of a run at which its items are measured.
SAMPLES = 17


@dataclass(frozen=True)
class Queue:
    """The items of a list, a set or a table as small cards beside a process; removed items fade beside them.

    Args:
        variable: its name.
        most: the most cards that are shown; a number says how many more there are.
        style: ``"row"``, or ``"stack"``: one below the other.
        slot: the state whose colour the cards have.
        item: of items that are lists, the part with this number is written on the card; of a table the keys are.
        into: a variable with what became of items: one that falls out and is in it then flashes in the colour of the
            state ``into_slot`` and is not struck out, such as an event that waited and is delivered.
        word: what the legend calls it.
    """

    variable: str
    most: int = 4
    style: str = "row"
    slot: int = 5
    item: int | None = None
    word: str = ""
    into: str | None = None
    into_slot: int = 2

    def __post_init__(self) -> None:
        one_of("a queue", "style", self.style, ("row", "stack"))
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 12:
            raise BadInput(f"most must be a number of cards from 1 to 12, not {shown(self.most)}")
        slot_is_right("a queue", self.slot)
        slot_is_right("a queue", self.into_slot)


@dataclass(frozen=True)
class Cards:
    """The cards of one process.

    Args:
        items: the items that are shown, in the order of the list.
        more: the number of further items.
        fresh: for each of them whether it came with the last change, while that change is being shown.
        fallen: the items that left with the last change, while it is being shown.
        share: the share of this time that is over, 0 to 1.
        kept: for each item that left whether it is where items should go (``into``).
    """

    items: tuple[str, ...]
    more: int = 0
    fresh: tuple[bool, ...] = ()
    fallen: tuple[str, ...] = ()
    share: float = 1.0
    kept: tuple[bool, ...] = ()


@dataclass(frozen=True, eq=False)
class QueueFrame:
    """A queue at a moment: its declaration, and the cards of each process that has or has just lost some."""

    declared: Queue
    cards: dict[int, Cards]


#: The cards of each process, and the time and the event of the change that added them.
Found = dict[int, tuple[Cards, float, int]]


def cards_of(declared: Queue, value: Any) -> tuple[str, ...]:
    """Return the items of a value of the trace as texts."""
    if isinstance(value, dict):
        return tuple(str(key) for key in value)
    if not isinstance(value, list | tuple):
        return () if value is None or value == "" else (value_text(value),)
    return tuple(_text(_part(declared, item)) for item in value)


def _part(declared: Queue, item: Any) -> Any:
    at = declared.item
    if at is None or not isinstance(item, list | tuple) or not -len(item) <= at < len(item):
        return item
    return item[at]


def _text(item: Any) -> str:
    return item if isinstance(item, str) else value_text(item)


def queue_at(now: Moment, declared: Queue) -> QueueFrame | None:
    """Return a queue at a moment, or None in large networks, where cards have no room."""
    scene, k = now.scene, now.k
    if scene.run.n > TEXTS_SHOWN:
        return None
    last: list[tuple[int, Found]] = remember(scene.run, ("queue", declared, id(scene)), lambda: ([], scene))[0]
    if not last or last[0][0] != k:
        last[:] = [(k, _at_event(scene, declared, k, last[0][1] if last else {}))]
    mean = float(scene.network.delay.mean)
    lasts = GLIDE * mean if math.isfinite(mean) else 0.0
    return QueueFrame(declared, dict(_shown(last[0][1], now.t, lasts)))


def _shown(found: Found, t: float, lasts: float) -> Iterator[tuple[int, Cards]]:
    for process, (cards, since, _) in found.items():
        share = min(max((t - since) / lasts, 0.0), 1.0) if lasts > 0 else 1.0
        if share >= 1.0:
            cards = replace(cards, fresh=(), fallen=())
        if cards.items or cards.fallen:
            yield process, replace(cards, share=share)


def _at_event(scene: Scene, queue: Queue, k: int, known: Found) -> Found:
    """Return the cards of each process with the effect of its last change, reusing those that are ``known``."""
    run = scene.run
    found: Found = {}
    if queue.variable not in run.variable_names:
        return {}
    for p, (value, seq) in enumerate(run.details.last(queue.variable, k)):
        place = p if scene.renumber is None else int(scene.renumber[p])
        if place < 0:
            continue
        if place in known and known[place][2] == seq:
            found[place] = known[place]
            continue
        items = cards_of(queue, value)
        if seq < 0:
            found[place] = Cards(items[: queue.most], max(len(items) - queue.most, 0)), -math.inf, seq
        else:
            before = cards_of(queue, run.variables(p, seq)[queue.variable][0])
            found[place] = _changed(run, queue, p, seq, items, before), float(run.time[seq]), seq
    return found


def changes_of_cards(scene: Scene, queue: Queue) -> Iterator[tuple[int, int, Cards]]:
    """Yield each change of the cards of a queue in order, for players that only replay: event (-1), process, cards."""
    run = scene.run
    if queue.variable not in run.variable_names:
        return
    place = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
    before = [cards_of(queue, value) for value in run.variable_at(queue.variable, 0)]
    for p, items in enumerate(before):
        if items and place[p] >= 0:
            yield -1, place[p], Cards(items[: queue.most], max(len(items) - queue.most, 0))
    at, codes = run.details.history(queue.variable)
    for seq, code in zip(at.tolist(), codes.tolist(), strict=True):
        p = int(run.process[seq])
        if p >= 0 and place[p] >= 0:
            items = cards_of(queue, run.details.value(queue.variable, code, seq))
            yield seq, place[p], _changed(run, queue, p, seq, items, before[p])
            before[p] = items


def _changed(run: Timeline, queue: Queue, p: int, seq: int, items: tuple[str, ...], before: tuple[str, ...]) -> Cards:
    """Return the cards of a process after a change by an event, while that change is shown."""
    shown = items[: queue.most]
    fallen = tuple((Counter(before) - Counter(items)).elements())[: queue.most]
    kept = (False,) * len(fallen)
    if fallen and queue.into in run.variable_names:
        there = {*cards_of(queue, run.variables(p, seq + 1)[queue.into][0])}
        kept = tuple(item in there for item in fallen)
    return Cards(shown, len(items) - len(shown), _new(items, before)[: len(shown)], fallen, 0.0, kept)


def _new(items: tuple[str, ...], before: tuple[str, ...]) -> tuple[bool, ...]:
    """Return which items are new; of equal ones the last is taken as the newest."""
    left, flags = Counter(before), []
    for item in items:
        flags.append(left[item] <= 0)
        left[item] -= 1
    return tuple(flags)


def widest_items(scene: Scene) -> tuple[tuple[str, ...], ...]:
    """Return, for each queue, the longest few texts on its cards in the run, which determine their room."""
    return remember(scene.run, ("queue texts", id(scene)), lambda: (_sampled(scene), scene))[0]


def _sampled(scene: Scene) -> tuple[tuple[str, ...], ...]:
    run, out = scene.run, []
    for queue in scene.animation.queues:
        found: set[str] = set()
        if queue.variable in run.variable_names:
            for k in np.unique(np.linspace(0, run.length, SAMPLES).astype(int)).tolist():
                for value in run.variable_at(queue.variable, k):
                    found.update(cards_of(queue, value)[: queue.most])
        out.append(tuple(sorted(found, key=len)[-8:]))
    return tuple(out)


def legend(seen: Occurring, number: int, declared: Queue) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if declared.variable in seen.run.variable_names:
        word = declared.word or declared.variable
        yield LegendItem.plain("queue", number, word)


def page(tell: Teller, declared: Queue) -> dict[str, Any]:
    """Return the cards of processes, change by change."""
    rows = [
        (at, int(tell.codes[process]), tell.text(json.dumps([now.items, now.more, now.fresh, now.fallen, now.kept])))
        for at, process, now in changes_of_cards(tell.scene, declared)
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return {
        "style": declared.style, "slot": declared.slot, "most": declared.most, "into": declared.into_slot,
        **{name: tell.column(table[:, i]) for i, name in enumerate(("at", "process", "text"))},
    }  # fmt: skip


register(Piece("queue", Queue, "queues", None, at=queue_at, nothing=(), legend=legend, wide=("queue",),
               page=page, order=20, painter="lydian.app.painters.pieces.queues.QueuePainter",
               script="player.queues.js"))  # fmt: skip
