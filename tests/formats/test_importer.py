"""Logs of other systems as traces."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.formats.logs.importer import BadLines, Imported, import_log
from lydian.formats.traces import export
from lydian.model.errors import BadInput
from lydian.trace import causality
from lydian.trace.events import Kind, Trace
from lydian.trace.measures import measures
from lydian.trace.parquet.file import load, save
from lydian.trace.timeline import Timeline
from tests.views.book import Book

SERVERS = """\
# three servers
web {"web":1}
request for /cart

web {"web":2}
ask cart
cart {"cart":1,"web":2}
asked
cart {"cart":2,"web":2}
answer
db {"db":1} started
web {"cart":2,"web":3} got answer
"""


def log(folder: Path, text: str, name: str = "servers.log") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def one(folder: Path, text: str, **options: object) -> Imported:
    (found,) = import_log(log(folder, text), **options)  # type: ignore[arg-type]
    return found


def told(trace: Trace) -> list[tuple[object, ...]]:
    return [(e.kind, e.process, e.peer, e.message, e.cause) for e in trace.events()]


def test_the_documented_format(tmp_path: Path) -> None:
    found = one(tmp_path, SERVERS)
    trace = found.trace
    assert told(trace) == [
        ("note", "web", None, None, None),
        ("note", "db", None, None, None),
        ("send", "web", "cart", 0, None),
        ("receive", "cart", "web", 0, 2),
        ("send", "cart", "web", 1, 3),
        ("receive", "web", "cart", 1, 4),
    ]
    assert [e.time for e in trace.events()] == [0, 0, 1, 2, 3, 4]
    assert [e.lamport for e in trace.events()] == [1, 1, 2, 3, 4, 5]
    assert [e.chain for e in trace.events()] == [0, 0, 0, 1, 1, 2]
    assert [e.detail for e in trace.events()][2:4] == [{"fields": {"log": "ask cart"}}, {"fields": {"log": "asked"}}]
    assert (trace.processes, trace.states) == (("cart", "db", "web"), ("active",))
    assert found.problems == ()
    assert "no times" in found.notes[0]
    assert trace.network["links"] == [{"source": "cart", "target": "web"}]
    assert len({(node["x"], node["y"]) for node in trace.network["nodes"]}) == 3


def test_an_imported_trace_can_be_saved_read_and_measured(tmp_path: Path) -> None:
    trace = one(tmp_path, SERVERS).trace
    save(trace, tmp_path / "s.parquet")
    again = load(tmp_path / "s.parquet")
    assert again.fingerprint() == trace.fingerprint()
    assert measures(again)["messages"] == 2
    assert len(causality.longest_chain(Timeline(again))) > 0


def columns(trace: Trace) -> list[tuple[object, ...]]:
    return [
        (e.time, e.kind, e.process, e.peer, e.message, e.label, e.state, e.lamport, e.chain, e.cause, e.detail)
        for e in trace.events()
    ]


@pytest.mark.parametrize("seed", range(5))
def test_our_own_export_is_read_back_unchanged(tmp_path: Path, seed: int) -> None:
    trace = simulated(seed)
    export(trace, tmp_path / "run.txt", "shiviz")
    (found,) = import_log(tmp_path / "run.txt")
    assert columns(found.trace) == columns(trace)
    assert (found.problems, found.notes) == ((), ())
    assert found.trace.processes == trace.processes


def simulated(seed: int) -> Trace:
    """Run the simulator with lost messages and a crash."""
    from lydian.engine.simulator import Simulator
    from lydian.model.experiment.experiment import Experiment
    from lydian.model.interventions import Intervention

    faults = (Intervention(time=3.0, do="crash", process="4"),)
    simulator = Simulator(
        Experiment("x", protocol="echo", network="two-wings", seed=seed, faults=faults, breaks=("all",))
    )
    simulator.run()
    return simulator.trace


def test_a_log_of_echo_keeps_overtaking_messages_apart(tmp_path: Path) -> None:
    b = Book(("a", "b"), links=[("a", "b")])
    b.write(0, "init", "a", state="initiating")
    sends = [b.send(0, "a", "b", "Broadcast", 0, bits=-1)[1] for _ in range(3)]
    for m in (1, 2, 0):
        b.write(1 + m / 10 if m else 2, "receive", "b", "a", label="Broadcast", message=m, cause=sends[m])
    export(b.trace(), tmp_path / "run.txt", "shiviz")
    (found,) = import_log(tmp_path / "run.txt")
    assert [e.message for e in found.trace.events() if e.kind == "receive"] == [1, 2, 0]


def test_the_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    text = SERVERS.split("\n", 1)[1].replace("\n\n", "\n").rstrip("\n").replace("} ", "}\n")
    lines = text.split("\n")
    pairs = [f"{a}\n{b}\n" for a, b in zip(lines[::2], lines[1::2], strict=True)]
    expected = {(e.kind, e.process, e.peer, e.time) for e in one(tmp_path, "".join(pairs)).trace.events()}
    shuffled = {(e.kind, e.process, e.peer, e.time) for e in one(tmp_path, "".join(pairs[::-1])).trace.events()}
    assert shuffled == expected


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int]]]:
    """Generate shuffled lines of a log with vector clocks, and the pairs of lines that form a message."""
    hosts = "abcd"[: draw(st.integers(2, 4))]
    clocks = {host: dict.fromkeys(hosts, 0) for host in hosts}
    flying: list[tuple[int, str, dict[str, int]]] = []
    lines: list[str] = []
    pairs: list[tuple[int, int]] = []
    for _ in range(draw(st.integers(1, 30))):
        host = draw(st.sampled_from(hosts))
        mine = [f for f in flying if f[1] == host]
        what = draw(st.sampled_from(("local", "send", "receive") if mine else ("local", "send")))
        clock = clocks[host]
        known = dict(clock)
        clock[host] += 1
        if what == "receive":
            message = draw(st.sampled_from(mine))
            flying.remove(message)
            for name, count in message[2].items():
                clock[name] = max(clock[name], count)
            if any(clock[name] > known[name] for name in hosts if name != host):
                pairs.append((message[0], len(lines)))
        lines.append(f"{host} {json.dumps({k: v for k, v in clock.items() if v})} event{len(lines)}")
        if what == "send":
            to = draw(st.sampled_from([name for name in hosts if name != host]))
            flying.append((len(lines) - 1, to, dict(clock)))
    return lines, pairs


@given(runs(), st.randoms(use_true_random=False))
def test_messages_follow_from_the_clocks(tmp_path_factory: pytest.TempPathFactory, run: tuple, random: object) -> None:  # type: ignore[type-arg]
    lines, pairs = run
    shuffled = lines[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    folder = tmp_path_factory.getbasetemp()
    trace = one(folder, "\n".join(shuffled)).trace
    heard = []
    for e in trace.events():
        if e.kind == "receive":
            assert e.cause is not None
            heard.append((trace.event(e.cause).process, e.process))
    clock_of = {i: line.split()[0] for i, line in enumerate(lines)}
    assert sorted(heard) == sorted((clock_of[a], clock_of[b]) for a, b in pairs)
    timeline = Timeline(trace)
    assert (np.diff(timeline.time) >= 0).all()
    assert (timeline.cause < np.arange(timeline.length)).all()
    save(trace, folder / "x.parquet")
    assert len(load(folder / "x.parquet")) == len(trace)


OWN = r"(?<time>\S+) (?<host>\w+) (?<clock>\{.*?\}) (?<event>.*)"


def test_a_custom_expression_with_dates(tmp_path: Path) -> None:
    text = """\
