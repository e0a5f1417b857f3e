"""A preview of a log from its beginning: its lines, its format, and which of them can be understood.

The preview reads like :func:`lydian.formats.logs.importer.import_log`, but only the first lines of a long file, and it
then ignores problems that later events might resolve.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lydian.formats.logs import FORMATS, format_named, recognised
from lydian.formats.logs.importer import LARGEST, Imported, NoEvents, import_text
from lydian.formats.logs.lines import is_ours, read_lines
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.reading import BadLines, Problem, Watch, read_text
from lydian.trace.timeline import Timeline

__all__ = ["Preview", "Row", "around", "looks_like_log", "preview", "suited"]

#: The bytes and lines at the beginning that are read, and the number of events that are listed.
BYTES, LINES, ROWS = 1_000_000, 4_000, 10
#: The time limit of an expression for a preview, in seconds.
PATIENCE = 3.0
#: A host and its vector clock anywhere in a line.
_CLOCK = re.compile(r"\S\s+\{\s*\"[^\"]+\"\s*:\s*\d+[^{}]*\}")


@dataclass(frozen=True)
class Row:
    """One of the first events: its time, its host, its kind, and the text of the log."""

    time: float
    host: str
    what: str
    text: str


@dataclass(frozen=True)
class Preview:
    """The part of the beginning of a log that can be understood.

    Attributes:
        lines: the lines that were read.
        whole: whether these are the whole file.
        kind: ``ours`` (an export by LYDIAN), ``clocks`` (the documented format), ``regex``, the name of a format that
            is not read with an expression or, if nothing matches, ``""``.
        hosts: the names of the processes; ``events``, ``messages`` and ``executions`` are numbers.
        rows: the first events of the first execution, causes before effects.
        problems: the lines that cannot be used.
        notes: notes on changes to the others.
        why: why nothing can be shown, as a sentence; empty if something can.
    """

    lines: tuple[str, ...]
    whole: bool
    kind: str = ""
    hosts: tuple[str, ...] = ()
    events: int = 0
    messages: int = 0
    executions: int = 0
    rows: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    why: str = ""


def preview(
    path: Path | str, *, form: str | None = None, regex: str | None = None, delimiter: str | None = None,
    watch: Watch | None = None,
) -> Preview:  # fmt: skip
    """Preview the beginning of a log; the arguments are those of ``import_log``.

    Raises:
        BadInput: the file is missing, binary or too large.
    """
    path = Path(path)
    text, whole = _beginning(path)
    lines = tuple(text.split("\n"))
    found_form = format_named(form) if form is not None else recognised(text) if regex is None else None
    structured = found_form is not None and found_form.reads is not None
    if found_form is not None and structured:
        kind = form = found_form.name
        if not whole:  # the beginning of such a text cannot be read without its end
            text, whole = read_text(path, "a log", LARGEST).replace("\r\n", "\n"), True
    else:
        regex = regex if found_form is None else found_form.regex
        form, kind = None, "regex" if regex is not None else "ours" if is_ours(text) else "clocks"
    words = {"form": form, "regex": regex, "delimiter": delimiter, "seconds": PATIENCE, "watch": watch}
    try:
        found = import_text(text, path, skip=True, **words)  # type: ignore[arg-type]
    except NoEvents as error:
        why = tr("No line is an event in this format.") if regex is None else tr("No line matches this expression.")
        return Preview(lines, whole, "" if kind == "clocks" else kind, problems=error.problems, why=why)
    except BadInput as error:
        return Preview(lines, whole, kind, why=_sentence(error))
    problems = tuple(sorted((p for each in found for p in each.problems), key=lambda p: p.line))
    if not whole:  # what seems to be missing may be in the rest of the file
        try:
            import_text(text, path, **words)  # type: ignore[arg-type]
        except BadLines as bad:
            hopeless = {problem.line for problem in _unread(text, regex, bad)}
            problems = tuple(problem for problem in problems if problem.line in hopeless)
        except BadInput:
            pass
    hosts = tuple(dict.fromkeys(host for each in found for host in each.trace.processes))
    return Preview(
        lines, whole, kind, hosts, sum(int(each.trace.summary["imported"]["events"]) for each in found),
        sum(Timeline(each.trace).m_messages for each in found), len(found), _rows(found[0]), problems,
        tuple(dict.fromkeys(note for each in found for note in each.notes)),
    )  # fmt: skip


def _unread(text: str, regex: str | None, bad: BadLines) -> tuple[Problem, ...]:
    """Return the problems of lines that cannot be read, whatever follows them."""
    if regex is None:
        return tuple(read_lines(text, ours=is_ours(text))[1])
    return tuple(p for p in bad.problems if "expression" in p.why or "group" in p.why or "time is" in p.why)


def suited(path: Path | str, watch: Watch | None = None) -> str:
    """Return the key in :data:`PRESETS` of the expression that reads most of a log's beginning; empty if none
    matches."""
    path = Path(path)
    text = "\n".join(_beginning(path)[0].split("\n")[:40])
    best, least = "", 0.5
    for key, form in FORMATS.items():
        if form.reads is not None:
            continue
        try:
            found = import_text(text, path, regex=form.regex, skip=True, seconds=PATIENCE, watch=watch)
        except BadInput:
            continue
        events = sum(int(each.trace.summary["imported"]["events"]) for each in found)
        bad = sum(len(each.problems) for each in found)
        linked = sum(Timeline(each.trace).m_messages for each in found)
        if linked and bad / (events + bad) < least:
            best, least = key, bad / (events + bad)
    return best


def around(path: Path | str, line: int, room: int = 12) -> tuple[int, tuple[str, ...]]:
    """Return the lines around a line of a file: the number of the first, and the lines.

    Raises:
        OSError: the file cannot be read.
    """
    first, kept = max(line - room, 1), []
    with Path(path).open(encoding="utf-8", errors="replace", newline="\n") as file:
        for number, text in enumerate(file, 1):
            if number > line + room:
                break
            if number >= first:
                kept.append(text.rstrip("\r\n")[:2_000])
    return first, tuple(kept)


def looks_like_log(path: Path | str) -> bool:
    """Return True if an unknown file may be a log: text whose name says so, or that contains vector clocks."""
    path = Path(path)
    try:
        text, _ = _beginning(path)
    except BadInput:
        return False
    known = path.suffix.lower() in (".log", ".txt") or _CLOCK.search(text) is not None
    return bool(text.strip()) and (known or recognised(text) is not None)


def _beginning(path: Path) -> tuple[str, bool]:
    """Return the first lines of a text, and whether they are all."""
    if not path.is_file() or path.stat().st_size > LARGEST:
        read_text(path, "a log", LARGEST)  # raises an error that says what is wrong
    try:
        with path.open("rb") as file:
            data = file.read(BYTES + 1)
    except OSError:
        return read_text(path, "a log", LARGEST), True  # raises an error that says what is wrong
    if len(data) <= BYTES:
        text = read_text(path, "a log", LARGEST)
    else:
        data = data[:BYTES]
        cut = data.rfind(b"\n")
        try:
            text = data[: cut if cut >= 0 else len(data)].decode("utf-8-sig", "strict" if cut >= 0 else "ignore")
        except UnicodeDecodeError:
            text = read_text(path, "a log", LARGEST)  # raises an error that says where it is not text
    text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    whole = len(data) <= BYTES and len(lines) <= LINES
    return "\n".join(lines[:LINES]) if len(lines) > LINES else text, whole


def _rows(found: Imported) -> tuple[Row, ...]:
    rows = []
    for seq, event in enumerate(found.trace.events()):
        if seq == ROWS:
            break
        what = " ".join(_what(event.kind, event.label or "", event.peer or "").split())
        detail = event.detail or {}
        text = detail.get("text") or (detail.get("fields") or {}).get("log") or ""
        rows.append(Row(event.time, event.process or "", what, str(text)))
    return tuple(rows)


def _what(kind: str, label: str, peer: str) -> str:
    """Return what a host does in an event; a message without a label leaves two spaces."""
    if kind == "send":
        return tr("sends {message} to {receiver}", message=label, receiver=peer) if peer else (
            tr("sends {message}", message=label)
        )  # fmt: skip
    if kind == "receive":
        return tr("receives {message} from {sender}", message=label, sender=peer) if peer else (
            tr("receives {message}", message=label)
        )  # fmt: skip
    if kind == "drop":
        return tr("is lost: {message} from {sender}", message=label, sender=peer) if peer else (
            tr("is lost: {message}", message=label)
        )  # fmt: skip
    return tr("notes {event}", event=label) if kind == "note" else f"{kind} {label}"


def _sentence(error: BadInput) -> str:
    place = f"{error.place}: " if error.place else ""
    what = f"{place}{error.what}"
    return f"{what[:1].upper()}{what[1:]}."
