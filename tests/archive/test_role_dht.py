"""The role-based DHT: processes find their places, halving is exact, lookups meet no outsiders, crashes heal."""

from __future__ import annotations

import math
import random
import sys
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
from lydian.model.interventions import Intervention
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.archive.ran import once

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
SOURCE = ARCHIVE.protocol("role-dht").source
FEW = settings(max_examples=4, deadline=None)
TREES = ("FullTreeCast", "ForwardTreeCast")
PLACE = "with no operation in progress, each process forwards"
ROOM = "with no operation in progress, no process has more"
ATTACHED, NEWS = "every child is attached", "with trees, publications reach all"


def run(n: int, seed: int = 0, until: float = 1500.0, protocol: str = "role-dht", **words: Any) -> tuple[Any, Result]:
    fields = {key: words.pop(key) for key in ("traffic", "workload", "faults", "check") if key in words}
    simulator = Simulator(
        Experiment(
            "t", protocol=protocol, network=f"isolated:{n}", seed=seed, parameters=words, stop=Stop(until), **fields
        ).resolve(ARCHIVE)
    )
    result = simulator.run()
    assert result.error is None
    return simulator, result


def ran(name: str) -> tuple[Any, Result]:
    return once(ARCHIVE.experiment(name))


def failed(result: Result) -> list[str]:
    return [check.name for check in result.checks if check.holds is not True]


def news(count: int, begin: float, label: str = "Publish", topic: int = 0, mean: float = 2.0) -> tuple[Traffic, ...]:
    return (Traffic(label, parse(f"exponential(mean={mean})"), begin=begin, count=count, fields={"topic": topic}),)


def whims(n: int, seed: int, topics: int) -> tuple[Intervention, ...]:
    """Generate processes that join topics, leave them, give up roles and take them over, at random."""
    chance, found = random.Random(seed), []
    for _ in range(16):
        label = chance.choice(("Subscribe", "Unsubscribe", "Subscribe", "Unsubscribe", "MakeChild", "TakeOver"))
        process, topic = str(chance.randrange(n)), chance.randint(1, topics)
        found.append(Intervention(chance.uniform(5, 80), "command", process=process, label=label,
                                  fields={"topic": topic}))  # fmt: skip
    return tuple(sorted(found, key=lambda each: each.time))


def circles(simulator: Any) -> dict[int, list[Any]]:
    """Map each topic to its forwarders in the order of their places."""
    found: dict[int, list[Any]] = {}
    for p in simulator.processes:
        for t in p.L:
            found.setdefault(t, []).append(p)
    return {t: sorted(some, key=lambda p, t=t: p.L[t]) for t, some in found.items()}  # type: ignore[misc]


# ---------------------------------------------------------------------- places and tables


@pytest.mark.slow
@FEW
@given(st.integers(1, 12), st.integers(0, 9999), st.sampled_from(TREES))
def test_under_churn_all_processes_find_their_places_and_tables_become_exact(n: int, seed: int, variant: str) -> None:
    simulator, result = run(n, seed, variant=variant, topics=3, workload=whims(n, seed, 3))
    assert (failed(result), result.stopped) == ([], "quiescent")
    for t, some in circles(simulator).items():
        for i, p in enumerate(some):
            far = [2**j for j in range(9) if 2**j < len(some)]
            table = {slot: x[3] for slot, x in p.table[t].items() if slot[0] in "RL" and x}
            expected = {f"R{j}": some[(i + d) % len(some)].me for j, d in enumerate(far)}
            expected |= {f"L{j}": some[(i - d) % len(some)].me for j, d in enumerate(far)}
            assert table == expected
            assert len(table) <= 2 * math.ceil(math.log2(max(2, len(some))))


def test_a_hot_topic_is_split_and_merged_again() -> None:
    simulator, result = ran("role-dht-hot")
    assert failed(result) == []
    assert not any(4 in p.L or 4 in p.parent or p.C.get(4) for p in simulator.processes)
    promoted = sum(e.label == "Promote" and e.kind == "receive" for e in result.trace.events())
    assert promoted >= 3


def test_a_lazy_process_forwards_one_topic_and_takes_over_on_request() -> None:
    _, result = ran("role-dht-lazy")
    timeline = Timeline(result.trace)
    who = timeline.processes.index("44")

    def roles(time: float) -> tuple[set[str], set[str]]:
        """Return the topics that a process forwards, and those in which it is a child."""
        forwards, parents = (timeline.variable_at(name, timeline.count(time))[who] for name in ("L", "parent"))
        return {*forwards}, {*parents} - {*forwards}

    assert [len(some) for some in roles(99.0)] == [1, 4]
    assert "5" in roles(125.0)[0] and "5" in roles(160.0)[1]
    assert failed(result) == []


