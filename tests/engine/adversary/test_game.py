"""Games: the choices in each position, the distance to the goal, and the run that takes the same steps."""

import pytest

from lydian.engine.adversary.game import Game
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from lydian.model.goal.goal import from_table, load


def searched(name):
    game = Game(load(name))
    game.search()
    return game


def told(choice):
    ends = f"{choice.sender}-{choice.process}" if choice.sender else choice.process
    return f"{choice.kind} {ends} {choice.label}".strip()


def test_before_the_search_is_over_the_choices_are_known_and_the_distances_are_not():
    position = Game(load("lamport-two")).look(())
    assert [told(each) for each in position.choices] == ["command 0 Want", "command 1 Want"]
    assert (position.sure, position.left, position.won, position.over) == (False, None, False, False)


def test_each_position_says_how_far_the_goal_is():
    game = searched("lamport-two")
    path, left = [], []
    for label in game.solution():
        position = game.look(path)
        left.append(position.left)
        assert min(each.left for each in position.choices if each.left is not None) == position.left - 1
        path.append(label)
    assert left == [8, 7, 6, 5, 4, 3, 2, 1]
    end = game.look(path)
    assert (end.won, end.over, end.left, end.choices) == (True, True, 0, ())


def test_a_position_says_what_each_choice_does():
    game = searched("lamport-two")
    path = game.solution()[:4]
    found = {told(each): each for each in game.look(path).choices}
    request = found["deliver 0-1 Request"]
    assert (request.since, request.left, request.sends) == (1, None, [("Reply", "0")])
    path = game.solution()[:3]
    reply = next(each for each in game.look(path).choices if each.label == "Reply")
    assert reply.overtakes == "Request"
    assert reply.does == [{"do": "deliver", "message": 4, "link": "0-1", "label": "Reply"}]


def test_going_back_gives_the_same_position():
    game = searched("lamport-two")
    path = game.solution()
    before = game.look(path[:3])
    game.look(path)
    assert game.look(path[:3]) == before


def test_a_way_that_needs_too_many_steps_is_no_way():
    game = searched("lamport-two")
    first = game.look(()).choices[0].id
    path = [first]
    while (position := game.look(path)).left is not None:
        far = max(position.choices, key=lambda each: -1 if each.left is None else each.left)
        near = [each for each in position.choices if each.left is None]
        path.append((near or [far])[0].id)
    assert position.sure
    assert all(each.left is None for each in position.choices)


def test_the_budget_of_crashes_and_losses_is_spent():
    game = Game(load("floodset-too-few"))
    kinds = [each.kind for each in game.look(()).choices]
    assert kinds.count("crash") == 3
    crash = next(each for each in game.look(()).choices if each.kind == "crash")
    after = game.look([crash.id])
    assert after.crashes == 1
    assert "crash" not in [each.kind for each in after.choices]


def test_a_traitor_lies_and_withholds():
    game = searched("generals-shallow")
    path = game.solution()
    kinds = {game.explorer.labels.things[each][0] for each in path}
    assert kinds & {"lie", "mute"}
    result = Simulator(game.played(path), check=True).run()
    assert {each.name: each.holds for each in result.checks}["all loyal lieutenants obey the same order"] is False


def test_a_goal_that_is_impossible_is_proved_to_be():
    known = searched("lamport-fifo").known
    assert (known.complete, known.least, known.goals, known.configurations) == (True, None, 0, 1903)


def test_a_condition_is_a_goal():
    game = searched("worst-daemon")
    assert game.known.least == 10
    assert game.look(game.solution()).won


def test_a_step_that_is_not_possible_is_refused():
    with pytest.raises(BadInput, match="step 1 of this game is not possible"):
        Game(load("lamport-two")).look([99])


def test_a_game_begins_in_one_configuration():
    record = {"protocol": "dijkstra-k-state", "network": "ring:3", "start": "any", "timing": {"initiators": ["0"]}}
    goal = from_table({"title": "x", "experiment": record, "wanted": {"violates": "some process has a token"}}, "x")
    with pytest.raises(BadInput, match="must begin in one configuration"):
        Game(goal)
