"""Which of these events is concurrent with this one?"""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import Choice
from lydian.views.questions.scene import Scene
from lydian.views.words.phrases import joined

#: The number of events on each side, among those that a question may name, from which choices are taken.
NEAR = 24
#: The largest and the smallest number of choices.
MOST, LEAST = 4, 3


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t, acts = scene.timeline, scene.acts
    place = chance.below(len(acts))
    event = int(acts[place])
    near = acts[max(place - NEAR, 0) : place + 1 + NEAR]
    near = near[near != event]
    cones = scene.cones(event)
    past, future = cones.past(t, near), cones.future(t, near)
    elsewhere = t.process[near] != t.process[event]
    apart = near[~past & ~future & elsewhere]
    ordered = near[(past | future) & elsewhere]
    if not len(apart) or len(ordered) < LEAST - 1:
        return None
    right = int(chance.pick(apart))
    # The nearest in time are the hardest to tell apart; some lie before and some after.
    close = [chance.some(_closest(scene, event, near[side & elsewhere]), MOST - 1) for side in (past, future)]
    wrong = [seq for pair in zip_longest(*chance.shuffled(close)) for seq in pair if seq is not None][: MOST - 1]
    chosen = [right, *wrong]
    texts = {seq: scene.choice(seq) for seq in (*chosen, event)}
    if len(set(texts.values())) < len(texts):
        return None
    chosen = chance.shuffled(chosen)
    number = chosen.index(right) + 1
    why = [tr("Event {number} is concurrent with it: no causal chain leads from one to the other.", number=number)]
    evidence, told = {event, right}, dict[tuple[bool, str], list[str]]()
    for number, seq in enumerate(chosen, 1):
        if seq != right:
            before = scene.related(seq, event) == "before"
            way = scene.way(seq, event) if before else scene.way(event, seq)
            evidence.update(way.tolist())
            told.setdefault((before, scene.told_way(way)), []).append(str(number))
    why += [_ordered(before, numbers, way) for (before, way), numbers in told.items()]
    text = tr("Consider this event: {event}. Which of these events is concurrent with it?", event=scene.event(event))
    return Draft(
        text, float(t.time[[event, *chosen]].max()), (chosen.index(right),), " ".join(why),
        choices=tuple(Choice(texts[seq], event=seq) for seq in chosen), evidence=tuple(sorted(evidence)),
        about=(event,), level=2,
    )  # fmt: skip


def _closest(scene: Scene, event: int, seqs: NDArray[np.int64]) -> list[int]:
    """Return the events that are nearest in time to an event."""
    apart = np.abs(scene.timeline.time[seqs] - scene.timeline.time[event])
    found: list[int] = seqs[np.argsort(apart, kind="stable")][: 2 * MOST].tolist()
    return found


def _ordered(before: bool, numbers: list[str], way: str) -> str:
    """Say that the events with these numbers happened before or after the event in question."""
    told = {"numbers": joined(numbers), "way": way}
    if before and len(numbers) == 1:
        return tr("Event {numbers} happened before it ({way}).", **told)
    if before:
        return tr("Events {numbers} happened before it ({way}).", **told)
    if len(numbers) == 1:
        return tr("Event {numbers} happened after it ({way}).", **told)
    return tr("Events {numbers} happened after it ({way}).", **told)


KIND = Kind("concurrent", tr("Which event is concurrent with this one?"), _draw)
