"""A small running picture: the network of a run that plays repeatedly while it is visible."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QToolButton, QWidget

from lydian.app.archive.background import gentle
from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.viewpicture import ViewPicture
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.work.background import Background, Report
from lydian.app.work.player import Player
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.registry import view

__all__ = ["Thumbnail"]

#: The least and the greatest number of seconds of a run, as far as the speeds allow.
SHORT, LONG = 8.0, 30.0
#: Milliseconds between two frames: the picture is small and must not use much of the processor.
FRAME = 33


class _Small(ViewPicture):
    """The network without a legend; a click on it is a click on the thumbnail."""

    clicked = Signal()

    def compute(self) -> object:
        return replace(super().compute(), legend=())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class Thumbnail(QFrame):
    """The network of a run; a click or Space plays or pauses it.

    Attributes:
        file: the run, ``None`` while there is none.
        timeline: the same run, once it is read.
    """

    #: Emitted on a double click or Enter, to open the run large.
    wanted = Signal()
    #: Emitted when the run is read and shown.
    shown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("thumbnail")
        self.theme = theme
        self.file: Path | None = None
        self.timeline: Timeline | None = None
        self.playhead = Playhead()
        self.playhead.set_loop(True)
        self.player = Player(self.playhead, self)
        self.player.timer.setInterval(FRAME)
        self.picture = _Small(view("basic"), self.playhead, theme, TimeCamera())
        self.picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.picture.clicked.connect(self.toggle)
        self.player.show_on(self.picture)
        self.player.changed.connect(self._changed)
        self.reading = Background(self)
        self.reading.done.connect(self._read)
        self.reading.failed.connect(self.say)
        self._stopped = False  # paused by the user
        self._title = ""
        self.button = QToolButton()
        self.button.setFixedSize(28, 28)
        self.button.clicked.connect(self.toggle)
        self.words = Elided()
        self.words.setObjectName("explained")
        self.empty = set_up(QLabel(tr("The run is being computed…")), look="explained", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        down(
            (self.picture, 1), (self.empty, 1),
            across(self.button, (self.words, 1), margins=(6, 2, 8, 2)),
            on=self, margins=1, spacing=0,
        )  # fmt: skip
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_theme(theme)
        self.say("")

    def sizeHint(self) -> QSize:
        return QSize(320, 226)

    # ------------------------------------------------------------------ contents

    def say(self, sentence: str) -> None:
        """Show a sentence in place of the picture."""
        self.playhead.load(None)
        self.timeline = None
        self.empty.setText(sentence)
        self.picture.hide()
        self.empty.show()
        self.button.setEnabled(False)
        self.setAccessibleDescription(sentence)

    def wait_for(self, title: str) -> None:
        """Wait for another run."""
        self.reading.cancel()
        self.file = None
        self._stopped = False
        self._title = title
        self.words.say(title)
        self.setAccessibleName(tr("Animated preview of {title}", title=title) if title else tr("Animated preview"))
        self.say(tr("The run is being computed…"))

    def load(self, file: Path) -> None:
        """Show a run, which is read in the background."""
        if file != self.file:
            self.file = file
            self.reading.start(lambda report: _load(file, report))

    def _read(self, found: tuple[Timeline, Animation]) -> None:
        timeline, animation = found
        self.timeline = timeline
        self.picture.retry()
        self.playhead.load(timeline, animation)
        length = max(self.playhead.end - max(self.playhead.start, 0.0), 1e-9)
        self.playhead.set_speed(min(max(1.0, length / LONG), length / SHORT) if length > SHORT else length / SHORT)
        error = timeline.trace.summary.get("error")
        if error:
            self.words.say(f"{self._title}: {error}")
        self.empty.hide()
        self.picture.show()
        self.button.setEnabled(True)
        self.setAccessibleDescription(tr("Space plays or pauses; Enter opens the experiment"))
        if self.theme.still:
            self.playhead.seek(0.4 * self.playhead.end)
        self._go_on()
        self.shown.emit()

    # ------------------------------------------------------------------ playing

    @property
    def playing(self) -> bool:
        return bool(self.playhead.playing)

    def toggle(self) -> None:
        """Play or pause the picture."""
        self._stopped = self.playing
        if self.timeline is not None:
            self.playhead.toggle()

    def _go_on(self) -> None:
        if self.timeline is not None and self.isVisible() and not self._stopped and not self.theme.still:
            self.playhead.play()

    def _changed(self, what: str) -> None:
        if what in ("playing", "timeline"):
            words = tr("Pause") if self.playing else tr("Play")
            self.button.setIcon(icon("pause" if self.playing else "play", self.theme, "text.secondary"))
            self.button.setToolTip(words)
            self.button.setAccessibleName(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._go_on()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.playhead.pause()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.toggle()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.wanted.emit()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ look and end

    def set_theme(self, theme: Theme) -> None:
        self._changed("playing")
        if theme.still:
            self.playhead.pause()

    def close_all(self) -> None:
        """Stop all threads and timers."""
        self.reading.close()
        self.player.stop()


def _load(file: Path, report: Report) -> tuple[Timeline, Animation]:
    from lydian.trace.parquet.reader import load
    from lydian.views.network.basic import frame

    with gentle():
        timeline = Timeline(load(file, report))
        animation = animation_for(timeline.trace)
        frame(timeline, 0.0, animation=animation)  # Cached values are computed here, in the background.
        return timeline, animation
