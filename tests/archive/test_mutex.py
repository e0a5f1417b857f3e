"""Mutual exclusion and resource allocation as in the literature: counts, orders, every schedule, planted bugs."""

from __future__ import annotations

import re
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
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from tests.strategies import DELAYS, connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
few = settings(max_examples=12)


def run(experiment: Experiment) -> tuple[Simulator, Result]:
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def hold(result: Result) -> None:
    assert result.error is None
    assert result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is not True] == []


def complete(n: int, order: str = "fifo", delay: str = "uniform(0.5, 1.5)") -> Network:
    network = from_spec(f"complete:{n}")
    return network.replace(initiators=network.processes, order=order, delay=parse(delay))


def wants(*rows: tuple[float, str]) -> tuple[Intervention, ...]:
    return tuple(Intervention(time, "command", process=p, label="Want") for time, p in rows)


def entries(result: Result, state: str = "held") -> list[str]:
    """Return the processes in the order in which they entered the critical section."""
    found: list[str] = []
    inside: set[str] = set()
    for event in result.trace.events():
        assert event.process is not None
        if event.state == state and event.process not in inside:
            found.append(event.process)
            inside.add(event.process)
        elif event.state != state:
            inside.discard(event.process)
    return found


# ---------------------------------------------------------------------- counts

#: Messages per entry among n processes that all request continuously.
EXACT = {"ricart-agrawala": lambda n: 2 * (n - 1), "lamport-mutex": lambda n: 3 * (n - 1)}


@few
@given(st.sampled_from(sorted(EXACT)), st.integers(2, 7), st.sampled_from(DELAYS), st.sampled_from([0.0, 1.0, 30.0]))
def test_an_entry_costs_the_same_under_any_load(protocol: str, n: int, delay: str, think: float) -> None:
    experiment = Experiment("t", protocol=protocol, network=complete(n, "fifo", delay), parameters={"think": think})
    _, result = run(experiment)
    hold(result)
    assert result.messages == EXACT[protocol](n) * 3 * n
    assert len(entries(result)) == 3 * n


@few
@given(connected_networks(most=9), st.integers(0, 99), st.sampled_from([0.0, 8.0]))
def test_ricart_agrawala_takes_two_messages_per_neighbour_on_any_network(net: Network, seed: int, think: float) -> None:
    network = net.replace(initiators=net.processes, order="unordered")
    parameters = {"think": think, "entries": 2}
    _, result = run(Experiment("t", protocol="ricart-agrawala", network=network, seed=seed, parameters=parameters))
    hold(result)
    assert result.messages == 4 * network.m * 2


@few
@given(st.integers(2, 7), st.sampled_from(DELAYS), st.sampled_from([0.0, 5.0]), st.integers(0, 99))
def test_suzuki_kasami_takes_n_messages_or_none(n: int, delay: str, think: float, seed: int) -> None:
    network = complete(n, "unordered", delay)
    parameters = {"think": think}
    simulator, result = run(
        Experiment("t", protocol="suzuki-kasami", network=network, seed=seed, parameters=parameters)
    )
    hold(result)
    assert result.messages == n * sum(p.dear for p in simulator.processes)  # type: ignore[attr-defined]
    assert result.messages % n == 0 and len(entries(result)) == 3 * n


@few
@given(connected_networks(most=8), st.sampled_from([0.0, 5.0]), st.integers(0, 99))
def test_chandy_misra_takes_at_most_two_messages_per_fork_and_meal(net: Network, think: float, seed: int) -> None:
    network = net.replace(initiators=net.processes, order="fifo")
    _, result = run(Experiment("t", protocol="chandy-misra", network=network, seed=seed, parameters={"think": think}))
    hold(result)
    assert result.messages <= 2 * 2 * network.m * 3
    assert len(entries(result, "eating")) == 3 * network.n
    kinds = [e.label for e in result.trace.events() if e.kind == "send"]
    assert kinds.count("Ask") == kinds.count("Fork")


