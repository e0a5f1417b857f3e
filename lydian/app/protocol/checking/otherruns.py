"""Runs of the same experiment with twenty other seeds, with a square for the result of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.protocol.checking.severalruns import Attempt, Attempts
from lydian.language import tr, trn
from lydian.model.experiment.experiment import Experiment
from lydian.views.words.words import plural

__all__ = ["SEEDS", "OtherRuns", "attempts_of", "breaks", "heading", "same_but_seed"]

#: The number of other seeds that are tried.
SEEDS = 20
_LINE = re.compile(r"\.py, line (\d+)")
#: The largest number of causes that are listed.
_NAMED = 3


def attempts_of(experiment: Experiment, count: int = SEEDS) -> list[Attempt]:
    """Return attempts at the experiment with the seeds from 1 on, without its own."""
    seeds = [seed for seed in range(1, count + 2) if seed != experiment.seed][:count]
    return [Attempt(tr("Seed {seed}", seed=seed), experiment.with_(seed=seed, branches=())) for seed in seeds]


def same_but_seed(one: Experiment | None, other: Experiment | None) -> bool:
    """Return True if two experiments are the same except for their seeds and what does not affect a run."""
    if one is None or other is None:
        return one is other

    def bare(each: Experiment) -> Experiment:
        stem = Path(each.protocol).stem
        return each.with_(seed=0, name="", about="", branches=(), animation=None, protocol=stem)

    return bare(one) == bare(other)


def breaks(attempt: Attempt) -> tuple[str, ...]:
    """Return what broke in a run: violated properties in quotes, or ``line 48``; nothing if it succeeded."""
    outcome = attempt.outcome
    if outcome is None or outcome.stopped:
        return ()
    if outcome.problem is not None:
        line = _LINE.search(outcome.problem)
        return (tr("line {line}", line=line[1]) if line else "",)
    return tuple(f"'{name}'" for name in attempt.violated)


def heading(attempts: Sequence[Attempt], busy: bool = False) -> str:
    """Return how many runs fail, and how: ``7 of 20 runs fail: 6 × 'one leader', 1 fails at line 48``."""
    over = [each for each in attempts if each.outcome is not None and not each.outcome.stopped]
    found = [breaks(each) for each in over]
    broken = sum(bool(each) for each in found)
    counts = Counter(way for each in found for way in each)
    named = [_told(way, count) for way, count in counts.most_common(_NAMED)]
    if len(counts) > _NAMED:
        named.append(plural(len(counts) - _NAMED, "other way"))
    ways = f": {', '.join(named)}" if named else ""
    if busy:
        done = {"done": len(over), "total": len(attempts)}
        told = tr("{done} of {total} runs done, none fails", **done)
        if broken:
            told = trn(
                "{done} of {total} runs done, {count} fails",
                "{done} of {total} runs done, {count} fail",
                broken,
                **done,
            )
        return told + ways
    told = tr("None of {total} runs fails", total=len(over))
    if broken:
        told = trn("{count} of {total} runs fails", "{count} of {total} runs fail", broken, total=len(over))
    left = len(attempts) - len(over)
    return told + ways + (tr("; {count} not run", count=left) if left else "")


def _told(way: str, count: int) -> str:
    if way.startswith("'"):
        return f"{count} × {way}"
    if not way:
        return trn("{count} fails", "{count} fail", count)
    return trn("{count} fails at {place}", "{count} fail at {place}", count, place=way)


class _Square(QToolButton):
    """A square with the sign of one run, on a background of its colour."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("square")
        self.setCheckable(True)
        self.sign, self.theme = "", Theme("light")

    def dress(self, theme: Theme, name: str, color: str) -> None:
        self.theme, self.sign = theme, color
        self.setIcon(icon(name, theme, color))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, ratio = self.theme, self.devicePixelRatioF()
        ground = {"check.holds": "check.holdsSoft", "check.violated": "check.violatedSoft"}
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            strong = self.hasFocus() or self.isChecked()
            edge = "accent.ring" if self.hasFocus() else "accent.base" if strong else self.sign
            if not strong and not self.underMouse():
                edge = "border.subtle"
            p.setPen(QPen(theme.color(edge), 2 if strong else 1))
            p.setBrush(theme.color(ground.get(self.sign, "surface.panel")))
            p.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            side = self.iconSize().width()
            at = (self.width() - side) // 2
            p.drawPixmap(at, at, self.icon().pixmap(QSize(side, side), ratio))
        finally:
            p.end()


