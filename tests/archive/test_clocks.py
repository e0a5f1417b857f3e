"""Clocks and ordered broadcasts: the clock condition checked on the trace, one order everywhere, every schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Network
from lydian.pieces.animation import animation_for
from lydian.pieces.derived import with_derived
from lydian.trace import causality
from lydian.trace.timeline import Timeline

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
# messages to each other process
BROADCASTS = {"causal-broadcast": 1, "total-order-sequencer": 2, "total-order-isis": 3}
SLOW = parse("exponential(mean=1)")


def simulated(name: str, network: Network, **words: Any) -> Simulator:
    return Simulator(Experiment("t", protocol=name, network=network, **words).resolve(ARCHIVE))


def stamps(name: str, network: Network, seed: int, field: str) -> tuple[Timeline, list[tuple[int, str, Any]]]:
    """Return the timeline and, for each sending, its row, its process and the stamp on the letter."""
    simulator = simulated(name, network, seed=seed)
    assert simulator.run().exit_code == 0
    sent = [event for event in simulator.trace.events() if event.kind == "send"]
    return Timeline(simulator.trace), [(e.seq, str(e.process), (e.detail or {})["fields"][field]) for e in sent]


starters = st.sets(st.sampled_from("012345678"), min_size=1, max_size=4)


@settings(max_examples=8, deadline=None)
@given(starters, st.integers(0, 99))
def test_an_earlier_event_has_a_smaller_time(begin: set[str], seed: int) -> None:
    network = from_spec(f"gnm:9,14,seed={seed}").replace(initiators=tuple(sorted(begin)), delay=SLOW)
    timeline, sent = stamps("lamport-clocks", network, seed, "time")
    for a, p, s in sent:
        for b, q, t in sent:
            assert s < t or not causality.happened_before(timeline, a, b)
            assert (s, p) != (t, q) or a == b


@settings(max_examples=8, deadline=None)
@given(starters, st.integers(0, 99))
def test_vectors_are_ordered_exactly_like_events(begin: set[str], seed: int) -> None:
    network = from_spec(f"gnm:9,14,seed={seed}").replace(initiators=tuple(sorted(begin)), delay=SLOW)
    timeline, sent = stamps("vector-clocks", network, seed, "v")
    for a, _, v in sent:
        for b, _, w in sent:
            smaller = v != w and all(v[k] <= w.get(k, 0) for k in v)
            assert smaller == (a != b and causality.happened_before(timeline, a, b))


@pytest.mark.parametrize("name", ["lamport-clocks", "vector-clocks"])
def test_each_letter_is_forwarded_as_often_as_requested(name: str) -> None:
    network = from_spec("ring:7").replace(initiators=("0", "3", "4"))
    for hops in (0, 1, 9):
        assert simulated(name, network, parameters={"hops": hops}).run().messages == 3 * (hops + 1)


@settings(max_examples=6, deadline=None)
@given(n=st.integers(2, 6), count=st.integers(1, 6), seed=st.integers(0, 99))
@pytest.mark.parametrize("name", BROADCASTS)
def test_posts_have_the_expected_cost_and_arrive_in_order(name: str, n: int, count: int, seed: int) -> None:
    """Each starter posts, and every process answers once, which determines the number of posts and of messages to each
    other process.
    """
    network = from_spec(f"complete:{n}")
    network = network.replace(initiators=network.processes[:count], delay=SLOW)
    simulator = simulated(name, network, seed=seed)
    result = simulator.run()
    posts = min(count, n) + n
    assert (result.exit_code, result.messages) == (0, BROADCASTS[name] * (n - 1) * posts)
    logs = [p.log for p in simulator.processes]  # type: ignore[attr-defined]
    assert all(len(log) == posts for log in logs)
    if name != "causal-broadcast":
        assert all(log == logs[0] for log in logs)


def test_without_the_rule_an_answer_can_precede_its_question() -> None:
    right = simulated_experiment("causal-broadcast")
    wrong = simulated_experiment("causal-broadcast-none")
    assert (right.index("0.1"), wrong.index("0.1")) == (0, 5)


def simulated_experiment(name: str) -> list[str]:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    simulator.run()
    log: list[str] = next(p for p in simulator.processes if p._name == "3").log  # type: ignore[attr-defined]
    return log


def test_posts_held_back_and_missing_posts_are_drawn() -> None:
    simulator = Simulator(ARCHIVE.experiment("causal-broadcast").resolve(ARCHIVE))
    simulator.run()
    timeline = with_derived(Timeline(simulator.trace), animation_for("causal-broadcast").derived)

    def at_3(name: str, t: float) -> list[str]:
        return sorted(timeline.variable_at(name, timeline.count(t))[3])

    assert (at_3("waiting", 3.6), at_3("missing", 3.6)) == (["1.1", "2.1", "4.1", "5.1"], ["0.1"])
    assert at_3("waiting", 4.0) == at_3("missing", 4.0) == []
    assert all(timeline.variable_at("missing", timeline.count(3.6))[p] == [] for p in (0, 1, 2, 4, 5))


@pytest.mark.parametrize(
    ("name", "spec", "begin"),
    [("causal-broadcast", "complete:3", "0"), ("causal-broadcast", "complete:2", "01"),
     ("total-order-sequencer", "complete:2", "01"), ("total-order-sequencer", "complete:3", "0"),
     ("total-order-isis", "complete:2", "01"),
     ("lamport-clocks", "line:3", "02"), ("vector-clocks", "line:3", "02")],
)  # fmt: skip
def test_properties_hold_in_every_schedule(name: str, spec: str, begin: str) -> None:
    network = from_spec(spec).replace(initiators=tuple(begin))
    result = Explorer(Experiment("t", protocol=name, network=network), states=60_000).run()
    assert result.complete
    assert [each for each in result.findings if each.holds is not True] == []


BUGS = {
    "it forgets the letter's time": ("lamport-clocks", "max(self.time, received)", "self.time"),
    "it does not count the reception": (
        "lamport-clocks",
        "max(self.time, received) + 1",
        "max(self.time + 1, received)",
    ),
    "it forgets what the letter knows": ("vector-clocks", "max(self.v.get(q, 0), w[q])", "w[q]"),
    "it does not count its own event": ("vector-clocks", "self.v.get(self.me, 0) + 1", "self.v.get(self.me, 1)"),
    "it waits for the author's own order only": (
        "causal-broadcast",
        "all(w[k] <= self.v.get(k, 0) + (k == q) for k in w) and ",
        "",
    ),
    "it does not count its own posts": ("causal-broadcast", "w = {**self.v, self.me", "w = {self.me"),
    "it delivers without the number": (
        "total-order-sequencer",
        "self.order.get(self.next) in self.held",
        "self.next in self.order",
    ),
    "everybody numbers": (
        "total-order-sequencer",
        "if self.me == max((self.me, *self.neighbours), key=natural):",
        "if True:",
    ),
    "it delivers what is final, whatever is before it": (
        "total-order-isis",
        "min(self.queue, key=lambda id: place(self.queue[id]))",
        "id",
    ),
    "equal numbers are not told apart": ("total-order-isis", "return entry[0], natural(entry[1])", "return entry[0]"),
    "it takes the first proposal": (
        "total-order-isis",
        "max(self.proposals.pop(m.id), key=place)",
        "self.proposals.pop(m.id)[0]",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    network = from_spec("complete:5").replace(initiators=tuple("0123"), delay=SLOW)
    codes = (simulated(str(path), network, seed=seed).run() for seed in range(12))
    assert any(r.exit_code == 1 or r.error is not None for r in codes)
