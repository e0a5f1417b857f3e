"""The door of animations (:mod:`lydian.pieces.animation`) under its earlier name, for files of users that import it."""

from lydian.pieces.animation import *  # noqa: F403
