"""Self-stabilisation: convergence and closure, response, the play's failing scene, planted bugs."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.daemon import DAEMONS, Daemon, Start
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.network import Network
from lydian.trace.events import Trace

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
ONE_MOVES = ["central", "round-robin", "adversarial"]
MOVERS = [kind for kind in DAEMONS if kind != "user"]


def network_of(spec: str, order: str = "fifo") -> Network:
    found = from_spec(spec)
    return found.replace(initiators=(found.processes[0],), order=order)


def run(protocol: str, spec: str | Network, **more: Any) -> Result:
    return Simulator(experiment(protocol, spec, **more)).run()


def experiment(
    protocol: str, spec: str | Network, *, daemon: str = "central", start: Start | None = None,
    until: float | None = None, seed: int = 0, **parameters: Any,
) -> Experiment:  # fmt: skip
    network = network_of(spec) if isinstance(spec, str) else spec
    start = Start(any=True) if start is None else start
    stop = Stop(until=until)
    return Experiment(
        "t", protocol=protocol, network=network, parameters=parameters, seed=seed, daemon=Daemon(daemon), start=start,
        stop=stop,
    )  # fmt: skip


def verdicts(result: Result) -> dict[str, bool | None]:
    return {check.name: check.holds for check in result.checks}


def movers(trace: Trace) -> list[str]:
    """Return the processes that executed a rule, in order."""
    return [str(event.process) for event in trace.events() if event.kind == "rule"]


# ---------------------------------------------------------------------- the K-state ring and an independent model


def privileged(x: tuple[int, ...]) -> list[int]:
    """Return the processes privileged by Dijkstra's rule; process 0 leads, and its left neighbour is the last."""
    return [i for i in range(len(x)) if (x[i] == x[i - 1]) == (i == 0)]


def moved(x: tuple[int, ...], i: int, k: int) -> tuple[int, ...]:
    return (*x[:i], (x[0] + 1) % k if i == 0 else x[i - 1], *x[i + 1 :])


@pytest.mark.parametrize(("n", "k"), [(3, 2), (3, 4), (4, 3), (4, 5), (5, 4)])
def test_the_number_of_tokens_never_rises_and_one_moves_right(n: int, k: int) -> None:
    """The laws on the assignment sheet hold for every configuration and every move."""
    for x in product(range(k), repeat=n):
        now = privileged(x)
        assert now
        for i in now:
            after = privileged(moved(x, i, k))
            assert len(after) <= len(now)
            assert len(now) > 1 or after == [(i + 1) % n]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=3, max_size=6), st.integers(0, 99), st.sampled_from(MOVERS))
def test_the_protocol_makes_the_moves_of_the_model(x: list[int], seed: int, daemon: str) -> None:
    """From any counters and under any daemon, each moving process is privileged and changes as the model states."""
    n, k = len(x), 6
    start = Start(processes={str(i): {"x": each} for i, each in enumerate(x)})
    result = run("dijkstra-k-state", f"ring:{n}", daemon=daemon, start=start, until=40.0, seed=seed, k=k)
    trace, now = result.trace, tuple(x)
    by_time: dict[float, list[tuple[int, int]]] = {}
    for event in trace.events():
        if event.kind == "rule":
            by_time.setdefault(event.time, []).append((int(str(event.process)), (event.detail or {})["changed"]["x"]))
    for together in by_time.values():
        later = list(now)
        for i, value in together:
            assert i in privileged(now) and value == moved(now, i, k)[i]
            later[i] = value
        now = tuple(later)
    assert verdicts(result)["exactly one process has a token"] is True


@pytest.mark.parametrize("daemon", MOVERS)
def test_each_process_has_the_token_once_in_n_moves(daemon: str) -> None:
    result = run("dijkstra-k-state", "ring:5", daemon=daemon, until=200.0, k=6)
    assert verdicts(result) == dict.fromkeys(verdicts(result), True)
    who = movers(result.trace)[-25:]
    assert all(sorted(who[i : i + 5]) == list("01234") for i in range(20))


