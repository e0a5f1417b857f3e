"""The play-through of a lesson without a window.

Its experiments are run, the actions that it waits for are carried out as in its examples, and its expectations are
compared with the outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.lesson.blocks import Action, Drawn, Expectation, Question, grade
from lydian.model.lesson.lesson import Lesson, Step, experiment_of
from lydian.model.lesson.values import Expression
from lydian.model.source.syntax import tree_of
from lydian.trace.events import Trace
from lydian.trace.facts import facts

__all__ = ["Played", "play"]


@dataclass(frozen=True)
class Played:
    """The outcome of one block of a lesson.

    Attributes:
        step: the number of its step, from 0; line: its line in the file.
        good: whether the outcome is as the lesson says.
        sentence: the outcome, or what went wrong.
    """

    step: int
    line: int
    good: bool
    sentence: str


def play(
    lesson: Lesson,
    archive: Archive | None = None,
    run: Callable[[Experiment], Result] | None = None,
    drawn: Callable[[Trace, str, int], str] | None = None,
) -> Iterator[Played]:
    """Play a lesson from its first step to its last; yield the outcome of each prediction, expectation and wait.

    Args:
        archive: the archive in which experiments are looked up.
        run: runs an experiment.
        drawn: returns a question that is generated from a run, by its kind and seed, with its answer as one sentence;
            without it these questions are not checked.

    Raises:
        BadInput: an experiment of the lesson cannot be used.
    """
    runner = _Runner(run or (lambda experiment: Simulator(experiment).run()))
    experiment: Experiment | None = None
    for i, step in enumerate(lesson.steps):
        if step.setting is not None:
            experiment = experiment_of(lesson, i, archive)
        if experiment is None:
            continue
        if step.actions:
            experiment = _interfered(experiment, step.actions)
        if not (step.actions or step.questions or step.drawn or step.expectations or step.setting):
            continue
        line = step.line if step.setting is None else step.setting.line
        try:
            result, known = runner(experiment)
        except LydianError as error:
            yield Played(i, line, False, str(error))
            continue
        if result.error is not None:
            yield Played(i, line, False, result.error)
        yield from _judged(i, step, result, known, drawn)


def _judged(
    i: int, step: Step, result: Result, known: dict[str, Any], drawn: Callable[[Trace, str, int], str] | None
) -> Iterator[Played]:
    tried: list[tuple[int, Callable[[], tuple[bool, str]]]] = []
    tried += [(action.line, partial(_waited, action, result)) for action in step.actions]
    tried += [(question.line, partial(_asked, question, known)) for question in step.questions]
    tried += [(each.line, partial(_drawn, each, result, drawn)) for each in step.drawn]
    tried += [(wanted.line, partial(_expected, wanted, result, known)) for wanted in step.expectations]
    for line, judge in tried:
        try:
            good, sentence = judge()
        except BadInput as error:
            good, sentence = False, error.what
        yield Played(i, line, good, sentence)


class _Runner:
    """A function that runs each experiment only once."""

    def __init__(self, run: Callable[[Experiment], Result]) -> None:
        self._run = run
        self._known: list[tuple[Experiment, Result, dict[str, Any]]] = []

    def __call__(self, experiment: Experiment) -> tuple[Result, dict[str, Any]]:
        for same, result, known in self._known:
            if same == experiment:
                return result, known
        result = self._run(experiment)
        self._known.append((experiment, result, facts(result.trace)))
        return self._known[-1][1:]


def _interfered(experiment: Experiment, actions: tuple[Action, ...]) -> Experiment:
    """Return the experiment with the interventions in the examples of ``actions``."""
    done: tuple[Intervention, ...] = tuple(each for action in actions for each in action.example)
    later = sorted((*experiment.interventions, *done), key=lambda each: each.time)
    return replace(experiment, interventions=tuple(later))


def _waited(action: Action, result: Result) -> tuple[bool, str]:
    wait = action.wait
    if wait is None:
        return True, f"{', '.join(each.do for each in action.example)}: done as in the example"
    if wait.what == "time":
        return result.time >= float(wait.of), f"the run lasts until {result.time:.2f}"
    if wait.what == "violated":
        held = next((each.holds for each in result.checks if each.name == wait.of), None)
        return held is False, f"{wait.of}: {'violated' if held is False else 'never violated, so the wait never ends'}"
    return True, "a wait"


def _asked(question: Question, known: dict[str, Any]) -> tuple[bool, str]:
    """Return whether a question can be answered, and a sentence with its answer."""
    outcome = grade(question, None, known)
    if question.kind == "process":
        strange = [name for name in outcome.right if name not in known["processes"]]
        if strange:
            return False, f"'{strange[0]}' is not a process of this network"
    return True, f"{question.question} {outcome.came or '(any answer)'}"


def _drawn(block: Drawn, result: Result, drawn: Callable[[Trace, str, int], str] | None) -> tuple[bool, str]:
    """Return True and the question with its answer, or raise if the run has no such question."""
    if drawn is None:
        return True, f"a question about the run, of the kind {block.kind}"
    return True, drawn(result.trace, block.kind, block.seed)


def _expected(wanted: Expectation, result: Result, known: dict[str, Any]) -> tuple[bool, str]:
    if wanted.property:
        held = next((each.holds for each in result.checks if each.name == wanted.property), None)
        words = {True: "it holds", False: "it is violated", None: "it is open"}[held]
        good = held is wanted.holds
        return good, f"{wanted.property}: {words}{'' if good else ', not as the lesson expects'}"
    true = bool(Expression(wanted.that).of(known))
    shown = "" if true else f" does not hold; {_values(wanted.that, known)}"
    return true, f"{wanted.that}{shown}"


def _values(text: str, known: dict[str, Any]) -> str:
    """Return the names in a comparison with their values, for a sentence."""
    import ast

    names = {part.id for part in ast.walk(tree_of(text, mode="eval")) if isinstance(part, ast.Name)}
    told = [f"{name} is {known[name]}" for name in sorted(names) if name in known and not callable(known[name])]
    return ", ".join(told) or "it is false"