2024-05-01T12:00:00.000 a {"a":1} hello
2024-05-01T12:00:00.500 b {"a":1,"b":1} got
2024-05-01 12:00:00 a {"a":2} wrong
"""
    with pytest.raises(BadLines, match=r"servers.log, line 3: the expression does not match here"):
        one(tmp_path, text, regex=OWN)
    found = one(tmp_path, text, regex=OWN, skip=True)
    assert [e.time for e in found.trace.events()] == [0, 0.5]
    assert [p.line for p in found.problems] == [3]
    assert found.notes == ("times count from the first event",)


def test_records_begin_mid_line_if_the_first_one_does(tmp_path: Path) -> None:
    text = """\
# what stands before the process is left out by the expression
[INFO 12:00] a {"a":1} hello
[INFO 12:01] b {"a":1,"b":1} got it
nothing of that kind
[WARN 12:02] a {"a":2} again
"""
    regex = r"(?<host>\w+) (?<clock>\{.*?\}) (?<event>\w+)"
    with pytest.raises(BadLines, match=r"servers.log, line 4: the expression does not match here"):
        one(tmp_path, text, regex=regex)
    found = one(tmp_path, text, regex=regex, skip=True)
    assert [(e.process, e.kind) for e in found.trace.events()] == [("a", "send"), ("b", "receive"), ("a", "note")]
    assert [p.line for p in found.problems] == [4]


def test_a_multi_line_expression_in_python_syntax(tmp_path: Path) -> None:
    text = 'hello\n@a {"a":1}\ngot\n@b {"a":1,"b":1}\n'
    for name in ("(?<", "(?P<"):
        found = one(tmp_path, text, regex=rf"{name}event>.*)\n@{name}host>\w+) {name}clock>.*)")
        assert [e.kind for e in found.trace.events()] == ["send", "receive"]


def test_sender_and_receiver_names_replace_clocks(tmp_path: Path) -> None:
    ends = r"(?:to (?<to>\w+)|from (?<from>\w+))"
    regex = rf"(?<time>\d+) (?<host>\w+) (?:(?<label>\w+) #(?<message>\d+) {ends}|(?<event>\w+))"
    text = "1 a Ping #7 to b\n1 a Ping #8 to b\n2 b Ping #8 from a\n3 b Ping #7 from a\n4 b done\n5 b Pong #1 to c\n"
    trace = one(tmp_path, text, regex=regex).trace
    assert [(e.kind, e.process, e.peer, e.message, e.label) for e in trace.events()] == [
        ("send", "a", "b", 0, "Ping"), ("send", "a", "b", 1, "Ping"), ("receive", "b", "a", 1, "Ping"),
        ("receive", "b", "a", 0, "Ping"), ("note", "b", None, None, None), ("send", "b", "c", 2, "Pong"),
    ]  # fmt: skip
    assert trace.processes == ("a", "b", "c")
    assert Timeline(trace).in_flight(6).tolist() == [2]
    first_in = one(tmp_path, text.replace("#7", "#0").replace("#8", "#0"), regex=regex).trace
    assert [e.message for e in first_in.events() if e.kind == "receive"] == [0, 1]
    with pytest.raises(BadLines, match="line 1: no line sends message 9 from z to a"):
        one(tmp_path, "1 a Ping #9 from z\n", regex=regex)


def test_disagreeing_clocks_of_hosts_are_corrected(tmp_path: Path) -> None:
    found = one(tmp_path, '5.0 a {"a":1} out\n3.5 b {"a":1,"b":1} in\n', regex=OWN)
    assert [e.time for e in found.trace.events()] == [5.0, 5.0]
    assert found.notes == (
        "the clocks of the hosts disagree: 1 event was moved to a later time, by up to 1.5, "
        "so that nothing happens before its cause",
    )


def test_an_event_that_receives_and_sends_and_one_that_sends_twice(tmp_path: Path) -> None:
    text = 'a {"a":1} x\nb {"a":1,"b":1} y\nc {"a":1,"b":1,"c":1} z\nd {"a":1,"d":1} z\n'
    assert [(e.kind, e.process, e.peer) for e in one(tmp_path, text).trace.events()] == [
        ("send", "a", "b"), ("send", "a", "d"), ("receive", "b", "a"), ("send", "b", "c"), ("receive", "d", "a"),
        ("receive", "c", "b"),
    ]  # fmt: skip


def test_several_executions(tmp_path: Path) -> None:
    text = '=== one\na {"a":1} x\n=== two\na {"a":1} y\nb {"a":1,"b":1} z\n'
    found = import_log(log(tmp_path, text), delimiter="===")
    assert [len(each.trace) for each in found] == [1, 2]
    assert [each.name for each in found] == ["one", "two"]


#: ShiViz's default expression, and logs with several executions in the form of its examples.
SHIVIZ_OWN = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
EXECUTIONS = (
    '=== first run ===\nsent\na {"a":1}\ngot it\nb {"a":1,"b":1}\n\n'
    '=== second run ===\nsent\na {"a":1}\nlost\nb {"b":1}\n'
)


def test_expressions_of_shiviz_work_unchanged(tmp_path: Path) -> None:
    found = import_log(log(tmp_path, EXECUTIONS), regex=SHIVIZ_OWN, delimiter="^=== (?<trace>.*) ===$")
    assert [each.name for each in found] == ["first run", "second run"]
    assert [[event.kind for event in each.trace.events()] for each in found] == [["send", "receive"], ["note", "note"]]
    assert [each.trace.experiment["name"] for each in found] == ["servers first run", "servers second run"]
    default = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)"
    text = 'a {"a":1}\nsent\nb {"a":1,"b":1}\ngot it\n'
    assert [e.kind for e in one(tmp_path, text, regex=default).trace.events()] == ["send", "receive"]


def test_a_match_may_end_before_its_line_does(tmp_path: Path) -> None:
    text = 'a {"a":1} x (and more)\nb {"a":1,"b":1} y; and the rest\n'
    found = one(tmp_path, text, regex=r"(?<host>\w) (?<clock>{.*?}) (?<event>\w)")
    assert [(e.kind, e.process) for e in found.trace.events()] == [("send", "a"), ("receive", "b")]


@pytest.mark.parametrize(
    ("delimiter", "sentence"),
    [
        ("(?<trace>", "no line begins with the delimiter '(?<trace>', and it is not a valid regular expression"),
        ("(=+)+x", "the regular expression did not finish within 0.3006 s as a delimiter"),
    ],
)
def test_an_unusable_delimiter(tmp_path: Path, delimiter: str, sentence: str) -> None:
    path = log(tmp_path, f"{'=' * 60}\n{EXECUTIONS}")
    with pytest.raises(BadInput, match=re.escape(sentence)):
        import_log(path, regex=SHIVIZ_OWN, delimiter=delimiter, seconds=0.3)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("hello\n", 1, 'a host and its clock were expected, such as hello {"hello": 1}'),
        ('a {"a":1} x\na {"a" 2} y\n', 2, "the clock is not valid JSON"),
        ("a " + "[" * 5000 + "\n", 1, "a host and its clock were expected"),
        ('a {"a":' + "[" * 50_000 + "\n", 1, "the clock is not valid JSON"),
        ('a {"a":"1"} x\n', 1, "the clock counts events, so 'a' must be a whole number, not '1'"),
        ('a {"a":-1} x\n', 1, "the clock counts events"),
        ('a {"a":1e9} x\n', 1, "the clock counts events"),
        ('a {"a":' + "9" * 5000 + "} x\n", 1, "the clock is not valid JSON"),
        ('node1 {"node2":1} x\n', 1, "the clock must count this event at its own host 'node1' (did you mean 'node2'?)"),
        ('a {"a":1}\n', 1, "the line after it, which describes the event, is missing"),
        ('a {"a":1} x\na {"a":1} y\n', 2, "host a already has its event 1 in line 1"),
        ('a {"a":1} x\na {"a":3} y\n', 2, "this is event 3 of host a, but its event 2 is missing from the log"),
        ('a {"a":4} x\n', 1, "this is event 4 of host a, but its events 1 to 3 are missing from the log"),
        ('b {"b":1} x\na {"a":1,"b":1} x\na {"a":2} y\n', 3, "the clock of host a goes back: an earlier line"),
        ('a {"a":1,"b":7} x\n', 1, "the clock knows of event 7 of b, which is missing from the log"),
        ('c {"c":1} x\nb {"b":1,"c":1} x\na {"a":1,"b":1} x\n', 3, "the clock knows of line 2, but of fewer events"),
        ('a {"a":1,"b":1} x\nb {"a":1,"b":1} y\n', 1, "it precedes itself"),
        ('a {"a":1} ' + "x" * 100_001 + "\n", 1, "the line has 100,011 characters; at most 100,000 are read"),
        ('a {"a":1}\n' + "x" * 100_001 + "\n", 2, "the line has 100,001 characters"),
    ],
)  # fmt: skip
def test_unusable_lines(tmp_path: Path, text: str, line: int, why: str) -> None:
    with pytest.raises(BadLines) as error:
        one(tmp_path, text)
    first = error.value.problems[0]
    assert (first.line, first.why[: len(why)]) == (line, why)
    assert str(error.value).startswith(f"{tmp_path / 'servers.log'}, line {line}: {why}")


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ("1.0 recieve Ack from b", "unknown kind of event 'recieve' (did you mean 'receive'?)"),
        ("soon receive Ack from b", "the time must be a number such as 1.5"),
        ("inf receive Ack from b", "the time must be a number such as 1.5"),
        ("1.0 receive Ack", "receive must have a message and the other process, such as receive Ack from b"),
        ('1.0 note {"changed": 5}', '"changed" and "fields" in the detail of an event must be JSON objects'),
        ("1.0 receive Ack from b", "no line sends this Ack from b to a"),
    ],
)
def test_unusable_lines_of_our_own_format(tmp_path: Path, event: str, why: str) -> None:
    from lydian.formats.traces.shiviz import SHIVIZ

    with pytest.raises(BadLines) as error:
        one(tmp_path, f'# {SHIVIZ}\na {{"a": 1}}\n{event}\n')
    assert error.value.problems[0].why.startswith(why)


def test_skipping_keeps_the_good_lines(tmp_path: Path) -> None:
    found = one(tmp_path, SERVERS.replace("request for /cart", ""), skip=True)
    assert [p.line for p in found.problems] == [2, 5]
    assert [e.kind for e in found.trace.events()].count("receive") == 2
    with pytest.raises(BadInput, match="this log contains no event that can be used"):
        one(tmp_path, "nothing\n", skip=True)


@pytest.mark.parametrize(
    ("regex", "why"),
    [
        ("(?<host>", "the regular expression is invalid: missing \\), unterminated subpattern"),
        ("x{99999999999}", "the regular expression is invalid: "),
        (r"(?<hosts>\w+) (?<clock>.*)", r"has no group host \(did you mean 'host'\?\)"),
        (r"(?<host>\w+) (?<event>.*)", "has neither a group clock .* nor the groups from and to"),
    ],
)
def test_invalid_expressions(tmp_path: Path, regex: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        one(tmp_path, SERVERS, regex=regex)


def test_an_expression_that_stops_within_a_line(tmp_path: Path) -> None:
    found = one(tmp_path, 'a {"a":1} x\n', regex=r"(?<host>\w) (?<clock>\{.*?\})")
    assert [(event.kind, event.process) for event in found.trace.events()] == [("note", "a")]


def test_an_endless_expression_is_interrupted(tmp_path: Path) -> None:
    text = 'a {"a":1}\n' + "b" * 60 + "!\n"
    began = time.monotonic()
    with pytest.raises(BadInput, match=r"servers\.log, line 2: the regular expression did not finish within 0\.5"):
        one(tmp_path, text, regex=r"(?<host>\w) (?<clock>.*)|((b+)+)$", seconds=0.5)
    assert time.monotonic() - began < 60  # on its own it would take far too long


@pytest.mark.parametrize("data", [b"\x00\x01\x02", b"\xff\xfe\x00", b"", b"PAR1\x00\x15"])
def test_files_that_are_not_logs(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.log").write_bytes(data)
    with pytest.raises(BadInput, match=r"x\.log"):
        import_log(tmp_path / "x.log")


def test_truncated_characters_and_windows_line_ends(tmp_path: Path) -> None:
    from lydian.formats.traces.shiviz import SHIVIZ

    found = one(tmp_path, f'# {SHIVIZ}\r\na {{"a": 1}}\r\n1.0 note [ok] {{"text":"\\ud800"}}\r\n')
    save(found.trace, tmp_path / "x.parquet")
    assert load(tmp_path / "x.parquet").event(0).state == "ok"


def test_too_many_states_are_refused(tmp_path: Path) -> None:
    text = "".join(f'a {{"a":{i}}} s{i}\n' for i in range(1, 300))
    with pytest.raises(BadInput, match="more than 254 states"):
        one(tmp_path, text, regex=r"(?<host>\w) (?<clock>\{.*?\}) (?<state>.*)")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_log_or_are_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.log"
    path.write_bytes(b'a {"a":1} x\n' + data)
    try:
        (found,) = import_log(path)
    except BadInput:
        return
    assert (found.trace.rows["kind"] <= Kind.ERROR).all()
