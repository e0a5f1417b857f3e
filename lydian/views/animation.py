"""The door of animations (:mod:`lydian.pieces.animation`) under its earlier name, for files of users that import it."""

from typing import Any

from lydian.pieces import animation


def __getattr__(name: str) -> Any:
    """What the door has under this name."""
    return getattr(animation, name)
