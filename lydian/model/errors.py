"""The errors that LYDIAN reports, each as one sentence for the user.

The sentence names the file, the place in it, what is wrong, and what would be right.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from pathlib import Path

__all__ = [
    "MOST_NAMES",
    "ActionError",
    "BadInput",
    "LydianError",
    "PropertyError",
    "ProtocolError",
    "did_you_mean",
    "nearest_word",
    "shown",
    "unknown_process",
]

#: The largest number of names that a sentence lists.
MOST_NAMES = 16


class LydianError(Exception):
    """The base class of all errors that LYDIAN reports; ``str(error)`` is the sentence to show.

    ``exit_code`` is the exit code of the command line: 2 for bad input, 1 for a protocol that failed.
    """

    exit_code = 2

    @property
    def sentence(self) -> str:
        return str(self)

    def _render_traceback_(self) -> list[str]:
        """Return what IPython and Jupyter show in place of a traceback: the sentence."""
        return [f"lydian: {self}"]


class BadInput(LydianError):
    """A file, a name or a value that cannot be used.

    Args:
        what: what is wrong and what would be right, as a sentence without the place.
        file: the file that contains it, if any.
        place: the place in the file, such as ``"line 3"`` or ``"links[4].delay"``.
    """

    def __init__(self, what: str, *, file: Path | str | None = None, place: str | None = None) -> None:
        where = ", ".join(str(part) for part in (file, place) if part not in (None, ""))
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.file = None if file is None else Path(file)
        self.place = place

    @property
    def remark(self) -> str:
        """What is wrong as a sentence of its own, for the form in which it was typed."""
        return f"{self.what[:1].upper()}{self.what[1:]}."


class ProtocolError(BadInput):
    """A protocol file that cannot be used, for example because of its syntax or two actions for one cell."""


class ActionError(LydianError):
    """The failure of an action of a protocol during a run.

    The run stops there, and the trace up to that point is kept. The attributes give the details: ``file``, ``line``,
    ``process`` (its name), ``state`` (before the action), ``event`` (the event in words) and ``reason``.
    """

    exit_code = 1

    def __init__(
        self,
        reason: str,
        *,
        process: str,
        state: str,
        event: str,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.reason = reason
        self.process = process
        self.state = state
        self.event = event
        self.file = file
        self.line = line
        where = "" if file is None else file + ("" if line is None else f", line {line}") + ": "
        super().__init__(f"{where}process {process} is {state} and got {event}: {reason}")


class PropertyError(LydianError):
    """The error about a property whose function raised an exception."""

    exit_code = 1


def nearest_word(word: object, *groups: Iterable[object]) -> str:
    """Return the most similar known word, from the first group that has a similar one; "" if no group has."""
    for known in groups:
        others = [str(each) for each in known if each != word]
        near = difflib.get_close_matches(str(word), others, n=1, cutoff=0.6)
        if near:
            return near[0]
    return ""


def did_you_mean(word: object, *groups: Iterable[object]) -> str:
    """Return `` (did you mean 'missing'?)``, or "" if no known word is similar; see :func:`nearest_word`."""
    near = nearest_word(word, *groups)
    return f" (did you mean '{near}'?)" if near else ""


def unknown_process(name: object, processes: Collection[str], network: str = "") -> str:
    """Return what is wrong with the name of a process, and which names would be right.

    At most :data:`MOST_NAMES` are listed; of more, the first and the last one.
    """
    what = f"unknown process {shown(name)}" + (f" of network {network}" if network else "")
    hint = did_you_mean(name, processes)
    if hint or not processes:
        return what + hint
    names = list(processes)
    few = len(names) <= MOST_NAMES
    some = ", ".join(names) if few else f"the {len(names):,} from {names[0]} to {names[-1]}"
    return f"{what}; choose from {some}"


def shown(value: object, limit: int = 60) -> str:
    """Return the text of a value for a sentence, cut to ``limit`` characters."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a student's __repr__ may do anything
        text = f"<{type(value).__name__} whose repr failed: {type(error).__name__}>"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)  # addresses differ from run to run
    return text if len(text) <= limit else text[: limit - 1] + "…"
