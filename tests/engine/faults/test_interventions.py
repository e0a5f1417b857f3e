"""Interventions in an execution, and their effects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.faults.interventions import Answer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.events import Event

LINE = Network(
    "line", ("0", "1", "2", "3"), (Link("0", "1"), Link("1", "2"), Link("2", "3")), ("0",), delay=parse("constant(1)")
)


def run(*done: Intervention, network: Network = LINE, protocol: str = "echo", **more: Any) -> tuple[Any, list[Event]]:
    experiment = Experiment(name="test", protocol=protocol, network=network, faults=done, breaks=("all",), **more)
    simulator = Simulator(experiment)
    result = simulator.run()
    return result, list(result.trace.events())


def did(events: list[Event], *kinds: str) -> list[tuple[float, str, str | None, str | None]]:
    return [(e.time, e.kind, e.process, e.peer) for e in events if e.kind in kinds]


def test_crash_while_waiting_leaves_the_initiator_waiting() -> None:
    """Assignment sheet, section 10.2."""
    result, events = run(Intervention(time=1.5, do="crash", process="1"))
    assert did(events, "crash", "drop") == [(1.5, "crash", "1", None), (3.0, "drop", "1", "2")] or did(
        events, "crash"
    ) == [(1.5, "crash", "1", None)]
    assert result.stopped == "quiescent"
    assert {c.name for c in result.violated} >= {"the initiator learns that every process has the news"}
    assert result.exit_code == 1


def test_a_crashed_process_loses_incoming_messages_and_recovers_with_its_variables() -> None:
    result, events = run(
        Intervention(time=0.5, do="crash", process="1"), Intervention(time=5.0, do="recover", process="1")
    )
    assert did(events, "crash", "drop", "recover") == [
        (0.5, "crash", "1", None),
        (1.0, "drop", "1", "0"),
        (5.0, "recover", "1", None),
    ]
    assert events[-2].detail == {"reason": "crash"} or events[-1].detail == {"kept": True}
    assert result.messages == 1


def test_recovery_with_fresh_variables_is_recorded() -> None:
    _, events = run(
        Intervention(time=1.5, do="crash", process="1"),
        Intervention(time=9.0, do="recover", process="1", keep=False),
    )
    detail = events[-1].detail
    assert detail is not None
    assert (events[-1].state, detail["changed"]["parent"]) == ("sleeping", None)


def test_a_cut_link_loses_messages_in_transit_and_later_ones() -> None:
    _, events = run(
        Intervention(time=0.5, do="link_down", link=("1", "0")), Intervention(time=0.8, do="link_up", link=("0", "1"))
    )
    assert did(events, "link_down", "link_up", "drop") == [
        (0.5, "link_down", "1", "0"),
        (0.5, "drop", "1", "0"),
        (0.8, "link_up", "0", "1"),
    ]
    _, events = run(Intervention(time=0.0, do="link_down", link=("1", "2")))
    assert did(events, "drop") == [(1.0, "drop", "2", "1")]


def test_drop_loses_the_oldest_message_or_the_next_one() -> None:
    _, events = run(Intervention(time=0.5, do="drop", label="Broadcast"))
    assert did(events, "drop") == [(0.5, "drop", "1", "0")]
    _, events = run(Intervention(time=0.5, do="drop", label="Ack"))
    assert did(events, "drop") == [(3.0, "drop", "2", "3")]
    assert events[-1].detail == {"reason": "dropped"}


def test_delay_and_duplicate() -> None:
    _, events = run(Intervention(time=0.5, do="delay", link=("0", "1"), delay=4.0))
    assert (5.0, "receive", "1", "0") in did(events, "receive")
    result, events = run(Intervention(time=0.5, do="duplicate", message=0), protocol="flooding")
    assert did(events, "inject") == [(0.5, "inject", "0", "1")]
    assert [e.process for e in events if e.kind == "receive"] == ["1", "1", "2", "3"]
    copy = next(e for e in events if e.kind == "inject")
    assert copy.detail == {"copy_of": 0}
    assert all(c.holds for c in result.checks)


def test_injected_messages_arrive_after_the_mean_delay() -> None:
    _, events = run(Intervention(time=0.5, do="inject", link=("3", "2"), label="Ack"))
    assert did(events, "inject", "note") == [(0.5, "inject", "3", "2"), (1.5, "note", "2", None)]


def test_corrupting_a_parent_creates_a_cycle_that_is_detected() -> None:
    """Assignment sheet, section 10.4."""
    result, events = run(Intervention(time=2.5, do="corrupt", process="1", variable="parent", value="2"))
    broken = {c.name: c.at for c in result.violated}
    corrupt = next(e for e in events if e.kind == "corrupt")
    assert broken["parents form a forest"] == corrupt.seq
    assert corrupt.detail == {"changed": {"parent": "2"}}


def test_corrupting_a_set_accepts_a_list_and_states_are_checked() -> None:
    _, events = run(Intervention(time=2.5, do="corrupt", process="2", variable="pending", value=["1", "3"]))
    assert next(e for e in events if e.kind == "corrupt").detail == {"changed": {"pending": ["1", "3"]}}
    _, events = run(Intervention(time=2.5, do="corrupt", process="2", variable="state", value="acked"))
    assert next(e for e in events if e.kind == "corrupt").state == "acked"


def test_waking_a_process_that_is_awake_is_an_illegal_event() -> None:
    result, events = run(Intervention(time=1.5, do="wake", process="1"))
    assert result.stopped == "error"
    assert "process 1 is waiting and got INIT: Echo has no @on(WAITING, INIT)" in result.error
    assert events[-1].kind == "error"


def test_loss_on_links() -> None:
    network = LINE.replace(loss=1.0)
    _, events = run(network=network, protocol="flooding")
    assert did(events, "drop") == [(1.0, "drop", "1", "0")]
    assert events[-1].detail == {"reason": "loss"}


def test_outages_of_links() -> None:
    links = (Link("0", "1", outages=((0.5, 2.0),)), *LINE.links[1:])
    _, events = run(network=LINE.replace(links=links))
    assert did(events, "link_down", "link_up", "drop") == [
        (0.5, "link_down", "0", "1"),
        (0.5, "drop", "1", "0"),
        (2.0, "link_up", "0", "1"),
    ]


def test_a_busy_process_delays_messages_and_sends_when_it_finishes() -> None:
    network = Network(
        "star",
        ("0", "1", "2"),
        (Link("0", "1"), Link("0", "2")),
        ("0",),
        delay=parse("constant(1)"),
        step=parse("constant(0.5)"),
    )
    result, events = run(network=network)
    times = [
        (e.time, e.kind, e.process, (e.detail or {}).get("waited")) for e in events if e.kind in ("send", "receive")
    ]
    assert times == [
        (0.5, "send", "0", None),
        (0.5, "send", "0", None),
        (1.5, "receive", "1", None),
        (1.5, "receive", "2", None),
        (2.0, "send", "1", None),
        (2.0, "send", "2", None),
        (3.0, "receive", "0", None),
        (3.5, "receive", "0", 0.5),
    ]
    assert all(c.holds for c in result.checks)
    assert [e.detail["busy"] for e in events if e.kind == "receive" and e.detail] == [0.5] * 4


# ---------------------------------------------------------------------- between rounds


def live(*offers: tuple[int, Intervention]) -> tuple[Simulator, list[Answer]]:
    """Run round by round; interventions are offered before the round with their number begins."""
    simulator = Simulator(Experiment(name="test", protocol="echo", network=LINE))
    answers: list[Answer] = []
    number, going = 0, True
    while going:
        for at, what in offers:
            if at == number:
                simulator.interact(what, number, answers.append)
        going = simulator.round()
        number += 1
    return simulator, answers


def test_an_accepted_interaction_becomes_a_replayable_intervention() -> None:
    simulator, answers = live((2, Intervention(time=0, do="crash", process="3")))
    assert [(a.accepted, a.round) for a in answers] == [(True, 2)]
    accepted = tuple(simulator.accepted)
    assert accepted == (Intervention(time=2.0, do="crash", process="3"),)
    again, _ = run(*accepted)
    assert again.fingerprint == simulator.trace.fingerprint()


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (Intervention(time=0, do="crash", process="99"), "99"),
        (Intervention(time=0, do="recover", process="1"), "process 1 has not crashed"),
        (Intervention(time=0, do="drop", message=0), "message 0 has arrived or was lost before round 2"),
        (Intervention(time=0, do="link_up", link=("0", "1")), "link 0-1 is already up"),
    ],
)
def test_impossible_interventions_are_refused_with_a_reason(what: Intervention, reason: str) -> None:
    _, answers = live((2, what))
    assert not answers[0].accepted
    assert reason in answers[0].reason


def test_two_interactions_with_one_target_in_one_round() -> None:
    crash = Intervention(time=0, do="crash", process="3")
    _, answers = live((1, crash), (1, crash))
    assert [a.accepted for a in answers] == [True, False]
    assert "came first" in answers[1].reason


def test_rounds_without_interventions_equal_one_run(tmp_path: Path) -> None:
    simulator, _ = live()
    result, _ = run()
    assert simulator.trace.fingerprint() == result.fingerprint


def test_a_variable_changes_by_a_number_from_its_current_value() -> None:
    experiment = archive().experiment("apples-act-1")  # Lea has the apple until 1
    for by, apples in ((1, 2), (2, 3), (-1, 0), (-2, 0)):
        what = Intervention(0.5, "corrupt", process="Lea", variable="apples", by=by)
        trace = Simulator(experiment.with_(faults=(what,))).run().trace
        row = next(event for event in trace.events() if event.kind == "corrupt")
        assert row.detail == {"changed": {"apples": apples}}
        assert what.to_dict()["by"] == by and Intervention.from_dict(what.to_dict()) == what


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"variable": "missing", "by": 1, "value": 3}, "by: both value and by are given"),
        ({"variable": "missing", "by": "1"}, "by: must be a number, not '1'"),
        ({"variable": "missing", "by": True}, "by: must be a finite number, not True"),
        ({"variable": "parent", "by": 1}, "it is declared as str | None, not 1"),
        ({"variable": "state", "by": 1}, "a state cannot be changed by a number"),
    ],
)
def test_only_numbers_change_by_a_number(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=re.escape(sentence)):
        run(Intervention.from_dict({"time": 1.0, "do": "corrupt", "process": "1", **more}))
