"""The hand-in file of an assignment: one file with the protocol, the answers and the student's own tests.

It is a ZIP archive without folders whose name ends in ``.lydian``. Beside the files to be handed in it contains
``answers.toml`` and ``hand-in.json``::

    {"format": 2, "assignment": "Mutual exclusion", "digest": "the student's package", "student": "Ines Okafor",
     "made": "2026-11-26T17:42:00+01:00", "version": "0.2.0", "public": {"points": 11.7, "fingerprint": "7f3a91c0e25d"}}
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import lydian
from lydian.assignment.assignment import ANSWERS, MOST_BYTES, Assignment
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.reading import parse_toml
from lydian.model.source.syntax import tree_of

__all__ = ["ABOUT", "HandIn", "answers_from", "doubts", "is_hand_in", "read_hand_in", "receipt", "write_hand_in"]

ABOUT = "hand-in.json"
_FORMAT = 2


@dataclass(frozen=True)
class HandIn:
    """The contents of a hand-in.

    Attributes:
        student: the name as the student gave it, "" if unknown.
        files: the files, name -> text.
        answers: check -> answer.
        made: when it was made, ``None`` if unknown.
        digest: the digest of the package for which it was made, "" if unknown.
        public: the results of the public checks as the student's program saw them.
    """

    student: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    made: datetime | None = None
    digest: str = ""
    public: Mapping[str, Any] = field(default_factory=dict)


def is_hand_in(path: Path | str) -> bool:
    """Return True if a file is a hand-in of an assignment, judging by its content."""
    try:
        with Path(path).open("rb") as stream:
            if stream.read(4) != b"PK\x03\x04":
                return False
        with zipfile.ZipFile(path) as whole:
            names = whole.namelist()
            return ABOUT in names and "experiment.toml" not in names
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return False


def answers_from(text: str, name: str = ANSWERS) -> dict[str, Any]:
    """Return the answers in a text.

    Raises:
        BadInput: it is not a table of answers.
    """
    found = parse_toml(text, name) if text.strip() else {}
    inner = found.get("answers")
    return dict(inner) if isinstance(inner, Mapping) and len(found) == 1 else found


def receipt(files: Mapping[str, str], answers: Mapping[str, Any]) -> str:
    """Return a digest of everything that is handed in, by which a hand-in is recognised."""
    told = [sorted(files.items()), sorted((key, str(value)) for key, value in answers.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def doubts(assignment: Assignment, files: Mapping[str, str], answers: Mapping[str, Any]) -> list[str]:
    """Return what a student should know before handing in, one sentence each: missing files, answers, syntax errors."""
    found = [f"{name} is missing." for name in assignment.hand_in if not files.get(name, "").strip()]
    for name, text in files.items():
        if name.endswith(".py"):
            try:
                tree_of(text)
            except (SyntaxError, ValueError) as error:
                line = getattr(error, "lineno", None)
                place = f", line {line}" if line else ""
                found.append(f"{name}{place}: Python cannot read it ({getattr(error, 'msg', error)}).")
    questions = [check.id for check in assignment.public if check.kind.name in ("question", "written")]
    for id in answers:
        if id not in questions:
            known = f"; choose from {', '.join(questions)}" if questions else ""
            found.append(f"{ANSWERS}: there is no question {id!r}{did_you_mean(id, questions) or known}.")
    left = [id for id in questions if answers.get(id) in (None, "")]
    if left:
        found.append(f"Not answered: {', '.join(left)}.")
    return found


def write_hand_in(
    path: Path | str,
    assignment: Assignment,
    student: str,
    files: Mapping[str, str],
    answers: Mapping[str, Any],
    made: datetime,
    public: Mapping[str, Any] | None = None,
) -> None:
    """Write a hand-in, completely or not at all.

    Raises:
        BadInput: a file is missing, or the hand-in cannot be written.
    """
    import tomli_w

    missing = [name for name in assignment.hand_in if not files.get(name, "").strip()]
    if assignment.protocol in missing:
        raise BadInput("this file is missing; it is the protocol to be handed in", file=assignment.protocol)
    about = {
        "format": _FORMAT, "assignment": assignment.title, "digest": assignment.package, "student": student,
        "made": made.isoformat(timespec="seconds"), "version": lydian.__version__, "public": dict(public or {}),
    }  # fmt: skip
    path, name = Path(path), ""
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(number, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as whole:
            whole.writestr(ABOUT, json.dumps(about, indent=1))
            for each in assignment.hand_in:
                if each in files:
                    whole.writestr(each, files[each])
            whole.writestr(ANSWERS, tomli_w.dumps({key: value for key, value in answers.items() if value is not None}))
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
        name = ""
    except OSError as error:
        what = f"cannot be written ({(error.strerror or str(error)).lower()}); choose a writable folder"
        raise BadInput(what, file=path) from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)


def read_hand_in(path: Path | str, data: bytes | None = None) -> HandIn:
    """Return the contents of a hand-in file, without executing any of it.

    Args:
        path: its path, for errors.
        data: its bytes, if they have been read already.

    Raises:
        BadInput: it is damaged, too large, or not a hand-in.
    """
    path = Path(path)
    try:
        with zipfile.ZipFile(io.BytesIO(data) if data is not None else path) as whole:
            texts: dict[str, str] = {}
            for entry in whole.infolist():
                if not re.fullmatch(r"[^\W_][\w .+-]*", entry.filename):
                    raise BadInput(f"contains {entry.filename!r}; a hand-in must have no folders", file=path)
                if entry.file_size > MOST_BYTES or len(texts) >= 50:
                    what = f"is too large; each file must have at most {MOST_BYTES / 1e6:g} MB"
                    raise BadInput(what, file=path)
                with whole.open(entry) as stream:
                    content = stream.read(MOST_BYTES + 1)
                if len(content) > MOST_BYTES:
                    raise BadInput(f"{entry.filename} is larger than the ZIP file says", file=path)
                texts[entry.filename] = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("contains a file that is not text in UTF-8", file=path) from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise BadInput(f"is not a hand-in, or it is damaged ({str(error).lower() or 'it cannot be read'})",
                       file=path) from None  # fmt: skip
    if ABOUT not in texts:
        raise BadInput(f"is not a hand-in; it must contain {ABOUT}", file=path)
    try:
        about = json.loads(texts.pop(ABOUT))
        made = about.get("made")
        when = datetime.fromisoformat(made) if isinstance(made, str) else None
        answers = answers_from(texts.pop(ANSWERS, ""))
        return HandIn(
            str(about.get("student") or ""), texts, answers, when if when is not None and when.tzinfo else None,
            str(about.get("digest") or ""), about.get("public") if isinstance(about.get("public"), dict) else {},
        )  # fmt: skip
    except (ValueError, AttributeError, TypeError) as error:
        raise BadInput(f"has a {ABOUT} that cannot be read ({error})", file=path) from None
