"""Leader election compared with the literature: exact counts, bounds, the assignment sheet's table and its lessons."""

from __future__ import annotations

import math
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.names import natural
from lydian.model.network import Link, Network
from tests.strategies import DELAYS, connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
few = settings(max_examples=15)


def run(experiment: Experiment) -> tuple[Simulator, Result]:
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def hold(result: Result) -> None:
    assert result.error is None
    assert [check.name for check in result.checks if check.holds is not True] == []


def elect(protocol: str, network: Network, seed: int = 0, **parameters: object) -> tuple[Simulator, Result]:
    """Run a protocol on a network and require that all properties hold."""
    simulator, result = run(Experiment("t", protocol=protocol, network=network, seed=seed, parameters=parameters))
    hold(result)
    return simulator, result


def leaders(simulator: Simulator) -> list[str]:
    return [p._name for p in simulator.processes if p.state == "leader"]


def ring_of(names: list[str], starters: list[str], *, one_way: bool = True, delay: str = "constant(1)") -> Network:
    links = tuple(Link(a, b, directed=one_way) for a, b in zip(names, names[1:] + names[:1], strict=True))
    return Network("ring", tuple(names), links, tuple(starters), delay=parse(delay), order="fifo")


@st.composite
def rings(draw: st.DrawFn, least: int = 2, one_way: bool = True) -> Network:
    """Generate rings of 2 to 12 processes in any order, with any initiators and any delays."""
    names = draw(st.permutations([str(i) for i in range(draw(st.integers(least, 12)))]))
    starters = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    return ring_of(list(names), starters, one_way=one_way, delay=draw(st.sampled_from(DELAYS)))


def sent(result: Result, label: str) -> int:
    return sum(e.kind == "send" and e.label == label for e in result.trace.events())


# ---------------------------------------------------------------------- rings


@few
@given(rings())
def test_lelann_takes_one_round_for_each_starter(network: Network) -> None:
    simulator, result = elect("lelann", network)
    assert result.messages == len(network.initiators) * network.n
    assert leaders(simulator) == [max(network.initiators, key=natural)]


def steps_to_a_higher_one(network: Network) -> int:
    """Count how far the identifiers of all starters travel, each to the next higher starter, without a run."""
    names, n = network.processes, network.n
    total = 0
    for p in network.initiators:
        behind = [names[(names.index(p) + k) % n] for k in range(1, n + 1)]
        total += next(k for k, q in enumerate(behind, 1) if q in network.initiators and int(q) >= int(p))
    return total


@few
@given(rings(), st.sampled_from(["fifo", "unordered"]))
def test_chang_roberts_goes_to_the_next_higher_name_in_any_order(network: Network, order: str) -> None:
    simulator, result = elect("chang-roberts", network.replace(order=order))
    assert result.messages == steps_to_a_higher_one(network)
    assert leaders(simulator) == [max(network.initiators, key=natural)]


@pytest.mark.parametrize("n", [2, 3, 8, 12])
def test_chang_roberts_in_the_best_and_worst_cases(n: int) -> None:
    rising = [str(i) for i in range(n)]
    assert elect("chang-roberts", ring_of(rising, rising))[1].messages == 2 * n - 1
    assert elect("chang-roberts", ring_of(rising[::-1], rising))[1].messages == n * (n + 1) // 2


def test_chang_roberts_averages_n_times_the_harmonic_number_over_all_arrangements() -> None:
    rings = [ring_of(["0", *rest], ["0", *rest]) for rest in permutations("1234")]
    counts = [elect("chang-roberts", ring)[1].messages for ring in rings]
    assert sum(counts) / len(counts) == pytest.approx(5 * sum(1 / i for i in range(1, 6)))


@few
@given(rings())
def test_dolev_klawe_rodeh_needs_few_rounds(network: Network) -> None:
    simulator, result = elect("dolev-klawe-rodeh", network)
    rounds = max(p.round for p in simulator.processes)  # type: ignore[attr-defined]
    assert rounds <= math.floor(math.log2(len(network.initiators))) + 1
    assert result.messages == network.n * (2 * (rounds - 1) + 2)
    assert leaders(simulator) == [max(network.initiators, key=natural)]


@few
@given(rings())
def test_peterson_takes_one_message_for_each_process_and_phase(network: Network) -> None:
    simulator, result = elect("peterson-election", network)
    phases = max(p.phase for p in simulator.processes)  # type: ignore[attr-defined]
    carried = [int(p) for p in network.processes if p in network.initiators]
    for phase in range(1, phases):  # each survivor is higher than the one behind, then than the one ahead
        assert len(carried) > 1
        shifted = carried[-1:] + carried[:-1] if phase % 2 == 1 else carried[1:] + carried[:1]
        carried = [a for a, b in zip(carried, shifted, strict=True) if a > b]
    assert carried == [max(map(int, network.initiators))]
    assert leaders(simulator) == [str(carried[0])]
    assert result.messages == network.n * (phases + 1)


