"""``lydian batch`` without Spark: estimates, and runs of a batch opened again."""

from __future__ import annotations

import json

from lydian.batch.child import Executor
from lydian.batch.folder import Folder
from lydian.batch.luggage import pack
from lydian.batch.sweep import load

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


def test_a_dry_run_says_what_it_will_take(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    said = lydian("batch", "s.toml", "--dry-run")
    assert said.code == 0, said.err
    assert "runs   12, 4 groups of 3" in said.out
    assert "vary   n (2), kind (2), 3 seeds" in said.out
    told = json.loads(lydian("batch", "s.toml", "--dry-run", "--json", "--master", "local[2]").out)
    assert (told["runs"], told["groups"], told["cores"], told["failed"]) == (12, 4, 2, [])
    assert sorted(path.name for path in here.iterdir()) == ["s.toml"]


def test_a_dry_run_says_what_fails(lydian, here):
    (here / "s.toml").write_text(SWEEP.replace('"star:{n}"', '"one-way-ring-5"'))
    said = lydian("batch", "s.toml", "--dry-run")
    assert said.code == 0
    assert "fails: " in said.out
    assert "cannot run here" in said.out


def test_a_run_of_a_batch_runs_again(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    luggage = pack(load(here / "s.toml"))
    Folder.create(here / "out", luggage, 12, False)
    said = lydian("run", "out#run=7", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["fingerprint"] == Executor(luggage).run(7)["fingerprint"]
    assert "there is no run 12" in lydian("run", "out#run=12").err
    assert lydian("run", "out#1").code == 2
    assert "nobody has looked for the strangest" in lydian("open", "out#1").err


def test_a_folder_of_others_is_left_alone(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    (here / "thesis").mkdir()
    (here / "thesis" / "text.tex").write_text("mine")
    said = lydian("batch", "s.toml", "-o", "thesis")
    assert (said.code, said.out) == (2, "")
    assert "holds other things" in said.err
    assert "no run is done yet" not in lydian("batch", "show", "thesis").err


def test_options_where_they_belong(lydian, here):
    (here / "s.toml").write_text(SWEEP)
    assert "--by belongs to lydian batch show DIR" in lydian("batch", "s.toml", "-o", "o", "--by", "n").err
    assert "write Y~X" in lydian("batch", "show", "o", "--fit", "messages").err
    assert "there is no Spark at spark://127.0.0.1:9" in lydian(
        "batch", "s.toml", "-o", "o", "--master", "spark://127.0.0.1:9"
    ).err  # fmt: skip
