"""A game over the channel."""

import queue

from lydian.engine.adversary.serve import play
from lydian.engine.wire import Bye, Error, Look, Partial, Play
from lydian.model.goal.goal import load


def talk(wanted, *frames):
    inbox, said = queue.Queue(), []
    for each in (*frames, None):
        inbox.put(each)
    code = play(wanted, inbox, said.append)
    return code, said


def test_a_game_is_ready_then_known_then_answers():
    goal = load("echo-silent")
    code, said = talk(Play(dict(goal.record), goal.name), Look([0]))
    found = [next(iter(each.found)) for each in said if isinstance(each, Partial)]
    assert (code, found, type(said[-1])) == (0, ["ready", "position", "known", "position"], Bye)
    position = said[-2].found["position"]
    assert (position["steps"], position["sure"], position["left"]) == (1, True, 5)


def test_a_goal_that_cannot_be_used_is_an_error():
    goal = load("echo-silent")
    code, said = talk(Play({**goal.record, "wanted": {"violates": "nothing"}}, goal.name))
    assert code == 2
    assert isinstance(said[0], Error)
    assert "has no property 'nothing'" in said[0].text
