"""The base class of gestures and the records that they use."""

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

#: The distance in pixels within which a dragged process snaps into line with another.
NEAR = 7.0


@dataclass(frozen=True)
class Touch:
    """The place of the pointer in the drawing (x, y) and in the widget (sx, sy), and the keys held down."""

    x: float
    y: float
    sx: float = 0.0
    sy: float = 0.0
    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(frozen=True)
class Hit:
    """The process, rim or link under the pointer.

    Attributes:
        kind: ``"process"``, ``"rim"`` (the ring round a process from which links are drawn) or ``"link"``.
        name: the name of the process; empty for a link.
        pair: the two processes of the link.
    """

    kind: str
    name: str = ""
    pair: Pair | None = None

    @property
    def what(self) -> str | Pair:
        return self.name if self.pair is None else self.pair


@dataclass(frozen=True)
class Tip:
    """A dark card near the pointer that describes the result of the gesture and how to complete it."""

    title: str
    text: str = ""
    at: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Overlay:
    """The preview that a gesture shows while it lasts, in coordinates of the drawing.

    Attributes:
        moving: which processes are moved, (n,), the same array for the whole gesture; ``points`` is where to, (k, 2).
        guides: the lines with which they are aligned.
        line: the two ends of a new link; ``directed`` is whether it is one-way.
        target: the process that the link would join; ``new`` is the place of a process that would be added.
        band: the corners of a rubber band; ``lasso`` the corners of a loop.
        caught, caught_links: the processes and links that would be selected.
        touched: the links under the brush.
        tip: the card near the pointer.
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
    """The interface through which a gesture uses the canvas."""

    board: Board
    snap_grid: bool
    snap_guides: bool

    @property
    def scale(self) -> float:
        """The number of pixels for one unit of the drawing."""

    def hit(self, sx: float, sy: float) -> Hit | None:
        """Return the process, rim or link at a pixel."""

    def near_points(self, left_out: NDArray[np.bool_] | None) -> NDArray[np.float64]:
        """Return the places of the processes in view, except some, (k, 2), as candidates for alignment."""

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the view by pixels."""


class Gesture:
    """One use of the mouse, from press to release.

    Attributes:
        overlay: the preview that is shown meanwhile.
        cursor: the shape of the pointer: ``"cross"``, ``"hand"``, ``"move"`` or ``"arrow"``.
        lasting: whether the gesture continues after the button is released, until the next click.
    """

    cursor = "arrow"
    lasting = False

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.board = surface.board
        self.overlay = NO_OVERLAY

    def start(self, touch: Touch) -> None:
        """Begin the gesture where the button was pressed."""

    def move(self, touch: Touch) -> None:
        """Follow a change of the pointer's place or of the keys held down."""

    def finish(self, touch: Touch) -> None:
        """Make the edit; the button was released."""

    def cancel(self) -> None:
        """End the gesture without a change."""


def snap(surface: Surface, touch: Touch, x: float, y: float, left_out: NDArray[np.bool_] | None = None) -> Snapped:
    """Return the place to which a dragged object snaps; with Alt it does not snap."""
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
