"""How many messages will be sent?"""

from __future__ import annotations

from collections import Counter

import numpy as np

from lydian.language import tr, trn
from lydian.trace.events import Kind as Event
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import NUMBER
from lydian.views.questions.scene import Scene, capital
from lydian.views.words.phrases import clauses, joined

#: More messages cannot be foreseen one by one.
MOST = 9
#: More messages are not listed one by one.
TOLD = 6
#: More messages in all are asked for only if the protocol has a formula for them.
GUESSED = 30
#: A longer formula explains nothing.
LONGEST = 24


def _suits(scene: Scene) -> bool:
    """Return whether the run ended by itself; the number of messages until a limit is of no interest."""
    ended = scene.timeline.trace.summary.get("stopped")
    return ended in (None, "quiescent", "goal", "condition") and bool((scene.timeline.kind == Event.SEND).any())


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    return _of_all(scene, chance) if chance.below(3) == 0 else _of_one(scene, chance)


def _of_one(scene: Scene, chance: Chance) -> Draft | None:
    t = scene.timeline
    k = scene.until(int(chance.pick(scene.acts)))
    process = chance.below(t.n)
    if k == 0 or t.crashed_at(k)[process]:
        return None
    own = t.events_of(process)
    sends = own[(own >= k) & (t.kind[own] == Event.SEND)].tolist()
    if len(sends) > MOST or (not sends and chance.below(4)):
        return None
    time, who = scene.time_at(k), scene.who(process)
    text = tr(
        "The run is paused at time {time}. How many more messages will {process} send?",
        time=_time(time), process=who,
    )  # fmt: skip
    if not sends:
        why = capital(tr("{process} sends no message after this time.", process=who))
    else:
        alike: dict[tuple[str, str], list[int]] = {}
        for seq in sends:
            alike.setdefault((scene.message(seq), scene.at(seq)), []).append(int(t.peer[seq]))
        each = [
            tr("{message} to {receiver} at time {time}", message=message, receiver=scene.listed(peers), time=at)
            for (message, at), peers in list(alike.items())[:TOLD]
        ]
        left = sum(len(peers) for peers in list(alike.values())[TOLD:])
        each += [trn("{count:,} more", "{count:,} more", left)] if left else []
        why = capital(
            trn("{process} sends one more message: {list}.", "{process} sends {count} more messages: {list}.",
                len(sends), process=who, list=clauses(*each))
        )  # fmt: skip
    return Draft(text, time, (len(sends),), why, form=NUMBER, evidence=tuple(sends), level=2 if len(sends) < 3 else 3)


def _of_all(scene: Scene, chance: Chance) -> Draft | None:
    t = scene.timeline
    sends = np.flatnonzero(t.kind == Event.SEND)
    early = scene.acts[scene.acts < sends[0] + max(len(sends) // 4, 1)]
    k = scene.until(int(chance.pick(early))) if len(early) else 0
    rows = sends.tolist()
    by_kind = Counter(scene.message(seq, fields=False) for seq in rows)
    summary = t.trace.summary
    formula = str(summary.get("formula") or "") if summary.get("expected_messages") == len(rows) else ""
    formula = "" if formula.startswith(("<", ">")) else formula  # a bound
    if len(rows) > GUESSED and not formula:
        return None
    ranked = sorted(by_kind.items(), key=lambda each: (-each[1], each[0]))
    told = joined([f"{count:,} {name}" for name, count in ranked])
    text = tr(
        "The run is paused at time {time}. How many messages will have been sent in all when it ends?",
        time=_time(scene.time_at(k)),
    )  # fmt: skip
    if len(by_kind) == 1:
        why = trn("{count:,} message is sent: {message}.", "{count:,} messages are sent, all of them {message}.",
                  len(rows), message=next(iter(by_kind)))  # fmt: skip
    else:
        why = tr("{count:,} messages are sent: {list}.", count=len(rows), list=told)
    if formula and len(formula) <= LONGEST:
        why = f"{why} {tr('The formula of the protocol gives the same number: {formula}.', formula=formula)}"
    return Draft(
        text, scene.time_at(k), (len(rows),), why, form=NUMBER, evidence=tuple(rows[:TOLD]),
        level=2 if len(rows) <= MOST else 3,
    )  # fmt: skip


def _time(t: float) -> str:
    return f"{max(t, 0.0):.4g}"


KIND = Kind("messages", tr("How many messages will be sent?"), _draw, _suits)
