"""The games of a class: what the players of a run see, what they may choose, and what their choices do."""

from __future__ import annotations

from lydian.classroom.games.game import GAMES, Game

__all__ = ["GAMES", "Game"]
