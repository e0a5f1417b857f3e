"""Kept traces judged again: with the verdicts of the run itself, and by properties added later."""

from __future__ import annotations

import pytest

from lydian.batch.replay import judge_trace, traces_in
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.protocol.protocol import protocol_from_source


@pytest.mark.parametrize("name", ["two-wings", "echo-crash", "echo-lost-ack", "echo-corrupt-parent", "flooding-lost"])
def test_a_trace_is_judged_like_its_run(name):
    simulator = Simulator(archive().experiment(name))
    simulator.run()
    there = [each.to_dict() for each in simulator.checks() if each.kind != "messages"]
    assert judge_trace(simulator.trace) == there


def test_a_new_property_on_an_old_trace():
    simulator = Simulator(archive().experiment("two-wings"))
    simulator.run()
    extra = """

@always("never more than three messages in transit")
def few(c):
    return len(c.in_transit) <= 3
"""
    protocol = protocol_from_source(simulator.protocol.source + extra, name="echo")
    found = {check["name"]: check for check in judge_trace(simulator.trace, protocol)}
    few = found["never more than three messages in transit"]
    assert few["holds"] is False
    assert found["parents form a forest"]["holds"] is True
    rows = simulator.trace.rows[: few["at"] + 20]
    assert len(rows)


def test_an_unrelated_protocol_is_refused():
    simulator = Simulator(archive().experiment("two-wings"))
    simulator.run()
    with pytest.raises(BadInput, match="the trace has the state"):
        judge_trace(simulator.trace, archive().protocol("flooding"))


def test_no_traces(tmp_path):
    with pytest.raises(BadInput, match="contains no traces"):
        traces_in(tmp_path)
    with pytest.raises(BadInput, match="this folder does not exist"):
        traces_in(tmp_path / "none")
