"""Logs of real systems: the formats that are read in addition to the documented one, with an expression or a reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lydian.language import later, translated
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.plugins import Registry

if TYPE_CHECKING:
    from lydian.formats.logs.lines import Record
    from lydian.model.reading import Problem

__all__ = ["FORMATS", "LogFormat", "format_named", "recognised", "title_of"]

#: The characters at the beginning of a log by which its format is recognised.
HEAD = 4_000


@dataclass(frozen=True)
class LogFormat:
    """A common format of logs.

    Attributes:
        name: its name on the command line: ``"timed"``.
        title: the parts of its lines, in their order.
        example: a record in this format; ``⏎`` is the end of a line.
        regex: an expression with named groups that finds a record; empty if ``reads`` is given.
        reads: a function that returns the records of a text, and the lines that are not records.
        begins: an expression that matches the beginning of such logs and no others.
    """

    name: str
    title: str
    example: str
    regex: str = ""
    reads: Callable[[str], tuple[list[Record], list[Problem]]] | None = None
    begins: str = ""


#: The formats by name; messages are identified by vector clocks or by the names of both ends.
FORMATS: Registry[LogFormat] = Registry(
    "lydian.formats", LogFormat, {name: f"lydian.formats.logs.{name}" for name in ("otlp", "jepsen", "maelstrom")}
)
for _each in (
    LogFormat(
        "govector", later("GoVector, with times and levels"),
        '1700000000000000000 web {"web": 2} ⏎ INFO sent the request',
        r"((?<time>\d{16,19}) )?(?<host>\S+) (?<clock>\{.*\})\n"
        r"((?<level>DEBUG|INFO|WARNING|ERROR|FATAL) )?(?<event>.*)",
    ),
    LogFormat(
        "below", later("Event, with host and clock below it"), 'sent the request ⏎ web {"web": 2}',
        r"(?<event>.*)\n(?<host>\S+) (?<clock>\{.*\})",
    ),
    LogFormat(
        "timed", later("Time, host, clock, event"), '12:00:01.250 web {"web": 2} sent the request',
        r"(?<time>\S+) (?<host>\S+) (?<clock>\{.*?\}) (?<event>.*)",
    ),
    LogFormat(
        "dated", later("Date, time, level, host, clock, event"),
        '2024-05-01 12:00:01,250 INFO web {"web": 2} sent the request',
        r"(?<time>\d{4}-\d\d-\d\d[ T][\d:.,]+) \[?(?<level>[A-Z]+)\]? \[?(?<host>[^\s\]]+)\]? "
        r"(?<clock>\{.*?\}) (?<event>.*)",
    ),
    LogFormat(
        "numbered", later("Time, host, message with its number, to or from which host"), "12:00:01.250 a call #1 to b",
        r"(?<time>\S+) (?<host>\w+) (?<event>\w+)( #(?<message>\d+) (to (?<to>\w+)|from (?<from>\w+)))?",
    ),
    LogFormat(
        "verbs", later("Time, host, sends … to or receives … from"), "1.25 a sends Ack to b",
        r"(?<time>\S+) (?<host>\S+) (?<event>(sends? (?<label>\S+) to (?<to>\S+)|receives? \S+ from (?<from>\S+)|.*))",
    ),
):  # fmt: skip
    FORMATS.register(_each)


def format_named(name: str) -> LogFormat:
    """Return a format by its name.

    Raises:
        BadInput: there is no such format.
    """
    if name not in FORMATS:
        raise BadInput(f"unknown format {shown(name)}{did_you_mean(name, FORMATS)}; choose from {', '.join(FORMATS)}")
    return FORMATS[name]


def recognised(text: str) -> LogFormat | None:
    """Return the format whose logs begin like this text, or ``None``."""
    head = text[:HEAD]
    return next((form for form in FORMATS.values() if form.begins and re.match(form.begins, head)), None)


def title_of(form: LogFormat) -> str:
    """Return the title of a format in the language of the window."""
    return translated(form.title)
