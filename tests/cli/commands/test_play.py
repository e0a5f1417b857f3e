"""``lydian play``: the list of goals, and the search for a way to reach one."""

import json

import pytest

from lydian.cli.entry import main


def test_the_goals_are_listed(capsys):
    assert main(["play", "--json"]) == 0
    goals = json.loads(capsys.readouterr().out)["goals"]
    assert len(goals) == 30
    assert goals[6]["name"] == "lamport-two"


@pytest.mark.parametrize(("name", "least"), [("bully-two", 3), ("ricart-two", None)])
def test_a_goal_is_checked(name, least, capsys):
    assert main(["play", name, "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["least"], found["impossible"]) == (least, least is None)


def test_a_goal_that_is_not_what_its_file_claims_is_reported(tmp_path, capsys):
    file = tmp_path / "wrong.toml"
    file.write_text(
        'title = "x"\nimpossible = true\n[experiment]\nprotocol = "bully"\nnetwork = "complete:3"\n'
        'timing = { initiators = ["0"] }\n[wanted]\nviolates = "there is at most one leader alive"\n'
        "[budget]\nsteps = 4\n"
    )
    assert main(["play", str(file), "--check"]) == 1
    assert "Its file says that it is impossible" in capsys.readouterr().out


def test_an_unknown_name_is_refused(capsys):
    assert main(["play", "lamport-tow"]) == 2
    assert "unknown goal or protocol 'lamport-tow'" in capsys.readouterr().err
