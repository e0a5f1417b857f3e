"""How pieces of animation are drawn: a painter each, found by the name in the registration of its piece.

A painter overrides the moments at which it draws something in the network, or, for a panel beside the network, how that
looks; and it draws the signs of its piece in the legend.
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
        p: what draws.
        m: where everything is.
        frame: what is drawn.
        taken: where no label may stand.
        tags: which knows where labels stand.
    """

    p: QPainter
    m: Map
    frame: BasicFrame
    taken: tuple[QRectF, ...]
    tags: TagLayer

    @property
    def labels(self) -> Places:
        """The places of labels and of what stands beside processes."""
        return self.tags.places(self.m, self.frame, self.taken)


class PiecePainter:
    """Draws a piece of animation."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def under(self, d: Drawing) -> None:
        """Draw under the links."""

    def areas(self, d: Drawing) -> None:
        """Draw under the links, over all else that is there."""

    def lines(self, d: Drawing) -> None:
        """Draw over the links, under pointers."""

    def arrows(self, d: Drawing) -> None:
        """Draw over what lies on the links."""

    def points(self, d: Drawing) -> None:
        """Draw over pointers, under labels."""

    def inner(self, d: Drawing) -> None:
        """Draw over labels, under messages."""

    def rings(self, d: Drawing) -> None:
        """Draw over messages, under the processes."""

    def fills(self, m: Map, frame: BasicFrame, process: int) -> bool:
        """Whether something stands inside a process, in the place of its name."""
        return False

    def inside(self, d: Drawing, process: int) -> None:
        """Draw what stands inside a process, and its name."""

    def beside(self, d: Drawing) -> None:
        """Draw over the processes."""

    def above(self, d: Drawing) -> None:
        """Draw over what stands beside processes."""

    def over(self, d: Drawing) -> None:
        """Draw over what stands at processes."""

    def last(self, d: Drawing) -> None:
        """Draw over all else but the rings of what is selected."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Any, k: float) -> None:
        """Draw an entry of the legend in a box; ``k`` is the size of text as a multiple of the usual one."""

    def note(self, pos: QPointF, m: Map, frame: BasicFrame) -> str:
        """What is at a point, as rich text; empty if there is nothing of this piece."""
        return ""


class PanelPainter(PiecePainter):
    """Draws a piece in a panel of its own beside the network; each panel has one."""

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, state: Any) -> None:
        """Draw what is seen of the piece; nothing if there is no room for it."""
        raise NotImplementedError

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, state: Any) -> Hit | None:
        """What can be selected at a point."""
        return None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, state: Any) -> str:
        """What is at a point, as rich text."""
        return ""


@cache
def _class(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def painter_of(piece: Piece, theme: Theme) -> Any:
    """A new painter of a piece; one that draws nothing if it has none."""
    return _class(piece.painter)(theme) if piece.painter else PiecePainter(theme)


class Painters:
    """The painters of a view, as they keep what they have drawn."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: dict[tuple[str, int], Any] = {}

    def of(self, piece: Piece, number: int = 0) -> Any:
        """The painter of a piece, or of one of its panels."""
        key = piece.name, number
        if key not in self._kept:
            self._kept[key] = painter_of(piece, self.theme)
        return self._kept[key]

    def named(self, name: str, number: int = 0) -> Any:
        """The painter of the piece with this name."""
        return self.of(next(piece for piece in pieces() if piece.name == name), number)

    def all(self, frame: BasicFrame) -> list[PiecePainter]:
        """The painters of all that the animation declares in the network."""
        some = {piece.name: piece for piece, _, _ in every(frame.animation.pieces) if not piece.panel}
        return [self.of(piece) for piece in some.values()]
