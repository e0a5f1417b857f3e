"""The experiment as a column of cards, with its runs; a change to any card takes effect at once."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from lydian.app.kit.follow import follow
from lydian.app.kit.layout import down
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.byitself import ByItselfPopup, commands_of
from lydian.app.panels.experiment.card import Card, Elided
from lydian.app.panels.experiment.daemon import DaemonPopup, has_rules
from lydian.app.panels.experiment.daemon import card_text as daemon_text
from lydian.app.panels.experiment.parameters import ParametersPopup
from lydian.app.panels.experiment.popups import ChoicePopup, FaultsPopup, StopPopup, fault_text
from lydian.app.panels.experiment.roles import RolesPopup
from lydian.app.panels.experiment.roles import card_text as roles_text
from lydian.app.panels.experiment.timing import TimingPopup, law_text
from lydian.app.panels.runs import RunsList
from lydian.desk.archivelist import ArchiveList
from lydian.desk.declared import card_text, declared, kept
from lydian.desk.runs.records import about_source
from lydian.desk.runs.session import Session
from lydian.language import tr, trc, trn
from lydian.model.archive.shelves import called
from lydian.model.editing.readiness import needs_of, roles_in
from lydian.model.errors import LydianError
from lydian.model.experiment.assumptions import ALL, meant
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import NO_USERS, UNDISTURBED
from lydian.model.network.links import RATES
from lydian.views.playback.byitself import card_text as by_itself_text
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment
    from lydian.model.network import Network, Timing
    from lydian.model.protocol.process import Parameter

__all__ = ["ExperimentPanel", "SeedCard"]

#: The largest seed that the field and the dice give.
LARGEST_SEED = 2**31 - 1


class SeedCard(QFrame):
    """The card of the seed: a field, and a dice for another seed."""

    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.sign = QLabel()
        self.label, self.hint = Elided(tr("Seed")), Elided(tr("same seed, same run"))
        self.label.setObjectName("cardLabel")
        self.hint.setObjectName("cardHint")
        self.field = QSpinBox()
        self.field.setRange(0, LARGEST_SEED)
        self.field.setAccessibleName(tr("Seed"))
        self.field.setKeyboardTracking(False)
        self.field.setMinimumWidth(60)
        self.dice = set_up(QToolButton(), name=tr("Another seed"), tip=tr("Another seed (Ctrl+R)"))
        self.dice.setFixedSize(30, 28)
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 6, 8, 7)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.addWidget(self.sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.label, 0, 1)
        grid.addWidget(self.field, 1, 1)
        grid.addWidget(self.dice, 1, 2)
        grid.addWidget(self.hint, 2, 1, 1, 2)
        grid.setColumnStretch(1, 1)
        self.field.valueChanged.connect(self.changed)
        self.dice.clicked.connect(lambda: self.changed.emit(other_seed(self.field.value())))
        set_look(self.sign, theme, icon="dice", ink="text.secondary")
        set_look(self.dice, theme, icon="dice", ink="accent.base")

    def say(self, seed: int | None) -> None:
        """Show a seed, or that it is unknown, without emitting a change."""
        self.field.blockSignals(True)
        self.field.setSpecialValueText(tr("Not known") if seed is None else "")
        self.field.setValue(min(seed or 0, LARGEST_SEED))
        self.field.blockSignals(False)
        self.hint.say(tr("not recorded in the trace") if seed is None else tr("same seed, same run"))


def other_seed(seed: int) -> int:
    """Choose another seed that is easy to read out."""
    return next(other for other in iter(lambda: random.randrange(1, 10_000), None) if other != seed)


class ExperimentPanel(QScrollArea):
    """The panel with the cards Protocol, Parameters and Daemon (if it has any), Network, Roles (if the protocol has
    several), Timing, Faults, Users and churn, Seed, Stops.

    Below them are the runs.
    """

    #: A sweep of this experiment is requested, of the named setting or of none yet.
    sweep_wanted = Signal(str)

    def __init__(self, session: Session, shelf: ArchiveList, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.shelf, self.theme = session, shelf, theme
        self.now = 0.0
        self.role_lists: dict[tuple[str, ...], RolesPopup] = {}
        self.setObjectName("experimentPanel")
        self.setAccessibleName(tr("Experiment"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(190)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.protocol = Card("code", tr("Protocol"), theme)
        self.parameters = Card("sliders", tr("Parameters"), theme)
        self.daemon = Card("hand", tr("Daemon"), theme)
        self.roles = Card("process", tr("Roles"), theme)
        self.network = Card("network", tr("Network"), theme)
        self.timing = Card("clock", tr("Timing"), theme)
        self.faults = Card("bolt", tr("Faults"), theme)
        self.by_itself = Card("process", tr("Users and churn"), theme)
        self.seed = SeedCard(theme)
        self.stops = Card("flag", tr("Stops"), theme)
        self.cards: tuple[Card | SeedCard, ...] = (
            self.protocol, self.parameters, self.daemon, self.network, self.roles, self.timing, self.faults,
            self.by_itself, self.seed, self.stops,
        )  # fmt: skip
        for card, *names in (
            (self.protocol, "protocol"), (self.daemon, "daemon"), (self.network, "network"), (self.timing, "delay"),
            (self.faults, "intervention"), (self.by_itself, "workload", "churn"), (self.seed, "seed"),
        ):  # fmt: skip
            explain(card, *names)
        self.runs = RunsList(session, theme)
        set_look(self, theme, min_width=stretched(190))
        heading = Elided(tr("Runs of this experiment"))
        heading.setObjectName("heading")
        inside = QWidget()
        inside.setObjectName("panel")
        self.sweep = QPushButton(tr("Sweep…"))
        self.sweep.setObjectName("offer")
        explain(self.sweep, "sweep", tip=tr("Give settings several values, and run every combination (Ctrl+Alt+S)"))
        self.sweep.setAccessibleName(tr("Sweep: run all combinations of several values"))
        self.sweep.clicked.connect(lambda: self.sweep_wanted.emit(""))
        down(
            *self.cards, (self.sweep, Qt.AlignmentFlag.AlignLeft), 8, heading, (self.runs, 1),
            on=inside, margins=9, spacing=6,
        )  # fmt: skip
        self.setWidget(inside)
        self._connect()
        self._several()
        follow(self, session.experiment_changed, self.refresh)
        self.refresh()

    def _connect(self) -> None:
        self.protocol.clicked.connect(lambda: self.protocols.open(self.protocol, self._experiment().protocol))
        self.parameters.clicked.connect(self._open_parameters)
        self.network.clicked.connect(lambda: self.networks.open(self.network, str(self._experiment().network)))
        self.timing.clicked.connect(lambda: self.timings.open(self.timing, self._experiment().timing))
        self.faults.clicked.connect(lambda: self.fault_list.open(self.faults, self._experiment().faults, self.now))
        self.by_itself.clicked.connect(self._open_by_itself)
        self.stops.clicked.connect(lambda: self.stop_list.open(self.stops, self._experiment().stop))
        self.daemon.clicked.connect(
            lambda: self.daemons.open(self.daemon, self._experiment().daemon, self._experiment().start)
        )
        self.roles.clicked.connect(self._open_roles)
        self.seed.changed.connect(self.set_seed)

    # ------------------------------------------------------------------ popups of the cards, made at their first use

    @cached_property
    def protocols(self) -> ChoicePopup:
        """The protocols to choose from."""
        popup = ChoicePopup(self, tr("Find a protocol, or type a path"), self.shelf.protocols)
        popup.chosen.connect(self.set_protocol)
        return popup

    @cached_property
    def networks(self) -> ChoicePopup:
        """The networks to choose from."""
        popup = ChoicePopup(self, tr("Find a network, or type ring:8, grid:5x5 …"), self.shelf.networks)
        popup.chosen.connect(self.set_network)
        return popup

    @cached_property
    def parameter_list(self) -> ParametersPopup:
        """The popup for the parameters."""
        popup = ParametersPopup(self)
        popup.changed.connect(self.set_parameters)
        return popup

    @cached_property
    def daemons(self) -> DaemonPopup:
        """The popup for the daemon and the start."""
        popup = DaemonPopup(self)
        popup.changed.connect(lambda daemon, start: self.session.change(tr("daemon"), daemon=daemon, start=start))
        return popup

    @cached_property
    def timings(self) -> TimingPopup:
        """The popup for the timing."""
        popup = TimingPopup(self)
        popup.changed.connect(lambda timing: self.session.change(tr("timing"), timing=timing))
        return popup

    @cached_property
    def fault_list(self) -> FaultsPopup:
        """The popup for the faults."""
        popup = FaultsPopup(self)
        popup.changed.connect(lambda faults: self.set_faults(tr("faults"), faults=faults))
        return popup

    @cached_property
    def by_itself_list(self) -> ByItselfPopup:
        """The popup for users and churn."""
        popup = ByItselfPopup(self)
        popup.changed.connect(lambda word, traffic, churn: self.set_faults(word, traffic=traffic, churn=churn))
        return popup

    @cached_property
    def stop_list(self) -> StopPopup:
        """The popup for the end of a run."""
        popup = StopPopup(self)
        popup.changed.connect(lambda stop: self.session.change(tr("end of the run"), stop=stop))
        return popup

    # ------------------------------------------------------------------ several values

    def _several(self) -> None:
        """Add the menu entry that gives a card's setting several values."""
        for card, field in (
            (self.protocol, "protocol"), (self.parameters, ""), (self.daemon, "daemon"), (self.network, "network"),
            (self.timing, "timing.delay"), (self.faults, tr("Processes that crash")),
            (self.by_itself, ""), (self.seed, "seeds"), (self.stops, "stop.until"),
        ):  # fmt: skip
            several = QAction(tr("Give several values…"), card)
            several.triggered.connect(lambda _on=False, field=field: self.sweep_wanted.emit(field))
            card.addAction(several)
            card.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _experiment(self) -> Experiment:
        assert self.session.experiment is not None
        return self.session.experiment

    # ------------------------------------------------------------------ changes

    def set_protocol(self, ref: str) -> None:
        """Set another protocol; the animation, workload and unknown parameters of the old one are dropped."""
        experiment = self._experiment()
        parameters = kept(experiment.parameters, self.shelf.source(ref, experiment.path))
        rules = has_rules(self.shelf.source(ref, experiment.path))
        self.session.change(
            tr("protocol {protocol}", protocol=called(ref, "protocols")), anew=False,
            protocol=ref, parameters=parameters, animation=None, roles={}, **NO_USERS,
            start=Start(any=experiment.start.any and rules), daemon=experiment.daemon if rules else Daemon(),
        )  # fmt: skip

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Set values of the protocol's parameters; the others have their defaults."""
        before = self._experiment().parameters
        names = [name for name in {**before, **values} if before.get(name) != values.get(name)]
        words = trn("parameter {parameters}", "parameters {parameters}", len(names) or 1, parameters=", ".join(names))
        self.session.change(words, parameters=dict(values))

    def set_faults(self, word: str, **parts: Any) -> None:
        """Set other faults or churn; the assumptions that they break are declared as broken on purpose."""
        now, network = self._experiment(), self._timed_network()
        if network is not None:
            needs, after = needs_of(self._source()), now.with_(**parts)
            parts["breaks"] = meant(after.breaks, now.broken(needs, network), after.broken(needs, network))
        self.session.change(word, **parts)

    def assumptions_broken(self) -> tuple[str, ...]:
        """Return the assumptions that the experiment breaks without declaring it, if all of them may be broken."""
        now, network = self.session.experiment, self._timed_network()
        if now is None or network is None or ALL in now.breaks:
            return ()
        found = [each for each in now.broken(needs_of(self._source()), network) if each.name not in now.breaks]
        return tuple(each.name for each in found) if all(each.breakable for each in found) else ()

    def _timed_network(self) -> Network | None:
        """Return the network with the experiment's timing, if both are valid."""
        now = self.session.experiment
        network = None if now is None else self.shelf.known_network(now.network, now.path)
        if now is None or network is None:
            return None
        try:
            return network.with_timing(now.timing)
        except LydianError:  # timing of missing links; the run will report it
            return None

    def _open_parameters(self) -> None:
        experiment = self._experiment()
        self.parameter_list.open(self.parameters, self._declared(), experiment.parameters)

    def _open_by_itself(self) -> None:
        experiment, source = self._experiment(), self._source()
        network = self.shelf.known_network(experiment.network, experiment.path)
        self.by_itself_list.open(
            self.by_itself, experiment.traffic, experiment.churn, commands_of(source),
            about_source(source)[0] or experiment.protocol or tr("The protocol"),
            names=() if network is None else network.processes, until=experiment.stop.until,
        )  # fmt: skip

    def _open_roles(self) -> None:
        known, experiment = roles_in(self._source()), self._experiment()
        popup = self.role_lists.get(known)
        if popup is None:
            popup = self.role_lists[known] = RolesPopup(self, known)
            popup.changed.connect(lambda roles: self.session.change(tr("roles"), roles=roles))
        popup.open(self.roles, experiment.roles, self.shelf.known_network(experiment.network, experiment.path))

    def _source(self) -> str:
        experiment = self._experiment()
        return self.shelf.source(experiment.protocol, experiment.path)

    def _declared(self) -> dict[str, Parameter]:
        experiment = self._experiment()
        return declared(self.shelf.source(experiment.protocol, experiment.path))

    def set_network(self, ref: str) -> None:
        """Set another network; settings, roles and faults of single links and processes of the old one are dropped.

        The network must exist for the experiment to run; otherwise, a notice lists the available ones.
        """
        try:
            self.shelf.network(ref, self._experiment().path)
        except (LydianError, OSError) as error:
            self.session.said.emit(str(error), True)
            return
        timing: Timing = replace(self._experiment().timing, links={}, classes={}, steps={}, initiators=None)
        start = replace(self._experiment().start, processes={})
        text = tr("network {network}", network=called(ref, "networks"))
        self.session.change(
            text, anew=False, network=ref, timing=timing, start=start, roles={}, branches=(), **UNDISTURBED
        )

    def set_seed(self, seed: int) -> None:
        self.session.change(tr("seed {seed}", seed=seed), seed=seed)

    def next_network(self) -> None:
        """Switch to the next network from the archive."""
        if self.session.experiment is None:
            return
        names = [ref for ref, _about in self.shelf.networks() if ":" not in ref] or ["ring:8"]
        now = self._experiment().network
        at = names.index(now) if isinstance(now, str) and now in names else -1
        self.set_network(names[(at + 1) % len(names)])

    def other_delays(self) -> None:
        """Switch to the next distribution of delays in the list."""
        if self.session.experiment is None:
            return
        from lydian.app.panels.experiment.timing import LAWS
        from lydian.model.delays import parse

        timing = self._experiment().timing
        laws = [parse(text) for text in LAWS]
        at = laws.index(timing.delay) if timing.delay in laws else 0
        self.session.change(tr("delays"), timing=replace(timing, delay=laws[(at + 1) % len(laws)], gst=None))

    # ------------------------------------------------------------------ the cards

    def refresh(self) -> None:
        """Show the current experiment."""
        experiment = self.session.experiment
        for part in (*self.cards, self.sweep):  # runs can be shown and compared without an experiment
            part.setEnabled(experiment is not None)
        if experiment is None:
            self.parameters.hide()
            self.daemon.hide()
            self.roles.hide()
            for card in (self.protocol, self.network, self.timing, self.faults, self.by_itself, self.stops):
                card.say(tr("Not known"), tr("not recorded in the trace"))
            self.seed.say(None)
            return
        title, about = about_source(self.shelf.source(experiment.protocol, experiment.path))
        self.protocol.say(
            title or experiment.protocol or trc("protocol", "None"), about[:1].lower() + about[1:] if about else ""
        )
        known = self._declared()
        self.parameters.setVisible(bool(known or experiment.parameters))
        self.parameters.say(*card_text(experiment.parameters, known))
        daemon, start = experiment.daemon, experiment.start
        rules = has_rules(self.shelf.source(experiment.protocol, experiment.path))
        self.daemon.setVisible(rules or daemon != Daemon() or bool(start))
        self.daemon.say(*daemon_text(daemon, start))
        network = self.shelf.known_network(experiment.network, experiment.path)
        self.network.say(*_network_text(experiment, network))
        roles = roles_in(self._source())
        self.roles.setVisible(bool(roles or experiment.roles))
        self.roles.say(*roles_text(experiment.roles, roles))
        self.timing.say(*_timing_text(experiment, network))
        faults = experiment.faults
        meant_so = (
            tr("breaks on purpose: {assumptions}", assumptions=", ".join(experiment.breaks))
            if experiment.breaks
            else ""
        )
        self.faults.say(
            trc("faults", "None")
            if not faults
            else fault_text(faults[0])
            if len(faults) == 1
            else trn("{count} fault", "{count} faults", len(faults)),
            meant_so
            or (
                tr("click to add one")
                if not faults
                else "; ".join(fault_text(fault) for fault in faults[1:]) or tr("click to change")
            ),
        )
        commands = [command.name for command in commands_of(self._source())]
        self.by_itself.say(
            *by_itself_text((*experiment.traffic, *experiment.churn), commands, network.n if network is not None else 0)
        )
        self.seed.say(experiment.seed)
        stop = experiment.stop
        also = [tr("at time {time:g}", time=stop.until)] if stop.until is not None else []
        also += [tr("at a violation")] if stop.violation else []
        also += [trn("after {count:,} event", "after {count:,} events", stop.events)]
        self.stops.say(tr("When no event is left"), tr("or {conditions}", conditions=tr(" or ").join(also)))