@pytest.mark.parametrize(("asks", "way"), [(("7",), 3), (("7", "8"), 5), (("7", "14"), 9), (("1", "0"), 2)])
def test_raymond_takes_twice_the_path_of_the_token(asks: tuple[str, ...], way: int) -> None:
    """tree-15 is a binary tree with root 0: the children of i are 2i + 1 and 2i + 2."""
    network = ARCHIVE.network("tree-15").replace(initiators=("0",), order="fifo")
    workload = wants(*((20.0 * (1 + i), p) for i, p in enumerate(asks)))
    experiment = Experiment("t", protocol="raymond", network=network, parameters={"keen": False}, workload=workload)
    _, result = run(experiment)
    hold(result)
    assert result.messages == 14 + 2 * way
    assert entries(result) == list(asks)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_a_busy_token_ring_takes_one_message_per_entry(n: int) -> None:
    """The first round, in which all processes wake up, and the last one, without a busy process, are not counted."""
    names = tuple(map(str, range(n)))
    links = tuple(Link(a, b, directed=True) for a, b in zip(names, names[1:] + names[:1], strict=True))
    network = Network("ring", names, links, ("0",), delay=parse("constant(1)"))
    _, result = run(Experiment("t", protocol="mutex-ring", network=network, parameters={"think": 0.0, "entries": 4}))
    hold(result)
    assert result.messages == n + 4 * n + n
    assert entries(result) == list(names) * 4


@pytest.mark.parametrize("n", [2, 3, 4, 5, 9])
def test_maekawa_without_contention_takes_three_messages_per_other_quorum_member(n: int) -> None:
    simulator, result = run(
        Experiment("t", protocol="maekawa", network=complete(n).replace(initiators=()), workload=wants((1.0, "0")))
    )
    hold(result)
    quorum = simulator.processes[0].quorum()  # type: ignore[attr-defined]
    assert result.messages == 3 * (len(quorum) - 1)


@pytest.mark.parametrize("n", range(2, 27))
def test_any_two_quorums_of_maekawa_intersect(n: int) -> None:
    experiment = Experiment("t", protocol="maekawa", network=complete(n).replace(initiators=()))
    quorums = [set(p.quorum()) for p in Simulator(experiment.resolve(ARCHIVE)).processes]  # type: ignore[attr-defined]
    assert all(a & b for a in quorums for b in quorums)
    side = next(k for k in range(n + 1) if k * k >= n)
    assert max(map(len, quorums)) <= 2 * side - 1


@few
@given(st.integers(2, 9), st.sampled_from(DELAYS), st.sampled_from([0.0, 3.0]), st.integers(0, 99))
def test_maekawa_never_waits_for_ever(n: int, delay: str, think: float, seed: int) -> None:
    network = complete(n, "fifo", delay)
    _, result = run(Experiment("t", protocol="maekawa", network=network, seed=seed, parameters={"think": think}))
    hold(result)
    assert len(entries(result)) == 3 * n


@few
@given(connected_networks(most=7), st.integers(0, 99), st.sampled_from([0.0, 8.0]))
def test_an_entry_by_echoes_takes_a_wave(net: Network, seed: int, think: float) -> None:
    network = net.replace(initiators=net.processes, order="unordered")
    parameters = {"think": think, "entries": 2}
    experiment = Experiment("t", protocol="ricart-agrawala-echo", network=network, seed=seed, parameters=parameters)
    _, result = run(experiment)
    hold(result)
    assert result.messages == (4 * network.m - 2 * network.n + 2) * network.n * 2


@few
@given(connected_networks(most=8), st.integers(0, 99), st.sampled_from([0.0, 8.0, 40.0]))
def test_carvalho_roucairol_takes_at_most_two_messages_per_neighbour(net: Network, seed: int, think: float) -> None:
    network = net.replace(initiators=net.processes, order="unordered")
    parameters = {"think": think, "entries": 2}
    _, result = run(Experiment("t", protocol="carvalho-roucairol", network=network, seed=seed, parameters=parameters))
    hold(result)
    assert result.messages <= 4 * network.m * 2
    assert len(entries(result)) == 2 * network.n


