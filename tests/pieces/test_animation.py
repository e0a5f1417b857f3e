"""Animation files: their declarations, and the treatment of bad ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.pieces.animation import (
    Animation,
    Cell,
    Grid,
    Marks,
    Pointer,
    Token,
    Watch,
    allow,
    animation_for,
    decoded,
    encoded,
    generic,
    load_animation,
)
from lydian.pieces.watch import filled
from lydian.views.words.values import SetOf
from tests.views.book import echo


def test_generic_looks_are_assigned_in_order() -> None:
    drawn = generic(("idle", "busy", "done"), ("Ask", "Answer"))
    assert [drawn.slot(state) for state in ("idle", "busy", "done")] == [0, 1, 2]
    assert [drawn.kind(label) for label in ("Ask", "Answer")] == [0, 1]
    assert drawn.word("idle") == "idle"
    assert drawn.slot("unheard of") == 0


def test_the_ninth_state_looks_like_the_first_with_a_double_outline() -> None:
    drawn = generic([f"s{i}" for i in range(17)], [f"m{i}" for i in range(7)])
    assert drawn.slot("s8") == 8
    assert drawn.slot("s15") == 15
    assert drawn.slot("s16") == 0
    assert drawn.kind("m6") == 0


def test_declared_looks_are_kept_and_others_get_free_ones() -> None:
    drawn = Animation(states={"done": 0}, messages={"Ack": 1}).completed(("start", "done", "more"), ("Wave", "Ack"))
    assert [drawn.slot(state) for state in ("start", "done", "more")] == [1, 0, 2]
    assert [drawn.kind(label) for label in ("Wave", "Ack")] == [0, 1]


def test_echo() -> None:
    drawn = animation_for("echo")
    assert drawn.problem is None
    assert drawn.name == "echo"
    assert [drawn.slot(s) for s in ("sleeping", "initiating", "finished", "waiting", "acked")] == [0, 1, 1, 2, 3]
    assert [drawn.kind(label) for label in ("Broadcast", "Ack")] == [0, 1]
    assert [pointer.style for pointer in drawn.pointers] == ["waiting", "waited"]
    assert drawn.badge == "pending"


def test_flooding() -> None:
    drawn = animation_for("flooding")
    assert drawn.problem is None
    assert (drawn.slot("sleeping"), drawn.slot("received")) == (0, 2)


def test_results_are_cached() -> None:
    assert animation_for("echo") is animation_for("echo")
    assert animation_for(None) is animation_for(None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("waits for {pending:len}", "waits for 2"),
        ("asks {pending}", "asks {6, 8}"),
        ("{count} of {pending:len}", "3 of 2"),
        ("always", "always"),
    ],
)
def test_watch_lines(text: str, line: str) -> None:
    assert Watch(text).line({"pending": SetOf(("6", "8")), "count": 3}) == line


@pytest.mark.parametrize("value", [None, [], "", 0, False])
def test_an_empty_value_shows_no_line(value: object) -> None:
    assert Watch("waits for {pending:len}").line({"pending": value}) == ""
    assert Watch("waits", when="pending").line({"pending": value}) == ""


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("animation = (", "bad.py, line 1: this is not valid Python"),
        ("x = 1\nx / 0", "bad.py, line 2: the animation fails with ZeroDivisionError"),
        ("import nothing_of_that_name", "ModuleNotFoundError"),
        ("", "there is no animation = Animation(...)"),
        ("animation = 5", "there is no animation = Animation(...)"),
        (
            "from lydian.pieces.animation import *\nanimation = Animation(states={'a': 99})",
            "line 2: states['a'] must be a",
        ),
        ("from lydian.pieces.animation import *\nanimation = Animation(states=3)", "states must be a table"),
        ("from lydian.pieces.animation import *\nanimation = Animation(pointers='parent')", "pointers must be a list"),
        ("from lydian.pieces.animation import *\nanimation = Animation(watch='{')", "a placeholder must be"),
        ("from lydian.pieces.animation import *\nPointer('p', style='treee')", "did you mean 'tree'?"),
    ],
)
def test_a_bad_file_gives_an_error_and_the_generic_drawing(tmp_path: Path, source: str, sentence: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_animation(path)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    drawn = animation_for("bad", tmp_path)
    assert drawn.problem == str(caught.value)
    assert drawn.pointers == ()


def test_a_missing_file_gives_the_generic_drawing(tmp_path: Path) -> None:
    assert animation_for("nothing-of-that-name", tmp_path).problem is None
    with pytest.raises(BadInput, match="cannot be read"):
        load_animation(tmp_path / "missing.py")


def test_a_single_pointer_or_mark_needs_no_list() -> None:
    drawn = Animation(pointers=Pointer("next"), marks=Marks("held"), watch="{x}")  # type: ignore[arg-type]
    assert drawn.pointers == (Pointer("next"),)
    assert drawn.marks == (Marks("held"),)
    assert drawn.watch == Watch("{x}")


def test_a_sentence_reads_none_and_a_line_shows_0() -> None:
    drawn = Animation(phrases={("waiting", "Ack"): "Answers are awaited: {pending:len} still missing."})
    said = "Answers are awaited: none still missing."
    assert drawn.phrase("waiting", "Ack", {"pending": []}) == said
    assert drawn.phrase("waiting", "Ack", {"pending": ["3", "4"]}) == said.replace("none", "2")
    assert filled("{pending:len} of 4", {"pending": []}) == "0 of 4"


def test_an_experiment_may_name_its_animation_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(
        "from lydian.pieces.animation import Animation\nanimation = Animation(words={'waiting': 'hopes'})\n", "utf-8"
    )
    trace = replace(echo(), experiment={"protocol": "echo", "animation": "mine.py"})
    monkeypatch.chdir(tmp_path)
    assert animation_for(trace).words.get("waiting") is None  # a trace alone does not load a file by its path
    allow(Experiment("x", animation="mine.py", path=tmp_path / "x.toml"))
    assert animation_for(trace).word("waiting") == "hopes" and animation_for(trace).name == "mine"
    protocol = replace(echo(), experiment={"protocol": "mine.py"})
    assert animation_for(protocol).words.get("waiting") is None  # a protocol file is not an animation


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("while True:\n    pass", "bad.py: the animation ran for 0.3 s; is there an endless loop?"),
        ("while True:\n    try:\n        x = 1\n    except BaseException:\n        pass", "bad.py: the animation "),
        (
            "import os; os._exit(0)",
            "bad.py: the animation exits its program (exit code 0); it must contain only declarations",
        ),
        ("raise SystemExit", "bad.py: the animation exits its program; it must contain only declarations"),
        ("import ctypes; ctypes.string_at(0)", "bad.py: the animation exits its program (signal 11)"),
        (
            "from lydian.pieces.animation import *\nanimation = Animation(states={'a': 1}, name=b'x')",
            "is not plain data",
        ),
    ],
)
def test_active_code_in_a_foreign_file_runs_in_another_process(
    tmp_path: Path, source: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lydian.pieces.derived.SECONDS", 0.3)
    (tmp_path / "bad.py").write_text(source, encoding="utf-8")
    problem = animation_for("bad", tmp_path).problem
    assert problem is not None
    assert sentence in problem


def test_declarations_of_the_archive_survive_the_transfer() -> None:
    for path in sorted((Path(__file__).parents[2] / "animations").glob("[!_]*.py")):
        declared = load_animation(path)
        assert decoded(json.loads(json.dumps(encoded(declared)))) == declared


def test_default_words_are_not_transferred_because_they_depend_on_the_language() -> None:
    declared = Animation(tokens=Token("seal"), grid=Grid(Cell("keys"), word="topic"))
    sent = json.dumps(encoded(declared))
    assert "topic" in sent and '"token"' not in sent
    assert decoded(json.loads(sent)) == declared


def test_only_known_classes_are_created_from_a_foreign_process() -> None:
    with pytest.raises(BadInput, match="not a piece that an animation can declare"):
        decoded({"class": "archive", "fields": {}})