@few
@given(rings(least=3, one_way=False), st.sampled_from(["fifo", "unordered"]))
def test_hirschberg_sinclair_elects_on_two_way_rings_in_any_order(network: Network, order: str) -> None:
    simulator, result = elect("hirschberg-sinclair", network.replace(order=order))
    assert leaders(simulator) == [max(network.initiators, key=natural)]
    assert result.messages <= 8 * network.n * (1 + math.ceil(math.log2(network.n)))


@few
@given(rings(least=3, one_way=False), st.sampled_from(["fifo", "unordered"]))
def test_franklin_needs_two_messages_for_each_process_and_round(network: Network, order: str) -> None:
    simulator, result = elect("franklin", network.replace(order=order))
    competing, rounds = [p for p in network.processes if p in started(result)], 1
    while len(competing) > 1:  # those that are higher than both neighbours, computed without a run
        sides = zip(competing[-1:] + competing[:-1], competing[1:] + competing[:1], strict=True)
        higher = [int(p) > max(map(int, pair)) for p, pair in zip(competing, sides, strict=True)]
        competing, rounds = [p for p, is_higher in zip(competing, higher, strict=True) if is_higher], rounds + 1
    assert leaders(simulator) == competing
    assert result.messages == network.n * (2 * rounds + 1)


def started(result: Result) -> set[str | None]:
    """Return the processes that compete because no message had reached them before they started."""
    return {e.process for e in result.trace.events() if e.kind == "init" and e.state == "candidate"}


def test_the_cost_of_a_single_starter_of_hirschberg_sinclair() -> None:
    """Phases 0, 1, 2 reach 1, 2, 4 processes out and back on both sides; phase 3 would reach 8 and goes all the way
    round.
    """
    network = ring_of([str(i) for i in range(8)], ["3"], one_way=False)
    _, result = elect("hirschberg-sinclair", network)
    assert sent(result, "Probe") == 2 * (1 + 2 + 4) + 2 * 8
    assert sent(result, "Reply") == 2 * (1 + 2 + 4)


@few
@given(rings(), st.booleans(), st.integers(0, 999))
def test_itai_rodeh_elects_without_names(network: Network, ordered: bool, seed: int) -> None:
    nameless = network.replace(anonymous=True, order="fifo" if ordered else "unordered")
    simulator, _ = elect("itai-rodeh", nameless, seed, size=network.n)
    assert len(leaders(simulator)) == 1


def test_itai_rodeh_needs_few_levels_on_average() -> None:
    """At most e n / (n - 1) are expected; this test uses 60 seeds."""
    network = ring_of(list("012345"), list("012345")).replace(anonymous=True)
    levels = []
    for seed in range(60):
        simulator, _ = elect("itai-rodeh", network, seed, size=6)
        levels.append(max(p.level for p in simulator.processes))  # type: ignore[attr-defined]
    assert 1 < sum(levels) / len(levels) <= math.e * 6 / 5


@few
@given(rings(), st.booleans(), st.integers(0, 999))
def test_the_size_of_a_ring_is_found_without_names(network: Network, ordered: bool, seed: int) -> None:
    nameless = network.replace(anonymous=True, order="fifo" if ordered else "unordered")
    _, result = elect("itai-rodeh-size", nameless, seed, range=10**6)
    if len(network.initiators) == network.n:
        assert result.messages >= 2 * network.n  # two steps of every first token


def test_an_estimate_survives_only_if_the_identifiers_repeat_after_it() -> None:
    """On a ring of four with two identifiers this happens with probability 1/4 for the estimate 2 and 1/8 for 3."""
    network = ring_of(list("0123"), list("0123")).replace(anonymous=True)
    survived = {2: 0, 3: 0, 4: 0}
    for seed in range(200):
        experiment = Experiment("t", protocol="itai-rodeh-size", network=network, seed=seed, parameters={"range": 2})
        simulator, result = run(experiment)
        ids = [p.id for p in simulator.processes]  # type: ignore[attr-defined]
        (est,) = {p.est for p in simulator.processes}  # type: ignore[attr-defined]
        assert ids == ids[est % 4 :] + ids[: est % 4]
        drawn = {e.process: e.detail["changed"]["id"] for e in result.trace.events() if e.kind == "init" and e.detail}
        first = [drawn[p] for p in network.processes]
        assert (est == 2) == (first == first[2:] + first[:2])
        survived[est] += 1
    assert 40 <= survived[2] <= 60 and 10 <= survived[3] <= 35