@pytest.mark.parametrize(("asks", "messages"), [("5", 10), ("555", 10), ("550", 12), ("0", 0), ("3", 6), ("303", 10)])
def test_carvalho_roucairol_asks_only_for_missing_permissions(asks: str, messages: int) -> None:
    workload = wants(*((20.0 * (1 + i), p) for i, p in enumerate(asks)))
    network = complete(6).replace(initiators=())
    _, result = run(Experiment("t", protocol="carvalho-roucairol", network=network, workload=workload))
    hold(result)
    assert (result.messages, entries(result)) == (messages, list(asks))


@few
@given(st.integers(2, 9), st.sampled_from(DELAYS), st.sampled_from([0.0, 5.0]), st.integers(0, 99))
def test_naimi_trehel_turns_pointers(n: int, delay: str, think: float, seed: int) -> None:
    network = complete(n, "unordered", delay)
    _, result = run(Experiment("t", protocol="naimi-trehel", network=network, seed=seed, parameters={"think": think}))
    hold(result)
    assert result.messages <= 3 * n * n and len(entries(result)) == 3 * n


@pytest.mark.parametrize(("asks", "messages"), [("1", 2), ("12", 5), ("1234", 11), ("12341", 15), ("123412", 17)])
def test_naimi_trehel_makes_long_paths_short(asks: str, messages: int) -> None:
    workload = wants(*((20.0 * (1 + i), p) for i, p in enumerate(asks)))
    network = complete(6).replace(initiators=())
    _, result = run(Experiment("t", protocol="naimi-trehel", network=network, workload=workload))
    hold(result)
    assert (result.messages, entries(result)) == (messages, list(asks))


@few
@given(st.integers(2, 15), st.integers(0, 99), st.sampled_from([0.0, 5.0]))
def test_a_tree_quorum_takes_three_messages_per_other_member(n: int, seed: int, think: float) -> None:
    parameters = {"think": think, "entries": 2}
    _, result = run(
        Experiment("t", protocol="agrawal-el-abbadi", network=complete(n), seed=seed, parameters=parameters)
    )
    hold(result)
    assert result.messages <= 3 * n * 2 * n.bit_length()
    assert len(entries(result)) == 2 * n


@pytest.mark.parametrize("n", range(1, 9))
def test_any_two_tree_quorums_have_a_living_member_in_common(n: int) -> None:
    """Of two processes, the first may know only some of the crashes that the second knows."""
    network = complete(max(n, 2)).replace(initiators=())
    simulator = Simulator(Experiment("t", protocol="agrawal-el-abbadi", network=network).resolve(ARCHIVE))
    p: Any = simulator.processes[0]
    names, found = list(network.processes)[:n], {}
    for code in range(2**n):
        p.down = {q for i, q in enumerate(names) if code >> i & 1}
        places = p.path(names, 0)
        if places is not None:
            found[frozenset(p.down)] = {names[i] for i in places}
    assert frozenset() in found
    assert all(a & b - more for down, a in found.items() for more, b in found.items() if down <= more)


@few
@given(st.integers(3, 9), st.integers(0, 99), st.lists(st.tuples(st.integers(0, 8), st.floats(0, 40)), max_size=3))
def test_tree_quorums_survive_crashes(n: int, seed: int, crashes: list[tuple[int, float]]) -> None:
    faults = tuple(Intervention(time, "crash", process=str(i % n)) for i, time in crashes)
    experiment = Experiment(
        "t", protocol="agrawal-el-abbadi", network=complete(n), seed=seed, parameters={"entries": 2, "think": 4.0},
        faults=faults,
    )  # fmt: skip
    hold(run(experiment)[1])


# ---------------------------------------------------------------------- order


@few
@given(st.sampled_from(sorted(EXACT)), st.integers(2, 7), st.integers(0, 99))
def test_entries_follow_the_order_of_the_stamps(protocol: str, n: int, seed: int) -> None:
    _, result = run(Experiment("t", protocol=protocol, network=complete(n), seed=seed))
    asked: dict[str, tuple[int, int]] = {}
    stamps: list[tuple[int, int]] = []
    inside = ""
    for event in result.trace.events():
        assert event.process is not None
        if event.kind == "timer" and event.label == "Think":
            assert event.detail is not None
            asked[event.process] = (event.detail["changed"]["time"], int(event.process))
        if event.state == "held" and event.process != inside:
            stamps.append(asked[event.process])
            inside = event.process
        elif event.process == inside and event.state != "held":
            inside = ""
    assert len(stamps) == 3 * n
    assert stamps == sorted(stamps)