@settings(max_examples=10, deadline=None)
@given(st.integers(3, 7), st.integers(0, 50))
def test_unbounded_counters_stabilise_too(n: int, seed: int) -> None:
    result = run("dijkstra-k-state", f"ring:{n}", until=float(3 * n * n + 20), seed=seed, k=0)
    assert verdicts(result)["exactly one process has a token"] is True


@settings(max_examples=8, deadline=None)
@given(st.integers(3, 6), st.integers(0, 50))
def test_with_messages_any_counters_and_caches_stabilise(n: int, seed: int) -> None:
    """K >= 2 n and FIFO links: judged after n (T + D) time units and a margin for the speeches."""
    result = run("dijkstra-k-state-messages", f"ring:{n}", until=60.0 * n, seed=seed, k=4 * n, daemon="synchronous")
    assert verdicts(result) == dict.fromkeys(verdicts(result), True)


def test_messages_require_fifo_links() -> None:
    protocol = ARCHIVE.protocol("dijkstra-k-state-messages")
    assert "fifo" in " ".join(protocol.missing(network_of("ring:4", "unordered")))


# ---------------------------------------------------------------------- the play

STUCK = "nobody speaks on and on while nothing changes on its left"
ONE = "one at a time may speak"


def played(name: str) -> Result:
    return Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()


def test_act_3_starves_without_violating_safety() -> None:
    """(X1, X2, X3) = (0, 0, 3): there is always one speaker, and always the same one."""
    result = played("apples-act-3-stuck")
    assert set(movers(result.trace)) == {"Ben"}
    assert (verdicts(result)[ONE], verdicts(result)[STUCK]) == (True, False)
    mended = played("apples-act-4")
    assert verdicts(mended) == dict.fromkeys(verdicts(mended), True)
    assert {movers(mended.trace).count(who) for who in ("Lea", "Ana", "Ben")} <= {12, 13, 14}


def test_act_2_has_two_speakers_and_then_none() -> None:
    result = played("apples-act-2")
    assert verdicts(result)["at most one may speak"] is False
    spoke = [event.time for event in result.trace.events() if event.kind == "rule"]
    assert any(8 < t < 30 for t in spoke) and not any(t > 33 for t in spoke)
    assert verdicts(result)["there is exactly one apple"] is False


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=3, max_size=5), st.integers(0, 20))
def test_the_corrected_rule_lets_each_process_speak_from_any_configuration(baskets: list[int], seed: int) -> None:
    n = len(baskets)
    start = Start(processes={str(i): {"apples": each} for i, each in enumerate(baskets)})
    result = run("apples", f"ring:{n}", start=start, until=float(4 * n * n + 30), seed=seed)
    assert verdicts(result) == dict.fromkeys(verdicts(result), True)


def test_the_buggy_rule_starves_more_often_in_larger_rings() -> None:
    """Experiment 4 on the sheet, on a small scale: the fraction of random starts after which a process never speaks."""
    shares = []
    for n in (3, 6):
        stuck = [run("apples", f"ring:{n}", until=150.0, seed=s, rule="add").exit_code for s in range(24)]
        shares.append(sum(stuck) / len(stuck))
    assert 0 < shares[0] < shares[1] <= 1


# ---------------------------------------------------------------------- three states, tree, matching, colouring


@settings(max_examples=12, deadline=None)
@given(st.integers(3, 8), st.integers(0, 99))
def test_three_states_converge_to_one_privilege(n: int, seed: int) -> None:
    result = run("dijkstra-three-state", f"ring:{n}", until=float(8 * n * n), seed=seed)
    assert verdicts(result) == dict.fromkeys(verdicts(result), True)
    inner, rounds = movers(result.trace)[-4 * (n - 1) :], 2 * (n - 1)
    assert inner[:rounds] == inner[rounds:]  # the privilege moves up and down


NETWORKS = ["line:5", "ring:6", "star:6", "complete:5", "grid:3x3", "gnm:10,16,seed=4"]


