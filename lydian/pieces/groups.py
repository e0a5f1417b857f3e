"""Areas around processes with equal values of a variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lydian.pieces.channels import Channel, Known, Lookup
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.views.words.values import typed, value_text

__all__ = ["Group"]


@dataclass(frozen=True)
class Group:
    """A coloured area around processes with the same value of a variable; None and "" belong to no group.

    Args:
        variable: its name.
        word: what the legend calls it.
    """

    variable: str
    word: str = ""


def channels(known: Known, number: int, declared: Group) -> Iterator[Channel]:
    """Yield the channel of each process's group, as a text."""
    kind = known.types.get(declared.variable, "")
    yield Channel("text", "groups", 0, (declared.variable,), partial(_group, kind))


def _group(kind: str, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    value = values[0]
    return "" if value is None or value == "" else value_text(typed(value, kind))


def at(now: Moment, declared: Group) -> tuple[str, ...]:
    """Return the group of each process as a text, "" for none."""
    found: tuple[str, ...] = now.asked.kept("groups", lambda: now.asked.texts("groups"))
    return found


def legend(seen: Occurring, number: int, declared: Group) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if seen.occurs(declared.variable):
        yield LegendItem.plain("group", number, declared.word or declared.variable)


def page(tell: Teller, declared: Group) -> dict[str, Any]:
    """Return the page's data."""
    return {}


register(Piece("group", Group, "groups", channels=channels, at=at, nothing=(), legend=legend, page=page, order=150,
               painter="lydian.app.painters.pieces.groups.GroupPainter", script="player.groups.js"))  # fmt: skip
