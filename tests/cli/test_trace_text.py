"""Traces as text: explained, filtered, imported."""

from __future__ import annotations

import json
import re

import pytest

from lydian.trace.parquet.file import load


@pytest.fixture
def run(lydian):
    """Create the trace of the example experiment."""
    assert lydian("run", "two-wings", "--trace", "run.parquet").code == 0
    return "run.parquet"


def test_a_run_is_described_step_by_step(lydian):
    said = lydian("run", "two-wings", "--explain")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "Process 0 broadcasts the news and learns when every process has received it."
    words = " ".join(said.out.split())
    assert "0 0.0000 Process 0 starts while it is asleep. It sends the news to each neighbour." in words
    assert (
        "receives Broadcast(payload=news) from 6 while it is waiting. It already has the news and acknowledges this "
        "copy. It is still waiting; at time 3.757 it sends Ack to 6." in words
    )
    assert "Everybody has heard; 46 messages, time 16.5." in said.out
    assert "messages         46  23 Broadcast, 23 Ack" in said.out
    assert max(map(len, lines)) <= 110


def test_json_output(lydian):
    said = json.loads(lydian("run", "two-wings", "--explain", "--json").out)
    assert said["messages"] == 46
    assert said["explanation"][0]["text"].startswith("Process 0 starts while it is asleep.")
    assert set(said["explanation"][0]) == {"seq", "time", "text"}
    assert "explanation" not in json.loads(lydian("run", "two-wings", "--json").out)


def test_a_failed_run_is_described_as_well(lydian):
    said = lydian("run", "echo-crash", "--explain")
    assert said.code == 1
    assert "Process 9 crashes while it is waiting" in said.out


def test_only_matching_events(lydian, run):
    plain = lydian("trace", "show", run).out.splitlines()
    said = lydian("trace", "show", run, "--where", "p=5 and message=Ack").out.splitlines()
    assert said == [line for line in plain if line.split()[2] == "5" and "Ack" in line] != []
    both = lydian("trace", "show", run, "--where", "t>4", "--find", "now acknowledged", "--process", "5").out
    assert both.splitlines() == [line for line in plain if "→ acked" in line and line.split()[2] == "5"] != []
    assert lydian("trace", "show", run, "--find", "nobody says this").out == ""


def test_events_explained(lydian, run):
    every = lydian("trace", "show", run, "--explain").out
    assert every in lydian("run", "two-wings", "--explain").out
    sends = lydian("trace", "show", run, "--where", "kind=send p=5", "--explain", "--limit", "1").out
    why = "to 6, because at time 2.701 it receives Broadcast(payload=news) from 3"
    assert why in " ".join(sends.split())
    of_five = lydian("trace", "show", run, "--explain", "--process", "5").out
    assert "Process 5 sends" not in of_five  # shown together with the answers it sent
    assert "it sends Ack to" in " ".join(of_five.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--where", "p=5 and"], "--where, character 5: something is missing after 'and'"),
        (
            ["--where", "message=Akc"],
            "--where, character 9: message: there is no message, timer, command or rule 'Akc'",
        ),
        (["--find", " "], "--find: must not be empty; give a word"),
    ],
)
def test_invalid_filters(lydian, run, words, sentence):
    said = lydian("trace", "show", run, *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"lydian: {sentence}")


LOG = 'a {"a":1} ask\nb {"a":1,"b":1} asked\nb {"a":1,"b":2} answer\na {"a":2,"b":2} answered\n'


def test_a_log_becomes_a_trace_that_every_command_reads(lydian, here):
    (here / "two.log").write_text(LOG, encoding="utf-8")
    said = lydian("trace", "import", "two.log")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0] == "two.parquet: 2 hosts, 4 events, 2 messages"
    assert "a  sends message(log=ask) to b" in lydian("trace", "show", "two.parquet").out
    assert "Process b receives message(log=asked) from a." in lydian("trace", "show", "two.parquet", "--explain").out
    assert "2 sent, 2 received, 0 lost" in lydian("trace", "info", "two.parquet").out
    again = lydian("trace", "import", "two.log")
    assert (again.code, "this file already exists" in again.err) == (2, True)


@pytest.mark.parametrize("view", ["basic", "communication", "causality", "step", "occupation"])
def test_a_log_opens_in_every_view(lydian, here, qapp, view):
    (here / "two.log").write_text(LOG, encoding="utf-8")
    lydian("trace", "import", "two.log", "-o", "two.parquet")
    said = lydian("render", "two.parquet", "--view", view, "--at", "2", "-o", "x.svg")
    assert (said.code, said.err) == (0, "")


def test_our_export_is_read_back(lydian, run, here):
    lydian("trace", "export", run, "--to", "shiviz", "-o", "run.txt")
    assert lydian("trace", "import", "run.txt", "-o", "again.parquet").code == 0
    again = load(here / "again.parquet")
    assert [e.detail for e in again.events()] == [e.detail for e in load(here / run).events()]
    shown = [lydian("trace", "show", file).out.replace("(payload=news)", "") for file in ("again.parquet", run)]
    assert [line.split() for line in shown[0].splitlines()] == [line.split() for line in shown[1].splitlines()]


