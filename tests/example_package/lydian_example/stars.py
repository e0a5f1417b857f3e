from __future__ import annotations

from dataclasses import dataclass

from lydian.pieces.piece import LegendItem, Piece


@dataclass(frozen=True)
class Star:
    """Declare a square over each process whose variable is true."""

    variable: str
    word: str = "star"


def shining(moment, star):
    """Return the star, and the numbers of the processes that have it now."""
    values = moment.scene.run.variable_at(star.variable, moment.k)
    return star, [number for number, value in enumerate(values) if value]


def legend(seen, number, star):
    """Yield the legend entry of the star, if the run has its variable."""
    if star.variable in seen.run.variable_names:
        yield LegendItem.plain("star", number, star.word)


STAR = Piece(
    "star", Star, "stars", None, at=shining, nothing=(), legend=legend, painter="lydian_example.painters.StarPainter"
)
