"""The tree of an experiment's runs: what a branch inherits from its parent, names, the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.experiment.branch import Branch, automatic_name, leaving_time
from lydian.model.experiment.branches import ROOT, Branches, add, extend, find_or_add, follow, note, rename
from lydian.model.experiment.experiment import Experiment, loads, read, save
from lydian.model.interventions import Intervention

BASE = Experiment("x", protocol="echo", network="ring:5")
TIMES = st.integers(0, 40).map(lambda quarter: quarter / 4)


def crash(time: float, process: str = "1") -> Intervention:
    return Intervention(time, "crash", process=process)


@st.composite
def trees(draw: st.DrawFn) -> Branches:
    """Generate trees as users create them: going back from any run to any time, with no, one or two interventions."""
    names = st.sampled_from("01234")
    done = st.lists(st.builds(crash, TIMES, names), max_size=3)
    tree = Branches(BASE.with_(interventions=tuple(draw(done))))
    for _ in range(draw(st.integers(0, 6))):
        parent = draw(st.sampled_from([id for id, _ in tree.walk()]))
        at = draw(TIMES)
        own = [each for each in draw(done) if each.time >= at]
        make = draw(st.sampled_from([add, find_or_add]))
        tree, id = make(tree, parent, own, at, draw(st.sampled_from(["", "a", "b  c"])))
        if id != ROOT and draw(st.booleans()):
            tree = note(tree, id, draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=9)))
    return tree


@given(trees())
def test_a_tree_survives_saving(tree):
    written = tree.experiment.to_toml()
    assert loads(written) == tree.experiment
    assert Branches.of(loads(written)) == tree
    assert Branches.of(loads(written)).experiment.to_toml() == written


@given(trees(), st.data())
def test_a_branch_keeps_earlier_interventions_and_drops_later_ones(tree, data):
    parent = data.draw(st.sampled_from([id for id, _ in tree.walk()]))
    at = data.draw(TIMES)
    more, id = add(tree, parent, [crash(at + 1)], at)
    kept = tuple(each for each in tree.interventions(parent) if each.time <= at)
    assert more.path(id).interventions == (*kept, crash(at + 1))
    assert more.path(id).with_(interventions=()) == tree.root.with_(interventions=())
    assert more.branches[:-1] == tree.branches  # nothing is lost and nothing changes
    shared = more.shared_until(id, parent)
    assert shared is not None
    assert shared <= at
    assert more.shared_until(parent, id) == shared


@given(trees())
def test_each_run_is_visited_once_after_its_parent(tree):
    walked = list(tree.walk())
    assert sorted(id for id, _ in walked) == sorted([ROOT, *(each.id for each in tree.branches)])
    assert len(walked) == len(tree)
    seen: dict[int, int] = {}
    for id, depth in walked:
        parent = tree.parent(id)
        assert depth == (0 if parent is None else seen[parent] + 1) == len(tree.lineage(id)) - 1
        seen[id] = depth


@given(trees(), st.data())
def test_identical_branches_are_not_added_twice(tree, data):
    parent = data.draw(st.sampled_from([id for id, _ in tree.walk()]))
    at = data.draw(TIMES)
    once, id = find_or_add(tree, parent, [crash(at)], at)
    twice, again = find_or_add(once, parent, [crash(at)], at)
    assert (twice, again) == (once, id)
    assert find_or_add(once, id, (), at) == (once, id)  # nothing else is done


def test_true_differs_from_one():
    tree = Branches(BASE)
    values = [Intervention(1, "corrupt", process="1", variable="x", value=value) for value in (1, True)]
    tree, first = find_or_add(tree, ROOT, values[:1])
    tree, second = find_or_add(tree, ROOT, values[1:])
    assert first != second


def test_going_back_before_the_parents_departure_skips_the_parent():
    tree, first = add(Branches(BASE), ROOT, [crash(6)])
    tree, second = add(tree, first, [crash(3, "2")])
    tree, third = add(tree, first, [crash(8, "2")])
    assert [tree.parent(id) for id in (first, second, third)] == [ROOT, ROOT, first]
    assert tree.interventions(third) == (crash(6), crash(8, "2"))
    assert [each.id for each in tree.children(ROOT)] == [second, first]
    assert tree.lineage(third) == (ROOT, first, third)
    assert tree.shared_until(second, third) == 3.0
    assert tree.shared_until(first, first) is None


def test_a_run_with_an_undone_past_is_not_a_parent():
    tree = Branches(BASE.with_(interventions=(crash(6.5),)))
    tree, first = add(tree, ROOT, [crash(9, "2")], at=6)
    tree, second = add(tree, first, [crash(7, "3")])
    assert tree.parent(second) == first
    assert tree.interventions(second) == (crash(7, "3"),)  # without the crash at 6.5, which was undone


def test_a_live_run_continues_in_its_own_branch():
    tree, first = add(Branches(BASE), ROOT, [crash(6)])
    tree = extend(tree, first, [crash(8, "2")])
    assert tree.interventions(first) == (crash(6), crash(8, "2"))
    tree, second = add(tree, first, [crash(9, "3")])
    with pytest.raises(BadInput, match=r"9\.0 is not after 9\.0, when '3 crashed at 9\.0' left this run; add a branch"):
        extend(tree, first, [crash(9, "4")])
    with pytest.raises(BadInput, match=r"7\.0 is before 8\.0"):
        extend(tree, first, [crash(7)])
    assert tree.interventions(second) == (crash(6), crash(8, "2"), crash(9, "3"))
    assert extend(tree, ROOT, [crash(7)]).root.interventions == (crash(7),)
    assert extend(tree, first, ()) is tree


@pytest.mark.parametrize(
    ("done", "name"),
    [
        ([crash(6, "9")], "9 crashed at 6.0"),
        ([Intervention(4.25, "link_down", link=("3", "5"))], "3-5 cut at 4.25"),
        ([Intervention(4, "link_down", link=("3", "5")), Intervention(4, "link_down", link=("4", "5"))],
         "2 links cut at 4.0"),
        ([Intervention(1, "drop", message=7)], "message 7 dropped at 1.0"),
        ([Intervention(1, "delay", link=("3", "5"), label="Ack", delay=2)], "Ack 3 to 5 delayed by 2.0 at 1.0"),
        ([Intervention(1, "duplicate", link=("3", "5"))], "message 3 to 5 duplicated at 1.0"),
        ([Intervention(1, "inject", link=("3", "5"), label="Ack")], "Ack 3 to 5 injected at 1.0"),
        ([Intervention(1, "corrupt", process="3", variable="parent")], "parent of 3 corrupted at 1.0"),
        ([Intervention(1, "wake", process="3")], "3 woken at 1.0"),
        ([Intervention(1, "command", process="3", label="Publish")], "Publish at 3 at 1.0"),
        ([crash(1, "9"), Intervention(2, "recover", process="9")], "9 crashed at 1.0 and 1 more"),
        ([], "undisturbed from 6.0"),
    ],
)  # fmt: skip
def test_a_branch_is_named_after_its_interventions(done, name):
    assert automatic_name(done, 6) == name


def test_names_can_be_chosen_and_are_unique():
    tree, first = add(Branches(BASE), ROOT, [crash(6)])
    tree, second = add(tree, ROOT, [crash(6), crash(7, "2")], name="1 crashed  at 6.0")
    assert [each.name for each in tree.branches] == ["1 crashed at 6.0", "1 crashed at 6.0 (2)"]
    renamed = rename(tree, second, "  the lucky\none ")
    assert renamed.name(second) == "the lucky one"
    assert renamed.find("the lucky one") == renamed.find("2") == second
    assert rename(renamed, second, tree.name(second)) == tree
    assert tree.name(ROOT) == "x"
    with pytest.raises(BadInput, match=r"another branch is already called '1 crashed at 6\.0'"):
        rename(tree, second, "1 crashed at 6.0")
    with pytest.raises(BadInput, match="must be one line"):
        rename(tree, first, " ")
    with pytest.raises(BadInput, match=r"unknown branch 'the luky one' of x .did you mean 'the lucky one'"):
        renamed.find("the luky one")
    with pytest.raises(BadInput, match="unknown branch 'y' of x; it has none"):
        Branches(BASE).find("y")
    with pytest.raises(BadInput, match="unknown branch 7 of x"):
        tree.path(7)


def test_without_branches_the_file_is_unchanged():
    assert "branches" not in BASE.to_dict()
    assert "branches" not in Branches(BASE).experiment.to_toml()


def test_a_file_written_by_hand(tmp_path):
    path = tmp_path / "e.toml"
    path.write_text(
        'protocol = "echo"\nnetwork = "ring:5"\n[[branches]]\n[[branches.interventions]]\ntime = 6\ndo = "crash"\n'
        'process = 1\n[[branches]]\nparent = 1\nat = 7\nname = "later"\n',
        encoding="utf-8",
    )
    tree = Branches.of(read(path))
    assert tree.branches == (Branch(1, "1 crashed at 6.0", 0, 6, (crash(6),)), Branch(2, "later", 1, 7))
    copy = save(read(path), tmp_path / "copy.toml")
    assert read(tmp_path / "copy.toml") == copy
    assert copy.branches == tree.branches


BAD = {
    'at = 6\ntme = 3': r"branches\[0\]: unknown key 'tme'",
    'name = "x"': r"branches\[0\]: at is missing; write, for example, at = 6\.0",
    "at = -1": r"branches\[0\]\.at: must be a finite number that is not negative, not -1",
    'at = "six"': r"branches\[0\]\.at: must be a number, not 'six'",
    "at = 6\nid = 0": r"branches\[0\]\.id: must be a whole number from 1",
    "at = 6\nparent = 3": r"branches\[0\]\.parent: branch 3 is missing before this one",
    'at = 6\nname = ""': r"branches\[0\]\.name: must be one line",
    "at = 6\nid = 1\n[[branches]]\nid = 1\nat = 7": r"branches\[1\]\.id: another branch already has the id 1",
    'at = 6\nname = "a"\n[[branches]]\nname = "a"\nat = 7': r"branches\[1\]\.name: another branch is already called",
    "at = 6\n[[branches]]\nparent = 1\nat = 5": r"branches\[1\]\.at: 5\.0 is before its parent begins, at 6\.0",
    'at = 6\n[[branches.interventions]]\ntime = 5\ndo = "wake"\nprocess = "1"':
        r"branches\[0\]\.interventions\[0\]\.time: 5\.0 is too early",
    'at = 6\n[[branches.interventions]]\ntime = 7\ndo = "wke"\nprocess = "1"':
        r"branches\[0\]\.interventions\[0\]\.do: unknown intervention 'wke' .did you mean 'wake'",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_errors_in_a_file_name_their_place(text):
    with pytest.raises(BadInput, match=r"^e\.toml, " + BAD[text]):
        loads(f'protocol = "echo"\nnetwork = "ring:5"\n[[branches]]\n{text}\n', file="e.toml")


def test_everything_a_branch_names_must_exist():
    tree, first = add(Branches(BASE), ROOT, [crash(6, "1")])
    tree, second = add(tree, first, [crash(8, "9")])
    whole = BASE.resolve()
    tree.check(first, whole.network, whole.protocol)
    with pytest.raises(BadInput, match=r"^branches\[1\]\.interventions\[0\]\.process: unknown process '9'"):
        tree.check(second, whole.network, whole.protocol)


@given(st.floats(0, 1e4), st.floats(0, 1e3))
def test_a_branch_leaves_after_the_last_event_seen(seen, later):
    following = seen + later
    time = leaving_time(seen, following)
    assert seen < time <= following or (time == seen == following)


def test_a_branch_leaves_at_a_round_time():
    assert leaving_time(5.798, 6.095) == 6.0
    assert leaving_time(6.0, 6.311) == 6.1
    assert leaving_time(6.0, 7.0) == 6.1
    assert leaving_time(6.0) == leaving_time(6.0, 6.0) == 6.0


@given(trees(), st.data())
def test_interventions_in_a_run_are_found_in_its_tree(tree, data):
    """Go back to any time of any run, or undo its last interventions, and do something else."""
    id = data.draw(st.sampled_from([id for id, _ in tree.walk()]))
    own = sorted(tree.interventions(id), key=lambda each: each.time)
    planned = len(tree.root.interventions)
    if data.draw(st.booleans()) and id != ROOT and len(own) > planned:
        kept = own[: data.draw(st.integers(planned, len(own) - 1))]
        cut = own[len(kept)].time
    else:
        cut = data.draw(TIMES)
        kept = [each for each in own if each.time <= cut]
    if [each for each in tree.root.interventions if each.time <= cut and each not in kept]:
        return  # interventions planned by the experiment itself are not undone
    steps = sorted(data.draw(st.lists(TIMES, max_size=3)))
    new = [crash(cut + step, data.draw(st.sampled_from("567"))) for step in steps]
    more, found = follow(tree, id, [*kept, *new])
    assert sorted(more.interventions(found), key=lambda each: each.time) == [*kept, *new]
    assert more.branches[: len(tree.branches)] == tree.branches
    assert follow(more, found, [*kept, *new]) == (more, found)


def test_a_continued_run_keeps_its_branch_until_it_leaves_it():
    tree, id = follow(Branches(BASE), ROOT, [crash(2.0)], goes_on=True)
    assert id != ROOT
    longer, same = follow(tree, id, [crash(2.0), crash(3.0, "2")], goes_on=True)
    assert same == id
    assert longer[id].interventions == (crash(2.0), crash(3.0, "2"))
    undone, other = follow(longer, id, [crash(2.0), crash(3.0, "4")])
    assert other != id
    assert undone.interventions(other) == (crash(2.0), crash(3.0, "4"))
    assert undone[other].parent == id
    assert undone[id] == longer[id]