# ---------------------------------------------------------------------- publications


@pytest.mark.parametrize("n", [2, 5, 8, 9, 16])
def test_halving_reaches_all_with_n_minus_one_messages_in_logarithmic_time(n: int) -> None:
    simulator, result = run(n, n, variant="FullTreeCast", topics=1, interest=1, traffic=news(4, 300.0))
    assert failed(result) == []
    ids = [id for p in simulator.processes for id in p.mine]
    sent: dict[str, list[str]] = {id: [] for id in ids}
    for e in result.trace.events():
        if e.kind == "send" and e.label == "Event":
            sent[(e.detail or {})["fields"]["id"]].append(str(e.process))
    for id in ids:
        assert len(sent[id]) == n - 1
        assert max(sent[id].count(p) for p in sent[id]) <= 2
        assert n - len(set(sent[id])) >= n // 2  # about half of them send nothing
        assert all(id in p.got for p in simulator.processes)
    assert max(level for p in simulator.processes for level in p.got.values()) <= math.ceil(math.log2(n))


def test_forwarders_notify_their_children_and_no_process_receives_twice() -> None:
    simulator, result = ran("role-dht-24")
    assert failed(result) == [] and result.measures["duplicates"] == 0
    own = result.measures["own"]
    assert own["reached"] == 1.0 and own["repeats"] == 0.0 and own["parasites"] == 0.0
    published = {id: t for p in simulator.processes for id, (t, _) in p.mine.items()}
    assert all(published[id] in p.T for p in simulator.processes for id in p.got)


def test_gossip_misses_some_processes_and_repeats_itself() -> None:
    for name in ("role-dht-full-gossip", "role-dht-forward-gossip"):
        own = ran(name)[1].measures["own"]
        assert 0.5 < own["reached"] < 1.0 and own["repeats"] > 0.2


def test_views_contain_only_the_latest_addresses_of_members() -> None:
    simulator, _ = ran("role-dht-full-gossip")
    for p in simulator.processes:
        for t, view in p.V.items():
            assert len(view) == len(set(view)) <= p.l and p.me not in view
            assert all(t in q.T for q in simulator.processes if q.me in view)


def test_the_printed_links_reach_no_process_and_the_shifted_ones_some_twice() -> None:
    simulator, result = ran("role-dht-links")
    assert failed(result) == [next(each.name for each in result.checks if each.name.startswith(NEWS))]
    assert all(p.forwarded == 0 for p in simulator.processes)
    own = ran("role-dht-shifted")[1].measures["own"]
    assert own["reached"] < 1 and own["repeats"] > 0.1


def test_publications_rise_to_supertopics_and_descend_as_printed() -> None:
    assert failed(ran("role-dht-hierarchy")[1]) == []
    assert any(each.startswith(NEWS) for each in failed(ran("role-dht-printed")[1]))
    simulator, result = run(8, 3, topics=4, interest=1, hierarchy="diamond", traffic=news(2, 100.0, topic=4))
    assert failed(result) == []
    assert all(p.got for p in simulator.processes if p.T)


# ---------------------------------------------------------------------- lookups


def test_lookups_within_a_role_meet_outsiders_only_when_going_right() -> None:
    probes = news(40, 200.0, "Probe", mean=0.2)
    own = {}
    for routing in ("both", "clockwise"):
        simulator, result = run(16, 2, variant="FullTreeCast", topics=4, traffic=probes, routing=routing, check=False)
        own[routing] = result.measures["own"]
        assert result.stopped == "quiescent"
        assert sum(p.chosen for p in simulator.processes) == 40
    assert own["both"]["parasites"] == 0 and own["clockwise"]["parasites"] > 0.2
    assert own["both"]["hops"] <= own["clockwise"]["hops"]


def test_a_random_lookup_ends_at_the_closest_forwarder() -> None:
    _, result = run(12, 5, topics=1, interest=1, variant="FullTreeCast", traffic=news(30, 200.0, "Probe", mean=0.2))
    assert failed(result) == []
    scope = vars(sys.modules[ARCHIVE.protocol("role-dht").cls.__module__])
    places = {str(i): scope["hashed"](str(i), 0) for i in range(12)}
    timeline = Timeline(result.trace)
    for e in result.trace.events():
        if e.kind == "receive" and e.label == "Lookup" and e.time > 200:
            chosen = timeline.variable_at("chosen", e.seq + 1), timeline.variable_at("chosen", e.seq)
            if sum(chosen[0]) > sum(chosen[1]):
                point = target_of(result, e.message)
                assert min(places, key=lambda q: abs(places[q] - point)) == e.process


