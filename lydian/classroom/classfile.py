"""The file of a class: its state at some moment, and on each further line what has changed since.

What somebody has been told is on the disk before: a process that is killed loses nothing of it. A last line that was
cut off is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from lydian.model.errors import BadInput

__all__ = ["ClassFile", "read"]


class ClassFile:
    """The file of one class while it goes on."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._stream: BinaryIO | None = None

    def save(self, state: Mapping[str, Any]) -> None:
        """Replace the file by the state of the class; only its owner can read it, since it contains secrets.

        Raises:
            OSError: it cannot be written.
        """
        new = self.file.with_name(f".{self.file.name}.new")
        new.touch(mode=0o600)
        new.write_bytes(_line(state))
        self.close()
        os.replace(new, self.file)

    def note(self, changes: Mapping[str, Any]) -> None:
        """Add what has changed.

        Args:
            changes: the entries ``done`` and ``rounds`` are further items; ``people``, ``sealed`` and ``answers``
                replace those with the same number; all others replace the earlier value.

        Raises:
            OSError: it cannot be written.
        """
        if self._stream is None:
            self._stream = self.file.open("ab")
        self._stream.write(_line(changes))
        self._stream.flush()

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def read(file: Path) -> dict[str, Any]:
    """Return the last state of a class.

    Raises:
        OSError: the file cannot be read.
        BadInput: it contains no class.
    """
    first, *more = file.read_bytes().split(b"\n")
    try:
        state = json.loads(first)
        interventions = state["experiment"].setdefault("interventions", [])
        people = {each["number"]: each for each in state["people"]}
        sealed, questions = dict(state["sealed"]), {each["number"]: each for each in state["questions"]}
        for line in more[:-1]:  # what follows the last line feed was cut off
            changes = json.loads(line)
            interventions += changes.pop("done", ())
            state["rounds"] += changes.pop("rounds", ())
            people |= {each["number"]: each for each in changes.pop("people", ())}
            if "round" in changes:
                sealed.clear()
            sealed |= dict(changes.pop("sealed", ()))
            for question, person, value in changes.pop("answers", ()):
                questions[question]["answers"].append([person, value])
            questions |= {each["number"]: each for each in changes.pop("questions", ())}
            state |= changes
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"is not a saved class: {error}", file=file) from None
    return {**state, "people": [*people.values()], "sealed": sealed, "questions": [*questions.values()]}


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, default=str, separators=(",", ":")).encode() + b"\n"
