"""Kademlia: lookups find the closest process in a logarithmic number of steps, and planted bugs are caught."""

from __future__ import annotations

from functools import partial
from math import log2
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.circle import identifier
from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from tests.archive.ran import once

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=12, deadline=None)


def run(n: int, protocol: str = "kademlia", **words: Any) -> tuple[Simulator, Result]:
    network = from_spec(f"isolated:{n}")
    network = network.replace(initiators=words.pop("starts", network.processes))
    simulator = Simulator(Experiment("t", protocol=protocol, network=network, **words).resolve(ARCHIVE))
    return simulator, simulator.run()


@FEW
@given(st.integers(1, 40), st.integers(0, 99), st.integers(1, 4), st.integers(1, 3))
def test_the_closest_process_is_found(n: int, seed: int, k: int, alpha: int) -> None:
    _, result = run(n, seed=seed, parameters={"k": k, "alpha": alpha})
    assert result.exit_code == 0 and len(result.decided) == n


@pytest.mark.parametrize("n", [16, 64, 128])
def test_steps_are_logarithmic(n: int) -> None:
    own = run(n, parameters={"bits": 20, "k": 2})[1].measures["own"]
    assert own["mean number of steps"] <= log2(n) / 2
    assert own["mean number of processes asked"] <= log2(n)


def test_a_key_is_looked_up_on_command() -> None:
    workload = tuple(Intervention(1.0 + 30 * i, "command", process="0", label="Lookup", fields={"key": key})
                     for i, key in enumerate((0, 1000, 4095)))  # fmt: skip
    for key, given_ in zip((0, 1000, 4095), workload, strict=True):
        _, result = run(20, starts=(), workload=(given_,))
        closest = min(map(str, range(20)), key=lambda q: identifier(q, 12) ^ key)
        assert result.exit_code == 0 and result.decided == {"0": closest}


@FEW
@given(st.integers(8, 24), st.integers(0, 99), st.integers(0, 7))
def test_lookups_avoid_a_crashed_process(n: int, seed: int, crashed: int) -> None:
    crash = Intervention(0.0, "crash", process=str(crashed))
    _, result = run(n, seed=seed, parameters={"k": 4, "alpha": 2}, faults=(crash,))
    assert result.exit_code == 0


def test_a_crash_hides_a_part_if_buckets_have_one_contact() -> None:
    result = once(ARCHIVE.experiment("kademlia-one"))[1]
    assert [check.name[:44] for check in result.violated] == ["each lookup has found the process that is cl"]


def apart(key: int, q: str) -> int:
    return identifier(q, 12) ^ key


#: Description -> the right text, the wrong text.
BUGS = {
    "the distance is that of numbers": (
        "return identifier(q, bits) ^ key, natural(q)", "return abs(identifier(q, bits) - key), natural(q)",
    ),
    "a lookup stops at the first answer": (
        "        if not self.silent:\n", "        if not self.silent or len(self.asked) > 0:\n",
    ),
    "the nearest contacts are random": ("return sorted(known, key=lambda q: distance(q, key, self.bits))[: self.k]",
                                        "return known[: self.k]"),
    "the first bit is not covered": (
        "self.contacts = buckets(self)", "self.contacts = dict(list(buckets(self).items())[:-1])",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    source = ARCHIVE.protocol("kademlia").source
    assert source.count(right) == 1
    path = tmp_path / "kademlia.py"
    path.write_text(source.replace(right, wrong))
    if "numbers" in bug:  # the property measures with the same function, so the true distances decide
        simulator, _ = run(24, str(path), parameters={"k": 1})
        found: list[Any] = [p for p in simulator.processes if p.result is not None]  # type: ignore[attr-defined]
        names = list(map(str, range(24)))
        closest = [min(names, key=partial(apart, p.key)) for p in found]
        assert [p.result for p in found] != closest
    else:
        assert any(run(24, str(path), seed=seed, parameters={"k": 1})[1].exit_code != 0 for seed in range(10))