def _network_text(experiment: Experiment, network: Network | None) -> tuple[str, str]:
    name = experiment.network if isinstance(experiment.network, str) else experiment.network.name
    if network is None:
        return called(name, "networks") or trc("network", "None"), tr("cannot be read")
    title = network.name if network.name and ":" not in name else name
    shown = title.replace("-", " ").title() if title == title.lower() and ":" not in title else title
    return shown, f"{plural(network.n, 'process')}, {plural(network.m, 'link')}"


def _timing_text(experiment: Experiment, network: Network | None) -> tuple[str, str]:
    gst = experiment.timing.gst
    default = None if network is None else network.delay
    law = (None if gst is None else gst.after) or experiment.timing.delay or default
    own = len(experiment.timing.links)
    if network is not None:
        own = len(
            {f"{link.a}-{link.b}" for link in network.links if link.delay is not None} | set(experiment.timing.links)
        )
    remarks = [trn("{count} link differs", "{count} links differ", own)] if own else []
    order = experiment.timing.order or (network.order if network is not None else None)
    remarks += [] if gst is None else [tr("from {time:g} on", time=gst.at)]
    remarks += ["FIFO"] if order == "fifo" else []
    words = {
        "loss": tr("{share:.3g} % lost"),
        "duplication": tr("{share:.3g} % duplicated"),
        "corruption": tr("{share:.3g} % corrupted"),
    }
    for rate in RATES:
        own_share = getattr(experiment.timing, rate)
        share = own_share if own_share is not None else getattr(network, rate, 0)
        remarks += [words[rate].format(share=100 * share)] if share else []
    value = law_text(law) if law is not None else tr("As in the network")
    return value, "; ".join(remarks) or tr("the same for every link")
