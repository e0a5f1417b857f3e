"""``lydian network``: from a kind, a name or a file of another program to any file format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lydian.formats.networks import read
from tests.cli.conftest import Said

Lydian = Callable[..., Said]

ALL = ["n.json", "n.graphml", "n.gml", "n.dot", "n.edges", "n.csv", "n.g6"]


@pytest.mark.parametrize("name", ALL)
def test_every_format_round_trips(lydian: Lydian, here: Path, name: str) -> None:
    said = lydian("network", "grid", "3x4", "-o", name)
    assert said.code == 0
    assert said.out == f"{name}: 12 processes, 17 links\n"
    assert lydian("network", name, "-o", "back.json").out == "back.json: 12 processes, 17 links\n"
    assert read(here / "back.json").network.m == 17


def test_a_network_of_the_archive(lydian: Lydian, here: Path) -> None:
    assert lydian("network", "two-wings", "-o", "two.tex").code == 0
    assert (here / "two.tex").read_text().count(r"\node[") == 12


@pytest.mark.parametrize("name", ["n.graphml", "n.gml", "n.dot", "n.edges"])
def test_a_protocol_runs_on_a_file_of_another_program(lydian: Lydian, here: Path, name: str) -> None:
    lydian("network", "ring", "6", "-o", name)
    (here / "e.toml").write_text(f'protocol = "echo"\nnetwork = "{name}"\n[timing]\ninitiators = ["0"]\n')
    said = lydian("run", "e.toml", "--json")
    assert (said.code, said.err) == (0, "")
    assert '"messages": 14' in said.out


def test_omitted_data_are_reported(lydian: Lydian, here: Path) -> None:
    (here / "w.gml").write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 colour 3 weight 4 ] ]")
    assert lydian("network", "w.gml", "-o", "w.json").out == (
        "w.json: 2 processes, 1 link\n  attribute without a meaning here: colour\n"
    )
    assert '"weight": 4' in (here / "w.json").read_text()


def test_bad_lines_can_be_skipped(lydian: Lydian, here: Path) -> None:
    (here / "bad.edges").write_text("0 1\n1 2 3 4\n1 2\n'\n")
    said = lydian("network", "bad.edges", "-o", "good.json")
    assert said.code == 2
    assert "bad.edges, line 2: a line must name the two processes of a link, as in '0 1', not '1 2 3 4'" in said.err
    assert "2 lines cannot be used; --skip-bad-lines skips them" in said.err
    assert not (here / "good.json").exists()
    said = lydian("network", "bad.edges", "--skip-bad-lines", "-o", "good.json")
    assert said.code == 0
    assert read(here / "good.json").network.m == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ring", "8", "-o", "r.graphm"], "r.graphm: a network's file must end in .json, .graphml"),
        (["none.gml"], "none.gml: there is no such file"),
        (["rink", "8"], "rink"),
        (["grid", "2x2", "--seed", "x"], "--seed"),
    ],
)
def test_bad_arguments_are_one_error(lydian: Lydian, here: Path, words: list[str], sentence: str) -> None:
    said = lydian("network", *words)
    assert said.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
