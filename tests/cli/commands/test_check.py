"""``lydian check``: kept runs of a protocol, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydian.cli import main
from lydian.model.archive.kepttests import add_test, kept
from lydian.model.experiment.experiment import Experiment

GOOD = Path(__file__).resolve().parents[3] / "protocols" / "flooding.py"


@pytest.fixture
def protocol(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(GOOD.read_text(encoding="utf-8"), encoding="utf-8")
    return file


def keep(protocol: Path, name: str, **must: object) -> None:
    experiment = Experiment("x", protocol=str(protocol), network="ring:5", seed=1)
    add_test(protocol, kept(experiment.with_(seed=len(name)), protocol, name, **must))  # type: ignore[arg-type]


def test_no_kept_runs(protocol: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(protocol)]) == 0
    assert "mine.py can be run" in capsys.readouterr().out
    assert main(["check", "echo"]) == 0


def test_all_kept_runs_succeed(protocol: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(protocol, "one", stopped="quiescent")
    keep(protocol, "three")
    assert main(["check", str(protocol)]) == 0
    said = capsys.readouterr().out
    assert "one" in said and "messages, time" in said and said.endswith("2 kept runs, all as expected\n")


def test_a_failed_run_gives_exit_code_1(protocol: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(protocol, "one", messages=1)
    keep(protocol, "three")
    assert main(["check", str(protocol), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(run["name"], run["good"]) for run in told["runs"]] == [("one", False), ("three", True)]
    assert (
        told["runs"][0]["sentence"].endswith("messages, not 1") and told["runs"][1]["result"]["stopped"] == "quiescent"
    )
    text = protocol.read_text(encoding="utf-8")
    protocol.write_text(text.replace("    def ", "    def ", 1).replace("self.state = ", "1 / 0; self.state = ", 1))
    assert main(["check", str(protocol)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_an_unreadable_protocol_gives_exit_code_2(protocol: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(protocol, "one")
    protocol.write_text(protocol.read_text(encoding="utf-8") + "\n(", encoding="utf-8")
    assert main(["check", str(protocol)]) == 2
    said = capsys.readouterr()
    assert "line " in said.out and "cannot be run as it is" in said.err
    assert main(["check", str(protocol), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["runs"] == [] and told["problems"][0]["kind"] == "error"
    assert main(["check", str(protocol.with_name("other.py"))]) == 2
    protocol.with_name("mine.tests.toml").write_text("[[tests]]", encoding="utf-8")
    assert main(["check", str(protocol)]) == 2
    assert "mine.tests.toml" in capsys.readouterr().err
