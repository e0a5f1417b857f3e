"""An experiment: protocol, network, parameters, timing, seed, workload, faults, and what is recorded.

The same experiment gives the same execution everywhere. :func:`load` reads one from the archive or from its file,
:func:`save` writes it, and :meth:`Experiment.resolve` loads the parts that it names. The layout of its file::

    name = "flooding-crash"
    about = "One sentence."
    protocol = "flooding"
    network = "two-wings"
    seed = 7
    initiators = "all"                 # or a list such as ["0", "3"]; the default is that of the network's file

    [parameters]
    forward_to = "all"

    [timing]
    delay = "uniform(0.5, 1.5)"
    [timing.links]
    "3-7" = "constant(20)"
    [timing.processes]
    "3" = "constant(0.5)"
    [timing.gst]                       # from 20 on every message takes at most 1.5
    at = 20.0
    before = "exponential(mean=10)"

    [[faults]]
    time = 2.5
    do = "crash"
    process = "4"

    [stop]
    until = 100.0

    [[branches]]
    id = 1
    name = "9 crashed at 6.0"
    parent = 0
    at = 6.0
    notes = "All processes wait for 9."
    [[branches.interventions]]
    time = 6.0
    do = "crash"
    process = "9"

``daemon`` is the scheduler of guarded actions, and ``start`` is the initial configuration
(:mod:`lydian.model.experiment.daemon`). ``traffic`` and ``churn`` are commands and crashes at random times
(:mod:`lydian.model.experiment.traffic`); ``mobility`` describes how processes move
(:mod:`lydian.model.experiment.mobility`), and ``flight`` how a camera flies through the run
(:mod:`lydian.model.experiment.flight`).

``workload``, ``faults``, ``interventions`` and ``branches[i].interventions`` are lists of the same tables, whose keys
are those of :class:`~lydian.model.interventions.Intervention`. A branch is another run of the experiment, which departs
from its parent at some time: ``parent`` is the ``id`` of a branch before it in the list, or 0 (the default) for the run
of the experiment itself.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lydian.model.archive.handin import is_hand_in, unpack
from lydian.model.archive.shelves import Shelves, located, shelves, written
from lydian.model.delays import parse
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.assumptions import ALL, Broken, broken, check_names, hint
from lydian.model.experiment.branch import Branch, checked, read_branches, write_branches
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.flight import FlightStop, read_flight
from lydian.model.experiment.mobility import Mobility
from lydian.model.experiment.traffic import Churn, Traffic
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.model.network.links import RATES, need_drift
from lydian.model.network.stabilisation import Stabilisation
from lydian.model.protocol.bounds import SYNCHRONY
from lydian.model.protocol.properties import Need
from lydian.model.protocol.roles import check_roles
from lydian.model.reading import Table, at, parse_toml, read_text, without_none, write_text

if TYPE_CHECKING:
    from lydian.model.protocol.protocol import Protocol

__all__ = [
    "NO_USERS", "UNDISTURBED", "Experiment", "Resolved", "Stop", "breaks_from", "from_dict", "loads",
    "read", "save", "to_dict", "to_toml", "value_from_text",
]  # fmt: skip

_MOST_BYTES = 4_000_000


@dataclass(frozen=True)
class Stop:
    """The conditions under which a run ends, other than that nothing is left to do.

    Args:
        until: the simulated time after which nothing happens, or ``None``.
        events: the largest number of events.
        violation: whether the run ends as soon as a property is violated.
    """

    until: float | None = None
    events: int = 1_000_000
    violation: bool = False

    def __post_init__(self) -> None:
        if self.until is not None:
            if isinstance(self.until, bool) or not (math.isfinite(self.until) and self.until >= 0):
                raise BadInput(f"must be a finite time that is not negative, not {self.until}", place="stop.until")
            object.__setattr__(self, "until", float(self.until))
        if isinstance(self.events, bool) or not isinstance(self.events, int) or not 0 < self.events < 2**31:
            what = f"must be a whole number from 1 to {2**31 - 1}, not {shown(self.events)}"
            raise BadInput(what, place="stop.events")


#: The parts of an experiment to remove for a run without commands, and for one without any outside influence.
NO_USERS: Mapping[str, tuple[()]] = {"workload": (), "traffic": ()}
UNDISTURBED: Mapping[str, tuple[()]] = {**NO_USERS, "faults": (), "churn": (), "interventions": ()}


@dataclass(frozen=True)
class Experiment:
    """All settings that determine an execution, and what of it is recorded.

    Args:
        name: a short name, usually the file's stem.
        about: one sentence that is shown below the picture.
        protocol: a name in the archive or a path, relative to the folder of ``path``.
        network: a name in the archive, a path, a specification (``grid:5x5``), or the network itself.
        parameters: values of the protocol's parameters; all others have their defaults.
        roles: role -> its processes, or ``*`` for all others, if the protocol has several roles; processes that are
            not named have the role of the network, or one that the protocol chooses.
        seed: the seed of all random streams; 0 to 2**63 - 1.
        timing: deviations from the network's own delays, order, loss, steps and initiators.
        workload: the actions of the users of the processes: commands and wakes.
        faults: the scheduled faults.
        interventions: interventions made during the run.
        traffic: commands that are given at random times.
        churn: processes that crash and recover at random times.
        mobility: how processes move, if they do; a link is up while its ends are in reach of each other.
        breaks: assumptions of the protocol (``reliable``, ``no crashes``) that it violates on purpose, or ``all``.
        branches: other runs that depart from this one (see :mod:`lydian.model.experiment.branches`).
        flight: the stops of a guided flight through the run, which it does not influence.
        stop: when the run ends.
        daemon: the scheduler of guarded actions.
        start: the initial configuration, if it is not that of the protocol's file.
        variables: whether changes of variables are recorded.
        check: whether properties are checked during the run.
        animation: the name or path of the animation; ``None`` for that of the protocol.
        path: its file, or a possible file for it: names of files are relative to it. It is not part of the content.
        written: whether the file at ``path`` has this content, so that errors name the file.
    """

    name: str
    about: str = ""
    protocol: str = ""
    network: str | Network = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, tuple[str, ...] | str] = field(default_factory=dict)
    seed: int = 0
    timing: Timing = field(default_factory=Timing)
    workload: tuple[Intervention, ...] = ()
    faults: tuple[Intervention, ...] = ()
    interventions: tuple[Intervention, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    churn: tuple[Churn, ...] = ()
    mobility: Mobility | None = None
    breaks: tuple[str, ...] = ()
    branches: tuple[Branch, ...] = ()
    flight: tuple[FlightStop, ...] = ()
    stop: Stop = field(default_factory=Stop)
    daemon: Daemon = field(default_factory=Daemon)
    start: Start = field(default_factory=Start)
    variables: bool = True
    check: bool = True
    animation: str | None = None
    path: Path | None = field(default=None, compare=False)
    written: bool = field(default=True, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            raise BadInput(f"must be a whole number from 0 to 2**63 - 1, not {shown(self.seed)}", place="seed")
        object.__setattr__(self, "parameters", dict(self.parameters))
        object.__setattr__(self, "roles", check_roles(self.roles))
        for key in ("workload", "faults", "interventions", "traffic", "churn", "breaks", "flight"):
            object.__setattr__(self, key, tuple(getattr(self, key)))
        object.__setattr__(self, "branches", checked(self.branches))
        for i, each in enumerate(self.workload):
            if not each.kind.of_user:
                what = f"must be a command or a wake in the workload, not {each.do}, which belongs to the faults"
                raise BadInput(what, place=f"workload[{i}].do")

    @property
    def file(self) -> Path | None:
        """The file to be named in errors."""
        return self.path if self.written else None

    @property
    def alone(self) -> Experiment:
        """The experiment without what does not influence its own run: its branches and its guided flight."""
        return self.with_(branches=(), flight=())

    def beside(self, folder: Path | str) -> Experiment:
        """Return the same experiment without a file of its own; names of files in it are relative to a folder."""
        return self.with_(path=Path(folder) / f"{self.name or 'experiment'}.toml", written=False)

    def with_(self, **changes: Any) -> Experiment:
        """Return the same experiment with some parts changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data in the layout of the file, without default values."""
        return to_dict(self)

    def to_toml(self) -> str:
        """Return the text of the file.

        Raises:
            BadInput: a value cannot be expressed in TOML, such as ``None`` inside a list.
        """
        return to_toml(self)

    def resolve(self, archive: Shelves | None = None) -> Resolved:
        """Load the protocol and the network, apply the timing, and check that all parts fit together.

        Raises:
            BadInput: something it names does not exist or does not fit, or ``needs`` of the protocol are not met.
            ProtocolError: the protocol's file cannot be used.
        """
        archive = shelves() if archive is None else archive
        with at(self.file, "protocol"):
            if not self.protocol:
                raise BadInput('protocol is missing; write, for example, protocol = "echo"')
            protocol = archive.protocol(self.protocol_ref)
        with at(self.file, "network"):
            if isinstance(self.network, Network):
                network = self.network
            elif self.network:
                network = archive.network(self._located(self.network, "networks"))
            else:
                raise BadInput('network is missing; write, for example, network = "ring:8"')
        moves: list[Intervention] = []
        if self.mobility is not None:
            with at(self.file, "mobility"):
                network, moves = self.mobility.over(network, self.seed)
                moves = self.mobility.told(protocol, moves)
        with at(self.file, "timing"):
            network = network.with_timing(self.timing)
        if not network.n:
            raise BadInput("the network has no processes yet; add one", file=self.file, place="network")
        with at(self.file):
            parameters = protocol.configure(self.parameters)
            network = protocol.cast(network, self.roles, parameters)
        if self.daemon != Daemon() and not protocol.rules:
            what = f"{protocol.title} has no guarded actions (@when) that a daemon could choose from; leave it out"
            raise BadInput(what, file=self.file, place="daemon")
        if protocol.shared and self.daemon.kind in ("distributed", "synchronous"):
            what = f"the daemon {self.daemon.kind} lets several processes act at once, and accesses to shared objects "
            what += "happen one after the other; choose central, round-robin, adversarial or user"
            raise BadInput(what, file=self.file, place="daemon")
        self.start.check(network, protocol, file=self.file)
        for key in ("workload", "faults", "interventions"):
            for i, each in enumerate(getattr(self, key)):
                each.check(network, protocol, file=self.file, place=f"{key}[{i}]")
        self._assumed(protocol, network)
        drawn = [
            moves,
            *(traffic.interventions(network, protocol, self.seed, i, file=self.file)
              for i, traffic in enumerate(self.traffic)),
            *(churn.interventions(network, self.seed, i, file=self.file) for i, churn in enumerate(self.churn)),
        ]  # fmt: skip
        return Resolved(self, protocol, network, parameters, tuple(chain.from_iterable(drawn)))

    def moved(self, network: str | Network, archive: Shelves | None = None) -> Experiment:
        """Return the same experiment on another network, without the parts that do not fit there.

        Timings (of links, classes and processes), initiators, initial values, commands and faults are omitted if they
        name something that the other network does not have. If every process of the old network is an initiator, so is
        every process of the new one.

        Raises:
            BadInput: the network or the protocol does not exist.
        """
        archive = shelves() if archive is None else archive
        before = self.network if isinstance(self.network, Network) else archive.network(
            self._located(self.network, "networks")
        )  # fmt: skip
        there = network if isinstance(network, Network) else archive.network(self._located(network, "networks"))
        protocol = archive.protocol(self.protocol_ref)
        klasses = {link.klass for link in there.links} | set(there.classes)
        timing = self.timing
        starting: Any = timing.initiators
        if set(before.with_timing(Timing(initiators=starting)).initiators) == set(before.processes):
            starting = "all"
        elif starting is not None:
            starting = tuple(p for p in starting if p in there.index) or None
        timing = replace(
            timing,
            links={pair: law for pair, law in timing.links.items() if _fits(there.parse_link, pair)},
            classes={name: law for name, law in timing.classes.items() if name in klasses},
            steps={name: law for name, law in timing.steps.items() if name in there.index},
            drifts={name: drift for name, drift in timing.drifts.items() if name in there.index},
            initiators=starting,
        )  # fmt: skip
        fitting: dict[str, Any] = {
            key: tuple(each for each in getattr(self, key) if _fits(each.check, there, protocol))
            for key in ("workload", "faults", "interventions")
        }
        fitting |= {
            key: tuple(
                each for each in getattr(self, key)
                if isinstance(each.processes, str) or set(each.processes) <= set(there.processes)
            )
            for key in ("traffic", "churn")
        }  # fmt: skip
        start = replace(
            self.start, processes={name: each for name, each in self.start.processes.items() if name in there.index}
        )
        roles = {
            role: names if isinstance(names, str) else tuple(name for name in names if name in there.index)
            for role, names in self.roles.items()
        }
        fitting["roles"] = {role: names for role, names in roles.items() if names}
        return self.with_(network=network, timing=timing, start=start, branches=(), flight=(), **fitting)

    def broken(self, needs: Iterable[Need], network: Network) -> list[Broken]:
        """Return the given assumptions that it violates, whether on purpose or not, on its network with its timing
        applied.

        A schedule, in which the user directs all processes from the beginning, has no time, so its delays violate
        nothing.
        """
        taken = {each.process for each in self.interventions if each.do == "take_over" and each.time == 0}
        if taken >= set(network.processes):
            needs = [each for each in needs if each.bound is None or each.bound.what is not SYNCHRONY]
        return broken(needs, network, self.faults, self.workload, bool(self.churn), self.parameters)

    def _assumed(self, protocol: Protocol, network: Network) -> None:
        """Refuse an experiment that violates an assumption of its protocol without declaring it."""
        with at(self.file):
            check_names(self.breaks, protocol.needs)
        found = [
            each for each in self.broken(protocol.needs, network)
            if not (each.breakable and (each.name in self.breaks or ALL in self.breaks))
        ]  # fmt: skip
        if found:
            what = f"{protocol.title} cannot run here: {'; '.join(each.sentence for each in found)}"
            how = hint(found)
            raise BadInput(f"{what}; {how}" if how else what, file=self.file, place="network")

    @property
    def protocol_ref(self) -> str | Path:
        """The protocol in a form that :meth:`Shelves.protocol` accepts: a name, or a path from the current
        folder."""
        return self._located(self.protocol, "protocols")

    def _located(self, ref: str, shelf: str) -> str | Path:
        return located(ref, shelf, self.path)


@dataclass(frozen=True)
class Resolved:
    """An experiment with the things it names.

    Args:
        experiment: the experiment.
        protocol: its protocol.
        network: its network with its timing applied.
        parameters: the values of all parameters of the protocol.
        drawn: the changes of links by its mobility, the commands of its traffic, the crashes and recoveries of its
            churn.
    """

    experiment: Experiment
    protocol: Protocol
    network: Network
    parameters: Mapping[str, Any]
    drawn: tuple[Intervention, ...] = ()


def read(path: Path | str) -> Experiment:
    """Return the experiment in this file or hand-in.

    Raises:
        BadInput: names the file and the place in it.
    """
    path = Path(path)
    if is_hand_in(path):
        path = unpack(path).experiment
    experiment = loads(read_text(path, "an experiment in TOML", _MOST_BYTES), file=path)
    return experiment if experiment.name else experiment.with_(name=path.stem)


def loads(text: str, file: Path | str | None = None, folder: Path | str | None = None) -> Experiment:
    """Return the experiment in this text.

    Args:
        text: TOML.
        file: its file; errors name it, and relative paths start from its folder.
        folder: the folder from which relative paths start if there is no file.

    Raises:
        BadInput: names the file and the place in it.
    """
    path = Path(file) if file is not None else Path(folder) / "experiment.toml" if folder is not None else None
    return from_dict(parse_toml(text, file), file).with_(path=path)


def save(experiment: Experiment, path: Path | str) -> Experiment:
    """Write the file, completely or not at all; return the experiment with its new ``path``.

    References in it are rewritten for their new place (:func:`~lydian.model.archive.shelves.written`).

    Raises:
        BadInput: the file cannot be written.
    """
    path = Path(path)
    moved = experiment.with_(path=path, written=True)
    for key, shelf in (("protocol", "protocols"), ("network", "networks"), ("animation", "animations")):
        ref = getattr(experiment, key)
        if isinstance(ref, str) and ref and (key != "animation" or Path(ref).is_absolute()):
            moved = moved.with_(**{key: written(ref, shelf, experiment.path, path)})
    write_text(path, moved.to_toml())
    return moved


def value_from_text(text: str, like: Any) -> Any:
    """Return a parameter's value given on the command line, converted to the type of its default.

    A text that cannot be converted is returned unchanged; the protocol then reports what would be right.
    """
    if isinstance(like, bool):
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower(), text)
    if isinstance(like, str):
        return text
    try:
        if isinstance(like, int | float):
            return type(like)(text)
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _fits(check: Callable[..., object], *arguments: object) -> bool:
    """Return True if a check of these arguments passes."""
    try:
        check(*arguments)
    except BadInput:
        return False
    return True


_TEXTS = ("name", "about", "protocol", "network", "seed", "animation", "initiators")
_LISTS = ("workload", "faults", "interventions")
_KEYS = (
    *_TEXTS, "parameters", "roles", "timing", "daemon", "start", *_LISTS, "traffic", "churn", "mobility", "branches",
    "flight", "stop", "record", "check", "breaks",
)  # fmt: skip
_ONE_DELAY = ("delay", "step")
#: Key of a table of distributions in a file -> field of :class:`Timing`.
_MANY_DELAYS = {"links": "links", "classes": "classes", "processes": "steps"}


def from_dict(data: Any, file: Path | str | None = None) -> Experiment:
    """Return the experiment that plain data describe.

    Raises:
        BadInput: a key is unknown, a type is wrong or a value is not permitted; names the file and the place.
    """
    top = Table(data, _KEYS, file=file)
    stop = Table(top.data.get("stop", {}), ("until", "events", "violation"), file=file, place="stop")
    record = Table(top.data.get("record", {}), ("variables",), file=file, place="record")
    check = Table(top.data.get("check", {}), ("while_running",), file=file, place="check")
    protocol = top.need("protocol", str, 'protocol = "echo"')
    with at(file):
        return Experiment(
            name=top.get("name", str, ""),
            about=top.get("about", str, ""),
            protocol=protocol,
            network=_network(top),
            parameters=top.get("parameters", dict, {}),
            roles=top.data.get("roles", {}),
            seed=top.whole("seed", 0),
            timing=_top_timing(top),
            stop=Stop(
                until=stop.number("until", None, what="a finite time that is not negative"),
                events=stop.whole("events", Stop.events, least=1),
                violation=stop.get("violation", bool, False),
            ),
            daemon=Daemon.from_data(top.data.get("daemon", "central"), file),
            start=Start.from_data(top.data.get("start", {}), file),
            variables=record.get("variables", bool, True),
            check=check.get("while_running", bool, True),
            animation=top.get("animation", str),
            workload=_interventions(top, "workload"),
            faults=_interventions(top, "faults"),
            interventions=_interventions(top, "interventions"),
            traffic=tuple(Traffic.from_dict(item, top.file, place) for place, item in top.tables("traffic")),
            mobility=Mobility.from_dict(top.data["mobility"], file) if "mobility" in top else None,
            churn=tuple(Churn.from_dict(item, top.file, place) for place, item in top.tables("churn")),
            breaks=breaks_from(top),
            branches=read_branches(top.tables("branches"), top.file),
            flight=read_flight(top.tables("flight"), top.file),
        )


def to_dict(experiment: Experiment) -> dict[str, Any]:
    """Return plain data in the layout of the file, without default values."""
    result: dict[str, Any] = {"name": experiment.name}
    if experiment.about:
        result["about"] = experiment.about
    result["protocol"] = experiment.protocol
    embedded = isinstance(experiment.network, Network)
    if not embedded:
        result["network"] = experiment.network
    result["seed"] = experiment.seed
    if experiment.animation is not None:
        result["animation"] = experiment.animation
    if experiment.breaks:
        result["breaks"] = list(experiment.breaks)
    if experiment.parameters:
        result["parameters"] = dict(experiment.parameters)
    if experiment.roles:
        each = experiment.roles.items()
        result["roles"] = {role: names if isinstance(names, str) else list(names) for role, names in each}
    timing = _timing_dict(experiment.timing)
    if timing:
        result["timing"] = timing
    if experiment.daemon != Daemon():
        result["daemon"] = experiment.daemon.to_data()
    if experiment.start:
        result["start"] = experiment.start.to_data()
    for key in (*_LISTS, "traffic", "churn"):
        if getattr(experiment, key):
            result[key] = [each.to_dict() for each in getattr(experiment, key)]
    if experiment.mobility is not None:
        result["mobility"] = experiment.mobility.to_dict()
    if experiment.branches:
        result["branches"] = write_branches(experiment.branches)
    if experiment.flight:
        result["flight"] = [each.to_dict() for each in experiment.flight]
    stop = {
        key: getattr(experiment.stop, key)
        for key in ("until", "events", "violation")
        if getattr(experiment.stop, key) != getattr(Stop, key)
    }
    if stop:
        result["stop"] = stop
    if not experiment.variables:
        result["record"] = {"variables": False}
    if not experiment.check:
        result["check"] = {"while_running": False}
    if isinstance(experiment.network, Network):
        from lydian.model.network.netfile import to_dict as network_dict

        result["network"] = network_dict(experiment.network)
    return result


def to_toml(experiment: Experiment) -> str:
    """Return the text of the file."""
    import tomli_w

    data = to_dict(experiment)
    if not isinstance(data["network"], str):
        data["network"] = without_none(data["network"])
    try:
        return tomli_w.dumps(data)
    except (TypeError, ValueError) as error:
        raise BadInput(f"the experiment contains a value that a TOML file cannot contain: {error}") from None


def _interventions(top: Table, key: str) -> tuple[Intervention, ...]:
    return tuple(Intervention.from_dict(item, top.file, place) for place, item in top.tables(key))


def breaks_from(top: Table) -> tuple[str, ...]:
    """Return the assumptions that an experiment or a sweep names under ``breaks``: a list, or a single name."""
    names = top.data.get("breaks", [])
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise top.bad("breaks", f'must be a list of assumptions such as ["reliable"], not {shown(names)}')
    return tuple(names)


def _network(top: Table) -> str | Network:
    value = top.data.get("network")
    if value is None:
        raise BadInput('network is missing; write, for example, network = "ring:8"', file=top.file)
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        raise top.bad("network", f"must be a name, a path, a text such as 'grid:5x5', or a table, not {shown(value)}")
    from lydian.model.network.netfile import from_dict as network_from

    with at(top.file, "network"):
        return network_from(dict(value))


def _top_timing(top: Table) -> Timing:
    """Read the table ``[timing]``, and the initiators, which may be at the top level of the file instead."""
    timing = _timing(Table(top.data.get("timing", {}), _TIMING_KEYS, file=top.file, place="timing"))
    if "initiators" not in top:
        return timing
    if timing.initiators is not None:
        raise top.bad("initiators", "is given twice, here and in [timing]; remove one of them")
    return replace(timing, initiators=_initiators(top))


_TIMING_KEYS = (*_ONE_DELAY, "order", *RATES, "initiators", "drifts", "gst", *_MANY_DELAYS)


def _timing(table: Table) -> Timing:
    given: dict[str, Any] = {}
    for key in _ONE_DELAY:
        if key in table:
            given[key] = _delay(table.data[key], table, key)
    for key, name in _MANY_DELAYS.items():
        if key in table:
            inner = Table(table.data[key], table.get(key, dict), file=table.file, place=table.where(key))
            given[name] = {each: _delay(value, inner, each) for each, value in inner.data.items()}
    if "drifts" in table:
        inner = Table(table.data["drifts"], table.get("drifts", dict), file=table.file, place=table.where("drifts"))
        given["drifts"] = {each: _drift(value, inner, each) for each, value in inner.data.items()}
    if "order" in table:
        given["order"] = table.get("order", str)
        if given["order"] not in ("fifo", "unordered"):
            raise table.bad("order", f'must be "fifo" or "unordered", not {shown(given["order"])}')
    if "gst" in table:
        given["gst"] = Stabilisation.from_data(table.data["gst"], table.file, table.where("gst"))
    for rate in RATES:
        if rate in table:
            given[rate] = table.number(rate, what="a share of the messages from 0 to 1")
            if given[rate] > 1:
                raise table.bad(rate, f"must be a share of the messages from 0 to 1, not {table.data[rate]}")
    if "initiators" in table:
        given["initiators"] = _initiators(table)
    return Timing(**given)


def _initiators(table: Table) -> tuple[str, ...] | Literal["all"]:
    """Read the initiators: a list of their names, or ``"all"``."""
    value = table.data["initiators"]
    names = value if isinstance(value, list) else []
    plain = all(isinstance(each, str | int) and not isinstance(each, bool) for each in names)
    if value != "all" and not (isinstance(value, list) and plain):
        raise table.bad("initiators", f'must be "all" or a list of processes such as ["0", "3"], not {shown(value)}')
    return "all" if value == "all" else tuple(str(each) for each in names)


def _delay(value: Any, table: Table, key: str) -> Any:
    """Read a distribution: its text, or a number for a constant."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.bad(key, f'must be a distribution such as "uniform(0.5, 1.5)", not {shown(value)}')
    return parse(value if isinstance(value, str) else repr(value), file=table.file, place=table.where(key))


def _drift(value: Any, table: Table, key: str) -> float:
    with at(table.file, table.where(key)):
        need_drift(value, f"the drift of the clock of process {key}")
    return float(value)


def _timing_dict(timing: Timing) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key in (*_ONE_DELAY, "order", *RATES):
        value = getattr(timing, key)
        if value is not None:
            result[key] = str(value) if key in _ONE_DELAY else value
    if timing.initiators is not None:
        result["initiators"] = "all" if timing.initiators == "all" else list(timing.initiators)
    if timing.drifts:
        result["drifts"] = dict(timing.drifts)
    if timing.gst is not None:
        result["gst"] = timing.gst.to_data()
    for key, name in _MANY_DELAYS.items():
        if getattr(timing, name):
            result[key] = {each: str(value) for each, value in getattr(timing, name).items()}
    return result
