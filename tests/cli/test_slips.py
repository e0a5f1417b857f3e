"""Slips that would overwrite a file or wait for ever are refused with an error."""

from __future__ import annotations

import os

import pytest

GOOD = 'protocol = "echo"\nnetwork = "ring:8"\n'


def test_a_trace_is_not_overwritten_by_its_export(lydian, here) -> None:
    assert lydian("run", "two-wings", "--trace", "run.parquet").code == 0
    before = (here / "run.parquet").read_bytes()
    said = lydian("trace", "export", "run.parquet", "--to", "csv", "-o", "./run.parquet")
    assert (said.code, said.out) == (2, "")
    assert "this is the trace itself; choose another file" in said.err
    assert (here / "run.parquet").read_bytes() == before


def test_a_trace_does_not_overwrite_its_experiment(lydian, here) -> None:
    (here / "e.toml").write_text(GOOD)
    said = lydian("run", "e.toml", "--trace", "e.toml")
    assert (said.code, said.out) == (2, "")
    assert "e.toml, --trace: the name of a trace must end in .parquet" in said.err
    assert (here / "e.toml").read_text() == GOOD


@pytest.mark.parametrize("name", ["r.parquet", "r.toml", "r.jsn", "r"])
def test_a_network_is_written_only_in_the_format_of_its_ending(lydian, here, name: str) -> None:
    said = lydian("network", "ring", "8", "-o", name)
    assert (said.code, said.out) == (2, "")
    assert f"{name}: a network's file must end in .json, .graphml" in said.err
    assert list(here.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes on this system")
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "./pipe.toml"],
        ["render", "./pipe.toml", "-o", "x.png"],
        ["open", "pipe.toml"],
        ["archive", "./pipe.toml"],
        ["run", "two-wings", "--network", "./pipe.toml"],
        ["run", "two-wings", "--delay", "empirical(./pipe.toml)"],
    ],
)
def test_a_pipe_does_not_block(lydian, here, arguments: list[str]) -> None:
    os.mkfifo(here / "pipe.toml")
    said = lydian(*arguments)
    assert (said.code, said.out) == (2, "")
    assert "pipe.toml: this is " in said.err


def test_endless_toml_is_refused(lydian, here, monkeypatch) -> None:
    monkeypatch.setattr("lydian.model.reading.TOML_SECONDS", 0.3)
    (here / "e.toml").write_text("a." * 200_000 + "b = 1")
    said = lydian("run", "./e.toml")
    assert said.code == 2
    assert "e.toml: this takes too long to read" in said.err


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("do = 'inject'\nlink = '0-1'\nlabel = 'Broadcast'\nfields = {payload = 7}", "it is declared as str, not 7"),
        ("do = 'corrupt'\nprocess = 1\nvariable = 'pending'\nvalue = 3", "value: it is declared as set[str], not 3"),
        ("do = 'corrupt'\nprocess = 1\nvariable = 'pending'", "value: it is declared as set[str], not None"),
        ("do = 'corrupt'\nprocess = 1\nvariable = 'pending'\nvalue = [{a = 1}]", "and [{'a': 1}] cannot be converted"),
        ("do = 'corrupt'\nprocess = 1\nvariable = 'parent'\nvalue = 7", "value: it is declared as str | None, not 7"),
    ],
)
def test_unsuitable_values_are_refused_before_the_run(lydian, here, fault: str, sentence: str) -> None:
    (here / "e.toml").write_text(f"{GOOD}[[faults]]\ntime = 1\n{fault}\n")
    said = lydian("run", "./e.toml")
    assert (said.code, said.out) == (2, "")
    assert "e.toml, faults[0]." in said.err
    assert sentence in said.err


def test_a_list_in_a_file_is_converted_to_the_type_of_the_field(lydian, here) -> None:
    (here / "p.py").write_text(
        "from lydian import *\n(A,) = states('a')\n"
        "class Say(Command):\n    path: tuple[tuple[str, int], ...]\n"
        "    odd: set[int] = set()\n    rest: object = None\n"
        "class P(Process):\n    state = A\n"
        "    @on(A, INIT)\n    def start(self): pass\n"
        "    @on(A, Say)\n    def say(self, c): self.note(f'{c.path} {c.odd} {c.rest}')\n"
    )
    (here / "e.toml").write_text(
        "protocol = './p.py'\nnetwork = 'line:2'\n[[workload]]\ntime = 1\ndo = 'command'\nprocess = 0\nlabel = 'Say'\n"
        "fields = {path = [['a', 1], ['b', 2]], odd = [3], rest = [[4]]}\n"
    )
    assert lydian("run", "./e.toml", "--trace", "t.parquet").code == 0
    assert "(('a', 1), ('b', 2)) {3} [[4]]" in lydian("trace", "show", "t.parquet").out.replace("…", "")
