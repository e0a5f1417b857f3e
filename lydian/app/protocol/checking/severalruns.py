"""Several runs in the background, a few at a time: a protocol on three networks, or all its kept runs.

Each run has its own simulator, so that an endless loop in one does not block the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.work.loop import Loop
from lydian.desk.runs.worker import WatchedRun, Worker
from lydian.language import tr, trc, trn
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.views.words.words import plural

__all__ = ["PARALLEL", "Attempt", "Attempts", "ResultStrip", "without_file"]

_PLACE = re.compile(r"^.*?\.py(?:, |: )")
#: The number of simulators that work at the same time.
PARALLEL = 2


@dataclass(frozen=True)
class Attempt:
    """One run of several.

    Attributes:
        title: the title of the run.
        experiment: the experiment that is run.
        outcome: the result; ``None`` until the run has ended.
        events: the number of events so far.
    """

    title: str
    experiment: Experiment
    outcome: WatchedRun | None = None
    events: int = 0

    @property
    def good(self) -> bool | None:
        """Whether the run succeeded; ``None`` until it has ended."""
        if self.outcome is None:
            return None
        return self.outcome.problem is None and not self.violated

    @property
    def violated(self) -> tuple[str, ...]:
        """The properties that do not hold."""
        checks = self.outcome.result.get("checks") if self.outcome is not None else None
        return tuple(str(check.get("name")) for check in checks or () if check.get("holds") is False)

    @property
    def words(self) -> str:
        """The result in one sentence."""
        if self.outcome is None:
            return trn("{count:,} event so far", "{count:,} events so far", self.events) if self.events else tr("waits")
        if self.outcome.problem is not None:
            return without_file(self.outcome.problem)
        result = self.outcome.result
        told = tr(
            "{messages}, {events}, time {time:.2f}",
            messages=plural(int(result.get("messages", 0)), "message"),
            events=plural(int(result.get("events", 0)), "event"),
            time=float(result.get("time", 0.0)),
        )
        if self.violated:
            return tr("{result}; does not hold: {properties}", result=told, properties=", ".join(self.violated))
        count = len(result.get("checks") or ())
        return f"{told}; {trn('{count:,} property holds', '{count:,} properties hold', count)}" if count else told


def without_file(sentence: str) -> str:
    """Remove the name of the protocol file, which is the open one, from a sentence."""
    return _PLACE.sub("", sentence)


@dataclass
class _Job:
    number: int
    worker: Worker
    request: int = field(default=0)
    ends: tuple[Callable[[], None], ...] = ()  # functions that disconnect from the worker


class Attempts(QObject):
    """The runner of several experiments, at most :data:`PARALLEL` at a time."""

    #: Emitted with the number of an attempt that has changed.
    told = Signal(int)
    #: Emitted when all attempts have ended or were stopped.
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.attempts: list[Attempt] = []
        self._waiting: list[int] = []
        self._jobs: list[_Job] = []
        self._loop = Loop(self)
        self._done: list[Worker] = []  # the simulators keep the traces until the next runs

    @property
    def busy(self) -> bool:
        return bool(self._jobs or self._waiting)

    def start(self, attempts: Sequence[Attempt]) -> None:
        """Run the attempts, and stop earlier ones that are in progress."""
        self.close()
        self.attempts = list(attempts)
        self._waiting = list(range(len(self.attempts)))
        while self._waiting and len(self._jobs) < PARALLEL:
            self._next(Worker(self._loop))
        if not self.attempts:
            self.ended.emit()

    def _next(self, worker: Worker) -> None:
        """Give a simulator the next experiment, or release it."""
        while self._waiting:
            number = self._waiting.pop(0)
            experiment = self.attempts[number].experiment
            folder = experiment.path.parent if experiment.path is not None else None
            try:
                request = experiment.to_dict()
            except LydianError as error:
                self._over(number, WatchedRun(0, {}, None, str(error)))
                continue
            job = _Job(number, worker)
            self._jobs.append(job)
            job.ends = (
                worker.progress.connect(partial(self._progress, job)),
                worker.finished.connect(partial(self._finished, job)),
            )
            job.request = worker.run(request, folder)
            return
        self._done.append(worker)

    def _progress(self, job: _Job, _number: int, events: int, _time: float, _live: Path | None) -> None:
        self.attempts[job.number] = replace(self.attempts[job.number], events=events)
        self.told.emit(job.number)

    def _finished(self, job: _Job, outcome: WatchedRun) -> None:
        if job not in self._jobs or outcome.number != job.request:
            return
        self._jobs.remove(job)
        for end in job.ends:
            end()
        self._over(job.number, outcome)
        self._next(job.worker)
        if not self.busy:
            self.ended.emit()

    def _over(self, number: int, outcome: WatchedRun) -> None:
        self.attempts[number] = replace(self.attempts[number], outcome=outcome)
        self.told.emit(number)

    def stop(self) -> None:
        """Stop the runs that have not ended; keep the results of the others."""
        for number in self._waiting:
            self._over(number, WatchedRun(0, {}, None, tr("It was not run."), True))
        self._waiting.clear()
        for job in tuple(self._jobs):
            job.worker.stop()

    def close(self) -> None:
        """End the simulators and delete their traces."""
        self._waiting.clear()
        for worker in [*(job.worker for job in self._jobs), *self._done]:
            worker.close()
        self._jobs.clear()
        self._done.clear()
        self._loop.deleteLater()
        self._loop = Loop(self)


class _Card(QPushButton):
    """The card of one result, with a sign, a title and numbers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setMinimumHeight(46)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sign = QLabel()
        self.title, self.words = Elided(), Elided()
        self.title.setObjectName("cardValue")
        self.words.setObjectName("cardHint")
        across(
            self.sign,
            (down(self.title, self.words, spacing=0), 1),
            on=self, margins=(10, 4, 8, 4), spacing=8,
        )  # fmt: skip
        for label in (self.sign, self.title, self.words):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(180, 48)


