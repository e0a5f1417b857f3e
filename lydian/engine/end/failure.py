"""Why an action failed, as a sentence for the student who wrote it."""

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
#: Files of the simulator, below which the protocol's calls begin.
_INSIDE = ("lydian/engine/", "lydian/model/")


class ImpossibleError(Exception):
    """An action asked for something that cannot be done; its text is the sentence."""


def line_of(error: BaseException, file: str) -> int | None:
    """The innermost line of the protocol file that was being executed, or ``None`` if none was."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None


#: Exit codes of a process that an alarm has ended, for it computed or waited too long without a sign of life.
ALARMS = tuple(-int(getattr(signal, name)) for name in ("SIGALRM", "SIGPROF") if hasattr(signal, name))


def stuck_at(said: str) -> str | None:
    """Where an interpreter was when it was ended: ``naughty.py, line 12 in back``, read from what it said last.

    Args:
        said: its standard error; the module :mod:`faulthandler` writes there, innermost first, what was being executed.
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
    """The file and its line, for a line of a protocol that is a folder."""
    if is_folder(Path(file)):
        with contextlib.suppress(BadInput):
            return in_sentence(file, read_source(Path(file)), line)
    return file, line


#: What was asked for, by the kind of its frame -> what did it, and what is there of it when that is gone.
_GONE = {
    "request": ("The simulator", "the run up to that point is kept"),
    "search": ("The search", "its results so far are lost"),
    "batch": ("The process that executes the runs", "the finished runs are kept"),
}


def gone(said: str, code: int | None, asked: str = "request") -> str:
    """Why a child is gone without a word, in a sentence.

    Args:
        said: what it said last on standard error.
        code: how its process ended; minus the number of the signal if one ended it, ``None`` if that is not known.
        asked: the kind of frame by which it was asked for something.
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
        text: str = f"{brief(m)} from {channel.source._name}"
        return text
    if words is INIT:
        return event_name(INIT)
    return f"{'the timer' if isinstance(words, Timer) else 'the command'} {brief(words)}"


def brief(record: Record) -> str:
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
    if isinstance(error, NotAllowed):
        return str(error)
    if isinstance(error, RecursionError) and line_of(error, protocol.file) is not None:
        return f"it calls itself without coming to an end (RecursionError: {_text(error)})"
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return f"it ends the program ({type(error).__name__}: {_text(error)}); an action that is done just returns"
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
    """What a function of the protocol raised: what is wrong with the text there, else what Python says.

    Args:
        source: the text of the protocol.
        file: the name by which Python knows it.
    """
    from lydian.model.source.explain import explained

    if isinstance(error, NotAllowed):
        return str(error)
    return explained(error, source, file) or f"{type(error).__name__}: {_text(error)}".removesuffix(": ")


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
