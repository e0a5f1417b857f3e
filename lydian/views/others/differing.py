"""The divergence of two executions in words: a sentence for a bar above the views, lines for a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.trace.events import Event
from lydian.trace.timeline import Timeline
from lydian.views.words.reasons import moment
from lydian.views.words.sentence import sentence
from lydian.views.words.words import Words, brief, joined, plural, reads, value_text

if TYPE_CHECKING:
    from lydian.trace.difference import Difference

__all__ = ["headline", "link_lines", "process_lines", "verdict"]

#: The words for columns in sentences; other columns keep their names.
_CALLED = {
    "message": "number of the message",
    "lamport": "Lamport time",
    "chain": "length of the longest chain",
    "cause": "number of its cause",
    "bits": "size",
    "detail": "contents",
}
#: Parts of a detail that describe the event itself.
_TOLD = ("fields", "changed", "value", "text", "reason", "kept", "copy_of", "waited", "busy")


def verdict(difference: Difference | None, a: Timeline, names: tuple[str, str] = ("A", "B")) -> str:
    """Return whether two runs are the same, and for how long, in one short sentence."""
    if difference is None:
        return f"{names[0]} and {names[1]} are the same: {plural(a.events, 'event')}."
    if difference.seq == 0:
        return f"{names[0]} and {names[1]} differ from the first event on."
    last = moment(float(a.time[difference.seq - 1]))
    same = "event is" if difference.seq == 1 else "events are"
    return f"The first {'' if difference.seq == 1 else f'{difference.seq:,} '}{same} the same, up to time {last}."


def headline(
    difference: Difference, a: Timeline, b: Timeline, animation: Words, names: tuple[str, str] = ("A", "B")
) -> str:
    """Return how two runs diverge, in one or two sentences.

    Args:
        difference: of the traces of the two timelines.
        animation: gives the words for states and messages.
        names: what the two runs are called.
    """
    first, second = difference.a, difference.b
    if first is None or second is None:
        ended, goes = names if first is None else names[::-1]
        timeline, seq = (b, difference.seq) if first is None else (a, difference.seq)
        return f"Then {ended} ends, and {goes} continues at {_at(timeline, seq)}: {sentence(timeline, seq, animation)}"
    told = sentence(a, difference.seq, animation), sentence(b, difference.seq, animation)
    if difference.kind == "time":
        times = _apart(first.time, second.time)
        when = f"at {times[0]} in {names[0]} and at {times[1]} in {names[1]}"
        if told[0] == told[1]:
            return f"Then the same happens {when}: {told[0]}"
        return f"Then the same happens {when}, with a difference. {names[0]}: {told[0]} {names[1]}: {told[1]}"
    if difference.kind == "state":
        states = [
            reads(timeline, each.state) if each.state is not None else "has no state"
            for timeline, each in ((a, first), (b, second))
        ]
        what = f"{'' if first.process is None else f'process {first.process} '}{brief(a, difference.seq, animation)}"
        what = what.split(" → ")[0]
        lead = f"Then, at {moment(first.time)}, {what} in both:"
        return f"{lead} it {states[0]} in {names[0]}, and it {states[1]} in {names[1]}."
    if difference.kind == "fields":
        lead = f"Then, at {moment(first.time)}, the same happens with {_contents(difference, first, second, names)}."
        return f"{lead} {told[0]}" if told[0] == told[1] else f"{lead} {names[0]}: {told[0]} {names[1]}: {told[1]}"
    times = _apart(first.time, second.time)
    stories = [f"in {name} at {time}: {what}" for name, time, what in zip(names, times, told, strict=True)]
    if second.time < first.time:  # The earlier event made the difference.
        stories.reverse()
    return f"Then, {stories[0]} I{stories[1][1:]}"


def process_lines(difference: Difference, a: Timeline, b: Timeline, animation: Words) -> list[tuple[str, str, str]]:
    """Return, for each process that diverges, its name and its first different event in either run, with its time."""
    return [(each.process, _line(a, each.a, animation), _line(b, each.b, animation)) for each in difference.processes]


def link_lines(difference: Difference, a: Timeline, b: Timeline, animation: Words) -> list[tuple[str, str, str]]:
    """Return, for each link that diverges, its ends and its first different event in either run, with the process."""
    return [
        ("-".join(each.link), _line(a, each.a, animation, who=True), _line(b, each.b, animation, who=True))
        for each in difference.links
    ]


def _line(timeline: Timeline, seq: int | None, animation: Words, *, who: bool = False) -> str:
    if seq is None:
        return "nothing more"
    process = int(timeline.process[seq])
    name = f"{timeline.processes[process]} " if who and process >= 0 else ""
    return f"{_at(timeline, seq)} {name}{brief(timeline, seq, animation)}"


def _at(timeline: Timeline, seq: int) -> str:
    return moment(float(timeline.time[seq]))


def _apart(one: float, other: float) -> tuple[str, str]:
    """Return two times with enough digits to show that they differ."""
    if one == other or moment(one) != moment(other):
        return moment(one), moment(other)
    digits = next((digits for digits in range(5, 17) if f"{one:.{digits}g}" != f"{other:.{digits}g}"), 17)
    return f"{one:.{digits}g}", f"{other:.{digits}g}"


def _contents(difference: Difference, a: Event, b: Event, names: tuple[str, str]) -> str:
    """Return the difference in contents: ``value 3 in A and 5 in B``, ``another Lamport time``."""
    found: list[str] = []
    for part in _TOLD:
        one, other = (a.detail or {}).get(part), (b.detail or {}).get(part)
        if one == other:
            continue
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            keys = [key for key in (*one, *(key for key in other if key not in one)) if one.get(key) != other.get(key)]
            found += [_both(str(key), one.get(key), other.get(key), names) for key in keys]
        else:
            found.append(_both(part.replace("_", " "), one, other, names))
    if found:
        return joined(found[:3]) + (" …" if len(found) > 3 else "")
    return "another " + joined([_CALLED.get(name, name) for name in difference.columns if name != "detail"] or ["text"])


def _both(what: str, one: Any, other: Any, names: tuple[str, str]) -> str:
    return f"{what} {value_text(one)} in {names[0]} and {value_text(other)} in {names[1]}"
