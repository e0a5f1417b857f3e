"""An assignment on the command line: begun, checked, packed, tried, handed in and graded."""

from __future__ import annotations

import json
import re
import zipfile

import pytest

from lydian.assignment.handin import read_hand_in


@pytest.fixture
def begun(lydian, here):
    """Begin an assignment whose checks take few runs."""
    said = lydian("new", "assignment", "flooding")
    assert said.code == 0 and said.out == "flooding: try  lydian assignment check flooding\n"
    file = here / "flooding" / "assignment.toml"
    file.write_text(re.sub(r"runs = \d+", "runs = 3", file.read_text(encoding="utf-8")), encoding="utf-8")
    return here / "flooding"


def test_new_never_overwrites(lydian, begun):
    assert lydian("new", "assignment", "flooding").err == (
        "lydian: flooding: this folder already exists; choose another name\n"
    )
    assert lydian("new", "assignment", "3rd").code == 2
    assert lydian("new", "assignment", "nowhere/flooding").code == 2


def test_a_new_assignment_is_sound_until_something_is_wrong(lydian, begun):
    said = lydian("assignment", "check", "flooding")
    assert said.code == 0 and said.out.startswith("Flooding: 6 checks, 10 points, of these 2 hidden with 2 points\n")
    assert "4 trials, all as expected" in said.out and "the reference" in said.out
    reference = begun / "lecturer" / "reference" / "broadcast.py"
    mutant = begun / "lecturer" / "mutants" / "silent.py"
    right = reference.read_text(encoding="utf-8")
    reference.write_text(mutant.read_text(encoding="utf-8"), encoding="utf-8")
    said = lydian("assignment", "check", "flooding", "--reference", "--json")
    found = json.loads(said.out)
    assert said.code == 1 and not found["trials"][0]["good"]
    reference.unlink()
    assert lydian("assignment", "check", "flooding").code == 2
    reference.write_text(right, encoding="utf-8")


def test_a_students_package_is_tried_handed_in_and_graded(lydian, begun, here):
    said = lydian("assignment", "pack", "flooding")
    assert said.out == f"{here / 'flooding.zip'}: for students; without your files and 2 hidden checks\n"
    with zipfile.ZipFile("flooding.zip") as whole:
        assert not [name for name in whole.namelist() if "lecturer" in name]
        whole.extractall("mine")
    assert lydian("assignment", "pack", "flooding").code == 2  # the file exists
    mine = here / "mine" / "flooding"
    said = lydian("assignment", "try", mine, mine / "skeleton" / "broadcast.py", "--runs", "runs")
    assert said.code == 1 and "of 7 points; 2 hidden checks with 2 points" in said.out
    (run,) = re.findall(r"lydian open (\S*everybody\.lydian)", said.out)
    assert lydian("trace", "show", run).code == 0
    right = begun / "lecturer" / "reference" / "broadcast.py"
    said = lydian("assignment", "try", mine, right, "--check", "runs", "--json")
    assert said.code == 0
    assert [(each["id"], each["state"]) for each in json.loads(said.out)["checks"]] == [("runs", "full")]
    assert "choose from runs, everybody" in lydian("assignment", "try", mine, right, "--check", "run").err

    (here / "answers.toml").write_text("question-1 = 56\n", encoding="utf-8")
    arguments = ("assignment", "handin", mine, right, "answers.toml", "--name", "Ines Okafor")
    said = lydian(*arguments, "-o", "sent/ines.lydian")
    assert said.code == 2 and said.err.count("\n") == 1  # no such folder
    (here / "sent").mkdir()
    said = lydian(*arguments, "-o", "sent/ines.lydian")
    assert said.code == 0 and re.match(r"sent/ines\.lydian: 7 of 7 points of the public checks, receipt ", said.out)
    assert "my_properties.py" in said.out
    handed = read_hand_in("sent/ines.lydian")
    assert (handed.student, handed.answers) == ("Ines Okafor", {"question-1": 56})
    assert lydian("assignment", "handin", mine, right, "--name", "x", "-o", "x.zip").code == 2

    said = lydian("grade", "flooding", "sent", "-o", "grades", "--workers", "1")
    assert said.code == 0 and "1 hand-in, 1 marked now; mean 9.0 of 10 points; 0 did not run" in said.out
    assert (here / "grades" / "feedback" / "ines-okafor.html").is_file() and (here / "grades" / "index.html").is_file()
    said = lydian("grade", "flooding", "sent", "-o", "grades", "--json")
    (row,) = json.loads(said.out)["hand_ins"]
    assert said.code == 0 and (row["student"], row["points"], row["most"]) == ("Ines Okafor", 9.0, 10.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("assignment", "check", "nowhere"), "nowhere"),
        (("assignment", "try", "flooding", "flooding/text.md"), "is not one of the files to hand in"),
        (("assignment", "try", "flooding"), "name the files to hand in"),
        (("assignment", "handin", "flooding", "--name", "Ines"), "name the files to hand in"),
        (("grade", "flooding", "nowhere", "-o", "grades"), "nowhere"),
        (("grade", "flooding", "flooding/skeleton", "-o", "flooding"), "choose another folder for the results"),
        (("grade", "flooding", "flooding/skeleton", "-o", "grades", "--workers", "0"), "--workers: must be a whole"),
        (("open", "flooding"), "lydian assignment try flooding checks it without one"),
    ],
)
def test_bad_input_is_one_sentence(lydian, begun, monkeypatch, arguments, words):
    monkeypatch.setattr("lydian.cli.commands.opening.has_display", lambda: False)
    said = lydian(*arguments)
    assert said.code == 2 and said.err.startswith("lydian: ") and said.err.count("\n") == 1 and words in said.err


def test_the_assignments_file_names_the_place_of_an_error(lydian, begun):
    file = begun / "assignment.toml"
    good = file.read_text(encoding="utf-8")
    for old, new, words in (
        ('kind = "runs"', 'kind = "ruins"', "unknown kind 'ruins' (did you mean 'runs'?)"),
        ("points = 2\n", "points = 0.25\n", "must be a multiple of 0.1"),
        ('hand_in = ["broadcast.py", "my_properties.py"]', "hand_in = []", "hand_in"),
    ):
        file.write_text(good.replace(old, new, 1), encoding="utf-8")
        said = lydian("assignment", "check", "flooding")
        assert said.code == 2 and words in said.err and "assignment.toml" in said.err and said.err.count("\n") == 1
