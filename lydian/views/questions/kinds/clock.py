"""Which Lamport time does the next event get?"""

from __future__ import annotations

from lydian.language import tr
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import NUMBER
from lydian.views.questions.scene import Scene


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t = scene.timeline
    event = int(chance.pick(scene.receives))
    last, send = int(scene.before[event]), int(t.sends[t.message[event]])
    if last < 0 or not scene.foreseen(event) or int(t.cause[event]) != send:
        return None
    own, sent, right = int(t.lamport[last]), int(t.lamport[send]), int(t.lamport[event])
    if right != max(own, sent) + 1:  # an imported trace with clocks of another kind
        return None
    process = scene.who(int(t.process[event]))
    text = tr(
        "The Lamport clock of {process} is {own}. Next, {event}; the message carries the time {sent}. "
        "Which Lamport time does this event get?",
        process=process, own=own, sent=sent, event=scene.act(event),
    )  # fmt: skip
    why = tr(
        "The time of a receipt is the larger of the two times plus one: max({own}, {sent}) + 1 = {time}.",
        own=own, sent=sent, time=right,
    )  # fmt: skip
    return Draft(
        text, scene.time_at(scene.until(event)), (right,), why, form=NUMBER,
        evidence=tuple(sorted((last, send, event))), about=tuple(sorted((last, send))),
    )  # fmt: skip


KIND = Kind("clock", tr("Which Lamport time does the next event get?"), _draw, lambda scene: len(scene.receives) > 0)
