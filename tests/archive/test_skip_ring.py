"""Publish/subscribe on a skip ring: its shape, its repair, the work of the supervisor, tries, planted bugs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import ceil, log2
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.pieces.animation import animation_for
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.archive.ran import once

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
PROTOCOL = ARCHIVE.protocol("skip-ring")
FEW = settings(max_examples=4, deadline=None)
RING = "eventually the database, the labels, the ring and the shortcuts remain those of SR(n)"
SAME = "eventually all subscribers have the same publications for good"


def word(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(sys.modules[PROTOCOL.cls.__module__], name)
    return found


def run(n: int, seed: int = 0, **more: Any) -> tuple[Any, Result]:
    """Run a supervisor and n others; settings that do not belong to an experiment are parameters."""
    parts = {key: more.pop(key) for key in ("workload", "faults", "stop", "check") if key in more}
    network = f"isolated:{n + 1},starts=all,delay=uniform(0.5,1.5)"
    simulator = Simulator(
        Experiment("t", protocol="skip-ring", network=network, seed=seed, parameters=more, **parts).resolve(ARCHIVE)
    )
    result = simulator.run()
    assert result.error is None
    return simulator, result


def ran(name: str, **changes: Any) -> tuple[Any, Result]:
    simulator, result = once(ARCHIVE.experiment(name).with_(**changes))
    assert result.error is None
    return simulator, result


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 13, 16, 21])
def test_labels_alone_determine_the_links_of_a_skip_ring(n: int) -> None:
    labels = [word("l")(i) for i in range(n)]
    belongs = {f"{y}>{z}" for y in labels for z in labels if word("linked")(y, z)}
    assert belongs == word("legal")({y: y for y in labels}) and len(belongs) == 4 * n - 6


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 8, 13, 16, 21, 64])
def test_the_animation_counts_the_links_of_a_skip_ring_by_their_reach(n: int) -> None:
    planned = next(each for each in animation_for("skip-ring").derived if each.name == "planned").function
    assert planned is not None
    database = {word("l")(i): f"p{i}" for i in range(n)}
    levels = planned(SimpleNamespace(state="supervisor", database={**database, "x": "q", "11": ""} | database))
    assert {link for links in levels.values() for link in links} == word("legal")(database)
    assert len(levels["beside"]) == 2 * n if n > 2 else len(levels["beside"]) == n * (n - 1)
    assert len(levels["level1"]) == (2 if n > 3 else 0)
    assert planned(SimpleNamespace(state="settled", database={})) is None


def test_the_picture_shows_the_ring() -> None:
    """The links that subscribers have differ from those of SR(n) until the ring is complete; then there is no
    difference.
    """
    _, result = run(9, 3, start="random", intervals=30, repair=False)
    timeline = Timeline(result.trace)

    def differ(k: int) -> set[str]:
        edges = timeline.variable_at("edges", k)
        return set(edges[0]) ^ {edge for mine in edges[1:] for edge in mine}

    assert differ(20) and not differ(timeline.length)
    assert any(timeline.variable_at("odd", 20))
    assert not any(timeline.variable_at("odd", timeline.length))


def failed(result: Result) -> set[str]:
    return {check.name for check in result.checks if check.holds is False}


def own(result: Result, name: str) -> Any:
    return result.measures["own"][name]


def sent(result: Result) -> dict[str, int]:
    return {label: some["sent"] for label, some in result.measures["by_kind"].items()}


# ---------------------------------------------------------------------- labels and shape


def test_labels_and_their_numbers() -> None:
    label, idx, r, canon = (word(name) for name in ("l", "idx", "r", "canon"))
    assert [label(x) for x in range(9)] == ["0", "1", "01", "11", "001", "011", "101", "111", "0001"]
    assert [r(label(x)) for x in range(9)] == [0, 1 / 2, 1 / 4, 3 / 4, 1 / 8, 3 / 8, 5 / 8, 7 / 8, 1 / 16]
    for x in range(300):
        assert idx(label(x)) == x and canon(r(label(x))) == label(x)
    some = [format(i, f"0{k}b") for k in range(1, 7) for i in range(2**k)]
    assert sorted(some) == sorted(some, key=lambda text: (r(text), text))
    assert {idx(text) for text in ("", "00", "10", "010")} == {float("inf")}
    assert [sum(len(label(x)) == k for x in range(64)) for k in range(1, 7)] == [2, 2, 4, 8, 16, 32]


def test_the_published_chain() -> None:
    r, some = word("r"), word("shortcuts_of")("01", ["0011", "0101"])
    assert [r(y) for y in some] == [1 / 8, 0, 3 / 8, 1 / 2]


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 32])
def test_the_ring_has_the_computed_links_degrees_and_diameter(n: int) -> None:
    simulator, result = run(n, start="legal", stop=Stop(until=0.0), check=False)
    assert own(result, "ends") == 4 * n - 6
    near = {p.me: set(p.friends()) for p in simulator.processes[1:]}
    assert all(u in near[v] for u in near for v in near[u])
    assert own(result, "diameter") <= ceil(log2(n))
    if log2(n).is_integer():
        assert own(result, "degree") == 2 * ceil(log2(n)) - 1
        for p in simulator.processes[1:]:
            whole = 2 * (log2(n) - len(p.label) + 1)  # the paper counts the pair 0 - 1 twice
            assert len(near[p.me]) == whole - (p.label in ("0", "1"))


def neighbours(n: int) -> dict[str, Any]:
    label, slots = word("l"), word("slots")
    names = {label(i): str(i) for i in range(n)}
    row = sorted(names)
    return {names[y]: {c[1] for c in slots(y, row, names)[:3] if c} for y in names}


@pytest.mark.parametrize("n", [4, 8, 16])
def test_a_join_affects_two_processes_and_a_doubling_all_in_two_joins(n: int) -> None:
    touched: dict[str, list[int]] = {}
    for size in range(n, 2 * n):
        before, after = neighbours(size), neighbours(size + 1)
        some = [v for v in before if before[v] != after[v]]
        assert len(some) == 2
        for v in some:
            touched.setdefault(v, []).append(size - n)
    assert touched.pop("0") == [0, n - 1]
    assert all(len(when) == 2 and when[1] == when[0] + 1 for when in touched.values()) and len(touched) == n - 1


# ---------------------------------------------------------------------- repair and stability


@FEW
@given(st.integers(1, 8), st.integers(0, 10_000), st.sampled_from(("empty", "random", "deep")))
def test_any_configuration_becomes_the_skip_ring(n: int, seed: int, start: str) -> None:
    simulator, result = run(n, seed, start=start, intervals=40, repair=False, check=False, picture=False)
    assert result.stopped == "quiescent" and own(result, "settled") < 35
    assert {p.state for p in simulator.processes[1:]} == ({"settled"} if n > 1 else {"placed"})


@FEW
@given(st.integers(1, 20), st.integers(0, 10_000))
def test_a_legitimate_ring_stays_unchanged(n: int, seed: int) -> None:
    simulator, result = run(n, seed, start="legal", intervals=8, repair=False, check=False, picture=False)
    assert own(result, "settled") == 0.0 and sum(p.changed for p in simulator.processes) == 0
    assert set(sent(result)) <= {"Check", "IntroSc", "GetConf", "SetData", "Linearize"}


def test_detected_crashes_are_repaired_and_reported() -> None:
    settled = {}
    for name in ("crash", "crash-linearise", "crash-unseen"):
        simulator, result = ran(f"skip-ring-{name}", check=False)
        settled[name] = own(result, "settled")
        assert len(simulator.processes[0].database) == (16 if name == "crash-unseen" else 11)
    assert 5 < settled.pop("crash") < 15 and set(settled.values()) == {None}


def test_equal_labels_on_both_sides_multiply_until_the_supervisor_resolves_them() -> None:
    stop = Stop(until=25.0)
    parameters = ARCHIVE.experiment("skip-ring-storm").parameters
    _, both = ran("skip-ring-storm", check=False, stop=stop)
    _, ask = ran("skip-ring-storm", check=False, stop=stop, parameters={**parameters, "equals": "ask"})
    assert sent(both)["Linearize"] > 800 and sent(ask)["Linearize"] < 300


def test_a_lost_database_is_rebuilt() -> None:
    simulator, result = ran("skip-ring-erased", check=False)
    assert own(result, "settled") is not None and sent(result)["Subscribe"] >= 16
    first = next(v for y, v in simulator.processes[0].database.items() if y == "0")
    assert simulator.configuration.process(first).label == "0"


def test_a_leaving_process_is_forgotten_and_may_return() -> None:
    workload = [Intervention(t, "command", process="3", label=what) for t, what in ((12.0, "Leave"), (70.0, "Join"))]
    simulator, result = run(7, start="legal", stored=3, spread=True, intervals=30, workload=workload)
    assert failed(result) == set()
    assert simulator.processes[3].label and len(simulator.processes[3].T) == 3
    simulator, result = run(7, start="legal", stored=3, spread=True, intervals=30, workload=workload[:1])
    assert failed(result) == set()
    gone = simulator.processes[3]
    assert (gone.state, gone.label, gone.friends(), gone.T) == ("outside", "", (), {})


def test_a_process_without_a_label_asks_to_be_removed() -> None:
    cells = PROTOCOL.table.cells
    for state in ("outside", "unlabelled", "supervisor"):
        assert cells[state, "Check"].action == "refuse_check"
        assert {cells[state, label].action for label in ("Introduce", "Linearize", "IntroSc")} == {"refuse"}
    assert all((state, label.__name__) in cells for state in PROTOCOL.states for label in PROTOCOL.messages)


# ---------------------------------------------------------------------- the supervisor


def expected(n: int) -> float:
    label = word("l")
    return sum(1 / (2 ** len(label(x)) * len(label(x)) ** 2) for x in range(n))


def test_requests_per_interval_are_between_1_and_1_323() -> None:
    assert expected(2) == 1.0
    for n in range(2, 1025):
        assert 1.0 <= expected(n) < 0.5 + 3.14159265**2 / 12 < 1.323
    k = 6
    assert expected(2**k) == pytest.approx(1 + sum(1 / (2 * j * j) for j in range(2, k + 1)))
    rounds = 200
    _, result = run(8, 5, start="legal", intervals=rounds, repair=False, check=False, picture=False)
    assert abs(own(result, "requests") - expected(8)) < 4 * (expected(8) / rounds) ** 0.5
    assert sent(result)["GetConf"] == round(own(result, "requests") * rounds)


@pytest.mark.parametrize("n", [4, 9, 30])
def test_the_supervisor_sends_one_message_per_join_and_two_per_leave(n: int) -> None:
    leave = [Intervention(6.0, "command", process=str(p), label="Leave") for p in (1, n - 2)]
    parts = {"intervals": 2, "repair": False, "picture": False, "check": False}
    simulator, result = run(n, start="legal", members=n - 1, workload=leave, **parts)
    s = simulator.processes[0]
    assert s.operations == sent(result)["Unsubscribe"] and 2 < s.orders <= 2 * s.operations
    join = [Intervention(6.0, "command", process=str(n), label="Join")]
    simulator, result = run(n, start="legal", members=n - 1, workload=join, **parts)
    s = simulator.processes[0]
    assert s.operations == s.orders == sent(result)["Subscribe"] == 1


# ---------------------------------------------------------------------- publications


@pytest.mark.parametrize("n", [2, 5, 8, 19])
def test_flooding_takes_4n_minus_6_messages_or_3n_minus_5(n: int) -> None:
    say = [Intervention(6.0, "command", process="2", label="Say")]
    for back, count in ((True, 4 * n - 6), (False, 3 * n - 5)):
        _, result = run(n, start="legal", intervals=2, repair=False, back=back, workload=say)
        assert sent(result)["PublishNew"] == count and failed(result) == set()
        assert own(result, "depth") >= own(result, "diameter") or n > 2
        assert result.measures["reliability"] == n / (n + 1)


def test_with_equal_delays_a_flooded_publication_takes_at_most_the_diameter() -> None:
    say = [Intervention(6.0, "command", process="7", label="Say")]
    network = "isolated:33,starts=all,delay=constant(1)"
    parameters = {"start": "legal", "intervals": 3, "repair": False}
    experiment = Experiment("t", protocol="skip-ring", network=network, parameters=parameters, workload=say)
    result = Simulator(experiment.resolve(ARCHIVE)).run()
    assert own(result, "depth") <= own(result, "diameter") <= 5


def talk(result: Result) -> list[str]:
    timeline, labels = Timeline(result.trace), result.trace.labels
    about = {"CheckTrie", "CheckAndPublish", "Publish"}
    rows = [k for k in range(timeline.length) if timeline.kind[k] == Kind.SEND and labels[timeline.label[k]] in about]
    return [f"{timeline.processes[timeline.process[k]]} {labels[timeline.label[k]]}" for k in rows]


def test_figure_2_depends_on_the_starting_process() -> None:
    simulator, result = ran("skip-ring-figure-2")
    assert talk(result) == ["1 CheckTrie", "2 CheckTrie"]
    assert len(simulator.processes[2].T) == 3
    simulator, result = ran("skip-ring-figure-2-back")
    assert talk(result) == ["2 CheckTrie", "1 CheckTrie", "2 CheckAndPublish", "1 Publish"]
    assert simulator.processes[2].T == simulator.processes[1].T
    detail = next(each for each in map(result.trace.detail, range(result.events)) if each and "prefix" in str(each))
    assert "'101'" in str(detail) and "'100'" in str(detail)


def test_a_trie_set_by_a_fault_grows_in_the_run_but_not_in_the_experiment() -> None:
    experiment = ARCHIVE.experiment("skip-ring-figure-2-back")
    results = [Simulator(experiment.resolve(ARCHIVE)).run() for _ in range(2)]
    assert sent(results[0])["Publish"] == 1 and results[0].fingerprint == results[1].fingerprint


@FEW
@given(st.integers(2, 7), st.integers(0, 10_000), st.integers(0, 8))
def test_tries_become_equal_and_lose_nothing(n: int, seed: int, stored: int) -> None:
    simulator, result = run(n, seed, start="legal", stored=stored, intervals=40, check=False, picture=False)
    assert own(result, "repaired") is not None
    everything = set().union(*(p.T.values() for p in simulator.processes))
    assert len(everything) == stored and all(len(p.T) == stored for p in simulator.processes[1:])


def test_equal_tries_show_roots_and_get_no_answers() -> None:
    _, result = run(6, start="legal", stored=5, spread=True, intervals=20)
    assert sent(result).get("Publish", 0) == sent(result).get("CheckAndPublish", 0) == 0
    timers = result.trace.labels.index("PublishTimeout")
    timeline = Timeline(result.trace)
    rung = sum(int(timeline.label[k]) == timers for k in range(timeline.length) if timeline.kind[k] == Kind.TIMER)
    assert sent(result)["CheckTrie"] == rung > 30


def test_a_late_subscriber_receives_everything_without_flooding() -> None:
    simulator, result = ran("skip-ring-late", check=False)
    assert own(result, "repaired") is not None and len(simulator.processes[16].T) == 50
    assert "PublishNew" not in sent(result)


def test_hashes_of_labels_hide_a_difference_for_ever() -> None:
    simulator, result = ran("skip-ring-labels")
    assert failed(result) == {SAME} and len(simulator.processes[2].T) == 3
    parameters = {**ARCHIVE.experiment("skip-ring-labels").parameters, "hashes": "hashes"}
    assert failed(ran("skip-ring-labels", parameters=parameters)[1]) == set()


# ---------------------------------------------------------------------- planted bugs

BUGS = {
    "inner hashes are made of labels": (
        'find(keys, prefix, 1 if self.hashes == "hashes" else 0)',
        "find(keys, prefix, 0)",
        "skip-ring-labels",
        {"hashes": "hashes"},
    ),
    "who is displaced from the line is forgotten": (
        "                self.tell(Linearize(*slot), v)\n                self.put(side, (label, v))",
        "                self.put(side, (label, v))",
        "skip-ring-scrambled",
        {"displaced": "forget", "intervals": 10},
    ),
    "nobody introduces anybody to a shortcut": ("        self.introduce_outwards()\n", "", "skip-ring-scrambled", {}),
    "shortcuts forget that the circle closes": ("(2 * r(cur) - r(label)) % 1)", "(2 * r(cur) - r(label)))",
                                                "skip-ring-16", {}),
    "the supervisor tells who goes, who moves, and who moves once more": (
        "                self.answer(self.database[free])",
        "                self.answer(self.database[free])\n" * 2,
        "skip-ring",
        {},
    ),
    "a new publication takes the place of the others": ("self.T[key] = text", "self.T = {key: text}",
                                                        "skip-ring", {}),
    "what was missing is not sent": ("key.startswith(m.prefix)", "False", "skip-ring-labels",
                                     {"hashes": "hashes"}),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong, name, changes = BUGS[bug]
    assert right in PROTOCOL.source
    path = tmp_path / "skip-ring.py"
    path.write_text(PROTOCOL.source.replace(right, wrong))
    experiment = ARCHIVE.experiment(name)
    parameters = {**experiment.parameters, **changes}
    if changes:
        assert not Simulator(experiment.with_(parameters=parameters).resolve(ARCHIVE)).run().violated
    result = Simulator(experiment.with_(protocol=str(path), parameters=parameters).resolve(ARCHIVE)).run()
    assert result.violated or result.error


def test_a_subscriber_that_loses_its_label_receives_another() -> None:
    spoilt = (Intervention(60.0, "corrupt", process="1", variable="label", value=""),)
    simulator, result = run(8, 4, faults=spoilt, stop=Stop(until=200.0))
    assert len({p.label for p in simulator.processes if p.state != "supervisor" and p.label}) >= 8
    assert [check.name for check in result.checks if check.holds is False] == []
