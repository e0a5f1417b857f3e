"""In and out: networks from files and into files."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from lydian.app.editor.board import Board
from lydian.app.editor.fields import heading, hint
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme

__all__ = ["FORMATS_HINT", "InOutPane"]

FORMATS_HINT = (
    "GraphML, GML, DOT, edge list, matrix, graph6, own format; export also SVG, PDF, PNG, TikZ. A file can be dropped "
    "on the drawing."
)


class InOutPane(QWidget):
    """Asks for files to be read and written."""

    import_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.read, self.write = QPushButton("Import..."), QPushButton("Export...")
        row = QHBoxLayout()
        row.setSpacing(6)
        for button, tip in (
            (self.read, "Read a network from a file and put it on the drawing"),
            (self.write, "Write the network, or a picture of it, into a file"),
        ):
            button.setObjectName("compact")
            button.setToolTip(tip)
            row.addWidget(button, 1)
        self.hint = hint(FORMATS_HINT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(heading("In and out"))
        column.addLayout(row)
        column.addWidget(self.hint)
        self.read.clicked.connect(self.import_wanted)
        self.write.clicked.connect(self.export_wanted)
        board.changed.connect(self._fill)
        self.set_theme(theme)
        self._fill()

    def _fill(self) -> None:
        self.write.setEnabled(self.board.network.n > 0)

    def set_theme(self, theme: Theme) -> None:
        self.read.setIcon(icon("open", theme))
        self.write.setIcon(icon("save", theme))
