"""Runs that have hardly begun: every view and the page can show them, however little has happened."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.pieces.animation import animation_for
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.others import communication, knowledge, step
from lydian.views.page.page import page
from lydian.views.time import causality, occupation
from lydian.views.words.reasons import steps
from lydian.views.words.sentence import closing, explain, opening
from tests.archive.ran import of_each_protocol
from tests.some import some

VIEWS = (basic, causality, communication, knowledge, occupation, step)
#: The number of events in each run: enough for most to send a message.
MOST = 200
ARCHIVE = archive()


#: One experiment of each protocol, and one whose first message is late.
EXPERIMENTS = sorted({*of_each_protocol().values(), "mobile-dag-walk"})


def run(name: str) -> Trace:
    experiment = ARCHIVE.experiment(name)
    stop = replace(experiment.stop, events=min(MOST, experiment.stop.events))
    return Simulator(experiment.with_(stop=stop, check=False).resolve(ARCHIVE)).run().trace


@pytest.mark.parametrize("name", some(EXPERIMENTS, 16))
def test_the_first_events_of_a_run_are_shown(name: str) -> None:
    trace = run(name)
    sent = np.flatnonzero(trace.column("message") >= 0)
    first = int(sent[0]) if len(sent) else len(trace)
    grown: Timeline | None = None
    for length in sorted({0, 1, 2, first, min(first + 1, len(trace)), len(trace)}):
        part = replace(trace, rows=trace.rows[:length])
        timeline, animation = Timeline(part), animation_for(part)
        grown = Timeline(part, grown)
        for view in VIEWS:
            shown = [view.frame(each, each.end, animation=animation) for each in (timeline, grown)]
            assert shown[0].title == shown[1].title
        assert opening(timeline) and closing(timeline)
        for seq in steps(timeline).tolist()[-1:]:
            assert explain(timeline, seq, animation)
        if length in (0, first):
            assert page(timeline, animation).endswith("</html>\n")
