"""The text of a protocol that is being edited, kept in a file beside the settings so that it survives a crash.

At its next start, the program offers to resume it. Texts that are set aside are in the folder ``unsaved`` there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.reading import write_text

__all__ = ["FILE", "KeptText", "forget", "put_aside", "read", "write"]

#: The name of the file in the folder of its window.
FILE = "protocol.json"
#: The maximum number of texts that are set aside; older ones are deleted.
MOST_ASIDE = 50


@dataclass(frozen=True)
class KeptText:
    """An unsaved text with its name and, if there is one, the file to which it belongs."""

    text: str
    path: Path | None
    name: str


def write(file: Path, kept: KeptText) -> None:
    """Keep a text.

    Raises:
        LydianError: the file cannot be written.
        OSError: its folder cannot be created.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    told = {"version": 1, "file": None if kept.path is None else str(kept.path), "name": kept.name, "text": kept.text}
    write_text(file, json.dumps(told))


def read(file: Path) -> KeptText | None:
    """Return the text that was kept; return ``None`` if the file contains no usable text."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        text, path, name = told["text"], told.get("file"), told.get("name")
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    if not isinstance(text, str) or not text.strip():
        return None
    return KeptText(text, Path(path) if isinstance(path, str) else None, str(name or "protocol.py"))


def forget(file: Path) -> None:
    """Delete the kept text, as nothing is unsaved any more."""
    try:
        file.unlink(missing_ok=True)
    except OSError:
        pass


def put_aside(kept: KeptText, folder: Path) -> Path:
    """Write a text to a new file in a folder, and return the file.

    Raises:
        LydianError: it cannot be written.
        OSError: the folder cannot be created or read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.-]+", "-", Path(kept.name).stem).strip(".-")[:60] or "protocol"
    taken = {entry.name for entry in folder.iterdir()}
    name = next((n for n in (f"{stem}.py", *(f"{stem}-{i}.py" for i in range(2, 10_000))) if n not in taken), "")
    if not name:
        raise LydianError(
            tr("{folder} contains too many files named {stem}; delete some of them", folder=folder, stem=stem)
        )
    write_text(folder / name, kept.text)
    for old in sorted(folder.glob("*.py"), key=lambda entry: entry.stat().st_mtime)[:-MOST_ASIDE]:
        old.unlink()
    return folder / name
