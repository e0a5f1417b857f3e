"""Marking: each kind of check, points by share, evidence, and what a student cannot influence."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lydian.assignment.assignment import Assignment, read
from lydian.assignment.kinds.answers import Question, matches
from lydian.assignment.marking import fingerprint, mark
from lydian.assignment.package import package, student_files
from lydian.model.archive.handin import unpack
from lydian.trace.parquet.file import load

Changed = Callable[..., Assignment]


def results(
    assignment: Assignment, files: dict[str, str] | None = None, answers: dict[str, Any] | None = None, **more: Any
) -> dict[str, dict[str, Any]]:
    """Return the results of all checks, by check; the reference stands for files that are not given."""
    found = mark(assignment, {**assignment.reference, **(files or {})}, answers, **more)
    return {each["id"]: each for each in found.checks}


def edited(assignment: Assignment, *pairs: tuple[str, str]) -> dict[str, str]:
    """Return the reference with some texts replaced."""
    text = assignment.reference["broadcast.py"]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {"broadcast.py": text}


def test_the_reference_has_full_marks(assignment: Assignment) -> None:
    found = mark(assignment, assignment.reference, {"question-1": 56})
    assert (found.points, found.state) == (10.0, "marked")
    assert {each["state"] for each in found.checks} == {"full"}


def test_the_same_hand_in_gets_the_same_marks(assignment: Assignment) -> None:
    once, again = (mark(assignment, assignment.reference, {"question-1": 56}) for _ in range(2))
    assert once.checks == again.checks
    assert fingerprint(once.checks) == fingerprint(again.checks)


def test_a_failure_comes_with_the_shortest_run_and_its_sentence(assignment: Assignment, tmp_path: Path) -> None:
    mutant = {"broadcast.py": assignment.files["lecturer/mutants/silent.py"]}
    failure = results(assignment, mutant, runs=tmp_path)["everybody"]["failure"]
    assert failure["name"] == "every process is informed"
    assert failure["after"]["processes"] == 3
    assert failure["after"]["events"] < failure["before"]["events"]
    assert "still waits" in failure["sentence"]
    run = unpack(tmp_path / failure["run"])
    assert len(load(run.run)) > 0
    assert "# The properties of the assignment" in (run.folder / "broadcast.py").read_text()


def test_points_are_given_for_a_share_of_the_runs(changed: Changed) -> None:
    assignment = changed(
        ('networks = ["ring:6", "gnm:8,14,seed={seed}", "randomtree:9,seed={seed}"]', 'networks = ["ring:6", "star:6"]')
    )
    mutant = {"broadcast.py": assignment.files["lecturer/mutants/only-first.py"]}
    found = results(assignment, mutant)["everybody"]
    assert (found["good"], found["of"], found["points"], found["state"]) == (2, 4, 1.5, "partly")


def test_without_partial_points_one_bad_run_costs_all(changed: Changed) -> None:
    assignment = changed(
        ('networks = ["ring:6", "gnm:8,14,seed={seed}", "randomtree:9,seed={seed}"]',
         'networks = ["ring:6", "star:6"]\npartial = false')
    )  # fmt: skip
    mutant = {"broadcast.py": assignment.files["lecturer/mutants/only-first.py"]}
    assert results(assignment, mutant)["everybody"]["points"] == 0


def test_an_action_that_fails_names_its_line(assignment: Assignment) -> None:
    found = results(
        assignment, edited(assignment, ("        self.tell([r for", "        1 / 0\n        self.tell([r for"))
    )
    assert found["runs"]["points"] == 0
    assert found["runs"]["failure"]["line"] == 27
    assert "divides by 0" in found["runs"]["failure"]["sentence"]
    assert found["schedules"]["failure"]["kind"] == "error"


def test_properties_of_the_student_count_for_nothing_but_their_own_check(assignment: Assignment) -> None:
    own = '\n\nfrom lydian import always\n\n\n@always("nonsense")\ndef nonsense(c):\n    return False\n'
    text = assignment.reference["broadcast.py"] + own
    found = results(assignment, {"broadcast.py": text})
    assert {found[id]["state"] for id in ("runs", "everybody", "messages", "schedules")} == {"full"}


def test_a_formula_of_the_student_counts_for_nothing(assignment: Assignment) -> None:
    lied = edited(assignment, ("    state = SLEEPING\n", '    messages = "0"\n\n    state = SLEEPING\n'))
    assert results(assignment, lied)["everybody"]["state"] == "full"


def test_own_properties_that_fail_for_a_correct_solution_get_nothing(assignment: Assignment) -> None:
    wrong = 'from lydian import always\n\n\n@always("never")\ndef never(c):\n    return False\n'
    found = results(assignment, {"my_properties.py": wrong})["own"]
    assert found["points"] == 0
    assert "fail for a correct solution" in found["words"]


def test_own_properties_that_miss_a_mistake_name_it(assignment: Assignment) -> None:
    weak = assignment.skeleton["my_properties.py"]
    found = results(assignment, {"my_properties.py": weak})["own"]
    assert found["missed"] == [
        "A process informs only its first neighbour.", "A process that is informed does not pass the message on.",
    ]  # fmt: skip


def test_a_file_that_is_missing_is_reported(assignment: Assignment) -> None:
    found = mark(assignment, {"broadcast.py": assignment.reference["broadcast.py"]}, {})
    own = next(each for each in found.checks if each["id"] == "own")
    assert own["words"] == "my_properties.py: this file was not handed in"


def test_a_protocol_that_cannot_be_read_fails_each_check_with_the_reason(assignment: Assignment) -> None:
    found = results(assignment, {"broadcast.py": "def ("})
    assert "broadcast.py, line 1" in found["runs"]["words"]
    assert found["everybody"]["points"] == 0


def test_a_run_without_an_end_is_not_repeated_for_ever(assignment: Assignment) -> None:
    endless = edited(
        assignment, ('ignores the message."""', 'ignores the message."""\n        self.send(News(), to=q)')
    )
    found = results(assignment, endless, checks=[assignment.check("runs")])["runs"]
    assert (found["good"], found["state"]) == (1, "partly")
    assert "does not end: it is still going on after 20,000 events" in found["failure"]["sentence"]


SCENARIO = """
[[check]]
id = "crash"
title = "A crash in the middle"
kind = "scenario"
points = 1
network = "line:3"

