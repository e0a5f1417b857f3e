"""Each workload accepts a program that is right, and finds planted bugs."""

from __future__ import annotations

import pytest

from lydian.nodes.workloads import WORKLOADS
from tests.nodes.plans import right

BUGS = {
    ("echo", "wrong"): "each reply repeats its request",
    ("unique-ids", "local"): "no identifier is used twice",
    ("broadcast", "forget"): "at the end, each process has all values that were acknowledged",
    ("broadcast", "twice"): "no read contains a value twice",
    ("g-set", "forget"): "at the end, each process has all values that were acknowledged",
    ("g-set", "invent"): "reads contain only values that were added",
    ("g-counter", "forget"): "at the end, each process has the sum of all additions",
    ("g-counter", "stale"): "at the end, each process has the sum of all additions",
    ("pn-counter", "no-negatives"): "at the end, each process has the sum of all additions",
    ("pn-counter", "twice"): "at the end, each process has the sum of all additions",
    ("lin-kv", "stale"): "the operations on each key are linearizable",
    ("lin-kv", "lost"): "the operations on each key are linearizable",
    ("lin-kv", "repeat"): "the operations on each key are linearizable",
    ("kafka", "skip"): "no poll skips a message of its log",
    ("kafka", "reverse"): "polls return offsets in order, from the one asked for",
    ("kafka", "everywhere"): "each offset of a log has one message",
    ("kafka", "ahead"): "no committed offset is higher than those that clients committed",
    ("txn-list-append", "local"): "all reads of a list agree on its order",
    ("txn-list-append", "blind"): None,  # which anomaly appears depends on what coincides
}


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_right_program_passes(carry_out, workload):
    run = carry_out(right(workload))
    assert (run.error, run.stopped) == (None, "until")
    assert {each.name: each.holds for each in run.checks} == dict.fromkeys((each.name for each in run.checks), True)
    assert run.found.exit_code == 0


@pytest.mark.parametrize(("workload", "bug"), BUGS)
def test_a_planted_bug_is_found_and_explained(carry_out, workload, bug):
    run = carry_out(right(workload, bug, duration=800))
    broken = {each.name: each.why for each in run.checks if each.holds is False}
    expected = BUGS[workload, bug]
    assert run.error is None
    assert broken
    assert all(broken.values())
    assert expected is None or expected in broken
    assert run.found.exit_code == 1
