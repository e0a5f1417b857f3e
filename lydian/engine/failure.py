"""Why an action failed, as a sentence for the student who wrote it."""

from __future__ import annotations

import traceback
from typing import Any

from lydian.model.errors import did_you_mean, shown
from lydian.model.limits import OutOfTime
from lydian.model.message import Record, Timer, plain_copy
from lydian.model.process import INIT, Process, State
from lydian.model.protocol import Protocol
from lydian.model.table import event_name
from lydian.trace.recorder import to_json

__all__ = ["ImpossibleError", "event_words", "line_of", "reason", "state_of"]


class ImpossibleError(Exception):
    """An action asked for something that cannot be done; its text is the sentence."""


def line_of(error: BaseException, file: str) -> int | None:
    """The innermost line of the protocol file that was being executed, or ``None`` if none was."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None


def state_of(p: Process) -> str:
    """The state of a process; "" if an action has put something else in its place."""
    state: Any = getattr(p, "state", None)
    return state if type(state) in (str, State) else ""


def event_words(words: Any) -> str:
    """An event in words: ``Ack from 3``, ``INIT``, ``the timer Retry``.

    Args:
        words: ``(message, channel)``, ``INIT``, a timer or a command; a text stands for itself.
    """
    if isinstance(words, str):
        return words
    if isinstance(words, tuple):
        m, channel = words
        text: str = f"{_brief(m)} from {channel.source._name}"
        return text
    if words is INIT:
        return event_name(INIT)
    return f"{'the timer' if isinstance(words, Timer) else 'the command'} {_brief(words)}"


def _brief(record: Record) -> str:
    """A message, timer or command without the fields that have their default values."""
    told = ", ".join(f"{name}={shown(value)}" for name, value in record._told().items())
    return f"{type(record).__name__}({told})" if told else type(record).__name__


def reason(protocol: Protocol, p: Process, words: Any, error: BaseException, stopped_because: str | None) -> str:
    """What went wrong and what would be right.

    Args:
        words: the event, as for :func:`event_words`.
        error: what was raised while the action ran; a ``KeyError`` from outside the protocol file means that there
            is no action.
        stopped_because: why the action was interrupted, if it was.
    """
    state = state_of(p)
    if state not in protocol.states:
        near = did_you_mean(state, protocol.states)
        new = shown(getattr(p, "state", None))
        return f"it goes to the unknown state {new}{near}; the states are {', '.join(protocol.states)}"
    if isinstance(error, KeyError) and line_of(error, protocol.file) is None:
        word = protocol.state_words.get(str(state), f'"{state}"')
        event = event_name(INIT if words is INIT else type(words[0] if isinstance(words, tuple) else words))
        return f"{protocol.title} has no @on({word}, {event})"
    if isinstance(error, OutOfTime):
        return f"the action was stopped: {stopped_because or 'it took too long'}; is there an endless loop?"
    if isinstance(error, MemoryError):
        return "it asks for more memory than a protocol may have; is there a collection that grows without end?"
    if isinstance(error, AttributeError) and isinstance(error.obj, Process) and error.name is not None:
        declared = [*protocol.variables, *protocol.parameters, "state", "me", "neighbours", "send"]
        return f"there is no variable '{error.name}'{did_you_mean(error.name, declared)}; declare it in the class body"
    if isinstance(error, AttributeError) and "read-only" in str(error):
        return f"{error}; only declared variables can be assigned"
    if isinstance(error, ImpossibleError):
        return str(error)
    if line_of(error, protocol.file) is None:
        odd = _unrecordable(protocol, p)
        if odd is not None:
            return f"the variable '{odd}' holds {shown(getattr(p, odd, None))}, which cannot be recorded; {_PLAIN}"
        if "unhashable" in str(error):
            return "it sends to a list; send to one neighbour at a time, named as in neighbours"
    return f"{type(error).__name__}: {_text(error)}".removesuffix(": ")


_PLAIN = "keep plain data in it: numbers, texts, tuples, lists, sets or dicts"


def _unrecordable(protocol: Protocol, p: Process) -> str | None:
    """The variable that cannot be compared with what it was, or be written into the trace, if there is one."""
    for name in protocol.variables:
        try:
            value = getattr(p, name)
            to_json(value)
            bool(plain_copy(value) == value)
        except Exception:  # noqa: BLE001 - foreign objects may raise anything
            return name
    return None


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - a student's __str__ may do anything
        return ""
