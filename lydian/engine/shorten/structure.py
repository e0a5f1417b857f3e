"""The parts of an experiment that can be left out or made simpler: each candidate is an experiment with less in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from lydian.model.delays import Constant
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network, Timing

__all__ = ["FAITHFUL", "PASSES", "pinned", "without_each"]

T = TypeVar("T")
Test = Callable[[Experiment], bool]
#: A pass: it tries smaller experiments and returns the smallest that passes the test.
Pass = Callable[[Experiment, Test], Experiment]


def pinned(resolved: Resolved) -> Experiment:
    """Return the same experiment with everything in it that was drawn or named: network, commands, crashes."""
    experiment = resolved.experiment
    drawn = tuple(each for each in resolved.drawn)
    of_users = tuple(each for each in drawn if each.kind.of_user)
    return experiment.with_(
        network=resolved.network, timing=Timing(), branches=(), traffic=(), churn=(), mobility=None,
        workload=(*experiment.workload, *of_users),
        faults=(*experiment.faults, *(each for each in drawn if not each.kind.of_user)),
    )  # fmt: skip


def without_each(items: Sequence[T], test: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """Return as few of the items as the test needs, none of which can be left out alone.

    First half of them are left out together, then a quarter, and so on down to one (Zeller and Hildebrandt, Simplifying
    and Isolating Failure-Inducing Input, 2002).
    """
    kept = tuple(items)
    if kept and test(()):
        return ()
    size = max(len(kept) // 2, 1)
    while kept:
        at, shorter = 0, False
        while at < len(kept):
            fewer = (*kept[:at], *kept[at + size :])
            if len(fewer) < len(kept) and test(fewer):
                kept, shorter = fewer, True
            else:
                at += size
        if size == 1 and not shorter:
            break
        size = max(size // 2, 1)
    return kept


# ---------------------------------------------------------------------- passes


def fewer_given(experiment: Experiment, test: Test) -> Experiment:
    """Leave out faults, interventions and commands."""
    return _fewer(fewer_faults(experiment, test), test, "workload")


def fewer_faults(experiment: Experiment, test: Test) -> Experiment:
    """Leave out faults and interventions."""
    return _fewer(experiment, test, "interventions", "faults")


def _fewer(experiment: Experiment, test: Test, *keys: str) -> Experiment:
    for key in keys:

        def fits(kept: tuple[Intervention, ...], key: str = key) -> bool:
            return test(experiment.with_(**{key: kept}))  # noqa: B023 - used at once

        experiment = experiment.with_(**{key: without_each(getattr(experiment, key), fits)})
    return experiment


def fewer_processes(experiment: Experiment, test: Test) -> Experiment:
    """Leave out processes with their links; the neighbours of a process between two others are joined if necessary."""
    network = _network(experiment)
    kept = without_each(network.processes, lambda names: test(_of(experiment, names)))
    experiment = _of(experiment, kept) if kept != network.processes else experiment
    for name in _network(experiment).processes:
        shorter = _bridged(experiment, name)
        if shorter is not None and test(shorter):
            experiment = shorter
    return experiment


def fewer_links(experiment: Experiment, test: Test) -> Experiment:
    """Leave out links."""
    network = _network(experiment)
    links = without_each(network.links, lambda links: test(_with(experiment, _linked(network, links))))
    return _with(experiment, _linked(network, links)) if links != network.links else experiment


def fewer_initiators(experiment: Experiment, test: Test) -> Experiment:
    """Let fewer processes start."""
    network = _network(experiment)
    if not network.initiators:
        return experiment
    kept = without_each(network.initiators, lambda names: test(_with(experiment, network.replace(initiators=names))))
    return _with(experiment, network.replace(initiators=kept))


def simpler_timing(experiment: Experiment, test: Test) -> Experiment:
    """Let all messages take one unit of time, links lose nothing, and steps take no time, as far as possible."""
    network = _network(experiment)
    one = Constant(1.0)
    plain = tuple(replace(link, delay=None, klass=None, loss=None, outages=()) for link in network.links)
    candidates: tuple[dict[str, Any], ...] = (
        {"delay": one, "classes": {}, "links": plain, "loss": 0.0, "step": None, "steps": {}, "drifts": {},
         "duplication": 0.0, "corruption": 0.0, "gst": None},
        {"loss": 0.0, "duplication": 0.0, "corruption": 0.0},
        {"step": None, "steps": {}},
        {"drifts": {}},
        {"classes": {}, "links": plain},
        {"gst": None},
        {"delay": one},
    )  # fmt: skip
    for changes in candidates:
        changed = network.replace(**changes)
        if changed != network and test(_with(experiment, changed)):
            network = changed
    return _with(experiment, network)


PASSES: tuple[Pass, ...] = (fewer_given, fewer_processes, fewer_links, fewer_initiators, simpler_timing)
#: The passes after which a correct protocol still has what it was promised: commands, initiators, links, timing.
FAITHFUL: tuple[Pass, ...] = (fewer_faults, fewer_processes)


# ---------------------------------------------------------------------- networks


def _network(experiment: Experiment) -> Network:
    assert isinstance(experiment.network, Network)
    return experiment.network


def _with(experiment: Experiment, network: Network) -> Experiment:
    return experiment.with_(network=network)


def _linked(network: Network, links: Sequence[Link]) -> Network:
    return network.replace(links=tuple(links))


def _of(experiment: Experiment, names: Sequence[str]) -> Experiment:
    """Return the experiment on some processes only, without what is given to the others.

    Raises:
        LydianError: this is not a network.
    """
    network, there = _network(experiment), set(names)
    smaller = network.replace(
        processes=tuple(names),
        links=tuple(link for link in network.links if link.a in there and link.b in there),
        initiators=tuple(name for name in network.initiators if name in there),
        positions={name: at for name, at in network.positions.items() if name in there},
        steps={name: step for name, step in network.steps.items() if name in there},
        drifts={name: drift for name, drift in network.drifts.items() if name in there},
        roles={name: role for name, role in network.roles.items() if name in there},
    )
    return experiment.with_(network=smaller, **{
        key: tuple(_among(getattr(experiment, key), there)) for key in ("interventions", "faults", "workload")
    })  # fmt: skip


def _among(given: Sequence[Intervention], there: set[str]) -> Iterator[Intervention]:
    for each in given:
        if each.groups:
            groups = tuple(tuple(name for name in group if name in there) for group in each.groups)
            groups = tuple(group for group in groups if group)
            if len(groups) > 1:
                yield replace(each, keys={**each.keys, "groups": groups})
            continue
        named = {each.process} if each.link is None else set(each.link)
        if named - {None} <= there:
            yield each


def _bridged(experiment: Experiment, name: str) -> Experiment | None:
    """Return the experiment without a process between two others, which are linked to each other instead."""
    network = _network(experiment)
    own = [link for link in network.links if name in (link.a, link.b)]
    others = [link.b if link.a == name else link.a for link in own]
    if len(set(others)) != 2 or network.n < 3 or len(own) != 2:
        return None
    first, second = own
    if first.directed and second.directed:
        into, out = (first, second) if first.b == name else (second, first)
        if into.b != name or out.a != name:
            return None
        joined = replace(into, b=out.b)
    else:
        joined = replace(first, a=others[0], b=others[1])
    if any({link.a, link.b} == {joined.a, joined.b} for link in network.links):
        return None
    try:
        smaller = _of(experiment, tuple(each for each in network.processes if each != name))
        return _with(smaller, _linked(_network(smaller), (*_network(smaller).links, joined)))
    except LydianError:
        return None
