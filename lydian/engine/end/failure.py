"""The reasons why an action failed, as sentences for the student who wrote it."""

from __future__ import annotations

import contextlib
import re
import signal
import traceback
from pathlib import Path
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.limits import OutOfTime
from lydian.model.protocol.folder import in_sentence, is_folder, read_source
from lydian.model.protocol.guards import NotAllowed
from lydian.model.protocol.message import Record, Timer, plain_copy
from lydian.model.protocol.process import INIT, Process, State
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.table import event_name
from lydian.trace.parquet.recorder import to_json

__all__ = [
    "ALARMS", "ImpossibleError", "brief", "event_words", "gone", "in_words", "line_of", "reason",
    "state_of", "stuck_at",
]  # fmt: skip


_CALL = re.compile(r'\s*File "(.+)", line (\d+) in ')
#: Files of the simulator, from which the calls of the protocol's code start.
_INSIDE = ("lydian/engine/", "lydian/model/")


class ImpossibleError(Exception):
    """An error raised when an action requests something impossible; its text is the sentence."""


def line_of(error: BaseException, file: str) -> int | None:
    """Return the innermost line of the protocol file that was being executed, or ``None`` if there was none."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None


#: The exit codes of a process that an alarm has ended because it computed or waited too long without progress.
ALARMS = tuple(-int(getattr(signal, name)) for name in ("SIGALRM", "SIGPROF") if hasattr(signal, name))


def stuck_at(said: str) -> str | None:
    """Return where an interpreter was when it was ended, such as ``naughty.py, line 12 in back``.

    Args:
        said: its standard error, to which :mod:`faulthandler` writes the calls in progress, innermost first.
    """
    lines = said[max(said.rfind("(most recent call first)"), 0) :].splitlines()
    calls = [found for found in map(_CALL.match, lines) if found is not None]
    place = None
    for found in calls:
        if any(part in found[1].replace("\\", "/") for part in _INSIDE):
            break
        place = "{}, line {}".format(*_in_file(found[1], int(found[2])))
    return place


def _in_file(file: str, line: int) -> tuple[str, int | None]:
    """Return the file and the line in it, for a line of a protocol that is a folder."""
    if is_folder(Path(file)):
        with contextlib.suppress(BadInput):
            return in_sentence(file, read_source(Path(file)), line)
    return file, line


#: Kind of the frame that requested the work -> the name of the child that did it, and what is left of its results.
_GONE = {
    "request": ("The simulator", "the run up to that point is kept"),
    "search": ("The search", "its results so far are lost"),
    "batch": ("The process that executes the runs", "the finished runs are kept"),
    "programs": ("The process that runs the programs", "the events up to that point are kept"),
    "mark": ("The process that makes the checks", "the results so far are kept"),
}


def gone(said: str, code: int | None, asked: str = "request") -> str:
    """Return a sentence about why a child process ended without a result.

    Args:
        said: the end of its output on standard error.
        code: its exit code; minus the number of the signal that ended it, or ``None`` if it is unknown.
        asked: the kind of the frame that requested the work.
    """
    who, rest = _GONE[asked]
    place = stuck_at(said)
    if code is not None and code in ALARMS:
        return (
            f"{place or who + ' was ended'}: an action did not finish and could not be interrupted; "
            "is there an endless loop that catches every exception, or a call that never returns? "
            f"{rest[0].upper()}{rest[1:]}."
        )
    if code is not None and code < 0:
        if place is not None:
            return f"{place}: the interpreter crashed here (signal {-code}); {rest}."
        return f"{who} was ended from outside (signal {-code}); {rest}."
    lines = [line for line in said.strip().splitlines() if _CALL.match(line) is None]
    why = f" ({lines[-1]})" if lines else ""
    return f"{who} stopped{why}; {rest}, and your work is safe."


def state_of(p: Process) -> str:
    """Return the state of a process; return "" if an action has replaced it by another kind of value."""
    state: Any = getattr(p, "state", None)
    return state if type(state) in (str, State) else ""


def event_words(words: Any) -> str:
    """Return an event in words: ``Ack from 3``, ``INIT``, ``the timer Retry``.

    Args:
        words: ``(message, channel)``, ``INIT``, a timer or a command; a string is returned as it is.
    """
    if isinstance(words, str):
        return words
    if isinstance(words, tuple):
        m, channel = words
        text: str = f"{brief(m)} from {channel.source._name}"
        return text
    if words is INIT:
        return event_name(INIT)
    return f"{'the timer' if isinstance(words, Timer) else 'the command'} {brief(words)}"


def brief(record: Record) -> str:
    """Return a message, timer or command as text, without the fields that have their default values."""
    told = ", ".join(f"{name}={shown(value)}" for name, value in record._told().items())
    return f"{type(record).__name__}({told})" if told else type(record).__name__


def reason(protocol: Protocol, p: Process, words: Any, error: BaseException, stopped_because: str | None) -> str:
    """Return a sentence about what went wrong and how to correct it.

    Args:
        words: the event, as for :func:`event_words`.
        error: the exception that the action raised; a ``KeyError`` from outside the protocol file means that there
            is no action.
        stopped_because: why the action was interrupted, if it was.
    """
    state, protocol = state_of(p), protocol.played(p._role)
    if state not in protocol.states:
        near = did_you_mean(state, protocol.states)
        new = shown(getattr(p, "state", None))
        return f"it goes to the unknown state {new}{near}; the states are {', '.join(protocol.states)}"
    if isinstance(error, KeyError) and line_of(error, protocol.file) is None:
        word = protocol.state_words.get(str(state), f'"{state}"')
        event = event_name(INIT if words is INIT else type(words[0] if isinstance(words, tuple) else words))
        return f"{protocol.cls.__name__ if p._role else protocol.title} has no @on({word}, {event})"
    if isinstance(error, OutOfTime):
        return f"the action was stopped: {stopped_because or 'it took too long'}; is there an endless loop?"
    if isinstance(error, NotAllowed):
        return str(error)
    if isinstance(error, RecursionError) and line_of(error, protocol.file) is not None:
        return f"it calls itself without end (RecursionError: {_text(error)})"
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return f"it ends the program ({type(error).__name__}: {_text(error)}); an action that is finished must return"
    if isinstance(error, MemoryError):
        return "it asks for more memory than a protocol may have; is there a collection that grows without end?"
    if isinstance(error, AttributeError) and "read-only" in str(error):
        from lydian.model.source.explain import explained

        found = explained(error, protocol.source, protocol.file)
        return found or f"{error}; only declared variables can be assigned"
    if isinstance(error, ImpossibleError):
        return str(error)
    if line_of(error, protocol.file) is None:
        odd = _unrecordable(protocol, p)
        if odd is not None:
            return f"the variable '{odd}' holds {shown(getattr(p, odd, None))}, which cannot be recorded; {_PLAIN}"
        if "unhashable" in str(error):
            return "it sends to a list; send to one neighbour at a time, named as in neighbours"
    return in_words(error, protocol.source, protocol.file)


def in_words(error: BaseException, source: str, file: str) -> str:
    """Describe an exception in a function of the protocol: the mistake in its text if known, else Python's message.

    Args:
        source: the text of the protocol.
        file: the name under which Python has loaded it.
    """
    from lydian.model.source.explain import explained

    if isinstance(error, NotAllowed):
        return str(error)
    return explained(error, source, file) or f"{type(error).__name__}: {_text(error)}".removesuffix(": ")


_PLAIN = "keep plain data in it: numbers, texts, tuples, lists, sets or dicts"


def _unrecordable(protocol: Protocol, p: Process) -> str | None:
    """Return a variable that cannot be compared with its earlier value or written to the trace, or ``None``."""
    for name in protocol.played(p._role).variables:
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
