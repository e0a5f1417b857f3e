"""Which processes can know of an event?"""

from __future__ import annotations

import numpy as np

from lydian.language import tr
from lydian.trace.events import Kind as Event
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import SEVERAL, Choice
from lydian.views.questions.scene import Scene, capital
from lydian.views.words.phrases import joined
from lydian.views.words.reasons import moment

#: The largest and the smallest number of processes.
MOST, LEAST = 9, 3
#: The number of later events, among those that a question may name, up to which the run is shown.
NEAR = 40


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t, acts = scene.timeline, scene.acts
    place = chance.below(len(acts))
    event = int(acts[place])
    later = acts[place + 1 : place + 1 + NEAR]
    if not len(later):
        return None
    k = t.count(float(t.time[chance.pick(later)]))
    mine, since = int(t.process[event]), scene.cones(event).since[: t.n]
    knows = [p for p in range(t.n) if p != mine and since[p] < k]
    if not 0 < len(knows) < t.n - 1:
        return None
    others = [p for p in range(t.n) if p != mine]
    firsts = [int(since[p]) for p in knows]
    if any(t.kind[seq] != Event.RECEIVE for seq in firsts):  # it is not a message that told them
        return None
    text = tr(
        "Consider this event: {event}. Which of the other processes can know of it by time {time}, directly or "
        "through others?",
        event=scene.event(event), time=moment(scene.time_at(k)),
    )  # fmt: skip
    told = [
        tr("{process} with {message} from {sender} at time {time}", process=scene.name(p), message=scene.message(seq),
           sender=scene.name(int(t.peer[seq])), time=scene.at(seq))
        for p, seq in sorted(zip(knows, firsts, strict=True), key=lambda each: each[1])
    ]  # fmt: skip
    without = [p for p in others if p not in knows]
    why = tr("Only messages carry the news. It reaches {list}.", list=joined(told))
    rest = capital(tr("no chain of messages leads from the event to {processes}.", processes=scene.listed(without)))
    evidence = sorted({event, *(int(seq) for each in firsts for seq in scene.way(event, each))})
    return Draft(
        text, scene.time_at(k), tuple(others.index(p) for p in knows), f"{why} {rest}", form=SEVERAL,
        choices=tuple(Choice(scene.name(p), process=p) for p in others), evidence=tuple(np.array(evidence).tolist()),
        about=(event,), level=2 if len(others) < 5 else 3,
    )  # fmt: skip


KIND = Kind("reach", tr("Which processes can know of an event?"), _draw,
            lambda scene: LEAST <= scene.timeline.n <= MOST)  # fmt: skip
