"""One run from Python: the same as on the command line, with its events as tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

import lydian
from lydian.model.childprocess import environment
from lydian.model.errors import BadInput, LydianError
from lydian.model.generators import from_spec
from tests.lab.declared import Flood, Wrong

HERE = Path(__file__).parent


def printed(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, env=environment(), cwd=HERE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_run_is_that_of_the_command_line():
    run = lydian.run("echo", network="grid:5x5", seed=7, delay="exponential(mean=1)")
    words = ("run", "echo", "--network", "grid:5x5", "--seed", "7", "--delay", "exponential(mean=1)", "--json")
    told = json.loads(printed("-m", "lydian", *words))
    assert {name: told[name] for name in run.to_dict()} == json.loads(json.dumps(run.to_dict()))
    assert (run.ok, run.messages, run.time) == (True, told["messages"], told["time"])
    assert (run.decided, run.fingerprint) == (told["decided"], told["fingerprint"])
    assert [(each.name, each.kind, each.holds, each.at) for each in run.checks] == [
        tuple(each.values()) for each in told["checks"]
    ]


def test_the_package_is_light_until_something_is_called():
    code = (
        "import sys, lydian; _ = lydian.run; heavy = {'numpy', 'pyarrow', 'PySide6', 'scipy', 'simpy'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert printed("-c", code).strip() == "[]"


def test_the_functions_are_listed_and_others_are_not_found():
    assert {"run", "runs", "explore", "sweep", "open_run"} <= set(dir(lydian))
    with pytest.raises(AttributeError, match="has no attribute 'ron'"):
        _ = lydian.ron


def test_a_class_of_a_script_runs_with_what_it_uses():
    run = lydian.run(Flood, network="ring:5", seed=3, times=2)
    assert run.ok
    assert run.messages == 20
    assert [check.name for check in run.checks] == ["everybody is loud"]
    assert run.trace.source.startswith("from __future__ import annotations\n")
    assert "FIRST = 3\n" in run.trace.source
    assert "unrelated" not in run.trace.source and "nobody" not in run.trace.source
    assert run.experiment["protocol"] == "./flood.py"


def test_a_script_runs_its_own_class():
    assert printed("declared.py") == "True 10 everybody is loud\n"


def test_an_error_names_the_line_of_the_script():
    run = lydian.run(Wrong, network="ring:3")
    line = 1 + (HERE / "declared.py").read_text().splitlines().index(
        "        self.send(Word(1 // (m.hops - m.hops)), to=q)"
    )
    assert not run.ok
    assert run.error is not None and run.error.startswith(f"{HERE / 'declared.py'}, line {line}: process ")
    assert "wrong.py, line" in run.trace.summary["error"]


def test_a_class_inside_a_function_is_refused():
    class Inner(lydian.Process):
        pass

    with pytest.raises(BadInput, match="Inner is declared inside test_a_class_inside_a_function_is_refused; declare"):
        lydian.run(Inner)


def test_a_class_without_a_source_is_refused():
    scope = {"__name__": "nowhere"}
    exec("import lydian\nclass Typed(lydian.Process):\n    pass", scope)
    with pytest.raises(BadInput, match="the source of Typed cannot be found; declare it in a file or in a cell"):
        lydian.run(scope["Typed"])


def test_a_protocol_file_is_used_as_it_is(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("from lydian import Process\n\n\nclass Mine(Process):\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import mine  # type: ignore[import-not-found]

    assert lydian.run(mine.Mine, network="ring:3").trace.source == (tmp_path / "mine.py").read_text()
    assert lydian.run(tmp_path / "mine.py", network="ring:3").protocol == "mine"
    assert lydian.run(str(tmp_path / "mine.py")).network == "two-wings"


def test_classes_of_the_archive_and_of_modules_that_python_does_not_know():
    from importlib.util import module_from_spec, spec_from_file_location

    from lydian.model.archive.archive import archive

    wanted = lydian.run(archive().find("protocols", "echo"), network="ring:6", seed=1).fingerprint
    assert lydian.run(archive().protocol("echo").cls, network="ring:6", seed=1).fingerprint == wanted
    spec = spec_from_file_location("unknown_to_python", archive().find("protocols", "echo"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert lydian.run(module.Echo, network="ring:6", seed=1).fingerprint == wanted
    folder = archive().protocol("causal-cluster")
    assert lydian.run(folder.cls, until=1, initiators="all").protocol == "causal-cluster"


def test_a_graph_of_networkx_is_a_network():
    graph = nx.Graph(name="pair of pairs")
    graph.add_node(1, pos=(0, 1))
    graph.add_node((2, 3), pos=(1, 0))
    graph.add_node("c")
    graph.add_edge(1, (2, 3), delay="constant(2)", weight=5, colour="red")
    graph.add_edge((2, 3), "c")
    run = lydian.run(Flood, network=graph)
    there = run.trace.network
    assert there["graph"]["name"] == run.network == "pair of pairs"
    assert there["graph"]["initiators"] == ["1"]
    assert [node["id"] for node in there["nodes"]] == ["1", "2,3", "c"]
    assert there["nodes"][1]["x"] - there["nodes"][0]["x"] == there["nodes"][1]["y"] - there["nodes"][0]["y"] == 300
    assert there["links"][0] == {"source": "1", "target": "2,3", "delay": "constant(2)", "weight": 5}


@pytest.mark.parametrize(
    ("network", "sentence"),
    [
        (nx.MultiGraph([(1, 2), (1, 2)]), "graph, links[1]: a link from 1 to 2 already exists"),
        (nx.Graph([(1, 1)]), "graph, links[0]: "),
        (nx.Graph([(1, 2, {"delay": "soon"})]), "graph, links[0].delay: "),
        (nx.Graph(), "graph, nodes: a network must have at least one process"),
        (7, "a network must be a name, a path, a network or a graph of networkx, not 7"),
        ("rong:8", "unknown"),
        ("./missing.json", "missing.json: "),
    ],
)
def test_a_network_that_cannot_be_used_gets_a_sentence(network, sentence):
    with pytest.raises(BadInput) as error:
        lydian.run("echo", network=network)
    assert sentence in str(error.value)


def test_networks_of_all_kinds(tmp_path):
    from lydian.model.network.netfile import save

    save(from_spec("ring:6"), tmp_path / "six.json")
    wanted = lydian.run("echo", network="ring:6", seed=1).fingerprint
    assert lydian.run("echo", network=from_spec("ring:6"), seed=1).fingerprint == wanted
    assert lydian.run("echo", network=tmp_path / "six.json", seed=1).fingerprint == wanted
    assert lydian.run("echo", network=str(tmp_path / "six.json"), seed=1).fingerprint == wanted


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"netwrk": "ring:3"}, "unknown argument 'netwrk' (did you mean 'network'?)"),
        ({"tims": 2}, "parameters.tims: unknown parameter 'tims' of Flood (did you mean 'times'?)"),
        ({"times": 0}, "parameters.times: "),
        ({"seed": "x"}, "seed: must be a whole number, not 'x'"),
        ({"delay": "soon"}, "delay: "),
        ({"initiators": ["99"], "network": "ring:3"}, "99"),
        ({"faults": [{"time": 1, "do": "crush", "process": "0"}]}, "faults[0].do: "),
        ({"parameters": 3}, "parameters: must be names with values"),
    ],
)
def test_a_wrong_argument_gets_a_sentence(arguments, sentence):
    with pytest.raises(LydianError) as error:
        lydian.run(Flood, **arguments)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value) and "/tmp" not in str(error.value)


def test_faults_and_bounds():
    run = lydian.run(
        "echo", network="ring:8", seed=1, faults=[{"time": 1.0, "do": "crash", "process": "4"}], breaks="all", until=50
    )
    assert [event.process for event in run.events("kind=crash")] == ["4"]
    assert lydian.run("echo", network="ring:8", limit=5).stopped == "limit"


def test_events_and_tables():
    run = lydian.run("echo", network="grid:3x3", seed=7)
    table = run.table()
    assert table.num_rows == len(run.trace) and table.column_names[:4] == ["seq", "round", "time", "kind"]
    acks = run.events(where="p=5 and message=Ack")
    assert acks and all(event.process == "5" and event.label == "Ack" for event in acks)
    assert acks.table()["seq"].to_pylist() == [event.seq for event in acks] == [e.seq for e in acks[:]]
    assert len(run.events()) == len(run.trace)
    with pytest.raises(BadInput, match="filter, character 1: "):
        run.events(where="proces=5")


def test_other_libraries_take_a_run():
    import pyarrow as pa

    run = lydian.run("echo", network="ring:5", seed=7)
    assert pa.table(run).equals(run.table())
    assert run.events("kind=send").__dataframe__().num_rows() == run.messages


def test_to_pandas():
    pytest.importorskip("pandas")
    run = lydian.run("echo", network="ring:5", seed=7)
    frame = run.to_pandas()
    assert len(frame) == len(run.trace) and frame["time"].iloc[-1] == run.time


def test_a_saved_run_is_opened_again(tmp_path):
    run = lydian.run(Flood, network="ring:5", seed=3)
    again = lydian.open_run(run.save(tmp_path / "flood.parquet"))
    assert again.to_dict() == json.loads(json.dumps(run.to_dict()))
    assert again.table().equals(run.table())
    with pytest.raises(LydianError, match="there is no such file"):
        lydian.open_run(tmp_path / "none.parquet")


def test_repr():
    run = lydian.run(Flood, network="ring:5", seed=3)
    assert repr(run) == "<Run of flood on ring-5, seed 3: 21 events, 10 messages, time 3.063>"
    assert repr(run.events("kind=init")) == "<1 event>"


def test_roles_are_given_as_in_an_experiment():
    run = lydian.run("primary-backup", network="complete:6", roles={"server": ["4", "5"]}, until=1)
    assert run.trace.summary["roles"] == {
        "0": "view-server", "1": "client", "2": "client", "3": "client", "4": "server", "5": "server",
    }  # fmt: skip
