"""What an animation draws of the variables of one process, as channels: one meaning, whoever asks.

:mod:`lydian.pieces.overlays` asks all processes at one moment, :mod:`lydian.pieces.overlaychanges` one process after
every event; both get the same answers from here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

from lydian.model.lang.expression import Expression, expression
from lydian.pieces.animation import Animation
from lydian.pieces.circles import Orientation
from lydian.pieces.declared import Glyph, Marks, Pointer, Token, Value, Watch
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Scene
from lydian.views.words.expressions import grown, parameters_of
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text

__all__ = [
    "TEXTS_SHOWN", "Channel", "Lookup", "channels_of", "height_of", "occurring", "ranges_of", "size_text",
]  # fmt: skip

#: In more processes than this there is no room for a text at each.
TEXTS_SHOWN = 250
_NOTHING: tuple[Any, ...] = (None, "", 0, False, [], {}, ())


class Lookup:
    """Who is meant by a value of a variable.

    Args:
        codes: name of a process -> its number.
        ports: number of a process -> the numbers of its neighbours by port; empty unless the network is anonymous.
    """

    def __init__(self, codes: Mapping[str, int], ports: Mapping[int, Sequence[int]] | None = None) -> None:
        self.codes = codes
        self.ports = ports or {}

    def number(self, holder: int, value: Any) -> int:
        """The process that a value of ``holder`` names, -1 for none."""
        if isinstance(value, str):
            return self.codes.get(value, -1)
        if value is None or isinstance(value, bool | list | dict):
            return -1
        if self.ports and isinstance(value, int):
            ports = self.ports.get(holder, ())
            return ports[value] if 0 <= value < len(ports) else -1
        return self.codes.get(str(value), -1)

    def members(self, holder: int, value: Any) -> list[int]:
        """The processes that a set, a list or the values of a table name, in its order, each once."""
        entries = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        found = dict.fromkeys(self.number(holder, entry) for entry in entries)
        found.pop(-1, None)
        return list(found)

    def chosen(self, holder: int, value: Any) -> list[int]:
        """The same, but of a table the keys whose value is true."""
        if not isinstance(value, dict):
            return self.members(holder, value)
        keys = [int(key) if self.ports and key.isdigit() else key for key, on in value.items() if on]
        return self.members(holder, keys)


@dataclass(frozen=True)
class Channel:
    """One thing drawn of every process.

    Args:
        sort: what an answer is: a ``"process"`` (-1 for none), a ``"text"``, a ``"number"`` (NaN for none), or a
            ``"set"`` of processes as a tuple in order.
        part, index: which declaration it comes from: a field of the animation and the place in it.
        variables: what it reads.
        read: from the holder, the values of these variables, its state and whether it is crashed, to the answer.
    """

    sort: Literal["process", "text", "number", "set"]
    part: str
    index: int
    variables: tuple[str, ...]
    read: Callable[[Lookup, int, Sequence[Any], str, bool], Any]

    @property
    def rest(self) -> Any:
        """The answer that means nothing is drawn."""
        return {"process": -1, "text": "", "number": math.nan, "set": ()}[self.sort]


def channels_of(
    animation: Animation,
    known: Collection[str],
    n: int,
    parameters: Mapping[str, Any] | None = None,
    types: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Channel, ...]:
    """The channels of an animation: pointers, line to watch, badge, marks, then the rest.

    A channel that needs a variable which the run does not have, or a text where there are too many processes, is
    there but never says anything, so that places stay the same.
    """
    d, none = animation, ()
    watch = d.watch if isinstance(d.watch, Watch) else None
    texts = [value for value in d.values if value.style == "text"]
    words = tuple(dict.fromkeys([*(watch.variables if watch else none), *(v.variable for v in texts)]))
    found: list[Channel] = [
        *(Channel("process", "pointers", i, (p.variable,), partial(_pointer, p)) for i, p in enumerate(d.pointers)),
        Channel(
            "text",
            "watch",
            0,
            tuple(w for w in words if w in known),
            partial(_line, watch, texts, words, known, types),
        ),
        Channel("text", "badge", 0, (d.badge,) if d.badge else none, _badge),
        *(Channel("set", "marks", i, (m.variable,), partial(_marks, m)) for i, m in enumerate(d.marks)),
        *(
            Channel("number", "tokens", i, (x.variable,) if x.variable else none, partial(_token, x))
            for i, x in enumerate(d.tokens)
        ),
        *(
            Channel("number", "values", i, (v.variable,), partial(_number, v))
            for i, v in enumerate(d.values)
            if v.style != "text"
        ),
    ]
    if d.orientation is not None:
        o = d.orientation
        if o.by == "members":
            found.append(Channel("set", "orientation", 0, (o.variable,), partial(_chosen, o)))
        else:
            found.append(Channel("text", "orientation", 0, (o.variable,), partial(_height, o)))
        if o.among:
            found.append(Channel("set", "among", 0, (o.among,), partial(_chosen, o)))
        if o.winding:
            wanted, given = expression(o.winding), parameters or {}
            names = tuple(sorted(name for name in wanted.names if name in known or name not in {*given, "state", "me"}))
            found.append(Channel("number", "winding", 0, names, partial(_worked, wanted, names, given)))
    for i, m in enumerate(d.marks):
        if m.truth:
            found.append(Channel("text", "beliefs", i, (m.variable,), _beliefs))
            found.append(Channel("text", "truths", i, (m.truth,), _truth))
    if d.groups is not None:
        kind = types.get(d.groups.variable, "")
        found.append(Channel("text", "groups", 0, (d.groups.variable,), partial(_group, kind)))
    if d.baskets is not None:
        found.append(Channel("number", "baskets", 0, (d.baskets.variable,), _in_basket))
    if d.glyphs:
        needed = tuple(dict.fromkeys(g.variable for g in d.glyphs if g.variable and g.variable in known))
        found.append(Channel("text", "glyphs", 0, needed, partial(_glyph, d.glyphs, needed)))
    return tuple(_possible(channel, known, n) for channel in found)


def _possible(channel: Channel, known: Collection[str], n: int) -> Channel:
    """The channel, or a silent one in its place."""
    crowded = channel.part in ("watch", "badge") and n > TEXTS_SHOWN
    empty = channel.part == "badge" and not channel.variables
    if crowded or empty or any(name not in known for name in channel.variables):
        rest = channel.rest
        return Channel(channel.sort, channel.part, channel.index, (), lambda *_asked: rest)
    return channel


def _pointer(pointer: Pointer, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> int:
    if pointer.while_states and state not in pointer.while_states:
        return -1
    other = look.number(p, values[0])
    return -1 if other == p else other


def _line(
    watch: Watch | None, texts: list[Value], words: tuple[str, ...], known: Collection[str], types: Mapping[str, str],
    look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool,
) -> str:  # fmt: skip
    if crashed:
        return ""
    pairs = zip((word for word in words if word in known), values, strict=False)
    table = {name: typed(value, types.get(name, "")) for name, value in pairs}
    parts = [value_text(table[v.variable]) for v in texts if table.get(v.variable) not in (None, "", [], {}, ())]
    shown = watch is not None and all(name in table for name in watch.variables)
    if shown and watch is not None and (not watch.while_states or state in watch.while_states):
        parts.append(watch.line(table))
    return " · ".join(part for part in parts if part)


def _badge(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    return size_text(values[0])


def _marks(marks: Marks, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> tuple[int, ...]:
    if marks.while_states and state not in marks.while_states:
        return ()
    held = list(values[0]) if marks.truth and isinstance(values[0], dict) else values[0]
    return tuple(look.members(p, held))


def _beliefs(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    """What a process believes of others: their numbers -> a text that is equal to what :func:`_truth` says of them."""
    if not isinstance(values[0], dict):
        return ""
    return json.dumps({look.number(p, name): json.dumps(value, sort_keys=True) for name, value in values[0].items()})


def _truth(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    return json.dumps(values[0], sort_keys=True)


def _token(token: Token, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> float:
    there = not token.while_states or state in token.while_states
    if token.variable:
        there = there and values[0] not in _NOTHING
    elif not token.while_states:
        there = False  # it only rides
    return 1.0 if there else math.nan


def _number(value: Value, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> float:
    return _measure(values[0])


def _in_basket(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> float:
    return _measure(values[0])


def _measure(value: Any) -> float:
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e300 else math.nan
    return float(len(value)) if isinstance(value, list | dict) else math.nan


def _chosen(
    which: Orientation, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool
) -> tuple[int, ...]:
    return tuple(look.chosen(p, values[0]))


def _height(which: Orientation, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    return "" if values[0] is None else json.dumps(values[0])


def height_of(text: str) -> tuple[Any, ...] | None:
    """A height that can be compared, from the text of its channel; None if it is none."""
    value = json.loads(text) if text else None
    parts = value if isinstance(value, list) else [value]
    if value is None or any(isinstance(part, list | dict) or part is None for part in parts):
        return None
    # Numbers before words, so that any two can be compared.
    return tuple((0, float(part), "") if isinstance(part, int | float) else (1, 0.0, str(part)) for part in parts)


def _worked(
    wanted: Expression, names: tuple[str, ...], given: Mapping[str, Any],
    look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool,
) -> float:  # fmt: skip
    return _measure(wanted.value({**given, "state": state, **dict(zip(names, values, strict=True))}))


def _group(kind: str, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    value = values[0]
    return "" if value is None or value == "" else value_text(typed(value, kind))


def _glyph(
    glyphs: tuple[Glyph, ...], names: tuple[str, ...],
    look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool,
) -> str:  # fmt: skip
    table = dict(zip(names, values, strict=True))
    for glyph in glyphs:
        if glyph.while_states and state not in glyph.while_states:
            continue
        if glyph.variable and table.get(glyph.variable) in _NOTHING:
            continue
        return glyph.drawing
    return ""


def size_text(value: Any) -> str:
    """How many are in a variable, or its number, for a badge; empty for nothing."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return value_text(value) if abs(value) >= 1e300 else f"{value:g}" if value else ""
    return str(len(value)) if hasattr(value, "__len__") and len(value) else ""


