"""What an animation can declare about variables: pointers, sets, tokens, values, groups and pictures of a process.

Each of these is data, checked when the file is read; :mod:`lydian.pieces.overlays` tells what they mean at a moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.expression import expression
from lydian.pieces.piece import LegendItem, Occurring, Piece, register
from lydian.views.words.values import value_text

__all__ = [
    "MARKS",
    "STYLES",
    "VALUES",
    "Glyph",
    "Group",
    "Marks",
    "Pointer",
    "Token",
    "Value",
    "Watch",
    "expression_is_right",
    "filled",
    "one_of",
    "scale_goes_up",
    "share_is_right",
    "slot_is_right",
]

#: How a pointer is drawn: a red band with chevrons towards the one waited for; the thinner red line that is left of
#: it; a tree link in the colour of finished processes; an arrow beside the link; a link of a ring with a head in its
#: middle; an arc, for processes that are no neighbours.
STYLES = ("waiting", "waited", "tree", "arrow", "ring", "arc")
#: How the members of a set are drawn: a dot at the holder's end of the link, an arrow, an arc; the holder's half of
#: the link thick, or struck out (pale and dashed), so that a link that both ends hold is so from end to end; the same
#: of a straight line to whoever it is.
MARKS = ("dot", "arrow", "arc", "thick", "struck", "half")
#: How a value is drawn: as text below the process, as a bar beside it, as a ring in the colour of a scale.
VALUES = ("text", "bar", "colour")

_HOLE = re.compile(r"\{\s*([A-Za-z_][\w.]*)\s*(?::\s*(len|[^{}|]+\|[^{}|]+))?\s*\}")
_STEP = re.compile(r"\s*([MLZ])\s*((?:[-+]?(?:\d+\.?\d*|\.\d+)[\s,]*)*)")


@dataclass(frozen=True)
class Pointer:
    """A variable that names a process, drawn as a line from the one that holds it to the one it names.

    In an anonymous network the variable holds a port number and means the neighbour behind that port.  An arrow to
    a process that is no neighbour is drawn as an arc.

    Args:
        variable: its name.
        style: one of :data:`STYLES`.
        while_states: draw it only while the holder is in one of these states; always if empty.
        backwards: it is the named process that waits for (points at) the holder.
        word: how the legend calls it.
        selected: draw it only of processes that are selected; the legend says so.
    """

    variable: str
    style: str = "arrow"
    while_states: tuple[str, ...] = ()
    backwards: bool = False
    word: str = ""
    selected: bool = False

    def __post_init__(self) -> None:
        one_of("a pointer", "style", self.style, STYLES)
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))


@dataclass(frozen=True)
class Watch:
    """A line of text about a process.

    Args:
        text: holes ``{variable}`` take the value of a variable, ``{variable:len}`` how many are in it.
        when: the variable that must not be empty for the line to be shown; by default the first in the text.
        while_states: show it only in these states; in all if empty.
    """

    text: str
    when: str | None = None
    while_states: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rest = _HOLE.sub("", self.text)
        if "{" in rest or "}" in rest:
            raise BadInput(f"a hole is written {{variable}} or {{variable:len}}, not as in {shown(self.text)}")
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that the text and the condition need."""
        found = [match.group(1) for match in _HOLE.finditer(self.text)]
        return tuple(dict.fromkeys(found if self.when is None else [self.when, *found]))

    def line(self, values: Mapping[str, Any]) -> str:
        """The text for one process, empty if there is nothing to say."""
        decides = self.variables[:1]
        if decides and values.get(decides[0]) in (None, "", 0, False, [], {}, ()):
            return ""
        return filled(self.text, values)


@dataclass(frozen=True)
class Marks:
    """A variable that holds processes (a list, a set, or a table whose values are processes).

    Args:
        variable: its name.
        slot: the state whose colour the marks have.
        word: how the legend calls it.
        style: one of :data:`MARKS`: dots on links to neighbours, arrows, or arcs to whoever it is (fingers,
            subscriptions); thick links for those in a set (a tree, a backbone), struck ones for those given up; the
            holder's half of a straight line to whoever it is, which is whole if both hold each other (a mesh).
        levels: the first, second, third ... member have different dashes, as the levels of a skip ring.
        while_states: draw it only in these states; in all if empty.
        selected: draw it only of processes that are selected; the legend says so.
        truth: a variable of those who are held; ``variable`` is then a table from processes to what the holder
            believes that variable of theirs to be, and arcs and halves to those for whom it is not so are dashed.
    """

    variable: str
    slot: int = 4
    word: str = ""
    style: str = "dot"
    levels: bool = False
    while_states: tuple[str, ...] = ()
    selected: bool = False
    truth: str = ""

    def __post_init__(self) -> None:
        one_of("a set of marks", "style", self.style, MARKS)
        if self.truth and self.style not in ("arc", "half"):
            raise BadInput(f"truth is told by the dashes of arcs and halves, not of style {shown(self.style)}")
        slot_is_right("marks", self.slot)
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))


