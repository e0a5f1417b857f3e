"""Anti-entropy and push-sum: the rates of the papers, conservation of mass, and planted bugs."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from tests.archive.ran import once

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=8, deadline=None)


def simulated(name: str, n: int, **words: Any) -> tuple[Simulator, Result]:
    network = from_spec(f"isolated:{n}")
    network = network.replace(initiators=network.processes)
    simulator = Simulator(Experiment("t", protocol=name, network=network, **words).resolve(ARCHIVE))
    return simulator, simulator.run()


def left(way: str, n: int, informed: int) -> float:
    """Return the mean number of processes that lack the entry after one exchange."""
    parameters = {"way": way, "informed": informed, "exchanges": 1}
    numbers: list[float] = [
        simulated("anti-entropy", n, seed=seed, parameters=parameters)[1].measures["own"][
            "processes without the newest entries"
        ]
        for seed in range(30)
    ]
    return mean(numbers)


@pytest.mark.parametrize("lacking", [10, 20])
def test_the_share_that_lacks_an_entry_shrinks_as_in_the_paper(lacking: int) -> None:
    """With push, each of the others misses a process with the probability 1 - 1/(n - 1); with pull, it asks one."""
    n = 60
    missed = lacking * (1 - 1 / (n - 1)) ** (n - lacking)
    asked = lacking * (lacking - 1) / (n - 1)
    assert left("push", n, n - lacking) == pytest.approx(missed, rel=0.2)
    assert left("pull", n, n - lacking) == pytest.approx(asked, rel=0.35)


@FEW
@given(st.sampled_from(["push", "pull", "push-pull"]), st.integers(2, 20), st.integers(0, 99))
def test_messages_of_anti_entropy(way: str, n: int, seed: int) -> None:
    _, result = simulated("anti-entropy", n, seed=seed, parameters={"way": way, "exchanges": 16})
    assert result.exit_code == 0
    sent = {label: kind["sent"] for label, kind in result.measures["by_kind"].items()}
    begun = {"push": "Push", "pull": "Ask", "push-pull": "Exchange"}[way]
    assert set(sent) <= {begun, "Answer"}
    assert sent[begun] == n * 16 if way != "push" else sent[begun] <= n * 16
    assert sent.get("Answer", 0) <= n * 16


@FEW
@given(st.lists(st.integers(0, 1000), min_size=2, max_size=16), st.integers(0, 99), st.booleans())
def test_push_sum_computes_the_average_or_the_sum(numbers: list[int], seed: int, add: bool) -> None:
    parameters = {"inputs": " ".join(map(str, numbers)), "turns": 60, "aggregate": "sum" if add else "average"}
    simulator, result = simulated("push-sum", len(numbers), seed=seed, parameters=parameters)
    assert result.exit_code == 0
    right = sum(numbers) if add else mean(numbers)
    assert [p.estimate for p in simulator.processes] == pytest.approx([right] * len(numbers), rel=1e-3)  # type: ignore[attr-defined]
    assert result.messages == 60 * len(numbers)


#: Experiment -> a sentence that is violated.
BROKEN = {
    "anti-entropy-few": "all processes have the newest entry",
    "push-sum-lost": "conservation of mass: the sums",
    "push-sum-crash": "conservation of mass: the sums",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert result.exit_code == 1
    assert any(BROKEN[name] in check.name for check in result.violated)


#: Description -> the protocol, the right text, the wrong text.
BUGS = {
    "the newest arrival wins": ("anti-entropy", "if age(entry) > age(self.database.get(key)):\n                self",
                                "if True:\n                self"),
    "a process pushes only what it wrote": ("anti-entropy", "self.send(Exchange(dict(self.database)), to=partner)",
                                            "self.send(Exchange({}), to=self.everybody[0])"),
    "a process keeps its weight": ("push-sum", "self.s, self.w = self.s / 2, self.w / 2", "self.s = self.s / 2"),
    "a share replaces the sum": ("push-sum", "self.s += m.s", "self.s = m.s"),
    "only the first share is added": ("push-sum", "for m, _ in received:", "for m, _ in received[:1]:"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    writes = ARCHIVE.experiment("anti-entropy-stamps").workload if name == "anti-entropy" else ()
    network = ARCHIVE.network("bins-12")
    for seed in range(10):
        experiment = Experiment("t", protocol=str(path), network=network, seed=seed, workload=writes)
        if Simulator(experiment.resolve(ARCHIVE)).run().exit_code != 0:
            return
    raise AssertionError("no run failed")
