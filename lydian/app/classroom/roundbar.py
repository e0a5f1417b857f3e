"""The bar above the views of a class: the clock, who has chosen, and what comes next."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from lydian.app.classroom.cards import button, caption
from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.classroom.frames import RoomNow
from lydian.desk.hosting import Attending, Hosting, Joining
from lydian.language import tr, trn

__all__ = ["Clock", "Progress", "RoundBar", "beginning", "remaining"]

#: The side of the clock, in pixels, and the seconds in which it warns.
SIDE, LAST = 62, 5.0
#: The most players for each of whom the bar has a segment of its own.
SEGMENTS = 24


def remaining(seconds: float) -> str:
    """Return minutes and seconds."""
    whole = max(0, math.ceil(seconds - 1e-6))
    return f"{whole // 60}:{whole % 60:02d}"


class Clock(QWidget):
    """The time that is left in a round, as a ring and in figures."""

    #: Emitted whenever the shown second changes.
    ticked = Signal()

    def __init__(self, theme: Theme, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.theme, self.clock = theme, clock
        self.due: float | None = None
        self.left: float | None = None
        self.of = 1.0
        self._timer = 0
        self.setFixedSize(SIDE, SIDE)
        self.setAccessibleName(tr("Time left"))

    def say(self, due: float | None, left: float | None, of: float | None) -> None:
        """Show the time until ``due``, or ``left`` seconds that do not pass; neither for no limit."""
        self.due, self.left, self.of = due, left, max(of or 1.0, 1.0)
        if due is not None and not self._timer:
            self._timer = self.startTimer(200)
        elif due is None:
            self.stop()
        self.update()

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0

    @property
    def seconds(self) -> float | None:
        """The seconds that are left; ``None`` without a limit."""
        return self.left if self.due is None else max(0.0, self.due - self.clock())

    def timerEvent(self, event: QTimerEvent) -> None:
        self.update()
        self.ticked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, seconds = self.theme, self.seconds
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5)
        p.setPen(QPen(theme.color("border.subtle"), 5))
        p.drawEllipse(box)
        warns = seconds is not None and self.due is not None and seconds <= LAST
        ink = theme.color("chain.waiting" if warns else "accent.base")
        if seconds is not None:
            pen = QPen(ink, 5)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            p.setPen(pen)
            share = min(seconds / self.of, 1.0)
            p.drawArc(box, 90 * 16, round(360 * 16 * share))
        p.setFont(theme.font("title" if seconds is not None else "heading", semibold=True))
        p.setPen(ink if warns else theme.color("text.primary"))
        words = "∞" if seconds is None else remaining(seconds)
        p.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), words)
        p.end()


class Progress(QWidget):
    """How many have chosen: a segment for each of those who can."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.done = self.of = 0
        self.setFixedHeight(8)
        self.setMaximumWidth(320)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def say(self, done: int, of: int) -> None:
        """Show the number of choices."""
        self.done, self.of = done, of
        self.setAccessibleName(tr("{done} of {all} choices made", done=done, all=of))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(Qt.PenStyle.NoPen)
        count = max(1, min(self.of, SEGMENTS))
        filled = self.done if self.of <= SEGMENTS else round(self.done / max(self.of, 1) * SEGMENTS)
        gap = 4.0
        wide = (self.width() - gap * (count - 1)) / count
        for number in range(count):
            p.setBrush(self.theme.color("accent.base" if number < filled else "border.subtle"))
            p.drawRoundedRect(QRectF(number * (wide + gap), 1, wide, 6), 3, 3)
        p.end()