@dataclass(frozen=True)
class Token:
    """A thing that sits at a process, or rides on a message.

    Args:
        variable: it sits where this variable is true (not 0, not empty); without one, wherever the state is one of
            ``while_states``.
        while_states: it sits only at processes in these states; in any if empty.
        messages: classes of message on which it rides.
        letter: what is written on it, at most two characters.
        slot: the state whose colour it has.
        word: how the legend calls it.
    """

    variable: str = ""
    while_states: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    letter: str = ""
    slot: int = 6
    word: str = "token"

    def __post_init__(self) -> None:
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))
        object.__setattr__(self, "messages", _names(self.messages, "messages"))
        slot_is_right("a token", self.slot)
        if len(self.letter) > 2:
            raise BadInput(f"on a token there is room for two characters, not for {shown(self.letter)}")
        if not (self.variable or self.while_states or self.messages):
            raise BadInput("a token needs a variable, states or messages: else it is nowhere")


@dataclass(frozen=True)
class Value:
    """The value of a variable at each process.

    Args:
        variable: its name; for a bar or a colour a number, or something with a size.
        style: one of :data:`VALUES`.
        low, high: the ends of the scale; by default 0, or the smallest value of the run if that is less, and the
            largest value of the run.
        word: how the legend calls it.
    """

    variable: str
    style: str = "text"
    low: float | None = None
    high: float | None = None
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a value", "style", self.style, VALUES)
        scale_goes_up(self.low, self.high)


@dataclass(frozen=True)
class Group:
    """Processes with the same value of a variable lie in one coloured area; None and "" belong to no group.

    Args:
        variable: its name.
        word: how the legend calls it.
    """

    variable: str
    word: str = ""


@dataclass(frozen=True)
class Glyph:
    """A picture inside a process, beside its name.

    Args:
        drawing: one or two characters, or strokes: ``"M x y L x y L x y Z"`` with x and y from -1 to 1 (to the
            right and down); Z closes and fills.
        while_states: draw it only in these states; in all if empty.
        variable: draw it only where this variable is true (not 0, not empty).
        word: how the legend calls it; without one it is not listed.
    """

    drawing: str
    while_states: tuple[str, ...] = ()
    variable: str = ""
    word: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))
        if not isinstance(self.drawing, str) or not self.drawing.strip():
            raise BadInput(f"a glyph is one or two characters or strokes, not {shown(self.drawing)}")
        if len(self.drawing) > 2:
            strokes(self.drawing)


def strokes(drawing: str) -> tuple[tuple[tuple[tuple[float, float], ...], bool], ...]:
    """The strokes of a glyph: their points, and whether each is closed; empty for a glyph of characters.

    Raises:
        BadInput: it is not written ``M x y L x y ... Z``.
    """
    if len(drawing) <= 2:
        return ()
    wrong = f"strokes are written M x y L x y ... Z with numbers from -1 to 1, not {shown(drawing)}"
    found: list[tuple[list[tuple[float, float]], bool]] = []
    at, text = 0, drawing.rstrip()
    while at < len(text):
        step = _STEP.match(text, at)
        numbers = [float(part) for part in step.group(2).replace(",", " ").split()] if step else []
        if step is None or len(numbers) % 2 or any(abs(number) > 1 for number in numbers):
            raise BadInput(wrong)
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if step.group(1) == "M" and points:
            found.append((points, False))
        elif step.group(1) == "L" and points and found:
            found[-1][0].extend(points)
        elif step.group(1) == "Z" and not points and found:
            found[-1] = found[-1][0], True
        else:
            raise BadInput(wrong)
        at = step.end()
    return tuple((tuple(points), closed) for points, closed in found)


def filled(text: str, values: Mapping[str, Any], nothing: str = "0") -> str:
    """A text with its holes filled; ``nothing`` is how many are in an empty set: a figure, or a word in sentences.

    ``{pending:len}`` is how many there are, ``{pending:answer is|answers are}`` says so with the noun: "1 answer is",
    "3 answers are", "no answers are".
    """
    said = _HOLE.sub(lambda match: _value(values.get(match.group(1)), match.group(2), nothing), text)
    return said[:1].upper() + said[1:] if said.startswith(("no ", "none ")) and text.startswith("{") else said


def holes_are_right(text: object) -> bool:
    """Whether this is a text and all braces in it are holes."""
    rest = _HOLE.sub("", text) if isinstance(text, str) else "{"
    return "{" not in rest and "}" not in rest


