"""Runs in which nothing happens: they prove nothing, and suggest how to make something happen."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lydian.cli import main
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Timing

WAITS = '''
"""Waits for its user."""
from lydian import *
IDLE, ASKED = states("idle", "asked")
class Ask(Message):
    pass
class Want(Command):
    what: str
class Waits(Process):
    state = IDLE
    @on(IDLE, Want)
    def want(self, m):
        for q in self.neighbours:
            self.send(Ask(), to=q)
        self.state = ASKED
    @on(ANY, Ask)
    def asked(self, m, q):
        pass
@always("all is well")
def well(c):
    return True
@eventually("there are processes")
def there(c):
    return bool(c.processes)
@at_end("nothing is in transit")
def quiet(c):
    return not c.in_transit
'''

RESTS = '''
"""Rests from the beginning."""
from lydian import *
OFF, ON = states("off", "on")
class Rests(Process):
    state = OFF
    @when(lambda self: self.state == ON)
    def off(self):
        self.state = OFF
@at_end("nobody is on")
def off(c):
    return all(p.state == OFF for p in c.processes)
'''


@pytest.fixture
def waits(tmp_path: Path) -> str:
    path = tmp_path / "waits.py"
    path.write_text(WAITS.lstrip(), encoding="utf-8")
    return str(path)


def experiment(waits: str, **more: Any) -> Experiment:
    return Experiment("waits", protocol=waits, network="complete:3", **more)


def test_properties_of_a_run_without_steps_are_open(waits: str) -> None:
    result = Simulator(experiment(waits)).run()
    assert result.events == 0 and [check.holds for check in result.checks] == [None] * 3
    assert result.exit_code == 0
    assert result.nothing == "Nothing happened: every process waits for a command Want, but none is given."


def test_the_crash_of_a_waiting_process_is_not_a_step(waits: str) -> None:
    result = Simulator(experiment(waits, faults=(Intervention(1, "crash", process="0"),))).run()
    assert result.events == 1 and [check.holds for check in result.checks] == [None] * 3 and result.nothing


def test_a_violation_at_the_beginning_counts_without_steps(waits: str) -> None:
    text = Path(waits).read_text(encoding="utf-8").replace("return True", "return False")
    Path(waits).write_text(text, encoding="utf-8")
    result = Simulator(experiment(waits)).run()
    assert result.exit_code == 1 and result.checks[0].holds is False


def test_one_command_suffices_for_a_verdict(waits: str) -> None:
    command = Intervention(0, "command", process="0", label="Want", fields={"what": "tea"})
    result = Simulator(experiment(waits, workload=(command,))).run()
    assert result.nothing is None and [check.holds for check in result.checks] == [True] * 3
    assert "nothing" not in result.to_dict()


@pytest.mark.parametrize("crashes", [0, 1])
def test_a_search_without_steps_proves_nothing(waits: str, crashes: int) -> None:
    found = Explorer(experiment(waits), crashes=crashes).run()
    assert [each.holds for each in found.findings] == [None] * 3 and found.nothing is not None
    assert found.findings[0].why == "nothing happened by which it could be judged"


def test_liveness_is_open_where_nothing_happens(waits: str) -> None:
    text = Path(waits).read_text(encoding="utf-8").replace("return bool(c.processes)", "return False")
    Path(waits).write_text(text, encoding="utf-8")
    found = Explorer(experiment(waits)).run()
    assert [each.holds for each in found.findings] == [None] * 3 and found.exit_code == 0 and not found.shown
    assert [check.holds for check in Simulator(experiment(waits)).run().checks] == [None] * 3


def test_suggested_commands_can_be_given(waits: str) -> None:
    nothing = Simulator(experiment(waits)).run().trace.summary["nothing"]
    given = tuple(Intervention.from_dict(each) for each in nothing["workload"])
    assert [each.process for each in given] == ["0", "1", "2"] and not nothing["start"]
    assert Simulator(experiment(waits, workload=given)).run().messages == 6


def test_a_cut_off_run_gives_that_reason(waits: str) -> None:
    command = Intervention(5, "command", process="0", label="Want", fields={"what": "tea"})
    result = Simulator(experiment(waits, workload=(command,), stop=Stop(until=3))).run()
    assert result.nothing == "Nothing happened: the first command is given at time 5, and the run stops at time 3."
    assert result.trace.summary["nothing"]["workload"] == []
    ring = Experiment("ring", protocol="dijkstra-k-state", network="ring:4", stop=Stop(until=0))
    result = Simulator(ring).run()
    assert result.nothing == "Nothing happened: the run stops at time 0, before any process takes a step."
    assert result.trace.summary["nothing"]["start"] is False


def test_a_run_whose_active_processes_crashed_gives_that_reason(waits: str) -> None:
    crash = Intervention(0, "crash", process="0")
    echo = Experiment("echo", protocol="echo", network="two-wings", faults=(crash,), breaks=("all",))
    result = Simulator(echo).run()
    assert result.nothing == "No process takes a step: initiator 0 crashes before it starts."
    command = Intervention(5, "command", process="0", label="Want", fields={"what": "tea"})
    result = Simulator(experiment(waits, workload=(command,), faults=(crash,))).run()
    assert result.nothing == "No process takes a step: the processes that are given commands have crashed by then."


def test_starting_processes_that_wait_for_commands_is_not_a_step(capsys: Any) -> None:
    idle = Experiment("idle", protocol="suzuki-kasami", network="complete:3", parameters={"keen": False},
                      timing=Timing(initiators="all"))  # fmt: skip
    result = Simulator(idle).run()
    assert result.events == 3 and [check.holds for check in result.checks] == [None] * len(result.checks)
    why = "Nothing happened after the start: every process waits for one of the commands Want, Leave, but none"
    assert result.nothing is not None and result.nothing.startswith(why)
    assert len(result.trace.summary["nothing"]["workload"]) == 3
    found = Explorer(idle).run()
    assert found.nothing == result.nothing and all(each.holds is None for each in found.findings)
    words = ["--protocol", "suzuki-kasami", "--network", "complete:3", "--set", "keen=false", "--initiators", "all"]
    for command in ("run", "explore"):
        assert main([command, *words]) == 0
        assert "Give every process one with --command all:Want" in capsys.readouterr().out
        main([command, *words, "--command", "0:Want"])
        out = capsys.readouterr().out
        assert "Nothing happened" not in out and "✓" in out


def test_disabled_guarded_actions_suggest_another_start(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "rests.py"
    path.write_text(RESTS.lstrip(), encoding="utf-8")
    words = ["run", "--protocol", str(path), "--network", "ring:3"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "no guarded action is enabled in the configuration in which the run starts" in out
    assert "--start any" in out and "✓" not in out
    assert main([*words, "--start", "any"]) == 0
    assert "✓ nobody is on" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["run", "explore"])
def test_the_command_line_shows_the_remedy(waits: str, command: str, capsys: Any) -> None:
    assert main([command, "--protocol", waits, "--network", "complete:3"]) == 0
    out = capsys.readouterr().out
    assert "Nothing happened: every process waits for a command Want" in out and "✓" not in out
    assert """--command 'all:Want(what="a")'""" in out
    lines = out[out.index("[[workload]]") :].split("\n\n")[0]
    (record,) = tomllib.loads(lines)["workload"]
    assert Intervention.from_dict(record) == Intervention(0, "command", process="0", label="Want", fields={"what": "a"})


def test_commands_can_be_given_on_the_command_line(waits: str, capsys: Any) -> None:
    words = ["run", "--protocol", waits, "--network", "complete:3", "--json"]
    assert main([*words, "--command", "all:Want(what='tea')", "--command", "1:Want(what='x')@2"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["error"].startswith(waits) and "Want" in result["error"], "in state asked nothing is wanted again"
    assert main([*words, "--command", "0:Want(what='tea')@2.5"]) == 0
    assert json.loads(capsys.readouterr().out)["messages"] == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Want", "must be PROCESS:NAME, for example 0:Request or all:Request@2.5"),
        ("0:Want(1 +)", "fields must be written as in Publish(topic='news', number=3)"),
        ("0:Wunt(what='a')", "unknown command 'Wunt' of protocol waits (did you mean 'Want'?)"),
        ("7:Want(what='a')", "unknown process '7'"),
        ("0:Want@-1", "--command: must be a time that is not negative"),
    ],
)
def test_an_impossible_command_is_an_error(waits: str, text: str, sentence: str, capsys: Any) -> None:
    assert main(["run", "--protocol", waits, "--network", "complete:3", "--command", text]) == 2
    assert sentence in capsys.readouterr().err
