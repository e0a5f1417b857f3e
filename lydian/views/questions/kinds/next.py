"""What happens next?"""

from __future__ import annotations

import numpy as np

from lydian.language import tr, trn
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import Choice
from lydian.views.questions.scene import Scene, capital
from lydian.views.time.axis import remember
from lydian.views.words.phrases import joined, tally
from lydian.views.words.reasons import moment

#: The largest and the smallest number of choices.
MOST, LEAST = 4, 3
#: The number of receipts on each side among which events are looked for that cannot be the next one.
NEAR = 40


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    """Ask about the order if delays decide it; if they are random, about what is possible at all."""
    event = int(chance.pick(scene.receives))
    if not scene.foreseen(event):
        return None
    delay = _delay(scene)
    first = None if delay is None else _first(scene, chance, event, delay)
    return first or _possible(scene, chance, event)


def _delay(scene: Scene) -> float | None:
    """Return the time that every message takes; ``None`` if messages take different times."""

    def found() -> float | None:
        t = scene.timeline
        ids = np.flatnonzero((t.sends >= 0) & (t.receives >= 0) & ~t.lost)
        if len(ids) < 3 or t.steps_take_time:
            return None
        took = np.asarray(t.message_arrived[ids]) - np.asarray(t.message_sent[ids])
        delay = float(took[0])
        return delay if delay > 0 and bool(np.allclose(took, delay, rtol=0, atol=1e-9)) else None

    return remember(scene.timeline, "delay of all messages", found)


def _first(scene: Scene, chance: Chance, event: int, delay: float) -> Draft | None:
    """Ask which of the messages in transit arrives first; all of them take the same time."""
    t, k = scene.timeline, scene.until(event)
    flying = t.in_flight(k)
    flying = flying[(t.sends[flying] >= 0) & (t.receives[flying] >= 0) & ~t.lost[flying]]
    later = t.receives[flying][np.asarray(t.message_sent[flying]) > t.message_sent[t.message[event]] + 1e-9]
    chosen = [event, *chance.some(later.tolist(), MOST - 1)]
    texts = {seq: capital(scene.act(seq)) for seq in chosen}
    if len(chosen) < LEAST or len(set(texts.values())) < len(chosen):
        return None
    chosen = chance.shuffled(chosen)
    text = trn(
        "Every message takes {time} time unit here. Which of these events happens first?",
        "Every message takes {time} time units here. Which of these events happens first?",
        tally(round(delay, 6)),
        time=moment(delay),
    )
    why = tr(
        "All four messages are in transit and equally fast, so the one that was sent first arrives first: {message}, "
        "sent at time {sent}, arrives at time {time}.",
        message=scene.hop(event), sent=moment(float(t.message_sent[t.message[event]])), time=scene.at(event),
    )  # fmt: skip
    if len(chosen) < MOST:
        why = tr(
            "All three messages are in transit and equally fast, so the one that was sent first arrives first: "
            "{message}, sent at time {sent}, arrives at time {time}.",
            message=scene.hop(event), sent=moment(float(t.message_sent[t.message[event]])), time=scene.at(event),
        )  # fmt: skip
    return _draft(scene, text, event, chosen, texts, why, [int(t.cause[seq]) for seq in chosen], 1)


def _possible(scene: Scene, chance: Chance, event: int) -> Draft | None:
    """Ask which receipt is possible: the messages of all others have arrived already, or have not been sent yet."""
    t, k = scene.timeline, scene.until(event)
    flying = t.in_flight(k)
    coming = set(
        zip(t.message_source[flying].tolist(), t.message_target[flying].tolist(), t.message_label[flying].tolist(),
            strict=True)
    )  # fmt: skip
    place = int(np.searchsorted(scene.receives, event))
    near = scene.receives[max(place - NEAR, 0) : place + NEAR]
    past = near[near < k]
    future = near[t.sends[t.message[near]] >= k]
    wrong = [
        seq for seq in (*chance.some(future.tolist(), MOST), *chance.some(past.tolist(), MOST))
        if (int(t.peer[seq]), int(t.process[seq]), int(t.label[seq])) not in coming
    ]  # fmt: skip
    arrived = {scene.act(seq) for seq in past.tolist()}
    texts, chosen = {event: capital(scene.act(event))}, [event]
    for seq in chance.shuffled(wrong):
        act = scene.act(seq)
        # The same message sent again would be both: received before, and not sent yet.
        if capital(act) not in texts.values() and len(chosen) < MOST and not (seq >= k and act in arrived):
            texts[seq] = capital(act)
            chosen.append(seq)
    if len(chosen) < LEAST:
        return None
    chosen = chance.shuffled(chosen)
    why = [
        capital(tr("{message} is in transit, and it does arrive next, at time {time}.", message=scene.hop(event),
                   time=scene.at(event)))
    ]  # fmt: skip
    over = [(str(number), seq) for number, seq in enumerate(chosen, 1) if seq < k]
    unsent = [str(number) for number, seq in enumerate(chosen, 1) if seq >= k and seq != event]
    if over:
        told = {"numbers": joined([number for number, _ in over]), "times": joined([scene.at(seq) for _, seq in over])}
        why.append(
            tr("Event {numbers} has already happened, at time {times}.", **told)
            if len(over) == 1
            else tr("Events {numbers} have already happened, at the times {times}.", **told)
        )
    if unsent:
        why.append(
            tr("Event {numbers} is impossible: its message has not been sent yet.", numbers=unsent[0])
            if len(unsent) == 1
            else tr("Events {numbers} are impossible: their messages have not been sent yet.", numbers=joined(unsent))
        )
    shown = [seq if seq < k else -1 for seq in chosen] + [int(t.cause[event])]
    return _draft(scene, tr("Which of these events can happen next?"), event, chosen, texts, " ".join(why), shown, 2)


def _draft(
    scene: Scene, text: str, event: int, chosen: list[int], texts: dict[int, str], why: str, evidence: list[int],
    level: int,
) -> Draft:  # fmt: skip
    seen = tuple(sorted({event, *(seq for seq in evidence if seq >= 0)}))
    process = scene.timeline.process
    single = len({int(process[seq]) for seq in chosen}) == len(chosen)  # then a click on the process is clear
    choices = tuple(Choice(texts[seq], process=int(process[seq]) if single else -1) for seq in chosen)
    return Draft(
        text, scene.time_at(scene.until(event)), (chosen.index(event),), why, choices=choices, evidence=seen,
        level=level,
    )  # fmt: skip


KIND = Kind("next", tr("What happens next?"), _draw, lambda scene: len(scene.receives) > 0)
