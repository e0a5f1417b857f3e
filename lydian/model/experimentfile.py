"""The layout of an experiment's TOML file: to plain data and back.

::

    name = "flooding-crash"
    about = "One sentence."
    protocol = "flooding"
    network = "two-wings"
    seed = 7
    initiators = "all"                 # or a list such as ["0", "3"]; as in the network's file if left out

    [parameters]
    forward_to = "all"

    [timing]
    delay = "uniform(0.5, 1.5)"
    [timing.links]
    "3-7" = "constant(20)"
    [timing.processes]
    "3" = "constant(0.5)"

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
    notes = "Everybody waits for 9."
    [[branches.interventions]]
    time = 6.0
    do = "crash"
    process = "9"

``daemon`` says who executes guarded actions and ``start`` in which configuration the run begins
(:mod:`lydian.model.daemon`).  ``traffic`` and ``churn`` are commands and crashes that come at random times
(:mod:`lydian.model.traffic`), ``mobility`` says how processes move (:mod:`lydian.model.mobility`).

``workload``, ``faults``, ``interventions`` and ``branches[i].interventions`` are lists of the same tables, whose keys
are those of :class:`~lydian.model.interventions.Intervention`.  A branch is another run of the experiment, which leaves
its parent at a time: ``parent`` is the ``id`` of a branch before it in the list, or 0 (or nothing) for the run of the
experiment itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from lydian.model.branch import read_branches, write_branches
from lydian.model.daemon import Daemon, Start
from lydian.model.delays import parse
from lydian.model.errors import BadInput, shown
from lydian.model.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.mobility import Mobility
from lydian.model.network import Network, Timing
from lydian.model.network.links import RATES, need_drift
from lydian.model.reading import Table, at, without_none
from lydian.model.traffic import Churn, Traffic

__all__ = ["breaks_from", "from_dict", "to_dict", "to_toml"]

_TEXTS = ("name", "about", "protocol", "network", "seed", "animation", "initiators")
_LISTS = ("workload", "faults", "interventions")
_KEYS = (
    *_TEXTS, "parameters", "timing", "daemon", "start", *_LISTS, "traffic", "churn", "mobility", "branches", "stop",
    "record", "check", "breaks",
)  # fmt: skip
_ONE_DELAY = ("delay", "step")
#: Key of a table of distributions in a file -> field of :class:`Timing`.
_MANY_DELAYS = {"links": "links", "classes": "classes", "processes": "steps"}


def from_dict(data: Any, file: Path | str | None = None) -> Experiment:
    """The experiment that plain data describe.

    Raises:
        BadInput: an unknown key, a wrong type or a value that is not allowed, with file and place.
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
        )


def to_dict(experiment: Experiment) -> dict[str, Any]:
    """Plain data in the layout of the file; what has its default value is left out."""
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
        from lydian.model.netfile import to_dict as network_dict

        result["network"] = network_dict(experiment.network)
    return result


def to_toml(experiment: Experiment) -> str:
    """The text of the file."""
    import tomli_w

    data = to_dict(experiment)
    if not isinstance(data["network"], str):
        data["network"] = without_none(data["network"])
    try:
        return tomli_w.dumps(data)
    except (TypeError, ValueError) as error:
        raise BadInput(f"the experiment holds a value that a TOML file cannot hold: {error}") from None


def _interventions(top: Table, key: str) -> tuple[Intervention, ...]:
    return tuple(Intervention.from_dict(item, top.file, place) for place, item in top.tables(key))


def breaks_from(top: Table) -> tuple[str, ...]:
    """The assumptions that an experiment or a sweep names under ``breaks``: a list, or one name alone."""
    names = top.data.get("breaks", [])
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise top.bad("breaks", f'must be a list of assumptions such as ["reliable"], not {shown(names)}')
    return tuple(names)


def _network(top: Table) -> str | Network:
    value = top.data.get("network")
    if value is None:
        raise BadInput('network is missing; write for example network = "ring:8"', file=top.file)
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        raise top.bad("network", f"must be a name, a path, a text such as 'grid:5x5', or a table, not {shown(value)}")
    from lydian.model.netfile import from_dict as network_from

    with at(top.file, "network"):
        return network_from(dict(value))


def _top_timing(top: Table) -> Timing:
    """The table ``[timing]``, and the initiators, which may stand at the top of the file instead."""
    timing = _timing(Table(top.data.get("timing", {}), _TIMING_KEYS, file=top.file, place="timing"))
    if "initiators" not in top:
        return timing
    if timing.initiators is not None:
        raise top.bad("initiators", "is given twice, here and in [timing]; leave out one of them")
    return replace(timing, initiators=_initiators(top))


_TIMING_KEYS = (*_ONE_DELAY, "order", *RATES, "initiators", "drifts", *_MANY_DELAYS)


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
    for rate in RATES:
        if rate in table:
            given[rate] = table.number(rate, what="a share of the messages from 0 to 1")
            if given[rate] > 1:
                raise table.bad(rate, f"must be a share of the messages from 0 to 1, not {table.data[rate]}")
    if "initiators" in table:
        given["initiators"] = _initiators(table)
    return Timing(**given)


def _initiators(table: Table) -> tuple[str, ...] | Literal["all"]:
    """The processes that start: a list of their names, or ``"all"``."""
    value = table.data["initiators"]
    names = value if isinstance(value, list) else []
    plain = all(isinstance(each, str | int) and not isinstance(each, bool) for each in names)
    if value != "all" and not (isinstance(value, list) and plain):
        raise table.bad("initiators", f'must be "all" or a list of processes such as ["0", "3"], not {shown(value)}')
    return "all" if value == "all" else tuple(str(each) for each in names)


def _delay(value: Any, table: Table, key: str) -> Any:
    """A distribution: its text, or a number for a constant."""
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
    for key, name in _MANY_DELAYS.items():
        if getattr(timing, name):
            result[key] = {each: str(value) for each, value in getattr(timing, name).items()}
    return result