class ResultStrip(QFrame):
    """The strip of results; a click on a result opens its run."""

    #: Emitted with an attempt that should be opened in the Run workspace.
    wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultStrip")
        self.setAccessibleName(tr("Runs on three networks"))
        self.theme = theme
        self.runs = Attempts(self)
        self.runs.told.connect(self._told)
        self.runs.ended.connect(self._say)
        self.title = QLabel(tr("On three networks"))
        self.title.setObjectName("heading")
        self.stop_button = set_up(QPushButton(tr("Stop")), look="offer", name=tr("Stop these runs"))
        self.stop_button.clicked.connect(self.runs.stop)
        self.close_button = set_up(QToolButton(), name=tr("Close the results"), tip=tr("Close"), clicked=self._close)
        self.cards: list[_Card] = []
        self._row = across(spacing=6)
        down(
            across((self.title, 1), self.stop_button, self.close_button),
            self._row, on=self, margins=(10, 4, 8, 8), spacing=2,
        )  # fmt: skip
        set_look(self.close_button, theme, icon="close", ink="text.secondary")
        self.hide()

    def start(self, attempts: Sequence[Attempt]) -> None:
        """Run the attempts and show their progress."""
        for card in self.cards:
            self._row.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for number in range(len(attempts)):
            card = _Card(self)
            card.clicked.connect(lambda _on=False, number=number: self._open(number))
            self._row.addWidget(card, 1)
            set_look(card, self.theme, min_height=grown(46))
            set_look(card.title, self.theme, font="body semibold")
            self.cards.append(card)
        self.show()
        self.runs.start(attempts)
        for number in range(len(attempts)):
            self._told(number)
        self._say()

    def _open(self, number: int) -> None:
        self.wanted.emit(self.runs.attempts[number])

    def _told(self, number: int) -> None:
        if number >= len(self.cards):
            return
        attempt, card = self.runs.attempts[number], self.cards[number]
        name, color = ("clock", "text.hint")
        if attempt.good is not None:
            name, color = ("tick", "check.holds") if attempt.good else ("cross", "check.violated")
        card.sign.setPixmap(pixmap(name, self.theme.color(color), 18, self.devicePixelRatioF()))
        card.title.say(attempt.title)
        card.words.say(attempt.words)
        card.setToolTip(f"{attempt.title}: {attempt.words}\n{tr('Click to see this run in all views')}")
        state = (
            trc("state of a run", "runs") if attempt.good is None else tr("succeeded") if attempt.good else tr("failed")
        )
        card.setAccessibleName(f"{attempt.title}, {state}: {attempt.words}")
        self._say()

    def _say(self) -> None:
        attempts = self.runs.attempts
        over = sum(each.outcome is not None for each in attempts)
        good = sum(bool(each.good) for each in attempts)
        busy = self.runs.busy
        self.stop_button.setVisible(busy)
        words = (
            tr("On three networks: {count} of {total} done", count=over, total=len(attempts))
            if busy
            else tr("On three networks: {count} of {total} succeeded", count=good, total=over)
        )
        self.title.setText(words)

    def _close(self) -> None:
        self.runs.close()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        for number in range(len(self.cards)):
            self._told(number)

    def close_all(self) -> None:
        """End the simulators."""
        self.runs.blockSignals(True)
        self.runs.close()
