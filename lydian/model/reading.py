"""Functions that read files written by users: text with a size limit, TOML, and tables in which every key is checked.

Every problem becomes a :class:`~lydian.model.errors.BadInput` that names the file and the place in it.
"""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.limits import OutOfTime, time_limit

__all__ = [
    "BadLines", "Cancelled", "Problem", "Table", "Watch", "at", "parse_toml", "read_text", "whole_file",
    "without_none", "write_text",
]  # fmt: skip

#: A function that is called regularly with the progress of some work, 0 to 1; it may raise :class:`Cancelled`.
Watch = Callable[[float], None]

#: Keys with thousands of dots would take hours to read, and do not occur in practice.
TOML_SECONDS = 2.0
_NEWLINE, _LF, _NUL = b"\n", "\n", "\0"
_TYPES = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    list: "a list",
}


class Cancelled(Exception):
    """The exception that cancels work that is being watched."""


@dataclass(frozen=True)
class Problem:
    """A line that cannot be used: its number, from 1, and the reason, as a sentence without the place."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class BadLines(BadInput):
    """The error about lines of a file that cannot be used; ``problems`` lists all of them."""

    def __init__(self, problems: tuple[Problem, ...], file: Path | str | None) -> None:
        many = len(problems) - 1
        more = f" (and {many:,} more {'line' if many == 1 else 'lines'})" if many else ""
        super().__init__(problems[0].why + more, file=file, place=f"line {problems[0].line}")
        self.problems = problems


def read_text(path: Path | str, what: str, limit: int = 4_000_000) -> str:
    """Return the text of a file.

    Args:
        path: the path of the file.
        what: the expected content, for errors, such as ``"an experiment"``.
        limit: the largest permitted size in bytes.

    Raises:
        BadInput: the file is missing, a folder, unreadable, empty, larger than ``limit`` or not UTF-8 text.
    """
    path = Path(path)
    try:
        if not path.is_file() and not path.is_dir() and path.exists():  # reading from a pipe may block for ever
            raise BadInput(f"this is a pipe or a device; a file with {what} was expected here", file=path)
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        raise BadInput(f"there is no such file; {what} was expected here", file=path) from None
    except IsADirectoryError:
        raise BadInput(f"this is a folder; {what} was expected here", file=path) from None
    except (OSError, ValueError) as error:
        if path.is_dir():  # Windows reports "permission denied" for a folder
            raise BadInput(f"this is a folder; {what} was expected here", file=path) from None
        raise BadInput(f"cannot be read ({_reason(error)}); {what} was expected here", file=path) from None
    if len(data) > limit:
        raise BadInput(f"the file is larger than {limit / 1e6:g} MB, which is too large for {what}", file=path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = f"line {data.count(_NEWLINE, 0, error.start) + 1}"
        raise BadInput(f"this is not text in UTF-8; {what} was expected here", file=path, place=line) from None
    if _NUL in text:
        line = f"line {text.count(_LF, 0, text.index(_NUL)) + 1}"
        raise BadInput(f"this is a binary file; {what} was expected here", file=path, place=line)
    if not text.strip():
        raise BadInput(f"the file is empty; {what} was expected here", file=path)
    return text


def write_text(path: Path | str, text: str) -> None:
    """Write a file completely or not at all.

    Raises:
        BadInput: the folder is missing or cannot be written to.
    """
    with whole_file(path) as stream:
        stream.write(text.encode("utf-8"))


@contextmanager
def whole_file(path: Path | str) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes become a file at the end: a temporary file in the same folder, which is then renamed.

    After an error there is no new file, and an old one is unchanged.

    Raises:
        BadInput: the folder is missing or cannot be written to.
    """
    path = Path(path)
    name = ""
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(number, "wb") as stream:
            yield stream
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
        name = ""
    except (OSError, ValueError) as error:
        what = f"cannot be written ({_reason(error)}); choose a writable folder"
        raise BadInput(what, file=path) from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)


