"""Somebody's own regular expression on somebody's own log, in a process of its own.

A regular expression may need longer than the universe for a line of forty characters, and nothing inside a Python
process can interrupt it.  So this file is run as a program (it needs nothing but Python): it gets the expression and
the text, answers one line of JSON a record, and is ended from outside when it takes too long.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["Stuck", "matches"]

#: Bytes of memory that an expression may use, where the system can be told.
MEMORY = 2_000_000_000
#: Lines that are surely matched in a second; what a long log may take beyond the limit.
LINES_A_SECOND = 20_000


#: Seconds between two looks at whether the answers are still wanted.
TURN = 0.05


class Stuck(Exception):
    """The expression took too long, or too much memory if ``seconds`` is ``None``; ``line`` is where, from 1."""

    def __init__(self, line: int, seconds: float | None) -> None:
        end = "needs too much memory" if seconds is None else f"did not finish within {seconds:g} s"
        super().__init__(f"the regular expression {end}")
        self.line, self.seconds = line, seconds


_BAD = "the expression does not match here"


def matches(
    pattern: str, text: str, seconds: float, watch: Callable[[float], None] | None = None, *, cuts: bool = False
) -> list[dict[str, Any]]:
    """What an expression finds in a text, one dict a record in order: ``line`` and ``groups``, or ``line`` and ``bad``.

    With ``cuts`` it is a delimiter: one dict a place where it is found, with ``line``, ``lines`` and ``name``.

    The first entry is different: ``names`` of the groups, or ``error``, why the expression is none.

    Args:
        pattern: in Python's or in JavaScript's spelling of named groups.
        text: lines ended by ``\\n``.
        seconds: how long it may take; a second is added for every :data:`LINES_A_SECOND`.
        watch: called every :data:`TURN` seconds with 0, for nobody knows how far it is; what it raises ends the work.

    Raises:
        Stuck: it took longer.
    """
    python = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern)
    limit = seconds + text.count("\n") / LINES_A_SECOND
    ask = json.dumps({"pattern": python, "seconds": math.ceil(limit) + 1, "cuts": cuts}) + "\n" + text
    from lydian.model.childprocess import start

    child = start("-I", str(Path(__file__).absolute()), stderr=subprocess.DEVNULL)
    late = False
    ends = time.monotonic() + limit
    given: bytes | None = ask.encode()
    try:
        while True:
            try:
                left = max(ends - time.monotonic(), 0.0)
                out, _ = child.communicate(given, timeout=left if watch is None else min(left, TURN))
                break
            except subprocess.TimeoutExpired:
                given = None  # it is on its way already
                if time.monotonic() >= ends:
                    raise
                if watch is not None:
                    watch(0.0)
    except subprocess.TimeoutExpired:
        late = True
        child.kill()
        out, _ = child.communicate()
    except BaseException:  # it is not wanted any more
        child.kill()
        child.communicate()
        raise
    answers = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith(b"\n")]
    if late or child.returncode != 0 or not answers or answers[-1] != {"end": True}:
        raise Stuck(max((answer.get("next", 1) for answer in answers), default=1), limit if late else None)
    return answers[:-1]


def _found(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, Any]]:
    """One answer a record, and one a line that is none; ``next`` is the line that is tried after it.

    An expression that is first found where a line begins describes whole lines: each record begins where a line does,
    and a line that only looks like one from its middle on is wrong.  Otherwise something stands before every record
    that the expression leaves out, and as in ShiViz a record begins anywhere.
    """
    first = next((match.start() for match in pattern.finditer(text) if match.end() > match.start()), 0)
    yield from (_lines if first == 0 or text[first - 1] == "\n" else _anywhere)(pattern, text)


def _lines(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, Any]]:
    """Records that begin where a line does; one may end before its line, and what is left of that is skipped."""
    place, line = 0, 1
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        match = pattern.match(text, place) if text[place:end].strip() else None
        if match is not None and match.end() > place:
            first, stop = line, match.end()
            if text[stop - 1] != "\n":
                stop = text.find("\n", stop) + 1 or len(text) + 1
            line += text.count("\n", place, stop) + (stop > len(text))
            place = stop
            yield {"line": first, "groups": match.groupdict(), "next": line}
            continue
        if text[place:end].strip() and text[place] != "#":
            yield {"line": line, "bad": _BAD, "next": line + 1}
        place, line = end + 1, line + 1


def _anywhere(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, Any]]:
    """Records that begin and end anywhere in a line; the next one is looked for behind it."""
    place, line = 0, 1  # up to where everything is told, and the line of that place
    for match in pattern.finditer(text):
        if match.end() == match.start():
            continue
        for number in _unmatched(text, place, match.start(), line):
            yield {"line": number, "bad": _BAD, "next": number + 1}
        first = line + text.count("\n", place, match.start())
        place, line = match.end(), first + text.count("\n", match.start(), match.end())
        yield {"line": first, "groups": match.groupdict(), "next": line}
    for number in _unmatched(text, place, len(text), line):
        yield {"line": number, "bad": _BAD, "next": number + 1}


def _unmatched(text: str, start: int, stop: int, line: int) -> Iterator[int]:
    """The lines between two records that say something and are no remarks; not those that a record takes in part."""
    begin = start if start == 0 or text[start - 1] == "\n" else text.find("\n", start) + 1 or len(text)
    line += begin > start and text.count("\n", start, begin)
    while begin < stop:
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        if end >= stop and stop < len(text):  # in this line the next record begins
            return
        if text[begin:end].strip() and text[begin] != "#":
            yield line
        begin, line = end + 1, line + 1


def _cuts(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, Any]]:
    """One answer a line in which a delimiter is found: where it begins, how many lines it takes, its group trace."""
    line, before = 1, 0
    for match in pattern.finditer(text):
        line, before = line + text.count("\n", before, match.start()), match.start()
        taken = text.count("\n", match.start(), max(match.end() - 1, match.start())) + 1
        if match.end() > match.start():
            name = match.groupdict().get("trace")
            yield {"line": line, "lines": taken, "name": (name or "").strip(), "next": line + taken}


def _serve() -> None:
    head, _, text = sys.stdin.buffer.read().decode().partition("\n")
    asked = json.loads(head)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"],) * 2)  # also if nobody is left to end it
    except (ImportError, OSError, ValueError):
        pass  # not every system can be told
    try:
        pattern = re.compile(asked["pattern"], re.MULTILINE)
    except (re.error, RecursionError, OverflowError, MemoryError) as error:
        _say({"error": str(error) or type(error).__name__})
    else:
        _say({"names": list(pattern.groupindex), "next": 1})
        for answer in (_cuts if asked["cuts"] else _found)(pattern, text):
            _say(answer)
    _say({"end": True})


def _say(answer: dict[str, Any]) -> None:
    """At once, so that what was found before the expression got stuck is known."""
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    _serve()
