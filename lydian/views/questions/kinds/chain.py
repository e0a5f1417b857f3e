"""How many messages are on the longest causal chain that ends with the next event?"""

from __future__ import annotations

from lydian.language import tr, trn
from lydian.trace.events import Kind as Event
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import NUMBER
from lydian.views.questions.scene import Scene

#: Longer chains cannot be counted by hand.
LONGEST = 8


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t = scene.timeline
    event = int(chance.pick(scene.receives))
    right = int(t.chain[event])
    if not scene.foreseen(event) or not 0 < right <= LONGEST:
        return None
    chain = _chain(scene, event)
    hops = [seq for seq in chain if t.kind[seq] == Event.RECEIVE]
    if len(hops) != right:  # the trace does not record everything on the chain
        return None
    text = tr(
        "Next, {event}. How many messages are on the longest causal chain that ends with this event?",
        event=scene.act(event),
    )  # fmt: skip
    why = trn(
        "The longest chain consists of {count} message, the one that arrives: {way}.",
        "The longest chain consists of {count} messages: {way}.",
        right,
        way=scene.told_way(chain),
    )
    return Draft(
        text, scene.time_at(scene.until(event)), (right,), why, form=NUMBER, evidence=tuple(chain),
        level=1 if right < 3 else 2 if right < 5 else 3,
    )  # fmt: skip


def _chain(scene: Scene, event: int) -> list[int]:
    """Return the events of a longest chain that ends with an event: the sends and receipts on the way to it."""
    t, found, at = scene.timeline, [event], event
    while True:
        before, cause = int(scene.before[at]), int(t.cause[at])
        if t.kind[at] == Event.RECEIVE and cause >= 0 and t.chain[at] == t.chain[cause] + 1:
            at = cause
            found.append(at)
        elif before >= 0 and t.chain[before] == t.chain[at]:
            at = before
            if t.kind[at] == Event.RECEIVE and t.chain[t.cause[at]] + 1 == t.chain[at]:
                found.append(at)
        else:
            return found[::-1]


KIND = Kind(
    "chain", tr("How long is the causal chain to the next event?"), _draw, lambda scene: len(scene.receives) > 0
)
