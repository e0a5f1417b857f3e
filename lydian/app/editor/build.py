"""The left panel of the network editor: build, table, archive."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from lydian.app.editor.arranging import ArrangePane
from lydian.app.editor.board import Board
from lydian.app.editor.files import DRAWINGS
from lydian.app.editor.generating import GeneratePane
from lydian.app.editor.historylist import HistoryList
from lydian.app.editor.shelfpane import ShelfPane
from lydian.app.editor.tablepane import TablePane
from lydian.app.kit.fields import heading, hint
from lydian.app.kit.theming import set_look, stretched
from lydian.app.look.theme import Theme
from lydian.desk.shelf import Shelf
from lydian.formats.networks import FORMATS

__all__ = ["TABS", "BuildPanel"]


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
        both = [each.words for each in FORMATS.values() if each.readable and each.name != "json"]
        out = [*(end[1:].upper() for end in DRAWINGS), *(each.words for each in FORMATS.values() if not each.readable)]
        self.hint = hint(
            f"{', '.join(both)}, own format; export also {', '.join(out)}. A file can be dropped on the drawing."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(heading("In and out"))
        column.addLayout(row)
        column.addWidget(self.hint)
        self.read.clicked.connect(self.import_wanted)
        self.write.clicked.connect(self.export_wanted)
        board.changed.connect(self._fill)
        set_look(self.read, theme, icon="open")
        set_look(self.write, theme, icon="save")
        self._fill()

    def _fill(self) -> None:
        self.write.setEnabled(self.board.network.n > 0)


#: The tabs, in their order.
TABS = ("Build", "Table", "Archive")


class BuildPanel(QWidget):
    """Generates, arranges, goes back and forth in the history; the network as tables; the networks of the archive.

    Attributes:
        generate, arrange, history, in_out, table, archive: its parts.
    """

    #: Where processes go, by name, just before they do.
    arranged = Signal(object)
    #: A network of the archive is to be opened, and its file.
    opened_wanted = Signal(object, object)
    import_wanted = Signal()
    export_wanted = Signal()
    #: All of the drawing should be seen.
    fit_wanted = Signal()
    #: Whether what is moved stops on the grid, and in line with others.
    snap_changed = Signal(bool)
    guides_changed = Signal(bool)

    def __init__(
        self, board: Board, theme: Theme, parent: QWidget | None = None, *, shelf: Shelf | None = None
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
        self.tabs.setAccessibleName("Build, table, archive")
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        for title, page in zip(TABS, (self._build_page(), self.table, self.archive), strict=True):
            self.tabs.addTab(page, title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.tabs)
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
        self.set_theme(theme)

    def _build_page(self) -> QWidget:
        inside = QWidget()
        inside.setObjectName("panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(10, 10, 8, 10)
        column.setSpacing(14)
        column.addWidget(self.generate)
        column.addWidget(self.arrange)
        steps = QVBoxLayout()
        steps.setSpacing(6)
        steps.addWidget(heading("History"))
        steps.addWidget(self.history)
        column.addLayout(steps)
        column.addWidget(self.in_out)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        return area

    def show_tab(self, title: str) -> None:
        """Bring one of :data:`TABS` to the front."""
        self.tabs.setCurrentIndex(TABS.index(title))

    def put_away(self) -> None:
        """Take the ghost away, and what would make it."""
        self.generate.put_away()
        self.archive.put_away()
        self.board.show_ghost(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the ghost away."""
        if event.key() == Qt.Key.Key_Escape and (self.board.ghost is not None or self.generate.kind):
            self.put_away()
            event.accept()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(_sheet(theme))

    def close_all(self) -> None:
        """Leave no thread and no timer."""
        for part in (self.generate, self.arrange, self.archive):
            part.close_all()


def _sheet(theme: Theme) -> str:
    return _SHEET.format(
        small=theme.px("small"),
        radius=int(theme.size("radius.control")),
        **{
            path.replace(".", "_"): theme.color(path).name()
            for path in (
                "surface.panel", "surface.header", "border.subtle", "border.control", "accent.base", "accent.ring",
                "text.primary", "text.secondary", "text.hint", "check.violated",
            )
        },
    )  # fmt: skip


_SHEET = """
#buildPanel, QTabWidget, QTabBar {{ background: {surface_header}; }}
#panel, QStackedWidget {{ background: {surface_panel}; }}
QTabWidget::pane {{ border: 0; border-top: 1px solid {border_subtle}; }}
#compact {{ padding: 4px 4px; font-size: {small}px; }}
#compact:disabled {{ color: {text_hint}; border-color: {border_subtle}; }}
#compact:focus {{ padding: 3px 3px; }}
#fieldLabel {{ color: {text_secondary}; font-size: {small}px; }}
QLineEdit {{ font-size: {small}px; }}
QLineEdit[bad="true"] {{ border: 2px solid {check_violated}; padding: 2px 5px; }}
#cellField {{ border: 2px solid {accent_ring}; border-radius: 0; padding: 0 2px; }}
QCheckBox {{ font-size: {small}px; color: {text_primary}; }}
#segment QToolButton {{ font-size: {small}px; padding: 0 4px; }}
#segment QToolButton:focus {{ padding: 0 2px; }}
#thinBar {{ background: {surface_header}; border: 0; border-radius: 3px; }}
#thinBar::chunk {{ background: {accent_base}; border-radius: 3px; }}
QSlider {{ min-height: 14px; max-height: 14px; }}
QSlider::groove:horizontal {{ height: 3px; background: {border_subtle}; border-radius: 1px; }}
QSlider::sub-page:horizontal {{ background: {accent_base}; border-radius: 1px; }}
QSlider::handle:horizontal {{ width: 10px; height: 10px; margin: -4px 0; border-radius: 5px;
  background: {accent_base}; }}
QSlider::handle:horizontal:focus {{ border: 2px solid {text_primary}; width: 8px; height: 8px; border-radius: 6px; }}
"""
