"""What the panel of imports says of a log, and how it finds out."""

from __future__ import annotations

import html
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget

from lydian.app.work.background import Report
from lydian.model.errors import LydianError
from lydian.trace.logpreview import PRESETS, Preview, preview, suited
from lydian.views.words.words import joined, plural

__all__ = ["FORMATS", "look", "numbers", "summary", "table"]

#: Hosts that are named.
NAMED = 8
#: What is said of each kind of log.
FORMATS = {
    "ours": "A log that LYDIAN wrote: times, states and variables come back.",
    "clocks": "Host and vector clock, then what happened, as ShiViz and GoVector write it.",
    "regex": "Read with the regular expression above.",
    "": "Not the documented format: choose a usual kind, or write a regular expression.",
}


def look(path: Path, regex: str | None, delimiter: str | None, auto: bool, report: Report) -> tuple[Preview, str]:
    """What is understood, and the key of a preset if that reads it better than the documented format."""
    found = preview(path, regex=regex, delimiter=delimiter, watch=report)
    if auto and regex is None and (found.problems or not found.events):
        key = suited(path, report)
        if key:
            try:
                better = preview(path, regex=PRESETS[key].regex, delimiter=delimiter, watch=report)
            except LydianError:
                return found, ""
            if better.events and len(better.problems) < len(found.problems) and better.messages >= found.messages:
                return better, key
    return found, ""


def numbers(found: Preview) -> str:
    """How many hosts, events and messages there are."""
    parts = [plural(len(found.hosts), "host"), plural(found.events, "event"), plural(found.messages, "message")]
    if found.executions > 1:
        parts.append(plural(found.executions, "execution"))
    return ", ".join(parts)


def summary(found: Preview) -> str:
    """What was understood, as rich text."""
    if not found.events:
        return ""
    start = "" if found.whole else f"In the first {len(found.lines):,} lines: "
    hosts = list(found.hosts[:NAMED]) + (["…"] if len(found.hosts) > NAMED else [])
    names = joined(hosts) if len(found.hosts) <= NAMED else ", ".join(hosts)
    notes = "".join(f" {note[:1].upper()}{note[1:]}." for note in found.notes)
    warn = "" if found.messages or len(found.hosts) < 2 else " No message was recognised between them."
    return f"{start}<b>{numbers(found)}</b> ({html.escape(names)}).{warn}{html.escape(notes)}"


def table(titles: tuple[str, ...], name: str) -> QTreeWidget:
    """An empty table whose last column takes the room that is left."""
    table = QTreeWidget()
    table.setHeaderLabels(list(titles))
    table.setAccessibleName(name)
    table.setRootIsDecorated(False)
    table.setIndentation(0)
    table.setUniformRowHeights(True)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    header = table.header()
    header.setMinimumSectionSize(44)
    for column in range(len(titles) - 1):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(len(titles) - 1, QHeaderView.ResizeMode.Stretch)
    return table