class OtherRuns(QFrame):
    """The strip with a heading that counts the runs, and a square for each seed; a click on a square opens its run.

    The squares are one stop of the Tab key; the arrow keys move between them, and Return opens a run.
    """

    #: Emitted with an attempt that should be opened in the Run workspace.
    wanted = Signal(object)
    #: Emitted when the strip is closed.
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultStrip")
        self.setAccessibleName(tr("Other runs of this experiment"))
        self.theme = theme
        self.announcer = Announcer(self)
        self.asked: Experiment | None = None
        self.runs = Attempts(self)
        self.runs.told.connect(self._told)
        self.runs.ended.connect(self._ended)
        self.title = set_up(QLabel(), look="heading", name=tr("Result of the other runs"), wraps=True)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.stop_button = set_up(
            QPushButton(tr("Stop")),
            look="offer",
            name=tr("Stop these runs"),
            tip=tr("Stop the runs that have not ended"),
        )
        self.stop_button.clicked.connect(self.runs.stop)
        self.close_button = set_up(QToolButton(), name=tr("Close the other runs"), tip=tr("Close"), clicked=self.leave)
        self.squares: list[_Square] = []
        self.row = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.row.setSizePolicy(policy)
        self.row.setAccessibleName(tr("One square for each seed"))
        self._flow = FlowRow(self.row, gap=4)
        self.stop_button.setParent(self.row)
        down(
            across((self.title, 1), (self.close_button, Qt.AlignmentFlag.AlignTop)),
            self.row, on=self, margins=(10, 4, 6, 6), spacing=4,
        )  # fmt: skip
        set_look(self.close_button, theme, icon="close", ink="text.secondary")
        set_look(self.title, theme, font="small semibold")
        set_look(self.stop_button, theme, height=grown(24))
        self.hide()

    def ask(self, experiment: Experiment) -> None:
        """Run an experiment with other seeds and show the progress."""
        self.asked = experiment
        self.start(attempts_of(experiment, SEEDS))

    def start(self, attempts: Sequence[Attempt]) -> None:
        """Run the attempts and show their progress."""
        for square in self.squares:
            self._flow.removeWidget(square)
            square.hide()
            square.deleteLater()
        self.squares = []
        for number in range(len(attempts)):
            square = _Square(self.row)
            set_look(square, self.theme, square=grown(24), icon_size=grown(14))
            square.setFocusPolicy(Qt.FocusPolicy.StrongFocus if number == 0 else Qt.FocusPolicy.ClickFocus)
            square.clicked.connect(lambda _on=False, number=number: self._open(number))
            square.installEventFilter(self)
            square.show()
            self._flow.addWidget(square)
            self.squares.append(square)
        self._flow.removeWidget(self.stop_button)
        self._flow.addWidget(self.stop_button)  # after the last square
        self.show()
        self.runs.start(attempts)
        for number in range(len(attempts)):
            self._told(number)

    def leave(self) -> None:
        """Close the strip and stop the runs that have not ended."""
        self.runs.close()
        self.hide()
        self.closed.emit()

    def _open(self, number: int) -> None:
        for other, square in enumerate(self.squares):
            square.setChecked(other == number)
        self.wanted.emit(self.runs.attempts[number])

    def _told(self, number: int) -> None:
        if number >= len(self.squares):
            return
        attempt, square = self.runs.attempts[number], self.squares[number]
        name, color, state = "clock", "text.hint", tr("has not ended")
        if attempt.outcome is not None and attempt.outcome.stopped:
            name, state = "minus", tr("was not run")
        elif attempt.good is not None:
            name, color, state = (
                ("tick", "check.holds", tr("succeeded")) if attempt.good else ("cross", "check.violated", tr("broke"))
            )
        square.dress(self.theme, name, color)
        square.setToolTip(f"{attempt.title}: {attempt.words}\n{tr('Click to see this run in all views')}")
        square.setAccessibleName(f"{attempt.title} {state}")
        square.setAccessibleDescription(attempt.words)
        self._say()

    def _say(self) -> None:
        self.title.setText(heading(self.runs.attempts, self.runs.busy))
        self.stop_button.setVisible(self.runs.busy)

    def _ended(self) -> None:
        self._say()
        if self.squares:
            self.announcer.polite(self.title.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move between squares with the arrow keys and open a run with Return."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched in self.squares:
            here, key, last = self.squares.index(watched), event.key(), len(self.squares) - 1
            there = {
                Qt.Key.Key_Left: here - 1, Qt.Key.Key_Up: here - 1, Qt.Key.Key_Right: here + 1,
                Qt.Key.Key_Down: here + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last,
            }.get(Qt.Key(key))  # fmt: skip
            if there is not None:
                self._focus(min(max(there, 0), last))
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open(here)
                return True
        return super().eventFilter(watched, event)

    def _focus(self, number: int) -> None:
        for other, square in enumerate(self.squares):
            square.setFocusPolicy(Qt.FocusPolicy.StrongFocus if other == number else Qt.FocusPolicy.ClickFocus)
        self.squares[number].setFocus(Qt.FocusReason.TabFocusReason)

    def set_theme(self, theme: Theme) -> None:
        for number in range(len(self.squares)):
            self._told(number)

    def close_all(self) -> None:
        """End the simulators."""
        self.runs.blockSignals(True)
        self.runs.close()
