"""Events in words: one plain sentence for each, or two or three that also give its reason and its effects."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from lydian.language import tr, translated, trc, trn
from lydian.model.protocol.program import NEXT, condition_of, inner
from lydian.trace.accesses import access_of
from lydian.trace.events import Event, Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.accesses import accessed
from lydian.views.words.contents import cited, edited, falsehood, shows, truth_in
from lydian.views.words.ends import closing, opening
from lydian.views.words.faultwords import told
from lydian.views.words.phrases import clauses, joined, quotation, stopped, tally
from lydian.views.words.reasons import ACTED, action_of, because, moment, ring_time, what_it_did, why
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import (
    Words,
    awaited,
    begins_program,
    brief,
    called,
    is_perfect,
    named,
    now,
    plural,
    reads,
    state_before,
    still,
)

__all__ = ["closing", "explain", "line", "narrate", "opening", "sentence"]

#: The largest number of changed variables in one sentence.
MOST_CHANGES = 4
#: Beginnings of a meaning that continue in lower case after a colon.
_BEGINNINGS = ("It ", "Its ", "The ", "A ", "An ", "One ", "Nobody ", "Everybody ", "No ", "All ", "This ")


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
        self.who = self.bold(tr("Process {process}", process=event.process))
        word = cited(called(timeline, seq, animation) or tr("message"), {})
        self.name = self.bold(word)
        self.label = self.name + self.plain(named(timeline, seq, animation).removeprefix(word))
        self.peer = self.plain(event.peer if event.peer is not None else tr("an unknown process"))

    def plain(self, text: object) -> str:
        return html.escape(str(text), quote=False) if self.rich else str(text)

    def bold(self, text: object) -> str:
        return f"<b>{self.plain(text)}</b>" if self.rich else str(text)

    def tell(self) -> str:
        kind = self.event.kind
        tell = getattr(self, f"_{kind}", None)
        text: str = tell() if tell is not None else f"{self.who}: {self.plain(kind)}"
        return stopped(text)

    def explain(self) -> str:
        event, code = self.event, int(self.timeline.kind[self.seq])
        if code not in ACTED:
            return " ".join(part for part in (self.reasoned(), self.aside(code)) if part)
        if code == Kind.RULE:
            meant = self.plain(why(self.timeline, self.seq, self.animation))
            effects = self.plain(what_it_did(self.timeline, self.seq, self.animation))
            parts = (self.tell(), meant, effects[:1].upper() + effects[1:])
            return " ".join(stopped(part) for part in parts if part)
        what, waited = self.act(code), self.detail.get("waited")
        if isinstance(waited, int | float) and waited > 0:
            what = tr("{sentence} after a wait of {time}", sentence=what, time=moment(waited))
        found = state_before(self.timeline, self.seq)
        tells = found is not None and len(self.timeline.states) > 1
        meant = self.plain(why(self.timeline, self.seq, self.animation))
        effects = self.plain(what_it_did(self.timeline, self.seq, self.animation))
        changes = self.changes()
        moved = tells and event.state is not None and event.state != found
        if moved:
            outcome = clauses(tr("It {becomes}", becomes=self.now(), state=self.now_word()), changes, effects)
        elif tells and event.state is not None and (changes or effects):
            stays = still(self.predicate(event.state))
            outcome = tr("It {stays}", stays=stays, state=self.word(event.state))
            outcome = clauses(outcome, changes, effects)
        else:
            nothing = tr("Nothing changes") if tells else ""
            outcome = clauses(changes, effects) or nothing
            outcome = outcome[:1].upper() + outcome[1:] if effects and not changes else outcome
        return " ".join(stopped(part) for part in (self.during(what, found), meant, outcome) if part)

    def narrate(self) -> str:
        code = int(self.timeline.kind[self.seq])
        meant = why(self.timeline, self.seq, self.animation) if code in ACTED else ""
        if not meant:
            return self.tell()
        what = self.act(code)
        one = meant.rstrip(".!…")
        if ":" not in meant and one.startswith(_BEGINNINGS) and ". " not in one:
            text = tr("{sentence}: {meaning}", sentence=what, meaning=self.emphasised(one[:1].lower() + one[1:]))
        else:
            text = f"{stopped(what)} {self.emphasised(meant)}"
        found = state_before(self.timeline, self.seq)
        if self.event.state is not None and found is not None and found != self.event.state:
            text = f"{stopped(text)} {tr('It {becomes}', becomes=self.now(), state=self.now_word())}"
        return stopped(text)

    def act(self, code: int) -> str:
        """Return an event to which an action responds, as the beginning of a sentence."""
        if code == Kind.INIT:
            return tr("{process} starts", process=self.who)
        if code == Kind.RECEIVE:
            sender = self.peer + self.false()
            return tr("{process} receives {message} from {sender}", process=self.who, message=self.label, sender=sender)
        if code == Kind.TIMER:
            return tr("{process} responds to its timer {timer}", process=self.who, timer=self.label)
        if code == Kind.COMMAND:
            return tr("{process} receives the command {command}", process=self.who, command=self.label)
        if begins_program(self.timeline, self.seq):
            return tr("{process} begins its program", process=self.who)
        return tr("{process} executes {rule}", process=self.who, rule=self.label)

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
        """Return the sentence of an event to which no action responds; that of an effect
        includes the event that caused it.
        """
        action = action_of(self.timeline, self.seq)
        unasked = "babbled" in self.detail or "shown" in self.detail  # a Byzantine process needs no reason
        if action < 0 or unasked:
            if int(self.timeline.kind[self.seq]) != Kind.CRASH:
                return self.tell()
            return stopped(self.during(self._crash(), state_before(self.timeline, self.seq)))
        found, parts = state_before(self.timeline, action), {"sentence": self.tell().rstrip(".")}
        parts["reason"] = self.during(self.plain(because(self.timeline, action, self.animation)), found)
        if "mute" in self.detail:
            told = tr("{sentence}. It should, because {reason}", **parts)
        elif "lied" in self.detail:
            told = tr("{sentence}. It sends the message because {reason}", **parts)
        else:
            told = tr("{sentence}, because {reason}", **parts)
        meant = self.plain(why(self.timeline, action, self.animation))
        return " ".join(stopped(part) for part in (told, meant) if part)

    def during(self, text: str, state: str | None) -> str:
        """Return a clause with the state of the process at that moment, if the protocol has several states."""
        if state is None or len(self.timeline.states) < 2:
            return text
        predicate = reads(self.timeline, state)
        values = {"sentence": text, "predicate": self.plain(predicate), "state": self.word(state)}
        if predicate.startswith("has not ") and is_perfect(predicate.replace("not ", "", 1)):
            values["done"] = self.plain(predicate.replace("not ", "", 1))
            return tr("{sentence} before it {done}", **values)
        if is_perfect(predicate):
            values["done"] = self.plain(still(predicate))
            return tr("{sentence} when it {done}", **values)
        return tr("{sentence} while it {predicate}", **values)

    def aside(self, code: int) -> str:
        """Return a second sentence about a loss or a crash, or "" if there is none."""
        event = self.event
        if code == Kind.DROP and event.cause is not None and 0 <= event.cause < self.seq:
            sent = moment(float(self.timeline.time[event.cause]))
            return trc("a message", "It was sent at time {time}.", time=sent)
        if code == Kind.CRASH:
            flying = self.timeline.in_flight(self.seq)
            coming = int((self.timeline.message_target[flying] == self.timeline.process[self.seq]).sum())
            if coming:
                return trn("{count:,} message is on the way to it.", "{count:,} messages are on the way to it.", coming)
        return ""

    # ---- events of a process

    def _init(self) -> str:
        return self.outcome(self.act(Kind.INIT))

    def _receive(self) -> str:
        return self.outcome(self.act(Kind.RECEIVE))

    def _timer(self) -> str:
        return self.outcome(self.act(Kind.TIMER))

    def _command(self) -> str:
        return self.outcome(self.act(Kind.COMMAND))

    def _rule(self) -> str:
        """Return ``Process 3 executes move: count 2 → 5``, with the state only if it changes."""
        before = state_before(self.timeline, self.seq)
        moved = before is not None and self.event.state is not None and before != self.event.state
        becomes = tr("it {becomes}", becomes=self.now(), state=self.now_word()) if moved else ""
        changes = clauses(becomes, self.steps() if self.changed() else "")
        access = access_of(self.detail)
        if access is not None:
            does = self.plain(accessed(access))
            if not changes:
                return tr("{process} {does}", process=self.who, does=does)
            return tr("{process} {does}: {changes}", process=self.who, does=does, changes=changes)
        if begins_program(self.timeline, self.seq):
            return self._program_begins(changes)
        over = condition_of(self.event.label or "")
        if over and changes:
            words = {"process": self.who, "condition": self.plain(over), "changes": changes}
            return tr("{process} stops waiting for “{condition}”: {changes}", **words)
        awaits = self.plain(awaited(self.detail))
        if not changes and awaits:
            return tr("{process} executes {rule} and now waits for “{condition}”", process=self.who, rule=self.label,
                      condition=awaits)  # fmt: skip
        if not changes and NEXT in (self.detail.get("changed") or {}):
            return tr("{process} executes {rule}", process=self.who, rule=self.label)
        if not changes:
            return tr("{process} executes {rule} and changes nothing", process=self.who, rule=self.label)
        return tr("{process} executes {rule}: {changes}", process=self.who, rule=self.label, changes=changes)

    def _program_begins(self, changes: str) -> str:
        """Return ``Process 3 begins its program``, with what it changes or waits for."""
        if changes:
            return tr("{process} begins its program: {changes}", process=self.who, changes=changes)
        awaits = self.plain(awaited(self.detail))
        if awaits:
            words = {"process": self.who, "condition": awaits}
            return tr("{process} begins its program and waits for “{condition}”", **words)
        return tr("{process} begins its program", process=self.who)

    def _send(self) -> str:
        told = {"process": self.who, "message": self.label, "receiver": self.peer}
        if self.detail.get("babbled"):
            return tr(
                "{process} babbles: it sends {message} to {receiver}, which its protocol does not ask for", **told
            )
        truth = self.plain(truth_in(self.timeline, self.seq, self.detail))
        if truth:
            return tr("{process} lies: it sends {message} to {receiver}; the truth is {truth}", truth=truth, **told)
        return tr("{process} sends {message} to {receiver}", **told)

    def _deliver(self) -> str:
        return tr("{process} delivers {value}", process=self.who, value=self.value() or tr("something"))

    def _decide(self) -> str:
        value = self.value()
        if not value:
            return tr("{process} decides", process=self.who)
        return tr("{process} decides {value}", process=self.who, value=value)

    def _note(self) -> str:
        if "later" in self.detail:
            return self._delayed(float(self.detail["later"]))
        text = self.plain(self.detail.get("text", ""))
        if "mute" in self.detail:
            told = {"process": self.who, "message": self.label, "receiver": self.peer}
            return tr("{process} is silent: it does not send {message} to {receiver}", **told)
        if "shown" in self.detail:
            return f"{self.who} {self.plain(shows(self.detail))}"
        if not self.detail.get("outside"):
            return tr("{process} notes: “{text}”", process=self.who, text=text)
        return f"{self.who}: {text}" if self.event.peer is None else text[:1].upper() + text[1:]

    def _delayed(self, by: float) -> str:
        told = self.transit() | {"time": self.plain(value_text(abs(by)))}
        if by >= 0:
            return trn(
                "A fault delays the message {message} from {sender} to {receiver}: it takes {time} time unit longer",
                "A fault delays the message {message} from {sender} to {receiver}: it takes {time} time units longer",
                tally(abs(by)),
                **told,
            )
        return trn(
            "A fault speeds up the message {message} from {sender} to {receiver}: it takes {time} time unit less",
            "A fault speeds up the message {message} from {sender} to {receiver}: it takes {time} time units less",
            tally(abs(by)),
            **told,
        )

    def _intervene(self) -> str:
        if "later" in self.detail:
            return self._note()
        text = self.plain(told(self.detail, self.timeline, self.animation))
        who = re.escape(self.plain(tr("Process {process}", process=self.event.process)))
        named = re.compile(rf"\b{who}\b", re.IGNORECASE)
        return named.sub(lambda found: self.bold(html.unescape(found.group())), text, count=1)

    def _print(self) -> str:
        text = self.plain(self.detail.get("text", ""))
        if self.event.process is None:
            return tr("A property prints “{text}”", text=text)
        return tr("{process} prints “{text}”", process=self.who, text=text)

    def _timer_set(self) -> str:
        rings = ring_time(self.timeline, self.seq)
        if rings is None:
            return tr("{process} sets its timer {timer}", process=self.who, timer=self.label)
        time = moment(rings)
        return tr(
            "{process} sets its timer {timer} to expire at time {time}",
            process=self.who, timer=self.label, time=time,
        )  # fmt: skip

    def _timer_cancel(self) -> str:
        rings = ring_time(self.timeline, self.seq)
        if rings is None:
            return tr("{process} cancels its timer {timer}", process=self.who, timer=self.label)
        time = moment(rings)
        return tr(
            "{process} cancels its timer {timer}, which was due at time {time}",
            process=self.who, timer=self.label, time=time,
        )  # fmt: skip

    # ---- events from outside

    def _drop(self) -> str:
        reason, receiver = self.detail.get("reason"), self.plain(self.event.process)
        told = {
            "message": self.label, "sender": self.peer, "receiver": receiver + self.false(), "process": receiver,
        }  # fmt: skip
        if reason == "crash":
            return tr(
                "The message {message} from {sender} to {receiver} is lost: process {process} has crashed", **told
            )
        if reason == "link down":
            return tr(
                "The message {message} from {sender} to {receiver} is lost: the link between them is down", **told
            )
        if reason == "dropped":
            return tr("The message {message} from {sender} to {receiver} is removed on purpose", **told)
        if reason in (None, "", "loss"):
            return tr("The message {message} from {sender} to {receiver} is lost on the way", **told)
        told["reason"] = self.plain(reason)
        return tr("The message {message} from {sender} to {receiver} is lost: {reason}", **told)

    def _crash(self) -> str:
        return tr("{process} crashes", process=self.who)

    def _recover(self) -> str:
        text = tr("{process} recovers", process=self.who)
        if self.event.state is not None and len(self.timeline.states) > 1:
            text = self.becoming(text)
        return clauses(text, self.changes())

    def _link_down(self) -> str:
        a, b = self.bold(self.event.process), self.bold(self.peer)
        if self.detail.get("one_way"):
            return tr("The link from {sender} to {receiver} goes down, in this direction only", sender=a, receiver=b)
        if self.detail.get("partition"):
            return tr("The link between {first} and {second} goes down, in a partition", first=a, second=b)
        return tr("The link between {first} and {second} goes down", first=a, second=b)

    def _link_up(self) -> str:
        a, b = self.bold(self.event.process), self.bold(self.peer)
        if self.detail.get("one_way"):
            return tr(
                "The link from {sender} to {receiver} comes up again, in this direction only", sender=a, receiver=b
            )
        return tr("The link between {first} and {second} comes up again", first=a, second=b)

    def _corrupt(self) -> str:
        if self.event.label is not None:  # a message in transit, recorded at its sender
            told = self.plain(edited(self.detail)) or tr("nothing changes")
            return tr(
                "A fault changes the message {message} from {sender} to {receiver}: {changes}",
                changes=told, **self.transit(),
            )  # fmt: skip
        if "byzantine" in self.detail:
            text = self.detail.get("text")
            if text is None:
                return tr("{process} lies", process=self.who)
            return f"{self.who} {self.plain(translated(text))}"
        if self.detail.get("start"):
            return self._begin()
        before = state_before(self.timeline, self.seq)
        moved = self.event.state is not None and before is not None and before != self.event.state
        becomes = tr("it {becomes}", becomes=self.now(), state=self.now_word()) if moved else ""
        told = clauses(becomes, self.changes()) or tr("nothing changes")
        who = self.bold(tr("process {process}", process=self.event.process))
        return tr("A fault changes {process}: {changes}", process=who, changes=told)

    def _begin(self) -> str:
        """Return how a process starts with other values or in another state than the protocol declares."""
        values, state = self.changes(start=True), self.event.state
        tells = state is not None and len(self.timeline.states) > 1
        told = {"process": self.who, "values": values}
        if state is not None and tells:
            told |= {"predicate": self.predicate(state), "state": self.word(state)}
            if values:
                return tr("{process} starts with {values}; it {predicate}", **told)
            return tr("{process} starts and {predicate}", **told)
        return tr("{process} starts with {values}", **told) if values else tr("{process} starts", **told)

    def _inject(self) -> str:
        # An injection is recorded like a send: its process is the sender, its peer the receiver.
        told = self.transit() | {"message": self.label}
        if "copy_of" in self.detail:
            return tr("A fault duplicates the message {message} from {sender} to {receiver}", **told)
        return tr("A fault injects the message {message} from {sender} to {receiver}", **told)

    def _error(self) -> str:
        text = self.detail.get("text") or self.timeline.trace.summary.get("error")
        reason = self.plain(text or tr("its action failed"))
        if self.event.process is None:
            return tr("The run stops: {reason}", reason=reason)
        return tr("{process} fails: {reason}", process=self.who, reason=reason)

    # ---- parts

    def transit(self) -> dict[str, str]:
        """Return the words for the message of an event that is recorded at its sender."""
        return {"message": self.name, "sender": self.plain(self.event.process), "receiver": self.peer}

    def word(self, state: str) -> str:
        """Return the word for a state: ``waiting``."""
        return self.plain(self.animation.word(state))

    def now_word(self) -> str:
        """Return the word for the new state, in bold."""
        return self.bold(self.animation.word(self.event.state or ""))

    def predicate(self, state: str) -> str:
        """Return the predicate of a state: ``is waiting``, ``wants the resource``."""
        return self.plain(reads(self.timeline, state))

    def now(self) -> str:
        """Return the predicate of the new state, in bold: ``is now waiting``, ``now wants the resource``."""
        verb, said, rest = now(reads(self.timeline, self.event.state or "")).partition("now ")
        return f"{self.plain(verb + said)}{self.bold(rest)}"

    def becoming(self, text: str) -> str:
        """Return a sentence with the new state of the process: ``and is now waiting``."""
        return tr("{sentence} and {becomes}", sentence=text, becomes=self.now(), state=self.now_word())

    def outcome(self, text: str) -> str:
        """Return a sentence with the state after the event and the changes: ``and is now waiting; parent is now 6``."""
        state = self.event.state
        if state is not None and len(self.timeline.states) > 1:
            before = state_before(self.timeline, self.seq)
            if before is None or before == state:
                stays = still(self.predicate(state))
                text = tr("{sentence} and {stays}", sentence=text, stays=stays, state=self.word(state))
            else:
                text = self.becoming(text)
        return clauses(text, self.changes())

    def changed(self) -> dict[str, Any]:
        """Return the variables that changed and their new values, without the place in a program."""
        changed = self.detail.get("changed")
        return {k: v for k, v in changed.items() if not inner(k)} if isinstance(changed, Mapping) else {}

    def steps(self) -> str:
        """Return the changes of variables: ``count 2 → 5``."""
        process = int(self.timeline.process[self.seq])
        was = self.timeline.variables(process, self.seq)
        types = read(self.timeline.trace.source).types
        parts = []
        changed = self.changed()
        for name, value in list(changed.items())[:MOST_CHANGES]:
            kind = types.get(name, "")
            old = value_text(typed(was[name][0], kind)) if name in was else "?"
            parts.append(self.plain(f"{name} {old} → {value_text(typed(value, kind))}"))
        return ", ".join(parts) + (", …" if len(changed) > MOST_CHANGES else "")

    def changes(self, *, start: bool = False) -> str:
        """Return the new values of variables: ``parent is now 6``; with ``start``, ``parent = 6``."""
        changed = self.changed()
        types = read(self.timeline.trace.source).types
        parts = []
        for name, value in list(changed.items())[:MOST_CHANGES]:
            variable, text = self.plain(name), self.plain(value_text(typed(value, types.get(name, ""))))
            equation = f"{variable} = {text}"
            parts.append(equation if start else tr("{variable} is now {value}", variable=variable, value=text))
        more = len(changed) - len(parts)
        if more > 0:
            parts.append(trn("{count:,} more variable changes", "{count:,} more variables change", more))
        return joined(parts)

    def false(self) -> str:
        """Return what is false in a message that arrives, and the truth, in brackets."""
        told = falsehood(self.timeline, self.seq)
        return f" ({self.plain(told)})" if told else ""

    def value(self) -> str:
        """Return the value that is delivered or decided, or "" if there is none."""
        value = self.detail.get("value")
        if value is None:
            return ""
        if isinstance(value, str) and not value.strip():
            return tr("an empty text")
        text = self.plain(value_text(value))
        return quotation(text) if isinstance(value, str) and " " in text else text


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
