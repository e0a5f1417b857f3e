"""The network between programs: delays, losses, faults, and the record of all of it."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network.netfile import from_dict
from lydian.nodes import faults
from lydian.nodes.plan import Plan, renamed, with_others
from lydian.trace.events import KINDS, Kind
from lydian.trace.parquet.file import load, save
from lydian.trace.timeline import Timeline
from tests.nodes.plans import planned, right


def kinds(run, kind):
    return [each for each in run.found.trace.events() if each.kind == KINDS[kind]]


def test_the_record_is_a_trace_like_any_other(carry_out, tmp_path):
    run = carry_out(right("broadcast", network="grid:2x2"))
    save(run.found.trace, tmp_path / "run.parquet")
    trace = load(tmp_path / "run.parquet")
    timeline = Timeline(trace)
    assert trace.fingerprint() == run.found.fingerprint
    assert trace.processes[:5] == ("n0", "n1", "n2", "n3", "c0")
    assert from_dict(trace.network).processes == trace.processes
    assert (np.diff(timeline.time) >= 0).all()
    assert (np.asarray(timeline.sends) < np.asarray(timeline.receives)).all()
    sent, received = timeline.sends, timeline.receives
    assert (trace.rows["lamport"][received] > trace.rows["lamport"][sent]).all()
    for row in np.flatnonzero(timeline.kind == Kind.RECEIVE).tolist():
        assert int(trace.rows["cause"][row]) == int(sent[int(trace.rows["message"][row])])


def test_a_message_has_its_type_as_its_class_and_its_contents_as_details(carry_out):
    run = carry_out(right("echo"))
    sends = kinds(run, Kind.SEND)
    asked = next(each for each in sends if each.label == "echo")
    answer = next(each for each in sends if each.label == "echo_ok" and each.peer == asked.process)
    assert asked.detail["fields"]["echo"] == answer.detail["fields"]["echo"]
    assert answer.detail["fields"]["in_reply_to"] == asked.detail["fields"]["msg_id"]
    assert run.found.trace.event(answer.cause).message == asked.message


def test_delays_are_drawn_from_the_streams_of_the_seed(carry_out):
    run = carry_out(right("g-set", network="ring:3,delay=constant(40)"))
    timeline = Timeline(run.found.trace)
    between = [m for m in range(timeline.m_messages) if timeline.labels[int(timeline.message_label[m])] == "store"]
    waits = [float(timeline.message_arrived[m] - timeline.message_sent[m]) for m in between]
    assert waits
    assert min(waits) >= 39.9
    asked = [m for m in range(timeline.m_messages) if timeline.labels[int(timeline.message_label[m])] == "add"]
    assert max(float(timeline.message_arrived[m] - timeline.message_sent[m]) for m in asked) < min(waits)


def test_lost_messages_are_dropped_and_requests_of_clients_are_not(carry_out):
    run = carry_out(right("broadcast", network="ring:3,loss=1", timeout=200))
    drops = kinds(run, Kind.DROP)
    assert {(each.label, each.detail["reason"]) for each in drops} == {("store", "loss")}
    assert [each.why for each in run.checks if each.holds is False]


def test_a_cut_link_loses_messages_until_it_is_restored(carry_out):
    run = carry_out(right("g-set", timeout=100, faults=["cut n0-n1 at 50 until 300"]))
    assert [(each.kind, each.process, each.peer) for each in run.found.trace.events() if "link" in each.kind] == [
        ("link_down", "n0", "n1"), ("link_up", "n0", "n1"),
    ]  # fmt: skip
    assert {frozenset((each.process, each.peer)) for each in kinds(run, Kind.DROP)} == {frozenset(("n0", "n1"))}


def test_the_delay_of_a_link_changes_on_a_schedule(carry_out):
    run = carry_out(right("g-set", network="ring:3,delay=constant(1)", faults=["delay n0-n1 constant(60) at 200"]))
    timeline = Timeline(run.found.trace)
    (changed,) = kinds(run, Kind.INTERVENE)
    assert changed.detail["distribution"] == "constant(60)"
    slow = [m for m in range(timeline.m_messages) if timeline.message_sent[m] > changed.time
            and {int(timeline.message_source[m]), int(timeline.message_target[m])} == {0, 1}]  # fmt: skip
    assert slow
    assert min(float(timeline.message_arrived[m] - timeline.message_sent[m]) for m in slow) >= 59.9
    assert all(each.holds for each in run.checks)


def test_faults_after_the_end_are_reported_as_late(carry_out):
    run = carry_out(right("echo", faults=["crash n0 at 600000"]))
    assert [faults.told(each) for each in run.late] == ["crash n0 at 600000"]
    assert run.done == []


def test_a_partition_cuts_all_links_between_its_groups(carry_out):
    run = carry_out(right("g-set", network="complete:4", timeout=100, faults=["partition n0,n1 | n2 at 50 until 300"]))
    downs = {(each.process, each.peer) for each in kinds(run, Kind.LINK_DOWN)}
    assert downs == {("n0", "n2"), ("n0", "n3"), ("n1", "n2"), ("n1", "n3"), ("n2", "n3")}
    assert {(each.process, each.peer) for each in kinds(run, Kind.LINK_UP)} == downs


def test_a_crashed_program_starts_anew_without_its_memory(carry_out):
    async def meddle(run):
        while sum(each.ok for each in run.history if each.type == "add") < 3:
            await asyncio.sleep(0.01)
        assert [run.interfere(each) for each in faults.read("crash n1 at 0 until 1")] == [None, None]

    run = carry_out(right("g-set", timeout=100, duration=1500), meddle)
    assert [each.process for each in kinds(run, Kind.CRASH)] == ["n1"]
    assert [each.process for each in kinds(run, Kind.RECOVER)] == ["n1"]
    assert {each.process for each in kinds(run, Kind.DROP) if each.detail["reason"] == "crash"} <= {"n1"}
    complete = next(each for each in run.checks if each.name.startswith("at the end"))
    assert complete.holds is False
    assert complete.why.startswith("n1 does not have")


def test_a_paused_program_gets_its_messages_when_it_is_resumed(carry_out):
    run = carry_out(right("g-set", faults=["pause n2 at 100 until 400"]))
    notes = {each.detail["text"]: each.time for each in kinds(run, Kind.NOTE)}
    assert set(notes) == {"paused", "resumed"}
    quiet = [each.time for each in kinds(run, Kind.RECEIVE)
             if each.process == "n2" and notes["paused"] < each.time < notes["resumed"]]  # fmt: skip
    assert quiet == []
    assert all(each.holds for each in run.checks)


def test_a_fault_that_is_impossible_is_left_out_with_a_reason(carry_out):
    run = carry_out(right("echo", faults=["resume n1 at 100"]))
    (note,) = kinds(run, Kind.NOTE)
    assert note.detail["text"] == '"resume n1 at 100" was left out: process n1 is not paused'


def test_faults_by_hand_have_the_same_effects_and_are_recorded(carry_out):
    refused = []

    async def meddle(run):
        while run.recording.messages < 10:
            await asyncio.sleep(0.01)
        refused.extend(run.interfere(each) for each in faults.read("crash n0 at 0") * 2)
        run.stop()

    run = carry_out(right("echo", duration=600_000, timeout=100), meddle)
    assert refused == [None, "process n0 has crashed"]
    assert [each.do for each in run.done] == ["crash"]


def test_a_message_in_transit_is_dropped_or_delayed_by_hand(carry_out):
    answers = []

    async def meddle(run):
        while len(run.flying()) < 2:
            await asyncio.sleep(0.01)
        (first, _), (second, arrival) = run.flying()[:2]
        for what in (Intervention(0, "drop", message=first), Intervention(0, "drop", message=first),
                     Intervention(0, "delay", message=second, delay=100.0)):  # fmt: skip
            faults.check([what], run.plan.network, by_hand=True)
            answers.append((first, run.interfere(what)))
        assert dict(run.flying())[second] == pytest.approx(arrival + 100)

    run = carry_out(right("g-set", network="ring:3,delay=constant(300)", timeout=1000), meddle)
    first = answers[0][0]
    assert [reason for _, reason in answers] == [None, f"message {first} is no longer in transit", None]
    assert [(each.message, each.detail["reason"]) for each in kinds(run, Kind.DROP)] == [(first, "dropped")]
    assert [each.detail["do"] for each in kinds(run, Kind.INTERVENE)] == ["delay"]


def test_hidden_clients_leave_requests_as_commands(carry_out):
    run = carry_out(right("echo", drawn=False))
    trace = run.found.trace
    assert trace.processes == ("n0", "n1", "n2")
    assert {each.label for each in kinds(run, Kind.COMMAND)} == {"echo"}
    assert kinds(run, Kind.SEND) == []
    assert all(each.holds for each in run.checks)


def test_standard_error_is_recorded_beside_the_process(carry_out, script):
    text = """
