"""Vector clocks compared with the causal past, event by event."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.trace import causality
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.timeline import Timeline
from lydian.views.others import clocks as module
from lydian.views.others.clocks import NEVER, Clocks, clocks_of
from tests.desk.test_playhead import echo_run


def chatter(n: int, sends: list[tuple[int, int, int]], lost: frozenset[int] = frozenset()) -> Timeline:
    """Generate messages (from, to, number of later events before the arrival), in this order; some are lost."""
    queue: list[tuple[float, int, int, int, int]] = []
    for m, (a, b, late) in enumerate(sends):
        queue.append((float(m), 0, m, a % n, b % n))
        queue.append((m + late + 0.5, 1, m, a % n, b % n))
    queue.sort()
    rows = np.zeros(len(queue), dtype=ROW)
    for name in ("peer", "cause", "bits"):
        rows[name] = -1
    sent: dict[int, int] = {}
    for seq, (time, what, m, a, b) in enumerate(queue):
        row = rows[seq]
        row["time"], row["message"] = time, m
        if what == 0:
            row["kind"], row["process"], row["peer"] = Kind.SEND, a, b
            sent[m] = seq
        else:
            row["kind"] = Kind.DROP if m in lost else Kind.RECEIVE
            row["process"], row["peer"], row["cause"] = b, a, sent[m]
    return Timeline(Trace(rows, tuple(map(str, range(n))), ("M",), ("s",), summary={"stopped": "limit"}))


SENDS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 12)), max_size=60)


def expected(timeline: Timeline, k: int) -> np.ndarray:
    """Return the last event of each process in the causal past of each process's last event."""
    clock = np.full((timeline.n, timeline.n), -1)
    for i in range(timeline.n):
        own = [e for e in range(k) if timeline.process[e] == i and timeline.kind[e] != Kind.DROP]
        if own:
            past = causality.past(timeline, own[-1])
            for e in np.flatnonzero(past).tolist():
                clock[i, timeline.process[e]] = max(clock[i, timeline.process[e]], e)
    return clock


@settings(deadline=None)
@given(n=st.integers(1, 7), sends=SENDS, lost=st.frozensets(st.integers(0, 59), max_size=8), data=st.data())
def test_clocks_match_the_causal_past(
    n: int, sends: list[tuple[int, int, int]], lost: frozenset[int], data: st.DataObject
) -> None:
    timeline = chatter(n, sends, lost)
    clocks = Clocks(timeline)
    for k in data.draw(st.lists(st.integers(0, timeline.length), min_size=1, max_size=5)):
        wanted, off = expected(timeline, k), ~np.eye(n, dtype=bool)
        assert (clocks.latest(k)[off] == wanted[off]).all()
        assert (clocks.known(k) == ((wanted >= 0) | ~off)).all()


@settings(deadline=None)
@given(n=st.integers(2, 7), sends=SENDS, ks=st.lists(st.integers(0, 120), max_size=12))
def test_key_frames_and_query_order_do_not_affect_the_result(
    n: int, sends: list[tuple[int, int, int]], ks: list[int]
) -> None:
    timeline = chatter(n, sends)
    plain, dense = Clocks(timeline), Clocks(timeline)
    dense.__dict__["spacing"] = 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "NEAR", 2)
        found = [dense.latest(k) for k in ks]
    for k, latest in zip(ks, found, strict=True):
        assert (latest == plain.latest(k)).all()


@given(n=st.integers(2, 7), sends=SENDS)
def test_information_travels_along_a_chain_of_messages(n: int, sends: list[tuple[int, int, int]]) -> None:
    timeline = chatter(n, sends)
    clocks = clocks_of(timeline)
    for i in range(n):
        for j in range(n):
            way = clocks.way(i, j)
            assert bool(way) == (clocks.first[i, j] != NEVER)
            if way:
                assert (way[0], way[-1]) == (j, i)
                hops = {(a % n, b % n) for a, b, _ in sends}
                assert all(hop in hops for hop in itertools.pairwise(way))
                heard = [int(clocks.first[p, j]) for p in way]
                assert heard == sorted(heard)


def test_key_frames_stay_within_their_memory_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 50
    sends = [(i % n, (i * 7 + 3) % n, 3) for i in range(4_000)]
    monkeypatch.setattr(module, "BUDGET", 60_000)
    monkeypatch.setattr(module, "SPACING", 100)
    monkeypatch.setattr(module, "NEAREST", 1)
    clocks = Clocks(chatter(n, sends))
    for k in (8_000, 5_000, 1_000):
        clocks.latest(k)
    assert len(clocks._frames) == 2 and clocks.spacing > 1_000
    assert clocks.kept_bytes <= 60_000 + 2 * n * n * 4


def test_in_echo_only_the_initiator_ends_up_knowing_all_processes() -> None:
    timeline = echo_run()
    counts = clocks_of(timeline).known(timeline.length).sum(axis=1)
    assert counts[0] == timeline.n
    assert (counts[1:] < timeline.n).all()


@pytest.mark.slow
def test_the_clocks_do_not_keep_the_timeline_alive() -> None:
    import gc
    import weakref

    timeline = chatter(3, [(0, 1, 2)])
    clocks_of(timeline).latest(2)
    gone = weakref.ref(timeline)
    del timeline
    gc.collect()
    assert gone() is None