def test_a_process_woken_after_a_token_passed_stays_out() -> None:
    names = list("01234")
    for protocol in ("lelann", "chang-roberts", "dolev-klawe-rodeh"):
        late = Intervention(3.5, "wake", process="4")
        experiment = Experiment("t", protocol=protocol, network=ring_of(names, ["2"]), workload=(late,))
        simulator, result = run(experiment)
        hold(result)
        assert leaders(simulator) == ["2"]


# ---------------------------------------------------------------------- any network


@few
@given(st.data())
def test_the_highest_of_simultaneous_waves_wins(data: st.DataObject) -> None:
    network = data.draw(connected_networks(most=9))
    starters = data.draw(st.lists(st.sampled_from(network.processes), min_size=1, unique=True))
    winner = data.draw(st.sampled_from(["highest", "lowest"]))
    simulator, result = elect("echo-election", network.replace(initiators=tuple(starters)), winner=winner)
    n, m, k = network.n, network.m, len(starters)
    assert leaders(simulator) == [(max if winner == "highest" else min)(starters, key=natural)]
    assert sent(result, "Leader") == 2 * m - n + 1
    assert 4 * m - 2 * n + 2 <= sent(result, "Broadcast") + sent(result, "Ack") <= k * (4 * m - 2 * n + 2)


@few
@given(st.data())
def test_late_starters_compete_only_where_no_wave_has_been_and_best_never_falls(data: st.DataObject) -> None:
    network = data.draw(connected_networks(most=9))
    times = st.floats(0, 5).map(lambda t: round(t, 2))
    wakes = tuple(Intervention(data.draw(times), "wake", process=p) for p in network.processes)
    simulator, result = run(Experiment("t", protocol="echo-election", network=network, workload=wakes))
    hold(result)
    (leader,) = leaders(simulator)
    best: dict[str, str] = {}
    starters = set()
    for event in result.trace.events():
        changes = (event.detail or {}).get("changed", {})
        if event.kind == "init" and event.state in ("candidate", "leader") and changes:
            starters.add(event.process)
        if "best" in changes:
            assert event.process is not None
            assert natural(changes["best"]) > natural(best.get(event.process, "")) or event.process not in best
            best[event.process] = changes["best"]
    assert leader in starters and leader == max(starters, key=natural)
    assert set(best.values()) >= {leader}


@few
@given(st.data())
def test_each_candidate_counts_all_votes_and_the_message_count_is_exact(data: st.DataObject) -> None:
    network = data.draw(connected_networks(most=9))
    starters = data.draw(st.lists(st.sampled_from(network.processes), min_size=1, unique=True))
    simulator, result = elect("voting-tally", network.replace(initiators=tuple(starters)))
    n, m, k = network.n, network.m, len(starters)
    assert result.messages == k * (4 * m - 2 * n + 2) + 2 * m - n + 1
    votes = [p.vote for p in simulator.processes]  # type: ignore[attr-defined]
    most = max(set(votes), key=lambda c: (votes.count(c), natural(c)))
    assert leaders(simulator) == [most]


