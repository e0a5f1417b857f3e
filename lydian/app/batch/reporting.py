"""The report of the results that are shown: asked where, drawn plot by plot, written at once."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.batch.turns import Turns
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.batch.folder import Folder
    from lydian.batch.surprise import Strange
    from lydian.views.plots.data import Results
    from lydian.views.plots.plots import Plot

__all__ = ["Reporting"]


class Reporting(QObject):
    """Writes one report at a time; the window stays alive meanwhile."""

    #: A sentence, and whether it is a problem.
    said = Signal(str, bool)
    #: The report is there: its file.
    written = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.window = window
        self.turns = Turns(self)

    def ask(self, folder: Folder, results: Results, strange: tuple[Strange, ...]) -> None:
        """Ask where, and write the report there."""
        offered = str(folder.path.parent / f"{results.name}.html")
        name, _kind = QFileDialog.getSaveFileName(self.window, "Save a report", offered, "Pages (*.html)")
        if name:
            path = Path(name) if name.lower().endswith((".html", ".htm")) else Path(f"{name}.html")
            self.begin(path, folder, results, strange)

    def begin(self, path: Path, folder: Folder, results: Results, strange: tuple[Strange, ...]) -> None:
        """Write the report; :attr:`written` follows, or a sentence why not."""
        pictures: list[tuple[str, str, bytes]] = []
        self.said.emit("Writing the report…", False)

        def draw(plot: Plot) -> None:
            from lydian.app.pictures.batchreport import picture_of

            pictures.append(picture_of(plot, strange))

        def plan() -> None:
            from lydian.views.plots.batchreport import report_plots

            self.turns.start([*(partial(draw, plot) for plot in report_plots(results)), write])

        def write() -> None:
            from lydian.app.pictures.batchreport import save_report

            try:
                save_report(path, folder, results, strange, pictures)
            except LydianError as error:
                self.said.emit(str(error), True)
                return
            self.said.emit(f"Saved as {path}; any browser shows and prints it.", False)
            self.written.emit(path)

        self.turns.start([plan])
