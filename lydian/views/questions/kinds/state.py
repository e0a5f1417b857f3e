"""In which state is a process after the next event?"""

from __future__ import annotations

import numpy as np

from lydian.language import tr
from lydian.trace.events import NO_STATE
from lydian.trace.events import Kind as Event
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import Choice
from lydian.views.questions.scene import Scene
from lydian.views.words.reasons import why
from lydian.views.words.sentence import narrate

#: Kinds of event to which a process responds.
_STEPS = (Event.RECEIVE, Event.TIMER, Event.RULE, Event.COMMAND)
#: The largest number of choices.
MOST = 5


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t = scene.timeline
    steps = scene.acts[np.isin(t.kind[scene.acts], _STEPS) & (t.state[scene.acts] != NO_STATE)]
    if not len(steps):
        return None
    event = int(chance.pick(steps))
    k, process, after = scene.until(event), int(t.process[event]), int(t.state[event])
    before = int(t.states_at(k)[process])
    if k == 0 or not scene.foreseen(event) or not 0 <= before < len(t.states):
        return None
    if before == after and chance.below(3):  # an event that changes the state is the more interesting one
        return None
    names = {code: scene.state(code) for code in range(len(t.states))}
    if len(set(names.values())) < len(names):
        return None
    others = [code for code in names if code not in (before, after)]
    codes = sorted({before, after, *chance.some(others, MOST - len({before, after}))})
    text = tr(
        "The state of {process} is “{state}”. Next, {event}. What is its state after that?",
        process=scene.who(process), state=names[before], event=scene.act(event),
    )  # fmt: skip
    told = narrate(t, event, scene.words)
    if after == before and (int(t.kind[event]) == Event.RULE or why(t, event, scene.words)):
        told = f"{told} {tr('Its state is still “{state}”.', state=names[after])}"
    return Draft(
        text, scene.time_at(k), (codes.index(after),), told,
        choices=tuple(Choice(names[code]) for code in codes), evidence=(event,), level=1 if before != after else 2,
    )  # fmt: skip


KIND = Kind("state", tr("In which state is a process after the next event?"), _draw,
            lambda scene: len(scene.timeline.states) > 1)  # fmt: skip
