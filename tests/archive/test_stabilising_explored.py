"""Self-stabilisation for every configuration and every choice of a daemon, in tiny networks."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.model.archive.archive import Archive
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)

#: The sheet's table: processes -> the least K that stabilises if one process moves at a time, and if several may.
LEAST = {3: (2, 3), 4: (3, 4)}


def explored(protocol: str, spec: str, daemon: str = "central", **parameters: object) -> Exploration:
    network = from_spec(spec)
    network = network.replace(initiators=(network.processes[0],))
    given = {"parameters": parameters, "daemon": Daemon(daemon), "start": Start(any=True)}
    return Explorer(Experiment("t", protocol=protocol, network=network, **given)).run()


def outcome(result: Exploration, sort: str) -> bool | None:
    return next(each.holds for each in result.findings if each.kind == sort)


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in LEAST for k in (2, 3, 4)])
@pytest.mark.parametrize("daemon", ["central", "distributed"])
def test_the_least_number_of_values(n: int, k: int, daemon: str) -> None:
    """Experiment 2 on the sheet: the ring stabilises, or a cycle is found."""
    result = explored("dijkstra-k-state", f"ring:{n}", daemon, k=k)
    assert result.complete and result.configurations == k**n
    assert outcome(result, "always") is True
    assert outcome(result, "eventually") is (k >= LEAST[n][daemon == "distributed"])


def test_five_processes_with_three_and_four_values() -> None:
    assert outcome(explored("dijkstra-k-state", "ring:5", k=3), "eventually") is False
    assert outcome(explored("dijkstra-k-state", "ring:5", k=4), "eventually") is True
    assert outcome(explored("dijkstra-k-state", "ring:5", "distributed", k=5), "eventually") is True


def test_the_endless_schedule_is_shown_and_replayed() -> None:
    result = explored("dijkstra-k-state", "ring:4", k=2)
    shown = next(each.counterexample for each in result.findings if each.kind == "eventually")
    assert shown is not None and shown.loop is not None and shown.replayed


def longest(n: int, k: int) -> int:
    """Return the most moves until there is one token, by an independent search (central daemon)."""

    def may(x: tuple[int, ...]) -> list[int]:
        return [i for i in range(n) if (x[i] == x[i - 1]) == (i == 0)]

    def after(x: tuple[int, ...], i: int) -> tuple[int, ...]:
        return (*x[:i], (x[0] + 1) % k if i == 0 else x[i - 1], *x[i + 1 :])

    todo = {x for x in product(range(k), repeat=n) if len(may(x)) > 1}
    rounds = 0
    while todo:  # each round removes the configurations whose every move leads to the rest
        done = {x for x in todo if all(after(x, i) not in todo for i in may(x))}
        assert done, "a cycle"
        todo -= done
        rounds += 1
    return rounds


def test_the_worst_number_of_moves_grows_quadratically() -> None:
    found = [longest(n, n) for n in (3, 4, 5)]
    assert found == [2, 13, 24]
    assert found[1:] == [3 * n * (n - 1) // 2 - n - 1 for n in (4, 5)]  # the known bound for n > 3


@pytest.mark.parametrize(("n", "daemon"), [(3, "central"), (4, "central"), (5, "central")])
def test_three_states_stabilise_under_any_daemon(n: int, daemon: str) -> None:
    result = explored("dijkstra-three-state", f"ring:{n}", daemon)
    assert result.complete and result.configurations == 3**n
    assert [each.holds for each in result.findings if each.kind != "messages"] == [True, True]


@pytest.mark.parametrize("daemon", ["central", "synchronous", "distributed"])
def test_a_tree_forms_under_every_daemon(daemon: str) -> None:
    result = explored("stabilising-tree", "ring:3", daemon)
    assert result.complete
    assert False not in [each.holds for each in result.findings]
    assert outcome(result, "eventually") is True and outcome(result, "at_end") is True


@pytest.mark.parametrize(("spec", "daemon", "holds"), [
    ("line:4", "central", True), ("ring:4", "central", True), ("ring:4", "synchronous", False),
    ("complete:3", "distributed", False),
])  # fmt: skip
def test_a_matching_needs_a_central_daemon(spec: str, daemon: str, holds: bool) -> None:
    result = explored("stabilising-matching", spec, daemon)
    assert result.complete and outcome(result, "eventually") is holds
    assert outcome(result, "at_end") is True
