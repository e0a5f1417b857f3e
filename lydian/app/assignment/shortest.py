"""The shortest run that fails a check: what is wrong in words, and its messages on the causality diagram."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.work.player import Player
from lydian.desk.playhead import Playhead
from lydian.language import tr, trn
from lydian.model.errors import LydianError
from lydian.pieces.animation import animation_for
from lydian.trace.events import ATTACHED
from lydian.trace.parquet.file import load
from lydian.trace.timeline import Timeline
from lydian.views.registry import view
from lydian.views.words.words import plural

__all__ = ["ShortestRun"]


class ShortestRun(QWidget):
    """The failing run of the chosen check, with buttons that move through it.

    Attributes:
        failure: what fails, as the marking reports it; ``None`` while there is nothing to show.
    """

    #: Emitted with the file of the run, to be opened in the Run workspace.
    run_wanted = Signal(object)
    #: Emitted with a line of the protocol.
    line_wanted = Signal(int)
    #: Emitted when the run should be kept as a test.
    keep_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortestRun")
        self.theme = theme
        self.failure: Mapping[str, Any] | None = None
        self._file = ""
        self._counted = np.zeros(1, int)  # the events up to each row, as the sizes count them
        self.announcer = Announcer(self)
        self.playhead = Playhead()
        self.player = Player(self.playhead, self)
        self.camera = TimeCamera()
        self.canvas = Canvas(view("causality"), self.playhead, theme, self.camera)
        self.canvas.setObjectName("shortest-causality")
        self.canvas.setAccessibleName(tr("Causality of the shortest run that fails"))
        self.canvas.setMinimumHeight(120)
        self.player.show_on(self.canvas)
        self.player.changed.connect(self._moved)
        self.name = set_up(QLabel(tr("The shortest run that fails")), look="dockName")
        self.note = Elided()
        self.note.setObjectName("dockNote")
        self.sentence = set_up(QLabel(), name=tr("What is wrong"), wraps=True, plain=True)
        self.why = set_up(QLabel(), wraps=True, plain=True)
        for part in (self.sentence, self.why):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sizes = set_up(QLabel(), look="explained", wraps=True)
        self.empty = set_up(QLabel(), look="hint", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setMargin(14)
        self.at = QLabel()
        self._buttons()
        self.head = across(self.name, (self.note, 1), margins=(12, 6, 12, 6), spacing=8)
        self.body = held(
            down(
                down(self.sentence, self.why, across((self.sizes, 1), self.line, spacing=8), margins=(14, 8, 10, 4),
                     spacing=4),
                (self.canvas, 1),
                across(self.first, self.back, self.play, self.forward, self.last, 8, self.at, ..., self.keep, self.open,
                       margins=(10, 6, 10, 8), spacing=4),
                spacing=0,
            )
        )  # fmt: skip
        down(self.head, (self.empty, 1), (self.body, 1), on=self, spacing=0)
        set_look(self.sentence, theme, font="title semibold")
        set_look(self.why, theme, font="body")
        set_look(self.sizes, theme, font="small")
        self.show_result(None)

    def _buttons(self) -> None:
        head = self.playhead
        self.first, self.back, self.play, self.forward, self.last = (QToolButton() for _ in range(5))
        for button, sign, words, act in (
            (self.first, "to-start", tr("Go to the beginning"), self.to_start),
            (self.back, "step-back", tr("Step back"), lambda: head.step(-1, seconds=0.2)),
            (self.play, "play", tr("Play or pause the run"), self.toggle),
            (self.forward, "step-forward", tr("Step forward"), lambda: head.step(1, seconds=0.2)),
            (self.last, "to-end", tr("Go to the failure"), self.to_end),
        ):
            set_up(button, name=words, tip=words, clicked=lambda _on=False, act=act: act())
            set_look(button, self.theme, icon=sign, square=stretched(30))
        self.line = set_up(QPushButton(tr("Show the line")), look="offer", clicked=lambda _on=False: self._go())
        self.open = set_up(
            QPushButton(tr("Open as a run")), look="offer", tip=tr("Show this run in all views"),
            clicked=lambda _on=False: self.run_wanted.emit(Path(self._file)),
        )  # fmt: skip
        self.keep = set_up(
            QPushButton(tr("Keep as a test")), look="offer",
            tip=tr("Keep this run; lydian check repeats it with your protocol as it is then"),
            clicked=lambda _on=False: self.keep_wanted.emit(),
        )  # fmt: skip
        set_look(self.keep, self.theme, icon="flag")
        set_look(self.line, self.theme, icon="code")
        set_look(self.open, self.theme, icon="popout")

    # ------------------------------------------------------------------ contents

    def show_result(self, result: Mapping[str, Any] | None, words: str = "") -> None:
        """Show the failing run of a check, or a sentence if there is none.

        Args:
            result: the result of the check, ``None`` for none.
            words: what to say if there is no failing run.
        """
        failure = None if result is None else result["failure"]
        if failure is not None and self.failure == failure:
            return
        self.failure = failure
        self.body.setVisible(failure is not None)
        self.empty.setVisible(failure is None)
        self.note.say("" if result is None else str(result["title"]))
        if failure is None or result is None:
            self.playhead.load(None)
            missed = [] if result is None else result["missed"]
            told = tr("Not caught:") + "\n" + "\n".join(f"• {each}" for each in missed) if missed else words
            self.empty.setText(told)
            return
        whole = " ".join(filter(None, (str(failure["sentence"]), str(failure["why"]))))
        self.sentence.setText(str(failure["sentence"]))
        self.why.setText(str(failure["why"]))
        self.why.setVisible(bool(failure["why"]))
        self.announcer.polite(whole)
        before, after = failure["before"], failure["after"]
        size = f"{plural(after['processes'], 'process', 'processes')}, {plural(after['events'], 'event')}"
        if before != after:
            was = f"{plural(before['processes'], 'process', 'processes')}, {plural(before['events'], 'event')}"
            size = tr("found: {before}; shortened: {after}", before=was, after=size)
        self.sizes.setText(size)
        self.line.setVisible(failure["line"] is not None)
        self.keep.setVisible(failure["kind"] == "error")  # a test knows only the properties of the student's own file
        self._file = str(failure["run"] or "")
        self.open.setEnabled(bool(self._file))
        self._load()

    def _load(self) -> None:
        """Read the run, and go to its end."""
        try:
            trace = load(self._file)
        except (LydianError, OSError) as error:
            self.playhead.load(None)
            self.sizes.setText(str(error))
            return
        timeline = Timeline(trace)
        self._counted = np.cumsum(~np.isin(trace.rows["kind"], ATTACHED))
        self.camera.load(timeline)
        self.camera.fit()
        self.playhead.load(timeline, animation_for(trace))
        self.playhead.seek(self.playhead.end)

    def _moved(self, _what: str) -> None:
        head = self.playhead
        playing = head.playing
        self.play.setIcon(icon("pause" if playing else "play", self.theme))
        if head.timeline is None:
            self.at.setText("")
            return
        at = head.timeline.count(head.t)
        done, total = int(self._counted[at - 1]) if at else 0, int(self._counted[-1])
        self.at.setText(trn("{done} of {count} event", "{done} of {count} events", total, done=done))

    def go_to_event(self, seq: int) -> None:
        """Show the moment of an event."""
        timeline = self.playhead.timeline
        if timeline is not None and 0 <= seq < timeline.length:
            self.playhead.pause()
            self.playhead.seek(float(timeline.time[seq]))

    def to_start(self) -> None:
        """Pause at the beginning of the run."""
        self.playhead.pause()
        self.playhead.seek(self.playhead.start)

    def to_end(self) -> None:
        """Pause at the end of the run."""
        self.playhead.pause()
        self.playhead.seek(self.playhead.end)

    def toggle(self) -> None:
        """Play the run from its beginning or from here, or pause it."""
        head = self.playhead
        if head.playing:
            head.pause()
            return
        if head.t >= head.end:
            head.seek(head.start)
        head.play()

    def _go(self) -> None:
        if self.failure is not None and self.failure["line"] is not None:
            self.line_wanted.emit(int(self.failure["line"]))

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._moved("")
