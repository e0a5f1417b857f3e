"""Executions of protocols with several roles: in runs, searches and replays, with faults and from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.batch.replay import judge_trace
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Result, Simulator
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, loads
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network.netfile import from_dict, to_dict
from lydian.trace.timeline import Timeline
from tests.model.protocol.test_roles import SOURCE

PROPERTIES = """
@always("no client has seen more than the servers have counted")
def bounded(c):
    return sum(p.seen for p in c.role("client")) <= 2 * sum(p.total for p in c.role("server"))

@at_end("every client has its answer")
def answered(c):
    return all(p.state == "idle" for p in c.processes if p.role == "client")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("roles")
    (folder / "counting.py").write_text(SOURCE + PROPERTIES)
    return folder


def experiment(folder: Path, **parts: Any) -> Experiment:
    wanted = tuple(Intervention(0.0, "command", process=p, label="Want") for p in ("1", "2"))
    protocol = str(folder / "counting.py")
    given: dict[str, Any] = {"protocol": protocol, "network": from_spec("star:3"), "workload": wanted}
    return Experiment("counting", **{**given, **parts})


def simulate(experiment: Experiment) -> Result:
    return Simulator(experiment.resolve()).run()


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return simulate(experiment(folder))


def test_processes_play_their_roles(result: Result) -> None:
    assert [(each.name, each.holds) for each in result.checks][:2] == [
        ("no client has seen more than the servers have counted", True),
        ("every client has its answer", True),
    ]
    assert result.trace.summary["roles"] == {"0": "server", "1": "client", "2": "client"}


def test_each_process_has_the_states_and_variables_of_its_role(result: Result) -> None:
    timeline = Timeline(result.trace)
    assert [timeline.states[code] for code in timeline.states_at(0)] == ["serving", "idle", "idle"]
    last = [{name: value for name, (value, _) in timeline.variables(p, timeline.length).items()} for p in range(3)]
    assert last[0] == {"total": 2}
    assert [[*each] for each in last[1:]] == [["seen"], ["seen"]]
    assert {each["seen"] for each in last[1:]} == {1, 2}


def test_a_trace_is_judged_again_with_its_roles(result: Result) -> None:
    assert [each["holds"] for each in judge_trace(result.trace)] == [True, True]


def test_a_search_visits_all_orders_of_all_roles(folder: Path) -> None:
    found = Explorer(experiment(folder).resolve()).run()
    assert found.complete
    assert [each.holds for each in found.findings if "client" in each.name] == [True, True]


def test_a_missing_action_names_the_class_of_the_role(folder: Path) -> None:
    wrong = (Intervention(0.0, "command", process="0", label="Want"),)
    result = simulate(experiment(folder, workload=wrong))
    assert "process 0 is serving and got the command Want: Server has no @on(SERVING, Want)" in str(result.error)


def test_a_process_that_recovers_begins_in_the_initial_state_of_its_role(folder: Path) -> None:
    faults = (
        Intervention(5.0, "crash", process="0"),
        Intervention(6.0, "recover", process="0", keep=False),
    )
    timeline = Timeline(simulate(experiment(folder, faults=faults)).trace)
    assert timeline.states[timeline.states_at(timeline.length)[0]] == "serving"
    assert timeline.variables(0, timeline.length)["total"][0] == 0


def test_a_scrambled_process_keeps_to_its_role(folder: Path) -> None:
    faults = tuple(Intervention(5.0, "scramble", process=p, seed=3) for p in ("0", "1", "2"))
    timeline = Timeline(simulate(experiment(folder, faults=faults, workload=())).trace)
    states = [timeline.states[code] for code in timeline.states_at(timeline.length)]
    assert states[0] == "serving" and set(states[1:]) <= {"idle", "waiting"}


def test_only_variables_of_its_own_role_can_be_corrupted(folder: Path) -> None:
    faults = (Intervention(5.0, "corrupt", process="0", variable="seen", value=3),)
    with pytest.raises(BadInput, match="unknown variable 'seen'"):
        experiment(folder, faults=faults).resolve()


def test_roles_are_written_to_files_and_read_again(folder: Path) -> None:
    some = experiment(folder, network="star:3", roles={"server": ["1"], "client": "*"})
    again = loads(some.to_toml(), folder=folder)
    assert again.roles == {"server": ("1",), "client": "*"} == some.roles
    network = some.resolve().network
    assert network.roles == {"0": "client", "1": "server", "2": "client"}
    assert from_dict(to_dict(network)).roles == network.roles


def test_roles_that_no_longer_exist_are_left_out_on_another_network(folder: Path) -> None:
    moved = experiment(folder, roles={"server": ["0", "2"]}).moved(from_spec("star:2"))
    assert moved.roles == {"server": ("0",)}