class RoundBar(QFrame):
    """The bar; a person who takes part sees it without the host's buttons."""

    #: Emitted with what was pressed: ``more``, ``pause``, ``undo``, ``main``, ``hand``, ``leave`` or ``show``.
    pressed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("classBar")
        self.setAccessibleName(tr("The round"))
        self.clock, self.progress = Clock(theme), Progress(theme)
        self.title = set_up(QLabel(), look="classRound", plain=True)
        self.text = set_up(QLabel(), look="classRoundText", plain=True)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.announcer = Announcer(self)

        def made(name: str, words: str, icon: str, tip: str, filled: bool = False) -> QWidget:
            return button(theme, words, icon, lambda _on=False: self.pressed.emit(name), tip=tip, filled=filled)

        self.back = made("show", tr("Show the class"), "eye", tr("Show the run of the class again"))
        self.more = made("more", tr("30 s"), "plus", tr("Give 30 seconds more for this round"))
        self.pause = made("pause", tr("Pause for all"), "pause", tr("Stop the clock, and take no choices"))
        self.undo = made("undo", tr("Undo round"), "undo", tr("Undo the last round for all; it is kept as a branch"))
        self.hand = made("hand", tr("Raise your hand"), "hand", tr("Tell the host that you have a question"))
        self.leave = made("leave", tr("Leave"), "close", tr("Leave the class"))
        self.main = made("main", tr("Begin"), "play", "", filled=True)
        words = down(..., self.title, across((self.progress, 4), (..., 1)), self.text, ..., spacing=4)
        self.row = across(
            self.clock, (words, 1), self.back, self.more, self.pause, self.undo, self.hand, self.leave, self.main,
            on=self, margins=(12, 8, 12, 8), spacing=8,
        )  # fmt: skip
        self._text = ""

    def refresh(self, part: Attending) -> None:
        """Show the state of the class."""
        room, hosts = part.room, isinstance(part, Hosting)
        for each in (self.more, self.pause, self.undo, self.main):
            each.setVisible(hosts and room is not None)
        for each in (self.hand, self.leave):
            each.setVisible(not hosts)
        self.back.setVisible(part.elsewhere)
        if room is None:
            self.clock.say(None, None, None)
            self.title.setText(tr("Starting the class") if hosts else tr("Joining the class"))
            self._text = ""
            self.text.setText("")
            self.progress.setVisible(False)
            return
        open_ = room.phase == "open"
        paused = room.left if room.paused else None
        self.clock.say(part.due if open_ else None, paused, room.of)
        self.clock.setVisible(open_ and (part.due is not None or paused is not None))
        self.progress.setVisible(open_ and room.mode == "sealed" and room.choosing > 0)
        self.progress.say(room.chosen, room.choosing)
        title, text = said(part)
        self.title.setText(title)
        self._text = text
        self.text.setToolTip(text)
        self.setAccessibleDescription(f"{title}. {text}")
        self.more.setVisible(hosts and open_ and room.of is not None)
        self.pause.setVisible(hosts and open_)
        last = room.round if not open_ else room.round - 1
        self.undo.setVisible(hosts and last > 0 and room.phase in ("open", "between", "over"))
        self._word(self.undo, tr("Undo round {round}", round=last))
        self._word(self.pause, tr("Go on") if room.paused else tr("Pause for all"))
        set_look(self.pause, self.theme, icon="play" if room.paused else "pause")
        self._main(part, room)
        if isinstance(part, Joining):
            self._word(self.hand, tr("Lower your hand") if part.hand else tr("Raise your hand"))
        self._fit()

    def _main(self, part: Attending, room: RoomNow) -> None:
        phase = room.phase
        if phase == "open":
            words, icon = (tr("Close the round"), "seal") if room.mode == "sealed" else (tr("End the turn"), "stop")
        elif phase == "moving":
            words, icon = tr("Moving…"), "turns"
        else:
            words, icon = (tr("Next round") if room.round else beginning(part)), "play"
        self.main.setEnabled(phase in ("open", "between", "door"))
        self._word(self.main, words)
        set_look(self.main, self.theme, icon=icon)

    def _word(self, widget: QWidget, words: str) -> None:
        widget.setProperty("words", words)
        caption(widget, words)  # type: ignore[arg-type]

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        """Show the less important buttons as icons where there is no room for their words."""
        narrow = self.width() < self.theme.grown(800)
        first, _dot, _rest = self._text.partition(". ")
        tight = self.text.fontMetrics().horizontalAdvance(self._text) > self.text.width() > 0
        self.text.setText(f"{first}." if (narrow or tight) and _rest else self._text)
        for each in (self.pause, self.undo, self.hand, self.back):
            words = str(each.property("words") or each.accessibleName())
            caption(each, "" if narrow else words)  # type: ignore[arg-type]
            each.setAccessibleName(words)


def beginning(part: Attending) -> str:
    """Return the words of the button that opens the first round."""
    room, acts = part.room, part.welcome is not None and bool(part.welcome.acts)
    if not acts or room is None:
        return tr("Begin")
    return tr("First round") if room.act > 0 or part.question is not None else tr("Begin act {number}", number=1)


def said(part: Attending) -> tuple[str, str]:
    """Return the heading of the bar and the sentence below it."""
    room = part.room
    assert room is not None
    hosts = isinstance(part, Hosting)
    if room.paused:
        return tr("Paused"), tr("The host has stopped the clock; no choices are taken.")
    if room.phase == "door":
        here = trn("{count} person is here.", "{count} people are here.", room.people)
        here = here if room.people else tr("Nobody is here yet.")
        free = trn("{count} seat is free.", "{count} seats are free.", room.free)
        free = free if room.free else tr("All seats are taken.")
        title = tr("Before the first round") if hosts else tr("The class has not begun")
        if room.act > 0 and part.welcome is not None:
            title = tr("Act {number}: {title}", number=room.act + 1, title=part.welcome.acts[room.act][0])
        return title, f"{here} {free}"
    if room.phase == "moving":
        return tr("Round {round}: the moves happen", round=room.round), ""
    if room.phase == "over":
        return tr("The run has ended"), tr("Look back at it, undo the last round, or end the class.")
    if room.phase == "between":
        text = tr("Look at what has changed, then open the next round.") if hosts else tr("Wait for the next round.")
        return tr("After round {round}", round=room.round), text
    if room.mode == "turns":
        return tr("Each in turn"), tr("Every move happens at once; the first one to arrive wins.")
    title = tr("Round {round} is sealed", round=room.round) if hosts else tr("Round {round}", round=room.round)
    if not room.choosing:
        return title, tr("Nobody has anything to choose in this round.")
    text = trn("{done} of {count} has chosen.", "{done} of {count} have chosen.", room.choosing, done=room.chosen)
    when = tr("It closes when all are in, or at 0:00.") if room.of is not None else tr("It closes when all are in.")
    return title, f"{text} {when}"
