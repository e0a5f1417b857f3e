"""The dock Compared run: the differences between two runs in words, and the network and causality of the other run."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QWidget,
)

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.views.registry import view

__all__ = ["EMPTY", "ComparedRun"]

#: The text of the dock while no runs are compared.
EMPTY = tr(
    "No run is compared. To show another run here, choose Compare in Branches, in the menu of a run of the experiment,"
    " or in the Run menu."
)
#: Below this height the two views are not stacked but side by side, from this width on, or the network alone.
LOW, WIDE = 360, 820


class ComparedRun(QWidget):
    """The panel with a bar of sentences and buttons above two views, which another play head moves.

    Attributes:
        bar: the sentences and buttons.
        canvases: the views ``basic`` and ``causality`` of the other run.
    """

    first_wanted = Signal()
    next_wanted = Signal()
    previous_wanted = Signal()
    swap_wanted = Signal()
    end_wanted = Signal()
    cancel_wanted = Signal()
    #: Emitted with the name of the other run, for the title.
    titled = Signal(str)

    def __init__(self, head: Playhead, camera: TimeCamera, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(tr("Compared run"))
        self.announcer = Announcer(self)
        self.empty = set_up(QLabel(EMPTY), look="hint", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 24, 24, 24)
        self.canvases = {name: Canvas(view(name), head, theme, camera) for name in ("basic", "causality")}
        for name, canvas in self.canvases.items():
            canvas.setObjectName(f"compared-{name}")
            canvas.setAccessibleName(tr("{view} of the compared run", view=canvas.spec.title))
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        for canvas in self.canvases.values():
            self.split.addWidget(canvas)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self._make_bar()
        down(self.bar, (self.empty, 1), (self.split, 1), on=self, spacing=0)
        self.show_empty()
        for part in (self.empty, self.sentence, self.first, self.swap, self.working, self.cancel):
            set_look(part, theme, font="body")
        set_look(self.now, theme, font="small")
        for button, sign in ((self.previous, "arrow-left"), (self.next, "arrow-right"), (self.end, "close")):
            set_look(button, theme, icon=sign, ink="text.secondary", square=stretched(28))

    def _make_bar(self) -> None:
        self.bar = set_up(QFrame(), look="comparedBar", name=tr("How the two runs differ"))
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sentence = set_up(
            QLabel(), look="comparedSentence", name=tr("How the two runs differ, in words"), wraps=True
        )
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.now = Elided()
        self.now.setObjectName("comparedNow")
        self.first, self.previous, self.next = QPushButton(tr("First difference")), QToolButton(), QToolButton()
        self.swap, self.end = QPushButton(tr("Swap")), QToolButton()
        for button, words, wanted in (
            (self.first, tr("Go to the first difference, in all views of both runs"), self.first_wanted),
            (self.previous, tr("Previous difference"), self.previous_wanted),
            (self.next, tr("Next difference"), self.next_wanted),
            (self.swap, tr("Show the other run and compare this one with it"), self.swap_wanted),
            (self.end, tr("End the comparison"), self.end_wanted),
        ):
            button.setToolTip(words)
            button.setAccessibleName(button.text() or words)
            button.clicked.connect(lambda _on=False, wanted=wanted: wanted.emit())
        self.working, self.progress, self.cancel = Elided(), QProgressBar(), QPushButton(tr("Cancel"))
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(8)
        self.progress.setMinimumWidth(60)
        self.progress.setAccessibleName(tr("Progress of the comparison"))
        self.cancel.setToolTip(tr("Cancel the comparison"))
        self.cancel.clicked.connect(self.cancel_wanted)
        self._work = QWidget()
        across((self.working, 2), (self.progress, 1), self.cancel, on=self._work)
        down(
            across((self.sentence, 1), (self.end, Qt.AlignmentFlag.AlignTop), spacing=6),
            across(self.first, self.previous, self.next, self.swap, ..., spacing=6),
            self.now, self._work, on=self.bar, margins=(10, 7, 8, 7), spacing=5,
        )  # fmt: skip

    def sizeHint(self) -> QSize:
        return QSize(560, 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(340, 200)

    # ------------------------------------------------------------------ contents

    def show_empty(self) -> None:
        """Show that no run is compared."""
        self.split.hide()
        self.bar.hide()
        self.empty.show()
        self.titled.emit("")
        self.setAccessibleDescription(EMPTY)

    def show_run(self, name: str) -> None:
        """Show the bar for a comparison with the run of this name, ready or in preparation."""
        self.empty.hide()
        self.bar.show()
        self.titled.emit(name)

    def show_views(self, on: bool) -> None:
        """Show or hide the views of the other run."""
        self.split.setVisible(on)
        self.empty.setVisible(not on and self.bar.isHidden())

    def say(self, sentence: str, more: str = "", *, problem: bool = False, ready: bool = True) -> None:
        """Show how the runs differ, with ``more`` in the tooltip; ``ready`` enables the buttons for differences."""
        self.sentence.setText(sentence)
        self.sentence.setToolTip(more)
        mark(self.sentence, problem=problem)
        for button in (self.first, self.previous, self.next):
            button.setEnabled(ready)
        self.setAccessibleDescription(sentence)
        if sentence:
            self.announcer.polite(sentence)

    def say_now(self, sentence: str, *, earlier: bool = False, later: bool = False) -> None:
        """Show the differences at this moment; enable the buttons if there is an earlier or a later difference."""
        if sentence != self.now.whole:
            self.now.say(sentence)
        self.previous.setEnabled(earlier)
        self.next.setEnabled(later)

    def work(self, words: str, share: float) -> None:
        """Show work in progress and the share of it that is done, -1 if unknown; hide it if there are no words."""
        self._work.setVisible(bool(words))
        self.working.say(words)
        self.progress.setRange(0, 0 if share < 0 else 100)
        if share >= 0:
            self.progress.setValue(round(100 * share))

    def refresh(self) -> None:
        """Redraw those views of the other run whose contents have changed."""
        for canvas in self.canvases.values():
            canvas.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() - self.bar.height() < LOW
        wide = low and self.width() >= WIDE
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        # Where both views would be too low to read, the network gets all the room.
        self.canvases["causality"].setVisible(wide or not low)