# ---------------------------------------------------------------------- what the whole run says


def occurring(scene: Scene) -> frozenset[str]:
    """The variables that say something at some time in the run: not None, 0, false or empty."""
    run = scene.run
    wanted = frozenset(name for channel in scene_channels(scene) for name in channel.variables)
    seen = grown(run, ("occurring", wanted), lambda: _Occurring(run, wanted))
    return seen.grow(run)


class _Occurring:
    """Which of some variables ever say something in a run that may go on."""

    def __init__(self, run: Timeline, wanted: frozenset[str]) -> None:
        self.length = 0
        self._found = {name for first in run.details.first for name, value in first.items() if value not in _NOTHING}
        self._wanted = {*wanted} - self._found

    def grow(self, run: Timeline) -> frozenset[str]:
        """Look at the events that came since the last time, unless all have said something."""
        start, self.length = self.length, run.length
        for _, changed in run.details.walk(start, tuple(self._wanted)) if self._wanted and start < run.length else ():
            said = {name for name, value in changed.items() if value not in _NOTHING} & self._wanted
            self._found |= said
            self._wanted -= said
            if not self._wanted:
                break
        return frozenset(self._found)


def ranges_of(scene: Scene) -> tuple[tuple[float, float], ...]:
    """The scale of each value that is a bar or a colour, in the order of the animation's values."""
    values = scene.animation.values
    asked = {v.variable for v in values if v.style != "text" and (v.low is None or v.high is None)}
    seen: dict[str, tuple[float, float]] = dict.fromkeys(asked, (0.0, 0.0))

    def see(name: str, value: Any) -> None:
        number = _measure(value)
        if math.isfinite(number):
            seen[name] = min(seen[name][0], number), max(seen[name][1], number)

    for first in scene.run.details.first if asked else ():
        for name in asked & first.keys():
            see(name, first[name])
    for _, changed in scene.run.details.walk(only=asked) if asked else ():
        for name, value in changed.items():
            if name in asked:
                see(name, value)
    ends = []
    for value in values:
        low, high = seen.get(value.variable, (0.0, 1.0))
        low, high = low if value.low is None else value.low, high if value.high is None else value.high
        ends.append((float(low), float(high) if high > low else float(low) + 1.0))
    return tuple(ends)


def scene_channels(scene: Scene) -> tuple[Channel, ...]:
    """The channels of a run; none if the animation draws nothing of its variables."""
    if not scene.animation_needs_variables:
        return ()
    run = scene.run
    types = read(run.trace.source).types
    return channels_of(scene.animation, frozenset(run.variable_names), run.n, parameters_of(run), types)
