"""Goals: their files and the errors in them, and the goals made for any protocol."""

import re

import pytest

from lydian.model.archive.shelves import shelves
from lydian.model.errors import BadInput
from lydian.model.goal.generated import generated
from lydian.model.goal.goal import Budget, Wanted, from_table, load, names, without_bounds

TABLE = {
    "title": "Make two enter",
    "level": 2,
    "off": ["fifo"],
    "experiment": {"protocol": "lamport-mutex", "network": "complete:3", "timing": {"order": "unordered"}},
    "wanted": {"violates": "at most one process is in the critical section"},
    "budget": {"steps": 10},
}


def goal(**changes):
    return from_table({**TABLE, **changes}, "two")


def test_a_goal_is_read():
    found = load("lamport-two")
    assert (found.name, found.level, found.off, found.budget) == ("lamport-two", 2, ("fifo",), Budget(steps=10))
    assert found.wanted == Wanted(violates="at most one process is in the critical section")
    assert found.resolve().network.n == 3


def test_the_record_of_a_goal_gives_it_again():
    found = load("generals-four")
    assert from_table(found.record, found.name, found.file) == found


def test_the_bound_on_the_steps_can_be_removed():
    assert without_bounds(goal()).budget == Budget()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"titel": "x"}, "unknown key 'titel' (did you mean 'title'?)"),
        ({"level": 4}, "level: must be from 1 to 3, not 4"),
        ({"experiment": {"network": "ring:3"}}, "experiment: protocol is missing"),
        ({"wanted": {}}, "must name a property that is violated (violates) or a condition"),
        ({"wanted": {"where": "state =="}}, "'state ==' cannot be read"),
        ({"wanted": {"where": "True", "processes": 0}}, "wanted.processes: must be at least 1"),
        ({"budget": {"steps": 0}}, "budget.steps: must be at least 1, not 0"),
        ({"budget": {"losses": -1}}, "budget.losses: must be at least 0, not -1"),
        ({"budget": {"lies": {"order": ["attack"]}}}, "must give at least two values for order"),
        ({"budget": {"lies": {"x": [0, 1]}}}, "must have traitors to tell them"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(changes, sentence):
    with pytest.raises(BadInput, match=re.escape(sentence)):
        goal(**changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"wanted": {"violates": "at most one process is in the critical sections"}}, "has no property"),
        ({"wanted": {"where": "sate == 'held'"}}, "no process has a variable 'sate' (did you mean 'state'?)"),
        ({"budget": {"crashes": 1}}, 'the assumption "no crashes" of lamport-mutex; write off = ["no crashes"]'),
        ({"budget": {"traitors": ["9"]}}, "the network has no process '9'"),
        ({"budget": {"traitors": ["1"], "lies": {"tome": [1, 2]}}}, "no message has a field 'tome'"),
    ],
)
def test_a_goal_that_does_not_fit_its_protocol_is_refused(changes, sentence):
    with pytest.raises(BadInput, match=re.escape(sentence)):
        goal(**changes).resolve()


def test_thirty_goals_are_ready_in_order():
    found = [load(name) for name in names()]
    assert [each.order for each in found] == list(range(1, 31))
    assert all(each.title and each.sentence and each.hint and each.won for each in found)
    assert len({each.title for each in found}) == 30


def test_goals_are_made_from_each_property_and_each_assumption():
    found = generated("lamport-mutex")
    protocol = shelves().protocol("lamport-mutex")
    assert [each.wanted.violates for each in found[:4]] == [protocol.properties[0].name] * 4
    assert [(each.off, each.budget.losses, each.budget.crashes) for each in found[:4]] == [
        (("fifo",), 0, 0), (("reliable",), 1, 0), (("no crashes",), 0, 1), ((), 0, 0),
    ]  # fmt: skip
    assert [each.experiment.timing.order for each in found[:4]] == ["unordered", "fifo", "fifo", "fifo"]
    assert len(found) == 4 * len(protocol.properties)


def test_a_small_experiment_keeps_its_network_and_a_large_one_does_not():
    small, large = (load("lamport-two").experiment.with_(network=network) for network in ("complete:4", "complete:9"))
    assert generated("lamport-mutex", base=small)[0].experiment.network == "complete:4"
    assert generated("lamport-mutex", base=large)[0].experiment.network == "complete:3"


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", shelves().names("protocols"))
def test_there_are_goals_for_every_protocol(name):
    found = generated(name)
    assert found
    for each in found:
        each.resolve()