def test_the_waiting_chain_reaches_its_greatest_length_and_shows_the_order() -> None:
    _, result = run(ARCHIVE.experiment("ricart-agrawala-chain"))
    hold(result)
    assert entries(result) == ["0", "1", "2", "3", "4"]
    _, forks = run(ARCHIVE.experiment("chandy-misra-line"))
    assert list(dict.fromkeys(entries(forks, "eating"))) == ["0", "4", "3", "2", "1"]


def test_a_tie_is_broken_by_name_and_two_comes_before_ten() -> None:
    names = ("2", "10")
    network = Network("pair", names, (Link("2", "10"),), (), delay=parse("constant(1)"), order="fifo")
    for protocol in ("ricart-agrawala", "lamport-mutex", "maekawa"):
        _, result = run(Experiment("t", protocol=protocol, network=network, workload=wants((1.0, "10"), (1.0, "2"))))
        assert entries(result) == ["2", "10"]


def test_a_user_can_leave_early_and_the_next_enters_one_message_later() -> None:
    network = complete(3, "fifo", "constant(1)").replace(initiators=())
    leave = Intervention(9.0, "command", process="0", label="Leave")
    for protocol in ("ricart-agrawala", "lamport-mutex"):
        workload = (*wants((1.0, "0"), (5.0, "1")), leave)
        experiment = Experiment("t", protocol=protocol, network=network, parameters={"use": 50}, workload=workload)
        _, result = run(experiment)
        hold(result)
        entered = [e.time for e in result.trace.events() if e.process == "1" and e.state == "held"]
        assert entered[0] == 10.0


def test_no_process_enters_more_often_than_requested() -> None:
    network = complete(2).replace(initiators=())
    for protocol in ("ricart-agrawala", "lamport-mutex", "maekawa"):
        workload = wants((1.0, "0"), (20.0, "0"))
        experiment = Experiment("t", protocol=protocol, network=network, parameters={"entries": 1}, workload=workload)
        _, result = run(experiment)
        hold(result)
        assert entries(result) == ["0"]


# ---------------------------------------------------------------------- planted bugs


def planted(name: str, changes: dict[str, str], folder: Path) -> str:
    """Return the protocol with some lines replaced."""
    source = ARCHIVE.protocol(name).source
    for right, wrong in changes.items():
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    path = folder / f"{name}.py"
    path.write_text(source)
    return str(path)


def test_an_old_request_does_not_replace_a_newer_one(tmp_path: Path) -> None:
    """The first request of 2 reaches 1 after its second, while 1 has the token."""
    users = ((1.0, "2", "Want"), (5.0, "2", "Leave"), (6.0, "1", "Want"), (10.0, "2", "Want"), (20.0, "1", "Leave"))
    late = Intervention(1.0, "delay", link=("2", "1"), label="Request", delay=13.0)
    experiment = Experiment(
        "t", protocol="suzuki-kasami", network=complete(3, "unordered", "constant(1)"),
        parameters={"keen": False, "use": 1000.0}, faults=(late,),
        workload=tuple(Intervention(time, "command", process=p, label=what) for time, p, what in users),
    )  # fmt: skip
    _, result = run(experiment)
    hold(result)
    newest = {"self.rn[q] = max(self.rn.get(q, 0), m.number)": "self.rn[q] = m.number"}
    _, result = run(experiment.with_(protocol=planted("suzuki-kasami", newest, tmp_path)))
    assert "every request is served" in [check.name for check in result.violated]


#: Rules that Maekawa's arbiters need: the original text, its replacement.
LATER = {"            self.tell(Failed(m.ts), q)\n": "            pass\n"}
EARLIER = {"            self.tell(Failed(before[1]), before[1][1])\n": "            pass\n"}


