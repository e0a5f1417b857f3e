"""The tree of runs as a drawing: rows, corners, keyboard navigation, and where other runs diverge."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.experiment.branch import automatic_name
from lydian.model.experiment.branches import ROOT, Branches, add
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import KINDS, Intervention
from lydian.views.others.branchtree import about, clusters, command_line, drawn, fork_words, forks_of, walked

BASE = Experiment("echo", protocol="echo", network="ring:5")
TIMES = st.integers(0, 40).map(lambda quarter: quarter / 4)


def crash(time: float, process: str = "1") -> Intervention:
    return Intervention(time, "crash", process=process)


@st.composite
def trees(draw: st.DrawFn) -> Branches:
    tree = Branches(BASE)
    for number in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from([id for id, _ in tree.walk()]))
        at = draw(TIMES)
        tree, _ = add(tree, parent, [crash(at, str(number))], at)
    return tree


def grown() -> Branches:
    """The run itself; at 6 a crash (1), from which 2 departs at 8 and 3 at 7; and 4 departs from the run at 2."""
    tree = Branches(BASE)
    for parent, at, who in ((0, 6.0, "9"), (1, 8.0, "3"), (1, 7.0, "4"), (0, 2.0, "2")):
        tree, _ = add(tree, parent, [crash(at, who)], at)
    return tree


@given(trees())
def test_every_run_has_a_row_and_no_corner_crosses_a_line(tree):
    picture = drawn(tree)
    assert sorted(line.branch for line in picture.lines) == sorted(id for id, _ in tree.walk())
    assert [line.row for line in picture.lines] == list(range(len(tree)))
    for line in picture.lines[1:]:
        assert 0 <= line.parent_row < line.row
        for between in picture.lines[line.parent_row + 1 : line.row]:
            assert between.begins >= line.begins


@given(trees(), st.data())
def test_the_past_of_the_displayed_run_is_one_path_from_the_beginning(tree, data):
    shown = data.draw(st.sampled_from([id for id, _ in tree.walk()]))
    ends = {id: data.draw(TIMES) + 10 for id, _ in tree.walk()}
    picture = drawn(tree, shown, ends)
    way = [picture.line(id) for id in tree.lineage(shown)]
    for line, after in itertools.pairwise(way):
        assert line.past == max(line.begins, after.begins)
    assert way[-1].past == way[-1].ends
    others = [line for line in picture.lines if line.branch not in tree.lineage(shown)]
    assert all(line.past == line.begins for line in others)


@given(trees(), st.data())
def test_forks_are_where_runs_diverge(tree, data):
    shown = data.draw(st.sampled_from([id for id, _ in tree.walk()]))
    forks = forks_of(tree, shown)
    assert [fork.time for fork in forks] == sorted(fork.time for fork in forks)
    assert len({fork.branch for fork in forks}) == len(forks)
    for fork in forks:
        assert tree.shared_until(shown, fork.branch) == fork.time
    there = {fork.branch for fork in forks}
    for child in tree.children(shown):
        assert child.id in there
    assert set(tree.lineage(shown)) - {shown} <= there


@given(trees(), st.data())
def test_the_arrow_keys_reach_every_run_and_return(tree, data):
    picture = drawn(tree)
    assert all(walked(picture, line.branch, "parent") == (line.parent or ROOT) for line in picture.lines)
    reached, waiting = set(), [ROOT]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += [walked(picture, here, way) for way in ("child", "up", "down")]
    assert reached == {line.branch for line in picture.lines}


def test_arrow_keys():
    picture = drawn(grown(), 1)
    assert [line.branch for line in picture.lines] == [0, 1, 2, 3, 4]
    assert walked(picture, 1, "child") == 2
    assert walked(picture, 2, "down") == 3
    assert walked(picture, 3, "down") == 4  # no sibling below: the next row
    assert walked(picture, 1, "down") == 4  # its sibling, beyond its children
    assert walked(picture, 4, "up") == 1
    assert walked(picture, 0, "up") == walked(picture, 0, "parent") == 0
    assert walked(picture, 99, "up") == 1


def test_a_run_in_words():
    tree = grown()
    picture = drawn(tree, 1, {0: 15.2, 1: 13.1}, growing=1)
    lines = {line.branch: line for line in picture.lines}
    assert about(picture, lines[0]) == "echo: the experiment unchanged. It ends at 15.2. 2 runs branch off it."
    assert about(picture, lines[1]) == (
        "9 crashed at 6.0: branches off echo at 6.0. It has not ended; its time is 13.1 so far. 2 runs branch off it. "
        "It is shown in the window."
    )
    assert "has not run since" in about(picture, lines[4])
    assert picture.until == 15.2


def test_forks_of_a_branch():
    tree = grown()
    forks = forks_of(tree, 1)
    assert [(fork.time, fork.branch) for fork in forks] == [(2.0, 4), (6.0, 0), (7.0, 3), (8.0, 2)]
    assert fork_words(forks[0], tree.lineage(1)) == "2 crashed at 2.0 branches off here"
    assert fork_words(forks[1], tree.lineage(1)) == "echo continues separately here"
    assert forks_of(tree, 77) == ()


def test_a_long_chain_and_many_branches():
    tree = Branches(BASE)
    for number in range(200):
        tree, _ = add(tree, number if number % 2 else max(number - 1, 0), [crash(float(number), str(number))])
    picture = drawn(tree, 200)
    assert len(picture.lines) == 201
    assert len(forks_of(tree, 200)) > 100


@pytest.mark.parametrize("do", sorted(KINDS))
def test_every_intervention_has_a_glyph_and_words(do):
    values = {
        "process": "3", "link": ("3", "5"), "label": "Ack", "variable": "parent", "delay": 2.0,
        "fields": {"clock": 3}, "distribution": "uniform(2, 4)", "message": 7,
        "groups": (("0", "1"), ("2",)),
    }  # fmt: skip
    needed = tuple(key.name for key in KINDS[do].needs) or (("message",) if KINDS[do].may else ())
    if do == "retime":
        needed = ("distribution", "link")
    if do in ("delay", "edit"):
        needed = (*needed, "message")
    name = automatic_name([Intervention(6.0, do, **{key: values[key] for key in needed})], 6.0)
    assert KINDS[do].sort in ("down", "up", "message", "state", "step")
    assert name.endswith(" at 6.0")
    assert "None" not in name


@given(st.lists(st.floats(0, 500), max_size=30).map(sorted), st.floats(1, 40))
def test_glyphs_that_share_a_place(places, least):
    found = clusters(places, least)
    assert [index for each in found for index in each] == list(range(len(places)))
    starts = [places[each[0]] for each in found]
    assert all(b - a >= least for a, b in itertools.pairwise(starts))
    assert all(places[index] - places[each[0]] < least for each in found for index in each)


def test_a_run_as_a_command():
    assert command_line("two-wings") == "lydian run two-wings"
    words = command_line("my runs/a.toml", "9 crashed at 6.0")
    assert words == "lydian run 'my runs/a.toml' --branch '9 crashed at 6.0'"


def test_an_unknown_end_is_infinite():
    assert drawn(Branches(BASE)).lines[0].ends == math.inf