@pytest.mark.parametrize(("spec", "daemon"), [*zip(NETWORKS, MOVERS * 2, strict=False), ("grid:3x3", "synchronous")])
def test_a_tree_forms_from_any_configuration_under_any_daemon(spec: str, daemon: str) -> None:
    import networkx as nx

    for seed in range(3):
        result = run("stabilising-tree", spec, daemon=daemon, seed=seed)
        assert result.exit_code == 0 and result.stopped == "quiescent"
        network = network_of(spec)
        graph = nx.Graph([(link.a, link.b) for link in network.links])
        truth = nx.single_source_shortest_path_length(graph, network.processes[0])
        assert final(result, "dist", network) == truth


def final(result: Result, variable: str, network: Network) -> dict[str, Any]:
    """Return the last value of a variable at each process."""
    variables = ARCHIVE.protocol(str(result.trace.experiment["protocol"])).variables
    found = dict.fromkeys(network.processes, variables[variable].initial)
    for event in result.trace.events():
        changed = (event.detail or {}).get("changed", {})
        if variable in changed:
            found[str(event.process)] = changed[variable]
    return found


@pytest.mark.parametrize(("spec", "daemon"), [*zip(NETWORKS, ONE_MOVES * 2, strict=True)])
def test_a_matching_is_maximal_and_found_in_few_moves(spec: str, daemon: str) -> None:
    for seed in range(3):
        network = network_of(spec)
        result = run("stabilising-matching", network, daemon=daemon, seed=seed)
        assert result.exit_code == 0 and result.stopped == "quiescent"
        partner = final(result, "partner", network)
        assert all(each is None or partner[each] == p for p, each in partner.items())
        assert all(partner[link.a] is not None or partner[link.b] is not None for link in network.links)
        assert len(movers(result.trace)) <= 2 * network.m + network.n


def test_a_matching_never_forms_if_all_processes_move_at_once() -> None:
    result = played("stabilising-matching-synchronous")
    assert set(verdicts(result).values()) == {None}
    assert len(movers(result.trace)) == 6 * 40


@pytest.mark.parametrize("spec", NETWORKS)
def test_a_colouring_takes_at_most_one_move_per_process(spec: str) -> None:
    for seed in range(3):
        network = network_of(spec)
        result = run("stabilising-colouring", network, seed=seed)
        assert result.exit_code == 0
        who = movers(result.trace)
        assert len(who) == len(set(who))
        colours = final(result, "colour", network)
        assert all(colours[link.a] != colours[link.b] for link in network.links)
        coin = run("stabilising-colouring", network, daemon="synchronous", seed=seed, coin=True)
        assert coin.exit_code == 0 and coin.stopped == "quiescent"


def test_without_a_coin_the_synchronous_daemon_never_ends() -> None:
    result = played("stabilising-colouring-synchronous")
    assert verdicts(result)["no process changes again and again"] is False


# ---------------------------------------------------------------------- planted bugs

#: Description -> protocol, the original text, its replacement, network, until.
BUGS: dict[str, tuple[str, str, str, str, float | None]] = {
    "the leader is like everybody else": (
        "dijkstra-k-state", "return self.initiator and self.x == self.see(self.left).x",
        "return self.initiator and self.x != self.see(self.left).x", "ring:4", 80.0,
    ),
    "it adds one instead of copying, modulo nothing": (
        "apples", "self.apples = self.see(self.left).apples if self.rule == \"equal\" else self.apples + 1",
        "self.apples += 1", "ring:4", 120.0,
    ),
    "the top does not ask the bottom": (
        "dijkstra-three-state", "self.top() and left == right and", "self.top() and", "ring:4", 80.0,
    ),
    "the root believes its neighbours": (
        "stabilising-tree", "if self.initiator or not self.neighbours", "if not self.neighbours", "line:3", 60.0,
    ),
    "nobody withdraws": (
        "stabilising-matching", "self.partner is not None and self.see", "False and self.see", "ring:6", None,
    ),
    "it takes a colour that is taken": (
        "stabilising-colouring", "if colour not in self.taken()", "if colour != self.colour", "complete:4", 60.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, spec, until = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    results = [run(str(path), spec, until=until, seed=s) for s in range(5)]
    assert any(False in verdicts(result).values() or None in verdicts(result).values() for result in results)
    honest = [run(name, spec, until=until, seed=s) for s in range(5)]
    assert all(set(verdicts(result).values()) == {True} for result in honest)
