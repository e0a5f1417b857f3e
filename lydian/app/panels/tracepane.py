"""The text trace with a field above it that says which events are listed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from lydian.app.look.theme import Theme
from lydian.app.panels.tracelist import TraceList
from lydian.views.filter import Filter, FilterError, parse
from lydian.views.frame import Hit
from lydian.views.playhead import Playhead

__all__ = ["AT_ONCE", "FilterField", "TracePane"]

#: A filter that reads sentences is applied while typing for so many events; for more it waits for Return.
AT_ONCE = 20_000


class FilterField(QLineEdit):
    """A line of text, a part of which can be underlined as wrong."""

    def event(self, event: QEvent) -> bool:
        """Return is the field's own, wherever the window has a use for it."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        asked = event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and event.key() in keys:
            event.accept()
            return True
        return super().event(event)

    def underline(self, start: int, end: int, theme: Theme) -> None:
        """Underline from character to character; nothing if they are the same."""
        marks = []
        if end > start:
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(theme.color("check.violated"))
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), end - start, look)]
        QCoreApplication.sendEvent(self, QInputMethodEvent("", marks))


class TracePane(QWidget):
    """The field, a sentence about what is wrong in it or that nothing matches, and the list.

    Attributes:
        filter: the last good filter, ``None`` for all events.
        matches: the events it means, by rising number; ``None`` for all.
    """

    #: What is listed, in numbers.
    titled = Signal(str)

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead, self.theme = playhead, theme
        self.filter: Filter | None = None
        self.matches: NDArray[np.int64] | None = None
        self.list = TraceList(playhead, theme)
        self.field = FilterField()
        self.field.setObjectName("traceFilter")
        self.field.setAccessibleName("Filter of the events")
        self.field.setPlaceholderText("Filter: p=5 and message=Ack, t>3, lost")
        self.field.setToolTip(
            "Words, or p= peer= kind= message= state= and t lamport seq chain round bits with = != < >, a span 3..5;"
            " and, or, not, ( )"
        )
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda _text: self._read())
        self.field.returnPressed.connect(self._entered)
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.clear = QToolButton()
        self.clear.setText("Clear")
        self.clear.setToolTip("List all events again")
        self.clear.setAccessibleName("Clear the filter")
        self.clear.clicked.connect(self.field.clear)
        top = QFrame()
        inside = QVBoxLayout(top)
        inside.setContentsMargins(8, 6, 8, 6)
        inside.setSpacing(4)
        inside.addWidget(self.field)
        row = QHBoxLayout()
        row.addWidget(self.sentence, 1)
        row.addWidget(self.clear)
        inside.addLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(self.list, 1)
        self._say("")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.list.set_theme(theme)
        self.field.setFont(theme.font("small", mono=True))
        self.sentence.setFont(theme.font("small"))
        self.clear.setFont(theme.font("small"))

    def load(self) -> None:
        """Show the play head's run, through the filter that is written."""
        self.filter = self.matches = None
        self._read(anew=True)

    # ------------------------------------------------------------------ the filter

    def _read(self, *, now: bool = False, anew: bool = False) -> None:
        """Apply what is written; if it is no filter, say why and keep to the last one that was."""
        head, text = self.playhead, self.field.text()
        timeline = head.timeline
        self._say("")
        self.field.underline(0, 0, self.theme)
        wanted: Filter | None = None
        if text.strip() and timeline is not None:
            try:
                wanted = parse(text, timeline, head.animation)
            except FilterError as error:
                self.field.underline(error.start, min(error.end, len(text)), self.theme)
                self._say(f"{error.what[:1].upper()}{error.what[1:]}.")
                if anew:
                    self._list(None, None)
                return
            if wanted.reads and timeline.length > AT_ONCE and not now:
                self._say(f"Return looks through the {timeline.length:,} sentences.")
                if anew:
                    self._list(None, None)
                return
        if timeline is None or wanted is None:
            self._list(None, None)
        elif anew or wanted != self.filter:
            found = np.flatnonzero(wanted.select(timeline, head.animation))
            self._list(wanted, found)
        if self.matches is not None and not len(self.matches):
            self._say(f"No event matches {text.strip()}.", clear=True)

    def _list(self, wanted: Filter | None, matches: NDArray[np.int64] | None) -> None:
        self.filter, self.matches = wanted, matches
        self.list.load(matches)
        timeline = self.playhead.timeline
        whole = 0 if timeline is None else timeline.length
        self.titled.emit(f"{whole:,} events" if matches is None else f"{len(matches):,} of {whole:,} events")

    def _say(self, words: str, *, clear: bool = False) -> None:
        self.sentence.setText(words)
        self.sentence.setVisible(bool(words))
        self.clear.setVisible(clear)

    def _entered(self) -> None:
        self._read(now=True)
        if self.matches is not None:
            self.step(1)

    def step(self, direction: int) -> str:
        """Go to the next or previous event that matches and select it; a sentence if there is none."""
        head, timeline = self.playhead, self.playhead.timeline
        if timeline is None or self.matches is None:
            return "No filter is written above the text trace."
        head.pause()
        chosen = head.selection.event
        if chosen is not None and float(timeline.time[chosen]) == head.t:
            side = "right" if direction > 0 else "left"
            at = int(np.searchsorted(self.matches, chosen, side=side))  # type: ignore[call-overload]
        else:
            at = int(np.searchsorted(self.matches, head.position))
            if direction < 0:
                at = int(np.searchsorted(timeline.time[self.matches], head.t))
        at = at if direction > 0 else at - 1
        if not 0 <= at < len(self.matches):
            return f"No event {'after' if direction > 0 else 'before'} this one matches {self.filter}."
        event = int(self.matches[at])
        head.seek(float(timeline.time[event]))
        head.pick(Hit("event", event))
        return ""
