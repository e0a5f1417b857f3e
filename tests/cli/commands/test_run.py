"""``lydian run``: its output, its files and its exit codes."""

from __future__ import annotations

import json

import pytest

from lydian.model.errors import BadInput
from lydian.trace.parquet.file import TraceWriter

KEYS = [
    "protocol", "network", "seed", "events", "messages", "time", "chain", "stopped", "fingerprint", "checks",
    "measures", "decided",
]  # fmt: skip
#: A protocol that fails at its second message, and one that violates its own property.
FAILS = """
from lydian import INIT, Message, Process, on, states
A, B = states("a", "b")
class Hello(Message):
    pass
class Fails(Process):
    state = A
    @on(A, INIT)
    def start(self):
        for r in self.neighbours:
            self.send(Hello(), to=r)
        self.state = B
    @on(A, Hello)
    def hear(self, m, q):
        self.note(1 // 0)
"""
VIOLATES = (
    FAILS.replace("self.note(1 // 0)", "self.state = B").replace("on, states", "always, on, states")
    + """
@always("nobody is in b but the initiator")
def alone(c):
    return sum(p.state == B for p in c.processes) <= 1
"""
)


@pytest.fixture
def fails(here):
    (here / "fails.py").write_text(FAILS, encoding="utf-8")
    return "./fails.py"


def result(said):
    return json.loads(said.out)


def test_the_json_object_has_the_documented_keys(lydian):
    said = lydian("run", "two-wings", "--json")
    found = result(said)
    assert said.code == 0
    assert list(found)[: len(KEYS)] == KEYS
    assert (found["protocol"], found["network"], found["seed"]) == ("echo", "two-wings", 291)
    assert found["messages"] == 4 * 17 - 2 * 12 + 2 == 46
    assert found["stopped"] == "quiescent"
    assert found["decided"] == {"0": "everybody has heard"}
    assert {"name", "kind", "holds", "at"} == set(found["checks"][0])
    assert all(check["holds"] for check in found["checks"])
    assert len(found["fingerprint"]) == 64


def test_the_seed_determines_the_run(lydian):
    first, again, other = (
        result(lydian("run", "two-wings", "--json", "--seed", seed))["fingerprint"] for seed in ("5", "5", "6")
    )
    assert first == again != other


def test_the_text_describes_the_run(lydian):
    said = lydian("run", "two-wings")
    assert said.code == 0
    assert said.err == ""
    for words in ("Echo on two-wings", "46", "23 Broadcast, 23 Ack", "then no event was left", "✓ parents form"):
        assert words in said.out
    assert "✗" not in said.out


def test_a_bound_is_described_as_a_bound(lydian):
    assert "at most 10080 messages are expected" in lydian("run", "balls-and-bins").out
    assert "\n  ✓ 46 messages are expected" in lydian("run", "two-wings").out


def test_a_violated_property_is_marked_and_gives_exit_code_1(lydian, here):
    (here / "violates.py").write_text(VIOLATES, encoding="utf-8")
    said = lydian("run", "--protocol", "./violates.py", "--network", "line:2")
    assert said.code == 1
    assert "✗ nobody is in b but the initiator  always, violated at event 2 (time " in said.out
    assert said.err == ""
    assert lydian("run", "--protocol", "./violates.py", "--network", "line:2", "--no-check").code == 0


def test_a_failing_protocol_gives_exit_code_1_and_keeps_its_trace(lydian, fails, here):
    said = lydian("run", fails, "--network", "ring:4", "--trace", "t.parquet", "--json")
    assert said.code == 1
    found = result(said)
    assert found["stopped"] == "error"
    assert said.err.startswith("lydian: ")
    assert "fails.py, line 15: process" in said.err
    assert "ZeroDivisionError" in said.err
    assert said.err.count("\n") == 1
    from lydian.trace.parquet.file import load

    assert len(load(here / "t.parquet")) == found["events"] > 2


def test_a_protocol_is_accepted_as_an_experiment(lydian, fails):
    assert lydian("run", fails).code == 1
    assert "two protocols are given" in lydian("run", fails, "--protocol", "echo").err


def test_parts_can_be_replaced(lydian):
    found = result(lydian("run", "two-wings", "--network", "ring:9", "--delay", "constant(1)", "--seed", 1, "--json"))
    assert (found["network"], found["messages"], found["seed"]) == ("ring-9", 20, 1)
    assert found["time"] == 10.0  # constant delays: 2 * 4 to the two farthest processes and 2 for the link between them
    flooded = result(lydian("run", "two-wings", "--protocol", "flooding", "--set", "forward_to=all", "--json"))
    assert (flooded["protocol"], flooded["messages"]) == ("flooding", 2 * 17)


def test_parameters_of_the_replaced_protocol_are_dropped(lydian, here):
    text = 'protocol = "flooding"\nnetwork = "ring:4"\n[parameters]\nforward_to = "all"\n'
    (here / "e.toml").write_text(text, encoding="utf-8")
    assert result(lydian("run", "e.toml", "--json"))["messages"] == 8
    assert result(lydian("run", "e.toml", "--protocol", "echo", "--json"))["messages"] == 10


def test_a_run_stops_at_the_given_limits(lydian):
    limited = result(lydian("run", "two-wings", "--limit", 10, "--json"))
    assert limited["stopped"] == "limit"
    assert 10 <= limited["events"] < 20  # the events of one action are not separated
    found = result(lydian("run", "two-wings", "--until", "3", "--json"))
    assert found["stopped"] == "until"
    assert found["time"] <= 3


