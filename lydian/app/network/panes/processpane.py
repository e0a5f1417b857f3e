"""The properties of the selected processes: name, start, position, time for a step, clock and neighbours."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QSlider, QWidget

from lydian.app.kit.fields import VARIOUS, Field, Segment, calm, common, heading, hint, rule
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen, starts_text
from lydian.app.network.delays.distribution import LawEditor
from lydian.app.network.edits import NETWORK, plain, who_processes
from lydian.language import tr, trn
from lydian.model.delays import Constant, Distribution
from lydian.model.editing.processes import move, rename, set_initiators, set_process
from lydian.model.editing.rows import role_from, role_step
from lydian.model.errors import BadInput
from lydian.model.network.links import DRIFTS
from lydian.views.network.delays import number_in

__all__ = ["ProcessPane"]

GROUP = "process"
#: The range of the slider, in per cent slower or faster; the field accepts more.
SLIDER = 50
#: The largest number of neighbours that are listed by name.
MOST_NAMED = 40
#: The initial time for a step.
FIRST_STEP = Constant(0.5)


class ProcessPane(QWidget):
    """The form for the properties of the selected processes; a change applies to all of them, as one step."""

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self.names: tuple[str, ...] = ()
        self._neighbours: list[str] = []
        self.icon, self.title = QLabel(), QLabel()
        self.title.setObjectName("propertyTitle")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.name = Field(tr("Name"), self._new_name, str, live=False)
        self.starts = QCheckBox(tr("Initiator: starts by itself"))
        self.at_x, self.at_y = Field("x", _place, lambda v: f"{v:g}"), Field("y", _place, lambda v: f"{v:g}")
        for field, word in ((self.at_x, tr("Position x, to the right")), (self.at_y, tr("Position y, downwards"))):
            field.line.setAccessibleName(word)
        self.role = Field(tr("Role"), role_from, lambda value: value or "", live=False)
        self.role.name(
            tr("Role"), "", tr("for protocols with several classes of processes; empty: the protocol chooses")
        )
        self.source = Segment(
            tr("Time per step from"), [("network", tr("Network")), ("own", tr("This process"))], theme
        )
        self.step_words = hint()
        self.law = LawEditor(theme, "time for a step")
        self.drift = Field(tr("Clock runs faster by"), _drift, lambda value: f"{plain(value - 1):g}", "%")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(-SLIDER, SLIDER)
        self.slider.setPageStep(5)
        calm(self.slider)
        self.slider.setAccessibleName(tr("How much faster the clock runs, in per cent"))
        self.drift_words = hint()
        self.around = set_up(QLabel(), name=tr("Neighbours"), wraps=True)
        self.around.setTextFormat(Qt.TextFormat.RichText)
        self.around.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self._lay_out()
        self._connect()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        down(
            across(self.icon, self.title, ..., spacing=6),
            across((self.name, 2), (self.at_x, 1), (self.at_y, 1), spacing=8),
            across((self.starts, 3, Qt.AlignmentFlag.AlignBottom), (self.role, 2), spacing=8),
            rule(), heading(tr("Time per step")), self.source, self.step_words, self.law,
            rule(), heading(tr("Clock")),
            across((self.drift, 1), (self.slider, 2, Qt.AlignmentFlag.AlignBottom), spacing=10), self.drift_words,
            rule(), heading(tr("Neighbours")), self.around, on=self, spacing=8,
        )  # fmt: skip

    def _connect(self) -> None:
        board = self.board
        self.name.entered.connect(self._rename)
        self.at_x.entered.connect(lambda value: self._move(x=value))
        self.at_y.entered.connect(lambda value: self._move(y=value))
        self.starts.clicked.connect(self._start)
        self.role.entered.connect(self._role)
        self.source.chosen.connect(self._source)
        self.law.changed.connect(self._step)
        self.law.inherit_wanted.connect(lambda: self._source("network"))
        self.drift.entered.connect(self._drifted)
        self.slider.valueChanged.connect(lambda value: self._drifted(1 + value / 100))
        self.slider.sliderReleased.connect(lambda: board.document.settle())
        board.join(f"{GROUP} place", self.at_x, self.at_y)
        board.join(f"{GROUP} step", self.law)
        board.join(f"{GROUP} drift", self.drift)
        self.around.linkActivated.connect(self._go)
        self.around.linkHovered.connect(self._hover)

    # ------------------------------------------------------------------ display

    @property
    def _who(self) -> str:
        return who_processes(self.names)

    def show_processes(self, names: Sequence[str], *, fresh: bool = False) -> None:
        """Show the given processes; ``fresh`` is whether they differ from those shown before."""
        self.names = tuple(names)
        if not names:
            return
        network, one = self.board.network, len(names) == 1
        self.title.setText(tr("Process {process}", process=names[0]) if one else self._who)
        self.name.setVisible(one)
        self.name.say(names[0] if one else VARIOUS, fresh=fresh)
        self.show_places(fresh=fresh)
        starting = set(network.initiators)
        number = sum(name in starting for name in names)
        self.starts.setTristate(0 < number < len(names))
        state = Qt.CheckState.Checked if number == len(names) else Qt.CheckState.PartiallyChecked
        self.starts.setCheckState(state if number else Qt.CheckState.Unchecked)
        self.starts.setText(tr("Initiator: starts by itself") if one else tr("Initiators: start by themselves"))
        self.role.say(common(network.roles.get(name) for name in names), fresh=fresh)
        own = common(network.steps.get(name) for name in names)
        has_own = any(name in network.steps for name in names)
        mixed = own is VARIOUS
        self.source.word("own", tr("This process") if one else tr("These processes"))
        self.source.say(
            None if mixed and not all(n in network.steps for n in names) else "own" if has_own else "network"
        )
        shared = network.step
        self.step_words.setText(
            tr("Steps take no time in this network.")
            if shared is None
            else tr("As in the network: {time}.", time=shared.short)
        )
        self.step_words.setVisible(not has_own)
        self.law.setVisible(has_own)
        if has_own:
            empty = tr("These processes take various times.\nA time chosen here applies to all of them.")
            law = None if mixed else own
            self.law.show_law(law, shared, NETWORK, own=True, fresh=fresh, empty=empty)
        self._show_clock(fresh)
        self._show_neighbours(names)

    def show_places(self, *, fresh: bool = False) -> None:
        """Show the positions of the processes, which may have been moved in the drawing."""
        network = self.board.network
        if not self.names or any(name not in network.index for name in self.names):
            return
        rows = [network.index[name] for name in self.names]
        points = network.coordinates[rows].round(3)
        self.at_x.say(common(points[:, 0].tolist()), fresh=fresh)
        self.at_y.say(common(points[:, 1].tolist()), fresh=fresh)

    def _show_clock(self, fresh: bool) -> None:
        drift = common(self.board.network.drifts.get(name, 1.0) for name in self.names)
        self.drift.say(drift, fresh=fresh)
        with QSignalBlocker(self.slider):
            self.slider.setValue(0 if drift is VARIOUS else min(max(round((drift - 1) * 100), -SLIDER), SLIDER))
        self.drift_words.setText(tr("Their clocks run at various speeds.") if drift is VARIOUS else drift_words(drift))

    def _show_neighbours(self, names: Sequence[str]) -> None:
        network = self.board.network
        inside = set(names)
        ends = {
            link.b if link.a in inside else link.a for link in network.links if (link.a in inside) != (link.b in inside)
        }
        self._neighbours = [name for name in network.processes if name in ends]
        links = [
            f'<a href="{number}" style="color: {self.theme.color("text.link").name()}">{html.escape(name)}</a>'
            for number, name in enumerate(self._neighbours[:MOST_NAMED])
        ]
        rest = len(self._neighbours) - len(links)
        around = ", ".join(links)
        if rest > 0:
            around = tr("{processes} and {count:,} more", processes=around, count=rest)
        nobody = tr("None yet: drag from its rim to another process.") if len(names) == 1 else tr("No other processes.")
        self.around.setText(around or nobody)

    def set_theme(self, theme: Theme) -> None:
        self.icon.setPixmap(state_icon(theme, 0, 16, ratio=self.devicePixelRatioF()))
        if self.names and all(name in self.board.network.index for name in self.names):
            self._show_neighbours(self.names)

    # ------------------------------------------------------------------ edits

    def _new_name(self, text: str) -> str:
        name = text.strip()
        if self.names and name != self.names[0]:
            rename(self.board.network, self.names[0], name)  # raises an error if the name is not allowed
        return name

    def _rename(self, name: str) -> None:
        old = self.names[0]
        self.board.document.settle()
        chosen = self.board.chosen
        links = frozenset((name if a == old else a, name if b == old else b) for a, b in chosen.links)
        self.board.chosen = Chosen(frozenset({name}), links)  # listeners to the step find the new name selected
        if not self.board.do(
            tr("Rename {process} to {name}", process=old, name=name), lambda network: rename(network, old, name)
        ):
            self.board.chosen = chosen
        self.board.document.settle()

    def _move(self, x: float | None = None, y: float | None = None) -> None:
        network, names = self.board.network, self.names
        places = {}
        for name in names:
            here = network.coordinates[network.index[name]].tolist()
            places[name] = (here[0] if x is None else x, here[1] if y is None else y)
        text = trn("Move process {process}", "Move {count:,} processes", len(names), process=names[0])
        self.board.do(text, lambda network: move(network, places), group=f"{GROUP} place")

    def _start(self) -> None:
        network, names = self.board.network, set(self.names)
        on = not names.issubset(network.initiators)
        after = set(network.initiators) | names if on else set(network.initiators) - names
        self.board.once(starts_text(self.names, on=on), lambda network: set_initiators(network, after))
        self.show_processes(self.names)

    def _role(self, role: str | None) -> None:
        names = self.names
        self.board.once(role_step(names, role), lambda network: set_process(network, names, role=role))

    def _source(self, source: str) -> None:
        names = self.names
        if source == "network":
            text = trn(
                "Step of process {process} as in the network",
                "Step of {count:,} processes as in the network",
                len(names),
                process=names[0],
            )
            self.board.once(text, lambda net: set_process(net, names, step=None))
        else:
            law = self.board.network.step or FIRST_STEP
            self.board.once(self._step_text, lambda net: set_process(net, names, step=law))
        self.show_processes(self.names)

    @property
    def _step_text(self) -> str:
        return trn(
            "Give process {process} its own time for a step",
            "Give {count:,} processes their own time for a step",
            len(self.names),
            process=self.names[0],
        )

    def _step(self, law: Distribution) -> None:
        names = self.names
        self.board.do(self._step_text, lambda network: set_process(network, names, step=law), group=f"{GROUP} step")

    def _drifted(self, drift: float) -> None:
        names = self.names
        drift = round(drift, 9)
        self.board.do(
            _drift_text(names, plain(drift - 1)),
            lambda network: set_process(network, names, drift=drift),
            group=f"{GROUP} drift",
        )

    # ------------------------------------------------------------------ neighbours

    def _go(self, href: str) -> None:
        self.board.hover(None)
        self.board.choose_processes([self._neighbours[int(href)]])

    def _hover(self, href: str) -> None:
        self.board.hover(self._neighbours[int(href)] if href else None)


def _drift_text(names: Sequence[str], percent: float) -> str:
    """Return the name of a step that sets the clocks of processes fast, or slow if ``percent`` is negative."""
    if percent == 0:
        return trn(
            "Clock of process {process} right",
            "Clocks of {count:,} processes right",
            len(names),
            process=names[0],
        )
    if percent > 0:
        return trn(
            "Clock of process {process} {percent:g} % fast",
            "Clocks of {count:,} processes {percent:g} % fast",
            len(names),
            process=names[0],
            percent=percent,
        )
    return trn(
        "Clock of process {process} {percent:g} % slow",
        "Clocks of {count:,} processes {percent:g} % slow",
        len(names),
        process=names[0],
        percent=-percent,
    )


def drift_words(drift: float) -> str:
    """Describe the rate of a clock: "It runs 5 % fast: after 100 time units it shows 105."."""
    part = plain(drift - 1)
    if part == 0:
        return tr("It runs at the right rate.")
    text = (
        tr("It runs {percent:g} % fast: after 100 time units it shows {time:g}.")
        if part > 0
        else tr("It runs {percent:g} % slow: after 100 time units it shows {time:g}.")
    )
    return text.format(percent=abs(part), time=100 * drift)


def _place(text: str) -> float:
    value = number_in(text)
    if abs(value) > 1e6:
        raise BadInput(tr("a position must be from -1,000,000 to 1,000,000, not {number:g}", number=value))
    return value


def _drift(text: str) -> float:
    value = number_in(text.replace("%", "").replace("+", ""))
    slowest, fastest = ((each - 1) * 100 for each in DRIFTS)
    if not slowest <= value <= fastest:
        raise BadInput(
            tr(
                "a clock must be between {slowest:g} % slow (−{slowest:g}) and {fastest:g} % fast, not {number:g}",
                slowest=-slowest,
                fastest=fastest,
                number=value,
            )
        )
    return round(1 + value / 100, 9)
