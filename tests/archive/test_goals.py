"""The ready goals: each can be reached within its budget, in the simulator too, or is provably impossible."""

import pytest

from lydian.engine.adversary.game import Game
from lydian.engine.simulator import Simulator
from lydian.model.goal.goal import load, names

#: Those whose search takes more than a second.
SLOW = {"three-phase-split", "raft-two", "paxos-duel", "paxos-two"}
#: The impossible one of which only the schedules within its budget can be searched.
BOUNDED = {"paxos-two"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in names()]
)
def test_a_goal_is_what_it_claims_to_be(name):
    goal = load(name)
    game = Game(goal)
    known = game.search()
    assert known.within
    if goal.impossible:
        assert known.goals == 0
        assert known.complete or name in BOUNDED
        return
    assert known.least is not None
    assert known.least >= 3
    assert goal.budget.steps - known.least in range(5)
    path = game.solution()
    assert game.look(path).won
    result = Simulator(game.played(path), check=True).run()
    if goal.wanted.violates:
        assert {each.name: each.holds for each in result.checks}[goal.wanted.violates] is False
