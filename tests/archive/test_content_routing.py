"""Leased content-based routing: always right without faults, right again in time after any, at the published cost."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.experiment.traffic import Traffic
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network
from lydian.trace.timeline import Timeline

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
SOURCE = ARCHIVE.protocol("content-routing").source
ALGORITHMS = ("flooding", "simple", "identity", "covering", "merging")
LEAVES = tuple(str(i) for i in range(40, 121))
LONGEST = 0.6  # of the delays in the small networks
#: A further property of a copy of the protocol: tables are right from a given time on.
LATE = (
    "\n\nfrom lydian import always\nfrom .properties import legitimate\n\n\n"
    '@always("in time")\ndef in_time(c):\n    return c.time < {} or legitimate(c)\n'
)

algorithms, kinds, seeds = st.sampled_from(ALGORITHMS), st.booleans(), st.integers(0, 9999)


def tree(n: int, seed: int, delay: str = f"uniform(0.2, {LONGEST})") -> Network:
    """Generate a random tree whose names increase from its root 0; all processes start."""
    chance = random.Random(seed)
    plain = from_spec(f"line:{n}")
    links = tuple(type(plain.links[0])(str(chance.randrange(i)), str(i)) for i in range(1, n))
    return plain.replace(links=links, initiators=plain.processes, delay=parse(delay), order="fifo")


def command(time: float, process: str, label: str, **fields: Any) -> Intervention:
    return Intervention(time, "command", process=process, label=label, fields=fields)


def wishes(network: Network, seed: int, until: float, wide: int = 3) -> tuple[Intervention, ...]:
    """Generate clients that come, some that leave, and publications, at random."""
    chance, found = random.Random(seed), []
    for _ in range(10):
        time, p, low = chance.uniform(0, 0.7 * until), chance.choice(network.processes), chance.randint(0, 8)
        found.append(command(time, p, "Subscribe", low=low, high=low + chance.randint(0, wide)))
        if chance.random() < 0.5:
            found.append(command(time + chance.uniform(0.1, 15), p, "Unsubscribe"))
        found.append(
            command(chance.uniform(0, until), chance.choice(network.processes), "Publish", value=chance.randint(0, 9))
        )
    return tuple(sorted(found, key=lambda each: each.time))


def run(
    network: Network, workload: Any = (), faults: Any = (), protocol: str = "content-routing", **words: Any
) -> Result:
    parameters = {"lease": 10.0, "renewal": 5.0, "periods": 5, **words}
    seed = parameters.pop("seed", 0)
    experiment = Experiment(
        "t", protocol=protocol, network=network, workload=workload, faults=faults, parameters=parameters, seed=seed
    )
    result = Simulator(experiment.resolve(ARCHIVE)).run()
    assert result.error is None
    return result


def check(result: Result, start: str) -> Any:
    return next(each for each in result.checks if each.name.startswith(start))


# ---------------------------------------------------------------------- without faults


@settings(max_examples=8, deadline=None)
@given(algorithms, kinds, st.integers(2, 10), seeds)
def test_without_a_fault_tables_are_always_right(algorithm: str, hierarchical: bool, n: int, seed: int) -> None:
    network = tree(n, seed)
    result = run(network, wishes(network, seed, 45), algorithm=algorithm, hierarchical=hierarchical, seed=seed)
    assert (result.exit_code, result.stopped) == (0, "quiescent")


def delivered(result: Result) -> list[tuple[str, str]]:
    """Return (notification, client), as often as it occurred."""
    texts = [str((e.detail or {})["value"]) for e in result.trace.events() if e.kind == "deliver"]
    return [(text.split(" to ")[0], client) for text in texts for client in text.split(" to ")[1].split(", ")]


@settings(max_examples=8, deadline=None)
@given(algorithms, kinds, st.integers(2, 10), seeds)
def test_subscribers_and_no_others_receive_each_publication_once(
    algorithm: str, hierarchical: bool, n: int, seed: int
) -> None:
    network = tree(n, seed)
    work = wishes(network, seed, 45)
    found = delivered(run(network, work, algorithm=algorithm, hierarchical=hierarchical, seed=seed))
    assert len(found) == len(set(found))
    settling = (n - 1) * LONGEST  # every path has settled by then
    lives: dict[str, tuple[float, float, int, int]] = {}
    counts: dict[tuple[str, str], int] = {}
    here: dict[str, list[str]] = {}
    news = []
    for each in work:
        p = str(each.process)
        label = str(each.label)
        number = counts[p, label] = counts.get((p, label), 0) + 1
        if each.label == "Subscribe":
            lives[f"{p}.{number}"] = each.time, 1e9, each.fields["low"], each.fields["high"]
            here.setdefault(p, []).append(f"{p}.{number}")
        elif each.label == "Unsubscribe" and here.get(p):
            client = here[p].pop()
            lives[client] = lives[client][0], each.time, *lives[client][2:]
        elif each.label == "Publish":
            news.append((f"{p}/{number}", each.time, each.fields["value"]))
    for name, time, value in news:
        got = {client for n, client in found if n == name}
        wanted = {c: life[:2] for c, life in lives.items() if life[2] <= value <= life[3]}
        may = {c for c, (begin, end) in wanted.items() if begin <= time + settling and time <= end}
        must = {c for c in may if lives[c][0] + settling < time and time + settling < lives[c][1]}
        assert must <= got <= may


def test_flooding_uses_each_link_once_and_routing_at_least_the_path_up() -> None:
    publish = tuple(command(float(i), LEAVES[7 * i], "Publish", value=i) for i in range(5))
    network = ARCHIVE.network("brokers-121")
    assert run(network, publish, algorithm="flooding", hierarchical=True).messages == 120 * 5
    routed = run(network, publish, hierarchical=True)
    assert routed.messages == 4 * 5
    assert routed.measures["own"]["saved"] == 116  # 116,000 per second for 1,000 notifications, 4,000 below the total


def test_only_simple_routing_works_with_any_phases() -> None:
    def lost(seed: int, algorithm: str) -> int:
        network = tree(8, seed, "uniform(0.2, 0.6)")
        work = tuple(command(1 + 0.9 * i, str(i), "Subscribe", low=3) for i in range(8))
        return run(network, work, algorithm=algorithm, in_phase=False, periods=6, renewal=6.0, seed=seed).exit_code

    assert [lost(seed, "simple") for seed in range(2)] == [0] * 2
    assert any(lost(seed, "identity") for seed in range(6))


def test_the_published_timing_condition_suffices_only_for_simple_routing() -> None:
    narrow = ARCHIVE.experiment("content-routing-narrow")  # constant delays: 10 > 9.9 + 4 * (1 - 1)

    def code(**changes: Any) -> int:
        parameters = {**narrow.parameters, **changes}
        return Simulator(narrow.with_(parameters=parameters).resolve(ARCHIVE)).run().exit_code

    assert code() == 1
    assert code(algorithm="simple") == 0
    assert code(renewal=5.9) == 0  # 10 > 5.9 + 4 * 1


# ---------------------------------------------------------------------- after faults


def corrupted(network: Network, seed: int, time: float) -> tuple[Intervention, ...]:
    """Return a run with arbitrary tables and flags at every broker, and half of the clocks wrong."""
    chance, found = random.Random(seed), []
    for p in network.processes:
        table = {}
        for k in range(chance.randint(0, 5)):
            low, to = chance.randint(0, 9), chance.choice([*network.neighbours(p), f"{p}.1", f"{p}.2"])
            name = f"x{k}" if chance.random() < 0.6 else f"{chance.choice(network.processes)}.1"
            table[name] = [low, low + chance.randint(0, 3), to, chance.randint(0, 1)]
        found.append(Intervention(time, "corrupt", process=p, variable="table", value=table))
        if chance.random() < 0.5:
            found.append(Intervention(time, "hurry", process=p, label="Overrun"))
    return tuple(found)


def healed(tmp: Path, algorithm: str, seed: int, bound: float, source: str = SOURCE, **words: Any) -> bool:
    """Return whether the tables are right from ``bound`` time units after the fault at 23."""
    network = tree(7, seed)
    path = tmp / "content-routing-late.py"
    path.write_text(source + LATE.format(23 + bound + 1e-6), encoding="utf-8")
    result = run(
        network, wishes(network, seed, 20), corrupted(network, seed, 23.0), str(path),
        algorithm=algorithm, periods=8, seed=seed, **words,
    )  # fmt: skip
    assert check(result, "eventually").holds is True
    return bool(check(result, "in time").holds)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(algorithms, kinds, seeds)
def test_tables_recover_in_time_from_any_corruption(
    tmp_path_factory: pytest.TempPathFactory, algorithm: str, hierarchical: bool, seed: int
) -> None:
    bound = (3 if algorithm == "covering" else 2) * 10.0 + 6 * LONGEST
    assert healed(tmp_path_factory.mktemp("late"), algorithm, seed, bound, hierarchical=hierarchical)


def test_with_covering_the_published_bound_is_violated() -> None:
    """An invented cover suppresses the filters it covers until it expires; only the next renewal restores them."""
    network = tree(3, 0)
    network = network.replace(links=tuple(type(network.links[0])(a, b) for a, b in ("01", "12")))
    faults = (
        Intervention(20.01, "corrupt", process="0", variable="table", value={}),
        Intervention(20.01, "corrupt", process="1", variable="table",
                     value={"x": [2, 4, "1.9", 1], "2.1": [3, 3, "2", 1]}),
    )  # fmt: skip
    found = {}
    for algorithm in ("identity", "covering"):
        result = run(network, (command(4.0, "2", "Subscribe", low=3),), faults, algorithm=algorithm, periods=8)
        good = check(result, "eventually")
        assert good.holds is True
        found[algorithm] = result.trace.rows["time"][good.at] - 20.01
    assert found["identity"] < 2 * 10 + 2 * LONGEST < found["covering"] < 3 * 10 + 2 * LONGEST


def test_the_bound_is_not_much_too_long(tmp_path: Path) -> None:
    assert not all(healed(tmp_path, "identity", seed, 1.6 * 10.0) for seed in range(6))


@pytest.mark.parametrize(("name", "fault"), [("corrupt", 24.0), ("forged", 19.0), ("crash", 38.0)])
def test_the_demonstrations_recover_in_time(name: str, fault: float) -> None:
    result = Simulator(ARCHIVE.experiment(f"content-routing-{name}").resolve(ARCHIVE)).run()
    assert check(result, "routing tables").holds is False
    good = check(result, "eventually")
    assert good.holds is True
    assert fault < result.trace.rows["time"][good.at] <= fault + 2 * 20 + 4 * 1.5


def test_a_deleted_entry_is_missing_until_its_renewal() -> None:
    run = Timeline(Simulator(ARCHIVE.experiment("content-routing-corrupt").resolve(ARCHIVE)).run().trace)
    missing = [run.variable_at("missing", run.count(t))[1] for t in (23.9, 26.5, 34.0, 39.9)]
    assert missing == [{}, {"3>0": 0, "3>6": 0, "3-5>0": 0, "8>0": 0}, {"8>0": 0}, {}]
    assert run.variable_at("missing", run.count(26.5))[4] == {}


def test_the_worked_example() -> None:
    """Delta = 30 s, d = 10, 5 to 25 ms: a lease of 14.9 s, renewed at least every 14.7 s."""
    d, shortest, longest, delta = 10, 0.005, 0.025, 30.0
    lease = (delta - d * (longest - shortest)) / 2
    assert lease == pytest.approx(14.9)
    assert lease - d * (longest - shortest) == pytest.approx(14.7)
    assert [2 * pi + 8 * 0.025 for pi in (60.2, 600.2)] == pytest.approx([120.6, 1200.6])  # eight links, from 0 ms on
    network = from_spec("line:11").replace(delay=parse(f"uniform({shortest}, {longest})"), order="fifo")
    network = network.replace(initiators=network.processes)
    work = tuple(command(1.0 + i, str(i), "Subscribe", low=i % 3) for i in range(11))
    faults = (
        Intervention(40.0, "corrupt", process="5", variable="table", value={"x": [7, 7, "6", 1]}),
        Intervention(40.0, "corrupt", process="0", variable="table", value={}),
    )
    result = run(network, work, faults, algorithm="simple", lease=lease, renewal=14.69, periods=7)
    good = check(result, "eventually")
    assert good.holds is True
    assert 40 < result.trace.rows["time"][good.at] <= 40 + delta
    result = Simulator(ARCHIVE.experiment("content-routing-worked").resolve(ARCHIVE)).run()  # all brokers at once
    good = check(result, "eventually")
    assert result.exit_code == 0 and 44 < result.trace.rows["time"][good.at] <= 44 + delta


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(algorithms, kinds, seeds, st.floats(20.0, 30.0))
def test_any_corrupted_process_recovers_in_time(algorithm: str, hierarchical: bool, seed: int, fault: float) -> None:
    """Tables, flags, clocks and messages in transit, at all brokers and at any moment of the period."""
    network = tree(7, seed)
    spoil = tuple(command(fault, p, "Spoil", forged=2) for p in network.processes)
    work = (*wishes(network, seed, 18), *spoil)
    result = run(network, work, algorithm=algorithm, hierarchical=hierarchical, periods=8, seed=seed)
    assert (result.exit_code, result.stopped) == (0, "quiescent")


def test_corruption_has_a_temporary_effect_and_the_bound_is_needed(tmp_path: Path) -> None:
    words = "leases.get(p.algorithm, 2 * p.lease + way)"
    assert SOURCE.count(words) == 1
    path = tmp_path / "content-routing.py"
    path.write_text(SOURCE.replace(words, "1.7 * p.lease"), encoding="utf-8")
    network = tree(7, 0)
    spoil = tuple(command(21.0, p, "Spoil", forged=2) for p in network.processes)
    result = run(network, (*wishes(network, 0, 18), *spoil), protocol=str(path), periods=8)
    assert check(result, "routing tables").holds is False and check(result, "eventually").holds is True


def test_a_subscription_in_transit_may_outlive_the_printed_bound() -> None:
    result = Simulator(ARCHIVE.experiment("content-routing-outlives").resolve(ARCHIVE)).run()
    good = check(result, "eventually")
    took = result.trace.rows["time"][good.at] - 16.5
    assert good.holds is True and 2 * 10 + 4 * (1 - 1) < took <= 2 * 10 + 4 * 1


def test_the_index_matches_a_search_of_the_whole_table(tmp_path: Path) -> None:
    path = tmp_path / "content-routing.py"
    assert SOURCE.count("len(self.table) < 100") == 1
    path.write_text(SOURCE.replace("len(self.table) < 100", "True"), encoding="utf-8")
    traffic = (
        Traffic("Subscribe", parse("exponential(mean=0.02)"), count=400, fields={"low": "uniform(0, 40)"}),
        Traffic("Spoil", parse("constant(13)"), ("1",), count=1),
    )
    simulators = [
        Simulator(
            Experiment(
                "t", protocol=protocol, network=tree(3, 0), parameters={"lifetime": 20.0, "picture": False},
                traffic=traffic, check=False, stop=Stop(until=22.0), variables=False,
            ).resolve(ARCHIVE)
        )
        for protocol in ("content-routing", str(path))
    ]  # fmt: skip
    results = [simulator.run() for simulator in simulators]
    assert all(len(p.index) == 2 for p in simulators[0].processes)  # type: ignore[attr-defined]
    assert results[0].messages > 500 and results[0].fingerprint == results[1].fingerprint


# ---------------------------------------------------------------------- costs


def crowd(n: int, lifetime: float, periods: int, classes: int, news: int = 0) -> Result:
    fields = {"low": f"uniform(0, {classes - 1})"}
    end = periods * 60.2
    traffic: tuple[Traffic, ...] = (
        Traffic("Subscribe", parse("constant(0.000001)"), LEAVES, count=n, fields={**fields, "aged": True}),
        Traffic("Subscribe", parse(f"exponential(mean={lifetime / n})"), LEAVES, until=end, fields=fields),
    )
    if news:
        value = {"value": fields["low"]}
        traffic += (Traffic("Publish", parse("exponential(mean=0.1)"), LEAVES, begin=120.4, count=news, fields=value),)
    parameters = {"lease": 60.2, "renewal": 60.0, "periods": periods, "warm_up": 2, "lifetime": lifetime,
                  "hierarchical": True, "picture": False}  # fmt: skip
    return Simulator(
        Experiment(
            "t", protocol="content-routing", network="brokers-121", parameters=parameters, traffic=traffic,
            stop=Stop(until=end), variables=False, check=False,
        ).resolve(ARCHIVE)
    ).run()  # fmt: skip


def test_many_clients_cost_one_message_per_link_filter_and_lease() -> None:
    """In the limit; here the 120 links and 2 filters of 1,000, so 120 * 2 / 60.2 per second."""
    assert crowd(1200, 600.0, 4, 2).measures["own"]["control"] == pytest.approx(240 / 60.2, rel=0.02)


def test_a_link_without_subscribers_below_it_is_not_used() -> None:
    """80 links lead to a single leaf off the path up, 26 to three, 8 to nine, 2 to 27; leaves have Poisson clients."""
    x = 160 / 2 / 81  # clients for each filter and leaf
    expected = sum(links * math.exp(-leaves * x) for links, leaves in ((80, 1), (26, 3), (8, 9), (2, 27)))
    assert crowd(160, 600.0, 3, 2, news=400).measures["own"]["saved"] == pytest.approx(expected, rel=0.15)


def test_short_leases_cost_more_than_the_limit() -> None:
    short, long = (crowd(160, life, 4, 2).measures["own"]["control"] for life in (60.0, 600.0))
    assert short > 1.1 * 240 / 60.2 > long


def test_a_subscription_is_renewed_about_ten_times() -> None:
    traffic = (Traffic("Subscribe", parse("exponential(mean=20)"), until=4000.0, fields={"low": 1}),)
    network = tree(2, 0)
    parameters = {"lease": 62.0, "renewal": 60.0, "periods": 160, "lifetime": 600.0}
    experiment = Experiment(
        "t", protocol="content-routing", network=network, parameters=parameters, traffic=traffic, check=False
    )
    resolved = experiment.resolve(ARCHIVE)
    trace = Simulator(resolved).run().trace
    renewals = sum(e.kind == "timer" and e.label == "Renew" for e in trace.events())
    assert 7 < renewals / len(resolved.drawn) < 12


# ---------------------------------------------------------------------- planted bugs

BUGS = {
    "no flag is ever reset": ("(low, high, d, 0) for id", "(low, high, d, 1) for id"),
    "nothing is ever deleted": ("in before.items() if flag}", "in before.items()}"),
    "flags do not count": ('else self.flags != "never"', "else False"),
    "flags count for withdrawals": ('flagged = self.flags == "always" if leaving', "flagged = True if leaving"),
    "only the id is withdrawn": ('in ("simple", "flooding")', "in ALL"),
    "the next neighbour counts, too": ("if e != d and e != h:", "if e != d:"),
    "nobody renews": ("self.set_timer(Renew(id, low, high), after=self.renewal)\n", "pass\n"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    assert SOURCE.count(right) == 1
    path = tmp_path / "content-routing.py"
    path.write_text(SOURCE.replace(right, wrong).replace("in ALL", f"in {ALGORITHMS}"), encoding="utf-8")

    def caught(seed: int) -> bool:
        network = tree(7, seed)
        faults = (Intervention(23.0, "corrupt", process="3", variable="table", value={"x": [8, 9, "3.1", 1]}),)
        for each in ((), faults) if "ever" in bug else ((),):
            result = run(network, wishes(network, seed, 45, wide=0), each, str(path), seed=seed)
            if check(result, "eventually" if each else "routing tables").holds is False:
                return True
        return False

    assert any(caught(seed) for seed in range(8))


@pytest.mark.parametrize("name", ["flicker", "naive", "narrow", "phases", "silent"])
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(f"content-routing-{name}").resolve(ARCHIVE)).run()
    assert check(result, "routing tables").holds is False
