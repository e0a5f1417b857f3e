"""The left panel of the network editor, with the tabs Build, Table and Archive."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QTabWidget, QWidget

from lydian.app.kit.fields import heading, hint
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_look, stretched
from lydian.app.look.theme import Theme
from lydian.app.network.board.arranging import ArrangePane
from lydian.app.network.board.board import Board
from lydian.app.network.files import DRAWINGS
from lydian.app.network.generating import GeneratePane
from lydian.app.network.panes.historylist import HistoryList
from lydian.app.network.panes.shelfpane import ShelfPane
from lydian.app.network.panes.tablepane import TablePane
from lydian.desk.archivelist import ArchiveList
from lydian.formats.networks import FORMATS, words_of
from lydian.language import tr, trc

__all__ = ["TABS", "BuildPanel"]


class InOutPane(QWidget):
    """The buttons for importing and exporting networks."""

    import_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.read, self.write = QPushButton(tr("Import…")), QPushButton(tr("Export…"))
        for button, tip in (
            (self.read, tr("Read a network from a file and add it to the drawing")),
            (self.write, tr("Write the network, or a picture of it, to a file")),
        ):
            button.setObjectName("compact")
            button.setToolTip(tip)
        both = [words_of(each) for each in FORMATS.values() if each.readable and each.name != "json"]
        out = [
            *(end[1:].upper() for end in DRAWINGS),
            *(words_of(each) for each in FORMATS.values() if not each.readable),
        ]
        self.hint = hint(
            tr(
                "{formats}, LYDIAN's own format; networks can also be exported as {written}. You can drop a file on "
                "the drawing.",
                formats=", ".join(both),
                written=", ".join(out),
            )
        )
        both_ways = FlowRow(gap=6)
        both_ways.addWidget(self.read)
        both_ways.addWidget(self.write)
        down(heading(tr("Files")), both_ways, self.hint, on=self, spacing=6)
        self.read.clicked.connect(self.import_wanted)
        self.write.clicked.connect(self.export_wanted)
        board.changed.connect(self._fill)
        set_look(self.read, theme, icon="open")
        set_look(self.write, theme, icon="save")
        self._fill()

    def _fill(self) -> None:
        self.write.setEnabled(self.board.network.n > 0)


#: Tab -> its title, from left to right.
TABS = {
    "Build": trc("tab of the network editor", "Build"),
    "Table": trc("of a network", "Table"),
    "Archive": tr("Archive"),
}


class BuildPanel(QWidget):
    """The panel that generates and arranges networks and shows the history, the tables and the archive.

    Attributes:
        generate, arrange, history, in_out, table, archive: the parts of the panel.
    """

    #: Emitted just before processes move, with their new places by name.
    arranged = Signal(object)
    #: Emitted when a network from the archive is to be opened, with the network and its file.
    opened_wanted = Signal(object, object)
    import_wanted = Signal()
    export_wanted = Signal()
    #: Emitted when the view should fit the whole drawing.
    fit_wanted = Signal()
    #: Emitted when snapping moved processes to the grid is switched on (True) or off.
    snap_changed = Signal(bool)
    #: Emitted when snapping moved processes into line with others is switched on (True) or off.
    guides_changed = Signal(bool)

    def __init__(
        self, board: Board, theme: Theme, parent: QWidget | None = None, *, shelf: ArchiveList | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("buildPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.board = board
        self.generate = GeneratePane(board, theme)
        self.arrange = ArrangePane(board)
        self.history = HistoryList(board, theme)
        self.in_out = InOutPane(board, theme)
        self.table = TablePane(board, theme)
        self.archive = ShelfPane(board, theme, shelf)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(tr("Build, table and archive"))
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        for title, page in zip(TABS.values(), (self._build_page(), self.table, self.archive), strict=True):
            self.tabs.addTab(page, title)
        down(self.tabs, on=self)
        self.arrange.arranged.connect(self.arranged)
        self.arrange.snap_changed.connect(self.snap_changed)
        self.arrange.guides_changed.connect(self.guides_changed)
        self.generate.fit_wanted.connect(self.fit_wanted)
        self.arrange.fit_wanted.connect(self.fit_wanted)
        self.archive.fit_wanted.connect(self.fit_wanted)
        self.archive.opened_wanted.connect(self.opened_wanted)
        self.in_out.import_wanted.connect(self.import_wanted)
        self.in_out.export_wanted.connect(self.export_wanted)
        set_look(self, theme, min_width=stretched(205))

    def _build_page(self) -> QWidget:
        inside = QWidget()
        inside.setObjectName("panel")
        down(
            self.generate, self.arrange,
            down(heading(tr("History")), self.history, spacing=6),
            self.in_out, ..., on=inside, margins=(10, 10, 8, 10), spacing=14,
        )  # fmt: skip
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        return area

    def show_tab(self, tab: str) -> None:
        """Bring one of :data:`TABS` to the front."""
        self.tabs.setCurrentIndex(list(TABS).index(tab))

    def put_away(self) -> None:
        """Remove the ghost and forget the kind of network that it shows."""
        self.generate.put_away()
        self.archive.put_away()
        self.board.show_ghost(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the ghost on Esc."""
        if event.key() == Qt.Key.Key_Escape and (self.board.ghost is not None or self.generate.kind):
            self.put_away()
            event.accept()
        else:
            super().keyPressEvent(event)

    def close_all(self) -> None:
        """End every thread and timer."""
        for part in (self.generate, self.arrange, self.archive):
            part.close_all()
