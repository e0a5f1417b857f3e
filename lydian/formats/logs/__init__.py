"""Logs of real systems: the formats that are read with a regular expression, in addition to the documented format."""

from __future__ import annotations

from dataclasses import dataclass

from lydian.language import later, translated
from lydian.plugins import Registry

__all__ = ["FORMATS", "LogFormat", "title_of"]


@dataclass(frozen=True)
class LogFormat:
    """A common format of logs.

    Attributes:
        name: its name on the command line: ``"timed"``.
        title: the parts of its lines, in their order.
        example: a record in this format; ``⏎`` is the end of a line.
        regex: an expression with named groups that finds a record.
    """

    name: str
    title: str
    example: str
    regex: str


#: The formats by name; messages are identified by vector clocks or by the names of both ends.
FORMATS: Registry[LogFormat] = Registry("lydian.formats", LogFormat)
for _each in (
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


def title_of(form: LogFormat) -> str:
    """Return the title of a format in the language of the window."""
    return translated(form.title)