def test_variables_are_recorded_unless_disabled(lydian, here):
    from lydian.trace.parquet.file import load

    prints = []
    for name, option in (("a", []), ("b", ["--no-variables"])):
        lydian("run", "two-wings", "--trace", f"{name}.parquet", *option)
        trace = load(here / f"{name}.parquet")
        changed = sum("changed" in (trace.detail(seq) or {}) for seq in range(len(trace)))
        prints.append((trace.fingerprint(), changed > 0))
    assert prints[0][0] == prints[1][0]
    assert [changed for _, changed in prints] == [True, False]


def test_ctrl_c_keeps_the_trace_so_far(lydian, here, monkeypatch):
    from lydian.engine.simulator import Simulator
    from lydian.trace.parquet.file import load

    def stopped(simulator):
        for _ in range(3):
            simulator.round()
        raise KeyboardInterrupt

    monkeypatch.setattr(Simulator, "run", stopped)
    said = lydian("run", "two-wings", "--trace", "t.parquet")
    assert said == (130, "", "")
    assert 0 < len(load(here / "t.parquet")) < 105


@pytest.mark.parametrize(
    ("name", "messages", "holds", "code"),
    [
        ("echo-random", 82, True, 0),
        ("echo-slow-link", 46, True, 0),
        ("echo-complete", 98, True, 0),
        ("echo-unit-delays", 86, True, 0),
        ("echo-crash", None, False, 1),
        ("echo-lost-ack", None, False, 1),
        ("echo-corrupt-parent", None, False, 1),
    ],
)
def test_the_lessons_on_echo_keep_their_promises(lydian, name, messages, holds, code):
    said = lydian("run", name, "--json")
    found = result(said)
    assert said.code == code
    assert found["stopped"] == "quiescent"
    learns = {check["name"]: check["holds"] for check in found["checks"]}
    assert learns["the initiator learns that every process has the news"] is holds
    assert messages is None or found["messages"] == messages
    assert bool(found["decided"]) is holds


@pytest.mark.parametrize(
    ("name", "waiting"),
    [
        ("echo-crash", {"0", "3", "6", "8", "9", "11"}),
        ("echo-lost-ack", {"0", "3", "6", "7", "9"}),
        ("echo-corrupt-parent", {"0"}),
        ("flooding-lost", {"7"}),
    ],
)
def test_processes_left_waiting_are_named(here, name, waiting):
    from lydian.engine.simulator import Simulator
    from lydian.model.archive.archive import archive

    simulator = Simulator(archive().experiment(name))
    simulator.run()
    left = ("initiating", "waiting", "sleeping")
    processes = zip(simulator.network.processes, simulator.processes, strict=True)
    assert {process for process, p in processes if p.state in left} == waiting


def test_the_lessons_on_flooding_keep_their_promises(lydian):
    assert result(lydian("run", "flooding-grid", "--json"))["messages"] == 2 * 40 - 25 + 1
    said = lydian("run", "flooding-lost", "--json")
    assert (said.code, result(said)["messages"]) == (1, 14)


def test_unit_delays_end_after_the_distances(lydian):
    assert result(lydian("run", "echo-unit-delays", "--json"))["time"] == 16.0


def test_a_slow_link_changes_the_tree(lydian, here):
    from lydian.trace.parquet.file import load
    from lydian.trace.timeline import Timeline

    parents = []
    for name in ("two-wings", "echo-slow-link"):
        lydian("run", name, "--trace", "t.parquet")
        timeline = Timeline(load(here / "t.parquet"))
        parents.append(timeline.variables(1, len(timeline.trace))["parent"][0])
    assert parents[0] == "0"
    assert parents[1] != "0"


def test_an_unwritable_trace_does_not_cost_the_result(lydian, here, monkeypatch):
    def full(writer, data):
        raise BadInput("the trace cannot be written: no space left on device", file=writer.path)

    monkeypatch.setattr(TraceWriter, "_put", full)
    said = lydian("run", "two-wings", "--trace", "run.parquet", "--html", "run.html")
    assert "46 messages" in said.out and "run.parquet" not in said.out
    assert said.code == 2 and said.err == "lydian: run.parquet: the trace cannot be written: no space left on device\n"
    assert [file.name for file in here.iterdir()] == ["run.html"]
    said = lydian("run", "two-wings", "--trace", "run.parquet", "--json")
    assert result(said)["messages"] == 46 and said.code == 2


def test_a_page_of_a_run_without_messages(lydian, here):
    assert lydian("run", "mobile-dag-walk", "--limit", "200", "--html", "run.html").code == 0
    assert (here / "run.html").stat().st_size > 100_000


def test_a_failing_run_is_shortened_and_its_experiment_fails_in_the_same_way(lydian, here):
    short = lydian("run", "mutex-ring-two-tokens", "--shorten", "short.toml", "--json")
    told = json.loads(short.out)
    assert (short.code, told["failing"]["name"]) == (1, "there is at most one token")
    assert told["after"]["events"] < told["before"]["events"] / 10
    again = json.loads(lydian("run", "short.toml", "--json").out)
    assert [each["name"] for each in again["checks"] if each["holds"] is False] == ["there is at most one token"]
    fine = lydian("run", "two-wings", "--shorten", "fine.toml")
    assert (fine.code, fine.err) == (2, "lydian: the run does not fail; only a failing run can be shortened\n")
    assert not (here / "fine.toml").exists()
