"""The painter of one process: its state, its variables, its last step, and the list of its events."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_head, draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.ink import LEFT, MIDDLE, RIGHT, Ink
from lydian.app.painters.pieces.masks import draw_mask
from lydian.language import tr, trc, trn
from lydian.views.others.step import EventRow, StepFrame, VariableRow, events_title, tooltip_of
from lydian.views.selection import Hit

__all__ = ["StepPainter"]


@dataclass(frozen=True)
class Places:
    """The places of the parts; the first variable, line and event shown are at the top of their boxes."""

    k: float
    head: QRectF
    variables: QRectF
    lasts: QRectF
    code: QRectF
    code_lines: int
    title: QRectF
    events: QRectF
    line: float
    row: float
    shown_variables: int
    more_above: bool
    first: int
    shown_events: int
    side: bool

    def event_box(self, place: int) -> QRectF:
        return QRectF(
            self.events.left(), self.events.top() + (place - self.first) * self.row, self.events.width(), self.row
        )

    def button(self, following: bool) -> QRectF:
        """Return the small buttons for the previous and the next event."""
        size = 24 * self.k
        left = self.title.right() - (34 if following else 62) * self.k
        return QRectF(left, self.title.center().y() - size / 2, size, size)


#: What a message says, and the new state, which are left out of an event that is too long for its line.
_FIELDS, _EFFECT = re.compile(r" ?\([^()]*\)"), re.compile(r" → .*")
#: The minimum width at which the list of events is beside the rest instead of below it.
WIDE = 620.0


class StepPainter:
    """The painter of a :class:`StepFrame` on any device of a QPainter."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.ink = Ink(theme)

    def rows(self, rect: QRectF, frame: StepFrame) -> int:
        """Return the number of events that fit into ``rect``, which is a page for scrolling."""
        return self._places(rect, frame).shown_events

    def first(self, rect: QRectF, frame: StepFrame) -> int:
        """Return the index of the first event shown, from which manual scrolling starts."""
        return self._places(rect, frame).first

    def scrolled(self, frame: StepFrame, rows: int, rect: QRectF) -> int | None:
        """Return the ``offset`` after scrolling down by ``rows``, or ``None`` for the default place of the list."""
        places = self._places(rect, frame)
        own = self._places(rect, replace(frame, offset=None)).first
        wanted = max(0, min(places.first + rows, frame.count - places.shown_events))
        return None if wanted == own else wanted

    def _places(self, rect: QRectF, frame: StepFrame) -> Places:
        k = self.theme.px("small") / 12
        line, row = 23 * k, 23 * k
        side = rect.width() >= WIDE * k
        width = rect.width() * 0.46 if side else rect.width()
        left, top = rect.left(), rect.top()
        head = QRectF(left, top, width, 66 * k)
        lasts_height = (len(frame.lasts) * 20 + 14) * k if frame.lasts else 0.0
        wanted = len(frame.variables)
        # in one column, the list of events keeps at least four rows at the expense of the variables
        room = rect.height() - head.height() - lasts_height - 36 * k - (0 if side else 4 * row)
        shown = wanted if (wanted + 1) * line <= room else max(1, int(room / line) - 2)
        shown = min(shown, wanted)
        cut = 1 if shown < wanted else 0
        # in a very low pane, the heading contains the number of further events, which has no line of its own
        lines = int((rect.bottom() - head.bottom() + 2 * k) / line)
        more_above = bool(cut) and shown + 2 > lines
        if more_above:
            shown, cut = min(wanted, max(1, lines - 1)), 0
        variables = QRectF(left, head.bottom(), width, (shown + 1 + cut) * line + 6 * k)
        lasts = QRectF(left, variables.bottom(), width, lasts_height)
        code_lines, code = self._code_place(rect, frame, lasts, k, 0.0 if side else 39 * k + 3 * row)
        if side:
            title = QRectF(left + width, top + 8 * k, rect.width() - width, 34 * k)
        else:
            title = QRectF(left, code.bottom(), width, 34 * k)
        height = max(rect.bottom() - title.bottom() - 4 * k, 0.0)
        events = QRectF(title.left(), title.bottom(), title.width(), height)
        fits = max(int(events.height() / row), 0)
        last_first = max(frame.count - fits, 0)
        wanted_first = max(frame.current, 0) - int(fits * 0.6) if frame.offset is None else frame.offset
        first = max(0, min(wanted_first, last_first))
        shown_events = min(fits, frame.count)
        return Places(
            k, head, variables, lasts, code, code_lines, title, events, line, row, shown, more_above, first,
            shown_events, side,
        )  # fmt: skip

    def _code_place(self, rect: QRectF, frame: StepFrame, lasts: QRectF, k: float, others: float) -> tuple[int, QRectF]:
        """Return the number of lines of code shown, and their place: as many as fit, from two to nine.

        Args:
            others: the height that the parts below keep.
        """
        empty = QRectF(lasts.left(), lasts.bottom(), lasts.width(), 0)
        if frame.code is None:
            return 0, empty
        step = self._code_step()
        fits = int((rect.bottom() - lasts.bottom() - others - 22 * k) / step)
        spare = int((rect.bottom() - lasts.bottom() - others - 22 * k - max(frame.count - 3, 0) * 23 * k) / step)
        count = min(len(frame.code.lines), fits, max(9, spare))  # more where the events leave room
        if count < min(len(frame.code.lines), 2):
            return 0, empty
        return count, QRectF(lasts.left(), lasts.bottom(), lasts.width(), count * step + 22 * k)

    def _code_step(self) -> float:
        return QFontMetricsF(self.theme.font("caption", mono=True)).height() + 3 * self.theme.px("small") / 12

    def paint(self, p: QPainter, rect: QRectF, frame: StepFrame, camera: object = None) -> None:
        """Draw the frame into ``rect``; there is no camera, and ``offset`` of the frame scrolls."""
        p.save()
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setClipRect(rect)
            p.fillRect(rect, self.theme.color("surface.panel"))
            if frame.process < 0:
                self.ink.text(p, rect, tr("There is no process to show."), "body", "text.hint", MIDDLE)
                return
            places = self._places(rect, frame)
            self._head(p, places, frame)
            self._variables(p, places, frame)
            self._lasts(p, places, frame)
            self._code(p, places, frame)
            self._title(p, places, frame)
            for row in self._visible(places, frame):
                self._event(p, places.event_box(row.place), places.k, row)
            self._bar(p, places, frame)
        finally:
            p.restore()

    # parts of the picture

    def _head(self, p: QPainter, places: Places, frame: StepFrame) -> None:
        k, box = places.k, places.head
        d = 36 * k
        draw_process(
            p, self.theme, box.left() + 34 * k, box.center().y(), d, frame.slot, frame.name,
            initiator=frame.initiator, selected=False, crashed=frame.crashed,
        )  # fmt: skip
        text = QRectF(box.left() + 66 * k, box.center().y() - 21 * k, box.width() - 78 * k, 22 * k)
        wide = self.ink.text(p, text, frame.word, "title", "text.primary", semibold=True)
        if frame.lies:
            draw_mask(p, self.theme, box.left() + 34 * k - d * 0.48, box.center().y() - d * 0.42, d * 0.54)
        if frame.crashed or frame.lies:
            crashed = QRectF(text.left() + wide + 10 * k, text.top(), text.width() - wide - 10 * k, text.height())
            self.ink.text(
                p,
                crashed,
                trc("a process", "crashed") if frame.crashed else frame.lies,
                "body",
                "fault.base",
                semibold=True,
            )
        elif not frame.chosen:
            # no process is selected, so the view follows the current event
            follows = QRectF(text.left() + wide + 10 * k, text.top(), text.width() - wide - 10 * k, text.height())
            self.ink.text(p, follows, tr("current event"), "caption", "text.hint", RIGHT)
        self.ink.text(p, text.translated(0, 21 * k), frame.situation, "small", "text.hint")

    def _variables(self, p: QPainter, places: Places, frame: StepFrame) -> None:
        k, box = places.k, places.variables
        columns = self._variable_columns(box, k, frame.variables[: places.shown_variables])
        y = box.top()
        for (x, width), text in zip(columns[:2], (tr("Variable"), tr("Value")), strict=True):
            cell = QRectF(x, y, width, places.line)
            self.ink.text(p, cell, text, "small", "text.secondary", semibold=True)
        shown = frame.variables[: places.shown_variables]
        for variable in shown:
            y += places.line
            self._variable(p, y, places.line, columns, variable, k)
        hidden = len(frame.variables) - len(shown)
        if hidden > 0 and places.more_above:
            cell = QRectF(box.left(), box.top(), box.width() - 14 * k, places.line)
            self.ink.text(p, cell, trn("and {count} more", "and {count} more", hidden), "small", "text.hint", RIGHT)
        elif hidden > 0:
            cell = QRectF(columns[0][0], y + places.line, box.width() - 28 * k, places.line)
            self.ink.text(p, cell, tr("… and {count} more", count=hidden), "small", "text.hint")

    def _variable_columns(self, box: QRectF, k: float, variables: Sequence[VariableRow]) -> list[tuple[float, float]]:
        """Return the columns of names, values and remarks, as wide as their texts; long values displace the remarks."""
        left, width = box.left() + 14 * k, box.width() - 28 * k
        names, values, notes = (
            max((self.ink.width(text, "small", mono=mono, semibold=not mono) for text in texts), default=0.0) + 14 * k
            for texts, mono in (
                ([each.name for each in variables], True),
                ([each.value for each in variables], True),
                ([each.note for each in variables], False),
            )
        )
        name = min(max(names, width * 0.3), width * 0.46)
        note = notes if name + min(values, width * 0.4) + notes <= width else 0.0
        return [(left, name - 6 * k), (left + name, width - name - note - 6 * k), (left + width - note, note)]

    def _variable(
        self, p: QPainter, y: float, height: float, columns: list[tuple[float, float]], variable: VariableRow, k: float
    ) -> None:
        (x0, w0), (x1, w1), (x2, w2) = columns
        clock = variable.seq < 0 and variable.since is None and variable.note == tr("Lamport time")
        pale = "text.secondary" if clock or variable.since is None else "text.primary"
        self.ink.text(p, QRectF(x0, y, w0, height), variable.name, "small", pale, mono=True)
        self.ink.text(p, QRectF(x1, y, w1, height), variable.value, "small", pale, mono=True, semibold=variable.changed)
        if w2 <= 0:
            return
        if variable.changed:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(self.theme.color("chain.past"))
            p.drawEllipse(QPointF(x2 + 4 * k, y + height / 2), 3.5 * k, 3.5 * k)
            cell = QRectF(x2 + 13 * k, y, w2 - 13 * k, height)
            self.ink.text(p, cell, variable.note, "small", "chain.past", semibold=True)
        else:
            self.ink.text(p, QRectF(x2, y, w2, height), variable.note, "small", "text.hint")

    def _lasts(self, p: QPainter, places: Places, frame: StepFrame) -> None:
        if not frame.lasts:
            return
        k, box = places.k, places.lasts
        self._rule(p, box.left(), box.right(), box.top())
        names = max(self.ink.width(last.name, "small") for last in frame.lasts) + 26 * k
        for i, last in enumerate(frame.lasts):
            cell = self._last_box(places, i)
            self.ink.text(p, cell, last.name, "small", "text.hint")
            cell.setLeft(box.left() + max(names, 106 * k))
            color = "text.link" if last.code else "text.primary" if last.seq >= 0 else "text.hint"
            self.ink.text(p, cell, last.text, "small", color)

    def _last_box(self, places: Places, i: int) -> QRectF:
        k, box = places.k, places.lasts
        return QRectF(box.left() + 14 * k, box.top() + (7 + 20 * i) * k, box.width() - 24 * k, 20 * k)

    def _code(self, p: QPainter, places: Places, frame: StepFrame) -> None:
        """Draw the lines of the protocol around the one that ran, which is marked."""
        if frame.code is None or not places.code_lines:
            return
        k, step = places.k, self._code_step()
        box = places.code.adjusted(14 * k, 4 * k, -14 * k, -8 * k)
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.setBrush(self.theme.color("surface.panelAlt"))
        p.drawRoundedRect(box, 4 * k, 4 * k)
        numbers = self.ink.width("888", "caption", mono=True) + 8 * k
        y = box.top() + 5 * k
        for number, text in frame.code.around(places.code_lines):
            line = QRectF(box.left(), y, box.width(), step)
            current = number == frame.code.current
            if current:
                p.fillRect(line.adjusted(1, 0, -1, 0), self.theme.color("accent.soft"))
                p.fillRect(QRectF(line.left() + 1, line.top(), 3 * k, step), self.theme.color("accent.base"))
            gutter = QRectF(line.left(), y, numbers, step)
            self.ink.text(
                p, gutter, str(number), "caption", "text.secondary" if current else "text.hint", RIGHT, mono=True
            )
            room = line.adjusted(numbers + 9 * k, 0, -6 * k, 0)
            said = text.lstrip()
            pale = said.startswith(('"""', "#", "'''")) and not current
            self.ink.text(p, room, text, "caption", "text.hint" if pale else "text.primary", LEFT, mono=True)
            y += step

    def _title(self, p: QPainter, places: Places, frame: StepFrame) -> None:
        k, box = places.k, places.title
        if places.side:
            p.setPen(QPen(self.theme.color("border.subtle"), 1))
            p.drawLine(
                QPointF(box.left() + 0.5, box.top() - 8 * k), QPointF(box.left() + 0.5, places.events.bottom() + 8 * k)
            )
        else:
            self._rule(p, box.left(), box.right(), box.top())
        text = QRectF(box.left() + 14 * k, box.top(), box.width() - 80 * k, box.height())
        self.ink.text(p, text, events_title(frame), "small", "text.secondary", semibold=True)
        if not frame.count:
            return
        for following, seq in ((False, frame.previous), (True, frame.following)):
            self._button(p, places.button(following), following, seq >= 0)

    def _button(self, p: QPainter, box: QRectF, following: bool, usable: bool) -> None:
        """Draw a bar and a triangle, as on the transport bar."""
        p.save()
        try:
            p.translate(box.center())
            if not following:
                p.scale(-1, 1)
            r = box.width() * 0.2
            path = QPainterPath()
            path.moveTo(-r, -r)
            path.lineTo(r * 0.75, 0)
            path.lineTo(-r, r)
            path.closeSubpath()
            path.addRect(QRectF(r * 0.85, -r, r * 0.4, 2 * r))
            p.fillPath(path, self.theme.color("text.secondary" if usable else "link.dim"))
        finally:
            p.restore()

    def _event(self, p: QPainter, box: QRectF, k: float, row: EventRow) -> None:
        if row.current:
            p.fillRect(box, self.theme.color("accent.soft"))
            p.fillRect(QRectF(box.left(), box.top(), 3 * k, box.height()), self.theme.color("accent.base"))
        if row.selected or row.hover:
            p.setPen(QPen(self.theme.color("selection"), 2 if row.selected else 1.3))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawRoundedRect(box.adjusted(5 * k, 1.5, -5 * k, -1.5), 4, 4)
        future = not (row.past or row.current)
        color = "text.hint" if future else "text.primary"
        p.save()
        try:
            if future:
                p.setOpacity(0.8)
            inner = box.adjusted(10 * k, 0, -14 * k, 0)
            clock = max(
                self.ink.width("88.88", "small", mono=True), self.ink.width(f"{row.time:.2f}", "small", mono=True)
            )
            time = QRectF(inner.left(), inner.top(), clock, inner.height())
            self.ink.text(p, time, f"{row.time:.2f}", "small", color, RIGHT, mono=True)
            self._mark(p, time.right() + 18 * k, box.center().y(), k, row)
            lamport = str(row.lamport)
            wide = self.ink.width(lamport, "small", mono=True)
            self.ink.text(p, inner, lamport, "small", color, RIGHT, mono=True)
            text = QRectF(time.right() + 34 * k, inner.top(), 0, inner.height())
            text.setRight(inner.right() - wide - 8 * k)
            said = "fault.base" if row.fault and not future else color
            bold = row.current and not row.effect
            words = row.text
            for less in (_FIELDS, _EFFECT):  # the tooltip has both
                if self.ink.width(words, "small", semibold=bold) > text.width():
                    words = less.sub("", words)
            self.ink.text(p, text, words, "small", said, LEFT, semibold=bold)
        finally:
            p.restore()

    def _bar(self, p: QPainter, places: Places, frame: StepFrame) -> None:
        """Draw the position in the list if the list does not fit."""
        if not 0 < places.shown_events < frame.count:
            return
        k, track = places.k, places.shown_events * places.row
        length = max(track * places.shown_events / frame.count, 16 * k)
        share = places.first / (frame.count - places.shown_events)
        bar = QRectF(places.events.right() - 6 * k, places.events.top() + (track - length) * share, 3 * k, length)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(self.theme.color("link.dim"))
        p.drawRoundedRect(bar, 1.5 * k, 1.5 * k)

    def _mark(self, p: QPainter, x: float, y: float, k: float, row: EventRow) -> None:
        """Draw the head of the message (smaller where it leaves), a cross for a fault, or a dot for any other event."""
        if row.fault:
            r = 3.6 * k
            p.setPen(QPen(self.theme.color("fault.base"), 2.2 * k))
            p.drawLine(QPointF(x - r, y - r), QPointF(x + r, y + r))
            p.drawLine(QPointF(x - r, y + r), QPointF(x + r, y - r))
        elif row.look >= 0:
            draw_head(p, self.theme, x, y, 0.0, row.look, (7.5 if row.effect else 11) * k)
        else:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(self.theme.color("text.primary"))
            r = (2.2 if row.effect else 3.3) * k
            p.drawEllipse(QPointF(x, y), r, r)

    def _rule(self, p: QPainter, left: float, right: float, y: float) -> None:
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.drawLine(QPointF(left, round(y) + 0.5), QPointF(right, round(y) + 0.5))

    def _visible(self, places: Places, frame: StepFrame) -> list[EventRow]:
        last = places.first + places.shown_events
        return [row for row in frame.rows if places.first <= row.place < last]

    # pointer

    def hit(self, pos: QPointF, rect: QRectF, frame: StepFrame, camera: object = None) -> Hit | None:
        """Return the event at ``pos``: in the list, of a variable's last change, of a last message or of a button."""
        if frame.process < 0 or not rect.contains(pos):
            return None
        places = self._places(rect, frame)
        found = -1
        if places.head.contains(pos):
            return Hit("process", frame.process)
        if places.variables.contains(pos):
            i = int((pos.y() - places.variables.top()) / places.line) - 1
            shown = frame.variables[: places.shown_variables]
            found = shown[i].seq if 0 <= i < len(shown) else -1
        elif places.lasts.contains(pos):
            found = next((x.seq for i, x in enumerate(frame.lasts) if self._last_box(places, i).contains(pos)), -1)
        elif places.code.contains(pos):
            found = frame.acted
        elif places.title.contains(pos):
            if places.button(False).contains(pos):
                found = frame.previous
            elif places.button(True).contains(pos):
                found = frame.following
        elif places.events.contains(pos):
            place = places.first + int((pos.y() - places.events.top()) / places.row)
            found = next((row.seq for row in self._visible(places, frame) if row.place == place), -1)
        return Hit("event", found) if found >= 0 else None

    def code_line_at(self, pos: QPointF, rect: QRectF, frame: StepFrame) -> int:
        """Return the line of the protocol whose text or link is at a point, or 0 for none."""
        if frame.code is None or not rect.contains(pos):
            return 0
        places = self._places(rect, frame)
        if places.lasts.contains(pos):
            on_link = any(x.code and self._last_box(places, i).contains(pos) for i, x in enumerate(frame.lasts))
            return frame.code.current if on_link else 0
        if not places.code_lines or not places.code.contains(pos):
            return 0
        box = places.code.adjusted(14 * places.k, 4 * places.k, -14 * places.k, -8 * places.k)
        row = int((pos.y() - box.top()) / self._code_step())
        lines = frame.code.around(places.code_lines)
        return lines[max(0, min(row, len(lines) - 1))][0]

    def tooltip(self, hit: Hit | None, frame: StepFrame) -> str:
        """Describe the event or the process under the pointer, as rich text."""
        if hit is None or frame.process < 0:
            return ""
        if hit.kind == "process":
            said = html.escape(frame.situation)
            name = tr("Process {process}", process=html.escape(frame.name))
            return f"<b>{name}</b>: {html.escape(frame.word)}<br>{said}"
        row = next((row for row in frame.rows if row.seq == hit.id), None)
        return tooltip_of(row) if row is not None else ""
