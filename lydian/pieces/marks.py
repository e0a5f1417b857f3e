"""A variable that contains processes, drawn as dots on links, arrows, arcs, or thick or struck-out links."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from lydian.model.errors import BadInput, shown
from lydian.pieces.bands import Band, chosen, of_selected, whose
from lydian.pieces.channels import Asked, Channel, Known, Lookup
from lydian.pieces.checks import names_of, one_of, slot_is_right
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register

__all__ = ["MARKS", "Marks"]

#: How the members of a set are drawn: a dot at the holder's end of the link, an arrow, an arc; the holder's half of
#: the link thick, or struck out (pale and dashed), so that a link that both ends hold is so from end to end; the same
#: of a straight line to whoever it is.
MARKS = ("dot", "arrow", "arc", "thick", "struck", "half")


@dataclass(frozen=True)
class Marks:
    """A variable that contains processes (a list, a set, or a table whose values are processes).

    Args:
        variable: its name.
        slot: the state whose colour the marks have.
        word: what the legend calls it.
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
            raise BadInput(f"truth requires the style arc or half, not {shown(self.style)}")
        slot_is_right("marks", self.slot)
        object.__setattr__(self, "while_states", names_of(self.while_states, "while_states"))


def channels(known: Known, number: int, declared: Marks) -> Iterator[Channel]:
    """Yield the channels of the processes that each process holds, of its beliefs about them, and of the truth."""
    yield Channel("set", "marks", number, (declared.variable,), partial(_held, declared))
    if declared.truth:
        yield Channel("text", "beliefs", number, (declared.variable,), _beliefs)
        yield Channel("text", "truths", number, (declared.truth,), _truth)


def _held(marks: Marks, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> tuple[int, ...]:
    if marks.while_states and state not in marks.while_states:
        return ()
    held = list(values[0]) if marks.truth and isinstance(values[0], dict) else values[0]
    return tuple(look.members(p, held))


def _beliefs(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    """Return a process's beliefs about others, as texts comparable to those of :func:`_truth`."""
    if not isinstance(values[0], dict):
        return ""
    return json.dumps({look.number(p, name): json.dumps(value, sort_keys=True) for name, value in values[0].items()})


def _truth(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    return json.dumps(values[0], sort_keys=True)


def at(now: Moment, declared: Marks) -> Band | None:
    """Return the marks at a moment."""
    asked, number = now.asked, now.number(declared)
    channel = asked.channel("marks", number)
    if channel is None:
        return None
    band = asked.kept(("marks", number), lambda: _band(asked, channel, declared))
    return of_selected(band, now.selection.processes)


def _band(asked: Asked, channel: Channel, marks: Marks) -> Band:
    answers = asked.answers(channel).items()
    rows = [(p, q, level if marks.levels else 0) for p, members in answers for level, q in enumerate(members)]
    found = np.array(rows, dtype=np.int32).reshape(-1, 3)
    band = Band(marks, found[:, 0], found[:, 1], np.zeros(len(found), dtype=bool), found[:, 0], found[:, 2])
    truths, beliefs = asked.channel("truths", channel.index), asked.channel("beliefs", channel.index)
    if truths is None:
        return band
    told = {} if beliefs is None else {p: json.loads(text) for p, text in asked.answers(beliefs).items() if text}
    return _doubted(band, told, asked.answers(truths))


def _doubted(band: Band, beliefs: dict[int, dict[str, str]], truths: dict[int, str]) -> Band:
    """Return the marks, with those marked that rest on a false belief."""
    pairs = zip(band.holder.tolist(), band.target.tolist(), strict=True)
    wrong = [p in beliefs and beliefs[p].get(str(q)) != truths.get(q) for p, q in pairs]
    return replace(band, wrong=np.array(wrong, dtype=bool))


def legend(seen: Occurring, number: int, declared: Marks) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if seen.occurs(declared.variable, declared.while_states):
        yield LegendItem.plain("mark", number, whose(declared))


def page(tell: Teller, declared: Marks) -> dict[str, Any]:
    """Return the page's data."""
    return {"style": declared.style, "slot": declared.slot, "levels": declared.levels, **chosen(declared)}


register(Piece("mark", Marks, "marks", None, channels=channels, at=at, legend=legend, page=page, wide=("mark",),
               order=110,
               painter="lydian.app.painters.pieces.marks.MarkPainter", script="player.marks.js"))  # fmt: skip
