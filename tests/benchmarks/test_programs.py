"""The number of messages that the network between programs carries in a second."""

from __future__ import annotations

import sys

from lydian.model.generators import from_spec
from lydian.nodes.plan import Plan, renamed
from lydian.nodes.run import Run
from lydian.trace.timeline import Timeline
from tests.benchmarks.conftest import Report
from tests.nodes.plans import PROGRAMS

#: The messages in a second that 25 programs must exchange; not a ratio, as it is what a class needs.
LEAST = 3000


def test_messages_between_programs_in_a_second(report: Report) -> None:
    """25 Python programs flood a grid as fast as their clients ask."""
    command = (sys.executable, str(PROGRAMS / "flood.py"))
    run = Run(Plan(command, renamed(from_spec("grid:5x5")), "broadcast", rate=1e5, duration=4000, timeout=20_000))
    result = run.run()
    timeline = Timeline(result.trace)
    working = timeline.time[timeline.time <= run.plan.duration]
    assert result.error is None
    carried = int((timeline.message_sent <= run.plan.duration).sum()) / float(working[-1]) * 1000
    report.add("messages between 25 programs", carried, "/s", f"at least {LEAST}")
    assert carried >= LEAST
