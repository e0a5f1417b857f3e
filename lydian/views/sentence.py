"""Every event in words: one plain sentence each, and a sentence before the first and after the last."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lydian.trace.events import Kind
from lydian.views.source import read
from lydian.views.words import Words, brief, joined, number, plural, state_before, value_text

if TYPE_CHECKING:
    from lydian.trace.events import Event
    from lydian.trace.timeline import Timeline

__all__ = ["closing", "line", "opening", "sentence"]

#: Longest list of changed variables in one sentence.
MOST_CHANGES = 4


def sentence(timeline: Timeline, seq: int, animation: Words, *, rich: bool = False) -> str:
    """What happens in event ``seq``, as one sentence.

    Args:
        timeline: the execution.
        seq: number of the event, 0 is the first.
        animation: gives the words for the states.
        rich: as simple HTML, with the process, the message and the new state in bold.

    Raises:
        IndexError: there is no such event.
    """
    if not 0 <= seq < len(timeline.trace):
        raise IndexError(f"there is no event {seq}: the trace has {plural(len(timeline.trace), 'event')}")
    event = timeline.trace.event(seq)
    teller = _Teller(timeline, seq, event, animation, rich)
    return teller.tell()


class _Teller:
    """The words of one event, plain or rich."""

    def __init__(self, timeline: Timeline, seq: int, event: Event, animation: Words, rich: bool) -> None:
        self.timeline, self.seq, self.event, self.animation, self.rich = timeline, seq, event, animation, rich
        self.detail: Mapping[str, Any] = event.detail or {}
        self.who = self.bold(f"Process {event.process}")
        self.label = self.bold(animation.label(event.label) if event.label else "message")
        self.peer = self.plain(event.peer if event.peer is not None else "nobody")

    def plain(self, text: object) -> str:
        return html.escape(str(text), quote=False) if self.rich else str(text)

    def bold(self, text: object) -> str:
        return f"<b>{self.plain(text)}</b>" if self.rich else str(text)

    def tell(self) -> str:
        kind = self.event.kind
        tell = getattr(self, f"_{kind}", None)
        text: str = tell() if tell is not None else f"{self.who}: {self.plain(kind)}"
        return text if text.endswith((".", "!", "?", ".”")) else text + "."

    # what a process does

    def _init(self) -> str:
        return f"{self.who} starts {self.outcome()}"

    def _receive(self) -> str:
        return f"{self.who} receives {self.label} from {self.peer}{self.fields()} {self.outcome()}"

    def _timer(self) -> str:
        return f"{self.who} hears its timer {self.label} {self.outcome()}"

    def _command(self) -> str:
        return f"{self.who} gets the command {self.label}{self.fields()} {self.outcome()}"

    def _rule(self) -> str:
        return f"{self.who} applies the rule {self.label} {self.outcome()}"

    def _send(self) -> str:
        return f"{self.who} sends {self.label} to {self.peer}{self.fields()}"

    def _deliver(self) -> str:
        return f"{self.who} delivers {self.value()}"

    def _decide(self) -> str:
        return f"{self.who} decides{self.value(' ')}"

    def _note(self) -> str:
        return f"{self.who} notes: “{self.plain(self.detail.get('text', ''))}”"

    # what happens to it

    def _drop(self) -> str:
        what = f"The {self.label} from {self.peer} to {self.plain(self.event.process)}"
        reason = self.detail.get("reason")
        if reason == "crash":
            return f"{what} is lost: {self.plain(self.event.process)} has crashed"
        if reason == "link down":
            return f"{what} is lost: the link between them is down"
        if reason == "dropped":
            return f"{what} is taken away on purpose"
        if reason in (None, "", "loss"):
            return f"{what} is lost on the way"
        return f"{what} is lost: {self.plain(reason)}"

    def _crash(self) -> str:
        return f"{self.who} crashes"

    def _recover(self) -> str:
        return f"{self.who} recovers and is {self.state()} again{self.changes('; ')}"

    def _link_down(self) -> str:
        return f"The link between {self.bold(self.event.process)} and {self.bold(self.peer)} goes down"

    def _link_up(self) -> str:
        return f"The link between {self.bold(self.event.process)} and {self.bold(self.peer)} comes up again"

    def _corrupt(self) -> str:
        before = state_before(self.timeline, self.seq)
        moved = self.event.state is not None and before is not None and before != self.event.state
        becomes = f"it is {self.state()} now" if moved else ""
        changes = self.changes("")
        told = "; ".join(part for part in (becomes, changes) if part) or "nothing differs"
        return f"A fault changes {self.bold(f'process {self.event.process}')}: {told}"

    def _inject(self) -> str:
        # written like a send: process = sender, peer = receiver
        way = f"{self.label} from {self.plain(self.event.process)} to {self.peer}"
        if "copy_of" in self.detail:
            return f"A fault makes a second copy of {way}{self.fields()}"
        return f"A fault puts {way} on its way{self.fields()}"

    def _error(self) -> str:
        text = self.detail.get("text") or self.timeline.trace.summary.get("error") or "its action failed"
        if self.event.process is None:
            return f"The run stops: {self.plain(text)}"
        return f"{self.who} fails: {self.plain(text)}"

    # parts

    def state(self) -> str:
        state = self.event.state
        return self.bold("somewhere") if state is None else self.bold(self.animation.word(state))

    def outcome(self) -> str:
        """``and becomes waiting; parent is now 6``."""
        changes = self.changes("; ")
        if self.event.state is None:
            return "and acts" + changes
        before = state_before(self.timeline, self.seq)
        same = before is None or before == self.event.state
        stays = (
            f"and stays {self.plain(self.animation.word(self.event.state))}" if same else f"and becomes {self.state()}"
        )
        return stays + changes

    def changes(self, lead: str) -> str:
        changed = self.detail.get("changed") or {}
        sets = read(self.timeline.trace.source).sets
        parts = [
            f"{self.plain(name)} is now {self.plain(value_text(value, is_set=name in sets))}"
            for name, value in list(changed.items())[:MOST_CHANGES]
        ]
        more = len(changed) - len(parts)
        if more > 0:
            parts.append(f"{plural(more, 'more variable')} {'changes' if more == 1 else 'change'}")
        return lead + joined(parts) if parts else ""

    def fields(self) -> str:
        fields = self.detail.get("fields") or {}
        if not fields:
            return ""
        told = [f"{self.plain(name)} {self.plain(value_text(value))}" for name, value in list(fields.items())[:3]]
        return f" ({', '.join(told)}{', …' if len(fields) > 3 else ''})"

    def value(self, lead: str = "") -> str:
        value = self.detail.get("value")
        if value is None:
            return "" if lead else "something"
        if isinstance(value, str) and not value.strip():
            return lead + "an empty text"
        text = self.plain(value_text(value))
        return lead + (f"“{text}”" if isinstance(value, str) and " " in text else text)


def opening(timeline: Timeline, experiment: Any = None) -> str:
    """The sentence before the first event: what the experiment is about, else its parts.

    Args:
        experiment: an object or a dict with ``about``, ``protocol``, ``network``; the trace's own if ``None``.
    """
    trace = timeline.trace
    source = trace.experiment if experiment is None else experiment
    about = str(_field(source, "about") or "").strip()
    if about:
        return _first_sentence(about)
    title = str(trace.summary.get("protocol_title") or _field(source, "protocol") or "The protocol")
    network = _field(source, "network")
    where = network if isinstance(network, str) else getattr(network, "name", None) or _field(network, "name")
    links = trace.network.get("links", trace.network.get("edges"))
    size = plural(len(trace.processes), "process") + (f" and {plural(len(links), 'link')}" if links else "")
    return f"{title} on {where}: {size}." if where else f"{title} on {size}."


def closing(timeline: Timeline) -> str:
    """The sentence after the last event: how the run ended, what holds, and its price."""
    trace = timeline.trace
    summary = trace.summary
    messages = int(np.count_nonzero(timeline.kind == Kind.SEND))
    price = f"{plural(messages, 'message')}, time {number(timeline.end)}"
    stopped = summary.get("stopped")
    if stopped is None:
        return f"So far: {price}."
    if stopped == "error" or summary.get("error"):
        reason = str(summary.get("error") or "an action failed").rstrip(".")
        return f"The run failed: {reason}; {price}."
    checks = [check for check in summary.get("checks", ()) if isinstance(check, Mapping)]
    broken = [str(check.get("name")) for check in checks if check.get("holds") is False]
    if stopped == "quiescent":
        lead = _decided(summary) or _achieved(checks)
    elif stopped == "until":
        lead = "Time is up"
    elif stopped == "limit":
        lead = f"The limit is reached after {plural(len(trace), 'event')}"
    else:
        lead = "Stopped at the first violation" if broken else "Stopped"
    if broken:
        quoted = [f"“{name}”" for name in broken]
        said = joined(quoted if len(quoted) <= 3 else [*quoted[:2], f"{len(quoted) - 2} more properties"])
        verb = "does not hold" if len(broken) == 1 else "do not hold"
        lead = f"{lead}: {said} {verb}" if stopped != "quiescent" else f"Nothing is left to do, but {said} {verb}"
    flying = len(timeline.in_flight(len(trace), timeline.end))
    still = f", {plural(flying, 'message')} still on {'its' if flying == 1 else 'their'} way" if flying else ""
    return f"{lead}; {price}{still}."


def _decided(summary: Mapping[str, Any]) -> str:
    """What was decided, if that is a sentence and everybody who decided said the same."""
    decided = summary.get("decided")
    said = set(map(str, decided.values())) if isinstance(decided, Mapping) else set()
    text = said.pop().strip().rstrip(".") if len(said) == 1 else ""
    return text[:1].upper() + text[1:] if " " in text else ""


def _achieved(checks: Sequence[Mapping[str, Any]]) -> str:
    """What holds at the end, as the beginning of a sentence."""
    reached = [
        str(c.get("name")) for c in checks if c.get("holds") is True and c.get("kind") in ("at_end", "eventually")
    ]
    if not reached:
        return "Nothing is left to do"
    if len(reached) > 2:
        return f"All {len(reached)} goals are reached"
    said = joined([name.rstrip(".") for name in reached])
    return said[:1].upper() + said[1:]


def line(timeline: Timeline, seq: int) -> str:
    """One line of text for event ``seq``: number, time, process, what happens, Lamport time; all lines equally wide."""
    trace = timeline.trace
    digits = max(len(str(len(trace) - 1)), 3)
    clock = len(f"{timeline.end:.4f}")
    names = max([len(name) for name in trace.processes] or [1])
    name = trace.processes[timeline.process[seq]] if timeline.process[seq] >= 0 else ""
    what = brief(timeline, seq)
    return (
        f"{seq:>{digits}}  {float(timeline.time[seq]):>{clock}.4f}  {name:>{names}}  "
        f"{what if len(what) <= 48 else what[:47] + '…':<48}  {int(timeline.lamport[seq]):>{digits}}"
    )


def _field(source: Any, name: str) -> Any:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def _first_sentence(text: str) -> str:
    text = " ".join(text.split())
    end = next((i + 1 for i, sign in enumerate(text) if sign in ".!?" and text[i + 1 : i + 2] in ("", " ")), len(text))
    said = text[:end]
    return said if said.endswith((".", "!", "?")) else said + "."
