"""Explanations of errors that Python raised in a line of a protocol, in the words of the problems of a text."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from types import FrameType, MemberDescriptorType
from typing import Any

from lydian.model.errors import did_you_mean
from lydian.model.protocol.message import Record
from lydian.model.protocol.observer import Observation, Observer
from lydian.model.protocol.process import DESCRIPTIONS, Process
from lydian.model.source.fixes import of_each
from lydian.model.source.problems import problems
from lydian.model.source.symbols import BUILTINS, CONFIGURATION, OFFERED
from lydian.model.source.text import Problem, Text

__all__ = ["explained"]

#: The exceptions that Python raises because of mistakes in the text.
_MISTAKES = (AttributeError, NameError, TypeError)
_UNSET = re.compile(r"local variable '(\w+)'")


#: The modules whose errors are sentences.
_OURS = ("lydian.model.", "lydian.engine.state.configuration", "lydian.engine.observing", "lydian.engine.observers")


def explained(error: BaseException, source: str, file: str) -> str | None:
    """Return what is wrong in the line that raised an error, and what would be right; ``None`` if there is no better
    explanation than Python's own.

    Args:
        error: raised while a function of the protocol was executed.
        source: the text of the protocol.
        file: the name of the file in Python.
    """
    if isinstance(error, (*_MISTAKES, ValueError)) and _refused(error):
        return str(error)
    if not isinstance(error, _MISTAKES):
        return None
    found = _marked(error, source, file)
    if found is not None:
        return found.sentence
    if isinstance(error, NameError):
        return _unknown_name(error, file)
    if isinstance(error, AttributeError) and error.name is not None:
        return _unknown_part(error.obj, error.name)
    return None


def _refused(error: BaseException) -> bool:
    """Return True if LYDIAN's own code raised the error, with a sentence."""
    innermost = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)][-1:]
    return bool(innermost) and str(innermost[0]).startswith(_OURS)


def _marked(error: BaseException, source: str, file: str) -> Problem | None:
    """Return the problem of the text at the place that raised the error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if not frames or frames[-1].lineno is None:
        return None
    last, text = frames[-1], Text(source)
    line = frames[-1].lineno
    start, end = 0, len(text.line(line))
    if last.colno is not None:
        start = text.column(line, last.colno)
    if last.end_colno is not None and last.end_lineno == line:
        end = text.column(line, last.end_colno)
    here = [each for each in _errors(source) if each.line == line and each.column < end and start < each.end_column]
    return min(here, key=lambda each: each.end_column - each.column, default=None)


@lru_cache(maxsize=4)
def _errors(source: str) -> tuple[Problem, ...]:
    return tuple(each for each in problems(source) if each.kind == "error")


def _unknown_name(error: NameError, file: str) -> str | None:
    unset = _UNSET.search(str(error))
    if unset is not None:
        return f"'{unset[1]}' has no value yet when this line is executed; give it one on every path to this line"
    name, frame = error.name, _frame(error, file)
    if name is None or frame is None:
        return None
    tiers = (frame.f_locals, frame.f_globals, BUILTINS)
    return f"'{name}' is not known here{did_you_mean(name, *tiers)}"


def _frame(error: BaseException, file: str) -> FrameType | None:
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return frames[-1] if frames else None


def _unknown_part(owner: Any, name: str) -> str | None:
    """Explain what is wrong with ``owner.name``."""
    cls = type(owner)
    if isinstance(owner, Process):
        known = [*cls._declared.variables, *cls._declared.parameters]
        if name in known:
            return f"the variable '{name}' has no value: it was deleted; give it one instead of deleting it"
        hint = did_you_mean(name, known, [*_own(cls), *OFFERED])
        return f"{cls.__name__} has no variable '{name}'{hint or f'; declare it in the class: {name}: int = 0'}"
    if isinstance(owner, Record):
        known = list(cls._fields)
        has = f"its fields are {', '.join(known)}" if known else "it has no fields"
        return f"{cls.__name__} has no field '{name}'{did_you_mean(name, known)}; {has}"
    if isinstance(owner, Observer):
        hint = did_you_mean(name, owner._variables) or f"; declare it in the class: {name}: int = 0"
        return f"the observer {cls.__name__} has no variable '{name}'{hint}"
    if isinstance(owner, Observation):
        parts = [*(each.name for each in fields(Observation) if each.name != "at"), "time"]
        return f"an event has no '{name}'{did_you_mean(name, parts)}; it has {', '.join(parts)}"
    if owner is None:
        return f"it reads .{name} of something that is None"
    if hasattr(cls, "in_transit") and hasattr(owner, "processes"):
        has = f"it has {', '.join(CONFIGURATION)}"
        return f"a configuration has no '{name}'{did_you_mean(name, CONFIGURATION)}; {has}"
    if isinstance(owner, MemberDescriptorType) and issubclass(owner.__objclass__, Process):
        return of_each(owner.__objclass__.__name__, owner.__name__, "self")
    if isinstance(message := getattr(owner, "message", None), Record) and hasattr(owner, "receiver"):
        what = f"a message in transit has no '{name}' itself"
        return f"{what}; write .message.{name}" if hasattr(message, name) else f"{what}, nor has its message"
    if cls.__module__ == "builtins" and not isinstance(owner, type):
        near = did_you_mean(name, (each for each in dir(owner) if not each.startswith("_")))
        return f"a value of type {cls.__name__} has no '{name}'{near}"
    return None


def _own(cls: type) -> Iterator[str]:
    for base in cls.__mro__:
        yield from (name for name in vars(base) if not name.startswith("_") and name not in DESCRIPTIONS)
