"""Reduced motion: a few steps replace gliding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

__all__ = ["THIRDS", "in_steps"]

#: The number of positions of a message between its sender and its receiver.
THIRDS = 3


def in_steps(frame: Any) -> Any:
    """Return the frame of the basic view with each message moved back to the last third of its way that it has

    completed. Gliding processes are at their destinations at once; in space, too. A frame of any other view is returned
    unchanged.
    """
    flat = getattr(frame, "flat", None)
    if flat is not None:
        return replace(frame, flat=in_steps(flat))
    standing = getattr(frame, "standing", None)
    if standing is not None and standing.gliding.any():
        frame = replace(frame, standing=standing.arrived)
    flights = getattr(frame, "flights", None)
    fraction = getattr(flights, "fraction", None)
    if flights is None or fraction is None or not len(fraction):
        return frame
    return replace(frame, flights=replace(flights, fraction=np.floor(fraction * THIRDS + 1e-9) / THIRDS))
