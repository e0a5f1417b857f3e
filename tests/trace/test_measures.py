"""Measures compared with counts by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from lydian.trace.events import NO_STATE, Kind, Trace
from lydian.trace.measures import measures
from lydian.trace.timeline import STEPS, Timeline
from tests.trace.sample import Rows, echo, grid, traces


def test_echo_on_a_grid_obeys_its_formula() -> None:
    found = measures(echo(12, grid(4, 3), seed=3))
    assert found["messages"] == found["sent"] == found["received"] == 4 * 17 - 2 * 12 + 2
    assert found["by_kind"] == {
        "Broadcast": {"sent": 23, "received": 23, "dropped": 0, "bits": 184},
        "Ack": {"sent": 23, "received": 23, "dropped": 0, "bits": 184},
    }
    assert found["bits"] == 46 * 8
    assert found["kinds"] == {"init": 1, "send": 46, "receive": 46, "decide": 1}
    assert found["events"] == 94
    assert len(found["chain_events"]) > found["chain"] > 4
    assert 0.5 <= found["delay"]["mean"] <= found["delay"]["longest"] <= 1.5 + 1e-9


@given(traces())
def test_every_message_is_received_dropped_or_in_transit(trace: Trace) -> None:
    found = measures(trace)
    assert found["sent"] + found["injected"] == found["received"] + found["dropped"] + found["in_transit"]
    for key in ("sent", "received", "dropped"):
        assert found[key] == sum(kind[key] for kind in found["by_kind"].values())
        assert found[key] == sum(process[key] for process in found["per_process"].values())
    assert sum(found["kinds"].values()) == found["events"] == len(trace)
    assert json.loads(json.dumps(found)) == found
    assert measures(Timeline(trace)) == found


@given(traces())
def test_the_times_of_a_process(trace: Trace) -> None:
    found = measures(trace)
    end = found["time"]
    for p, (name, process) in enumerate(found["per_process"].items()):
        assert name == trace.processes[p]
        rows = [(i, row) for i, row in enumerate(trace.rows) if row["process"] == p]
        assert process["events"] == len(rows)
        assert process["first"] == (rows[0][1]["time"] if rows else None)
        assert process["last"] == (rows[-1][1]["time"] if rows else None)
        steps = [
            min((trace.detail(i) or {}).get("busy", 0.0), end - row["time"]) for i, row in rows if row["kind"] in STEPS
        ]
        assert process["busy"] == pytest.approx(sum(steps))
        assert process["waiting"] == pytest.approx(max(end - (rows[0][1]["time"] if rows else end) - sum(steps), 0))
        spans: dict[str, float] = {}
        count: dict[str, int] = {}
        for start, stop, state in zip(*(x.tolist() for x in Timeline(trace).periods(p)), strict=True):
            spans[trace.states[state]] = spans.get(trace.states[state], 0.0) + stop - start
            count[trace.states[state]] = count.get(trace.states[state], 0) + 1
        assert {state: value["time"] for state, value in process["states"].items()} == pytest.approx(spans)
        assert {state: value["periods"] for state, value in process["states"].items()} == count
        assert sum(value["busy"] for value in process["states"].values()) == pytest.approx(sum(steps))


def test_processes_that_take_time_are_busy() -> None:
    found = measures(echo(9, grid(3, 3), seed=5, step=0.25))
    root = found["per_process"]["0"]
    assert root["busy"] == pytest.approx(0.25 * (1 + root["received"]))
    assert root["states"]["initiating"]["busy"] == pytest.approx(0.25 * root["received"])
    assert 0 < found["busy_share"] < 1


def test_a_run_without_events() -> None:
    found = measures(Rows(2).trace(2))
    assert (found["events"], found["messages"], found["time"], found["chain"]) == (0, 0, 0.0, 0)
    assert found["per_process"]["1"]["first"] is None
    assert found["delay"] == {"mean": None, "longest": None}


def test_rows_without_state_do_not_count_as_a_state() -> None:
    out = Rows(2)
    out.add(1.0, Kind.LINK_DOWN, 0, peer=1)
    assert int(out.trace(2).rows["state"][0]) == NO_STATE
    assert measures(out.trace(2))["per_process"]["0"]["states"] == {}
