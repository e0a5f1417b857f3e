"""The buttons that move through a run, with the current place and the speed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QLabel,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import across, fill
from lydian.app.kit.theming import set_look
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline.goto import Ask, Field
from lydian.desk.playhead import SPEEDS, Playhead
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput, shown

__all__ = ["SpeedFigure", "SpeedSlider", "Transport", "speed_of", "speed_text", "time_text"]

_DIGIT = re.compile(r"\d")


def speed_text(speed: float) -> str:
    """Return a speed as text: ``1×``, ``1/8×``, ``1000×``."""
    if speed < 1 and abs(1 / speed - round(1 / speed)) < 1e-9:
        return f"1/{round(1 / speed)}×"
    return f"{speed:.4g}×"


def speed_of(text: str) -> float:
    """Return the speed that a text means: ``8``, ``0.3×``, ``1/4``, ``250/s``.

    Raises:
        BadInput: the text is not a speed, or the speed is out of range.
    """
    plain = text.strip().lower().removesuffix("/s").removesuffix("x").removesuffix("×").strip().replace(",", ".")
    above, _, below = plain.partition("/")
    try:
        speed = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        raise BadInput(tr("the speed is {text}; it must be a number such as 8, 0.3 or 1/4", text=shown(text))) from None
    if not SPEEDS[0] <= speed <= SPEEDS[-1]:
        raise BadInput(tr("the speed is {text}; it must be from 1/16 to {most:g}", text=shown(text), most=SPEEDS[-1]))
    return speed


def rate_text(rate: float) -> str:
    """Return a rate in moments per second as text: ``4/s``."""
    return f"{rate:.4g}/s"


def time_text(time: float, end: float) -> str:
    """Return a time, never below 0, with the number of decimals that suits the length of the run."""
    decimals = 2 if end < 1000 else 1 if end < 100_000 else 0
    return f"{max(time, 0.0):.{decimals}f}"


class SpeedSlider(QSlider):
    """A slider for speeds by powers of 2, painted as a line with a knob and ticks."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = theme
        self.setObjectName("speed")
        self.setRange(0, len(SPEEDS) - 1)
        self.setPageStep(1)
        self.setAccessibleName(tr("Speed in time units per second"))
        self.setFixedHeight(28)
        self.setFixedWidth(170)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            color, r, y = self.theme.color, 7.5, self.height() / 2 - 2
            left, right = r + 1, self.width() - r - 1
            at = left + (right - left) * self.value() / max(1, self.maximum())
            p.setPen(QPen(color("border.control"), 1))
            for tick in range(0, self.maximum() + 1, 2):
                x = left + (right - left) * tick / self.maximum()
                p.drawLine(int(x), int(y + 9), int(x), int(y + 12))
            p.setPen(QPen(color("border.subtle"), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            p.drawLine(int(at), int(y), int(right), int(y))
            p.setPen(QPen(color("accent.base"), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            p.drawLine(int(left), int(y), int(at), int(y))
            p.setPen(QPen(color("accent.base"), 3.5 if self.hasFocus() else 2.5))
            p.setBrush(color("surface.panel"))
            p.drawEllipse(int(at - r), int(y - r), int(2 * r), int(2 * r))
        finally:
            p.end()

    def mousePressEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._go(event.position().x())

    def mouseMoveEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().x())

    def mouseReleaseEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        event.accept()

    def _go(self, x: float) -> None:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        self.setValue(QStyle.sliderValueFromPosition(0, self.maximum(), int(x - 8.5), max(1, self.width() - 17)))


class SpeedFigure(Field):
    """The speed as a figure; a click makes it a field for another speed.

    Enter accepts the new speed; Esc or leaving the field restores the old one.
    """

    #: The text that was typed.
    typed = Signal(float)
    #: The error in the text, or "" for none.
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speedText")
        self.setFrame(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(tr("Speed; click to type another"))
        self._shown = ""
        self.setProperty("flat", True)
        self.returnPressed.connect(self._take)
        self.textEdited.connect(lambda _text: self.refused.emit(""))

    def show_text(self, text: str) -> None:
        """Show the current speed, unless another one is being typed."""
        self._shown = text
        if not self.hasFocus():
            self.setText(text)

    def _take(self) -> None:
        try:
            speed = speed_of(self.text())
        except BadInput as error:
            self.refused.emit(str(error)[:1].upper() + str(error)[1:] + ".")
            return
        self.typed.emit(speed)
        self.refused.emit("")
        self.clearFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.refused.emit("")
        self.deselect()
        self.setText(self._shown)

    def mouseReleaseEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().mouseReleaseEvent(event)
        if self.text() == self._shown:
            self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
        else:
            super().keyPressEvent(event)


class Transport(QWidget):
    """Start, back, play, forward, end; loop; time and event; speed.

    Attributes:
        ask: the field in which the user types a place to go to, or the name of a bookmark.
    """

    #: The user wants this many time units per second.
    speed_wanted = Signal(float)

    #: In the order of hiding: label of the speed, number of events, length of the slider, the loop button.
    FOLDS = (
        (True, True, 170, True), (False, True, 170, True), (False, True, 110, True), (False, False, 110, True),
        (False, False, 110, False), (False, False, 0, False),
    )  # fmt: skip
    BUTTONS = ("to_start", "step_back", "play", "step_forward", "to_end")

    def __init__(
        self, playhead: Playhead, theme: Theme, actions: Mapping[str, QAction], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.playhead, self.theme = playhead, theme
        self.setObjectName("transport")
        row = across(on=self, margins=(10, 2, 14, 6), spacing=4)
        self.buttons: dict[str, QToolButton] = {}
        for name in (*self.BUTTONS, "loop"):
            button = QToolButton()
            button.setObjectName("playButton" if name == "play" else "transportButton")
            button.setDefaultAction(actions[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setAccessibleName(actions[name].toolTip())
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAutoRepeat(name in ("step_back", "step_forward"))
            if name == "loop":
                row.addWidget(_line())
            row.addWidget(button)
            self.buttons[name] = button
        row.addWidget(_line())
        self.clock, self.count = QLabel(), QLabel()
        self.clock.setObjectName("clock")
        self.clock.setAccessibleName(tr("Time"))
        self.count.setObjectName("count")
        self.count.setAccessibleName(tr("Event"))
        self.ask = Ask(theme)
        self.ask.opened.connect(lambda _on: self._fit())
        self.trouble = QLabel()
        self.trouble.setObjectName("problem")
        self.trouble.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.trouble.hide()
        self.slider = SpeedSlider(theme)
        self.slider.valueChanged.connect(lambda value: self.speed_wanted.emit(SPEEDS[value]))
        self.slower, self.faster, self.speed = (
            QLabel(trc("speed", "slower")),
            QLabel(trc("speed", "faster")),
            SpeedFigure(),
        )
        self.slower.setObjectName("hint")
        self.faster.setObjectName("hint")
        self.speed.typed.connect(self.speed_wanted)
        self.speed.refused.connect(self._refuse)
        fill(
            row, 4, self.clock, 12, self.count, (self.ask, 20), ..., self.trouble, self.slower, self.slider,
            self.faster, self.speed,
        )  # fmt: skip
        for label, role in ((self.clock, "title"), (self.count, "body"), (self.slower, "body"), (self.faster, "body")):
            set_look(label, theme, font=role)
        set_look(self.speed, theme, font="body semibold")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        side = theme.stretched(44 if theme.projector else 32)
        for name, button in self.buttons.items():
            button.setFixedSize(
                QSize(round(side * 1.65) if name == "play" else side + 2, side + (4 if name == "play" else 0))
            )
            button.setIconSize(QSize(1, 1) * theme.stretched(26 if theme.projector else 20))
        self.speed.setFixedWidth(self.speed.fontMetrics().horizontalAdvance("1000×") + 18)
        self._last: tuple[object, ...] | None = None
        self._room: tuple[int, int] | None = None
        self.refresh()

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        """Give the figures the room that they need at the end of the run; the label of the speed is hidden first."""
        self._room = self._needs()
        for label, wide in zip((self.clock, self.count), self._room, strict=True):
            label.setFixedSize(max(wide, label.sizeHint().width()), label.sizeHint().height())
        asking = not self.ask.isHidden()
        row = self.layout()
        assert row is not None
        for words, count, slider, loop in self.FOLDS:
            for label in (self.slower, self.faster):
                label.setVisible(words and not asking)
            self.clock.setVisible(not asking)
            self.count.setVisible(count and not asking and self.trouble.isHidden())
            # an error in the typed text needs the room more than the speed
            room = not asking or self.width() > self.theme.px("body") * 100
            self.slider.setVisible(slider > 0 and room)
            self.speed.setVisible(room)
            self.slider.setFixedWidth(max(slider, 1))
            self.buttons["loop"].setVisible(loop and room)
            row.invalidate()
            if row.minimumSize().width() <= self.width():
                break
        row.activate()

    def _needs(self) -> tuple[int, int]:
        """Return the widths that time and event need at the end of the run, whatever its digits are."""
        head = self.playhead
        events = _DIGIT.sub("8", f"{head.events:,}")
        count = QFontMetrics(self.theme.font("body", semibold=True)).horizontalAdvance(events)
        of = self.count.fontMetrics().horizontalAdvance(f" {_DIGIT.sub('8', _of(head.events))}")
        return self._clock_width(_DIGIT.sub("8", time_text(head.end, head.end))), count + of + 6

    def _refuse(self, sentence: str) -> None:
        """Show beside the figure why a speed is invalid."""
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))
        self._fit()

    def _clock_width(self, longest: str) -> int:
        bold = self.theme.font("title", mono=True)
        bold.setBold(True)
        return (
            QFontMetrics(bold).horizontalAdvance(longest)
            + QFontMetrics(self.theme.font("body")).horizontalAdvance(f" {tr('of {time}', time=longest)}") + 6
        )  # fmt: skip

    def refresh(self) -> None:
        """Show time, event, speed and the action of the play button, if any of them has changed."""
        head = self.playhead
        now = time_text(head.t, head.end)
        so_far = head.beginning is not None
        key = (now, head.end, head.position, head.events, head.playing, head.speed, head.pace, head.rate,
               head.timeline is None, self.theme, so_far)  # fmt: skip
        if key == self._last:
            return
        if self._last is None or self._needs() != self._room:
            self._fit()
        self._last = key
        hint, strong = self.theme.color("text.hint").name(), self.theme.color("text.primary").name()
        family = self.theme.font("body", mono=True).family()
        whole, events = tr("of {time}", time=time_text(head.end, head.end)), _of(head.events)
        if so_far and head.position == head.events:  # the length of the rest must not be revealed
            whole, events = trc("time", "so far"), trn("event so far", "events so far", head.events)
        self.clock.setText(
            f"<span style='font-family:\"{family}\";font-weight:700;color:{strong}'>{now}</span>"
            f"<span style='color:{hint};font-size:{self.theme.px('body')}px'> {whole}</span>"
        )
        self.count.setText(
            f"<span style='font-weight:600;color:{strong}'>{head.position:,}</span>"
            f"<span style='color:{hint}'> {events}</span>"
        )
        for label in (self.clock, self.count):  # their sizes are fixed, so that a new text lays out nothing else
            if label.sizeHint().width() > label.width():
                label.setFixedWidth(label.sizeHint().width())
        by_time = head.pace == "time"
        quick = head.speed if by_time else head.rate
        text = speed_text(quick) if by_time else rate_text(quick)
        self.speed.show_text(text)
        play = self.buttons["play"]
        play.setIcon(icon("pause" if head.playing else "play", self.theme, "text.onAccent"))
        play.setAccessibleName(tr("Pause") if head.playing else tr("Play"))
        nearest = min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - quick))
        if nearest != self.slider.value():
            self.slider.blockSignals(True)
            self.slider.setValue(nearest)
            self.slider.blockSignals(False)
        count = int(quick) if quick == int(quick) else 2  # as in "1.5 time units"
        if by_time:
            tip = trn(
                "{speed}: {rate:g} time unit per second",
                "{speed}: {rate:g} time units per second",
                count,
                speed=text,
                rate=quick,
            )
        else:
            tip = trn(
                "{speed}: {rate:g} moment with events per second",
                "{speed}: {rate:g} moments with events per second",
                count,
                speed=text,
                rate=quick,
            )
        self.slider.setToolTip(tip)


def _of(events: int) -> str:
    return trn("of {count:,} event", "of {count:,} events", events)


def _line() -> QWidget:
    line = QWidget()
    line.setObjectName("separator")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    line.setFixedSize(1, 24)
    return line
