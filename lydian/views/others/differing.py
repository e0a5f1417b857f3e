"""The divergence of two executions in words: a sentence for a bar above the views, lines for a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.language import tr, trc, trn
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
    "message": tr("number of the message"),
    "lamport": tr("Lamport time"),
    "chain": tr("length of the longest chain"),
    "cause": tr("number of its cause"),
    "bits": trc("of a message", "size"),
    "detail": trc("of an event", "contents"),
}
#: Parts of a detail that describe the event itself.
_TOLD = ("fields", "changed", "value", "text", "reason", "kept", "copy_of", "waited", "busy")


def verdict(difference: Difference | None, a: Timeline, names: tuple[str, str] = ("A", "B")) -> str:
    """Return whether two runs are the same, and for how long, in one short sentence."""
    if difference is None:
        return tr("{run} and {other_run} are the same: {events}.",
                  run=names[0], other_run=names[1], events=plural(a.events, "event"))  # fmt: skip
    if difference.seq == 0:
        return tr("{run} and {other_run} differ from the first event on.", run=names[0], other_run=names[1])
    last = moment(float(a.time[difference.seq - 1]))
    return trn("The first event is the same, up to time {time}.",
               "The first {count:,} events are the same, up to time {time}.", difference.seq, time=last)  # fmt: skip


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
        return tr("Then {run} ends, and {other_run} continues at {time}: {event}", run=ended, other_run=goes,
                  time=_at(timeline, seq), event=sentence(timeline, seq, animation))  # fmt: skip
    told = sentence(a, difference.seq, animation), sentence(b, difference.seq, animation)
    if difference.kind == "time":
        times = _apart(first.time, second.time)
        values = {"time": times[0], "run": names[0], "other_time": times[1], "other_run": names[1]}
        if told[0] == told[1]:
            return tr("Then the same happens at {time} in {run} and at {other_time} in {other_run}: {event}",
                      event=told[0], **values)  # fmt: skip
        return tr(
            "Then the same happens at {time} in {run} and at {other_time} in {other_run}, with a difference. "
            "{run}: {event} {other_run}: {other_event}",
            event=told[0], other_event=told[1], **values,
        )  # fmt: skip
    if difference.kind == "state":
        states = [
            reads(timeline, each.state) if each.state is not None else tr("has no state")
            for timeline, each in ((a, first), (b, second))
        ]
        what = brief(a, difference.seq, animation).split(" → ")[0]
        if first.process is not None:
            what = tr("process {process} {does}", process=first.process, does=what)
        word, other_word = ("–" if each.state is None else animation.word(each.state) for each in (first, second))
        return tr(
            "Then, at {time}, {event} in both: it {predicate} in {run}, and it {other_predicate} in {other_run}.",
            time=moment(first.time), event=what, predicate=states[0], run=names[0], other_predicate=states[1],
            other_run=names[1], state=word, other_state=other_word,
        )  # fmt: skip
    if difference.kind == "fields":
        lead = tr("Then, at {time}, the same happens with {contents}.", time=moment(first.time),
                  contents=_contents(difference, first, second, names))  # fmt: skip
        return f"{lead} {told[0]}" if told[0] == told[1] else f"{lead} {names[0]}: {told[0]} {names[1]}: {told[1]}"
    times = _apart(first.time, second.time)
    stories = list(zip(names, times, told, strict=True))
    if second.time < first.time:  # The earlier event made the difference.
        stories.reverse()
    (run, time, event), (other_run, other_time, other_event) = stories
    return tr(
        "Then, in {run} at {time}: {event} In {other_run} at {other_time}: {other_event}",
        run=run, time=time, event=event, other_run=other_run, other_time=other_time, other_event=other_event,
    )  # fmt: skip


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
        return tr("nothing more")
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
    others = [_CALLED.get(name, name) for name in difference.columns if name != "detail"]
    return tr("another {property}", property=joined(others or [trc("of an event", "text")]))


def _both(what: str, one: Any, other: Any, names: tuple[str, str]) -> str:
    return tr("{name} {value} in {run} and {other_value} in {other_run}", name=what, value=value_text(one),
              run=names[0], other_value=value_text(other), other_run=names[1])  # fmt: skip
