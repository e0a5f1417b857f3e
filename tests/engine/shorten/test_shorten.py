"""Failing runs are shortened: they fail in the same way, have less in them, and are the same every time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.shorten.failing import Failing, Size, failing_of
from lydian.engine.shorten.shorten import Shortened, shorten
from lydian.engine.shorten.structure import without_each
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.trace.events import Kind

FAULTY = '''"""Counting: each process counts what it receives, and cannot count to four.

Text.
"""
from lydian import INIT, Message, Process, on
class Ping(Message):
    hops: int = 0
class Counting(Process):
    states = ("active",)
    start = "active"
    count: int = 0
    @on("active", INIT)
    def begin(self):
        for q in self.neighbours:
            self.send(Ping(), to=q)
    @on("active", Ping)
    def receive(self, m, q):
        self.count += 1
        self.note(str(1 / (4 - self.count)))
        for p in self.neighbours:
            if p != q and m.hops < 4:
                self.send(Ping(hops=m.hops + 1), to=p)
'''


def confirmed(found: Shortened) -> Shortened:
    """Run the shortened experiment as if it were read from its file, and check that it fails in the same way."""
    experiment = from_dict(found.experiment.to_dict()).with_(path=found.experiment.path)
    result = Simulator(experiment).run()
    assert found.failing.in_(result)
    return found


@pytest.mark.parametrize(
    ("name", "failing", "most"),
    [
        # a token too many, on the smallest ring: it is enough to inject it
        ("mutex-ring-two-tokens", "there is at most one token", Size(8, 4, 3, 3, 1)),
        # a process votes, forgets it in a crash, and votes for another candidate: the story of the book
        ("raft-amnesia", "election safety: a term has at most one leader", Size(22, 10, 3, 3, 13)),
        # what a process waits for that has crashed is not final, so no step is left out, but processes are
        ("echo-crash", "the initiator learns that every process has the news", Size(10, 3, 4, 3, 1)),
        ("bully-slow", "there is at most one leader alive", Size(8, 3, 2, 1, 0)),
        ("distance-vector-count", "following the tables never leads back to the same process", Size(19, 11, 3, 2, 12)),
    ],
)
def test_a_run_becomes_shorter_and_fails_in_the_same_way(name: str, failing: str, most: Size) -> None:
    found = confirmed(shorten(archive().experiment(name), seconds=None))
    assert found.failing.name == failing
    assert found.complete
    for part in ("events", "messages", "processes", "links", "given"):
        assert getattr(found.after, part) <= getattr(most, part), part


def test_the_result_is_the_same_every_time() -> None:
    first, second = (shorten(archive().experiment("distance-vector-count"), seconds=None) for _ in range(2))
    assert first.experiment.to_dict() == second.experiment.to_dict()
    assert first.runs == second.runs


def test_a_failing_action_is_shortened_to_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "counting.py").write_text(FAULTY, encoding="utf-8")
    experiment = Experiment("t", protocol=str(tmp_path / "counting.py"), network="grid:4x4", seed=1)
    found = confirmed(shorten(experiment, seconds=None))
    assert found.failing == Failing("error", "line 19")
    assert found.before.processes == 16
    result = Simulator(found.experiment).run()
    assert found.after.processes <= 4
    received = result.trace.rows["kind"] == Kind.RECEIVE
    failed = result.trace.rows["process"][-1]
    assert (result.trace.rows["process"][received] == failed).sum() == 3  # the fourth one fails
    assert received.sum() <= 8


def test_a_timer_still_expires_after_the_messages_that_arrived_before_it() -> None:
    """In synchronous agreement a general that hears nothing in time obeys a default order; that is no shorter proof."""
    found = confirmed(shorten(archive().experiment("byzantine-generals-three"), seconds=None))
    result = Simulator(found.experiment).run()
    assert found.after.messages == 4
    assert (result.trace.rows["kind"] == Kind.RECEIVE).sum() >= 3


def test_the_violation_to_keep_can_be_named() -> None:
    experiment = archive().experiment("mutex-ring-two-tokens")
    found = confirmed(shorten(experiment, "at most one process is in the critical section", seconds=None))
    assert found.failing == Failing("always", "at most one process is in the critical section")
    with pytest.raises(BadInput, match="the run does not violate 'there is a token'"):
        shorten(experiment, "there is a token")


def test_a_run_that_does_not_fail_is_refused() -> None:
    with pytest.raises(BadInput, match="the run does not fail; only a failing run can be shortened"):
        shorten(archive().experiment("two-wings"))


def test_a_stopped_search_has_the_shortest_run_so_far() -> None:
    sizes: list[Size] = []
    experiment = archive().experiment("bully-slow")
    found = confirmed(shorten(experiment, seconds=None, progress=sizes.append, stopped=lambda: len(sizes) == 3))
    assert not found.complete
    assert found.after == sizes[-1]
    assert len(sizes) == 3
    assert found.after.events < found.before.events


def test_the_first_final_failure_is_chosen() -> None:
    result = Simulator(archive().experiment("paxos-amnesia")).run()
    assert failing_of(result) == Failing("always", "at most one value is chosen")
    assert failing_of(result, "no such property") is None
    assert failing_of(Simulator(archive().experiment("two-wings")).run()) is None


@given(st.integers(0, 40).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, max(n - 1, 0))))))
def test_no_item_that_is_kept_can_be_left_out_alone(given_: tuple[int, set[int]]) -> None:
    count, needed = given_
    items = tuple(range(count))
    needed &= set(items)
    assert set(without_each(items, lambda kept: needed <= set(kept))) == needed


@given(st.lists(st.integers(0, 9), max_size=20))
def test_items_are_kept_in_order_until_no_single_one_can_go(items: list[int]) -> None:
    def odd_or_large(kept: tuple[int, ...]) -> bool:
        return sum(kept) % 2 == sum(items) % 2 and len(kept) >= min(len(items), 3)

    kept = without_each(items, odd_or_large)
    assert odd_or_large(kept)
    assert not any(odd_or_large((*kept[:i], *kept[i + 1 :])) for i in range(len(kept)))


def test_a_partition_has_only_the_processes_that_are_left() -> None:
    found = confirmed(shorten(archive().experiment("fault-partition-bully"), seconds=None))
    assert found.after.processes < found.before.processes
    assert found.after.given < found.before.given
