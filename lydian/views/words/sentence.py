"""Events in words: one plain sentence for each, or two or three that also give its reason and its effects."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from lydian.trace.events import Event, Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.contents import contents, edited, falsehood, truth_in, with_contents
from lydian.views.words.ends import closing, opening
from lydian.views.words.faultwords import told
from lydian.views.words.reasons import action_of, because, moment, ring_time, what_it_did, why
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import Words, brief, called, joined, now, plural, reads, state_before, still

__all__ = ["closing", "explain", "line", "narrate", "opening", "sentence"]

#: The largest number of changed variables in one sentence.
MOST_CHANGES = 4
#: Beginnings of a meaning that continue in lower case after a colon.
_BEGINNINGS = ("It ", "Its ", "The ", "A ", "An ", "One ", "Nobody ", "Everybody ", "No ", "All ", "This ")
#: Events to which an action responds, as the beginning of an explanation.
_ACTS = {
    Kind.INIT: "{who} starts",
    Kind.RECEIVE: "{who} receives {label} from {peer}{false}",
    Kind.TIMER: "{who} responds to its timer {label}",
    Kind.COMMAND: "{who} receives the command {label}",
    Kind.RULE: "{who} executes {label}",
}


def sentence(timeline: Timeline, seq: int, animation: Words, *, rich: bool = False) -> str:
    """Return what happens in event ``seq`` as one sentence.

    Args:
        timeline: the execution.
        seq: number of the event, 0 is the first.
        animation: supplies the words for the states.
        rich: write simple HTML, with the process, the message and the new state in bold.

    Raises:
        IndexError: the trace has no such event.
    """
    return _teller(timeline, seq, animation, rich).tell()


def explain(timeline: Timeline, seq: int, animation: Words, *, rich: bool = False) -> str:
    """Return what happens in event ``seq``, the state of its process before, what it meant there, and its effects.

    "Process 5 receives Broadcast from 6 while it is waiting. It already has the news and acknowledges this copy.
    It is still waiting; at 5.6 it sends Ack to 6."

    The meaning is that of :func:`lydian.views.words.reasons.why`; an empty one is left out. An effect (a send, a
    decision) is explained by the event whose action caused it. Arguments and errors are those of :func:`sentence`.
    """
    return _teller(timeline, seq, animation, rich).explain()


def narrate(timeline: Timeline, seq: int, animation: Words, *, rich: bool = False) -> str:
    """Return what happens in event ``seq`` and what it means there, in one or two short sentences.

    "Process 5 receives Broadcast from 6: it already has the news and acknowledges this copy." The meaning is that of
    :func:`explain`; for an event without one this is :func:`sentence`. Arguments and errors are the same.
    """
    return _teller(timeline, seq, animation, rich).narrate()


def _teller(timeline: Timeline, seq: int, animation: Words, rich: bool) -> _Teller:
    if not 0 <= seq < len(timeline.trace):
        raise IndexError(f"there is no event {seq}: the trace has {plural(len(timeline.trace), 'event')}")
    return _Teller(timeline, seq, timeline.trace.event(seq), animation, rich)


class _Teller:
    """The composer of sentences about one event, as plain text or HTML."""

    def __init__(self, timeline: Timeline, seq: int, event: Event, animation: Words, rich: bool) -> None:
        self.timeline, self.seq, self.event, self.animation, self.rich = timeline, seq, event, animation, rich
        self.detail: Mapping[str, Any] = event.detail or {}
        self.who = self.bold(f"Process {event.process}")
        word = called(timeline, seq, animation) or "message"
        self.name = self.bold(word)
        self.label = self.name + self.plain(with_contents(word, contents(timeline, seq)).removeprefix(word))
        self.peer = self.plain(event.peer if event.peer is not None else "an unknown process")

    def plain(self, text: object) -> str:
        return html.escape(str(text), quote=False) if self.rich else str(text)

    def bold(self, text: object) -> str:
        return f"<b>{self.plain(text)}</b>" if self.rich else str(text)

    def tell(self) -> str:
        kind = self.event.kind
        tell = getattr(self, f"_{kind}", None)
        text: str = tell() if tell is not None else f"{self.who}: {self.plain(kind)}"
        return _stopped(text)

    def explain(self) -> str:
        event, code = self.event, int(self.timeline.kind[self.seq])
        did = _ACTS.get(code)
        if did is None:
            return " ".join(part for part in (self.reasoned(), self.aside(code)) if part)
        if code == Kind.RULE:
            meant = self.plain(why(self.timeline, self.seq, self.animation))
            effects = self.plain(what_it_did(self.timeline, self.seq, self.animation))
            parts = (self.tell(), meant, effects[:1].upper() + effects[1:])
            return " ".join(_stopped(part) for part in parts if part)
        what = did.format(who=self.who, label=self.label, peer=self.peer, false=self.false())
        found = state_before(self.timeline, self.seq)
        tells = found is not None and len(self.timeline.states) > 1
        waited = self.detail.get("waited")
        late = f" after a wait of {moment(waited)}" if isinstance(waited, int | float) and waited > 0 else ""
        state = f" while it {self.predicate(found)}" if found is not None and tells else ""
        meant = self.plain(why(self.timeline, self.seq, self.animation))
        effects = self.plain(what_it_did(self.timeline, self.seq, self.animation))
        changes = self.changes("")
        moved = tells and event.state is not None and event.state != found
        if moved or (tells and event.state is not None and (changes or effects)):
            outcome = f"It {self.now() if moved else still(self.predicate(event.state))}"
            outcome = "; ".join(part for part in (outcome, changes, effects) if part)
        else:
            nothing = "Nothing changes" if tells else ""
            outcome = "; ".join(part for part in (changes, effects) if part) or nothing
            outcome = outcome[:1].upper() + outcome[1:] if effects and not changes else outcome
        return " ".join(_stopped(part) for part in (what + late + state, meant, outcome) if part)

    def narrate(self) -> str:
        did = _ACTS.get(int(self.timeline.kind[self.seq]))
        meant = why(self.timeline, self.seq, self.animation) if did is not None else ""
        if did is None or not meant:
            return self.tell()
        what = did.format(who=self.who, label=self.label, peer=self.peer, false=self.false())
        one = meant.rstrip(".!…")
        if ":" not in meant and one.startswith(_BEGINNINGS) and ". " not in one:
            text = f"{what}: {self.emphasised(one[:1].lower() + one[1:])}"
        else:
            text = f"{_stopped(what)} {self.emphasised(meant)}"
        found = state_before(self.timeline, self.seq)
        if self.event.state is not None and found is not None and found != self.event.state:
            text = f"{_stopped(text)} It {self.now()}"
        return _stopped(text)

    def emphasised(self, text: str) -> str:
        """Return a text with the names of messages in bold."""
        out = self.plain(text)
        if self.rich:
            for label in self.timeline.labels:
                called = self.plain(self.animation.label(label))
                if called:
                    out = re.sub(rf"\b{re.escape(called)}\b", lambda found: f"<b>{found.group()}</b>", out)
        return out

    def reasoned(self) -> str:
        """Return the sentence of an event to which no action responds; an effect with the event that caused it."""
        action = action_of(self.timeline, self.seq)
        if action < 0:
            found = state_before(self.timeline, self.seq)
            if int(self.timeline.kind[self.seq]) == Kind.CRASH and found is not None and len(self.timeline.states) > 1:
                return f"{self.who} crashes while it {self.predicate(found)}."
            return self.tell()
        found = state_before(self.timeline, action)
        tells = found is not None and len(self.timeline.states) > 1
        state = f" while it {self.predicate(found)}" if found is not None and tells else ""
        reason = self.plain(because(self.timeline, action, self.animation))
        told = f"{self.tell().rstrip('.')}, because {reason}{state}"
        meant = self.plain(why(self.timeline, action, self.animation))
        return " ".join(_stopped(part) for part in (told, meant) if part)

    def aside(self, code: int) -> str:
        """Return a second sentence about a loss or a crash, or "" if there is none."""
        event = self.event
        if code == Kind.DROP and event.cause is not None and 0 <= event.cause < self.seq:
            return f"It was sent at {moment(float(self.timeline.time[event.cause]))}."
        if code == Kind.CRASH:
            flying = self.timeline.in_flight(self.seq)
            coming = int((self.timeline.message_target[flying] == self.timeline.process[self.seq]).sum())
            if coming:
                return f"{plural(coming, 'message')} {'is' if coming == 1 else 'are'} on the way to it."
        return ""

    # ---- events of a process

    def _init(self) -> str:
        return f"{self.who} starts{self.outcome()}"

    def _receive(self) -> str:
        return f"{self.who} receives {self.label} from {self.peer}{self.false()}{self.outcome()}"

    def _timer(self) -> str:
        return f"{self.who} responds to its timer {self.label}{self.outcome()}"

    def _command(self) -> str:
        return f"{self.who} receives the command {self.label}{self.outcome()}"

    def _rule(self) -> str:
        """Return ``Process 3 executes move: count 2 → 5``, with the state only if it changes."""
        before = state_before(self.timeline, self.seq)
        moved = before is not None and self.event.state is not None and before != self.event.state
        parts = [f"it {self.now()}"] if moved else []
        parts += [self.steps()] if self.detail.get("changed") else []
        return f"{self.who} executes {self.label}" + (f": {'; '.join(parts)}" if parts else " and changes nothing")

    def _send(self) -> str:
        said = f"sends {self.label} to {self.peer}"
        if self.detail.get("babbled"):
            return f"{self.who} babbles: it {said}, which its protocol does not ask for"
        truth = truth_in(self.timeline, self.seq, self.detail)
        if truth:
            return f"{self.who} lies: it {said}; the truth is {self.plain(truth)}"
        return f"{self.who} {said}"

    def _deliver(self) -> str:
        return f"{self.who} delivers {self.value()}"

    def _decide(self) -> str:
        return f"{self.who} decides{self.value(' ')}"

    def _note(self) -> str:
        if "later" in self.detail:
            way = f"the message {self.name} from {self.plain(self.event.process)} to {self.peer}"
            by = float(self.detail["later"])
            verb, how = ("delays", "longer") if by >= 0 else ("speeds up", "less")
            units = "time unit" if abs(by) == 1 else "time units"
            return f"A fault {verb} {way}: it takes {self.plain(value_text(abs(by)))} {units} {how}"
        text = self.plain(self.detail.get("text", ""))
        if "mute" in self.detail or "shown" in self.detail:
            return f"{self.who} {text}"
        if not self.detail.get("outside"):
            return f"{self.who} notes: “{text}”"
        return f"{self.who}: {text}" if self.event.peer is None else text[:1].upper() + text[1:]

    def _intervene(self) -> str:
        if "later" in self.detail:
            return self._note()
        text, name = self.plain(told(self.detail, self.timeline, self.animation)), self.plain(self.event.process)
        who = rf"(?i)\bprocess {re.escape(name)}\b"
        return re.sub(who, lambda found: self.bold(html.unescape(found.group())), text, count=1)

    def _print(self) -> str:
        who = self.who if self.event.process is not None else "A property"
        return f"{who} prints “{self.plain(self.detail.get('text', ''))}”"

    def _timer_set(self) -> str:
        rings = ring_time(self.timeline, self.seq)
        return f"{self.who} sets its timer {self.label}" + ("" if rings is None else f" to expire at {moment(rings)}")

    def _timer_cancel(self) -> str:
        rings = ring_time(self.timeline, self.seq)
        return f"{self.who} cancels its timer {self.label}" + (
            "" if rings is None else f", which was due at {moment(rings)}"
        )

    # ---- events from outside

    def _drop(self) -> str:
        what = f"The message {self.label} from {self.peer} to {self.plain(self.event.process)}{self.false()}"
        reason = self.detail.get("reason")
        if reason == "crash":
            return f"{what} is lost: {self.plain(self.event.process)} has crashed"
        if reason == "link down":
            return f"{what} is lost: the link between them is down"
        if reason == "dropped":
            return f"{what} is removed on purpose"
        if reason in (None, "", "loss"):
            return f"{what} is lost on the way"
        return f"{what} is lost: {self.plain(reason)}"

    def _crash(self) -> str:
        return f"{self.who} crashes"

    def _recover(self) -> str:
        back = f" and {self.now()}" if self.event.state is not None and len(self.timeline.states) > 1 else ""
        return f"{self.who} recovers{back}{self.changes('; ')}"

    def _link_down(self) -> str:
        if self.detail.get("one_way"):
            ends = f"from {self.bold(self.event.process)} to {self.bold(self.peer)}"
            return f"The link {ends} goes down, in this direction only"
        why = ", in a partition" if self.detail.get("partition") else ""
        return f"The link between {self.bold(self.event.process)} and {self.bold(self.peer)} goes down{why}"

    def _link_up(self) -> str:
        if self.detail.get("one_way"):
            ends = f"from {self.bold(self.event.process)} to {self.bold(self.peer)}"
            return f"The link {ends} comes up again, in this direction only"
        return f"The link between {self.bold(self.event.process)} and {self.bold(self.peer)} comes up again"

    def _corrupt(self) -> str:
        if self.event.label is not None:  # a message in transit, recorded at its sender
            told = self.plain(edited(self.detail)) or "nothing changes"
            way = f"the message {self.name} from {self.plain(self.event.process)} to {self.peer}"
            return f"A fault changes {way}: {told}"
        if "byzantine" in self.detail:
            return f"{self.who} {self.plain(self.detail.get('text', 'lies'))}"
        before = state_before(self.timeline, self.seq)
        moved = self.event.state is not None and before is not None and before != self.event.state
        becomes = f"it {self.now()}" if moved else ""
        changes = self.changes("")
        if self.detail.get("start"):
            tells = len(self.timeline.states) > 1 and self.event.state is not None
            given = f" with {changes.replace(' is now ', ' = ')}" if changes else ""
            state = f"{'; it' if given else ' and'} {self.predicate(self.event.state)}" if tells else ""
            return f"{self.who} starts{given}{state}"
        told = "; ".join(part for part in (becomes, changes) if part) or "nothing changes"
        return f"A fault changes {self.bold(f'process {self.event.process}')}: {told}"

    def _inject(self) -> str:
        # An injection is recorded like a send: its process is the sender, its peer the receiver.
        way = f"{self.label} from {self.plain(self.event.process)} to {self.peer}"
        if "copy_of" in self.detail:
            return f"A fault duplicates the message {way}"
        return f"A fault injects the message {way}"

    def _error(self) -> str:
        text = self.detail.get("text") or self.timeline.trace.summary.get("error") or "its action failed"
        if self.event.process is None:
            return f"The run stops: {self.plain(text)}"
        return f"{self.who} fails: {self.plain(text)}"

    # ---- parts

    def predicate(self, state: str | None) -> str:
        """Return the predicate of a state: ``is waiting``, ``wants the resource``."""
        return self.plain(reads(self.timeline, state)) if state is not None else "is as it was"

    def now(self) -> str:
        """Return the predicate of the new state, in bold: ``is now waiting``, ``now wants the resource``."""
        verb, said, rest = now(reads(self.timeline, self.event.state or "")).partition("now ")
        return f"{self.plain(verb + said)}{self.bold(rest)}"

    def outcome(self) -> str:
        """Return the end of a sentence: ``and is now waiting; parent is now 6``, ``and still wants the resource``."""
        changes = self.changes("; ")
        if self.event.state is None or len(self.timeline.states) < 2:
            return changes
        before = state_before(self.timeline, self.seq)
        same = before is None or before == self.event.state
        return f" and {still(self.predicate(self.event.state)) if same else self.now()}{changes}"

    def steps(self) -> str:
        """Return the changes of variables: ``count 2 → 5``."""
        process = int(self.timeline.process[self.seq])
        was = self.timeline.variables(process, self.seq)
        types = read(self.timeline.trace.source).types
        parts = []
        for name, value in list(self.detail["changed"].items())[:MOST_CHANGES]:
            kind = types.get(name, "")
            old = value_text(typed(was[name][0], kind)) if name in was else "?"
            parts.append(self.plain(f"{name} {old} → {value_text(typed(value, kind))}"))
        return ", ".join(parts) + (", …" if len(self.detail["changed"]) > MOST_CHANGES else "")

    def changes(self, lead: str) -> str:
        changed = self.detail.get("changed")
        changed = changed if isinstance(changed, Mapping) else {}
        types = read(self.timeline.trace.source).types
        parts = [
            f"{self.plain(name)} is now {self.plain(value_text(typed(value, types.get(name, ''))))}"
            for name, value in list(changed.items())[:MOST_CHANGES]
        ]
        more = len(changed) - len(parts)
        if more > 0:
            parts.append(f"{plural(more, 'more variable')} {'changes' if more == 1 else 'change'}")
        return lead + joined(parts) if parts else ""

    def false(self) -> str:
        """Return what is false in a message that arrives, and the truth, in brackets."""
        told = falsehood(self.timeline, self.seq)
        return f" ({self.plain(told)})" if told else ""

    def value(self, lead: str = "") -> str:
        value = self.detail.get("value")
        if value is None:
            return "" if lead else "something"
        if isinstance(value, str) and not value.strip():
            return lead + "an empty text"
        text = self.plain(value_text(value))
        return lead + (f"“{text}”" if isinstance(value, str) and " " in text else text)


def line(timeline: Timeline, seq: int) -> str:
    """Return event ``seq`` as a line of text of fixed width: number, time, process, what happens, Lamport time."""
    trace = timeline.trace
    digits = max(len(str(len(trace) - 1)), 3)
    clock = len(f"{timeline.end:.4f}")
    names = max([len(name) for name in trace.processes] or [1])
    name = trace.processes[timeline.process[seq]] if timeline.process[seq] >= 0 else ""
    what = brief(timeline, seq)
    whole = len(what) <= 64 or int(timeline.kind[seq]) == Kind.PRINT  # printed text is never cut
    return (
        f"{seq:>{digits}}  {float(timeline.time[seq]):>{clock}.4f}  {name:>{names}}  "
        f"{what if whole else what[:63] + '…':<64}  {int(timeline.lamport[seq]):>{digits}}"
    )


def _stopped(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", ".”")) else text + "."
