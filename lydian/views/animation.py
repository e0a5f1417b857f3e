"""The door of animations (:mod:`lydian.pieces.animation`) under its earlier name, for files of users that import it."""

from typing import Any

from lydian.pieces import animation


def __getattr__(name: str) -> Any:
    """Return the object of this name from :mod:`lydian.pieces.animation`."""
    return getattr(animation, name)
