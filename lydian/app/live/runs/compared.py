"""The dock Compared run: how two runs part, in words, and the network and the causality of the other one."""

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
from lydian.views.registry import view

__all__ = ["EMPTY", "ComparedRun"]

#: What stands in the dock while nothing is compared.
EMPTY = (
    "Nothing is compared. Choose Compare in Branches, in the menu of a run of the experiment, or in the menu Run, and"
    " the other run stands here."
)
#: Below this height the two views do not stand above each other: side by side from this width on, else one alone.
LOW, WIDE = 360, 820


class ComparedRun(QWidget):
    """A bar with sentences and buttons above two views that another play head moves.

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
    #: What the other run is called, for the title.
    titled = Signal(str)

    def __init__(self, head: Playhead, camera: TimeCamera, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName("Compared run")
        self.announcer = Announcer(self)
        self.empty = set_up(QLabel(EMPTY), look="hint", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 24, 24, 24)
        self.canvases = {name: Canvas(view(name), head, theme, camera) for name in ("basic", "causality")}
        for name, canvas in self.canvases.items():
            canvas.setObjectName(f"compared-{name}")
            canvas.setAccessibleName(f"{canvas.spec.title} of the compared run")
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
        self.bar = set_up(QFrame(), look="comparedBar", name="How the two runs differ")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sentence = set_up(QLabel(), look="comparedSentence", name="How the two runs differ, in words", wraps=True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.now = Elided()
        self.now.setObjectName("comparedNow")
        self.first, self.previous, self.next = QPushButton("First difference"), QToolButton(), QToolButton()
        self.swap, self.end = QPushButton("Swap"), QToolButton()
        for button, words, wanted in (
            (self.first, "Go to the first difference, in all views of both runs", self.first_wanted),
            (self.previous, "Previous difference", self.previous_wanted),
            (self.next, "Next difference", self.next_wanted),
            (self.swap, "Show the other run, and compare it with this one", self.swap_wanted),
            (self.end, "End the comparison", self.end_wanted),
        ):
            button.setToolTip(words)
            button.setAccessibleName(button.text() or words)
            button.clicked.connect(lambda _on=False, wanted=wanted: wanted.emit())
        self.working, self.progress, self.cancel = Elided(), QProgressBar(), QPushButton("Cancel")
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(8)
        self.progress.setMinimumWidth(60)
        self.progress.setAccessibleName("Progress of the comparison")
        self.cancel.setToolTip("End the comparison that is being made")
        self.cancel.clicked.connect(self.cancel_wanted)
        self._work = QWidget()
        across((self.working, 2), (self.progress, 1), self.cancel, on=self._work)
        down(
            across((self.sentence, 1), (self.end, Qt.AlignmentFlag.AlignTop), spacing=6),
            across(self.first, self.previous, self.next, self.swap, 4, (self.now, 1), spacing=6),
            self._work, on=self.bar, margins=(10, 7, 8, 7), spacing=5,
        )  # fmt: skip

    def sizeHint(self) -> QSize:
        return QSize(560, 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(340, 200)

    # ------------------------------------------------------------------ what it shows

    def show_empty(self) -> None:
        """Nothing is compared."""
        self.split.hide()
        self.bar.hide()
        self.empty.show()
        self.titled.emit("")
        self.setAccessibleDescription(EMPTY)

    def show_run(self, name: str) -> None:
        """Something is compared, or about to be: what the other run is called."""
        self.empty.hide()
        self.bar.show()
        self.titled.emit(name)

    def show_views(self, on: bool) -> None:
        """Whether there is something to be seen of the other run."""
        self.split.setVisible(on)
        self.empty.setVisible(not on and self.bar.isHidden())

    def say(self, sentence: str, more: str = "", *, problem: bool = False, ready: bool = True) -> None:
        """How the runs part; ``more`` is for the tool tip; ``ready`` if one can go from difference to difference."""
        self.sentence.setText(sentence)
        self.sentence.setToolTip(more)
        mark(self.sentence, problem=problem)
        for button in (self.first, self.previous, self.next):
            button.setEnabled(ready)
        self.setAccessibleDescription(sentence)
        if sentence:
            self.announcer.polite(sentence)

    def say_now(self, sentence: str, *, earlier: bool = False, later: bool = False) -> None:
        """What differs at the moment, and whether there is a difference before and after it."""
        if sentence != self.now.whole:
            self.now.say(sentence)
        self.previous.setEnabled(earlier)
        self.next.setEnabled(later)

    def work(self, words: str, share: float) -> None:
        """Something goes on, and which share of it is done, -1 if nobody knows; without words it is over."""
        self._work.setVisible(bool(words))
        self.working.say(words)
        self.progress.setRange(0, 0 if share < 0 else 100)
        if share >= 0:
            self.progress.setValue(round(100 * share))

    def refresh(self) -> None:
        """Draw the other run's views anew where what they show has changed."""
        for canvas in self.canvases.values():
            canvas.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() - self.bar.height() < LOW
        wide = low and self.width() >= WIDE
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        # where both would be too low to read, the network has all the room
        self.canvases["causality"].setVisible(wide or not low)
