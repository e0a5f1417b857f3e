"""What a student is told before handing in, and the receipt."""

from __future__ import annotations

from lydian.assignment.assignment import Assignment
from lydian.assignment.handin import doubts, receipt


def test_a_complete_hand_in_raises_no_doubts(assignment: Assignment) -> None:
    assert doubts(assignment, assignment.reference, {"question-1": 56}) == []


def test_missing_files_answers_and_syntax_errors_are_named(assignment: Assignment) -> None:
    files = {"broadcast.py": "def (", "my_properties.py": ""}
    assert doubts(assignment, files, {"question1": 5}) == [
        "my_properties.py is missing.",
        "broadcast.py, line 1: Python cannot read it (invalid syntax).",
        "answers.toml: there is no question 'question1' (did you mean 'question-1'?).",
        "Not answered: question-1.",
    ]


def test_a_receipt_depends_on_every_file_and_answer(assignment: Assignment) -> None:
    files = assignment.reference
    receipts = {
        receipt(files, {"q": 1}), receipt(files, {"q": 2}), receipt({**files, "my_properties.py": "#"}, {"q": 1}),
    }  # fmt: skip
    assert len(receipts) == 3
    assert receipt(files, {"q": 1}) in receipts
