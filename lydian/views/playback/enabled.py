"""Cards for enabled events: each event in words, and why it cannot be chosen.

The events come from the simulator (:mod:`lydian.engine.pending` says with which keys); the words for states, messages
and actions from the timeline of the same run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from lydian.language import tr, trc
from lydian.model.interventions import KINDS
from lydian.pieces.animation import Animation, generic
from lydian.pieces.messagelooks import kinds_of_messages, word_of
from lydian.trace.timeline import Timeline
from lydian.views.words.contents import cited
from lydian.views.words.source import Source, read
from lydian.views.words.values import value_text

__all__ = ["Card", "Situation", "cards", "deed", "explained", "played", "situation", "spoken"]


@dataclass(frozen=True)
class Situation:
    """The configuration in which the events are enabled.

    Attributes:
        names: of the processes.
        states: the state of each; ``""`` where it is not known.
        crashed: numbers of those that have crashed.
        taken: names of those that the user has taken over.
        source: the protocol's text, read.
        timeline: of the run, for messages that look like what they carry.
    """

    names: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    crashed: frozenset[int] = frozenset()
    taken: frozenset[str] = frozenset()
    animation: Animation = field(default_factory=generic)
    source: Source = field(default_factory=Source)
    timeline: Timeline | None = None

    def state(self, place: int) -> str:
        """Return the name of the state of a process, or "" if it is unknown."""
        return self.states[place] if 0 <= place < len(self.states) else ""


@dataclass(frozen=True)
class Card:
    """An enabled event in words.

    Attributes:
        key: the same for the same event at a later moment, different for different events.
        event: the event as the simulator reports it.
        place, sender: numbers of the process and of the message's sender, -1 for none.
        message: its number, -1 for none.
        label: what its message, timer or command is called.
        title: what it is: ``Wave 3 → 5``.
        fields: what it carries: ``hops 3``, or ``""``.
        state: name of the state in which it would find its process; ``word`` is what it is called, ``slot`` its look.
        action: the function of the table, or ``""``.
        meaning: the first sentence of that function's docstring, or ``""``.
        look: kind of its message, timer or command, for colour and shape.
        when: ``3.42``, or ``since 3.10`` if it waits at a door.
        reason: why it cannot be chosen; ``""`` if it can.
        warning: what would go wrong if it were chosen, or ``""``.
    """

    key: str
    event: Mapping[str, Any]
    kind: str
    place: int
    sender: int
    message: int
    label: str
    title: str
    fields: str
    state: str
    word: str
    slot: int
    action: str
    meaning: str
    look: int
    when: str
    waits: bool
    reason: str
    warning: str

    @property
    def choice(self) -> dict[str, Any] | None:
        """The intervention that makes it happen now."""
        found = self.event.get("choose")
        return dict(found) if isinstance(found, Mapping) else None

    @property
    def time(self) -> str:
        """Its time, or since when it waits, as a bare number."""
        return f"{float(self.event.get('time', 0.0)):.2f}"

    @property
    def does(self) -> str:
        """The action of its process: ``sleeping: adopt``."""
        if self.kind in ("fault", "loss", "step") or self.place < 0:
            return ""
        if self.action:
            return f"{self.word or _there()}: {self.action}"
        return tr("{state}: no action", state=self.word)


def _there() -> str:
    """Return the word for the state of a process in a protocol without states."""
    return trc("the only state of a process", "there")


# ---------------------------------------------------------------------- the moment


def situation(
    timeline: Timeline | None, animation: Animation | None = None, taken: Collection[str] = frozenset()
) -> Situation:
    """Return the configuration at the end of what a timeline has."""
    animation = animation or generic()
    if timeline is None:
        return Situation(taken=frozenset(taken), animation=animation)
    codes = np.asarray(timeline.states_at(timeline.length)).tolist()
    known = timeline.states
    return Situation(
        names=tuple(timeline.processes),
        states=tuple(known[code] if 0 <= code < len(known) else "" for code in codes),
        crashed=frozenset(np.flatnonzero(np.asarray(timeline.crashed_at(timeline.length))).tolist()),
        taken=frozenset(taken),
        animation=animation,
        source=read(timeline.trace.source),
        timeline=timeline,
    )


def cards(events: Iterable[Mapping[str, Any]], now: Situation) -> tuple[Card, ...]:
    """Return a card for each enabled event, in order."""
    found: list[Card] = []
    seen: dict[str, int] = {}
    places = {name: number for number, name in enumerate(now.names)}
    for event in events:
        key = _key(event)
        again = seen[key] = seen.get(key, -1) + 1  # Two equal timers are still two.
        found.append(_card(event, now, places, f"{key}#{again}" if again else key))
    return tuple(found)


def _card(event: Mapping[str, Any], now: Situation, places: Mapping[str, int], key: str) -> Card:
    kind, raw = str(event.get("kind", "")), str(event.get("label") or "")
    place, sender = (places.get(event[end], -1) if event.get(end) is not None else -1 for end in ("process", "from"))
    label = now.animation.label(raw) if kind in ("receive", "loss", "timer", "command", "rule") else raw
    look, message = now.animation.kind(raw), event.get("message")
    if message is not None and now.timeline is not None and 0 <= message < now.timeline.m_messages:
        label = word_of(now.timeline, message, now.animation) or label
        look = int(kinds_of_messages(now.timeline, now.animation, np.array([message]))[0])
    state = now.state(place)
    word = now.animation.word(state) if state else ""
    answers = kind in ("receive", "timer", "command", "init", "rule")
    action = str(event.get("action") or "") if answers else ""
    told = now.source.action(state, raw) if action else None
    reason = _why_not(event, now, place)
    warning = ""
    if answers and not action and not reason:
        what, does = tr("the start") if kind == "init" else cited(label, {}), now.source.predicate(state)
        if str(event.get("process")) in now.taken:
            warning = tr(
                "Its table has no action for {event} while it {predicate}.", event=what, predicate=does, state=word
            )
        else:
            warning = tr("Its table has no action for {event} while it {predicate}: the run would stop.",
                         event=what, predicate=does, state=word)  # fmt: skip
    time = float(event.get("time", 0.0))
    waits = bool(event.get("waits"))
    return Card(
        key=key, event=event, kind=kind, place=place, sender=sender, message=-1 if message is None else int(message),
        label=label, title=_title(event, kind, label), fields=_fields(event), state=state, word=word,
        slot=now.animation.slot(state) if state else 7, action=action,
        meaning=told.doc if told is not None and told.function == action else "",
        look=look, when=tr("since {time:.2f}", time=time) if waits else f"{time:.2f}", waits=waits,
        reason=reason, warning=warning,
    )  # fmt: skip


def _key(event: Mapping[str, Any]) -> str:
    if event.get("message") is not None:
        return f"message {event['message']}"
    if event.get("kind") == "rule":
        return f"rule {event.get('process')} {event.get('label')}"
    told = ",".join(f"{name}={value!r}" for name, value in sorted((event.get("fields") or {}).items()))
    return f"{event.get('kind')} {event.get('process')} {event.get('label')} {event.get('time')} {told}"


def _title(event: Mapping[str, Any], kind: str, label: str) -> str:
    who = event.get("process")
    if kind == "receive":
        return f"{label} {event.get('from')} → {who}"
    name = cited(label, {})
    if kind == "loss":
        return tr("{message} {sender} → {receiver} gets lost", message=name, sender=event.get("from"), receiver=who)
    if kind == "init":
        return tr("{process} starts", process=who)
    if kind == "rule":
        return tr("{process} executes {rule}", process=who, rule=name)
    if kind == "step":
        return tr("{process} finishes its step", process=who)
    if kind == "fault":
        words = KINDS[label].coming if label in KINDS else tr("A planned event")
        return words.format(who=who if who is not None else tr("somebody"))
    return tr("{event} at {process}", event=name, process=who)


def _fields(event: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value_text(value, limit=24)}" for name, value in (event.get("fields") or {}).items())


def _why_not(event: Mapping[str, Any], now: Situation, place: int) -> str:
    """Return why an event cannot be chosen, or "" if it can."""
    if event.get("choose") is not None:
        return ""
    kind, who = event.get("kind"), event.get("process")
    if kind == "loss":
        return tr("It never arrives.")
    if kind == "step":
        return tr("It ends on its own.")
    if kind == "fault":
        return tr("It is planned by the experiment.")
    if place in now.crashed:
        return tr("Process {process} has crashed.", process=who)
    return tr("Process {process} is in the middle of a step.", process=who)


# ---------------------------------------------------------------------- words


def played(card: Card) -> str:
    """Return the text for a user who controls the process: ``Wave from 3: forward``."""
    if card.kind == "receive":
        what = tr("{message} from {sender}", message=cited(card.label, {}), sender=card.event.get("from"))
    elif card.kind == "init":
        what = trc("event of the start of a process", "Start")
    elif card.kind == "rule":
        return tr("Rule {rule}", rule=cited(card.label, {}))
    elif card.kind == "timer":
        what = tr("Timer {timer}", timer=cited(card.label, {}))
    elif card.kind == "command":
        what = tr("Command {command}", command=cited(card.label, {}))
    else:
        return card.title
    return f"{what}: {card.action}" if card.action else what


def deed(card: Card, *, by_process: bool = False) -> str:
    """Return the choice as a command of the Edit menu: ``Wave 3 → 5 first``, ``5 takes Wave from 3``."""
    if not by_process:
        return tr("{event} first", event=card.title)
    who = card.event.get("process")
    if card.kind == "receive":
        return tr("{receiver} takes {message} from {sender}",
                  receiver=who, message=cited(card.label, {}), sender=card.event.get("from"))  # fmt: skip
    if card.kind == "rule":
        return tr("{process} executes {rule}", process=who, rule=cited(card.label, {}))
    if card.kind == "init":
        return tr("{process} starts", process=who)
    return tr("{process} takes {event}", process=who, event=cited(card.label, {}))


def spoken(card: Card, refused: str = "") -> str:
    """Return a card in one line for a screen reader."""
    parts = [card.title + (f" ({card.fields})" if card.fields else "")]
    parts.append(tr("waiting {since}", since=card.when) if card.waits else tr("at {time}", time=card.when))
    if card.does:
        parts.append(card.does)
    if refused or card.reason or card.warning:
        parts.append(refused or card.reason or card.warning)
    return "; ".join(part.rstrip(".") for part in parts)


def explained(card: Card, refused: str = "") -> str:
    """Return a card for a tooltip, as rich text."""
    lines = [f"<b>{escape(card.title)}</b>"]
    if card.message >= 0:
        lines[0] += " &nbsp;" + tr("message {message:,}", message=card.message)
    fields = (card.event.get("fields") or {}).items()
    lines += [f"{escape(str(name))} = {escape(value_text(value))}" for name, value in fields]
    if card.waits:
        lines.append(tr("waits at the process {since}", since=card.when))
    else:
        lines.append(tr("would happen at {time}", time=card.when))
    if card.action and card.place >= 0:
        who, action = escape(str(card.event.get("process"))), f"<b>{escape(card.action)}</b>"
        lines.append(tr("{process} is {state} and executes {action}", process=who, state=escape(card.word or _there()),
                        action=action))  # fmt: skip
    if card.meaning:
        lines.append(escape(card.meaning))
    for problem in (refused, card.reason, card.warning):
        if problem:
            lines.append(f"<i>{escape(problem)}</i>")
    return "<br>".join(lines)
