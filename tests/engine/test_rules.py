"""Guarded actions and their daemons: every step is legal."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.setup import make_channels, make_processes
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.daemon import DAEMONS, Daemon, Start
from lydian.model.experiment.experiment import Stop
from lydian.model.network import Link, Network
from lydian.trace.events import Event
from tests.engine.rulebook import COLOURING, K_STATE_RING, resolved, simulator
from tests.strategies import connected_networks

MOVING = [kind for kind in DAEMONS if kind != "user"]


def steps(events: list[Event]) -> Iterator[list[Event]]:
    """Return the rule events, grouped by step."""
    rules = iter(each for each in events if each.kind == "rule")
    for first in rules:
        more = (first.detail or {}).get("together", 1) - 1
        yield [first, *itertools.islice(rules, more)]


def checked(run: Simulator) -> list[list[str]]:
    """Replay a run that moved only by rules with separate processes; return the enabled ones at each step.

    Every executed rule was enabled in the configuration before its step and had the effect of its action; no event
    follows a cause that could not have been known.
    """
    events = list(run.trace.events())
    protocol = run.protocol
    processes = make_processes(protocol, run.network, run.parameters, run)
    make_channels(run.network, processes, 0)
    place = run.network.index
    rules = {rule.name: rule for rule in protocol.rules}
    names = list(protocol.variables)
    could = []
    for event in events:
        if event.kind == "corrupt":
            for name, value in (event.detail or {}).get("changed", {}).items():
                setattr(processes[place[str(event.process)]], name, value)
    for step in steps(events):
        could.append([p._name for p in processes for _ in p.enabled])
        after: dict[int, tuple[Any, ...]] = {}
        for event in step:
            p = processes[place[str(event.process)]]
            assert event.label in p.enabled, event
            before = [getattr(p, name) for name in names]
            rules[event.label].action(p)
            after[p._i] = tuple(getattr(p, name) for name in names)
            for name, value in zip(names, before, strict=True):
                setattr(p, name, value)
            changed = {n: a for n, b, a in zip(names, before, after[p._i], strict=True) if a != b}
            assert changed == (event.detail or {}).get("changed", {}), event
        assert len(after) == len(step), "a process moved twice in one step"
        for i, values in after.items():
            for name, value in zip(names, values, strict=True):
                setattr(processes[i], name, value)
        near = {q for e in step for q in (e.process, *run.network.neighbours(str(e.process)))}
        for event in step:
            if event.cause is not None:
                known = events[event.cause]
                assert event.cause < step[0].seq and known.process in near
                assert event.lamport > known.lamport
    assert [(p._name, *(getattr(p, n) for n in names)) for p in processes] == [
        (p._name, *(getattr(p, n) for n in names)) for p in run.processes
    ]
    return could


@given(connected_networks(most=7), st.sampled_from(MOVING), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_every_step_of_every_daemon_is_legal(network: Network, kind: str, seed: int) -> None:
    run = simulator(
        COLOURING, network, seed=seed, daemon=Daemon(kind, p=0.7), start=Start(any=True), stop=Stop(events=60)
    )
    result = run.run()
    assert result.error is None
    could = checked(run)
    for enabled, step in zip(could, steps(list(run.trace.events())), strict=True):
        moved = [each.process for each in step]
        assert len(moved) == 1 or kind in ("distributed", "synchronous")
        assert moved == sorted(moved, key=lambda name: network.index[str(name)])
        if kind == "synchronous":
            assert moved == enabled
    if result.stopped == "quiescent":
        assert not run.configuration.enabled
        assert all(check.holds or (check.holds is None and not result.events) for check in result.checks)


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_steps_of_the_ring_are_legal(kind: str, n: int) -> None:
    run = simulator(K_STATE_RING, f"ring:{n}" if n > 2 else two(), daemon=Daemon(kind), start=Start(any=True),
                    stop=Stop(until=40.0))  # fmt: skip
    result = run.run()
    assert (result.stopped, result.error, result.messages, result.chain) == ("until", None, 0, 0)
    checked(run)
    assert [check.holds for check in result.checks] == [True, True]


def two() -> Network:
    return Network("two", ("0", "1"), (Link("0", "1"),), ("0",), delay=parse("constant(1)"))


@pytest.mark.parametrize("kind", ["central", "distributed"])
@pytest.mark.parametrize("n", [3, 4])
def test_the_ring_stabilises_from_every_configuration(kind: str, n: int) -> None:
    """Dijkstra 1974: K > n is more than enough for both daemons.

    Adding the same number to all values, modulo K, changes nothing, so process 0 may begin with 0.
    """
    k = n + 1
    base = resolved(K_STATE_RING, f"ring:{n}", parameters={"k": k}, daemon=Daemon(kind, p=0.6))
    names = base.network.processes
    for number, others in enumerate(itertools.product(range(k), repeat=n - 1)):
        values = (0, *others)
        start = Start(processes={name: {"count": value} for name, value in zip(names, values, strict=True)})
        experiment = base.experiment.with_(start=start, seed=number, stop=Stop(until=float(6 * n * n)), check=False)
        run = Simulator(type(base)(experiment, base.protocol, base.network, {"k": k}))
        run.run()
        assert len(run.configuration.enabled) == 1, values


def test_a_step_takes_the_time_set_by_the_daemon() -> None:
    step = Daemon("central", step=parse("constant(0.25)"))
    run = simulator(K_STATE_RING, "ring:4", daemon=step, stop=Stop(until=2.0))
    run.run()
    assert [each.time for each in run.trace.events()] == [0.25 * i for i in range(1, 9)]


def test_round_robin_visits_processes_in_turn() -> None:
    run = simulator(COLOURING, "ring:6", daemon=Daemon("round-robin"))
    run.run()
    moved = [int(str(each.process)) for each in run.trace.events()]
    assert moved[:3] == [0, 1, 2] and all((b - a) % 6 for a, b in itertools.pairwise(moved))


def test_an_adversary_keeps_most_processes_enabled() -> None:
    """No possible move would leave more enabled processes than the one it chooses."""
    run = simulator(K_STATE_RING, "ring:6", daemon=Daemon("adversarial"), start=Start(any=True), check=False)
    run.begin()
    rules = run.rules
    assert rules is not None
    for _ in range(20):
        for pair in rules.pairs:
            rules._outlooks.pop(pair, None)
        best = max(rules._try(pair) for pair in rules.pairs)
        before = len(rules.pairs)
        run.kernel.step()
        assert len(rules.pairs) - before == best
    slow = simulator(K_STATE_RING, "ring:6", daemon=Daemon("adversarial"), start=Start(any=True), stop=Stop(until=20.0))
    slow.run()
    checked(slow)


def test_the_user_daemon_moves_no_process_by_itself() -> None:
    result = simulator(K_STATE_RING, "ring:4", daemon=Daemon("user")).run()
    assert (result.events, result.stopped) == (0, "until")
    one = Network("one", ("0",), (), ("0",), delay=parse("constant(1)"))
    assert simulator(COLOURING, one, daemon=Daemon("user")).run().stopped == "quiescent"


def test_the_seed_determines_the_run() -> None:
    def fingerprint(**changes: Any) -> str:
        start = changes.pop("start", Start(any=True))
        return simulator(
            K_STATE_RING, "ring:7", start=start, stop=Stop(until=30.0), parameters={"k": 9}, **changes
        ).run().fingerprint  # fmt: skip

    assert fingerprint() == fingerprint() != fingerprint(seed=1)
    assert fingerprint() == fingerprint(variables=False)
    begun = [simulator(K_STATE_RING, "ring:7", start=Start(any=True, seed=s)) for s in (0, 0, 1)]
    for run in begun:
        run.begin()
    values = [[p.count for p in run.processes] for run in begun]
    assert values[0] == values[1] != values[2]


def test_runs_do_not_depend_on_hash_values(python_env: dict[str, str]) -> None:
    code = (
        "from tests.engine.rulebook import *; from lydian.model.experiment.daemon import *;"
        "run = simulator(COLOURING, 'gnm:12,30,seed=2', daemon=Daemon('distributed'), start=Start(any=True));"
        "print(run.run().fingerprint)"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env=python_env | {"PYTHONHASHSEED": seed}, capture_output=True, check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


def test_splitting_into_rounds_makes_no_difference() -> None:
    wanted = {"daemon": Daemon("distributed"), "start": Start(any=True), "stop": Stop(until=12.0)}
    whole = simulator(K_STATE_RING, "ring:6", **wanted).run()
    for options in ({"round_length": 0.7}, {"round_events": 3}):
        parts = Simulator(resolved(K_STATE_RING, "ring:6", **wanted), **options)  # type: ignore[arg-type]
        while parts.round():
            pass
        assert parts.result().fingerprint == whole.fingerprint


def test_the_enabled_set_is_maintained_correctly() -> None:
    """The maintained set equals the result of evaluating every guard, after each step."""
    run = simulator(COLOURING, "gnm:14,40,seed=5", daemon=Daemon("distributed"), start=Start(any=True))
    run.begin()
    while run.kernel.queue and run.kernel.counts()[0] < 200:
        run.kernel.step()
        assert run.configuration.enabled == [(p, rule) for p in run.processes for rule in p.enabled]
    assert not run.configuration.enabled and math.isfinite(run.now)


def test_a_daemon_with_zero_step_time_is_refused() -> None:
    with pytest.raises(Exception, match="must take some time on average"):
        Daemon("central", step=parse("constant(0)"))
