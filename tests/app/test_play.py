"""Playing against an algorithm in the window: the goal, the choices, the keys, and leaving."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from lydian.app.look.theme import Theme
from lydian.app.play.choicelist import ChoiceList, Row
from lydian.app.play.marks import Pips
from lydian.engine.adversary.position import Choice

pytestmark = pytest.mark.usefixtures("qapp")


def choice(number: int = 0, **more: Any) -> Choice:
    """Return a message that may arrive."""
    return Choice(number, "deliver", "1", "0", "Request", **more)


def test_a_hint_says_how_far_it_is_after_a_choice() -> None:
    rows = [Row(choice(), "Request 0 → 1", "", 0, hint) for hint in (None, -1, 0, 1, 2)]
    assert [row.remark for row in rows] == ["", "no way\nafter it", "wins", "1 to go", "2 to go"]


def test_a_click_and_enter_take_a_choice(qtbot: Any) -> None:
    view, taken = ChoiceList(Theme("light")), []
    qtbot.addWidget(view)
    view.chosen.connect(taken.append)
    rows = [Row(choice(number), f"Request {number}", "", 0) for number in range(3)]
    view.show_rows(rows)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    view.take(3)
    view.take(4)
    assert taken == [rows[1].choice, rows[2].choice]


def test_the_budget_is_told_to_a_screen_reader(qtbot: Any) -> None:
    pips = Pips(Theme("light"))
    qtbot.addWidget(pips)
    pips.show_steps(5, 3, 10)
    assert pips.accessibleName() == "5 of 10 steps used, 3 more steps would do"


@pytest.mark.slow
def test_a_game_is_won_in_the_window(open_window: Any, qtbot: Any) -> None:
    window = open_window("two-wings")
    room, playing = window.room, window.room.playing
    docks = {name for name, dock in window.stage.docks.items() if not dock.isHidden()}
    window.desk.commands.do("play_against")
    assert room.on
    assert room.column.goals.count() > 30
    assert room.open("bully-two")
    settle(qtbot, window, 0)
    assert not window.bottom.isVisible()
    assert room.column.card.title.text() == "Two leaders at once"
    for step in range(3):
        near = min((each for each in playing.choices if each.left is not None), key=lambda each: each.left)
        room.column.list.take(list(playing.choices).index(near) + 1)
        settle(qtbot, window, step + 1)
    assert playing.won
    assert room.column.card.box.title.text() == "You have done it"
    assert room.column.total.text() == "3 of 90 stars"
    assert window.desk.commands.why_not("play")
    room.leave()
    assert not room.on
    assert not window.desk.commands.why_not("play")
    assert not playing.on
    assert {name for name, dock in window.stage.docks.items() if not dock.isHidden()} == docks


@pytest.mark.slow
def test_another_experiment_ends_the_game_and_leaves_the_room(open_window: Any, qtbot: Any) -> None:
    window = open_window("two-wings")
    room = window.room
    assert room.open("echo-silent")
    settle(qtbot, window, 0)
    window.offers.example("echo-crash", play=False)
    assert not room.on
    assert not room.playing.on
    assert window.bottom.isVisible()


def settle(qtbot: Any, window: Any, steps: int) -> None:
    """Wait until the position after this number of steps is known and shown."""
    playing, live = window.room.playing, window.session.live

    def there() -> bool:
        position = playing.position
        return position is not None and position.sure and len(position.path) == steps and live.waiting

    qtbot.waitUntil(there, timeout=20_000)
