"""``lydian batch`` without Spark: estimates, and runs of a batch that are repeated."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lydian.batch.child import Executor
from lydian.batch.folder import Folder
from lydian.batch.packed import pack
from lydian.batch.sweep.file import load

SWEEP = """\
experiment = "echo-random"
seeds = 3
[[vary]]
name = "n"
values = [5, 9]
[[vary]]
name = "kind"
field = "network"
values = ["ring:{n}", "star:{n}"]
"""


def test_a_dry_run_shows_the_expected_cost(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    said = lydian("batch", "s.toml", "--dry-run")
    assert said.code == 0, said.err
    assert "runs   12, 4 groups of 3" in said.out
    assert "vary   n (2), kind (2), 3 seeds" in said.out
    told = json.loads(lydian("batch", "s.toml", "--dry-run", "--json", "--master", "local[2]").out)
    assert (told["runs"], told["groups"], told["cores"], told["failed"]) == (12, 4, 2, [])
    assert sorted(path.name for path in here.iterdir()) == ["s.toml"]


def test_a_dry_run_reports_failures(lydian, here):
    (here / "s.toml").write_text(SWEEP.replace('"star:{n}"', '"one-way-ring-5"'))
    said = lydian("batch", "s.toml", "--dry-run")
    assert said.code == 0
    assert "fails: " in said.out
    assert "cannot run here" in said.out


def test_a_run_of_a_batch_can_be_repeated(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    luggage = pack(load(here / "s.toml"))
    Folder.create(here / "out", luggage, 12, False)
    said = lydian("run", "out#run=7", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["fingerprint"] == Executor(luggage).run(7)["fingerprint"]
    assert "out: unknown run 12" in lydian("run", "out#run=12").err
    assert lydian("run", "out#1").code == 2
    assert "out: the strangest runs have not been found yet" in lydian("open", "out#1").err


def test_a_folder_with_other_content_is_left_alone(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    (here / "thesis").mkdir()
    (here / "thesis" / "text.tex").write_text("mine")
    said = lydian("batch", "s.toml", "-o", "thesis")
    assert (said.code, said.out) == (2, "")
    assert "thesis: this folder contains other files" in said.err
    assert "no run is finished yet" not in lydian("batch", "show", "thesis").err


def test_options_are_accepted_only_where_they_apply(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    assert "--by is an option of lydian batch show DIR" in lydian("batch", "s.toml", "-o", "o", "--by", "n").err
    assert "write Y~X" in lydian("batch", "show", "o", "--fit", "messages").err
    assert "no Spark was found at spark://127.0.0.1:9" in lydian(
        "batch", "s.toml", "-o", "o", "--master", "spark://127.0.0.1:9"
    ).err  # fmt: skip


def test_a_report_needs_neither_spark_nor_java(qapp, lydian, here, monkeypatch):
    from tests.batchfolder import folder_of

    monkeypatch.setenv("PATH", "/nonexistent")
    folder_of(here / "out", vary=[{"name": "n", "values": [5, 8]}, {"field": "network", "values": ["ring:{n}"]}])
    said = lydian("batch", "report", "out", "-o", "report.html")
    assert (said.code, said.out.strip()) == (0, "report.html"), said.err
    text = (here / "report.html").read_text()
    assert "<h2>Most unusual runs</h2>" in text
    assert "data:image/svg+xml;base64," in text
    assert "-o FILE is missing" in lydian("batch", "report", "out").err
    assert "the name of a report must end in .html" in lydian("batch", "report", "out", "-o", "r.docx").err
    assert "this folder does not exist" in lydian("batch", "report", "gone", "-o", "r.html").err
    assert "its folder does not exist" in lydian("batch", "report", "out", "-o", "gone/r.html").err


# ---------------------------------------------------------------------------------------------------- one sentence


def sentence(said):
    """Return the error, which must be a single line."""
    assert said.code in (1, 2), said.out
    (line,) = [line for line in said.err.splitlines() if line.startswith("lydian: ")]
    assert "Traceback" not in said.err
    return line


@pytest.fixture
def javas(here, monkeypatch):
    """Return a function that creates fake Javas, while all others are hidden."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/bin:/usr/bin")
    monkeypatch.setattr("shutil.which", lambda name, *_a, **_k: None)
    monkeypatch.setattr("lydian.batch.spark.java._packaged", lambda: None)
    (here / "s.toml").write_text(SWEEP)

    def make(version, program):
        home = here / f"java-{version}"
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "java").write_text(program)
        (home / "bin" / "java").chmod(0o755)
        (home / "release").write_text(f'JAVA_VERSION="{version}.0.1"\nMODULES="java.base jdk.incubator.vector"\n')
        monkeypatch.setenv("JAVA_HOME", str(home))

    return make