[check.experiment]
seed = 7
breaks = ["no crashes"]
faults = [{ time = 0.1, do = "crash", process = "1" }]

[check.expect]
stopped = "quiescent"
states = { "2" = "sleeping" }
messages = 1
"""


def test_a_scenario_compares_the_outcome(changed: Changed) -> None:
    assignment = changed(more=SCENARIO.replace('breaks = ["no crashes"]\n', ""))
    assert results(assignment)["crash"]["state"] == "full"
    loud = edited(assignment, ("        self.tell(self.neighbours)", "        self.tell(self.neighbours * 2)"))
    assert results(assignment, loud)["crash"]["words"] == "The run must send 1 messages, not 2."


def test_a_bound_is_a_formula_too(changed: Changed) -> None:
    assignment = changed(('formula = "2*m - n + 1"', 'compare = "<="\nformula = "2*m"'))
    assert results(assignment)["messages"]["state"] == "full"
    double = edited(assignment, ("            self.send(News(), to=r)", "            self.send(News(), to=r)\n" * 2))
    sentence = results(assignment, double)["messages"]["failure"]["sentence"]
    assert "gives at most" in sentence


@pytest.mark.parametrize(
    ("given", "right", "good"),
    [
        (56, 56, True), ("56", 56, True), ("56.0", 56, True), (57, 56, False), ("many", 56, False), (True, 1, False),
        ("Yes", True, True), ("no", True, False), ("  Process 3. ", "process 3", True), ("3, 1", [1, 3], True),
        ([1, 3], ["3", "1"], True), ("1", [1, 3], False), ("1,200", 1200, True),
    ],
)  # fmt: skip
def test_answers_are_compared_without_pedantry(given: Any, right: Any, good: bool) -> None:
    assert matches(given, right) is good


def test_an_answer_may_be_near_enough() -> None:
    assert matches(3.05, 3.0, tolerance=0.1)
    assert not matches(3.2, 3.0, tolerance=0.1)


def test_a_wrong_answer_shows_the_right_one_and_a_missing_one_stays_open(assignment: Assignment) -> None:
    assert results(assignment, answers={"question-1": 40})["question-1"]["words"] == "40; the answer is 56"
    assert results(assignment)["question-1"]["state"] == "open"


def test_a_protocol_whose_processes_share_memory_is_refused(assignment: Assignment) -> None:
    shared = edited(
        assignment,
        ("class News(Message):", "SEEN = []\n\n\nclass News(Message):"),
        ("        self.state = INFORMED\n        self.tell(self.neighbours)",
         "        SEEN.append(1)\n        self.state = INFORMED\n        if len(SEEN) == 1:\n"
         "            self.tell(self.neighbours)"),
    )  # fmt: skip
    found = results(assignment, shared)["everybody"]
    assert found["points"] == 0
    assert "which all processes share" in found["failure"]["sentence"]


ASKED = """
[[check]]
id = "question-2"
title = "Which events are concurrent?"
kind = "question"
ask = { kind = "messages", seed = 3 }
experiment = { network = "ring:4" }
points = 1
"""


def test_a_generated_question_is_judged_by_the_run_of_the_reference(changed: Changed) -> None:
    assignment = changed(more=ASKED)
    check = assignment.check("question-2")
    assert isinstance(check.kind, Question)
    asked = check.kind.generated(assignment.setting(check, {}, {}, lambda done, of: None, lambda: False))
    assert asked is not None
    right = asked.right[0]
    assert results(assignment, answers={"question-2": right})["question-2"]["state"] == "full"
    wrong = results(assignment, answers={"question-2": right + 1})["question-2"]
    assert wrong["points"] == 0
    assert f"the answer is {right}" in wrong["words"]
    assert "is not a number" in results(assignment, answers={"question-2": "many"})["question-2"]["words"]
    told = student_files(assignment)["assignment.toml"]
    assert asked.text.splitlines()[0][:20] in told
    assert "ask" not in told.split("question-2")[1].split("text")[0]


def test_a_bound_is_not_met_by_doing_nothing_if_properties_must_hold_as_well(changed: Changed) -> None:
    bound = ('formula = "2*m - n + 1"', 'compare = "<="\nformula = "2*m"\nproperties = ["every process is informed"]')
    assignment = changed(bound)
    assert results(assignment)["messages"]["state"] == "full"
    silent = {"broadcast.py": assignment.files["lecturer/mutants/silent.py"]}
    found = results(assignment, silent)["messages"]
    assert found["good"] < found["of"]
    assert found["failure"]["name"] == "every process is informed"


def test_a_search_that_cannot_judge_a_property_gives_no_points(folder: Path, changed: Changed) -> None:
    properties = folder / "lecturer" / "properties.py"
    text = properties.read_text().replace("import at_end", "import eventually").replace("@at_end(", "@eventually(")
    properties.write_text(text)
    assert results(changed())["schedules"]["state"] == "full"
    properties.write_text(text.replace('informed")', 'informed", within=9.0)'))
    found = results(changed())["schedules"]
    assert (found["points"], found["state"]) == (0.0, "failed")
    assert "cannot be judged" in found["words"]


def test_a_run_is_not_shortened_to_one_in_which_a_correct_protocol_fails(assignment: Assignment) -> None:
    """Without the initiator no process is informed, whatever the protocol."""
    mutant = {"broadcast.py": assignment.files["lecturer/mutants/only-first.py"]}
    failure = results(assignment, mutant)["everybody"]["failure"]
    assert failure["after"]["processes"] >= 3
    assert any("0" in each["text"] for each in failure["moments"]) or failure["after"]["messages"] > 0


def test_a_failing_action_has_no_hint_about_something_else(assignment: Assignment) -> None:
    broken = edited(assignment, ("        self.tell([r for", "        1 / 0\n        self.tell([r for"))
    assert results(assignment, broken)["everybody"]["hint"] == ""


def test_students_learn_whether_their_properties_hold_for_their_own_protocol(changed: Changed, tmp_path: Path) -> None:
    assignment = changed(
        ('points = 1\nhidden = true\n\n[[check]]\nid = "question-1"', 'points = 1\n\n[[check]]\nid = "question-1"')
    )
    package(assignment, tmp_path / "p.zip")
    with zipfile.ZipFile(tmp_path / "p.zip") as whole:
        whole.extractall(tmp_path / "student")
    theirs = read(tmp_path / "student" / "broadcast")
    wrong = 'from lydian import always\n\n\n@always("never")\ndef never(c):\n    return False\n'
    for text, words in (
        (assignment.reference["my_properties.py"], "1 property holds for your own protocol"),
        (wrong, '"never" does not hold'),
        ("def (", "Python cannot read it"),
    ):  # fmt: skip
        found = mark(theirs, {**assignment.reference, "my_properties.py": text}, {}, checks=[theirs.check("own")])
        assert words in found.checks[0]["words"]


def test_a_failing_run_of_one_process_is_shown_as_it_is(changed: Changed) -> None:
    more = """
[[check]]
id = "alone"
title = "A process alone"
kind = "property"
points = 1
networks = ["isolated:1"]
runs = 1
"""
    assignment = changed(more=more)
    asleep = edited(assignment, ("        self.state = INFORMED\n        self.tell(self.neighbours)", "        pass"))
    found = results(assignment, asleep, checks=[assignment.check("alone")])["alone"]
    assert (found["state"], found["failure"]["after"]["processes"]) == ("failed", 1)