@pytest.mark.parametrize("silence", [LATER, EARLIER, LATER | EARLIER], ids=["later", "earlier", "both"])
def test_without_failed_requests_wait_for_ever(silence: dict[str, str], tmp_path: Path) -> None:
    path = planted("maekawa", silence, tmp_path)
    network = complete(5, "fifo", "exponential(mean=1)")
    for seed in (5, 36):
        experiment = Experiment("t", protocol="maekawa", network=network, seed=seed, parameters=BUSY)
        hold(run(experiment)[1])
        _, result = run(experiment.with_(protocol=path))
        if "every request is served" in [check.name for check in result.violated]:
            return
    raise AssertionError("nobody noticed")


#: Bugs in tree quorums: the original text, its replacement.
TREE_BUGS = {
    "a quorum has no root": ("return [i, *(", "return [*([i] if i or not found else []), *("),
    "a permission is granted twice": ("if self.given is None and self.queue:", "if self.queue:"),
    "one child replaces a crashed process": ("[k for each in found for k in each]", "self.random.choice(found)"),
    "the permission of a crashed process is lost": ("        self.free(m.q)\n", ""),
    "a crashed process is asked for ever": (
        "            self.choose_quorum()\n\n    @on", "            pass\n\n    @on",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", TREE_BUGS)
def test_a_bug_in_tree_quorums_is_caught(bug: str, tmp_path: Path) -> None:
    path = planted("agrawal-el-abbadi", dict([TREE_BUGS[bug]]), tmp_path)
    crashes = (Intervention(6.0, "crash", process="0"), Intervention(14.0, "crash", process="2"))
    for seed in range(20):
        experiment = Experiment(
            "t", protocol=path, network=complete(7), seed=seed, parameters=BUSY, faults=crashes,
            stop=Stop(events=5000),
        )  # fmt: skip
        hold(run(experiment.with_(protocol="agrawal-el-abbadi"))[1])
        if run(experiment)[1].exit_code == 1:
            return
    raise AssertionError("no run failed")


BUSY = {"think": 1.0, "use": 1.0, "entries": 4}


# ---------------------------------------------------------------------- broken assumptions

FAILS = {
    "ricart-agrawala-crash": "every request is served",
    "ricart-agrawala-echo-lost": "every request is served",
    "ricart-agrawala-clock": "no two neighbours are in the critical section",
    "lamport-mutex-lost": "every request is served",
    "suzuki-kasami-lost-token": "every request is served",
    "carvalho-roucairol-lost": "every request is served",
    "naimi-trehel-lost": "every request is served",
    "agrawal-el-abbadi-lost": "every request is served, unless no quorum is left",
    "raymond-crash": "every request is served",
    "mutex-ring-lost": "every request is served",
    "mutex-ring-two-tokens": "at most one process is in the critical section",
    "maekawa-crash": "every request is served",
    "chandy-misra-crash": "every hungry philosopher eats",
}


@pytest.mark.parametrize("name", FAILS)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    _, result = run(ARCHIVE.experiment(name))
    assert result.error is None and result.exit_code == 1
    assert next(c for c in result.checks if c.name == FAILS[name]).holds is False


def test_a_second_or_lost_token_is_visible_on_the_ring(tmp_path: Path) -> None:
    source = ARCHIVE.protocol("mutex-ring").source
    path = tmp_path / "mutex-ring.py"
    path.write_text(
        source.replace("            self.enter()\n", "            self.enter()\n            self.pass_on(True)\n")
    )
    experiment = ARCHIVE.experiment("mutex-ring-busy").with_(protocol=str(path), stop=Stop(events=2000))
    _, result = run(experiment)
    assert result.exit_code == 1


def test_the_counts_in_the_guide_are_right() -> None:
    for name, page in (("mutex-ring", "mutex-ring"), ("mutex-ring-busy", "mutex-ring")):
        text = (ROOT / "resources" / "guide" / "archive" / f"{page}.md").read_text("utf-8")
        quoted = re.search(rf"(\d+)[^\d]*(\d+) entries[^.\]]*\[{name}\]|(\d+) for (\d+) in \[{name}\]", text)
        assert quoted is not None
        messages, often = [int(number) for number in quoted.groups() if number is not None]
        _, result = run(ARCHIVE.experiment(name))
        assert (result.messages, len(entries(result))) == (messages, often)