@few
@given(st.data())
def test_a_majority_elects_although_a_minority_crashes(data: st.DataObject) -> None:
    n = data.draw(st.integers(3, 9))
    network = from_spec(f"complete:{n}")
    starters = data.draw(st.lists(st.sampled_from(network.processes), min_size=1, unique=True))
    dead = data.draw(st.lists(st.sampled_from(network.processes), max_size=(n + 1) // 2 - 1, unique=True))
    if set(starters) <= set(dead):
        dead = [p for p in dead if p != starters[0]]
    times = st.floats(0, 4).map(lambda t: round(t, 2))
    faults = tuple(Intervention(data.draw(times), "crash", process=p) for p in dead)
    _, result = run(
        Experiment(
            "t", protocol="voting-majority", network=network.replace(initiators=tuple(starters)), faults=faults,
            parameters={"size": n}, seed=data.draw(st.integers(0, 99)),
        )
    )  # fmt: skip
    assert result.stopped == "quiescent"
    hold(result)


def test_no_half_can_elect_until_the_partition_is_healed() -> None:
    experiment = ARCHIVE.experiment("voting-majority-partition")
    before, _ = run(experiment.with_(stop=Stop(until=59.0)))
    assert {p.leader for p in before.processes} == {None}  # type: ignore[attr-defined]
    after, result = run(experiment)
    hold(result)
    assert len({p.leader for p in after.processes}) == 1  # type: ignore[attr-defined]


def test_equal_timeouts_split_the_votes_for_ever_and_random_ones_do_not() -> None:
    experiment = ARCHIVE.experiment("voting-majority-equal")
    split, _ = run(experiment)
    assert max(p.term for p in split.processes) > 10 and leaders(split) == []  # type: ignore[attr-defined]
    other = {**experiment.parameters, "longest": 6.0}
    for seed in range(3):
        simulator, result = run(experiment.with_(parameters=other, seed=seed))
        assert result.stopped == "quiescent" and len(leaders(simulator)) == 1


# ---------------------------------------------------------------------- complete networks


@pytest.mark.parametrize("start", range(6))
def test_the_cost_of_bully_depends_on_the_position_of_the_starter(start: int) -> None:
    network = from_spec("complete:6").replace(initiators=(str(start),), delay=parse("constant(1)"))
    simulator, result = elect("bully", network)
    above = 6 - start  # the starter and the processes above it send requests to one another
    assert result.messages == above * (above - 1) + 5
    assert leaders(simulator) == ["5"]


@few
@given(st.data())
def test_bully_finds_the_highest_live_process(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 8))
    network = from_spec(f"complete:{n}")
    dead = data.draw(st.lists(st.sampled_from(network.processes), max_size=n - 1, unique=True))
    alive = [p for p in network.processes if p not in dead]
    faults = tuple(Intervention(0.0, "crash", process=p) for p in dead)
    network = network.replace(initiators=(data.draw(st.sampled_from(alive)),))
    simulator, result = run(Experiment("t", protocol="bully", network=network, faults=faults, breaks=("all",)))
    hold(result)
    assert leaders(simulator) == [max(alive, key=natural)]


@few
@given(st.data())
def test_afek_gafni_elects_a_starter_with_few_messages(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 12))
    network = from_spec(f"complete:{n}").replace(delay=parse(data.draw(st.sampled_from(DELAYS))))
    starters = data.draw(st.lists(st.sampled_from(network.processes), min_size=1, unique=True))
    simulator, result = elect("afek-gafni", network.replace(initiators=tuple(starters)), data.draw(st.integers(0, 99)))
    (leader,) = leaders(simulator)
    assert leader in starters
    if len(starters) == 1:  # without competitors: two messages for each captured process, and the announcement
        assert result.messages == 2 * (n // 2) + n - 1


# ---------------------------------------------------------------------- decisive cells


#: protocol, variables of b before the event, fields of the message from a -> state after it, messages it sends.
WAVE = {"state": "captured", "best": "bb", "parent": "c", "pending": ["a"]}
CELLS = {
    "a higher wave captures": ("echo-election", WAVE, ("Broadcast", "c"), "captured", ["Broadcast"]),
    "an equal wave is acknowledged": ("echo-election", WAVE, ("Broadcast", "bb"), "captured", ["Ack"]),
    "a lower wave is never acknowledged": ("echo-election", WAVE, ("Broadcast", "a"), "captured", []),
    "the last acknowledgement goes up": ("echo-election", WAVE, ("Ack", "bb"), "acked", ["Ack"]),
    "an acknowledgement of an old wave is dropped": ("echo-election", WAVE, ("Ack", "a"), "captured", []),
    "the leader is told once": ("echo-election", {**WAVE, "leader": "c"}, ("Leader", "c"), "informed", ["Leader"]),
    "who knows the leader is silent": ("echo-election", {**WAVE, "state": "informed"}, ("Leader", "c"), "informed", []),
    "a higher one beats": ("chang-roberts", {"state": "candidate", "best": "b"}, ("Token", "c"), "lost", ["Token"]),
    "a lower one ends here": ("chang-roberts", {"state": "candidate", "best": "b"}, ("Token", "a"), "candidate", []),
    "a loser stops lower ones": ("chang-roberts", {"state": "lost", "best": "c"}, ("Token", "a"), "lost", []),
    "a relay stops nobody": ("chang-roberts", {"state": "passive", "best": "c"}, ("Token", "a"), "passive", ["Token"]),
    "its own is back": ("chang-roberts", {"state": "candidate", "best": "b"}, ("Token", "b"), "leader", []),
}  # fmt: skip


@pytest.mark.parametrize("cell", CELLS)
def test_the_decisive_cells(cell: str) -> None:
    protocol, variables, (label, id), after, kinds = CELLS[cell]
    one_way = protocol == "chang-roberts"
    links = (Link("a", "b", directed=one_way), Link("b", "c", directed=one_way))
    if one_way:
        links = (*links, Link("c", "a", directed=True))
    network = Network("abc", ("a", "b", "c"), links, ("c",), delay=parse("constant(50)"))
    faults = [Intervention(1.0, "corrupt", process="b", variable=k, value=v) for k, v in variables.items()]
    forged = Intervention(2.0, "inject", link=("a", "b"), label=label, fields={"id": id})
    now = Intervention(3.0, "deliver", link=("a", "b"), label=label)
    everything = (*faults, forged, now)
    experiment = Experiment("t", protocol=protocol, network=network, faults=everything, breaks=("all",), check=False)
    _, result = run(experiment.with_(stop=Stop(until=4.0)))
    (event,) = [e for e in result.trace.events() if e.process == "b" and e.kind == "receive"]
    assert event.state == after
    assert [e.label for e in result.trace.events() if e.kind == "send" and e.cause == event.seq] == kinds
