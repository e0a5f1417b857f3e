"""The class on a projector: the code in letters that can be read from the last row, and the seats as they fill.

All is drawn on a page of 1280 by 720, which grows with the window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QEvent, QPointF, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import QCloseEvent, QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton, QWidget

from lydian.app.classroom.cards import caption
from lydian.app.classroom.charts import binned, paint_answers, paint_curve
from lydian.app.classroom.roundbar import LAST, beginning, remaining
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.pieces.baskets import draw_basket
from lydian.classroom.frames import Question
from lydian.desk.hosting import Hosting, Person
from lydian.language import tr, trn

__all__ = ["Projector"]

#: The page, the height of its head and of its foot.
PAGE, HEAD, FOOT = (1280.0, 720.0), 53.0, 114.0
#: The most seats with names beside them, the most people whose names are all shown, and how many of more are.
RING, EVERYBODY, NEWEST = 14, 40, 12
#: The looks of a process at rest, and of one that may speak at the table.
REST, SPEAKS = 0, 6
#: Milliseconds for which the latest name is marked.
NEW = 2_000
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)


@dataclass(frozen=True)
class _Pen:
    """The fonts and colours of the page."""

    theme: Theme

    def font(self, pixels: float, bold: bool = False, mono: bool = False) -> QFont:
        font = self.theme.font("body", semibold=bold, mono=mono)
        font.setPixelSize(max(1, round(pixels)))
        if bold and pixels > 40:
            font.setWeight(QFont.Weight.Bold)
        return font

    def ink(self, name: str) -> QColor:
        return self.theme.color(name)


class Projector(QWidget):
    """The window.

    Args:
        hosting: the class.
        slots: returns the look of a process's state.
    """

    #: Emitted when it is closed.
    gone = Signal()

    def __init__(self, hosting: Hosting, slots: Callable[[str], int], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.hosting, self.slots = hosting, slots
        self.dark = Theme("dark")
        self.setObjectName("classProjector")
        self.setWindowTitle(tr("The class, for the projector"))
        self.resize(1280, 720)
        self.setMinimumSize(640, 360)
        self._known: set[int] | None = None
        self._new: set[int] = set()
        self._timer = self._second = 0
        self._svg = ""
        self._qr: QSvgRenderer | None = None
        self.setStyleSheet(_SHEET.format(
            line=self.dark.color("border.strong").name(), ink=self.dark.color("text.primary").name(),
            accent=self.dark.color("accent.base").name(), on=self.dark.color("text.onAccent").name(),
            ring=self.dark.color("accent.ring").name(), panel=self.dark.color("surface.panel").name(),
        ))  # fmt: skip
        self.names = set_up(QPushButton(), clicked=lambda _on=False: hosting.lead("hide", on=not hosting.hidden))
        self.begin = set_up(QPushButton(), look="main", clicked=lambda _on=False: self._main())
        set_look(self.names, self.dark, icon="eye-off", ink="text.primary", icon_size=18)
        set_look(self.begin, self.dark, icon="play", ink="text.onAccent", icon_size=16)
        self.bar = held(across(..., self.names, self.begin, margins=(0, 7, 26, 6), spacing=12))
        self.bar.setFixedHeight(int(HEAD))
        down(self.bar, ..., on=self)
        self.begin.setFocus()
        self.refresh()

    def _main(self) -> None:
        room = self.hosting.room
        if room is not None:
            self.hosting.lead("close" if room.phase == "open" else "begin" if not room.round else "next")

    # ------------------------------------------------------------------ following the class

    def refresh(self) -> None:
        """Show the class as it is now."""
        hosting, room, welcome = self.hosting, self.hosting.room, self.hosting.welcome
        numbers = {each.number for each in hosting.everybody}
        if self._known is not None and numbers - self._known:
            self._new = numbers - self._known
            if self._timer:
                self.killTimer(self._timer)
            self._timer = self.startTimer(NEW)
        if room is not None:
            self._known = numbers
        ticking = hosting.due is not None and room is not None and room.phase == "open"
        if ticking and not self._second and self.isVisible():
            self._second = self.startTimer(250)
        elif not ticking:
            self._still()
        svg = "" if welcome is None else welcome.qr
        if svg != self._svg:
            self._svg, self._qr = svg, QSvgRenderer(QByteArray(svg.encode())) if svg else None
        caption(self.names, tr("Show names") if hosting.hidden else tr("Hide names"))
        set_look(self.names, self.dark, icon="eye" if hosting.hidden else "eye-off")
        self.begin.setEnabled(room is not None and room.phase in ("door", "open", "between"))
        if room is not None and room.phase == "open":
            words = tr("Close the round") if room.mode == "sealed" else tr("End the turn")
        else:
            words = tr("Next round") if room is not None and room.round else beginning(hosting)
        caption(self.begin, words)
        set_look(self.begin, self.dark, icon="seal" if room is not None and room.phase == "open" else "play")
        self.setAccessibleDescription(self._told())
        self.update()

    @property
    def _baskets(self) -> bool:
        """Whether all may see the table of the play with apples."""
        room = self.hosting.room
        return room is not None and room.shown and room.stage.get("kind") == "baskets"

    def _slot(self, process: str) -> int:
        """Return how a process is drawn: nothing tells its state before all may see the run."""
        room = self.hosting.room
        if room is None or not room.shown or room.phase == "door":
            return REST
        return self.slots(process)

    def _told(self) -> str:
        welcome, room = self.hosting.welcome, self.hosting.room
        if welcome is None or room is None:
            return ""
        return tr("Code {code}, address {address}, {count} people", code=welcome.code, address=welcome.address,
                  count=room.people)  # fmt: skip

    def _still(self) -> None:
        if self._second:
            self.killTimer(self._second)
            self._second = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._timer:
            self.killTimer(self._timer)
            self._timer = 0
            self._new = set()
        self.update()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._still()
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        event.accept()
        self.gone.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F11:
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw = _Pen(self.dark)
        p.fillRect(self.rect(), draw.ink("surface.canvas"))
        scale = min(self.width() / PAGE[0], self.height() / PAGE[1])
        wide, high = self.width() / scale, self.height() / scale
        p.scale(scale, scale)
        head = HEAD / scale
        p.fillRect(QRectF(0, 0, wide, head), draw.ink("surface.panel"))
        p.fillRect(QRectF(0, head - 1, wide, 1), draw.ink("border.subtle"))
        welcome, room = self.hosting.welcome, self.hosting.room
        if welcome is not None and room is not None:
            self._head(p, draw, head, scale)
            foot = high - FOOT
            body = QRectF(0, head, wide, foot - head)
            if room.phase == "door":
                self._invitation(p, draw, body)
                self._seats(p, draw, QRectF(wide - 640, head, 640, foot - head), names=True)
            else:
                self._round(p, draw, body)
            self._foot(p, draw, QRectF(0, foot, wide, FOOT))
        p.end()

    def _head(self, p: QPainter, draw: _Pen, head: float, scale: float) -> None:
        welcome, room = self.hosting.welcome, self.hosting.room
        assert welcome is not None
        assert room is not None
        size = 20 if scale >= 0.9 else 17
        p.setFont(draw.font(size, bold=True))
        p.setPen(draw.ink("text.primary"))
        p.drawPixmap(QRectF(26, head / 2 - 11, 22, 22).toRect(), pixmap("people", draw.ink("text.primary"), 44))
        room_ = self.bar.layout()
        buttons = 0 if room_ is None else (self.names.width() + self.begin.width() + 60) / scale
        free = self.width() / scale - buttons - 62
        title = p.fontMetrics().elidedText(welcome.title, Qt.TextElideMode.ElideRight, max(60, int(free - 210)))
        p.drawText(QRectF(62, 0, free, head), _LEFT, title)
        x = 62 + p.fontMetrics().horizontalAdvance(title) + 14
        words = tr("the door is open") if room.door else tr("the door is closed: ask to be let in")
        ink = draw.ink("check.holds" if room.door else "check.warn")
        p.setFont(draw.font(17))
        box = QRectF(x, head / 2 - 15, p.fontMetrics().horizontalAdvance(words) + 48, 30)
        if box.right() > free + 62:
            return
        p.setPen(QPen(ink, 1.3))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawRoundedRect(box, 15, 15)
        p.drawPixmap(QRectF(box.left() + 14, head / 2 - 8, 16, 16).toRect(), pixmap("door", ink, 32))
        p.drawText(box.adjusted(36, 0, -8, 0), _LEFT, words)

    def _invitation(self, p: QPainter, draw: _Pen, box: QRectF) -> None:
        """Draw the code, its picture, and what to do."""
        welcome = self.hosting.welcome
        assert welcome is not None
        left, top = 44.0, box.top()
        p.setFont(draw.font(22))
        p.setPen(draw.ink("text.secondary"))
        words = tr("Join with any phone; nothing to install") if self.hosting.lan else tr("Join on this computer")
        p.drawText(QRectF(left, top + 24, 600, 36), _LEFT, words)
        size = 122.0
        p.setFont(draw.font(size, bold=True, mono=True))
        most = box.width() - 640 - left - 4
        have = p.fontMetrics().horizontalAdvance(welcome.code)
        if have > most:
            p.setFont(draw.font(size * most / have, bold=True, mono=True))
        p.setPen(QColor(Qt.GlobalColor.white))
        p.drawText(QRectF(left - 4, top + 58, most + 30, 140), _LEFT, welcome.code)
        self._picture(p, QRectF(left, top + 209, 296, 296))
        x, y = left + 326, top + 254
        address = welcome.address.removeprefix("http://").removeprefix("https://").rstrip("/")
        address = address.partition("?")[0].rstrip("/")
        steps = [(tr("Scan, or type"), address), (tr("Say what we"), tr("may call you"))]
        if self.hosting.lan:
            steps.insert(0, (tr("Use the same Wi-Fi"), tr("as this computer")))
        for number, (first, second) in enumerate(steps, 1):
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(draw.ink("accent.soft"))
            p.drawEllipse(QPointF(x + 17, y + 20), 17, 17)
            p.setFont(draw.font(17, bold=True))
            p.setPen(draw.ink("accent.base"))
            p.drawText(QRectF(x, y + 3, 34, 34), _CENTRE, str(number))
            p.setPen(draw.ink("text.secondary"))
            p.setFont(draw.font(19))
            p.drawText(QRectF(x + 48, y - 4, 260, 28), _LEFT, first)
            mono = second == address
            if mono:
                p.setPen(draw.ink("text.primary"))
                p.setFont(draw.font(20, bold=True, mono=True))
            p.drawText(QRectF(x + 48, y + 22, 300, 28), _LEFT, second)
            y += 74

    def _picture(self, p: QPainter, box: QRectF) -> None:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(QColor(Qt.GlobalColor.white))
        p.drawRoundedRect(box, box.width() * 0.04, box.width() * 0.04)
        if self._qr is not None:
            margin = box.width() * 0.02
            p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._qr.render(p, box.adjusted(margin, margin, -margin, -margin))
            p.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _seats(self, p: QPainter, draw: _Pen, box: QRectF, *, names: bool) -> None:
        """Draw the processes in a circle, and who plays them."""
        welcome, room, players = self.hosting.welcome, self.hosting.room, self.hosting.players
        assert welcome is not None
        assert room is not None
        processes = [str(each) for each in welcome.processes]
        many = len(processes) > RING
        centre = QPointF(box.left() + box.width() * 0.503, box.top() + box.height() / 2 + 14)
        radius = min(box.width() * (0.40 if many else 0.275), box.height() / 2 - (36 if many else 62))
        if names:
            p.setPen(QPen(draw.ink("link.base"), 2.4))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawEllipse(centre, radius, radius)
        d = 54.0 if len(processes) <= RING else max(14.0, min(44.0, 2 * math.pi * radius / len(processes) * 0.72))
        for at, process in enumerate(processes):
            angle = -math.pi / 2 + 2 * math.pi * at / max(len(processes), 1)
            x, y = centre.x() + radius * math.cos(angle), centre.y() + radius * math.sin(angle)
            person = players.get(process)
            new = person is not None and person.number in self._new
            self._seat(p, draw, x, y, d, process, person, new)
            if not many:
                self._name(p, draw, x, y, d, angle, person, new)
        if room.phase != "door":
            if self._baskets and not many:
                self._table(p, centre, radius, processes)
            return
        p.setPen(draw.ink("text.primary"))
        p.setFont(draw.font(64, bold=True))
        p.drawText(QRectF(centre.x() - 150, centre.y() - 74, 300, 72), _CENTRE, str(room.people))
        p.setPen(draw.ink("text.secondary"))
        p.setFont(draw.font(20))
        p.drawText(QRectF(centre.x() - 150, centre.y() + 6, 300, 26), _CENTRE,
                   trn("is here", "are here", room.people))  # fmt: skip
        p.setFont(draw.font(18))
        p.drawText(QRectF(centre.x() - 150, centre.y() + 36, 300, 26), _CENTRE,
                   trn("{count} seat is free", "{count} seats are free", room.free) if room.free
                   else tr("all seats are taken"))  # fmt: skip

    def _table(self, p: QPainter, centre: QPointF, radius: float, processes: Sequence[str]) -> None:
        """Draw the baskets between the seats."""
        room = self.hosting.room
        assert room is not None
        contents = room.stage["contents"]
        inner, large = radius * 0.66, 1.5
        size = min(84.0, 2 * math.pi * inner / len(processes) * 0.8)
        for at in range(len(processes)):
            angle = -math.pi / 2 + 2 * math.pi * (at + 0.5) / len(processes)
            p.save()
            p.translate(centre.x() + inner * math.cos(angle), centre.y() + inner * math.sin(angle))
            p.scale(large, large)
            draw_basket(p, self.dark, 0.0, -4.0, size / large, float(contents[at]))
            p.restore()

    def _seat(
        self, p: QPainter, draw: _Pen, x: float, y: float, d: float, process: str, person: Person | None, new: bool
    ) -> None:
        if new:
            soft = draw.ink("accent.base")
            p.setPen(Qt.PenStyle.NoPen)
            for grow, strength in ((1.72, 0.22), (1.38, 0.38)):
                soft.setAlphaF(strength)
                p.setBrush(soft)
                p.drawEllipse(QPointF(x, y), d * grow / 2, d * grow / 2)
        if person is not None:
            room = self.hosting.room
            draw_process(p, self.dark, x, y, d, self._slot(process), process if d >= 26 else "")
            if room is not None and room.phase == "open" and person.status == "chosen":
                p.setPen(QPen(draw.ink("surface.canvas"), 2))
                p.setBrush(draw.ink("accent.base"))
                at, side = QPointF(x + d * 0.42, y - d * 0.42), d * 0.44
                p.drawEllipse(at, side / 2, side / 2)
                lock = pixmap("lock", draw.ink("text.onAccent"), 48)
                half = side * 0.32
                p.drawPixmap(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half).toRect(), lock)
            return
        pen = QPen(draw.ink("border.control"), 1.8)
        pen.setDashPattern([3, 3])
        p.setPen(pen)
        p.setBrush(draw.ink("surface.canvas"))
        p.drawEllipse(QPointF(x, y), d / 2, d / 2)
        if d >= 26:
            p.setFont(draw.font(min(20.0, d * 0.37)))
            p.setPen(draw.ink("text.secondary"))
            p.drawText(QRectF(x - d / 2, y - d / 2, d, d), _CENTRE, process)

    def _name(
        self, p: QPainter, draw: _Pen, x: float, y: float, d: float, angle: float, person: Person | None, new: bool
    ) -> None:
        room = self.hosting.room
        nobody = tr("free") if room is None or room.phase == "door" else tr("the program")
        words = nobody if person is None else person.name
        p.setFont(draw.font(18 if person is None else 27 if new else 22, bold=person is not None))
        p.setPen(draw.ink("text.hint" if person is None else "accent.base" if new else "text.primary"))
        away = d / 2 + 16
        side = math.cos(angle)
        below = math.sin(angle)
        if abs(side) < 0.2:
            if below < 0:
                p.drawText(QRectF(x + away, y - 40, 200, 34), _LEFT, words)
            else:
                p.drawText(QRectF(x - 150, y + d / 2 + 8, 300, 34), _CENTRE, words)
        else:
            lift = 22 * below
            box = QRectF(x + away if side > 0 else x - away - 170, y - 17 + lift, 170, 34)
            shown = p.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, 170)
            p.drawText(box, _LEFT if side > 0 else _RIGHT, shown)

    def _round(self, p: QPainter, draw: _Pen, box: QRectF) -> None:
        """Draw the act, how the round stands, the question or the curve, and the seats."""
        room, welcome = self.hosting.room, self.hosting.welcome
        assert room is not None
        assert welcome is not None
        left, wide, y = 44.0, 500.0, box.top() + 22
        question, answers = self.hosting.question, self.hosting.histogram
        told = answers is not None and answers.shown and bool(answers.bars)
        if welcome.acts and 0 <= room.act < len(welcome.acts):
            title, about = welcome.acts[room.act][:2]
            small = tr("Act {number}", number=room.act + 1)
            y = self._words(p, draw, QRectF(left, y, wide, 24), small, 17, "secondary")
            y = self._words(p, draw, QRectF(left, y, wide, 96), str(title), 36, bold=True)
            if not told:
                y = self._words(p, draw, QRectF(left, y + 4, wide, 120), str(about), 20, "secondary")
            y += 20
        heading = {
            "open": tr("Round {round}", round=room.round), "moving": tr("Round {round}", round=room.round),
            "between": tr("After round {round}", round=room.round),
        }.get(room.phase, tr("The run has ended"))  # fmt: skip
        words = ""
        if room.paused:
            words = tr("Paused")
        elif room.phase == "open" and room.mode == "sealed" and room.choosing:
            words = trn("{done} of {count} has chosen", "{done} of {count} have chosen", room.choosing,
                        done=room.chosen)  # fmt: skip
        seconds, beside = self._left(), left
        if seconds is not None:
            self._clock(p, draw, QRectF(left, y, 92, 92), seconds, room.of or 1.0)
            beside += 112
        lift = y + (14 if seconds is not None else 0)
        end = self._words(p, draw, QRectF(beside, lift, wide, 40), heading, 30, bold=True)
        if words:
            end = self._words(p, draw, QRectF(beside, end, wide, 32), words, 22, "secondary")
        y = max(end, y + 92 if seconds is not None else 0) + 20
        self._plot(p, draw, QRectF(left, y, wide, box.bottom() - y - 14), question if room.question else None)
        self._seats(p, draw, QRectF(box.right() - 640, box.top(), 640, box.height()), names=True)

    def _plot(self, p: QPainter, draw: _Pen, box: QRectF, question: Question | None) -> None:
        """Draw the answers that are shown to all, the question that is open, or the curve of the game."""
        room, answers = self.hosting.room, self.hosting.histogram
        assert room is not None
        about = self.hosting.question
        told = answers is not None and answers.shown and bool(answers.bars)
        points = room.figure.get("points") or []
        if about is not None and (told or question is not None):
            if not told:
                box.setTop(self._words(p, draw, box, tr("Answer on your phone"), 20, "accent"))
            size = 20 if told and points else 24
            y = self._words(p, draw, QRectF(box.left(), box.top(), box.width(), 96), about.text, size, bold=True)
            rest = QRectF(box.left(), y + 6, box.width(), box.bottom() - y - 6)
            if told and answers is not None:
                names = {each[0]: str(each[1]) for each in about.choices}
                right = None if answers.right is None else names.get(answers.right, answers.right)
                p.setFont(draw.font(18))
                bars = [[names.get(each[0], each[0]), each[1]] for each in answers.bars]
                room_ = QRectF(rest)
                if points:
                    room_.setHeight(rest.height() * 0.5)
                paint_answers(p, self.dark, room_, binned(bars), right)
                box.setTop(room_.bottom() + 12)
            else:
                count = int((room.question or {}).get("answered", 0))
                words = tr("{answered} of {people} have answered", answered=count, people=room.people)
                box.setTop(self._words(p, draw, rest, words, 20, "secondary") + 20)
        if not points or box.height() < 100:
            return
        title = tr("{title}: {value}", title=room.figure.get("title", ""), value=f"{points[-1][1]:g}")
        y = self._words(p, draw, QRectF(box.left(), box.top(), box.width(), 32), title, 20, bold=True)
        p.setFont(draw.font(17))
        high = min(230.0, box.bottom() - y - 4)
        paint_curve(p, self.dark, QRectF(box.left(), y + 4, box.width(), high), room.figure, room.round)

    def _words(
        self, p: QPainter, draw: _Pen, box: QRectF, words: str, size: float, ink: str = "primary", *, bold: bool = False
    ) -> float:
        """Draw words at the top of a box, in several lines if they are long; return where they end."""
        p.setFont(draw.font(size, bold=bold))
        p.setPen(draw.ink("accent.base" if ink == "accent" else f"text.{ink}"))
        flags = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        found = p.boundingRect(box, flags, words)
        p.drawText(box, flags, words)
        return min(found.bottom(), box.bottom())

    def _clock(self, p: QPainter, draw: _Pen, box: QRectF, seconds: float, of: float) -> None:
        """Draw the time that is left as a ring and in figures."""
        ink = draw.ink("chain.waiting" if seconds <= LAST else "accent.base")
        ring = box.adjusted(4, 4, -4, -4)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(draw.ink("border.subtle"), 8))
        p.drawEllipse(ring)
        pen = QPen(ink, 8)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        p.drawArc(ring, 90 * 16, round(360 * 16 * min(1.0, seconds / of)))
        p.setFont(draw.font(27, bold=True))
        p.setPen(ink if seconds <= LAST else draw.ink("text.primary"))
        p.drawText(box, _CENTRE, remaining(seconds))

    def _left(self) -> float | None:
        """Return the seconds until the round closes by itself."""
        import time

        room = self.hosting.room
        if room is None or room.phase != "open":
            return None
        if room.paused:
            return room.left
        return None if self.hosting.due is None else max(0.0, self.hosting.due - time.monotonic())

    def _foot(self, p: QPainter, draw: _Pen, box: QRectF) -> None:
        """Draw the names of those who watch, and the last thing that happened."""
        p.fillRect(box, draw.ink("surface.panel"))
        p.fillRect(QRectF(box.left(), box.top(), box.width(), 1), draw.ink("border.subtle"))
        end = self._corner(p, draw, box)
        watching: Sequence[Person] = self.hosting.watching
        welcome = self.hosting.welcome
        if welcome is not None and len(welcome.processes) > RING:
            watching = self.hosting.everybody
        p.setFont(draw.font(18))
        p.setPen(draw.ink("text.secondary"))
        x, y = 44.0, box.top() + 15
        if watching:
            words = tr("Watching") if watching is not self.hosting.everybody else tr("Here")
            p.drawText(QRectF(x, y, 200, 34), _LEFT, words)
            x += p.fontMetrics().horizontalAdvance(words) + 14
        few = watching if len(watching) <= EVERYBODY else sorted(watching, key=lambda each: each.number)[-NEWEST:]
        shown = 0
        for person in few:
            new = person.number in self._new
            p.setFont(draw.font(17, bold=new))
            wide = p.fontMetrics().horizontalAdvance(person.name) + 30
            if x + wide > end - 110:
                break
            shown += 1
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(draw.ink("accent.base" if new else "surface.raised"))
            p.drawRoundedRect(QRectF(x, y, wide, 34), 17, 17)
            p.setPen(draw.ink("text.onAccent" if new else "text.primary"))
            p.drawText(QRectF(x, y, wide, 34), _CENTRE, person.name)
            x += wide + 9
        if len(watching) > shown:
            p.setFont(draw.font(17))
            p.setPen(draw.ink("text.secondary"))
            more = trn("and {count} more", "and {count} more", len(watching) - shown)
            p.drawText(QRectF(x + 4, y, 140, 34), _LEFT, more)
        p.setFont(draw.font(18))
        p.setPen(draw.ink("text.secondary"))
        last = self.hosting.log[-1] if self.hosting.log else tr("Observers take part in the predictions.")
        row = QRectF(44, box.bottom() - 54, end - 44, 34) if watching else QRectF(44, box.top(), end - 44, box.height())
        p.drawText(row, _LEFT, p.fontMetrics().elidedText(last, Qt.TextElideMode.ElideRight, int(row.width())))

    def _corner(self, p: QPainter, draw: _Pen, box: QRectF) -> float:
        """Draw the code and its picture at the end of the foot while the class plays; return where they begin."""
        welcome, room = self.hosting.welcome, self.hosting.room
        if welcome is None or room is None or room.phase == "door":
            return box.right() - 44
        side = box.height() - 20
        self._picture(p, QRectF(box.right() - 26 - side, box.top() + 10, side, side))
        p.setFont(draw.font(28, bold=True, mono=True))
        wide = max(240.0, float(p.fontMetrics().horizontalAdvance(welcome.code)))
        x = box.right() - 26 - side - 20 - wide
        p.setPen(draw.ink("text.primary"))
        p.drawText(QRectF(x, box.top() + 20, wide, 40), _RIGHT, welcome.code)
        p.setFont(draw.font(18, mono=True))
        p.setPen(draw.ink("text.secondary"))
        address = welcome.address.removeprefix("http://").removeprefix("https://").partition("?")[0].rstrip("/")
        p.drawText(QRectF(x - 60, box.top() + 60, wide + 60, 28), _RIGHT, address)
        return x - 20


_SHEET = """
QPushButton {{ border: 1px solid {line}; border-radius: 5px; color: {ink}; background: {panel}; padding: 0 15px;
  font-size: 17px; font-weight: 600; min-height: 38px; }}
QPushButton:focus {{ border: 2px solid {ring}; padding: 0 14px; }}
QPushButton#main {{ background: {accent}; color: {on}; border-color: {accent}; }}
QPushButton:disabled {{ color: {line}; }}
"""
