"""Replicated data types: copies become equal on any network and in every schedule, and planted bugs are caught."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network
from tests.archive.ran import once
from tests.strategies import connected_networks

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=12, deadline=None)
TYPES = ("g-counter", "pn-counter", "or-set", "rga")


def simulated(name: str, network: Network, **words: Any) -> Simulator:
    return Simulator(Experiment("t", protocol=name, network=network, **words).resolve(ARCHIVE))


def hold(result: Result) -> None:
    assert result.error is None and result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is not True] == []


@FEW
@given(st.sampled_from(TYPES), connected_networks(most=7), st.integers(0, 99), st.integers(1, 2))
def test_copies_become_equal_on_any_network(name: str, net: Network, seed: int, repeats: int) -> None:
    network = net.replace(initiators=net.processes, order="unordered", duplication=0.3)
    hold(simulated(name, network, seed=seed, parameters={"repeats": repeats}, breaks=("reliable",)).run())


@FEW
@given(st.sampled_from(TYPES), st.integers(0, 99))
def test_copies_become_equal_after_losses_and_a_partition(name: str, seed: int) -> None:
    network = from_spec("complete:5").replace(initiators=tuple("01234"), loss=0.3)
    wall = Intervention(1.0, "partition", groups=(("0", "1"), ("2", "3", "4")), until=6.0)
    parameters = {"repeats": 8, "pause": 1.0}
    hold(simulated(name, network, seed=seed, parameters=parameters, faults=(wall,), breaks=("reliable",)).run())


def user(time: float, process: str, label: str, **fields: object) -> Intervention:
    return Intervention(time, "command", process=process, label=label, fields=fields)


#: Concurrent operations of users for each type, at most two.
CONCURRENT = {
    "g-counter": (user(1, "0", "Increment"), user(1, "1", "Increment")),
    "pn-counter": (user(1, "0", "Increment"), user(1, "1", "Decrement")),
    "or-set": (user(1, "0", "Add", element="a"), user(2, "0", "Remove", element="a"), user(1, "1", "Add", element="a")),
    "rga": (user(1, "0", "Type", letter="a", position=0), user(1, "1", "Type", letter="b", position=0)),
}


@pytest.mark.parametrize("name", TYPES)
def test_copies_become_equal_in_every_schedule(name: str) -> None:
    network = from_spec("line:2").replace(initiators=(), order="unordered")
    experiment = Experiment("t", protocol=name, network=network, parameters={"repeats": 1}, workload=CONCURRENT[name])
    result = Explorer(experiment, states=60_000).run()
    assert [each for each in result.findings if each.holds is not True] == []
    assert result.complete


def text_after(*operations: Intervention) -> list[str]:
    """Return the texts of three processes in a line after the operations of their users."""
    network = from_spec("line:3").replace(initiators=())
    simulator = simulated("rga", network, workload=operations)
    hold(simulator.run())
    return [p.shown for p in simulator.processes]  # type: ignore[attr-defined]


def test_concurrent_words_are_not_mixed() -> None:
    """Both words are typed at the beginning; the one whose letters have the larger name comes first."""
    first = [user(1 + i / 10, "0", "Type", letter=letter, position=i) for i, letter in enumerate("cat")]
    second = [user(1 + i / 10, "2", "Type", letter=letter, position=i) for i, letter in enumerate("dog")]
    assert text_after(*first, *second) == ["dogcat"] * 3


def test_a_character_may_be_inserted_after_one_that_is_erased() -> None:
    both = user(20, "0", "Erase", position=0), user(20, "2", "Type", letter="b", position=1)
    assert text_after(user(1, "1", "Type", letter="a", position=0), *both) == ["b"] * 3


#: Experiment -> a sentence that is violated.
BROKEN = {
    "g-counter-sum": "no process counts an increment that was not made",
    "g-counter-lost": "convergence",
    "pn-counter-one-table": "a process counts all of its own",
    "or-set-value": "a process shows an element exactly if",
    "rga-arrival": "strong eventual consistency",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_rule_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert result.exit_code == 1
    assert any(BROKEN[name] in check.name for check in result.violated)


#: Description -> the protocol, the right text, the wrong text.
BUGS = {
    "a table replaces the own one": ("g-counter", "self.counts[r] = max(here, count) if", "self.counts[r] = count if"),
    "any entry is incremented": (
        "g-counter", "self.counts[self.me] = self.counts.get(self.me, 0) + 1",
        "self.counts[self.neighbours[0]] = self.counts.get(self.neighbours[0], 0) + 1",
    ),
    "decrements are not merged": ("pn-counter", "        merge(self.downs, m.downs)\n", ""),
    "tags are used again": ("or-set", "{len(self.did) + 1}", "1"),
    "a removal is forgotten": ("or-set", "        self.gone |= m.gone\n", ""),
    "a removal takes all later tags": ("or-set", "tag not in self.gone and e not in self.gone})",
                                       "e not in {t[0] for t in self.gone}})"),
    "identifiers are compared without names": ("rga", "return x[0], natural(x[1])", "return x[0]"),
    "the clock does not follow": ("rga", "        self.time = max(self.time, x[0])\n", ""),
    "an erased character leaves no tombstone": (
        "rga", "            self.erased.add(a)\n",
        "            self.text = [each for each in self.text if each[:2] != a]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    network = from_spec("complete:4").replace(initiators=tuple("0123"))
    results = (simulated(str(path), network, seed=seed, stop=Stop(events=3000)).run() for seed in range(20))
    assert any(result.exit_code != 0 for result in results)
