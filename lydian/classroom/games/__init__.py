"""The games of a class: what the players of a run see, what they may choose, and what their choices do."""

from __future__ import annotations

from lydian.classroom.games.apples import Apples
from lydian.classroom.games.commit import TwoPhaseCommit
from lydian.classroom.games.election import Election
from lydian.classroom.games.game import GAMES, Game, register
from lydian.classroom.games.generals import Generals
from lydian.classroom.games.gossip import TellTwo
from lydian.classroom.games.mutex import Resource
from lydian.classroom.games.stabilise import Stabilise

__all__ = ["GAMES", "Game"]

for each in (Apples, Election, TwoPhaseCommit, TellTwo, Generals, Resource, Stabilise):
    register(each())