def target_of(result: Result, message: int | None) -> int:
    sent = next(e for e in result.trace.events() if e.kind == "send" and e.message == message)
    return int((sent.detail or {})["fields"]["target"][2])


# ---------------------------------------------------------------------- crashes


@pytest.mark.parametrize("seed", range(2))
def test_after_crashes_each_child_moves_to_the_closest_live_forwarder(seed: int) -> None:
    gone = random.Random(seed).sample(range(1, 14), 2)
    faults = tuple(Intervention(70.0, "crash", process=str(p)) for p in gone)
    _, result = run(14, seed, topics=3, upkeep=140.0, faults=faults)
    place = next(check for check in result.checks if check.name.startswith(ATTACHED))
    assert place.holds is True and result.stopped == "quiescent"


def test_children_of_a_crashed_forwarder_miss_publications_until_they_ask() -> None:
    simulator, result = ran("role-dht-crash")
    children = ("24", "132", "151")
    mine = {id: time for p in simulator.processes for id, (_, time) in p.mine.items()}
    late = max(p.moved for p in simulator.processes)
    assert 90 < late <= 90 + 4 * 10.0
    for p in simulator.processes:
        if p.me in children:
            early = [id for id, time in mine.items() if time < 98 and id not in p.mine]
            assert early and not any(id in p.got for id in early)
    assert next(check for check in result.checks if check.name.startswith(ATTACHED)).holds is True
    two = ran("role-dht-crash-roots")[1].measures["own"]["reached"]
    assert two > result.measures["own"]["reached"]


# ---------------------------------------------------------------------- planted bugs

BUGS = {
    "the old parent is not told when a child moves": (
        "            if old not in (None, q):\n                self.tell(old, LeaveChild(t, self.stamps[t]))\n",
        "",
    ),
    "who has too many children keeps them": (
        "            self.tell(c, Promote(t))\n",
        "            pass\n",
    ),
    "children stay where they are": (
        "        for q, some in groups.items():\n            self.tell(q, Reassign(t, tuple(some)))\n",
        "",
    ),
    "two are first in a topic": (
        "elif t in self.busy or m.first == (p[1] in (own[1], right[1])):",
        "elif False:",
    ),
    "both halves are the same": (
        "Event(m.id, t, m.tag, m.level + 1, low, own))",
        "Event(m.id, t, m.tag, m.level + 1, some['R0'], high))",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    assert SOURCE.count(right) == 1
    path = tmp_path / "role-dht.py"
    path.write_text(SOURCE.replace(right, wrong), encoding="utf-8")
    variant = "FullTreeCast" if "halves" in bug else "ForwardTreeCast"
    words = {"topics": 2, "k": 2, "variant": variant, "spread": 1.0, "traffic": news(2, 120.0)}
    assert any(failed(run(10, seed, 200.0, str(path), **words)[1]) for seed in range(6))


def test_duplicates_grow_with_every_split_unless_the_old_parent_is_notified(tmp_path: Path) -> None:
    right, wrong = BUGS["the old parent is not told when a child moves"]
    path = tmp_path / "role-dht.py"
    path.write_text(SOURCE.replace(right, wrong), encoding="utf-8")
    splits = (Traffic("Subscribe", parse("uniform(1, 20)"), "each", 60.0, count=1, fields={"topic": 3}),)
    repeats = {}
    for protocol in ("role-dht", str(path)):
        traffic = splits + news(4, 140.0, topic=3)
        _, result = run(14, 1, 300.0, protocol, topics=2, k=2, traffic=traffic, check=False)
        repeats[protocol] = result.measures["own"]["repeats"]
    assert repeats["role-dht"] == 0 < repeats[str(path)]


def test_maintenance_messages_are_few_after_all_have_joined() -> None:
    _, result = ran("role-dht-24")
    timeline = Timeline(result.trace)
    late = [k for k in range(timeline.length) if timeline.kind[k] == Kind.SEND and timeline.time[k] > 110]
    labels = {result.trace.labels[timeline.label[k]] for k in late}
    assert labels <= {"Event", "Post"}


def test_a_topic_without_a_ring_reaches_no_process_until_its_first_subscriber() -> None:
    wishes = tuple(Intervention(60.0 + i, "command", process=str(i), label="Subscribe", fields={"topic": 1})
                   for i in range(3))  # fmt: skip
    simulator, result = run(6, 2, topics=2, interest=0, traffic=news(3, 1.0, topic=1), workload=wishes, until=300.0)
    assert sum(len(p.got) for p in simulator.processes) == 0
    assert sorted(p.me for p in simulator.processes if 1 in p.L or 1 in p.parent) == ["0", "1", "2"]
    assert failed(result) == []
