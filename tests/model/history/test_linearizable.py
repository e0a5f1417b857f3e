"""Linearizability against histories with known answers."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from lydian.model.history.linearizable import ABSENT, Access, check_keys, check_register, same

NEVER = math.inf


def access(text: str) -> Access:
    """Read ``w1 0-2`` (write 1 from time 0 to 2), ``r1 3-4``, ``r- 0-1`` (absent) or ``c1>2 0-?`` (unknown outcome)."""
    what, span = text.split()
    start, end = span.split("-")
    ends = NEVER if end == "?" else float(end)
    if what[0] == "c":
        old, new = what[1:].split(">")
        return Access("cas", float(start), ends, same(int(new)), same(int(old)))
    value = ABSENT if what[1:] == "-" else same(int(what[1:]))
    return Access({"r": "read", "w": "write"}[what[0]], float(start), ends, value)


RIGHT = {
    "empty": [],
    "one after the other": ["w1 0-1", "r1 2-3", "w2 4-5", "r2 6-7"],
    "read before the first write": ["r- 0-1", "w1 2-3"],
    "concurrent read sees the old value": ["w1 0-1", "w2 2-5", "r1 3-4"],
    "concurrent read sees the new value": ["w1 0-1", "w2 2-5", "r2 3-4", "r2 6-7"],
    "concurrent writes in either order": ["w1 0-5", "w2 0-5", "r2 6-7"],
    "new value before the write returns": ["w1 0-9", "r1 2-3", "r1 4-5"],
    "compare and set": ["w1 0-1", "c1>2 2-3", "r2 4-5"],
    "two concurrent compare and sets in a chain": ["w1 0-1", "c2>3 2-6", "c1>2 2-6", "r3 7-8"],
    "unknown write that takes effect late": ["w1 0-1", "w2 2-?", "r1 3-4", "r2 5-6", "r2 7-8"],
    "unknown write that never takes effect": ["w1 0-1", "w2 2-?", "r1 3-4", "r1 50-60"],
    "unknown compare and set that fails": ["w1 0-1", "c5>6 2-?", "r1 3-4"],
    "unknown compare and set that succeeds": ["w1 0-1", "c1>6 2-?", "r1 3-4", "r6 5-6"],
    "call at the time of a return": ["w1 0-2", "r- 2-3"],
}
WRONG = {
    "stale read": (["w1 0-1", "w2 2-3", "r1 4-5"], 4),
    "lost update": (["w1 0-1", "c1>2 2-3", "r1 4-5"], 4),
    "duplicated write": (["w1 0-1", "w2 2-3", "r2 4-5", "r1 6-7", "r2 8-9"], 6),
    "value from nowhere": (["w1 0-1", "r7 2-3"], 2),
    "absent after a write": (["w1 0-1", "r- 2-3"], 2),
    "new, then old, during one write": (["w1 0-1", "w2 2-9", "r2 3-4", "r1 5-6"], 5),
    "both compare and sets succeed": (["w1 0-1", "c1>2 2-6", "c1>3 2-6"], 2),
    "compare and set of a value never there": (["w1 0-1", "c4>5 2-3"], 2),
    "two readers disagree on the order": (["w1 0-9", "w2 0-9", "r1 10-11", "r2 12-13"], 12),
    "unknown write seen, then gone": (["w1 0-1", "w2 2-?", "r2 3-4", "r1 5-6"], 5),
    "read before the write begins": (["r1 0-1", "w1 2-3"], 0),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_linearizable_history_is_accepted(name):
    assert check_register(map(access, RIGHT[name]), 60).holds is True


@pytest.mark.parametrize("name", WRONG)
def test_a_violation_is_found_and_the_operation_named(name):
    texts, start = WRONG[name]
    found = check_register(map(access, texts), 60)
    assert (found.holds, found.stuck and found.stuck.start) == (False, start)


@pytest.mark.parametrize("seed", range(60))
def test_it_agrees_with_trying_all_orders(seed):
    history = _drawn(random.Random(seed), atomic=False)
    assert check_register(history, 60).holds is _by_hand(history)


@pytest.mark.parametrize("seed", range(20))
def test_a_history_of_an_atomic_register_is_accepted_whatever_its_length(seed):
    assert check_register(_drawn(random.Random(seed), atomic=True, length=400), 60).holds is True


def test_keys_are_independent_and_the_key_of_a_violation_is_named():
    right, wrong = list(map(access, RIGHT["compare and set"])), list(map(access, WRONG["stale read"][0]))
    assert check_keys({"a": right, "b": right}, 60).holds is True
    found = check_keys({"a": right, "b": wrong}, 60)
    assert (found.holds, found.key) == (False, "b")


def test_a_search_that_takes_too_long_is_undecided():
    many = [Access("write", 0, NEVER, same(i)) for i in range(40)]
    reads = [Access("read", 2 * i + 1, 2 * i + 2, same(i % 40)) for i in range(39)]
    impossible = [Access("read", 100, 101, same(99))]
    assert check_register([*many, *reads, *impossible], 0).holds is None


def _drawn(draw: random.Random, *, atomic: bool, length: int = 6) -> list[Access]:
    """Return operations whose results are those of an atomic register, or random."""
    found: list[Access] = []
    state, now = ABSENT, 0.0
    for _ in range(length):
        now += draw.random()
        start, end = now - 2 * draw.random(), now + 2 * draw.random()  # the operation takes place now
        do, value, old = draw.choice(["read", "write", "cas"]), same(draw.randrange(3)), same(draw.randrange(3))
        if atomic:
            if do == "read":
                value = state
            elif do == "write" or state == old:
                state = value
            else:
                continue
        unknown = do != "read" and draw.random() < 0.1
        found.append(Access(do, start, NEVER if unknown else end, value, old))
    return found


def _by_hand(history: list[Access]) -> bool:
    """Try all orders of all subsets that contain every operation with a known outcome."""
    known = [each for each in history if each.known]
    unknown = [each for each in history if not each.known]
    for count in range(len(unknown) + 1):
        for some in itertools.combinations(unknown, count):
            for order in itertools.permutations([*known, *some]):
                if _possible(order):
                    return True
    return False


def _possible(order: tuple[Access, ...]) -> bool:
    state = ABSENT
    for i, each in enumerate(order):
        if any(later.end < each.start for later in order[i + 1 :]):
            return False
        if each.do == "read" and each.value != state:
            return False
        if each.do == "cas" and each.old != state:
            return False
        state = state if each.do == "read" else each.value
    return True
