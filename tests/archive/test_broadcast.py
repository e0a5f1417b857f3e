"""Broadcast abstractions: random networks, delays and crashes, counts, every schedule of small cases, planted bugs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from tests.archive.agreeing import ARCHIVE, broken, broken_off, everybody, mutant

FEW = settings(max_examples=15, deadline=None)


def run(protocol: str | Path, n: int, starts: tuple[str, ...] = ("0",), delay: str = "", **words: Any) -> Result:
    """Run a protocol on a complete network in which these processes broadcast."""
    network = everybody(n).replace(initiators=starts, **({"delay": parse(delay)} if delay else {}))
    return Simulator(Experiment("t", protocol=str(protocol), network=network, **words).resolve(ARCHIVE)).run()


def explored(protocol: str | Path, n: int, starts: tuple[str, ...] = ("0",), **words: Any) -> Exploration:
    parameters = words.pop("parameters", {})
    network = everybody(n).replace(initiators=starts, order="unordered")
    experiment = Experiment("t", protocol=str(protocol), network=network, parameters=parameters)
    return Explorer(experiment.resolve(ARCHIVE), **words).run()


def violated(result: Exploration) -> set[str]:
    return {each.name.partition(":")[0] for each in result.findings if each.holds is False}


@st.composite
def crashes(draw: st.DrawFn, n: int, most: int, latest: float = 4.0) -> tuple[Intervention, ...]:
    """Generate crashes, each possibly in the middle of a broadcast."""
    names = everybody(n).processes
    faults: list[Intervention] = []
    for p in draw(st.lists(st.sampled_from(names), unique=True, max_size=most)):
        time = draw(st.floats(0, latest))
        lost = draw(st.sets(st.sampled_from([q for q in names if q != p])))
        faults += [Intervention(time, "drop", link=(p, q)) for q in sorted(lost)]
        faults.append(Intervention(time, "crash", process=p))
    return tuple(faults)


#: protocol -> the number of processes that may crash among n.
CRASHING = {
    "best-effort-broadcast": lambda n: n,
    "reliable-broadcast-eager": lambda n: n,
    "reliable-broadcast-lazy": lambda n: n,
    "uniform-broadcast": lambda n: (n - 1) // 2,
    "fifo-broadcast": lambda n: n,
}
DELAYS = st.sampled_from(["constant(1)", "exponential(mean=1)", "uniform(0.1, 3)"])


@pytest.mark.parametrize("name", CRASHING)
@FEW
@given(st.data())
def test_the_promises_hold_whichever_processes_crash(name: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 6))
    starts = tuple(data.draw(st.lists(st.sampled_from(everybody(n).processes), min_size=1, max_size=3, unique=True)))
    faults = data.draw(crashes(n, CRASHING[name](n)))
    result = run(name, n, starts, data.draw(DELAYS), faults=faults, seed=data.draw(st.integers(0, 99)))
    assert result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is False] == []  # none holds if nothing happened


#: protocol, n -> messages for one broadcast without crashes, as in the book.
COUNTS = {
    "best-effort-broadcast": lambda n: n - 1,
    "reliable-broadcast-eager": lambda n: n * (n - 1),
    "reliable-broadcast-lazy": lambda n: n - 1,
    "uniform-broadcast": lambda n: n * (n - 1),
    "fifo-broadcast": lambda n: 3 * n * (n - 1),
    "total-order-from-consensus": lambda n: 2 * n * (n - 1),
}


@FEW
@given(st.data())
def test_consensus_gives_one_order_whichever_processes_crash(data: st.DataObject) -> None:
    n, posts = data.draw(st.integers(2, 5)), data.draw(st.integers(1, 3))
    starts = tuple(data.draw(st.lists(st.sampled_from(everybody(n).processes), min_size=1, unique=True)))
    faults = data.draw(crashes(n, n, 12.0))
    words: dict[str, Any] = {"parameters": {"posts": posts}, "seed": data.draw(st.integers(0, 99)), "faults": faults}
    result = run("total-order-from-consensus", n, starts, data.draw(DELAYS), **words)
    assert result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is False] == []


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_a_broadcast_costs_what_the_book_says(name: str, n: int) -> None:
    assert run(name, n).messages == COUNTS[name](n)


#: protocol, n, initiators, options of the search.
SEARCHED: list[tuple[str, int, tuple[str, ...], dict[str, Any]]] = [
    ("best-effort-broadcast", 3, ("0", "1"), {"crashes": 1, "sudden": True}),
    ("reliable-broadcast-eager", 3, ("0",), {"crashes": 2, "sudden": True}),
    ("uniform-broadcast", 3, ("0",), {"crashes": 1, "sudden": True}),
    ("fifo-broadcast", 3, ("0",), {"parameters": {"posts": 2}, "crashes": 1}),
]


@pytest.mark.parametrize(("name", "n", "starts", "options"), SEARCHED)
def test_no_schedule_breaks_a_promise(name: str, n: int, starts: tuple[str, ...], options: dict[str, Any]) -> None:
    result = explored(name, n, starts, **options)
    assert result.complete
    assert violated(result) == set()


#: experiment -> the names of the properties that it violates.
FAILS = {
    "best-effort-broadcast": [],
    "best-effort-broadcast-crash": [],
    "best-effort-broadcast-lost": ["validity"],
    "reliable-broadcast-eager": [],
    "reliable-broadcast-eager-crash": [],
    "reliable-broadcast-eager-alone": [],
    "reliable-broadcast-eager-partition": ["agreement"],
    "reliable-broadcast-lazy": [],
    "reliable-broadcast-lazy-crash": [],
    "reliable-broadcast-lazy-lost": ["agreement"],
    "uniform-broadcast": [],
    "uniform-broadcast-crash": [],
    "uniform-broadcast-half": ["validity"],
    "fifo-broadcast": [],
    "fifo-broadcast-none": ["FIFO"],
    "fifo-broadcast-lost": ["agreement"],
    "total-order-from-consensus": [],
    "total-order-from-consensus-crash": [],
    "total-order-from-consensus-lost": ["agreement", "validity"],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert [each.partition(":")[0] for each in broken(result)] == FAILS[name]


def failing(result: Result) -> set[str]:
    return {each.partition(":")[0] for each in broken(result)}


#: description -> protocol, the right text, the wrong one, the property that notices, n, and options of the search; or
#: None if the search does not know the failure detector: the sender then crashes after it has reached one process.
BUGS: dict[str, tuple[str, str, str, str, int, dict[str, Any] | None]] = {
    "it does not deliver its own message": (
        "best-effort-broadcast", "        self.accept(text)\n        for", "        for", "validity", 3, {},
    ),
    "it delivers what it sends, too": (
        "best-effort-broadcast", "            self.send(Data(text), to=q)",
        "            self.send(Data(text), to=q)\n        self.accept(text)", "no duplication", 3, {},
    ),
    "only the sender sends": (
        "reliable-broadcast-eager", "            self.accept(m.text)\n",
        "            self.state = DELIVERED\n            self.log.append(m.text)\n            self.deliver(m.text)\n",
        "agreement", 3, {"crashes": 1, "sudden": True},
    ),
    "it delivers each copy, but forwards only the first": (
        "reliable-broadcast-eager", "        if m.text not in self.log:\n            self.accept(m.text)",
        "        if m.text not in self.log:\n            self.accept(m.text)\n        else:\n"
        "            self.deliver(m.text)",
        "no duplication", 3, {},
    ),
    "it forwards nothing when it learns of the crash": (
        "reliable-broadcast-lazy", "        self.crashed.add(m.q)\n        self.forward(m.q)",
        "        self.crashed.add(m.q)", "agreement", 4, None,
    ),
    "it takes a sender for crashed after a while": (
        "reliable-broadcast-lazy", "self.watch(m.sender, Crash(m.sender)", "self.set_timer(Crash(m.sender)",
        "no process forwards a message of a process that has not crashed", 4, None,
    ),
    "half of the processes are enough": (
        "uniform-broadcast", "if 2 * len(self.ack[text]) > len(self.neighbours) + 1",
        "if 2 * len(self.ack[text]) > len(self.neighbours)", "a majority has each message that is delivered", 4, {},
    ),
    "the sender delivers at once": (
        "uniform-broadcast", "        self.acknowledge(self.posts[-1], self.me)",
        "        self.acknowledge(self.posts[-1], self.me)\n        self.log.append(self.posts[-1])\n"
        "        self.deliver(self.posts[-1])", "uniform agreement", 3, {"crashes": 1, "sudden": True},
    ),
    "a later message may be next": (
        "fifo-broadcast", "number == self.next.get(sender, 1)", "number >= self.next.get(sender, 1)", "FIFO", 3,
        {"parameters": {"posts": 2}},
    ),
    "all senders share one number": (
        "fifo-broadcast", "            self.next[sender] = number + 1", "            self.next[sender] = len(self.log)",
        "validity", 3, {"parameters": {"posts": 2}},
    ),
    "each process delivers its own proposal": (
        "total-order-from-consensus", "next((said[q] for q in reversed(before) if q in said), self.proposal)",
        "self.proposal", "agreement", 4, None,
    ),
    "a message is delivered on arrival": (
        "total-order-from-consensus", "        if r.text not in self.log:\n            self.unordered.add(r.text)",
        "        self.log.append(r.text)\n        self.deliver(r.text)", "total order", 4, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, noticed, n, options = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    if options is not None:
        assert noticed in violated(explored(path, n, **options))
        assert violated(explored(name, n, **options)) == set()
    else:
        cases = [(), tuple(broken_off("0", "1", n, 0.0))]
        assert any(noticed in failing(run(path, n, ("0", "1"), faults=faults)) for faults in cases)
        assert all(failing(run(name, n, ("0", "1"), faults=faults)) == set() for faults in cases)
