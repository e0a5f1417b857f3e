"""Forms of faults that need a value: their lines, the initial values, and their meaning.

A form does not use a window: it lists its entries for the values entered so far, and turns them into interventions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.language import tr, trc, trn
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.interventions import HOWS
from lydian.model.interventions.kind import kind_of
from lydian.views.network.delays import with_mean
from lydian.views.playback.interfering import Offer, Situation, number_of, pair_of
from lydian.views.words.typedvalues import read_value, starting_value, text_of_source, wanted, write_value
from lydian.views.words.words import number

__all__ = ["Entry", "Form", "form_for"]

#: The largest number of variables and fields that have a line each.
MOST = 12


@dataclass(frozen=True)
class Entry:
    """A line of a form.

    Attributes:
        key: its name in what was filled in.
        label: the text before it.
        value: its first contents.
        choices: what can be chosen; none if the user types a value.
        unit: the text after the input.
        about: its meaning or the values allowed, in small type below it.
    """

    key: str
    label: str
    value: str = ""
    choices: tuple[str, ...] = ()
    unit: str = ""
    about: str = ""


Values = Mapping[str, str]


@dataclass(frozen=True)
class Form:
    """A form for a fault in one thing.

    Attributes:
        title: what will be done, and to what.
        button: what the button says.
        entries: what was filled in so far -> its lines.
        read: what was filled in -> the interventions; raises BadInput whose place is the key of a line.
    """

    title: str
    button: str
    entries: Callable[[Values], list[Entry]]
    read: Callable[[Values], tuple[Mapping[str, Any], ...]]


def form_for(s: Situation, asked: Offer) -> Form:
    """Return the form of an offer."""
    assert asked.hit is not None
    return _FORMS.get(asked.form, _keys)(s, asked)


def _keys(s: Situation, asked: Offer) -> Form:
    """Return a line for each key of a kind, except its target."""
    assert asked.hit is not None
    kind = kind_of(asked.tool)
    process, ends = asked.hit.kind == "process", asked.hit.id
    aim = {"process": s.names[number_of(asked.hit)]} if process else {"link": [s.names[p] for p in ends]}  # type: ignore
    keys = [key for key in kind.keys if key.name not in aim]
    lines = []
    for key in keys:
        about = tr("Such as {example}", example=key.example.partition("= ")[2]) if key.example else ""
        first = "" if key.sample is None else str(key.sample)
        lines.append(Entry(key.name, key.title or _upper(key.name), first, about=about))

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        given = {key.name: _typed(values[key.name], key.type.__name__, key.name) for key in keys if values[key.name]}
        return ({"do": kind.name, **aim, **given},)

    return Form(asked.words.rstrip("…"), asked.short.rstrip("…"), lambda _values: lines, read)


# ---------------------------------------------------------------------- variables


def _corrupt(s: Situation, asked: Offer) -> Form:
    assert asked.hit is not None
    process, outline = number_of(asked.hit), s.outline
    name = s.names[process]
    declared = {} if outline is None else {v.name: v for v in outline.variables}
    known = s.timeline.variables(process, s.k)
    state = _state(s, process)
    states = () if outline is None else outline.state_names

    def now(variable: str) -> str:
        if variable in known:
            return write_value(known[variable][0], declared[variable].type)
        return text_of_source(declared[variable].initial, declared[variable].type) or ""

    def entries(values: Values) -> list[Entry]:
        chosen = _chosen(values, "variable", (*declared, "state"))
        which = Entry("variable", tr("Variable"), chosen, (*declared, "state"))
        if chosen == "state":
            other = next((each for each in states if each != state), state)
            return [which, Entry("value", tr("New state"), other, states, about=tr("It is {state} now", state=state))]
        possible, value = _upper(wanted(declared[chosen].type)), now(chosen)
        about = tr("{possible}; it is {value} now") if value else tr("{possible}; it is not known now")
        about = about.format(possible=possible, value=value)
        return [which, Entry("value", tr("New value"), value, about=about)]

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        chosen = values["variable"]
        text = values.get("value", "")
        value = text if chosen == "state" else _typed(text, declared[chosen].type, "value")
        return ({"do": "corrupt", "process": name, "variable": chosen, "value": value},)

    return Form(tr("Corrupt process {process}", process=name), trc("button", "Corrupt"), entries, read)


def _state(s: Situation, process: int) -> str:
    code = int(s.timeline.states_at(s.k)[process])
    return s.timeline.states[code] if code < len(s.timeline.states) else ""


def _byzantine(s: Situation, asked: Offer) -> Form:
    """Return the form for the way in which a process lies; several selected ones lie alike."""
    assert asked.hit is not None
    names = asked.names or (s.names[number_of(asked.hit)],)
    ways = {way.choice: how for how, way in HOWS.items()}

    def entries(values: Values) -> list[Entry]:
        chosen = _chosen(values, "how", tuple(ways))
        does = HOWS[ways[chosen]].does
        about = tr("It {does}", does=does) if len(names) == 1 else tr("Each {does}", does=does)
        label = tr("From now on it must") if len(names) == 1 else tr("From now on they must")
        return [Entry("how", label, chosen, tuple(ways), about=about)]

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        how = ways[_chosen(values, "how", tuple(ways))]
        return tuple({"do": "byzantine", "process": name, "how": how} for name in names)

    if len(names) == 1:
        return Form(tr("Make process {process} lie", process=names[0]), tr("Make it lie"), entries, read)
    title = trn("Make {count} process lie", "Make {count} processes lie", len(names))
    return Form(title, tr("Make them lie"), entries, read)


# ---------------------------------------------------------------------- time


def _delay(s: Situation, asked: Offer) -> Form:
    """Return the form for the extra delay of one message."""
    assert asked.hit is not None
    message = number_of(asked.hit)
    a, b = int(s.timeline.message_source[message]), int(s.timeline.message_target[message])
    arrives = float(s.timeline.message_arrived[message])
    about = (
        tr("It would arrive at {time}; a negative number makes it earlier", time=number(arrives))
        if math.isfinite(arrives)
        else tr("When it would arrive is not known; a negative number makes it earlier")
    )

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        by = _typed(values["delay"], "float", "delay")
        if not math.isfinite(by):
            raise BadInput(tr("must be a finite number such as 2.5"), place="delay")
        return ({"do": "delay", "message": message, "delay": float(by)},)

    line = Entry("delay", tr("Arrives later by"), f"{s.later(a, b):g}", unit=tr("time units"), about=about)
    return Form(tr("Delay {message}", message=s.message(message)), trc("button", "Delay"), lambda _values: [line], read)


def _slow(s: Situation, asked: Offer) -> Form:
    assert asked.hit is not None
    if asked.hit.kind == "link":
        a, b = pair_of(asked.hit)
        link = s.link(a, b)
        law = s.network.delay if link is None else s.network.delay_of(link)
        ends = [s.names[a], s.names[b]]
        title, aim = tr("Slow down link {link}", link="-".join(ends)), {"link": ends}
        label = tr("A message takes")
        about = tr("It was {delay}; this changes it from now on, in both directions", delay=law)
    else:
        name = s.names[number_of(asked.hit)]
        step = s.network.step_of(name) if name in s.network.index else None
        law = s.network.delay if step is None or step.mean <= 0 else step
        title, aim = tr("Slow down process {process}", process=name), {"process": name}  # type: ignore[dict-item]
        label = tr("A step takes")
        about = tr("It took no time") if step is None else tr("It was {delay}", delay=step)
    try:
        first = str(with_mean(law, float(f"{2 * float(law.mean):.3g}")))
    except BadInput:
        first = "constant(2)"

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        try:
            distribution = str(parse(values["distribution"], place="distribution"))
        except BadInput as error:
            raise BadInput(error.what, place="distribution") from None
        return ({"do": "retime", **aim, "distribution": distribution},)

    line = Entry("distribution", label, first, about=about + tr(". Such as uniform(2, 4) or exponential(mean=3)"))
    return Form(title, trc("button", "Slow down"), lambda _values: [line], read)


# ---------------------------------------------------------------------- messages and commands


def _fields(s: Situation, label: str, given: Mapping[str, Any] | None, me: str) -> list[Entry]:
    """Return a line for each field of a message or command."""
    event = None if s.outline is None else s.outline.event(label)
    names = tuple(name for name in s.names if name != me)
    lines = []
    for each in () if event is None else event.fields[:MOST]:
        if given is not None and each.name in given:
            first = write_value(given[each.name], each.type)
        else:
            first = text_of_source(each.default, each.type) or starting_value(each.type, names)
        lines.append(Entry(f"field:{label}:{each.name}", each.name, first, about=_upper(wanted(each.type))))
    return lines


def _read_fields(s: Situation, label: str, values: Values) -> dict[str, Any]:
    event = None if s.outline is None else s.outline.event(label)
    return {
        each.name: _typed(values[f"field:{label}:{each.name}"], each.type, f"field:{label}:{each.name}")
        for each in (() if event is None else event.fields)
        if f"field:{label}:{each.name}" in values
    }


def _inject(s: Situation, asked: Offer) -> Form:
    assert asked.hit is not None
    assert s.outline is not None
    to: tuple[str, ...]
    if asked.hit.kind == "link":
        a, b = s.ends(*pair_of(asked.hit), asked.forward)
        name, to = s.names[a], (s.names[b],)
    else:
        name = s.names[number_of(asked.hit)]
        to = s.network.neighbours(name)
    labels = tuple(each.name for each in s.outline.messages)

    def entries(values: Values) -> list[Entry]:
        label = _chosen(values, "label", labels)
        return [
            Entry("to", trc("receiver of a message", "To"), _chosen(values, "to", to), to),
            Entry("label", tr("Message"), label, labels),
            *_fields(s, label, None, name),
        ]

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        label = values["label"]
        what: dict[str, Any] = {"do": "inject", "link": [name, values["to"]], "label": label}
        fields = _read_fields(s, label, values)
        return ({**what, "fields": fields} if fields else what,)

    return Form(tr("Send as process {process}", process=name), trc("button", "Send"), entries, read)


def _command(s: Situation, asked: Offer) -> Form:
    assert asked.hit is not None
    assert s.outline is not None
    name = s.names[number_of(asked.hit)]
    labels = tuple(each.name for each in s.outline.commands)

    def entries(values: Values) -> list[Entry]:
        label = _chosen(values, "label", labels)
        return [Entry("label", trc("to a process", "Command"), label, labels), *_fields(s, label, None, name)]

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        label = values["label"]
        what: dict[str, Any] = {"do": "command", "process": name, "label": label}
        fields = _read_fields(s, label, values)
        return ({**what, "fields": fields} if fields else what,)

    return Form(tr("Command to process {process}", process=name), trc("button", "Send"), entries, read)


def _edit(s: Situation, asked: Offer) -> Form:
    """Return the form for the fields of a message in transit, or of the next one on a link."""
    assert asked.hit is not None
    assert s.outline is not None
    message: int | None
    if asked.hit.kind == "message":
        message = number_of(asked.hit)
    elif asked.hit.kind == "process":
        message = s.next_to(number_of(asked.hit))
    else:
        message = s.along(*s.ends(*pair_of(asked.hit), asked.forward))
    with_data: Sequence[str] = [each.name for each in s.outline.messages if each.fields]
    if message is not None:
        label = s.timeline.trace.labels[int(s.timeline.message_label[message])]
        told = s.timeline.trace.detail(int(s.timeline.sends[message])) or {}
        given = told.get("fields") or {}
        title, aim = tr("Change {message}", message=s.message(message)), {"message": message}
        with_data = [label]
    else:
        a, b = s.ends(*pair_of(asked.hit), asked.forward)
        given, aim = {}, {"link": [s.names[a], s.names[b]]}  # type: ignore[dict-item]
        title = tr("Change the next message from {sender} to {receiver}", sender=s.names[a], receiver=s.names[b])

    def entries(values: Values) -> list[Entry]:
        label = _chosen(values, "label", with_data)
        about = tr("The next message of this class is changed")
        choice = Entry("label", tr("Message"), label, tuple(with_data), about=about)
        return [*([choice] if message is None else []), *_fields(s, label, given, "")]

    def read(values: Values) -> tuple[Mapping[str, Any], ...]:
        label = _chosen(values, "label", with_data)
        return ({"do": "edit", **aim, "label": label, "fields": _read_fields(s, label, values)},)

    return Form(title, trc("button", "Change"), entries, read)


def _chosen(values: Values, key: str, choices: Sequence[str]) -> str:
    """Return the chosen value, or the first one."""
    return values[key] if values.get(key) in choices else choices[0] if choices else ""


def _typed(text: str, type_text: str, place: str) -> Any:
    try:
        return read_value(text, type_text)
    except BadInput as error:
        raise BadInput(error.what, place=place) from None


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


_FORMS: Mapping[str, Callable[[Situation, Offer], Form]] = {
    "byzantine": _byzantine,
    "corrupt": _corrupt, "delay": _delay, "slow": _slow, "inject": _inject, "command": _command, "edit": _edit,
}  # fmt: skip
