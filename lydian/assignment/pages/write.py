"""Writing the pages of a grading into its folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydian.assignment.pages.feedback import feedback
from lydian.assignment.pages.lecturer import lecturer_page
from lydian.model.reading import write_text

__all__ = ["write_pages"]


def write_pages(folder: Path, grades: Mapping[str, Any]) -> None:
    """Write the lecturer's page, and the page of feedback on each hand-in.

    Args:
        folder: the output folder of the grading; it contains the runs.
        grades: what ``grades.json`` contains.

    Raises:
        BadInput: a page cannot be written.
    """
    pages = folder / "feedback"
    pages.mkdir(parents=True, exist_ok=True)
    for result in grades["hand_ins"]:
        write_text(pages / f"{result['id']}.html", feedback(result, folder, grades["assignment"]))
    write_text(folder / "index.html", lecturer_page(grades, folder))
