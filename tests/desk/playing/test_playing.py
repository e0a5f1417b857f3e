"""A game on the desk: steps, undo, hints, stars, and the run that stays when the game ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lydian.desk.playing.playing import Playing
from lydian.desk.playing.stars import Stars
from lydian.model.goal.goal import Goal, load
from tests.desk.test_session_without_qt import Somebody


class Player(Somebody):
    """Somebody who plays."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.playing = Playing(self.session, Stars(self.desk.settings))
        self.said: list[str] = []
        self.playing.said.connect(lambda text, _problem: self.said.append(text))

    def begin(self, goal: str | Goal) -> None:
        """Begin a game, and wait until everything about its first position is known."""
        self.playing.begin(load(goal) if isinstance(goal, str) else goal)
        self.settle(0)

    def settle(self, steps: int) -> None:
        """Wait until the position after this number of steps is known."""
        playing, live = self.playing, self.session.live

        def there() -> bool:
            position = playing.position
            known = position is not None and position.sure and len(position.path) == steps == len(playing.taken)
            return known and live.waiting and not live._gestures and not playing._busy

        self.loop.until(there)

    def win(self) -> None:
        """Take the nearest way to the goal."""
        while not self.playing.won:
            assert self.playing.position is not None
            choices = [each for each in self.playing.choices if each.left is not None]
            self.playing.choose(min(choices, key=lambda each: each.left or 0))
            self.settle(len(self.playing.taken) + 1)


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    made = Player(tmp_path)
    yield made
    made.playing.close()
    made.desk.close()
    made.loop.close()


def test_a_game_is_a_live_run_that_the_player_chooses(player: Player) -> None:
    player.begin("bully-two")
    playing, live = player.playing, player.session.live
    assert live.on
    assert playing.position is not None
    assert playing.position.left == 3
    assert not playing.taken
    player.win()
    assert [each.choice.kind for each in playing.taken] == ["init", "timer", "deliver"] or len(playing.taken) == 3
    assert [each.time for each in live.done if each.do != "take_over"] == [1.0, 2.0, 3.0]
    assert playing.earned == 3
    assert Stars(player.desk.settings).of("bully-two") == 3


def test_undo_and_redo_move_in_the_game(player: Player) -> None:
    player.begin("bully-two")
    playing, undo = player.playing, player.session.undo
    player.win()
    undo.undo()
    player.settle(2)
    assert playing.position is not None
    assert playing.position.left == 1
    undo.redo()
    player.settle(3)
    assert playing.won


def test_another_choice_begins_another_branch(player: Player) -> None:
    player.begin("bully-two")
    playing, live = player.playing, player.session.live
    first, *_ = playing.choices
    playing.choose(first)
    player.settle(1)
    one, two, *_ = playing.choices
    playing.choose(one)
    player.settle(2)
    player.session.undo.undo()
    player.settle(1)
    playing.choose(two)
    player.settle(2)
    assert [each.choice for each in playing.taken] == [first, two]
    assert len(live.tree.experiment.branches) > 1


def test_a_lie_is_one_step_that_can_be_undone(player: Player) -> None:
    player.begin("generals-shallow")
    playing, undo = player.playing, player.session.undo
    while not any(each.kind == "lie" for each in playing.choices):
        playing.choose(playing.choices[0])
        player.settle(len(playing.taken) + 1)
    steps = len(playing.taken)
    lie = next(each for each in playing.choices if each.kind == "lie")
    playing.choose(lie)
    player.settle(steps + 1)
    assert playing.taken[-1].choice == lie
    undo.undo()
    player.settle(steps)
    undo.redo()
    player.settle(steps + 1)
    assert playing.taken[-1].choice == lie


def test_a_message_to_a_crashed_process_can_be_chosen(player: Player) -> None:
    player.begin("ben-or-two")
    player.win()
    assert {each.choice.kind for each in player.playing.taken} >= {"crash", "deliver"}
    assert any(each.choice.dead for each in player.playing.taken)


def test_hints_cost_stars(player: Player) -> None:
    player.begin("bully-two")
    playing = player.playing
    playing.show_hints("far")
    playing.show_hints("none")
    player.win()
    assert playing.earned == 1
    playing.start_over()
    player.settle(0)
    player.win()
    assert playing.earned == 3
    assert playing.stars.of("bully-two") == 3


def test_a_player_without_a_way_goes_back_to_the_last_step_with_one(player: Player) -> None:
    player.begin("lamport-two")
    playing = player.playing
    while not playing.lost:
        worst = next((each for each in playing.choices if each.left is None), playing.choices[0])
        playing.choose(worst)
        player.settle(len(playing.taken) + 1)
    hopeful = playing.hopeful
    assert hopeful is not None
    playing.back_to_hope()
    player.settle(hopeful)
    assert not playing.lost
    assert playing.used == "possible"


def test_a_claim_that_a_goal_is_impossible_is_judged(player: Player) -> None:
    player.begin("ricart-two")
    player.playing.claim()
    assert (player.playing.claimed, player.playing.earned) == (True, 3)
    player.begin("bully-two")
    player.playing.claim()
    assert (player.playing.claimed, player.playing.used) == (False, "far")
    assert player.said == ["There is a way, so you can earn only one star in this game."]


def test_another_experiment_ends_the_game(player: Player) -> None:
    player.begin("bully-two")
    player.session.start(load("echo-silent").experiment)
    assert not player.playing.on


def test_a_goal_that_cannot_be_used_says_why(player: Player) -> None:
    goal = load("bully-two")
    broken = {**goal.record, "wanted": {"violates": "nothing"}}
    player.playing.begin(Goal(**{**vars(goal), "record": broken}))
    player.loop.until(lambda: not player.playing.on)
    assert "has no property 'nothing'" in player.said[0]
