"""The parts of a kind of question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydian.views.questions.chance import Chance
from lydian.views.questions.question import CHOICE, Choice
from lydian.views.questions.scene import Scene

__all__ = ["Draft", "Kind"]


@dataclass(frozen=True)
class Draft:
    """A question without the parts that all kinds share; see :class:`lydian.views.questions.question.Question`."""

    text: str
    time: float
    right: tuple[int, ...]
    why: str
    form: str = CHOICE
    choices: tuple[Choice, ...] = ()
    evidence: tuple[int, ...] = ()
    about: tuple[int, ...] = ()
    cut: tuple[int, ...] = ()
    level: int = 1


@dataclass(frozen=True)
class Kind:
    """A kind of question.

    Attributes:
        name: its name in files and on the command line.
        title: what it asks, in a few words.
        draw: returns one random question of this kind about a run, or ``None`` if this draw led to no question with
            exactly one right answer; it is called again with other chances.
        suits: whether a run can have questions of this kind at all.
    """

    name: str
    title: str
    draw: Callable[[Scene, Chance], Draft | None]
    suits: Callable[[Scene], bool] = lambda _scene: True
