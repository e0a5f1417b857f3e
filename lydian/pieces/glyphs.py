"""A picture inside a process, beside its name: characters or strokes; of several that fit, the first is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.pieces.channels import Channel, Known, Lookup, says_nothing
from lydian.pieces.checks import names_of
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register

__all__ = ["Glyph", "strokes"]

_STEP = re.compile(r"\s*([MLZ])\s*((?:[-+]?(?:\d+\.?\d*|\.\d+)[\s,]*)*)")


@dataclass(frozen=True)
class Glyph:
    """A picture inside a process, beside its name.

    Args:
        drawing: one or two characters, or strokes: ``"M x y L x y L x y Z"`` with x and y from -1 to 1 (to the
            right and down); Z closes and fills.
        while_states: draw it only in these states; in all if empty.
        variable: draw it only where this variable is true (not 0, not empty).
        word: what the legend calls it; without one it is not listed.
    """

    drawing: str
    while_states: tuple[str, ...] = ()
    variable: str = ""
    word: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "while_states", names_of(self.while_states, "while_states"))
        if not isinstance(self.drawing, str) or not self.drawing.strip():
            raise BadInput(f"a glyph must be one or two characters or strokes, not {shown(self.drawing)}")
        if len(self.drawing) > 2:
            strokes(self.drawing)


def strokes(drawing: str) -> tuple[tuple[tuple[tuple[float, float], ...], bool], ...]:
    """Return the strokes of a glyph: their points, and whether each is closed; empty for a glyph of characters.

    Raises:
        BadInput: it is not written ``M x y L x y ... Z``.
    """
    if len(drawing) <= 2:
        return ()
    wrong = f"strokes must be written M x y L x y ... Z with numbers from -1 to 1, not {shown(drawing)}"
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


def channels(known: Known, number: int, declared: Glyph) -> Iterator[Channel]:
    """Yield the channel of each process's picture, chosen from all declared ones."""
    if number == 0:
        glyphs = known.animation.glyphs
        needed = tuple(dict.fromkeys(g.variable for g in glyphs if g.variable and g.variable in known.variables))
        yield Channel("text", "glyphs", 0, needed, partial(_glyph, glyphs, needed), without=True)


def _glyph(
    glyphs: tuple[Glyph, ...], names: tuple[str, ...],
    look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool,
) -> str:  # fmt: skip
    table = dict(zip(names, values, strict=True))
    for glyph in glyphs:
        if glyph.while_states and state not in glyph.while_states:
            continue
        if glyph.variable and says_nothing(table.get(glyph.variable)):
            continue
        return glyph.drawing
    return ""


def at(now: Moment, declared: Glyph) -> tuple[str, ...] | None:
    """Return the picture of each process, "" for none, once for all that are declared."""
    if now.number(declared):
        return None
    found: tuple[str, ...] = now.asked.kept("glyphs", lambda: now.asked.texts("glyphs"))
    return found


def legend(seen: Occurring, number: int, declared: Glyph) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if declared.word and seen.occurs(declared.variable, declared.while_states):
        yield LegendItem.plain("glyph", number, declared.word)


def page(tell: Teller, declared: Glyph) -> dict[str, Any]:
    """Return the page's data."""
    return {"drawing": declared.drawing}


register(Piece("glyph", Glyph, "glyphs", None, channels=channels, at=at, legend=legend, page=page, order=170,
               painter="lydian.app.painters.pieces.glyphs.GlyphPainter", script="player.glyphs.js"))  # fmt: skip
