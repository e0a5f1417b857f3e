"""The Generate pane: pictures of the kinds of network, the parameters of one kind, and a preview in the drawing."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSizePolicy, QSlider, QWidget

from lydian.app.kit.fields import Field, heading, hint
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import NOTHING, Board, Chosen
from lydian.app.network.busy import Busy
from lydian.app.network.pictures import PictureGrid
from lydian.app.work.background import Background, Report
from lydian.language import tr, trc, trn
from lydian.model.editing.parts import beside
from lydian.model.errors import BadInput, LydianError, shown
from lydian.model.generators import KINDS, Argument, generate
from lydian.model.network import RATES, Network
from lydian.views.words.phrases import lowered
from lydian.views.words.words import plural

__all__ = ["GeneratePane", "ParameterField"]

#: Networks of up to this size are generated at once, larger ones in a thread.
QUICK_PROCESSES, QUICK_LINKS = 60, 600
#: How many milliseconds after the last change a large preview is begun.
PAUSE = 150


class ParameterField(QWidget):
    """A field for one parameter of a kind, with a slider over its usual range; Up and Down change it by one step."""

    changed = Signal()

    def __init__(self, argument: Argument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.argument = argument
        self.whole = isinstance(argument.default, int)
        self.step = argument.step
        label = argument.label
        self.field = Field(label, self._parse, lambda value: f"{value:.10g}")
        help_ = f"{argument.about}: {tr('from {least:g} to {most:,g}', least=argument.least, most=argument.most)}"
        self.field.name(label, "", help_)
        self.field.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.slider = set_up(QSlider(Qt.Orientation.Horizontal), name=label, tip=help_)
        self.slider.setMinimumWidth(30)
        usual = max(4 * argument.default, 8) if self.whole else min(argument.most, 1.0)
        self._high = min(argument.most, usual)
        self.slider.setRange(round(argument.least / self.step), round(self._high / self.step))
        self.slider.setPageStep(max(1, round((self._high - argument.least) / self.step / 10)))
        down(self.field, self.slider, on=self, spacing=2)
        self.field.entered.connect(self._entered)
        self.slider.valueChanged.connect(self._slid)
        self.field.line.installEventFilter(self)
        self.say(argument.default)

    @property
    def value(self) -> float | None:
        """The value, or ``None`` while the text in the field is not allowed."""
        return None if self.field.bad else self.field.value

    def say(self, value: float) -> None:
        """Show a value without emitting a signal."""
        self.field.say(value, fresh=True)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value / self.step))

    def _parse(self, text: str) -> float:
        least, most = self.argument.least, self.argument.most
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            wrong = (
                tr("a whole number from {least:g} to {most:,g}, not {text}", least=least, most=most, text=shown(text))
                if self.whole
                else tr("a number from {least:g} to {most:,g}, not {text}", least=least, most=most, text=shown(text))
            )
            raise BadInput(wrong) from None
        if not (math.isfinite(value) and least <= value <= most):
            wrong = (
                tr("a whole number from {least:g} to {most:,g}", least=least, most=most)
                if self.whole
                else tr("a number from {least:g} to {most:,g}", least=least, most=most)
            )
            raise BadInput(wrong)
        return value

    def _entered(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value / self.step))
        self.changed.emit()

    def _slid(self, place: int) -> None:
        self._set(place * self.step)

    def _set(self, value: float) -> None:
        value = min(max(value, self.argument.least), self.argument.most)
        self.say(int(value) if self.whole else round(value, 6))
        self.changed.emit()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.value is not None:
            ways = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
            way = ways.get(Qt.Key(event.key()), 0)
            if way:
                self._set(self.value + way * self.step)
                return True
        return False


class GeneratePane(QWidget):
    """The pane that generates networks; while the parameters change, the network is the ghost of the board."""

    #: Emitted when a generated network has been added to the board, so that the view can fit it.
    fit_wanted = Signal()

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self.kind = ""
        self.ready: Network | None = None  # the network for the current parameters
        self._mine: Network | None = None  # the ghost that this pane shows
        self._then: Callable[[], None] | None = None
        self.fields: dict[str, ParameterField] = {}
        self.pictures = PictureGrid(theme)
        self.work = Background(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._build()
        self._timer.timeout.connect(self._begin)
        self.pictures.chosen.connect(self.choose)
        self.pictures.twice.connect(lambda _kind: self.replace())
        self.work.done.connect(self._made)
        self.work.failed.connect(self._say_problem)
        self.work.ended.connect(self.busy.end)
        self.busy.stopped.connect(self.stop)
        board.ghost_changed.connect(self._ghost_changed)
        board.changed.connect(self._fill)
        self._fill()

    def _build(self) -> None:
        self.title = heading(trc("heading of a panel", "Generate"))
        self.row = QGridLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setHorizontalSpacing(5)
        self.seed = Field(tr("Seed"), self._parse_seed)
        self.seed.name(tr("Seed"), "", tr("A whole number; the same seed gives the same network"))
        self.another = QPushButton(trc("another random network", "Another"))
        self.another.setObjectName("compact")
        set_look(self.another, self.theme, icon="dice")
        self.another.setToolTip(tr("Generate another network of this kind, from the next seed"))
        self.seed.say(0)
        self.seeds = QWidget()
        across((self.seed, 1), (self.another, 1, Qt.AlignmentFlag.AlignBottom), on=self.seeds, spacing=6)
        self.about, self.problem = hint(), QLabel()
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.busy = Busy()
        self.replace_button, self.beside_button = QPushButton(tr("Replace")), QPushButton(tr("Add beside"))
        uses = FlowRow(gap=6)
        for button in (self.replace_button, self.beside_button):
            button.setObjectName("compact")
            uses.addWidget(button)
        down(
            self.title, self.pictures, self.row, self.seeds, self.about, self.problem, self.busy, uses,
            on=self, spacing=6,
        )  # fmt: skip
        self.seed.entered.connect(lambda _value: self.preview())
        self.another.clicked.connect(self._another)
        self.replace_button.clicked.connect(self.replace)
        self.beside_button.clicked.connect(self.add_beside)
        self.beside_button.installEventFilter(self)

    # ------------------------------------------------------------------ kind and parameters

    def choose(self, kind: str) -> None:
        """Choose a kind, with its usual parameters, and show a preview."""
        if kind != self.kind:
            self.kind = kind
            for field in self.fields.values():
                self.row.removeWidget(field)
                field.deleteLater()
            self.fields = {}
            for number, argument in enumerate(KINDS[kind].parameters):
                field = self.fields[argument.name] = ParameterField(argument)
                field.changed.connect(self.preview)
                self.row.addWidget(field, 0, number)
        self.pictures.say(kind)
        self._fill()
        self.preview()

    def preview(self) -> None:
        """Show a preview for the parameters, at once or after a pause."""
        self._forget()
        if not self.kind:
            return
        values = [field.value for field in self.fields.values()]
        if any(value is None for value in values) or self.seed.bad:
            self._say_problem("")
            return
        n, m = KINDS[self.kind].size(*values)
        if n <= QUICK_PROCESSES and m <= QUICK_LINKS:
            try:
                self._made(self._maker()(None))
            except LydianError as error:
                self._say_problem(str(error))
        else:
            text = trn("Generating about {count:,} process…", "Generating about {count:,} processes…", round(n))
            self.busy.begin(text, share=False)
            self._timer.start()
            self._fill()

    def _maker(self) -> Callable[[Report | None], Network]:
        """Return a function that generates the network from the current values."""
        kind, seed = self.kind, int(self.seed.value) if KINDS[self.kind].random else 0
        values = {name: field.value for name, field in self.fields.items()}
        return lambda _report: generate(kind, seed=seed, **values)  # type: ignore[arg-type]  # none is missing

    def _begin(self) -> None:
        if self.kind:
            self.work.start(self._maker())

    def _made(self, network: Network) -> None:
        self.ready = network
        self.problem.hide()
        self._show(network)
        self._fill()
        then, self._then = self._then, None
        if then is not None:
            then()

    def _say_problem(self, sentence: str) -> None:
        self._then = None
        self.busy.end()
        if sentence.startswith("gnm "):
            sentence = f"a random network {sentence[4:]}"
        self.problem.setText(f"{sentence[:1].upper()}{sentence[1:]}.".replace("..", ".") if sentence else "")
        self.problem.setVisible(bool(sentence))
        self._fill()

    def _forget(self) -> None:
        self._timer.stop()
        self.work.cancel()
        self.busy.end()
        self.ready, self._then = None, None
        self.problem.hide()

    def _another(self) -> None:
        self.seed.say(int(self.seed.value) + 1, fresh=True)
        self.preview()

    @staticmethod
    def _parse_seed(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise BadInput(tr("a seed must be a whole number, not {text}", text=shown(text))) from None

    # ------------------------------------------------------------------ replacing and adding

    def replace(self) -> None:
        """Replace the network on the board, but keep its default timing, its rates of faults and its classes."""
        if self.ready is None:
            self._later(self.replace)
            return
        made, board = self.ready, self.board

        def edit(old: Network) -> Network:
            kept = {name: getattr(old, name) for name in ("delay", "order", *RATES, "classes", "step", "anonymous")}
            return made.replace(**kept, name=made.name if board.document.path is None else old.name)

        self._put_down()
        board.do(tr("Generate {network}", network=self._words(made)), edit, choose=NOTHING)
        self.fit_wanted.emit()

    def add_beside(self) -> None:
        """Add the network to the right of the drawing and select the new processes."""
        if self.ready is None:
            self._later(self.add_beside)
            return
        grown, names = beside(self.board.network, self.ready)
        self._put_down()
        chosen = Chosen(processes=frozenset(names))
        self.board.do(tr("Add {network}", network=self._words(self.ready)), lambda _network: grown, choose=chosen)
        self.fit_wanted.emit()

    def _later(self, what: Callable[[], None]) -> None:
        """Act as soon as the network is generated; begin to generate it again if necessary."""
        if not self.kind:
            return
        if not (self.work.busy or self._timer.isActive()):
            self.preview()
        if self.ready is not None:
            what()
        elif self.work.busy or self._timer.isActive():
            self._then = what
            if self._timer.isActive():
                self._timer.stop()
                self._begin()

    def _words(self, network: Network) -> str:
        """Return the generated network in the words of a step: "small world of 20 processes"."""
        n = network.n
        words = {
            "ring": trn("ring of {count:,} process", "ring of {count:,} processes", n),
            "line": trn("line of {count:,} process", "line of {count:,} processes", n),
            "star": trn("star of {count:,} process", "star of {count:,} processes", n),
            "complete": trn("complete of {count:,} process", "complete of {count:,} processes", n),
            "tree": trn("tree of {count:,} process", "tree of {count:,} processes", n),
            "grid": trn("grid of {count:,} process", "grid of {count:,} processes", n),
            "torus": trn("torus of {count:,} process", "torus of {count:,} processes", n),
            "hypercube": trn("hypercube of {count:,} process", "hypercube of {count:,} processes", n),
            "randomtree": trn("any tree of {count:,} process", "any tree of {count:,} processes", n),
            "gnm": trn("random of {count:,} process", "random of {count:,} processes", n),
            "gnp": trn("by chance of {count:,} process", "by chance of {count:,} processes", n),
            "geometric": trn("geometric of {count:,} process", "geometric of {count:,} processes", n),
            "smallworld": trn("small world of {count:,} process", "small world of {count:,} processes", n),
            "scalefree": trn("scale-free of {count:,} process", "scale-free of {count:,} processes", n),
            "onewayring": trn("one way of {count:,} process", "one way of {count:,} processes", n),
            "isolated": trn("no links of {count:,} process", "no links of {count:,} processes", n),
        }.get(self.kind)
        if words is None:
            title = lowered(KINDS[self.kind].title)
            words = trn("{kind} of {count:,} process", "{kind} of {count:,} processes", n, kind=title)
        return words

    def stop(self) -> None:
        """Stop generating the network."""
        self._forget()
        self._say_problem(tr("Stopped: change a parameter to generate again"))

    def put_away(self) -> None:
        """Remove the ghost and choose no kind."""
        self._forget()
        self.kind = ""
        self.pictures.say("")
        self._put_down()
        self._fill()

    # ------------------------------------------------------------------ the ghost

    def _show(self, network: Network) -> None:
        self._mine = network
        self.board.show_ghost(network)

    def _put_down(self) -> None:
        mine, self._mine = self._mine, None
        if mine is not None and self.board.ghost is mine:
            self.board.show_ghost(None)

    def _ghost_changed(self) -> None:
        if self._mine is not None and self.board.ghost is not self._mine:
            self._mine = None
            if self.board.ghost is None and self.kind:  # Esc in the drawing removed the ghost
                self.put_away()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Show the ghost beside the drawing while the pointer or the focus is on "Add beside"."""
        if watched is self.beside_button and self.ready is not None and self._mine is not None:
            if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn) and self.board.network.n:
                grown, names = beside(self.board.network, self.ready)
                new = [grown.positions[name] for name in names]
                self._show(self.ready.moved(dict(zip(self.ready.processes, new, strict=True))))
            elif event.type() in (QEvent.Type.Leave, QEvent.Type.FocusOut):
                self._show(self.ready)
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.kind and not event.spontaneous():
            self.put_away()

    # ------------------------------------------------------------------ looks

    def _fill(self) -> None:
        on = bool(self.kind)
        self.seeds.setVisible(on and KINDS[self.kind].random)
        ready, pending = self.ready, self.work.busy or self._timer.isActive()
        if not on:
            self.about.setText(tr("Choose a picture for a preview in the drawing."))
        elif ready is not None:
            self.about.setText(
                tr(
                    "{processes}, {links}; initiator: process 0",
                    processes=plural(ready.n, "process"),
                    links=plural(ready.m, "link"),
                )
            )
        self.about.setVisible(not on or ready is not None)
        usable = on and (ready is not None or pending)
        self.replace_button.setEnabled(usable)
        self.beside_button.setEnabled(usable and self.board.network.n > 0)
        words = tr("Replace the drawing with this network") if on else tr("Choose a kind of network first")
        self.replace_button.setToolTip(words)
        self.beside_button.setToolTip(tr("Add this network to the right of the drawing") if on else words)

    def close_all(self) -> None:
        """End every thread and timer."""
        self._timer.stop()
        self.work.close()
