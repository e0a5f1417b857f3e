"""Did one event happen before another?"""

from __future__ import annotations

import numpy as np

from lydian.language import tr
from lydian.trace.events import Kind as Event
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import Choice
from lydian.views.questions.scene import Scene

#: The largest number of events, among those that a question may name, between the two.
NEAR = 40


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t, acts = scene.timeline, scene.acts
    place = chance.below(len(acts))
    first = int(acts[place])
    near = acts[place + 1 : place + 1 + NEAR]
    near = near[(t.process[near] != t.process[first]) & (t.time[near] > t.time[first])]
    if not len(near):
        return None
    happened, wanted = scene.cones(first).future(t, near), chance.coin()
    near = near[happened == wanted]
    if not len(near):
        return None
    last = int(chance.pick(near))
    if t.cause[last] == first and chance.below(3):  # a message and its receipt are the easiest case
        return None
    text = tr(
        "Consider two events.\na: {first}\nb: {second}\nDid a happen before b, in the sense of causal order?",
        first=scene.event(first), second=scene.event(last),
    )  # fmt: skip
    if wanted:
        way = scene.way(first, last)
        hops = int(np.count_nonzero(t.kind[way[1:]] == Event.RECEIVE))
        why = tr("A causal chain leads from a to b: {way}.", way=scene.told_way(way))
        evidence, level = tuple(way.tolist()), 1 if hops < 2 else 2
    else:
        why = tr(
            "Although a has the earlier time, no causal chain leads from a to b: nothing that {first} does from a "
            "onwards can influence {second} up to b. The two events are concurrent.",
            first=scene.who(int(t.process[first])), second=scene.who(int(t.process[last])),
        )  # fmt: skip
        evidence, level = (first, last), 2
    return Draft(
        text, float(t.time[last]), (0 if wanted else 1,), why, choices=(Choice(tr("Yes")), Choice(tr("No"))),
        evidence=evidence, about=(first, last), level=level,
    )  # fmt: skip


KIND = Kind("before", tr("Did one event happen before another?"), _draw)