def parse_toml(text: str, file: Path | str | None = None) -> dict[str, Any]:
    """Return the tables of a TOML text; errors are reported with their lines."""
    import tomllib

    try:
        with time_limit(TOML_SECONDS, str(file or "")):
            return tomllib.loads(text)
    except OutOfTime:
        raise BadInput("this takes too long to read; a TOML file written by hand was expected", file=file) from None
    except RecursionError:
        raise BadInput("too many nested brackets; a TOML file was expected", file=file) from None
    except ValueError as error:
        words = str(error)
        found = re.search(r"\(at line (\d+), column (\d+)\)", words)
        last = f"line {len(text.splitlines())}, the end" if "at end of document" in words else None
        place = f"line {found[1]}" if found else last
        words = re.sub(r" *\(at [^)]*\)$", "", words)
        raise BadInput(f"not valid TOML: {words[:1].lower()}{words[1:]}", file=file, place=place) from None


@contextmanager
def at(file: Path | str | None, place: str | None = None) -> Iterator[None]:
    """Add the file and the place to a :class:`BadInput` that is raised in the block without them."""
    try:
        yield
    except BadInput as error:
        if error.file is not None or type(error) is not BadInput:
            raise
        inner = error.place
        whole = place if inner is None else inner if place is None else f"{place}.{inner}"
        raise BadInput(error.what, file=file, place=whole) from None


class Table:
    """A table of a file that is being read; each key is requested by name and type.

    Args:
        data: the table as it was read.
        keys: all permitted keys; for any other key, the error suggests the most similar one.
        file: the file, for errors.
        place: the place of the table in the file, such as ``"faults[2]"``; empty at the top level.
    """

    def __init__(self, data: Any, keys: Iterable[str], *, file: Path | str | None = None, place: str = "") -> None:
        self.file, self.place = file, place
        if not isinstance(data, Mapping):
            raise BadInput(f"must be a table, not {shown(data)}", file=file, place=place or None)
        self.data: Mapping[str, Any] = data
        known = list(keys)
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known) or f"; choose from {', '.join(known)}"
                raise BadInput(f"unknown key {shown(key)}{hint}", file=file, place=place or None)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def where(self, key: str) -> str:
        """Return the place of a key, such as ``faults[2].process``."""
        return f"{self.place}.{key}" if self.place else key

    def bad(self, key: str, what: str) -> BadInput:
        """Return the error about a key; the caller raises it."""
        return BadInput(what, file=self.file, place=self.where(key))

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return the value of ``key``, which must have the type ``kind``, or ``default`` if the key is absent.

        Where a float is requested, an integer is accepted and converted; ``true`` is not a number.
        """
        if key not in self.data:
            return default
        value = self.data[key]
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError:
                raise self.bad(key, "the number is too large") from None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.bad(key, f"must be {_TYPES[kind]}, not {shown(value)}")
        return value

    def need(self, key: str, kind: type, example: str) -> Any:
        """Return the value of a required key like :meth:`get`; ``example`` shows in the error how to write it."""
        if key not in self.data:
            raise BadInput(f"{key} is missing; write, for example, {example}", file=self.file, place=self.place or None)
        return self.get(key, kind)

    def number(self, key: str, default: Any = None, *, what: str = "a finite number that is not negative") -> Any:
        """Return the value of a key, which must be a finite number that is not negative."""
        value = self.get(key, float, default)
        if value is not None and (not math.isfinite(value) or value < 0):
            raise self.bad(key, f"must be {what}, not {self.data[key]}")
        return value

    def whole(self, key: str, default: int, least: int = 0) -> int:
        """Return the value of a key, which must be an integer from ``least`` to 2**63 - 1."""
        value: int = self.get(key, int, default)
        if not least <= value < 2**63:
            raise self.bad(key, f"must be a whole number from {least} to 2**63 - 1, not {shown(value)}")
        return value

    def name(self, key: str) -> str | None:
        """Return the name of a process: text, or an integer that is converted to text."""
        value = self.data.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        found: str | None = self.get(key, str)
        return found

    def tables(self, key: str) -> list[tuple[str, Any]]:
        """Return the tables in a list of tables, each with its place; an empty list if the key is absent."""
        if isinstance(self.data.get(key), Mapping):
            raise self.bad(key, f"must be a list of tables; write [[{key}]] instead of [{key}]")
        return [(f"{self.where(key)}[{i}]", item) for i, item in enumerate(self.get(key, list, []))]


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def without_none(value: Any) -> Any:
    """Return a value without the keys that have no value, because TOML has no null."""
    if isinstance(value, Mapping):
        return {key: without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [without_none(item) for item in value]
    return value