@pytest.mark.spark
def test_a_missing_or_wrong_java_is_reported_before_any_run(lydian, here, javas):
    pytest.importorskip("pyspark")
    said = sentence(lydian("batch", "s.toml", "-o", "out"))
    assert "Spark needs Java 17, 21 or 25, and there is none; get one with" in said
    javas(11, "#!/bin/sh\n")
    said = sentence(lydian("batch", "s.toml", "-o", "out"))
    assert "found 11 (JAVA_HOME), but Spark needs 17, 21 or 25" in said
    assert not (here / "out").exists()


@pytest.mark.spark
def test_a_java_that_does_not_start_gives_its_reason(lydian, here, javas):
    pytest.importorskip("pyspark")
    javas(17, "#!/bin/sh\necho 'Error occurred during initialization of VM' >&2\nexit 1\n")
    said = sentence(lydian("batch", "s.toml", "-o", "out"))
    assert "Spark does not start: Error occurred during initialization of VM" in said


def test_a_folder_that_cannot_be_created(lydian, here, monkeypatch):
    (here / "s.toml").write_text(SWEEP)
    (here / "file").write_text("mine")
    monkeypatch.setattr("lydian.batch.spark.job.needed", lambda master: None)
    assert "this is a file; a batch must have a folder of its own" in sentence(lydian("batch", "s.toml", "-o", "file"))
    said = sentence(lydian("batch", "s.toml", "-o", "file/out"))
    assert "file/out: cannot be created (not a directory); choose another folder" in said
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "out: cannot be created (permission denied)" in sentence(lydian("batch", "s.toml", "-o", "out"))
    assert (here / "file").read_text() == "mine"


def test_an_invalid_master(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    assert "'loacl[2]' is not a master of Spark; write local[*], local[2]" in sentence(
        lydian("batch", "s.toml", "-o", "o", "--master", "loacl[2]")
    )
    assert "'spark://here' is not a master of Spark" in sentence(
        lydian("batch", "s.toml", "-o", "o", "--master", "spark://here")
    )


def test_a_protocol_with_a_missing_import(lydian, here):
    (here / "mine.py").write_text(
        "import nosuchmodule\nfrom lydian import INIT, Process, on, states\n(A,) = states('a')\n"
        "class Mine(Process):\n    state = A\n    @on(A, INIT)\n    def start(self):\n        pass\n"
    )
    (here / "s.toml").write_text('seeds = 2\n[experiment]\nprotocol = "./mine.py"\nnetwork = "ring:4"\n')
    said = sentence(lydian("batch", "s.toml", "-o", "out"))
    assert "mine.py" in said
    assert "nosuchmodule" in said
    assert not (here / "out").exists()


def test_an_import_missing_only_during_runs_is_the_error_of_the_runs(here):
    """This computer has the module but a worker does not; the error occurs when the protocol is executed there."""
    (here / "mine.py").write_text(
        "from lydian import INIT, Process, on, states\n(A,) = states('a')\n"
        "class Mine(Process):\n    state = A\n    @on(A, INIT)\n    def start(self):\n        pass\n"
    )
    (here / "s.toml").write_text('seeds = 2\n[experiment]\nprotocol = "./mine.py"\nnetwork = "ring:4"\n')
    luggage = pack(load(here / "s.toml"))
    ((ref, (stem, source)),) = luggage.protocols.items()
    lacking = replace(luggage, protocols={ref: (stem, f"import nosuchmodule\n{source}")})
    row = Executor(lacking).run(0)
    assert row["failure"] == "input"
    assert "nosuchmodule" in row["error"]
    assert "\n" not in row["error"]
