"""Guarded actions in the views: described in words, counted in the table, shown as a flash, never as messages."""

from __future__ import annotations

import pytest

from lydian.authoring.cellcounts import cell_counts
from lydian.authoring.celltable import table_look
from lydian.authoring.failing import failure_of
from lydian.engine.pending import pending
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Stop
from lydian.model.interventions.words import gesture_words
from lydian.model.source.draft import read
from lydian.model.source.outline import outline
from lydian.pieces.animation import animation_for
from lydian.trace.causality import happened_before, longest_chain, predecessors
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.basic import frame
from lydian.views.playback.enabled import cards, played, situation
from lydian.views.time.causality import frame as causality
from lydian.views.words.faultwords import told
from lydian.views.words.sentence import explain, line, narrate, sentence
from tests.engine.rulebook import K_STATE_RING, simulator


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    start = Start(processes={"2": {"count": 4}})
    return Timeline(
        simulator(K_STATE_RING, "ring:4", start=start, daemon=Daemon("round-robin"), stop=Stop(until=3.0)).run().trace
    )


def test_an_event_is_described_in_words(timeline: Timeline) -> None:
    looks = animation_for(timeline.trace)
    assert [sentence(timeline, seq, looks) for seq in range(4)] == [
        "Process 2 starts with count = 4.",
        "Process 0 executes step: count 0 → 1.",
        "Process 1 executes copy: count 0 → 1.",
        "Process 2 executes copy: count 4 → 1.",
    ]
    assert explain(timeline, 1, looks) == "Process 0 executes step: count 0 → 1. The leader adds one."
    assert narrate(timeline, 1, looks).startswith("Process 0 executes step")
    assert "<b>Process 1</b>" in sentence(timeline, 2, looks, rich=True)
    assert "executes copy: count 1" in line(timeline, 2) and "starts: count 4" in line(timeline, 0)


def test_reading_a_register_is_causal(timeline: Timeline) -> None:
    assert predecessors(timeline, 2) == (1,) and happened_before(timeline, 1, 3)
    assert len(longest_chain(timeline)) == 1, "no message, no chain"


def test_the_space_time_diagram_has_an_arrow_from_what_was_read(timeline: Timeline) -> None:
    whole = causality(timeline, timeline.end).scene
    assert len(whole.message) == 0
    drawn = list(zip(whole.through_from.tolist(), whole.through_to.tolist(), strict=True))
    assert (1, 2) in drawn and drawn == [
        (seq - 1, seq) for seq in range(2, len(timeline.trace)) if timeline.kind[seq] == Kind.RULE
    ], "each copies what its left neighbour has just become"
    hidden = causality(timeline, timeline.end, hidden=(1,)).scene
    assert (1, 2) not in zip(hidden.through_from.tolist(), hidden.through_to.tolist(), strict=True)
    assert (1, 3) in zip(hidden.through_from.tolist(), hidden.through_to.tolist(), strict=True)


def test_cells_are_counted_and_shown(timeline: Timeline) -> None:
    counts = cell_counts(timeline)
    assert counts == {("active", "when step"): 1, ("active", "when copy"): 2}
    look = table_look(read(K_STATE_RING), outline(K_STATE_RING), counts=counts)
    assert [(e.name, e.kind, e.title) for e in look.events[1:]] == [
        ("when step", "rule", "when step"), ("when copy", "rule", "when copy"),
    ]  # fmt: skip
    assert look.cells["active", "when copy"].count == 2 and look.cells["active", "when copy"].words == "copy"


def test_rules_are_not_messages(timeline: Timeline) -> None:
    from lydian.trace.measures import measures

    assert timeline.m_messages == 0 and measures(timeline.trace)["messages"] == 0


def test_enabled_rules_become_cards() -> None:
    run = simulator(K_STATE_RING, "ring:4", daemon=Daemon("user"), start=Start(processes={"2": {"count": 4}}))
    run.lingers = True
    run.prepare()
    events, total = pending(run, 10)
    assert total == 3
    found = cards(events, situation(Timeline(run.trace)))
    assert [card.title for card in found] == ["0 executes step", "2 executes copy", "3 executes copy"]
    assert played(found[1]) == "Rule copy" and found[0].meaning == "The leader adds one." and not found[0].warning
    assert found[1].choice == {"do": "fire", "process": "2", "label": "copy"}
    assert gesture_words([found[1].choice]) == "execute copy at 2"
    assert told([found[1].choice]) == "Process 2 executed copy"


def test_a_failing_rule_is_explained() -> None:
    source = K_STATE_RING.replace(
        "self.count = self.see(self.left).count\n\n\n", "self.count = 1 // (self.count - 4)\n\n\n"
    )
    run = simulator(source, "ring:4", start=Start(processes={"2": {"count": 4}}), daemon=Daemon("synchronous"))
    assert run.run().stopped == "error"
    failure = failure_of(Timeline(run.trace))
    assert failure is not None and failure.cell == ("active", "when copy") and failure.process == "2"
    assert "The rule copy was executed at 1.00" in failure.sentence and failure.line == source.split("\n").index(
        "        self.count = 1 // (self.count - 4)") + 1  # fmt: skip
    assert int(Kind.RULE) == 6


def test_a_rule_flashes_if_the_state_is_unchanged(timeline: Timeline) -> None:
    shown = frame(timeline, 2.05, fade=0.2)
    assert [bool(share < 1) for share in shown.changed] == [False, True, False, False]
    assert shown.before.tolist() == shown.slots.tolist()
