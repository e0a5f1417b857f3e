"""The painters of pieces of animation, each found by the name in the registration of its piece.

A painter overrides the stages at which it draws something in the network or, for a panel beside the network, the
drawing of the panel; it also draws the signs of its piece in the legend.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import Map
from lydian.pieces.piece import LegendItem, Piece, every, pieces
from lydian.views.selection import Hit

if TYPE_CHECKING:
    from lydian.app.painters.network.tags import Places, TagLayer
    from lydian.views.network.basic import BasicFrame

__all__ = ["Drawing", "Painters", "PanelPainter", "PiecePainter", "painter_of"]


@dataclass(frozen=True, eq=False)
class Drawing:
    """A frame that is being drawn.

    Args:
        p: the QPainter.
        m: the map of positions.
        frame: the frame.
        taken: where no label may be placed.
        tags: the layer that places labels.
    """

    p: QPainter
    m: Map
    frame: BasicFrame
    taken: tuple[QRectF, ...]
    tags: TagLayer

    @property
    def labels(self) -> Places:
        """The places of labels and of things beside processes."""
        return self.tags.places(self.m, self.frame, self.taken)


class PiecePainter:
    """The base class of painters of pieces of animation."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def under(self, d: Drawing) -> None:
        """Draw under the links."""

    def areas(self, d: Drawing) -> None:
        """Draw under the links, over everything else that is there."""

    def lines(self, d: Drawing) -> None:
        """Draw over the links, under pointers."""

    def arrows(self, d: Drawing) -> None:
        """Draw over everything on the links."""

    def points(self, d: Drawing) -> None:
        """Draw over pointers, under labels."""

    def inner(self, d: Drawing) -> None:
        """Draw over labels, under messages."""

    def rings(self, d: Drawing) -> None:
        """Draw over messages, under the processes."""

    def fills(self, m: Map, frame: BasicFrame, process: int) -> bool:
        """Return whether something inside a process replaces its name."""
        return False

    def inside(self, d: Drawing, process: int) -> None:
        """Draw the contents of a process, and its name."""

    def beside(self, d: Drawing) -> None:
        """Draw over the processes."""

    def above(self, d: Drawing) -> None:
        """Draw over everything beside processes."""

    def over(self, d: Drawing) -> None:
        """Draw over everything at processes."""

    def last(self, d: Drawing) -> None:
        """Draw over everything except the rings of the selection."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Any, k: float) -> None:
        """Draw an entry of the legend in a box; ``k`` is the size of text as a multiple of the default."""

    def note(self, pos: QPointF, m: Map, frame: BasicFrame) -> str:
        """Describe what is at a point, as rich text; return "" if nothing of this piece is there."""
        return ""


class PanelPainter(PiecePainter):
    """The painter of a piece in a panel beside the network; each panel has its own."""

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, state: Any) -> None:
        """Draw the panel, or nothing if there is no room for it."""
        raise NotImplementedError

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, state: Any) -> Hit | None:
        """Return what can be selected at a point."""
        return None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, state: Any) -> str:
        """Describe what is at a point, as rich text."""
        return ""


@cache
def _class(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def painter_of(piece: Piece, theme: Theme) -> Any:
    """Return a new painter of a piece, which draws nothing if the piece has none."""
    return _class(piece.painter)(theme) if piece.painter else PiecePainter(theme)


class Painters:
    """The painters of a view, kept because they cache their drawings."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: dict[tuple[str, int], Any] = {}

    def of(self, piece: Piece, number: int = 0) -> Any:
        """Return the painter of a piece, or of one of its panels."""
        key = piece.name, number
        if key not in self._kept:
            self._kept[key] = painter_of(piece, self.theme)
        return self._kept[key]

    def named(self, name: str, number: int = 0) -> Any:
        """Return the painter of the piece with this name."""
        return self.of(next(piece for piece in pieces() if piece.name == name), number)

    def all(self, frame: BasicFrame) -> list[PiecePainter]:
        """Return the painters of everything that the animation declares in the network."""
        some = {piece.name: piece for piece, _, _ in every(frame.animation.pieces) if not piece.panel}
        return [self.of(piece) for piece in some.values()]
