"""What is wrong with a lesson beside its layout: experiments, processes, properties and numbers that do not exist."""

from __future__ import annotations

import ast
import re
from typing import Any

from lydian.model.archive import Archive
from lydian.model.errors import BadInput, LydianError, did_you_mean
from lydian.model.experiment import Experiment, Resolved
from lydian.model.lesson import Lesson, Step, experiment_of
from lydian.model.lessonblocks import Moment
from lydian.model.lessonvalues import FUNCTIONS, NAMES, Expression
from lydian.model.reading import Problem

__all__ = ["check"]

_FUNCTIONS_KNOWN = ("min", "max", "abs", "ceil", "floor", "log", "log2", "sqrt")


def check(lesson: Lesson, archive: Archive) -> tuple[Problem, ...]:
    """Every mistake, by the line of its block."""
    found: list[Problem] = []
    experiment: Experiment | None = None
    resolved: Resolved | None = None
    for i, step in enumerate(lesson.steps):
        if step.setting is not None:
            try:
                experiment = experiment_of(lesson, i, archive)
                resolved = None if experiment is None else experiment.resolve(archive)
            except LydianError as error:
                found.append(Problem(step.setting.line, error.what if isinstance(error, BadInput) else str(error)))
                return tuple(found)  # what follows speaks of an experiment that nobody knows
        if resolved is None:
            what = "there is no experiment yet to ask about; write an experiment block before"
            lines = [each.line for each in step.questions if each.kind != "text"]
            lines += [each.line for each in step.actions] + [each.line for each in step.expectations]
            found += [Problem(line, what) for line in lines]
            continue
        found += _step(step, resolved)
    return tuple(found)


def _step(step: Step, resolved: Resolved) -> list[Problem]:
    found: list[Problem] = []
    protocol, network = resolved.protocol, resolved.network

    def try_(line: int, act: Any, *arguments: Any) -> None:
        try:
            act(*arguments)
        except BadInput as error:
            found.append(Problem(line, error.what))

    for action in step.actions:
        for each in action.example:
            try_(action.line, each.check, network, protocol)
        if action.wait is not None:
            try_(action.line, _moment, action.wait, resolved)
    for question in step.questions:
        for moment in question.show:
            try_(question.line, _moment, moment, resolved)
        expect = question.expect
        if question.kind == "process":
            names = [expect] if isinstance(expect, str) and expect not in NAMES else expect
            for name in names if isinstance(names, list) else ():
                if name not in network.index and re.fullmatch(r"[\w-]+", name):
                    try_(question.line, _process, name, resolved)
        if isinstance(expect, str) and question.kind != "text" and expect not in (*question.choices, *network.index):
            try_(question.line, _expression, expect, resolved)
    for wanted in step.expectations:
        if wanted.property:
            try_(wanted.line, _property, wanted.property, resolved)
        else:
            try_(wanted.line, _expression, wanted.that, resolved)
    return found


def _moment(moment: Moment, resolved: Resolved) -> None:
    if moment.what in ("process", "selected"):
        _process(moment.of, resolved)
    elif moment.what == "violated":
        _property(moment.of, resolved)
    elif moment.what == "first":
        parts = (*resolved.protocol.messages, *resolved.protocol.timers, *resolved.protocol.commands)
        names = [each.__name__ for each in parts]
        if moment.of not in (*names, *(rule.name for rule in resolved.protocol.rules), *resolved.protocol.states):
            hint = did_you_mean(moment.of, names) or f"; there are {', '.join(names)}"
            raise BadInput(f"{resolved.protocol.title} has no message '{moment.of}'{hint}")


def _process(name: str, resolved: Resolved) -> None:
    names = resolved.network.index
    if name not in names:
        some = ", ".join(list(names)[:8])
        hint = did_you_mean(name, names) or f"; there are {some}"
        raise BadInput(f"network {resolved.network.name} has no process '{name}'{hint}")


def _property(name: str, resolved: Resolved) -> None:
    names = [each.name for each in resolved.protocol.properties]
    if name not in names:
        there = did_you_mean(name, names) or (f"; there are {', '.join(names)}" if names else "; it has none")
        raise BadInput(f"{resolved.protocol.title} has no property '{name}'{there}")


def _expression(text: str, resolved: Resolved) -> None:
    known = (*NAMES, *FUNCTIONS, *_FUNCTIONS_KNOWN, *resolved.parameters)
    for part in ast.walk(Expression(text)._tree):
        if isinstance(part, ast.Name) and part.id not in known:
            hint = did_you_mean(part.id, known) or f"; there are {', '.join((*NAMES, *resolved.parameters))}"
            raise BadInput(f"'{text}' uses '{part.id}'{hint}")
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "holds":
            for argument in part.args:
                if isinstance(argument, ast.Constant):
                    _property(str(argument.value), resolved)
