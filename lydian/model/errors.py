"""What can go wrong, each as one sentence for the person in front of the program.

A sentence names the file, the place in it, what is wrong, and what would be right.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "ActionError",
    "BadInput",
    "LydianError",
    "PropertyError",
    "ProtocolError",
    "did_you_mean",
    "nearest_word",
    "shown",
]


class LydianError(Exception):
    """Anything LYDIAN refuses or reports; ``str(error)`` is the sentence to show.

    ``exit_code`` is what the command line ends with: 2 for bad input, 1 for a protocol that failed.
    """

    exit_code = 2

    @property
    def sentence(self) -> str:
        return str(self)


class BadInput(LydianError):
    """A file, a name or a value that cannot be used.

    Args:
        what: what is wrong and what would be right, as a sentence without the place.
        file: the file it stands in, if any.
        place: where in the file: ``"line 3"``, ``"links[4].delay"``.
    """

    def __init__(self, what: str, *, file: Path | str | None = None, place: str | None = None) -> None:
        where = ", ".join(str(part) for part in (file, place) if part not in (None, ""))
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.file = None if file is None else Path(file)
        self.place = place


class ProtocolError(BadInput):
    """A protocol file that cannot be used: syntax, an unknown state, two actions for one cell."""


class ActionError(LydianError):
    """An action of a protocol failed while the experiment ran.

    The run stops here, and the trace up to here is kept.  The attributes say where: ``file``, ``line``,
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
    """A property could not be evaluated because its function raised."""

    exit_code = 1


def nearest_word(word: object, *groups: Iterable[object]) -> str:
    """Return the known word that is nearest, from the first group that has another one near; "" if none has."""
    for known in groups:
        others = [str(each) for each in known if each != word]
        near = difflib.get_close_matches(str(word), others, n=1, cutoff=0.6)
        if near:
            return near[0]
    return ""


def did_you_mean(word: object, *groups: Iterable[object]) -> str:
    """`` (did you mean 'missing'?)``, or nothing if no other known word is near; see :func:`nearest_word`."""
    near = nearest_word(word, *groups)
    return f" (did you mean '{near}'?)" if near else ""


def shown(value: object, limit: int = 60) -> str:
    """A value as it appears in a sentence, cut to ``limit`` characters."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a student's __repr__ may do anything
        text = f"<{type(value).__name__} whose repr failed: {type(error).__name__}>"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)  # an address differs from run to run
    return text if len(text) <= limit else text[: limit - 1] + "…"