def _value(value: Any, size: str | None, nothing: str) -> str:
    if size is None:
        return value_text(value)
    sized = hasattr(value, "__len__") and not isinstance(value, str)
    if size == "len":
        return (str(len(value)) if len(value) else nothing) if hasattr(value, "__len__") else value_text(value)
    one, many = (each.strip() for each in size.split("|"))
    count = len(value) if sized else value if isinstance(value, int | float) else 0
    return f"1 {one}" if count == 1 else f"{value_text(count)} {many}" if count else f"no {many}"


def one_of(what: str, field: str, value: object, allowed: tuple[str, ...]) -> None:
    """A declaration's field must have one of these values."""
    if value not in allowed:
        hint = did_you_mean(str(value), allowed)
        has = "have" if what == "places" else "has"
        raise BadInput(f"{what} {has} no {field} {shown(value)}{hint}; there are {', '.join(allowed)}")


def scale_goes_up(low: object, high: object) -> None:
    """The ends of a scale must be numbers, where they are given, and rise."""
    for name, end in (("low", low), ("high", high)):
        if end is not None and (isinstance(end, bool) or not isinstance(end, int | float)):
            raise BadInput(f"{name} is a number, not {shown(end)}")
    if isinstance(low, int | float) and isinstance(high, int | float) and not low < high:
        raise BadInput(f"a scale goes up: low = {low:g} is not below high = {high:g}")


def slot_is_right(what: str, slot: object) -> None:
    """A slot must be one of the sixteen colours and shapes."""
    if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < 16:
        raise BadInput(f"the slot of {what} is a number from 0 to 15, not {shown(slot)}")


def share_is_right(name: str, value: object, low: float, high: float) -> None:
    """A number must lie between two others."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadInput(f"{name} is a number from {low:g} to {high:g}, not {shown(value)}")


def expression_is_right(what: str, text: object) -> None:
    """An expression must be one that can be worked out from variables alone."""
    if not isinstance(text, str):
        raise BadInput(f"{what} is an expression as a text, such as 'len(buffer)', not {shown(text)}")
    expression(text)


def _names(value: Any, what: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence | set | frozenset) or any(not isinstance(name, str) for name in names):
        raise BadInput(f"{what} is a list of names, not {shown(value)}")
    return tuple(names)


def _whose(word: str, selected: bool) -> str:
    return f"{word} of the selected process" if selected else word


def _pointer_legend(seen: Occurring, number: int, declared: Pointer) -> Iterator[LegendItem]:
    if seen.occurs(declared.variable, declared.while_states):
        yield LegendItem.plain("pointer", number, _whose(declared.word or declared.variable, declared.selected))


def _marks_legend(seen: Occurring, number: int, declared: Marks) -> Iterator[LegendItem]:
    if seen.occurs(declared.variable, declared.while_states):
        yield LegendItem.plain("mark", number, _whose(declared.word or declared.variable, declared.selected))


def _token_legend(seen: Occurring, number: int, declared: Token) -> Iterator[LegendItem]:
    sits = seen.occurs(declared.variable, declared.while_states) and bool(declared.variable or declared.while_states)
    if seen.needed and (sits or not seen.labels.isdisjoint(declared.messages)):
        yield LegendItem.plain("token", number, declared.word)


def _value_legend(seen: Occurring, number: int, declared: Value) -> Iterator[LegendItem]:
    if declared.style != "text" and declared.variable in seen.run.variable_names:
        low, high = seen.scales()[number]
        yield LegendItem.plain("value", number, f"{declared.word or declared.variable} {low:g}–{high:g}")


def _group_legend(seen: Occurring, number: int, declared: Group) -> Iterator[LegendItem]:
    if seen.occurs(declared.variable):
        yield LegendItem.plain("group", number, declared.word or declared.variable)


def _glyph_legend(seen: Occurring, number: int, declared: Glyph) -> Iterator[LegendItem]:
    if declared.word and seen.occurs(declared.variable, declared.while_states):
        yield LegendItem.plain("glyph", number, declared.word)


_OVERLAYS = "lydian.app.painters.overlays."
register(Piece("pointer", Pointer, "pointers", None, legend=_pointer_legend, wide=("pointer",), order=100,
               painter=_OVERLAYS + "PointerSign"))  # fmt: skip
register(Piece("mark", Marks, "marks", None, legend=_marks_legend, wide=("mark",), order=110,
               painter=_OVERLAYS + "MarkSign"))  # fmt: skip
register(Piece("token", Token, "tokens", None, legend=_token_legend, order=130, painter=_OVERLAYS + "TokenSign"))
register(Piece("value", Value, "values", None, legend=_value_legend, wide=("value",), order=140,
               painter=_OVERLAYS + "ValueSign"))  # fmt: skip
register(Piece("group", Group, "groups", legend=_group_legend, order=150, painter=_OVERLAYS + "GroupSign"))
register(Piece("glyph", Glyph, "glyphs", None, legend=_glyph_legend, order=170, painter=_OVERLAYS + "GlyphSign"))
