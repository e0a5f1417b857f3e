"""Every query of a timeline compared with a scan of all rows before the position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydian.trace import details, keyframes
from lydian.trace.events import KINDS, NO_STATE, Kind, Trace
from lydian.trace.timeline import STEPS, Timeline
from tests.trace.sample import LABELS, STATES, Rows, echo, grid, traces


@pytest.fixture(params=[None, 4], ids=["long blocks", "short blocks"])
def blocks(request: pytest.FixtureRequest) -> Any:
    """Run the same queries with snapshots so close together that each is used."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param:
            patch.setattr(keyframes, "ROWS", request.param)
            patch.setattr(keyframes, "MESSAGES", 3)
            patch.setattr(keyframes, "COUNTS_BYTES", 1)
        yield


def positions(trace: Trace) -> range:
    return range(0, len(trace) + 1, max(1, len(trace) // 10))


def before(trace: Trace, k: int) -> list[dict[str, Any]]:
    names = trace.rows.dtype.names or ()
    return [dict(zip(names, row, strict=True)) | {"seq": i} for i, row in enumerate(trace.rows[:k].tolist())]


@pytest.mark.usefixtures("blocks")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # the fixture is the same for all examples
@given(traces())
def test_every_query_matches_a_scan_of_all_earlier_rows(trace: Trace) -> None:
    timeline = Timeline(trace)
    n = timeline.n
    for k in positions(trace):
        rows = before(trace, k)
        state, crashed, down, flying = [0] * n, [False] * n, set(), set()
        last = [-1] * n
        counts = {kind: np.zeros((n, 2), dtype=int) for kind in (Kind.SEND, Kind.RECEIVE, Kind.DROP)}
        for row in rows:
            p, kind = row["process"], row["kind"]
            last[p] = row["seq"]
            if row["state"] != NO_STATE:
                state[p] = row["state"]
            if kind in (Kind.CRASH, Kind.RECOVER):
                crashed[p] = kind == Kind.CRASH
            link = (min(p, row["peer"]), max(p, row["peer"]))
            if kind == Kind.LINK_DOWN:
                down.add(link)
            if kind == Kind.LINK_UP:
                down.discard(link)
            if kind == Kind.SEND:
                flying.add(row["message"])
            if kind in (Kind.RECEIVE, Kind.DROP):
                flying.discard(row["message"])
            if kind in counts:
                counts[kind][p, row["label"]] += 1
        assert timeline.states_at(k).tolist() == state
        assert timeline.states_at(k).dtype == np.int16
        assert timeline.crashed_at(k).tolist() == crashed
        assert timeline.links_down_at(k) == down
        assert sorted(timeline.in_flight(k).tolist()) == sorted(flying)
        assert timeline.last_events(k).tolist() == last
        assert [timeline.last_event(p, k) for p in range(n)] == last
        assert timeline.sent_at(k).tolist() == counts[Kind.SEND].tolist()
        assert timeline.received_at(k).tolist() == counts[Kind.RECEIVE].tolist()
        assert timeline.dropped_at(k).tolist() == counts[Kind.DROP].tolist()
        assert timeline.round_at(k) == (rows[-1]["round"] if rows else 0)


@given(traces(), st.floats(-1, 50))
def test_the_position_of_a_time_counts_the_events_up_to_it(trace: Trace, t: float) -> None:
    timeline = Timeline(trace)
    assert timeline.count(t) == sum(row["time"] <= t for row in before(trace, len(trace)))
    assert timeline.count(np.inf) == len(trace) and timeline.count(-1) == 0
    assert timeline.count(timeline.end) == len(trace)


@given(traces())
def test_variables_are_the_last_values_before_a_position(trace: Trace) -> None:
    timeline = Timeline(trace)
    for k in positions(trace):
        found: list[dict[str, Any]] = [{"x": (0, -1)} for _ in range(timeline.n)]
        for row in before(trace, k):
            for name, value in ((trace.detail(row["seq"]) or {}).get("changed") or {}).items():
                found[row["process"]][name] = (value, row["seq"])
        for name in timeline.variable_names:
            for values in found:
                values.setdefault(name, (None, -1))
            assert timeline.variable_at(name, k) == [values[name][0] for values in found]
        assert [timeline.variables(p, k) for p in range(timeline.n)] == found
    assert timeline.variable_at("nothing of this name", len(trace)) == [None] * timeline.n


@given(traces(), st.data())
def test_next_and_previous_events(trace: Trace, data: st.DataObject) -> None:
    timeline = Timeline(trace)
    k = data.draw(st.integers(0, len(trace)))
    process = data.draw(st.one_of(st.none(), st.integers(0, timeline.n - 1)))
    kinds = data.draw(st.one_of(st.none(), st.sets(st.integers(0, len(KINDS) - 1))))
    fitting = [
        row["seq"]
        for row in before(trace, len(trace))
        if (process is None or row["process"] == process) and (kinds is None or row["kind"] in kinds)
    ]
    assert timeline.next_event(k, process, kinds) == min((s for s in fitting if s >= k), default=-1)
    assert timeline.previous_event(k, process, kinds) == max((s for s in fitting if s < k), default=-1)
    if process is not None and kinds is not None:
        assert timeline.last_of_kind(process, k, kinds) == timeline.previous_event(k, process, kinds)


@given(traces())
def test_periods_of_states_are_contiguous_and_match_the_state_at_any_position(trace: Trace) -> None:
    timeline = Timeline(trace)
    for p in range(timeline.n):
        start, end, state = timeline.periods(p)
        assert np.array_equal(start[1:], end[:-1])
        assert (state[1:] != state[:-1]).all()
        assert not len(end) or end[-1] == timeline.end
        for a, code in zip(start.tolist(), state.tolist(), strict=True):
            k = timeline.count(a)
            latest = [row["state"] for row in before(trace, k) if row["process"] == p and row["time"] == a]
            assert code in latest


@given(traces())
def test_busy_spans_are_the_steps_of_a_process(trace: Trace) -> None:
    timeline = Timeline(trace)
    for p in range(timeline.n):
        steps = [row for row in before(trace, len(trace)) if row["process"] == p and row["kind"] in STEPS]
        start, end = timeline.busy(p)
        assert start.tolist() == [row["time"] for row in steps]
        lengths = [(trace.detail(row["seq"]) or {}).get("busy", 0) for row in steps]
        assert (end - start).tolist() == pytest.approx(lengths)


@given(traces(), st.integers(1, 7), st.floats(0, 10), st.floats(0, 10))
def test_density_counts_each_event_in_the_interval_once(trace: Trace, bins: int, a: float, b: float) -> None:
    timeline = Timeline(trace)
    t0, t1 = min(a, b), max(a, b)
    inside = [row for row in before(trace, len(trace)) if t0 <= row["time"] <= t1]
    kinds = np.bincount([row["kind"] for row in inside], minlength=len(KINDS))
    found = timeline.density(bins, t0, t1)
    assert found.shape == (bins, len(KINDS))
    assert found.sum(axis=0).tolist() == kinds.tolist()
    assert timeline.density(bins, t0, t1, "process").sum() == len(inside)
    assert timeline.density(bins, t0, t1, "label").sum() == sum(row["label"] >= 0 for row in inside)


def test_density_puts_events_into_the_bin_of_their_time() -> None:
    out = Rows(1)
    for time in (0.0, 0.9, 1.0, 3.5, 4.0):
        out.add(time, Kind.TIMER, 0, 0)
    assert Timeline(out.trace(1)).density(4, 0, 4).sum(axis=1).tolist() == [2, 1, 0, 2]


def test_the_table_of_messages() -> None:
    trace = echo(9, grid(3, 3), seed=4, loss=0.2)
    timeline = Timeline(trace)
    assert timeline.m_messages == len(timeline.sends) == sum(row["kind"] == Kind.SEND for row in before(trace, 999))
    for m in range(timeline.m_messages):
        send = trace.event(int(timeline.sends[m]))
        assert (send.kind, send.message, send.time) == ("send", m, timeline.message_sent[m])
        assert timeline.processes[timeline.message_source[m]] == send.process
        assert timeline.processes[timeline.message_target[m]] == send.peer
        assert LABELS[timeline.message_label[m]] == send.label
        assert timeline.message_bits[m] == send.bits
        end = trace.event(int(timeline.receives[m]))
        assert (end.kind, end.message) == ("drop" if timeline.lost[m] else "receive", m)
        assert end.time == timeline.message_arrived[m]
    assert timeline.lost.any() and not timeline.lost.all()


def test_a_message_in_transit_at_the_end_never_arrives() -> None:
    out = Rows(2)
    start = out.add(0.0, Kind.INIT, 0, 3)
    out.send(0.0, 0, 1, 0, 3, start)
    timeline = Timeline(out.trace(2))
    assert timeline.receives.tolist() == [-1]
    assert timeline.message_arrived.tolist() == [np.inf]
    assert timeline.in_flight(2).tolist() == [0]
    assert timeline.in_flight(1).tolist() == []


@pytest.mark.usefixtures("blocks")
def test_many_messages_in_transit_at_once() -> None:
    out = Rows(2)
    start = out.add(0.0, Kind.INIT, 0, 3)
    for _ in range(500):
        out.send(0.0, 0, 1, 0, 3, start)
    for message in reversed(range(500)):
        out.receive(1.0, message, 1)
    timeline = Timeline(out.trace(2))
    for k in (0, 1, 250, 501, 502, 700, 1001):
        expected = [m for m in range(500) if m + 1 < k <= 501 + 499 - m]
        assert sorted(timeline.in_flight(k).tolist()) == expected


def test_a_message_may_wait_for_a_busy_process() -> None:
    trace = echo(9, grid(3, 3), seed=2, step=0.6)
    timeline = Timeline(trace)
    waited = [(trace.detail(int(seq)) or {}).get("waited", 0.0) for seq in timeline.receives]
    assert max(waited) > 0
    assert (timeline.message_arrived - timeline.message_reached).tolist() == pytest.approx(waited)
    assert (timeline.message_reached >= timeline.message_sent + 0.5).all()


def test_the_states_of_an_execution_of_echo() -> None:
    timeline = Timeline(echo(12, grid(4, 3), seed=7))
    assert [STATES[s] for s in timeline.states_at(0)] == ["sleeping"] * 12
    assert [STATES[s] for s in timeline.states_at(10**9)] == ["finished"] + ["acked"] * 11
    _, _, states = timeline.periods(5)
    assert [STATES[s] for s in states] == ["waiting", "acked"]
    parents = timeline.variable_at("parent", timeline.length)
    assert parents[0] is None and all(parent is not None for parent in parents[1:])
    assert all(pending == [] for pending in timeline.variable_at("pending", timeline.length))


def test_intervals_in_which_a_process_was_down() -> None:
    out = Rows(2)
    for time, kind, p in [(1, Kind.CRASH, 0), (2, Kind.CRASH, 0), (3, Kind.RECOVER, 0), (4, Kind.CRASH, 1)]:
        out.add(float(time), kind, p, 0)
    out.add(5.0, Kind.CRASH, 0, 0)
    out.add(6.0, Kind.TIMER, 1, 0)
    timeline = Timeline(out.trace(2))
    assert [part.tolist() for part in timeline.down(0)] == [[1.0, 5.0], [3.0, 6.0]]
    assert [part.tolist() for part in timeline.down(1)] == [[4.0], [6.0]]


def test_a_trace_without_events() -> None:
    timeline = Timeline(Rows(3).trace(3))
    assert (timeline.end, timeline.m_messages, timeline.count(1.0)) == (0.0, 0, 0)
    assert timeline.states_at(0).tolist() == [0, 0, 0]
    assert timeline.sent_at(5).tolist() == [[0, 0]] * 3
    assert timeline.in_flight(0, 0.0).tolist() == []
    assert timeline.message_reached.tolist() == []
    assert timeline.variables(0, 0) == {}
    assert [part.tolist() for part in timeline.periods(1)] == [[], [], []]
    assert timeline.density(3, 0, 1).sum() == 0
    assert timeline.next_event(0) == timeline.previous_event(0) == timeline.last_event(0, 0) == -1


def test_times_out_of_order_are_counted_from_the_latest_earlier_time() -> None:
    out = Rows(1)
    for time in (0.0, 2.0, 1.0, 3.0):
        out.add(time, Kind.TIMER, 0, 0)
    timeline = Timeline(out.trace(1))
    assert timeline.time.tolist() == [0.0, 2.0, 2.0, 3.0]
    assert timeline.count(1.5) == 1


def test_details_that_are_not_json_objects_are_ignored() -> None:
    out = Rows(1)
    for text in ('"changed": 1}', '["changed"]', '{"changed": 3}', '{"busy": "long"}', '{"changed": {"a": 1}}'):
        seq = out.add(0.0, Kind.TIMER, 0, 0)
        out.details[seq] = text
    timeline = Timeline(out.trace(1))
    assert timeline.variables(0, 5) == {"a": (1, 4)}
    assert timeline.busy(0)[1].tolist() == [0.0] * 5


def test_long_values_are_fetched_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(details, "DIFFERENT", 3)
    out = Rows(1)
    values = [list(range(i)) for i in range(30)] + ["word " * i for i in range(30)] + [None, 0.5, True, {"a": [1] * 99}]
    for value in values:
        out.add(0.0, Kind.TIMER, 0, 0, detail={"changed": {"x": value}})
    timeline = Timeline(out.trace(1))
    for _ in range(2):
        assert [timeline.variables(0, k + 1)["x"] for k in range(len(values))] == [(v, i) for i, v in enumerate(values)]
        assert [timeline.variable_at("x", k + 1) for k in range(len(values))] == [[v] for v in values]
