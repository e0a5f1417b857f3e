"""Guarded actions compared with a loop that evaluates every guard before each step."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.engine.rules import chance
from lydian.engine.setup import make_processes
from lydian.engine.simulator import Simulator
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Resolved, Stop
from lydian.model.streams import stream_key
from tests.benchmarks.conftest import Report, interleaved
from tests.engine.rulebook import K_STATE_RING, resolved

N = 1000
STEPS = 20_000
NAIVE_STEPS = 400


def ring(kind: str, steps: int) -> Resolved:
    return resolved(
        K_STATE_RING, f"ring:{N}", parameters={"k": N + 1}, daemon=Daemon(kind), start=Start(any=True),
        stop=Stop(events=N + steps),
    )  # fmt: skip


def counts(processes: Any) -> list[int]:
    return [p.count for p in processes]


def naive(made: Resolved, steps: int) -> Any:
    """Run the same processes under the same central daemon, evaluating all guards for each step."""
    ready = Simulator(made, check=False)
    ready.begin()
    processes = make_processes(made.protocol, made.network, made.parameters, None)
    for p, q in zip(processes, ready.processes, strict=True):
        p.count = q.count  # type: ignore[attr-defined]
    draw = chance(stream_key(made.experiment.seed, "daemon"))
    rules = made.protocol.rules

    def run() -> list[int]:
        for _ in range(steps):
            pairs = [(p, rule) for p in processes for rule in rules if rule.applies(p)]
            p, rule = pairs[int(draw() * len(pairs))]
            rule.action(p)
        return counts(processes)

    return run


@pytest.mark.parametrize("kind", ["central", "round-robin", "distributed", "synchronous", "adversarial"])
def test_rules_per_second(kind: str, report: Report) -> None:
    short, long = ring(kind, NAIVE_STEPS), ring(kind, STEPS)

    def ours(variables: bool) -> Any:
        simulator = Simulator(long, variables=variables, check=False)
        simulator.begin()

        def run() -> None:
            simulator._advance(None)
            assert simulator.kernel.counts()[0] >= N + STEPS

        return run

    variants: dict[str, Any] = {"variables": lambda: ours(True), "ours": lambda: ours(False)}
    if kind == "central":
        same = Simulator(short, check=False)
        same._advance(None)
        assert counts(same.processes) == naive(short, NAIVE_STEPS)()  # the same execution
        variants["naive"] = lambda: naive(short, NAIVE_STEPS)
    seconds = interleaved(variants, 3)
    report.add(f"rules on ring:{N}, {kind}: steps/s", STEPS / seconds["ours"], "1/s", "at least 20,000 on two cores")
    report.add(f"rules on ring:{N}, {kind}: steps/s, recording variables", STEPS / seconds["variables"], "1/s")
    if kind == "central":
        ratio = (STEPS / seconds["ours"]) / (NAIVE_STEPS / seconds["naive"])
        report.add(f"rules on ring:{N}: times as fast as looking at all guards", ratio, "", "at least 20")
        assert ratio >= 20
