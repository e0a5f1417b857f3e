"""Choosing events and playing a process in the window, with the simulator in a child process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.window.mainwindow import MainWindow
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Link, Network
from lydian.trace.events import Kind
from lydian.views.network.played import taken_at
from lydian.views.playback.dealing import choosable
from lydian.views.selection import Hit
from tests.app.conftest import Open

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

RING = Network(
    "ring",
    tuple("012345"),
    tuple(Link(str(i), str((i + 1) % 6)) for i in range(6)),
    ("0",),
    delay=parse("uniform(0.5, 1.5)"),
    order="fifo",
)


@pytest.fixture
def window(qtbot: QtBot, open_window: Open) -> MainWindow:
    window = open_window()
    before = window.session.shown
    window.session.start(Experiment(name="ring", protocol="echo", network=RING, seed=4))
    qtbot.waitUntil(lambda: window.session.shown is not None and window.session.shown is not before, timeout=20_000)
    return window


def moved(qtbot: QtBot, window: MainWindow, act: Callable[[], object]) -> None:
    """Perform an action, and wait until the simulator has answered and is waiting again."""
    live = window.session.live
    done, steps = len(live.done), live.round
    act()
    qtbot.waitUntil(lambda: (len(live.done), live.round) != (done, steps) and live.waiting, timeout=10_000)
    qtbot.waitUntil(lambda: not window.turns.tray.chooser.behind, timeout=10_000)
    qtbot.wait(0)


def go_live(qtbot: QtBot, window: MainWindow) -> None:
    window.playhead.seek(0.0)
    window.playhead.seek(window.playhead.start)
    window.actions_by_name["choose_mode"].trigger()
    qtbot.waitUntil(lambda: window.session.live.waiting and bool(window.session.live.pending), timeout=20_000)


def decided(window: MainWindow) -> bool:
    timeline = window.playhead.timeline
    return timeline is not None and bool((timeline.kind == Kind.DECIDE).any())


@pytest.mark.slow
def test_a_whole_run_can_be_made_by_choosing_every_event(qtbot: QtBot, window: MainWindow) -> None:
    go_live(qtbot, window)
    turns, live = window.turns, window.session.live
    assert turns.choosing and not window.stage.docks["pending"].isHidden()
    assert "highlighted event" in window.bottom.narration.hint.text()
    for number in range(200):
        cards = [card for card in turns.tray.list.rows.cards() if choosable(card)]
        if live.quiet or not cards:
            break
        if number % 2:  # by keyboard in the list, then with any focus
            turns.tray.list.make_current(cards[number % len(cards)])
            channel = {(c.sender, c.place): c.message for c in sorted(cards, key=lambda c: -c.message)}
            now = turns.tray.list.current
            assert now is not None
            if now.kind == "receive" and channel[(now.sender, now.place)] != now.message:
                turns.tray.list.make_current(next(c for c in cards if c.message == channel[(now.sender, now.place)]))
            moved(qtbot, window, lambda: qtbot.keyClick(turns.tray.list, Qt.Key.Key_Space))
        else:
            moved(qtbot, window, window.actions_by_name["step_forward"].trigger)
        timeline = window.playhead.timeline
        assert timeline is not None and window.playhead.position == timeline.length, "the play head follows"
    assert decided(window) and "All processes wait" in turns.tray.empty.sentence.text()
    timeline = window.playhead.timeline
    assert timeline is not None and int((timeline.kind == Kind.SEND).sum()) == 4 * 6 - 2 * 6 + 2
    assert live.done, "something was chosen that would not have come next"
    again = Simulator(live.recorded().with_(branches=())).run()
    assert again.fingerprint == timeline.trace.fingerprint()


def test_the_narration_describes_the_chosen_event_and_undo_reverts_it(qtbot: QtBot, window: MainWindow) -> None:
    go_live(qtbot, window)
    moved(qtbot, window, window.actions_by_name["choose_now"].trigger)
    assert window.bottom.narration.plain.startswith("Process 0 starts")
    tray = window.turns.tray
    qtbot.waitUntil(lambda: len(tray.list.rows.cards()) > 1, timeout=20_000)
    later = tray.list.rows.cards()[1]
    moved(qtbot, window, lambda: tray.chooser.choose(later))
    who = later.event["process"]
    assert window.bottom.narration.plain.startswith(f"Process {who} receives Broadcast")
    assert window.session.undo.undo_text == f"{later.title} first"
    events = window.playhead.timeline.length if window.playhead.timeline is not None else 0
    window.session.undo.undo()
    qtbot.waitUntil(
        lambda: bool(tray.chooser.cards) and any(card.key == later.key for card in tray.list.rows.cards()),
        timeout=20_000,
    )
    assert window.playhead.timeline is not None and window.playhead.timeline.length < events


@pytest.mark.slow
def test_a_user_plays_a_process_and_a_bad_move_is_refused(qtbot: QtBot, window: MainWindow) -> None:
    go_live(qtbot, window)
    turns, live = window.turns, window.session.live
    window.actions_by_name["choose_mode"].trigger()
    assert not turns.choosing
    window.playhead.pick(Hit("process", 3))
    window.actions_by_name["take_over"].trigger()
    qtbot.waitUntil(lambda: turns.player.name == "3", timeout=10_000)
    assert not window.stage.docks["player"].isHidden()
    qtbot.waitUntil(lambda: taken_at(window.playhead.timeline, window.playhead.events) == {3}, timeout=10_000)
    taken = 0
    for _ in range(200):
        doors = [card for card in turns.player.list.rows.cards() if card.waits]
        if doors:
            turns.player.list.make_current(doors[0])
            moved(qtbot, window, lambda: qtbot.keyClick(turns.player.list, Qt.Key.Key_Return))
            taken += 1
        elif not live.quiet:
            moved(qtbot, window, window.actions_by_name["choose_earliest"].trigger)
        else:
            break
    assert decided(window) and taken >= 2
    # start again: the table has no cell for a second start
    live.act({"do": "wake", "process": "3"})
    qtbot.waitUntil(lambda: any(card.kind == "init" for card in turns.player.list.rows.cards()), timeout=10_000)
    card = next(card for card in turns.player.list.rows.cards() if card.kind == "init")
    turns.player.list.make_current(card)
    qtbot.mouseClick(turns.player.choose_now, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.key in turns.player.list.rows.refused, timeout=10_000)
    assert "no @on(ACKED, INIT)" in turns.player.list.rows.refused[card.key]
    window.actions_by_name["give_back"].trigger()
    qtbot.waitUntil(lambda: not live.taken, timeout=10_000)
    assert turns.player.name == ""


def test_in_the_past_the_keys_step_through_the_record(qtbot: QtBot, window: MainWindow) -> None:
    go_live(qtbot, window)
    for _ in range(3):
        moved(qtbot, window, window.actions_by_name["choose_earliest"].trigger)
    window.playhead.seek(0.0)
    rounds = window.session.live.round
    window.actions_by_name["step_forward"].trigger()
    assert window.playhead.t > 0.0 and window.session.live.round == rounds
    window.actions_by_name["choose_mode"].trigger()
    assert "Space plays" in window.bottom.narration.hint.text()
