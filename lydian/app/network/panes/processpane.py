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
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.delays.distribution import LawEditor
from lydian.app.network.edits import plain, who_processes
from lydian.model.delays import Constant, Distribution
from lydian.model.editing.processes import move, rename, set_initiators, set_process
from lydian.model.errors import BadInput
from lydian.model.network.links import DRIFTS
from lydian.views.network.delays import number_in
from lydian.views.words.words import plural

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
        self.name = Field("Name", self._new_name, str, live=False)
        self.starts = QCheckBox("Initiator: starts by itself")
        self.at_x, self.at_y = Field("x", _place, lambda v: f"{v:g}"), Field("y", _place, lambda v: f"{v:g}")
        for field, word in ((self.at_x, "Position x, to the right"), (self.at_y, "Position y, downwards")):
            field.line.setAccessibleName(word)
        self.source = Segment("Time for a step from", [("network", "Network"), ("own", "This process")], theme)
        self.step_words = hint()
        self.law = LawEditor(theme, "time for a step")
        self.drift = Field("Clock runs faster by", _drift, lambda value: f"{plain(value - 1):g}", "%")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(-SLIDER, SLIDER)
        self.slider.setPageStep(5)
        calm(self.slider)
        self.slider.setAccessibleName("How much faster the clock runs, in per cent")
        self.drift_words = hint()
        self.around = set_up(QLabel(), name="Neighbours", wraps=True)
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
            across((self.name, 2), (self.at_x, 1), (self.at_y, 1), spacing=8), self.starts,
            rule(), heading("Time for a step"), self.source, self.step_words, self.law, rule(), heading("Clock"),
            across((self.drift, 1), (self.slider, 2, Qt.AlignmentFlag.AlignBottom), spacing=10), self.drift_words,
            rule(), heading("Neighbours"), self.around, on=self, spacing=8,
        )  # fmt: skip

    def _connect(self) -> None:
        board = self.board
        self.name.entered.connect(self._rename)
        self.at_x.entered.connect(lambda value: self._move(x=value))
        self.at_y.entered.connect(lambda value: self._move(y=value))
        self.starts.clicked.connect(self._start)
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
        self.title.setText(f"Process {names[0]}" if one else self._who)
        self.name.setVisible(one)
        self.name.say(names[0] if one else VARIOUS, fresh=fresh)
        self.show_places(fresh=fresh)
        starting = set(network.initiators)
        number = sum(name in starting for name in names)
        self.starts.setTristate(0 < number < len(names))
        state = Qt.CheckState.Checked if number == len(names) else Qt.CheckState.PartiallyChecked
        self.starts.setCheckState(state if number else Qt.CheckState.Unchecked)
        self.starts.setText("Initiator: starts by itself" if one else "Initiators: start by themselves")
        own = common(network.steps.get(name) for name in names)
        has_own = any(name in network.steps for name in names)
        mixed = own is VARIOUS
        self.source.word("own", "This process" if one else "These processes")
        self.source.say(
            None if mixed and not all(n in network.steps for n in names) else "own" if has_own else "network"
        )
        shared = network.step
        self.step_words.setText(
            "Steps take no time in this network." if shared is None else f"As in the network: {shared.short}."
        )
        self.step_words.setVisible(not has_own)
        self.law.setVisible(has_own)
        if has_own:
            empty = "These processes take various times.\nA time chosen here applies to all of them."
            law = None if mixed else own
            self.law.show_law(law, shared, "network", own=True, fresh=fresh, empty=empty)
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
        self.drift_words.setText("Their clocks run at various speeds." if drift is VARIOUS else drift_words(drift))

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
        more = f" and {rest:,} more" if rest > 0 else ""
        nobody = "None yet: drag from its rim to another process." if len(names) == 1 else "No other processes."
        self.around.setText(", ".join(links) + more if links else nobody)

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
        if not self.board.do(f"Rename {old} to {name}", lambda network: rename(network, old, name)):
            self.board.chosen = chosen
        self.board.document.settle()

    def _move(self, x: float | None = None, y: float | None = None) -> None:
        network, names = self.board.network, self.names
        places = {}
        for name in names:
            here = network.coordinates[network.index[name]].tolist()
            places[name] = (here[0] if x is None else x, here[1] if y is None else y)
        self.board.do(f"Move {self._who}", lambda network: move(network, places), group=f"{GROUP} place")

    def _start(self) -> None:
        network, names = self.board.network, set(self.names)
        on = not names.issubset(network.initiators)
        after = set(network.initiators) | names if on else set(network.initiators) - names
        role = "an initiator" if len(names) == 1 else "initiators"
        text = f"Make {self._who} {role}" if on else f"Remove {self._who} as {role}"
        self.board.once(text, lambda network: set_initiators(network, after))
        self.show_processes(self.names)

    def _source(self, source: str) -> None:
        names = self.names
        if source == "network":
            self.board.once(f"Step of {self._who} as in the network", lambda net: set_process(net, names, step=None))
        else:
            law = self.board.network.step or FIRST_STEP
            self.board.once(
                f"Give {self._who} {self._its} own time for a step", lambda net: set_process(net, names, step=law)
            )
        self.show_processes(self.names)

    @property
    def _its(self) -> str:
        return "its" if len(self.names) == 1 else "their"

    def _step(self, law: Distribution) -> None:
        names = self.names
        text = f"Give {self._who} {self._its} own time for a step"
        self.board.do(text, lambda network: set_process(network, names, step=law), group=f"{GROUP} step")

    def _drifted(self, drift: float) -> None:
        names = self.names
        drift = round(drift, 9)
        clock = f"Clock of {self._who}" if len(names) == 1 else f"Clocks of {self._who}"
        part = plain(drift - 1)
        words = "right" if part == 0 else f"{abs(part):g} % {'fast' if part > 0 else 'slow'}"
        self.board.do(
            f"{clock} {words}", lambda network: set_process(network, names, drift=drift), group=f"{GROUP} drift"
        )

    # ------------------------------------------------------------------ neighbours

    def _go(self, href: str) -> None:
        self.board.hover(None)
        self.board.choose_processes([self._neighbours[int(href)]])

    def _hover(self, href: str) -> None:
        self.board.hover(self._neighbours[int(href)] if href else None)


def drift_words(drift: float) -> str:
    """Describe the rate of a clock: "It runs 5 % fast: after 100 time units it shows 105."."""
    part = plain(drift - 1)
    if part == 0:
        return "It runs at the right rate."
    way = "fast" if part > 0 else "slow"
    return f"It runs {abs(part):g} % {way}: after {plural(100, 'time unit')} it shows {100 * drift:g}."


def _place(text: str) -> float:
    value = number_in(text)
    if abs(value) > 1e6:
        raise BadInput(f"a position must be from -1,000,000 to 1,000,000, not {value:g}")
    return value


def _drift(text: str) -> float:
    value = number_in(text.replace("%", "").replace("+", ""))
    slowest, fastest = ((each - 1) * 100 for each in DRIFTS)
    if not slowest <= value <= fastest:
        raise BadInput(f"a clock must be from {-slowest:g} % slow (−{-slowest:g}) to {fastest:g} % fast, not {value:g}")
    return round(1 + value / 100, 9)
