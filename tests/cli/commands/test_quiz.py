"""``lydian quiz``: questions in the terminal, as JSON, and errors."""

from __future__ import annotations

import io
import json

import pytest

from lydian.cli import main


def _answer(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_questions_are_listed_with_their_answers(capsys, tmp_path):
    assert main(["quiz", "two-wings", "--json", "--count", "3", "--kind", "next", "--seed", "4"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["kind"] for each in told["questions"]] == ["next"] * 3
    for each in told["questions"]:
        assert each["run"] == told["run"]
        assert each["answer"] == each["choices"][each["right"][0]]["text"]
    trace = tmp_path / "run.parquet"
    assert main(["run", "two-wings", "--trace", str(trace)]) == 0
    capsys.readouterr()
    assert main(["quiz", str(trace), "--json", "--count", "3", "--kind", "next", "--seed", "4"]) == 0
    assert json.loads(capsys.readouterr().out) == told


def test_answers_are_judged_and_explained(capsys, monkeypatch):
    assert main(["quiz", "two-wings", "--json", "--count", "2", "--kind", "next"]) == 0
    first, second = json.loads(capsys.readouterr().out)["questions"]
    wrong = str(second["right"][0] % 2 + 2)
    _answer(monkeypatch, "perhaps", str(first["right"][0] + 1), wrong)
    assert main(["quiz", "two-wings", "--count", "2", "--kind", "next"]) == 0
    printed = capsys.readouterr().out
    assert "'perhaps' is not one of the 4 choices" in printed
    assert f"number {second['right'][0] + 1}." in printed and "Not quite." in printed
    assert first["why"].split()[0] in printed
    assert "1 of 2 questions answered correctly" in printed


def test_nothing_later_than_the_question_is_printed_before_the_answer(capsys, monkeypatch):
    _answer(monkeypatch)
    assert main(["quiz", "two-wings", "--count", "1", "--kind", "messages", "--seed", "2"]) == 0
    printed = capsys.readouterr().out
    head, _, rows = printed.partition(":\n")
    until = float(head.split("up to time ")[1].split(",")[0])
    times = [float(row.split()[1]) for row in rows.partition("\n\n")[0].splitlines()]
    assert times and max(times) <= until + 0.005
    assert "0 of 0 questions" in printed and "messages are sent" not in printed


def test_an_empty_line_shows_the_answer(capsys, monkeypatch):
    _answer(monkeypatch, "")
    assert main(["quiz", "two-wings", "--count", "1", "--kind", "clock"]) == 0
    printed = capsys.readouterr().out
    assert "The answer is " in printed and "plus one" in printed and "0 of 1 question answered" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["two-wings", "--kind", "cutt"], "unknown kind of question 'cutt' (did you mean 'cut'?)"),
        (["apples", "--kind", "cut"], "no question of this kind can be asked"),
        (["two-wings", "--count", "0"], "--count: must be a whole number from 1"),
        (["no-such"], "no-such"),
    ],
)
def test_bad_input_is_one_sentence(words, said, capsys):
    assert main(["quiz", *words]) == 2
    told = capsys.readouterr()
    assert said in told.err and told.err.count("\n") == 1
