"""Matching of a user's regular expression against a user's log, in a child process.

A regular expression may take longer than the age of the universe for a line of forty characters, and cannot be
interrupted within a Python process. This file is therefore run as a program (it uses only the standard library): it
receives the expression and the text, writes one line of JSON for each record, and is ended from outside if it takes too
long.
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

__all__ = ["Stuck", "matches", "of_one_line"]

#: The largest memory of an expression in bytes, on systems where it can be limited.
MEMORY = 2_000_000_000
#: The number of lines that are certainly matched in a second, by which the limit grows for long logs.
LINES_A_SECOND = 20_000


#: Seconds between two checks whether the answers are still needed.
TURN = 0.05


class Stuck(Exception):
    """The error that the expression took too long, or too much memory if ``seconds`` is ``None``; ``line`` is the
    place, from 1."""

    def __init__(self, line: int, seconds: float | None) -> None:
        end = "needs too much memory" if seconds is None else f"did not finish within {seconds:g} s"
        super().__init__(f"the regular expression {end}")
        self.line, self.seconds = line, seconds


#: What may match the end of a line, or look beyond it; and classes of characters that are not named.
_BEYOND = re.compile(r"\n|\\[nrvfsWDAZx0uUN]|\(\?[a-zA-Z]*[sx][a-zA-Z]*[:)]|\(\?<?[=!]")
_NEGATED = re.compile(r"\[\^((?:\\.|[^\]\\])*)\]")


def of_one_line(pattern: str) -> bool:
    """Return True if an expression certainly matches within one line, whatever the lines around it are."""
    if any("\\s" not in inside and "\\n" not in inside for inside in _NEGATED.findall(pattern)):
        return False
    return _BEYOND.search(_NEGATED.sub("", pattern)) is None


_BAD = "the expression does not match here"


def matches(
    pattern: str,
    text: str,
    seconds: float,
    watch: Callable[[float], None] | None = None,
    *,
    cuts: bool = False,
    anywhere: bool | None = None,
) -> list[dict[str, Any]]:
    """Yield the matches of an expression in a text, one dict for each record: ``line`` and ``groups``, or ``line`` and
    ``bad``.

    With ``cuts``, the expression is a delimiter, and there is one dict for each match, with ``line``, ``lines`` and
    ``name``.

    The first entry is different: it contains the ``names`` of the groups and whether records begin ``anywhere`` in a
    line, or ``error``, the reason why the expression is invalid.

    Args:
        pattern: an expression in the notation of Python or JavaScript for named groups.
        text: lines that end in ``\\n``.
        seconds: the time limit; a second is added for every :data:`LINES_A_SECOND`.
        anywhere: whether records begin anywhere in a line, if that is known from earlier lines of the same log.
        watch: a function that is called every :data:`TURN` seconds with 0, because the progress is unknown; an
            exception that it raises ends the work.

    Raises:
        Stuck: the time limit was exceeded.
    """
    python = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern)
    limit = seconds + text.count("\n") / LINES_A_SECOND
    ask = json.dumps({"pattern": python, "seconds": math.ceil(limit) + 1, "cuts": cuts, "anywhere": anywhere})
    ask += "\n" + text
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
                given = None  # it has been sent already
                if time.monotonic() >= ends:
                    raise
                if watch is not None:
                    watch(0.0)
    except subprocess.TimeoutExpired:
        late = True
        child.kill()
        out, _ = child.communicate()
    except BaseException:  # it is not needed any more
        child.kill()
        child.communicate()
        raise
    answers = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith(b"\n")]
    if len(answers) > 1 and "anywhere" in answers[1]:
        answers[0] |= answers.pop(1)
    if late or child.returncode != 0 or not answers or answers[-1] != {"end": True}:
        raise Stuck(max((answer.get("next", 1) for answer in answers), default=1), limit if late else None)
    return answers[:-1]


def _begins_anywhere(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether records may begin anywhere in a line.

    If the first match begins at the start of a line, the expression describes whole lines: each record begins at the
    start of a line, and a line that matches only from its middle on is wrong. Otherwise there is text before every
    record that the expression ignores, and a record may begin anywhere, as in ShiViz.
    """
    first = next((match.start() for match in pattern.finditer(text) if match.end() > match.start()), 0)
    return first > 0 and text[first - 1] != "\n"


def _found(pattern: re.Pattern[str], text: str, anywhere: bool) -> Iterator[dict[str, Any]]:
    """Return one answer for each record, and one for each line that does not match; ``next`` is the line to try after
    it."""
    yield from (_anywhere if anywhere else _lines)(pattern, text)


def _lines(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, Any]]:
    """Find records that begin at the start of a line; if one ends before its line does, the rest of the line is
    skipped."""
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
    """Find records that begin and end anywhere in a line; the next one is searched for after its end."""
    place, line = 0, 1  # the position up to which everything has been reported, and its line
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
    """Return the lines between two records that are neither empty nor comments, and that no record covers in part."""
    begin = start if start == 0 or text[start - 1] == "\n" else text.find("\n", start) + 1 or len(text)
    line += begin > start and text.count("\n", start, begin)
    while begin < stop:
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        if end >= stop and stop < len(text):  # the next record begins in this line
            return
        if text[begin:end].strip() and text[begin] != "#":
            yield line
        begin, line = end + 1, line + 1


def _cuts(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, Any]]:
    """Return one answer for each match of a delimiter: its first line, its number of lines, and its group trace."""
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
        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"],) * 2)  # even if no process is left to end this one
    except (ImportError, OSError, ValueError):
        pass  # this is not possible on every system
    try:
        pattern = re.compile(asked["pattern"], re.MULTILINE)
    except (re.error, RecursionError, OverflowError, MemoryError) as error:
        _say({"error": str(error) or type(error).__name__})
    else:
        names = list(pattern.groupindex)
        _say({"names": names, "next": 1})  # what follows may get stuck
        if asked["cuts"]:
            answers = _cuts(pattern, text)
        else:
            anywhere = asked["anywhere"]
            anywhere = _begins_anywhere(pattern, text) if anywhere is None else anywhere
            _say({"anywhere": anywhere, "next": 1})
            answers = _found(pattern, text, anywhere)
        for answer in answers:
            _say(answer)
    _say({"end": True})


def _say(answer: dict[str, Any]) -> None:
    """Write without buffering, so that matches are known that were found before the expression got stuck."""
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    _serve()
