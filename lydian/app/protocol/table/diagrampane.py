"""The state diagram of the text, drawn from its table and updated during typing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFileDialog, QMenu, QToolTip, QWidget

from lydian.app.look.theme import Theme
from lydian.app.painters.others.statediagram import DiagramMarks, DiagramPainter
from lydian.app.pictures.picturefile import beside, pdf, png, svg
from lydian.app.protocol.document import ProtocolDocument
from lydian.authoring.celltable import looks_for
from lydian.authoring.diagram import DiagramState
from lydian.authoring.statediagram import Arrow, LabelLine, Layout, PlacedState, arrows_of, between, lay_out
from lydian.language import tr, trc
from lydian.model.errors import BadInput
from lydian.views.words.words import plural

__all__ = ["DiagramPane"]


def save_diagram(path: Path, painter: DiagramPainter, layout: Layout, slots: Mapping[str, int], title: str) -> None:
    """Write a diagram as SVG, PNG or PDF, depending on the suffix of the file.

    Raises:
        BadInput: the suffix is unknown, there is nothing to draw, or the file cannot be written.
    """
    if not layout.states:
        raise BadInput(tr("there is no state diagram to save"), file=path)
    size = (round(layout.width), round(layout.height))
    ground = painter.theme.color("surface.panel")

    def paint(p: QPainter) -> None:
        p.fillRect(QRectF(0, 0, *size), ground)
        painter.paint(p, layout, slots, DiagramMarks())

    kind = path.suffix.lower()
    if kind == ".png":
        data = png(paint, size, title, scale=2.0, background=ground)
    elif kind in (".svg", ".pdf"):
        data = (svg if kind == ".svg" else pdf)(paint, size, title)
    else:
        raise BadInput(tr("unknown suffix '{suffix}'; choose from .svg, .png and .pdf", suffix=path.suffix), file=path)
    with beside(path, "picture") as part:
        part.write_bytes(data)


#: The factor by which another form of the picture must enlarge everything to be preferred.
TURN = 1.08
LEAST, MOST = 0.15, 4.0
#: The forms that are tried: whether layers go from left to right, and functions are below their events.
_FORMS = ((False, False), (True, False), (False, True), (True, True))
#: The distance in pixels within which the pointer is on a line.
NEAR = 5.0


class DiagramPane(QWidget):
    """The pane with states and arrows; the pointer highlights the cell and line of one; a double-click goes there.

    Attributes:
        layout_now: the layout of the picture, in its own coordinates.
        marks: the highlighted parts.
    """

    #: Emitted with the (state, event) under the pointer, event "" for a state, or ``None``.
    cell_hovered = Signal(object)
    #: Emitted with the line of the text for the state or arrow under the pointer, 0 for none.
    line_hovered = Signal(int)
    #: Emitted with the (state, event) of a clicked arrow or, with event "", a clicked state.
    cell_picked = Signal(str, str)
    #: Emitted with the line to which the editor should go, after a double-click or Enter.
    jump_wanted = Signal(int)

    def __init__(self, document: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.theme = theme
        self.painter = DiagramPainter(theme)
        self.marks = DiagramMarks()
        self.layout_now = Layout((), (), 0.0, 0.0, False)
        self._from: Layout | None = None
        self._drawn: object = None
        self._slots: dict[str, int] = {}
        self._lines: dict[tuple[str, str], int] = {}
        self._form = _FORMS[0]
        self._made: dict[tuple[bool, bool], Layout] = {}  # the same diagram in every form
        self._zoom: float | None = None  # None: the picture fits the pane
        self._centre = QPointF()
        self._grabbed: QPointF | None = None
        self._stale = False
        self._moves = QVariantAnimation(self)
        self._moves.setStartValue(0.0)
        self._moves.setEndValue(1.0)
        self._moves.valueChanged.connect(lambda _value: self.update())
        self.setObjectName("diagramPane")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(160, 120)
        document.read.connect(self._read)
        document.ran.connect(self._ran)
        self.set_theme(theme)
        self._ran()

    def sizeHint(self) -> QSize:
        return QSize(330, 330)

    # ------------------------------------------------------------------ display

    def set_theme(self, theme: Theme) -> None:
        self.painter = DiagramPainter(theme)
        self._moves.setDuration(0 if theme.still else 320)
        self._drawn = None
        self._read()

    def mark_states(self, counts: Mapping[str, int]) -> None:
        """Highlight the state of the selected process, or show how many processes are in each state."""
        self._mark(counts=dict(counts))

    def highlight(self, cell: tuple[str, str] | None) -> None:
        """Highlight the arrow of a cell and the line of its label; event "" means the state itself."""
        self._mark(hot=cell)

    def _mark(self, **what: object) -> None:
        now = DiagramMarks(**{**self.marks.__dict__, **what})
        if now != self.marks:
            self.marks = now
            self.update()

    def _ran(self) -> None:
        failure = self.document.failure
        self._mark(failing=None if failure is None else failure.cell)

    def _read(self) -> None:
        """Draw the current text; while Python cannot read it, keep the picture."""
        outline = self.document.outline
        self._stale = outline.problem is not None
        if self._stale and self.layout_now.states:
            self.update()
            return
        states, arrows = self.arrows()
        labels = tuple(e.name for e in (*outline.messages, *outline.timers, *outline.commands))
        looks = looks_for(self.document.path.stem if self.document.path else "", outline.state_names, labels)
        self._slots = {state.name: looks.slot(state.name) for state in states}
        self._lines = {key: cell.line for key, cell in outline.cells.items()}
        self._lines.update({(state.name, ""): state.line for state in outline.states})
        if (states, arrows) != self._drawn:
            self._drawn = (states, arrows)
            self._made.clear()
            self._lay_out()
        self._describe()
        self.update()

    def arrows(self) -> tuple[tuple[DiagramState, ...], tuple[Arrow, ...]]:
        """The states and arrows to draw."""
        return arrows_of(self.document.draft)

    def _lay_out(self) -> None:
        assert isinstance(self._drawn, tuple)
        states, arrows = self._drawn
        old, before = self.layout_now, self.layout_now.places()
        sizes, now = self.painter.sizes(), self._form
        forms = [now, *(form for form in _FORMS if form != now)]
        for form in forms:
            if form not in self._made:
                across, tight = form
                kept = before if across == now[0] else {}
                self._made[form] = lay_out(states, arrows, sizes, across=across, tight=tight, before=kept)
        made = [self._made[form] for form in forms]
        fits = [self._fitting(layout) for layout in made]
        best = max(range(len(made)), key=lambda at: (fits[at], -at))
        best = best if fits[best] > fits[0] * (TURN if old.states else 1.0) else 0
        self._form, new = forms[best], made[best]
        if new == old:
            return
        self._moves.stop()
        self._from = old if old.states and not self.theme.still and self.isVisible() else None
        self.layout_now = new
        if self._from is not None:
            self._moves.start()

    def _fitting(self, layout: Layout) -> float:
        if not layout.width or not layout.height:
            return 1.0
        return min(1.0, self.width() / layout.width, self.height() / layout.height)

    def _describe(self) -> None:
        states, arrows = self.layout_now.states, self.layout_now.arrows
        said = [tr("State diagram"), plural(len(states), "state"), plural(len(arrows), "arrow")]
        said += [tr("initial state {state}", state=state.name) for state in states if state.start]
        self.setAccessibleName(", ".join(said))
        self.setAccessibleDescription(
            "; ".join(
                tr(
                    "{state} to {next}: {events}",
                    state=a.source,
                    next=a.target,
                    events=", ".join(line.text for line in a.lines),
                )
                for a in arrows
            )
        )

    # ------------------------------------------------------------------ zoom

    @property
    def scale(self) -> float:
        """The scale of the picture."""
        return self._fitting(self.layout_now) if self._zoom is None else self._zoom

    def fit(self) -> None:
        """Fit the whole picture into the pane, but not larger than its usual size."""
        self._zoom = None
        self._lay_out()
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out around a point of the pane."""
        at = at if at is not None else QPointF(self.width() / 2, self.height() / 2)
        fixed = self._transform().inverted()[0].map(at)
        self._zoom = min(max(self.scale * factor, LEAST), MOST)
        self._centre = fixed - (at - QPointF(self.width() / 2, self.height() / 2)) / self._zoom
        self.update()

    def _transform(self) -> QTransform:
        """Return the transformation from the picture to the pane."""
        middle = QPointF(self.layout_now.width / 2, self.layout_now.height / 2) if self._zoom is None else self._centre
        transform = QTransform()
        transform.translate(self.width() / 2, self.height() / 2)
        transform.scale(self.scale, self.scale)
        transform.translate(-middle.x(), -middle.y())
        return transform

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._drawn is not None and self._zoom is None:
            moves, self._from = self._from, None
            self._lay_out()
            self._from = self._from if self._moves.state() == QVariantAnimation.State.Running else moves

    def paintEvent(self, _event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.fillRect(self.rect(), self.theme.color("surface.panel"))
            if not self.layout_now.states:
                p.setFont(self.theme.font("body"))
                p.setPen(self.theme.color("text.hint"))
                words = tr("States and the transitions between them appear here as soon as the table has them.")
                p.drawText(self.rect().adjusted(20, 20, -20, -20), _WRAPPED, words)
                return
            p.save()
            p.setOpacity(0.5 if self._stale else 1.0)
            p.setTransform(self._transform(), True)
            layout = self.layout_now
            share = 1.0
            if self._from is not None and self._moves.state() == QVariantAnimation.State.Running:
                share = float(self._moves.currentValue())
                layout = between(self._from, layout, share * share * (3 - 2 * share))
            self.painter.paint(p, layout, self._slots, self.marks)
            p.restore()
            if self.hasFocus():
                p.setPen(QPen(self.theme.color("accent.ring"), 2))
                p.drawRect(self.rect().adjusted(1, 1, -1, -1))
        finally:
            p.end()

    # ------------------------------------------------------------------ the pointer

    def cell_at(self, at: QPointF) -> tuple[str, str] | None:
        """Return the (state, event) at a point of the pane, with event "" on a state."""
        found = self._found(at)
        if found is None:
            return None
        return (found.name, "") if isinstance(found, PlacedState) else (found.state, found.events[0])

    def _found(self, at: QPointF) -> PlacedState | LabelLine | None:
        if not self.layout_now.states:
            return None
        return self.painter.found(self.layout_now, self._transform().inverted()[0].map(at), NEAR / self.scale)

    def _hover(self, cell: tuple[str, str] | None) -> None:
        if cell != self.marks.hot:
            self._mark(hot=cell)
            self.cell_hovered.emit(cell)
            self.line_hovered.emit(self._lines.get(cell, 0) if cell is not None else 0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if not event.buttons():
            self._grabbed = None  # the release may have gone to a menu or to another window
        if self._grabbed is not None:
            if self._zoom is None:
                self.zoom(1.0)
            self._centre -= (at - self._grabbed) / self.scale
            self._grabbed = at
            self.update()
            return
        cell = self.cell_at(at)
        self.setCursor(Qt.CursorShape.PointingHandCursor if cell is not None else Qt.CursorShape.ArrowCursor)
        self._hover(cell)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and cell is None
        ):
            self._grabbed = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self._mark(focus=cell)
            self.cell_picked.emit(*cell)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell is None:
            self.fit()
        else:
            self._jump(cell)

    def _jump(self, cell: tuple[str, str]) -> None:
        line = self._lines.get(cell, 0)
        if line:
            self.jump_wanted.emit(line)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned:
            self.zoom(1.2 ** (turned / 120), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def _tip(self, at: QPointF) -> str:
        found = self._found(at)
        if found is None:
            return ""
        if isinstance(found, PlacedState):
            if found.start:
                return tr("{state}: the initial state", state=found.name)
            return found.name if found.reachable else tr("{state}: no action leads here yet", state=found.name)
        event = found.events[0]
        mine = [a for a in self.layout_now.arrows if a.source == found.state]
        lines = next((a.lines for a in mine if any(event in line.events for line in a.lines)), (found,))
        return "\n".join(line.text for line in lines)

    # ------------------------------------------------------------------ keys and menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between transitions with the arrow keys, go to a line with Enter, and zoom with +, - and 0."""
        key = event.key()
        places = list(dict.fromkeys((line.state, line.events[0]) for a in self.layout_now.arrows for line in a.lines))
        if key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up) and places:
            step = 1 if key in (Qt.Key.Key_Right, Qt.Key.Key_Down) else -1
            at = places.index(self.marks.focus) + step if self.marks.focus in places else 0 if step > 0 else -1
            focus = places[at % len(places)]
            self._mark(focus=focus)
            self.cell_picked.emit(*focus)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marks.focus is not None:
            self._jump(self.marks.focus)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25)
        elif key == Qt.Key.Key_Minus:
            self.zoom(0.8)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_Escape and self.marks.focus is not None:
            self._mark(focus=None)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        cell = self.cell_at(QPointF(event.pos()))
        if cell is not None and self._lines.get(cell):
            menu.addAction(tr("Go to line {line}", line=self._lines[cell]), lambda: self._jump(cell))
            menu.addSeparator()
        menu.addAction(trc("the whole picture into the pane", "Fit"), self.fit)
        menu.addAction(tr("Save picture…"), self.ask_for_file)
        menu.exec(event.globalPos())
        menu.deleteLater()

    # ------------------------------------------------------------------ saving

    def ask_for_file(self) -> None:
        """Ask for a file and save the picture to it."""
        path = self.document.path
        start = str(path.with_name(f"{path.stem}-states.svg")) if path is not None else "states.svg"
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Save the state diagram"), start, tr("Pictures (*.svg *.png *.pdf)")
        )
        if name:
            try:
                self.save_picture(Path(name))
                self.document.say(tr("Saved the state diagram as {file}", file=Path(name).name))
            except BadInput as error:
                self.document.say(str(error), True)

    def save_picture(self, path: Path) -> None:
        """Write the diagram as SVG, PNG or PDF, depending on the suffix of the file, without highlights.

        Raises:
            BadInput: the suffix is unknown, there is nothing to draw, or the file cannot be written.
        """
        name = self.document.outline.name
        title = tr("States of {protocol}", protocol=name) if name else tr("States of a protocol")
        save_diagram(path, self.painter, self.layout_now, self._slots, title)


_WRAPPED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
