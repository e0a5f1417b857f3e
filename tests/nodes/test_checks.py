"""The checks of the workloads against histories with known answers."""

from __future__ import annotations

import math

import pytest

from lydian.nodes.history import History, Operation
from lydian.nodes.workloads import WORKLOADS


def did(start, end, body, reply=None, *, process="n0", client="c0", last=False):
    """Return an operation; without an end its outcome is unknown, with an ``error`` as reply it has that code."""
    each = Operation(client, process, body, float(start), asked=int(start), last=last)
    if end is not None:
        each.answered({"type": "error", "code": reply} if isinstance(reply, int) else reply, float(end), int(end))
    return each


def checked(workload, *operations):
    """Return the names of the checks that fail, with their reasons."""
    found = WORKLOADS[workload](("c0", "c1")).check(History(operations))
    return {each.name: each.why for each in found if each.holds is False}


# ---------------------------------------------------------------------- outcomes


def test_an_error_is_definite_only_with_a_code_that_says_so():
    codes = (0, 1, 10, 11, 13, 20, 22, 30, 1000)
    outcomes = {code: did(0, 1, {"type": "add", "delta": 1}, code).outcome for code in codes}
    assert {code for code, outcome in outcomes.items() if outcome == "unknown"} == {0, 13, 1000}
    assert did(0, 1, {"type": "add"}, 13).end == math.inf
    assert did(0, None, {"type": "add"}).outcome == "unknown"


def test_a_type_of_request_that_never_succeeds_is_reported():
    found = checked("g-counter", did(0, 1, {"type": "add", "delta": 1}, 10), did(2, None, {"type": "read"}))
    assert found["some request of each type succeeds"].startswith(
        "no add succeeded: 1 had an error, the first with code 10"
    )


# ---------------------------------------------------------------------- sets and counters

SUM = "at the end, each process has the sum of all additions"


def add(start, end, delta, reply=None):
    return did(start, end, {"type": "add", "delta": delta}, {"type": "add_ok"} if reply is None else reply)


def total(start, value, process="n0"):
    return did(start, start + 1, {"type": "read"}, {"type": "read_ok", "value": value}, process=process, last=True)


@pytest.mark.parametrize(("value", "right"), [(7, True), (5, True), (9, True), (3, False), (12, False), (6, False)])
def test_additions_with_unknown_outcome_may_be_part_of_the_sum(value, right):
    history = (add(0, 1, 7), add(2, None, 2), add(2, None, -2), add(3, 4, 4, 11), total(9, value))
    assert (SUM in checked("pn-counter", *history)) is not right


def test_a_counter_that_only_grows_is_never_larger_than_what_was_added():
    read = did(2, 3, {"type": "read"}, {"type": "read_ok", "value": 2})
    name = "no read exceeds the sum of the additions so far"
    assert checked("g-counter", add(0, 1, 1), read, add(4, 5, 1), total(9, 2)) == {
        name: "n0 returned 2, but at most 1 had been added"
    }


def test_the_process_that_misses_a_value_is_named():
    history = (
        did(0, 1, {"type": "add", "element": 1}, {"type": "add_ok"}),
        did(2, None, {"type": "add", "element": 2}),
        did(5, 6, {"type": "read"}, {"type": "read_ok", "value": [2, 1]}, process="n0", last=True),
        did(5, 6, {"type": "read"}, {"type": "read_ok", "value": [2]}, process="n1", last=True),
    )
    assert list(checked("g-set", *history).values()) == ["n1 does not have 1"]


# ---------------------------------------------------------------------- logs


def send(start, msg, offset, key="k0"):
    body, reply = {"type": "send", "key": key, "msg": msg}, {"type": "send_ok", "offset": offset}
    return did(start, start + 1, body, reply)


def poll(start, first, *pairs, key="k0"):
    reply = {"type": "poll_ok", "msgs": {key: [list(each) for each in pairs]}}
    return did(start, start + 1, {"type": "poll", "offsets": {key: first}}, reply)


