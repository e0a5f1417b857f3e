"""Output files of commands: their endings match, and no file of another kind is overwritten."""

from __future__ import annotations

import pytest

from lydian.cli.output import EXPERIMENT, NETWORK, PLOT, RUNS, output
from lydian.formats.traces import FORMATS
from lydian.model.errors import BadInput

THERE = "this file already exists and is of another kind; choose another name"


def test_a_page_or_export_never_replaces_a_protocol_or_experiment(lydian, here):
    lydian("run", "two-wings", "--trace", "run.parquet")
    (here / "a.log").write_text('a {"a": 1}\nbegins\n')
    for name in ("own.py", "keep.toml"):
        (here / name).write_text("mine")
        for words in (
            ("run", "two-wings", "--html", name),
            *(("trace", "export", "run.parquet", "--to", to, "-o", name) for to in ("csv", "html", "shiviz", "json")),
            ("trace", "import", "a.log", "-o", name),
        ):
            said = lydian(*words)
            assert said.code == 2 and name in said.err and said.err.count("\n") == 1
            assert (here / name).read_text() == "mine"


def test_files_of_another_kind_with_the_same_ending_are_kept(lydian, here):
    lydian("run", "two-wings", "--trace", "run.parquet")
    lydian("network", "ring", "5", "-o", "net.json")
    lydian("network", "ring", "5", "-o", "net.txt")
    before = {name: (here / name).read_bytes() for name in ("net.json", "net.txt")}
    for to, name in (("json", "net.json"), ("perfetto", "net.json"), ("shiviz", "net.txt")):
        said = lydian("trace", "export", "run.parquet", "--to", to, "-o", name)
        assert (said.code, said.err) == (2, f"lydian: {name}, -o: {THERE}\n")
        assert (here / name).read_bytes() == before[name]
    lydian("trace", "export", "run.parquet", "--to", "json", "-o", "run.json")
    said = lydian("network", "ring", "5", "-o", "run.json")
    assert (said.code, said.err) == (2, f"lydian: run.json, -o: {THERE}\n")


@pytest.mark.parametrize("to", FORMATS)
def test_a_file_of_the_same_kind_is_overwritten(lydian, here, to):
    lydian("run", "two-wings", "--trace", "run.parquet")
    for _ in range(2):
        said = lydian("trace", "export", "run.parquet", "--to", to, "-o", f"a{FORMATS[to].endings[0]}")
        assert (said.code, said.err) == (0, "")


@pytest.mark.parametrize("name", ["a.json", "a.graphml", "a.gml", "a.dot", "a.txt", "a.g6", "a.tex", "a.svg"])
def test_a_network_is_overwritten(lydian, here, qapp, name):
    for _ in range(2):
        said = lydian("network", "grid", "3x3", "-o", name)
        assert (said.code, said.err) == (0, "")


@pytest.mark.parametrize(
    ("kind", "name", "text", "kept"),
    [
        (EXPERIMENT, "a.toml", '# mine\nprotocol = "echo"\n', False),
        (EXPERIMENT, "a.toml", 'experiment = "two-wings"\n[vary]\nprotocol = ["echo"]\n', True),
        (EXPERIMENT, "a.toml", "[project]\nname = 'x'\n", True),
        (RUNS, "a.csv", '"run","group"\n0,1\n', False),
        (RUNS, "a.csv", "seq,round\n0,1\n", True),
        (PLOT, "a.csv", "n,count,mean\n5,1,2\n", False),
        (PLOT, "a.csv", "0,1\n1,0\n", True),
        (NETWORK, "a.json", '{"name": "a package"}', True),
        (NETWORK, "a.json", " \n", False),
    ],
)
def test_the_content_of_a_file_decides_whether_it_is_replaced(here, kind, name, text, kept):
    (here / name).write_text(text)
    if kept:
        with pytest.raises(BadInput, match="another kind"):
            output(name, kind)
    else:
        output(name, kind)
