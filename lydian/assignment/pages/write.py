"""Writing the pages of a grading into its folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydian.assignment.pages.feedback import feedback
from lydian.assignment.pages.lecturer import lecturer_page
from lydian.assignment.pages.panels import Sources
from lydian.model.errors import BadInput

__all__ = ["write_feedback", "write_pages"]


def write_pages(
    folder: Path, grades: Mapping[str, Any], sources: Sources | None = None, skeleton: Mapping[str, str] | None = None
) -> None:
    """Write the lecturer's page and the page of feedback on each hand-in.

    Args:
        folder: the output folder of the grading; it contains the runs.
        grades: what ``grades.json`` contains.
        sources: the files of the hand-ins by their ids, for the comparison of pairs.
        skeleton: the files with which the students began.

    Raises:
        BadInput: a page cannot be written.
    """
    for result in grades["hand_ins"]:
        write_feedback(folder, result, grades["assignment"])
    _write(folder / "index.html", lecturer_page(grades, folder, sources, skeleton))


def write_feedback(folder: Path, result: Mapping[str, Any], assignment: Mapping[str, Any]) -> None:
    """Write the page of feedback on one hand-in.

    Raises:
        BadInput: the page cannot be written.
    """
    _write(folder / "feedback" / f"{result['id']}.html", feedback(result, folder, assignment))


def _write(path: Path, text: str) -> None:
    """Write a page, completely or not at all; a page that is the same already is not written again."""
    try:
        if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(number, "w", encoding="utf-8") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written ({(error.strerror or str(error)).lower()})", file=path) from None
