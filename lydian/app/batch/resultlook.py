"""What a look into a batch's folder gives the panel of its results; the look is taken in a thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.app.work.background import Report
from lydian.batch.oddest import oddest
from lydian.batch.surprise import Strange, remember
from lydian.model.errors import LydianError
from lydian.views.plotdata import Results
from lydian.views.plotread import Reader
from lydian.views.words import plural

__all__ = ["Answers", "look", "verdict"]

#: So many of the strangest runs are found.
MOST = 20


@dataclass(frozen=True, eq=False)
class Answers:
    """What a look at the folder found."""

    reader: Reader
    results: Results
    strange: tuple[Strange, ...]


def verdict(results: Results) -> tuple[str, bool]:
    """What the checks say of all runs together, and whether it is good; nothing if there is nothing to say."""
    if results.violated:
        verb = "violates" if results.violated == 1 else "violate"
        return f"✗ {plural(results.violated, 'run')} {verb} a property", False
    if not results.judged:
        return ("✓ no property violated" if not bool(results.failed.all()) else ""), True
    good = results.kept == results.judged
    kept = f"all {results.judged:,}" if good else f"{results.kept:,} of {results.judged:,}"
    what = f"messages = {results.formula}" if 0 < len(results.formula) <= 28 else "messages as the formula expects"
    return f"{'✓' if good else '✗'} {what} in {kept} runs", good


def look(folder: Path, reader: Reader | None) -> Callable[[Report], Any]:
    """Read a folder and rank its runs; in a thread."""

    def work(report: Report) -> Answers:
        mine = Reader(folder) if reader is None else reader
        report(0.1)
        read = mine.read()
        report(0.6)
        strange = tuple(oddest(mine.folder, read.table, MOST))
        try:
            if strange:
                remember(mine.folder, strange)  # so that DIR#3 is number 3 here
        except LydianError:
            pass  # a folder that cannot be written can be looked at all the same
        return Answers(mine, read.results, strange)

    return work