LOGS = {
    "no poll skips a message of its log": (send(0, "a", 0), send(2, "b", 1), poll(6, 0, (0, "a"), (2, "c"))),
    "each offset of a log has one message": (send(0, "a", 0), poll(2, 0, (0, "b"))),
    "each message has one offset": (send(0, "a", 0), poll(2, 0, (0, "a"), (1, "a"))),
    "polls return offsets in order, from the one asked for": (send(0, "a", 0), send(2, "b", 1), poll(4, 1, (0, "a"))),
    "polls return lists of [offset, message] pairs": (send(0, "a", 0), poll(2, 0, (0, "a", "x"))),
}  # fmt: skip


@pytest.mark.parametrize("name", LOGS)
def test_anomalies_of_logs_are_found(name):
    assert list(checked("kafka", *LOGS[name])) == [name]


def test_a_log_may_have_gaps_and_polls_may_be_late():
    assert checked("kafka", send(0, "a", 0), send(2, "b", 5), poll(4, 0, (0, "a")), poll(6, 1, (5, "b"))) == {}


# ---------------------------------------------------------------------- transactions


def txn(start, end, *steps, reply=None):
    """Return a transaction; ``"rx"`` reads list x, ``"ax1"`` appends 1 to it; a read's result is ``("rx", [1])``."""
    asked, given = [], []
    for step in steps:
        what, value = step if isinstance(step, tuple) else (step, int(step[2:] or 0))
        do = "r" if what[0] == "r" else "append"
        asked.append([do, what[1], None if do == "r" else value])
        given.append([do, what[1], value])
    answer = {"type": "txn_ok", "txn": given} if reply is None else reply
    return did(start, end, {"type": "txn", "txn": asked}, answer)


SERIAL, REAL = "the transactions are serializable", "they are serializable in the order of real time"
ANOMALIES = {
    "aborted read": ([txn(0, 1, "ax1", reply=14), txn(2, 3, ("rx", [1]))],
                     "reads contain only values that were appended, each once"),
    "value from nowhere": ([txn(0, 1, ("rx", [9]))], "reads contain only values that were appended, each once"),
    "duplicate": ([txn(0, 1, "ax1"), txn(2, 3, ("rx", [1, 1]))],
                  "reads contain only values that were appended, each once"),
    "own append lost": ([txn(0, 1, "ax1", ("rx", []))], "each transaction sees its own appends"),
    "two orders": ([txn(0, 9, "ax1"), txn(0, 9, "ax2"), txn(10, 11, ("rx", [1, 2])), txn(12, 13, ("rx", [2, 1]))],
                   "all reads of a list agree on its order"),
    "circular information flow": ([txn(0, 9, "ax1", ("ry", [2])), txn(0, 9, "ay2", ("rx", [1]))], SERIAL),
    "lost update": ([txn(0, 9, ("rx", []), "ax1"), txn(0, 9, ("rx", []), "ax2"), txn(10, 11, ("rx", [1, 2]))], SERIAL),
    "write skew": ([txn(0, 9, ("rx", []), "ay1"), txn(0, 9, ("ry", []), "ax2"), txn(10, 11, ("rx", [2]), ("ry", [1]))],
                   SERIAL),
    "fractured read": ([txn(0, 9, "ax1", "ay2"), txn(0, 9, ("rx", [1]), ("ry", [])), txn(10, 11, ("ry", [2]))], SERIAL),
    "stale read": ([txn(0, 1, "ax1"), txn(2, 3, ("rx", [])), txn(4, 5, ("rx", [1]))], REAL),
}  # fmt: skip


@pytest.mark.parametrize("name", ANOMALIES)
def test_anomalies_of_transactions_are_found(name):
    history, check = ANOMALIES[name]
    assert check in checked("txn-list-append", *history, txn(90, 91, "az1"))


def test_serializable_histories_pass():
    assert checked(
        "txn-list-append",
        txn(0, 9, "ax1", ("ry", [])), txn(0, 9, "ay2", ("rx", [1])), txn(10, 11, ("rx", [1]), ("ry", [2])),
        txn(12, None, "ax3"), txn(14, 15, ("rx", [1, 3])), txn(16, None, "ax4"), txn(18, 19, ("rx", [1, 3])),
        txn(20, 21, "ax5", "ax6", ("rx", [1, 3, 5, 6])),
    ) == {}  # fmt: skip
