"""The first ten seconds: the row of cards, and the offers at the end of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.commands.table import commands
from lydian.app.look.icons import icon_names
from lydian.app.panels.start import CARDS
from lydian.app.window.mainwindow import MainWindow
from lydian.app.window.offers import network_like, victim
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.selection import Hit
from tests.app.conftest import rest, whole
from tests.model.experiment.test_idleruns import WAITS

Open = Callable[..., MainWindow]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def card(window: MainWindow, word: str):  # type: ignore[no-untyped-def]
    (found,) = [card for card in window.start.cards if card.what.word == word]
    return found


def play_to_the_end(window: MainWindow) -> None:
    window.playhead.seek(window.playhead.end - 0.01)
    window.playhead.play()
    window.player.tick(0.2)
    assert window.playhead.at_end and not window.playhead.playing


def offer(window: MainWindow, words: str):  # type: ignore[no-untyped-def]
    (found,) = [button for button in window.bottom.narration.buttons if button.text() == words]
    return found


def wait_for_play(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.playhead.playing and whole(window), timeout=20_000)
    window.playhead.pause()


# ---------------------------------------------------------------------- the row of cards


def test_the_cards_are_commands_with_icons() -> None:
    names = {command.name for command in commands()}
    for what in CARDS:
        assert what.command in names and what.icon in icon_names() and not what.about.endswith(".")
    assert len({what.word for what in CARDS}) == len(CARDS) == 6


def test_the_row_appears_at_the_first_start_and_can_be_closed_and_reopened(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    assert window.start.isVisible() and len(window.start.cards) == len(CARDS)
    for one in window.start.cards:
        assert one.width() >= one.sizeHint().width() and one.accessibleDescription()
    assert window.start.height() <= 46
    qtbot.mouseClick(window.start.cross, Qt.MouseButton.LeftButton)
    assert not window.start.isVisible()
    qtbot.keyClick(window.stage.canvases["basic"], Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert window.start.isVisible()
    window.looks.project(True)
    assert not window.start.isVisible()
    window.looks.project(False)
    assert window.start.isVisible()
    window.playhead.play()
    assert not window.start.isVisible()
    window.playhead.pause()
    assert not window.start.isVisible()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_first_start_has_the_layout_watch_at_every_size(open_window: Open, size: tuple[int, int]) -> None:
    window = open_window(size=size)
    assert window.looks.layout == "watch"
    network = window.stage.docks["basic"]
    if size == (1280, 720):
        assert network.width() * network.height() > 0.5 * size[0] * size[1]


def test_the_second_start_has_no_row(open_window: Open) -> None:
    first = open_window()
    first.playhead.seek(5.0)
    first.close()
    second = open_window()
    assert not second.start.isVisible() and second.playhead.t == pytest.approx(5.0)


def test_an_opened_file_has_no_row(open_window: Open) -> None:
    assert not open_window("flooding-grid").start.isVisible()


def test_one_click_on_a_card_starts_motion(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    qtbot.mouseClick(card(window, "Break"), Qt.MouseButton.LeftButton)
    wait_for_play(window, qtbot)
    assert window.session.experiment is not None and window.session.experiment.name == "echo-crash"
    assert not window.start.isVisible()  # it has folded, to give the network its room
    window.offers.show_row()
    card(window, "Vary").setFocus()
    qtbot.keyClick(card(window, "Vary"), Qt.Key.Key_Return)
    wait_for_play(window, qtbot)
    assert window.session.experiment.network == "ring:12"
    assert window.playhead.timeline is not None and window.playhead.timeline.n == 12
    window.offers.show_row()
    qtbot.mouseClick(card(window, "Learn"), Qt.MouseButton.LeftButton)
    assert window.helping.panel.isVisible()
    assert window.helping.panel.page.file is not None and window.helping.panel.page.file.stem == "first-steps"


def test_write_asks_three_questions_and_creates_a_runnable_protocol(
    open_window: Open, qtbot: QtBot, home: Path
) -> None:
    window = open_window()
    qtbot.mouseClick(card(window, "Write"), Qt.MouseButton.LeftButton)
    written = window.workspaces.protocols.workspace
    assert written is not None and written.page is not None and written.page.isVisible()
    qtbot.mouseClick(written.page.create_button, Qt.MouseButton.LeftButton)
    assert written.document.path is not None and written.document.path.parent == home / "protocols"
    assert written.code.isVisible() and not written.page.isVisible()
    window.actions_by_name["run"].trigger()
    wait_for_play(window, qtbot)
    assert window.session.experiment is not None and window.workspaces.current == "run"
    assert window.session.experiment.protocol == str(written.document.path)
    assert window.session.shown is not None and window.session.shown.problem is None
    window.session.undo.undo()
    assert window.session.experiment.protocol == "echo"


# ---------------------------------------------------------------------- the end of a run


@pytest.mark.parametrize("width", [1280, 1920])
def test_all_offers_fit_beside_the_sentence(open_window: Open, width: int) -> None:
    window = open_window(size=(width, 720))
    play_to_the_end(window)
    narration = window.bottom.narration
    assert narration.plain == "Everybody has heard; 46 messages, time 16.5."
    assert [button.text() for button in narration.buttons if button.isVisible()] == [
        "Again", "Other delays", "Break something", "On a ring", "On a tree", "Denser",
    ]  # fmt: skip


@pytest.mark.slow
def test_each_offer_takes_one_click_and_can_be_undone(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    play_to_the_end(window)
    qtbot.mouseClick(offer(window, "Again"), Qt.MouseButton.LeftButton)
    assert window.playhead.playing and window.playhead.t < 1
    for words, part, good in (
        ("Other delays", "seed", lambda seed: seed != 291),
        ("On a ring", "network", lambda network: network == "ring:12"),
        ("On a tree", "network", lambda network: network.startswith("randomtree:12,")),
        ("Denser", "network", lambda network: network.startswith("gnm:12,34,")),
        ("Break something", "faults", lambda faults: [fault.do for fault in faults] == ["crash"]),
    ):
        play_to_the_end(window)
        before = window.session.experiment
        qtbot.mouseClick(offer(window, words), Qt.MouseButton.LeftButton)
        assert window.session.experiment is not None and good(getattr(window.session.experiment, part)), words
        wait_for_play(window, qtbot)
        window.session.undo.undo()
        assert window.session.experiment == before, words
        rest(window, qtbot)


def test_a_crash_affects_the_selected_process_once(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.playhead.seek(7.0)
    window.playhead.pick(Hit("process", 6))
    window.offers.break_something()
    wait_for_play(window, qtbot)
    assert window.session.experiment is not None
    assert [fault.process for fault in window.session.experiment.faults] == ["6"]
    assert window.session.undo.undo_text == "crash of 6"
    timeline = window.playhead.timeline
    assert timeline is not None and [KINDS[kind] for kind in timeline.kind].count("crash") == 1
    window.offers.break_something()
    wait_for_play(window, qtbot)
    names = [fault.process for fault in window.session.experiment.faults]
    assert len(set(names)) == len(names) == 2


def test_a_recorded_run_without_its_experiment_is_explained(open_window: Open) -> None:
    window = open_window()
    window.session.experiment = None
    for name in ("other_chances", "try_ring", "break_something"):
        window.status.say("")
        window.actions_by_name[name].trigger()
        assert "recorded without its experiment" in window.status.label.text()


# ---------------------------------------------------------------------- the choice of network and process


@pytest.mark.parametrize(
    ("kind", "n", "m", "wanted"),
    [
        ("ring", 12, 17, "ring:12"),
        ("ring", 1, 0, "ring:3"),
        ("tree", 12, 17, "randomtree:12,seed=4"),
        ("denser", 12, 17, "gnm:12,34,seed=4"),
        ("denser", 5, 10, "gnm:5,10,seed=4"),
        ("denser", 4, 0, "gnm:4,4,seed=4"),
    ],
)
def test_another_network_of_the_same_size_is_offered(kind: str, n: int, m: int, wanted: str) -> None:
    assert network_like(kind, n, m, 4) == wanted
    network = archive().network(wanted)
    assert network.n == max(n, 3) and network.initiators


def test_the_process_to_crash_has_begun_and_not_finished() -> None:
    timeline = Timeline(Simulator(archive().experiment("two-wings")).run().trace)
    gone: set[str | None] = set()
    while (found := victim(timeline, [], gone)) is not None:
        name, t = found
        times = timeline.time[timeline.events_of(timeline.processes.index(name))]
        assert name not in gone and times[0] < t < times[-1]
        gone.add(name)
    assert len(gone) > 6
    assert victim(timeline, [3], set())[0] == "3"  # type: ignore[index]


# ---------------------------------------------------------------------- a run without events


def test_first_commands_are_offered_when_processes_only_start(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    text = 'protocol = "suzuki-kasami"\nnetwork = "complete:3"\n[parameters]\nkeen = false\n'
    (tmp_path / "idle.toml").write_text(f'{text}[timing]\ninitiators = "all"\n', encoding="utf-8")
    window = open_window(tmp_path / "idle.toml")
    window.session.run()
    rest(window, qtbot)
    window.playhead.seek(window.playhead.end)
    assert window.bottom.narration.plain.startswith("Nothing happened after the start: every process waits for one")
    shown = [button.text() for button in window.bottom.narration.buttons if not button.isHidden()]
    assert shown == ["Make something happen"] and set(window.stage.checks.states()) == {None}
    window.bottom.narration.buttons[-1].click()
    qtbot.waitUntil(lambda: window.playhead.events > 6 and whole(window), timeout=20_000)


def test_a_run_without_events_is_explained_with_first_commands(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(WAITS.lstrip(), encoding="utf-8")
    (tmp_path / "waits.toml").write_text('protocol = "./waits.py"\nnetwork = "complete:3"\n', encoding="utf-8")
    window = open_window(tmp_path / "waits.toml")
    window.session.run()
    rest(window, qtbot)
    why = "Nothing happened: every process waits for a command Want, but none is given."
    assert window.bottom.narration.plain == window.status.label.text() == why
    assert window.stage.checks.states() == [None, None, None]
    assert "no event has happened" in window.stage.checks.item(0).toolTip()
    shown = [button.text() for button in window.bottom.narration.buttons if not button.isHidden()]
    assert shown == ["Make something happen"]
    qtbot.mouseClick(offer(window, "Make something happen"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.playhead.events > 6 and whole(window), timeout=20_000)
    assert window.session.undo.undo_text == "first commands"
    assert not any(button.isVisible() for button in window.bottom.narration.buttons)
