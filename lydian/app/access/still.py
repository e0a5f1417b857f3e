"""Less motion: what glides elsewhere goes in few steps here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

__all__ = ["THIRDS", "in_steps"]

#: Places a message has between its sender and its receiver.
THIRDS = 3


def in_steps(frame: Any) -> Any:
    """The frame of the basic view with its messages at the last third of their way that they have passed.

    Processes that glide to another place are there at once.  Any other view's frame is handed back as it is.
    """
    standing = getattr(frame, "standing", None)
    if standing is not None and standing.gliding.any():
        frame = replace(frame, standing=standing.arrived)
    flights = getattr(frame, "flights", None)
    fraction = getattr(flights, "fraction", None)
    if flights is None or fraction is None or not len(fraction):
        return frame
    return replace(frame, flights=replace(flights, fraction=np.floor(fraction * THIRDS + 1e-9) / THIRDS))