def test_all_unusable_lines_are_reported_and_nothing_is_written(lydian, here):
    (here / "bad.log").write_text(LOG.replace("ask\n", "ask\noops\nno\n"), encoding="utf-8")
    said = lydian("trace", "import", "bad.log", "-o", "out.parquet")
    assert (said.code, said.out) == (2, "")
    lines = said.err.splitlines()
    assert lines[0].startswith("lydian: bad.log, line 2: a host and its clock were expected")
    assert lines[1].startswith("lydian: bad.log, line 3: ")
    assert lines[2:] == ["lydian: bad.log: 2 lines cannot be used, so nothing was written; --skip-bad-lines skips them"]
    assert [path.name for path in here.iterdir()] == ["bad.log"]
    said = lydian("trace", "import", "bad.log", "-o", "out.parquet", "--skip-bad-lines")
    assert (said.code, len(said.err.splitlines())) == (0, 2)
    assert len(load(here / "out.parquet")) == 4


def test_one_bad_line_is_reported_in_one_sentence(lydian, here):
    (here / "bad.log").write_text(LOG + "oops\n", encoding="utf-8")
    said = lydian("trace", "import", "bad.log")
    assert said.code == 2
    assert len(said.err.splitlines()) == 1
    assert said.err.startswith("lydian: bad.log, line 5: a host and its clock were expected")
    assert "nothing was written (--skip-bad-lines" in said.err


def test_many_bad_lines_are_counted(lydian, here):
    (here / "bad.log").write_text("x\n" * 100, encoding="utf-8")
    said = lydian("trace", "import", "bad.log")
    assert "lydian: bad.log: and 80 more lines" in said.err
    assert len(said.err.splitlines()) == 22


def test_custom_expressions_and_several_executions(lydian, here):
    (here / "own.log").write_text('=== 1\n[0.5] a {"a":1} x\n=== 2\n[0.5] a {"a":1} x\n', encoding="utf-8")
    regex = r"\[(?<time>.*?)\] (?<host>\w+) (?<clock>\{.*?\}) (?<event>.*)"
    said = lydian("trace", "import", "own.log", "-o", "o.parquet", "--regex", regex, "--delimiter", "===")
    assert said.out == "o-1.parquet: 1, 1 host, 1 event, 0 messages\no-2.parquet: 2, 1 host, 1 event, 0 messages\n"
    assert load(here / "o-2.parquet").event(0).time == 0.5


def test_help_describes_the_format(lydian):
    said = lydian("trace", "import", "--help")
    assert said.code == 0
    assert 'HOST {"HOST": 3, "OTHER": 2}' in said.out


def test_a_truncated_trace_reports_the_cut_and_not_how_the_run_ended(lydian, run, here):
    whole = lydian("trace", "info", run).out
    assert "then no event was left" in whole and "cut short" not in whole and "✓" in whole
    (here / "cut.parquet").write_bytes((here / run).read_bytes()[:-100])
    damage = load(here / "cut.parquet").damage
    said = lydian("trace", "info", "cut.parquet")
    assert said.code == 0
    assert f"  ended        {damage}\n" in said.out and damage.startswith("the file is cut short: ")
    assert "no event was left" not in said.out and "✓" not in said.out
    shown = lydian("trace", "show", "cut.parquet", "--limit", "2")
    assert (shown.code, len(shown.out.splitlines())) == (0, 2)
    assert shown.err == f"lydian: cut.parquet: {damage}\n"


def test_a_trace_with_a_damaged_network_reports_both(lydian, run, here):
    data = (here / run).read_bytes()
    at = data.rindex(b"lydian.network") + 30
    (here / "bad.parquet").write_bytes(data[:at] + b"\xff" + data[at + 1 :])
    said = lydian("trace", "info", "bad.parquet").out
    assert "then no event was left" in said
    assert "  damage       the file is damaged: its network could not be read\n" in said


def test_one_message_is_singular(lydian, here):
    said = lydian("run", "--protocol", "flooding", "--network", "line:2", "--trace", "one.parquet").out
    assert re.search(r"chain +1  message on the longest causal chain", said)
    assert "1 message on the longest causal chain" in lydian("trace", "info", "one.parquet").out


def test_an_impossible_network_is_blamed_on_the_typed_text(lydian):
    said = lydian("run", "two-wings", "--network", "grid:0x5")
    assert (said.code, said.err) == (2, "lydian: --network grid:0x5: a grid must have at least 1 row, not 0\n")
    assert lydian("run", "two-wings", "--network", "gnm:5").code == 0
    assert "not 60" in lydian("run", "two-wings", "--network", "gnm:5,60").err


def test_a_common_log_format_is_read_by_its_name(lydian, here):
    (here / "calls.log").write_text("1.25 a call #1 to b\n1.5 b call #1 from a\n", encoding="utf-8")
    said = lydian("trace", "import", "calls.log", "-o", "calls.parquet", "--format", "numbered")
    assert said.out.startswith("calls.parquet: 2 hosts, 2 events, 1 message") and not said.err
    said = lydian("trace", "import", "calls.log", "--format", "numberd")
    assert said.code == 2
    assert "unknown format 'numberd' (did you mean 'numbered'?); choose from otlp, jepsen, " in said.err
    assert lydian("trace", "import", "calls.log", "--format", "timed", "--regex", "x").code == 2