import json, sys
for line in sys.stdin:
    m = json.loads(line); b = m["body"]
    print("got", b["type"], file=sys.stderr, flush=True)
    more = {"echo": b["echo"]} if "echo" in b else {}
    body = {"type": b["type"] + "_ok", "in_reply_to": b["msg_id"], **more}
    print(json.dumps({"src": m["dest"], "dest": m["src"], "body": body}), flush=True)
"""
    run = carry_out(planned(*script(text), workload="echo"))
    prints = kinds(run, Kind.PRINT)
    assert {(each.process, each.detail["text"]) for each in prints} >= {(n, "got echo") for n in ("n0", "n1", "n2")}


def test_services_are_processes_of_the_trace_if_they_are_asked(carry_out):
    run = carry_out(right("lin-kv"))
    assert run.found.trace.processes[-1] == "lin-kv"
    assert {each.peer for each in kinds(run, Kind.SEND) if each.process == "lin-kv"} == {"n0", "n1", "n2"}


def test_processes_are_called_as_programs_expect_it():
    network = renamed(from_spec("grid:2x2,delay=constant(3)"))
    assert (network.processes, str(network.delay)) == (("n0", "n1", "n2", "n3"), "constant(3)")
    assert network.neighbours("n0") == ("n1", "n2")
    assert renamed(network) is network
    assert len(set(with_others(network, {"c0": "n0", "c1": "n0"}, {"lin-kv": {"n1"}}).positions.values())) == 7


@pytest.mark.parametrize(
    "line",
    [
        "crash n1 at 5", "recover n1 at 5", "pause n1 at 5", "resume n1 at 5", "cut n0-n1 at 5", "cut n0->n1 at 5",
        "restore n0-n1 at 5", "partition n0,n1 | n2 at 5 until 9", "heal at 5", "delay n0-n1 constant(8) at 5",
    ],
)  # fmt: skip
def test_a_fault_can_be_written_and_read(line):
    (what,) = faults.read(line)
    assert faults.told(what) == line


def test_a_fault_with_an_end_is_two():
    assert [each.do for each in faults.read("kill n1 at 5 until 9")] == ["crash", "recover"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("crash n1", "is not a fault; write, for example"),
        ("crush n1 at 5", "unknown fault 'crush' (did you mean 'crash'?)"),
        ("crash n1 at soon", "must be a number of milliseconds, not soon"),
        ("cut n1 at 5", "must name the two ends of a link"),
        ("crash at 5", "does not say where"),
        ("heal n1 at 5", "heal ends all partitions"),
        ("crash n1 at 9 until 5", "must be later than its beginning"),
        ("recover n1 at 5 until 9", "recover has no end"),
        ("delay n0-n1 at 5", "delay n0-n1 exponential(mean=50) at 1000"),
    ],
)
def test_a_line_that_is_no_fault_is_refused(line, sentence):
    with pytest.raises(BadInput) as error:
        faults.read(line)
    assert sentence in str(error.value)


def test_faults_are_read_from_files(tmp_path):
    lines, table = tmp_path / "faults.txt", tmp_path / "faults.toml"
    lines.write_text("# a comment\ncrash n1 at 5\n\npause n2 at 3\n")
    table.write_text('[[faults]]\ntime = 5\ndo = "crash"\nprocess = "n1"\n[[faults]]\ntime = 3\ndo = "pause"\n'
                     'process = "n2"\n')  # fmt: skip
    assert [each.to_dict() for each in faults.read_file(lines)] == [each.to_dict() for each in faults.read_file(table)]
    lines.write_text("crash n1 at 5\noops\n")
    with pytest.raises(BadInput) as error:
        faults.read_file(lines)
    assert str(error.value).startswith(f"{lines}, line 2: 'oops' is not a fault")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"workload": "ecko"}, "unknown workload 'ecko' (did you mean 'echo'?)"),
        ({"network": "ring:201"}, "a run of programs must have 1 to 200"),
        ({"network": "ring:3,duplication=0.1"}, "messages between programs cannot have duplication"),
        ({"rate": 0}, "must be a number of requests in a second above 0"),
        ({"clients": 0}, "must be a number from 1 to 1000, not 0"),
        ({"duration": float("inf")}, "must be a number of milliseconds, not inf"),
        ({"faults": ["crash n9 at 5"]}, "unknown process 'n9'"),
        ({"faults": ["cut n0-n3 at 5"], "network": "ring:6"}, "has no link from 'n0' to 'n3'"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(values, sentence):
    with pytest.raises(BadInput) as error:
        planned("x", **{"workload": "echo", **values})
    assert sentence in str(error.value)


def test_a_plan_can_be_given_to_another_process():
    plan = planned("x", "y", workload="echo", faults=["partition n0 | n1 at 5"], network="ring:3,loss=0.5")
    assert Plan.from_dict(plan.to_dict()) == plan
    assert str(parse("constant(3)")) == "constant(3)"
