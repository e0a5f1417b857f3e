"""Questions about a run: one of a kind, or a series of different ones."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Kind
from lydian.views.questions.question import Question
from lydian.views.questions.scene import Scene, fingerprint
from lydian.views.words.words import Words

__all__ = ["answered", "ask", "kinds", "series"]

#: The number of draws after which a run is considered to have no question of a kind.
TRIES = 120


@cache
def kinds() -> dict[str, Kind]:
    """Return the kinds of question by name, in alphabetical order."""
    from lydian.views.questions import kinds as folder

    found = [import_module(f"{folder.__name__}.{each.name}").KIND for each in pkgutil.iter_modules(folder.__path__)]
    return {kind.name: kind for kind in sorted(found, key=lambda kind: kind.name)}


def ask(timeline: Timeline, kind: str, seed: int = 1, words: Words | None = None) -> Question | None:
    """Return a question of a kind about a run; the same run, kind and seed always give the same question.

    Args:
        timeline: the whole run.
        kind: one of :func:`kinds`.
        seed: chooses among the questions of this kind.
        words: names states and messages; by default, the animation of the protocol.

    Returns:
        A question with exactly one right answer, or ``None`` if none was found.

    Raises:
        BadInput: there is no such kind.
    """
    if kind not in kinds():
        hint = did_you_mean(kind, kinds()) or f"; choose from {', '.join(kinds())}"
        raise BadInput(f"unknown kind of question {shown(kind)}{hint}")
    asked, scene = kinds()[kind], Scene(timeline, words)
    if not len(scene.acts) or not asked.suits(scene):
        return None
    run = fingerprint(timeline)
    chance = Chance(seed, kind, run)
    for _ in range(TRIES):
        draft = asked.draw(scene, chance)
        if draft is not None:
            return Question(kind=kind, seed=seed, run=run, **vars(draft))
    return None


def answered(trace: Trace, kind: str, seed: int) -> str:
    """Return a question about a run with its answer as one line, for the check of a lesson.

    Raises:
        BadInput: there is no such kind, or no question of this kind about this run.
    """
    question = ask(Timeline(trace), kind, seed)
    if question is None:
        raise BadInput(f"no question of the kind {kind} can be asked about this run")
    return f"{' '.join(question.text.split())} {question.answer}"


def series(
    timeline: Timeline, seed: int = 1, only: Sequence[str] = (), words: Words | None = None
) -> Iterator[Question]:
    """Yield different questions about a run, endlessly as long as there are any; kinds alternate in a random order.

    Args:
        timeline: the whole run.
        seed: the same run, seed and kinds give the same series.
        only: the kinds to choose from, all by default.
        words: as for :func:`ask`.

    Raises:
        BadInput: there is no such kind.
    """
    chance = Chance(seed, "series", fingerprint(timeline))
    left, told, number = list(only or kinds()), set[object](), 0
    while left:
        for kind in chance.shuffled(left):
            for _ in range(5):  # then a run offers hardly any other question of this kind
                number += 1
                question = ask(timeline, kind, seed * 1_000_003 + number, words)
                if question is None or _asked(question) not in told:
                    break
            if question is None or _asked(question) in told:
                left.remove(kind)
                continue
            told.add(_asked(question))
            yield question


def _asked(question: Question) -> object:
    """Return the parts of a question that distinguish it from others about the same run."""
    return question.text, frozenset(choice.text for choice in question.choices)
