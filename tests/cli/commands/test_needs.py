"""``lydian needs``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydian.cli import main
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import read


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["needs", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_table_says_why_each_assumption_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "echo")
    assert (code, err) == (0, "")
    assert "  one initiator  needed: “the initiator finishes last” does not hold after 4 steps\n" in out
    assert "Bounded delays and equal speeds are not needed" in out
    assert "This says nothing about more processes." in out


def test_the_witness_is_written_and_plays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "crashed.toml"
    code, out, err = said(capsys, "echo-complete", "--without", "no_crashes", "-o", str(file))
    assert (code, err) == (0, "") and f"witness: {file}" in out
    experiment = read(file)
    assert (experiment.name, experiment.breaks) == ("crashed", ("no crashes",))
    result = Simulator(experiment.resolve(), check=True).run()
    assert [each.name for each in result.violated] == ["the initiator learns that every process has the news"]


def test_the_answers_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = said(capsys, "echo", "--without", "connected", "--json")
    told = json.loads(out)
    assert code == 0 and told["protocol"] == "echo"
    (answer,) = told["needs"]
    assert (answer["need"], answer["verdict"], answer["steps"]) == ("connected", "needed", 1)
    assert answer["experiment"]["breaks"] == ["connected"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ecko",), "did you mean"),
        (("echo", "--without", "fifi"), "--without: Echo does not assume 'fifi'"),
        (("echo", "-o", "x.toml"), "-o writes the witness of one assumption; name it with --without"),
        (("echo", "--seconds", "no"), "--seconds"),
    ],
)
def test_slips_are_answered_with_a_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, _out, err = said(capsys, *words)
    assert code == 2 and sentence in err
