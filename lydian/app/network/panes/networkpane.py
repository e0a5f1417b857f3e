"""The properties of the whole network: its name, initiators, delay, loss, order and steps, and the classes of links."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from lydian.app.kit.fields import VARIOUS, Field, Segment, calm, common, heading, hint, label, rule
from lydian.app.kit.layout import across, down
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.delays.classes import ClassesPane
from lydian.app.network.delays.distribution import LawEditor
from lydian.app.network.edits import both_ways, one_way, plain
from lydian.app.network.panes.linkpane import FURTHER, ORDERS, loss_in, loss_text
from lydian.app.network.panes.processpane import FIRST_STEP
from lydian.language import tr, trc, trn
from lydian.model.delays import Distribution
from lydian.model.editing.links import set_network
from lydian.model.editing.processes import set_initiators
from lydian.model.errors import BadInput
from lydian.model.network import Network
from lydian.model.streams import stream_key
from lydian.views.words.words import plural

__all__ = ["NetworkPane"]

GROUP = "network"
#: The largest number of initiators that are listed by name.
MOST_NAMED = 8


class NetworkPane(QWidget):
    """The form for the properties of the network as a whole."""

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self._drawn = 0
        self.name = Field(tr("Name"), _named, str)
        self.about = Field(tr("Description in one sentence"), str.strip, str)
        self.counted = hint()
        self.law = LawEditor(theme, "delay")
        self.loss = Field(tr("Messages lost"), loss_in, loss_text, "%")
        self.further = {rate: Field(words, loss_in, loss_text, "%") for rate, words in FURTHER.items()}
        self.order = QComboBox()
        calm(self.order)
        self.order.setAccessibleName(tr("Order of messages"))
        for key, words in ORDERS.items():
            self.order.addItem(f"{words[:1].upper()}{words[1:]}", key)
        starters = (
            ("none", trc("initiators", "None")), ("one", trc("initiators", "One")), ("all", trc("initiators", "All")),
            ("random", trc("initiators", "Random"), tr("Choose one initiator at random; click again for another")),
        )  # fmt: skip
        self.starters = Segment(tr("Initiators"), starters, theme)
        self.start_words = hint()
        self.way = Segment(tr("Links"), [("both", tr("All both ways")), ("one", tr("All one way"))], theme)
        self.anonymous = QCheckBox(tr("Anonymous: processes have no names"))
        self.anonymous.setToolTip(tr("A process has no name and distinguishes its neighbours by port numbers"))
        self.step = Segment(tr("Time per step"), [("none", tr("No time")), ("some", tr("Some time"))], theme)
        self.step_law: LawEditor | None = None
        self.classes = ClassesPane(board, theme)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._column = down(
            self.name, self.about, self.counted, rule(), heading(tr("Initiators")), self.starters, self.start_words,
            rule(), heading(tr("Default delay of links")), self.law,
            across((self.loss, 1), (down(label(tr("Order")), self.order, ..., spacing=3), 1), spacing=8),
            across(*((field, 1) for field in self.further.values()), spacing=8),
            rule(), heading(tr("Links")), self.way, heading(tr("Classes of links")), self.classes,
            rule(), heading(tr("Processes")), self.anonymous, label(tr("Time per step")), self.step,
            on=self, spacing=8,
        )  # fmt: skip

    def _connect(self) -> None:
        self.name.entered.connect(
            lambda name: self._typed(tr("Rename the network to {network}", network=name), "name", name=name)
        )
        self.about.entered.connect(lambda about: self._typed(tr("Describe the network"), "about", about=about))
        self.loss.entered.connect(
            lambda loss: self._typed(tr("Loss {share:g} %", share=plain(loss)), "loss", loss=loss)
        )
        self.law.changed.connect(lambda law: self._typed(tr("Delay {delay}", delay=law.short), "delay", delay=law))
        for rate, field in self.further.items():
            field.entered.connect(partial(self._rate, rate))
            self.board.join(f"{GROUP} {rate}", field)
        for source, what in ((self.name, "name"), (self.about, "about"), (self.loss, "loss"), (self.law, "delay")):
            self.board.join(f"{GROUP} {what}", source)
        self.order.activated.connect(self._order)
        self.starters.chosen.connect(self._starts)
        self.way.chosen.connect(self._way)
        self.anonymous.clicked.connect(self._anonymous)
        self.step.chosen.connect(self._step)

    def _rate(self, rate: str, share: float) -> None:
        given: dict[str, Any] = {rate: share}
        text = {"duplication": tr("Duplication {share:g} %"), "corruption": tr("Corruption {share:g} %")}[rate]
        self._typed(text.format(share=plain(share)), rate, **given)

    # ------------------------------------------------------------------ display

    def show_network(self, network: Network, *, fresh: bool = False) -> None:
        """Show a network; ``fresh`` is whether it is a different one from before."""
        self.name.say(network.name, fresh=fresh)
        self.about.say(network.about, fresh=fresh)
        self.counted.setText(f"{plural(network.n, 'process')}, {plural(network.m, 'link')}.")
        self.law.show_law(network.delay, fresh=fresh)
        self.loss.say(network.loss, fresh=fresh)
        for rate, field in self.further.items():
            field.say(getattr(network, rate), fresh=fresh)
        self.order.setCurrentIndex(self.order.findData(network.order))
        self._show_starters(network)
        way = common(link.directed for link in network.links)
        self.way.say(None if way is VARIOUS or way is None else "one" if way else "both")
        for button in self.way.buttons.values():
            button.setEnabled(network.m > 0)
        self.anonymous.setChecked(network.anonymous)
        self.classes.show_network(network)
        self._show_step(network, fresh)

    def _show_starters(self, network: Network) -> None:
        number = len(network.initiators)
        key = "none" if not number else "one" if number == 1 else "all" if number == network.n else None
        self.starters.say(key if network.n else "none")
        for name, button in self.starters.buttons.items():
            button.setEnabled(network.n > 0 or name == "none")
        if not number:
            self.start_words.setText(tr("There is no initiator.") if network.n else tr("There are no processes yet."))
        elif number == network.n and number > 1:
            self.start_words.setText(
                trn("All {count:,} process is an initiator.", "All {count:,} processes are initiators.", number)
            )
        elif number > MOST_NAMED:
            self.start_words.setText(
                trn(
                    "{count:,} initiator: {processes} and {more:,} more.",
                    "{count:,} initiators: {processes} and {more:,} more.",
                    number,
                    processes=", ".join(network.initiators[:MOST_NAMED]),
                    more=number - MOST_NAMED,
                )
            )
        else:
            named = ", ".join(network.initiators)
            self.start_words.setText(
                trn("{count:,} initiator: {processes}.", "{count:,} initiators: {processes}.", number, processes=named)
            )

    def _show_step(self, network: Network, fresh: bool) -> None:
        self.step.say("none" if network.step is None else "some")
        if network.step is None:
            if self.step_law is not None:
                self.step_law.hide()
            return
        if self.step_law is None:
            self.step_law = LawEditor(self.theme, "time for a step")
            self.step_law.changed.connect(
                lambda law: self._typed(tr("Time per step {time}", time=law.short), "step", step=law)
            )
            self.board.join(f"{GROUP} step", self.step_law)
            self._column.addWidget(self.step_law)
        self.step_law.show()
        self.step_law.show_law(network.step, fresh=fresh)

    # ------------------------------------------------------------------ edits

    def _typed(self, text: str, group: str, **changes: Any) -> None:
        self.board.do(text, lambda network: set_network(network, **changes), group=f"{GROUP} {group}")

    def _once(self, text: str, edit: Callable[[Network], Network]) -> None:
        self.board.once(text, edit)
        self.show_network(self.board.network)

    def _order(self, index: int) -> None:
        order = self.order.itemData(index)
        text = tr("Messages first in, first out") if order == "fifo" else tr("Messages in any order")
        self._once(text, lambda network: set_network(network, order=order))

    def _starts(self, who: str) -> None:
        network = self.board.network
        if who == "none":
            self._once(tr("Remove all initiators"), lambda network: set_initiators(network, ()))
        elif who == "all":
            self._once(
                tr("Make every process an initiator"), lambda network: set_initiators(network, network.processes)
            )
        else:
            if who == "one":
                chosen = self.board.chosen_processes()
                name = (*chosen, *network.initiators, *network.processes)[0]
            else:
                others = [name for name in network.processes if (name,) != network.initiators] or list(
                    network.processes
                )
                name = others[stream_key(self._drawn, "initiator") % len(others)]
                self._drawn += 1
            self._once(
                tr("Make process {process} the only initiator", process=name),
                lambda network: set_initiators(network, (name,)),
            )

    def _way(self, way: str) -> None:
        if way == "both":
            self._once(tr("Make all links two-way"), both_ways)
        else:
            self._once(tr("Make all links one-way"), one_way)

    def _anonymous(self, on: bool) -> None:
        text = tr("Processes without names") if on else tr("Processes with names")
        self._once(text, lambda network: set_network(network, anonymous=on))

    def _step(self, step: str) -> None:
        law: Distribution | None = None if step == "none" else FIRST_STEP
        if (law is None) == (self.board.network.step is None):
            return
        text = tr("Steps take no time") if law is None else tr("Steps take time")
        self._once(text, lambda network: set_network(network, step=law))


def _named(text: str) -> str:
    if not text.strip():
        raise BadInput(tr("the name of a network must not be empty"))
    return text.strip()
