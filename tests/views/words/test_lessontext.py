"""Lessons made of what somebody did: one step for each bookmark and intervention, and every statement is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.lessonplay import play
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.experiment.branches import ROOT, Branches, add
from lydian.model.interventions import Intervention
from lydian.model.lesson.lesson import kept_beside, parse, problems
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import Bookmark
from lydian.views.words.lessontext import Known, lesson_text


def tree_of(*branches: tuple[int, tuple[Intervention, ...]], experiment: str = "two-wings") -> Branches:
    tree = Branches.of(archive().experiment(experiment))
    for parent, done in branches:
        tree, _ = add(tree, parent, done)
    return tree


def ran(tree: Branches) -> dict[int, Known]:
    found = {}
    for branch, _ in tree.walk():
        trace = Simulator(tree.path(branch).resolve()).run().trace
        found[branch] = Known(Timeline(trace), trace.summary["checks"])
    return found


CRASH = Intervention(6.0, "crash", process="9")
CUTS = tuple(Intervention(2.0, "link_down", link=link) for link in (("0", "1"), ("5", "6")))
LATER = (Intervention(7.0, "drop", link=("3", "7")), Intervention(8.0, "partition", groups=[["0", "1"], ["2", "3"]]))
HEARD = "the initiator learns that every process has the news"


def test_each_intervention_and_bookmark_is_a_step_and_every_statement_is_true() -> None:
    tree = tree_of((ROOT, (CRASH,)), (1, LATER), (ROOT, CUTS))
    marks = (Bookmark(3.0, "first wave"), Bookmark(99.0, "after the end"))
    text = lesson_text(tree.experiment, "two-wings", "Two wings", ran(tree), marks)
    assert problems(text, archive()) == ()
    lesson = parse(text)
    assert [step.title for step in lesson.steps] == [
        "The run", "first wave", "2 links cut at 2.0", "9 crashed at 6.0", "message 3 to 7 dropped at 7.0 and 1 more",
        "message 3 to 7 dropped at 7.0 and 1 more: at 8.0",
    ]  # fmt: skip
    texts = {step.title: step.text for step in lesson.steps}
    assert texts["9 crashed at 6.0"] == "At 6.0, process 9 crashes. What will its neighbours do?"
    assert texts["2 links cut at 2.0"] == "At 2.0: Links 0-1 and 5-6 cut. Which processes will notice it?"
    assert texts["first wave"].endswith("What will happen next?")
    assert [step.actions[0].kinds for step in lesson.steps[2:]] == [
        ("link_down",), ("crash",), ("drop",), ("partition",),
    ]  # fmt: skip
    assert lesson.steps[5].actions[0].groups == (("0", "1"), ("2", "3"))
    assert lesson.steps[4].actions[0].say.startswith("Go to about time 7.0, then: drop")
    assert [(each.property, each.holds) for step in lesson.steps for each in step.expectations] == [
        (HEARD, True), (HEARD, False), (HEARD, False), (HEARD, False),
    ]  # fmt: skip
    wrong = [each.sentence for each in play(lesson) if not each.good]
    assert wrong == []


@pytest.mark.parametrize("at", [0.5, 4.0])
def test_a_branch_without_the_interventions_of_the_experiment_starts_without_them(at: float) -> None:
    before = Intervention(3.0, "crash", process="9")
    tree = Branches.of(archive().experiment("two-wings").with_(interventions=(before,)))
    tree, branch = add(tree, ROOT, (Intervention(at, "wake", process="3"),))
    text = lesson_text(tree.experiment, "./mine.toml", "Mine", {})
    setting = parse(text).steps[1].setting
    assert setting is not None
    assert setting.live
    kept = [] if at < before.time else [before.to_dict()]
    assert setting.changes.get("interventions", [before.to_dict()]) == kept
    assert tree.interventions(branch)[:-1] == ((before,) if kept else ())


def test_what_is_not_known_is_left_to_the_author() -> None:
    tree = tree_of((ROOT, (CRASH,)))
    text = lesson_text(tree.experiment, "two-wings", 'A "title"\nof two lines', {}, (Bookmark(2.0, "b"),), marked=1)
    lesson = parse(text)
    assert (lesson.title, problems(text, archive())) == ('A "title" of two lines', ())
    assert [step.title for step in lesson.steps] == ["The run", "b", "9 crashed at 6.0"]
    assert lesson.steps[0].text == "Say here what to watch for."
    assert not any(step.expectations for step in lesson.steps)


def test_a_lesson_refers_to_the_archive_or_to_a_file_beside_it(tmp_path: Path) -> None:
    lesson, ours = tmp_path / "mine.md", archive().experiment("two-wings")
    tree, _ = add(Branches.of(ours), ROOT, (CRASH,))
    assert kept_beside(tree.experiment, lesson, archive()) == "two-wings"
    assert list(tmp_path.iterdir()) == []
    assert kept_beside(tree.experiment.with_(seed=7), lesson, archive()) == "mine.toml"
    lesson.write_text(lesson_text(tree.experiment.with_(seed=7), "mine.toml", "Mine", {}), encoding="utf-8")
    again = parse(lesson.read_text(encoding="utf-8"), lesson)
    assert problems(lesson.read_text(encoding="utf-8"), archive(), lesson) == ()
    assert all(each.good for each in play(again))
