"""What gestures have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from lydian.model.editing.links import Pair
from lydian.views.network.snapping import GRID, Guide, Snapped, snapped

if TYPE_CHECKING:
    from lydian.app.network.board.board import Board

__all__ = ["Gesture", "Hit", "Overlay", "Surface", "Tip", "Touch", "snap"]

#: How near in pixels the line of another process must be to snap to it.
NEAR = 7.0


@dataclass(frozen=True)
class Touch:
    """Where the pointer is: in the drawing (x, y) and on the screen (sx, sy), and what is held down."""

    x: float
    y: float
    sx: float = 0.0
    sy: float = 0.0
    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(frozen=True)
class Hit:
    """What lies under the pointer.

    Attributes:
        kind: ``"process"``, ``"rim"`` (the ring round a process from which links are drawn) or ``"link"``.
        name: of the process; empty for a link.
        pair: of the link.
    """

    kind: str
    name: str = ""
    pair: Pair | None = None

    @property
    def what(self) -> str | Pair:
        return self.name if self.pair is None else self.pair


@dataclass(frozen=True)
class Tip:
    """A dark card near the pointer: what happens at release, and how."""

    title: str
    text: str = ""
    at: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Overlay:
    """What a gesture shows while it lasts; places are in coordinates of the drawing.

    Attributes:
        moving: which processes are elsewhere, (n,), the same array for the whole gesture; ``points`` where, (k, 2).
        guides: what they are lined up with.
        line: from where to where a new link would go; ``directed`` whether one way only.
        target: the process it would join; ``new`` where a process would be put.
        band: corners of a rubber band; ``lasso`` corners of a loop.
        caught, caught_links: what would be chosen.
        touched: links under the brush.
        tip: words near the pointer.
    """

    moving: NDArray[np.bool_] | None = None
    points: NDArray[np.float64] | None = None
    guides: tuple[Guide, ...] = ()
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    directed: bool = False
    target: str | None = None
    new: tuple[float, float] | None = None
    band: tuple[float, float, float, float] | None = None
    lasso: tuple[tuple[float, float], ...] = ()
    caught: frozenset[str] = frozenset()
    caught_links: frozenset[Pair] = frozenset()
    touched: frozenset[Pair] = frozenset()
    tip: Tip | None = None


NO_OVERLAY = Overlay()


class Surface(Protocol):
    """What a gesture may ask of what it happens on."""

    board: Board
    snap_grid: bool
    snap_guides: bool

    @property
    def scale(self) -> float:
        """Pixels for a unit of the drawing."""

    def hit(self, sx: float, sy: float) -> Hit | None:
        """What lies under a pixel."""

    def near_points(self, left_out: NDArray[np.bool_] | None) -> NDArray[np.float64]:
        """The processes in view, but for some, (k, 2): what one may line up with."""

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the view by pixels."""


class Gesture:
    """One use of the mouse, from press to release.

    Attributes:
        overlay: what is shown meanwhile.
        cursor: name of the pointer's shape: ``"cross"``, ``"hand"``, ``"move"``, ``"arrow"``.
        lasting: it goes on after the button was released, until the next click.
    """

    cursor = "arrow"
    lasting = False

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.board = surface.board
        self.overlay = NO_OVERLAY

    def start(self, touch: Touch) -> None:
        """The button went down there."""

    def move(self, touch: Touch) -> None:
        """The pointer, or a key that is held down, is elsewhere."""

    def finish(self, touch: Touch) -> None:
        """The button was released: do it."""

    def cancel(self) -> None:
        """Leave everything as it was before."""


def snap(surface: Surface, touch: Touch, x: float, y: float, left_out: NDArray[np.bool_] | None = None) -> Snapped:
    """Where something comes to rest that is dragged to a place; with Alt exactly there."""
    if touch.alt:
        return Snapped(x, y)
    return snapped(
        x,
        y,
        surface.near_points(left_out),
        near=NEAR / surface.scale,
        grid=GRID if surface.snap_grid else None,
        guides=surface.snap_guides,
    )
