"""The panels of enabled events and of a played process, with a real simulator but no child process."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.live.choosing.cardlist import CardModel
from lydian.app.live.choosing.player import PlayerPanel
from lydian.app.live.choosing.tray import Tray
from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.desk.playhead import Playhead
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.events import Kind
from lydian.views.network.basic import frame
from lydian.views.playback.dealing import choosable
from lydian.views.playback.enabled import Card, Situation, cards
from lydian.views.selection import Hit, Selection
from tests.app.livefake import FakeLive

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

RING = Network(
    "ring",
    tuple("012345"),
    tuple(Link(str(i), str((i + 1) % 6)) for i in range(6)),
    ("0",),
    delay=parse("uniform(0.5, 1.5)"),
)


def experiment(**more: Any) -> Experiment:
    return Experiment(name="test", protocol="echo", network=RING, seed=4, **more)


class Desk:
    """A play head, a live run, the tray and the player's panel, as used by the tests."""

    def __init__(self, qtbot: QtBot, what: Experiment, **more: Any) -> None:
        self.head = Playhead()
        self.live = FakeLive(what, self.head, **more)
        self.tray = Tray(self.live, self.head, Theme())  # type: ignore[arg-type]
        self.player = PlayerPanel(self.live, self.tray.chooser, Theme())  # type: ignore[arg-type]
        for widget in (self.tray, self.player):
            qtbot.addWidget(widget)
            widget.resize(340, 480)
            with qtbot.waitExposed(widget):
                widget.show()

    def titles(self) -> list[str]:
        return [item if isinstance(item, str) else item.title for item in self.tray.list.rows.items]

    def events(self) -> int:
        return 0 if self.head.timeline is None else self.head.timeline.length


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    desk = Desk(qtbot, experiment())
    desk.live.step()  # process 0 starts
    return desk


def press(qtbot: QtBot, desk: Desk, key: Qt.Key) -> None:
    qtbot.keyClick(desk.tray.list, key)


# ---------------------------------------------------------------------- choosing


def test_enabled_events_are_listed_earliest_first(desk: Desk) -> None:
    assert sorted(desk.titles()) == ["Broadcast 0 → 1", "Broadcast 0 → 5"]
    first = desk.tray.list.current
    assert first is not None and first.title == desk.titles()[0]
    assert desk.tray.list.rows.first == first.key


def test_a_double_click_lets_a_later_event_happen_first(qtbot: QtBot, desk: Desk) -> None:
    later = desk.tray.list.rows.index(1)
    wanted = desk.titles()[1]
    place = desk.tray.list.visualRect(later).center()
    qtbot.mouseClick(desk.tray.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(desk.tray.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    number = int(wanted.rpartition(" ")[2])
    assert desk.live.told == [({"do": "deliver", "message": 0 if number == 1 else 1}, f"{wanted} first")]
    assert wanted not in desk.titles()
    timeline = desk.head.timeline
    assert timeline is not None and timeline.processes[int(timeline.process[timeline.kind == Kind.RECEIVE][-1])] == str(
        number
    )


def test_choosing_the_next_event_is_not_an_interference(qtbot: QtBot, desk: Desk) -> None:
    steps = desk.live.steps
    press(qtbot, desk, Qt.Key.Key_Return)
    assert desk.live.steps == steps + 1 and desk.live.told == []
    assert not desk.live.simulator.accepted


def test_numbers_choose_events_and_a_highlight_remains(qtbot: QtBot, desk: Desk) -> None:
    second = desk.titles()[1]
    press(qtbot, desk, Qt.Key.Key_2)
    assert [text for _, text in desk.live.told] == [f"{second} first"]
    press(qtbot, desk, Qt.Key.Key_9)  # fewer events are listed
    assert len(desk.live.told) == 1
    assert desk.tray.list.current is not None


def test_space_and_right_choose_only_when_the_user_chooses_every_event(qtbot: QtBot, desk: Desk) -> None:
    before = desk.events()
    press(qtbot, desk, Qt.Key.Key_Right)
    assert desk.events() == before
    desk.tray.list.keys = True
    press(qtbot, desk, Qt.Key.Key_Right)
    press(qtbot, desk, Qt.Key.Key_Space)
    assert desk.events() > before + 1


def test_the_buttons_work(qtbot: QtBot, desk: Desk) -> None:
    steps = desk.live.steps
    qtbot.mouseClick(desk.tray.take_next, Qt.MouseButton.LeftButton)
    assert desk.live.steps == steps + 1
    before = desk.events()
    qtbot.mouseClick(desk.tray.take_any, Qt.MouseButton.LeftButton)
    middle = desk.events()
    assert middle > before
    qtbot.mouseClick(desk.tray.choose_now, Qt.MouseButton.LeftButton)
    assert desk.events() > middle


def test_a_whole_run_can_be_made_by_choosing_the_last_event(qtbot: QtBot, desk: Desk) -> None:
    """Even this schedule, as unusual as possible, satisfies the properties of ECHO."""
    for _ in range(200):
        cards = [card for card in desk.tray.list.rows.cards() if choosable(card)]
        if not cards:
            break
        assert desk.tray.chooser.choose(cards[-1])
    simulator = desk.live.simulator
    assert desk.live.pending == () and "All processes wait" in desk.tray.empty.sentence.text()
    assert simulator.execution.decided == {"0": "everybody has heard"}
    assert simulator.kernel.counts()[1] == 4 * 6 - 2 * 6 + 2
    again = type(simulator)(simulator.recorded).run()
    assert again.fingerprint == simulator.trace.fingerprint()


def test_a_refused_event_explains_why_on_its_card(qtbot: QtBot) -> None:
    network = Network("pair", ("0", "1"), (Link("0", "1"),), ("0",), delay=parse("constant(1)"), order="fifo")
    source = "flooding"
    desk = Desk(qtbot, Experiment(name="test", protocol=source, network=network, seed=1))
    desk.live.act({"do": "inject", "link": ["0", "1"], "label": desk.live.simulator.protocol.messages[0].__name__})
    desk.live.act({"do": "inject", "link": ["0", "1"], "label": desk.live.simulator.protocol.messages[0].__name__})
    late = max((card for card in desk.tray.chooser.cards if card.kind == "receive"), key=lambda card: card.message)
    assert desk.tray.chooser.choose(late)
    reason = desk.tray.list.rows.refused[late.key]
    assert reason == "Refused: link 0-1 is FIFO; message 0 must be delivered first."
    row = desk.tray.list.rows.index(desk.tray.list.rows.row_of(late.key))
    assert reason in row.data(Qt.ItemDataRole.ToolTipRole)
    desk.live.step()
    assert not desk.tray.list.rows.refused


def test_a_planned_fault_cannot_be_chosen(qtbot: QtBot) -> None:
    desk = Desk(qtbot, experiment(faults=(Intervention(time=9.0, do="crash", process="3"),), breaks=("all",)))
    card = next(card for card in desk.tray.chooser.cards if card.kind == "fault")
    assert not desk.tray.chooser.choose(card) and desk.live.told == []
    desk.tray.list.make_current(card)
    assert not desk.tray.choose_now.isEnabled()


def test_the_past_is_labelled_and_choosing_returns_to_the_present(qtbot: QtBot, desk: Desk) -> None:
    for _ in range(4):
        desk.live.step()
    desk.head.seek(0.0)
    assert desk.tray.chooser.behind and "show time 0.00" in desk.tray.remark.text() and desk.tray.to_now.isVisible()
    qtbot.mouseClick(desk.tray.to_now, Qt.MouseButton.LeftButton)
    assert not desk.tray.chooser.behind and not desk.tray.remark.isVisible()
    desk.head.seek(0.0)
    later = [card for card in desk.tray.list.rows.cards() if choosable(card)][-1]
    desk.tray.chooser.choose(later)
    assert not desk.tray.chooser.behind


# ---------------------------------------------------------------------- the list


def test_events_are_ordered_grouped_and_filtered(qtbot: QtBot, desk: Desk) -> None:
    desk.tray.sort("process")
    assert desk.titles() == ["Process 1 · asleep", "Broadcast 0 → 1", "Process 5 · asleep", "Broadcast 0 → 5"]
    desk.tray.group(False)
    assert desk.titles() == ["Broadcast 0 → 1", "Broadcast 0 → 5"]
    desk.head.select(Selection(processes=frozenset({5})))
    desk.tray.where.setCurrentIndex(1)
    assert desk.titles() == ["Broadcast 0 → 5"]
    desk.head.select(Selection(processes=frozenset({2})))
    assert desk.titles() == [] and "have no enabled event now" in desk.tray.empty.sentence.text()
    qtbot.mouseClick(desk.tray.empty.button, Qt.MouseButton.LeftButton)
    assert len(desk.titles()) == 2


def test_a_record_offers_to_go_live(qtbot: QtBot) -> None:
    desk = Desk(qtbot, experiment(), on=False)
    assert desk.tray.empty.sentence.text() == "Go live to choose what happens next."
    qtbot.mouseClick(desk.tray.empty.button, Qt.MouseButton.LeftButton)
    assert desk.live.on and desk.titles() == ["0 starts"]


def test_unlisted_events_are_counted(qtbot: QtBot) -> None:
    desk = Desk(qtbot, experiment(), most=1)
    said: list[str] = []
    desk.tray.titled.connect(said.append)
    desk.live.step()
    assert said[-1] == "1 of 2"
    assert desk.tray.remark.text() == "The 1 earliest of 2 are listed."


def test_a_refresh_keeps_rows_and_highlight_without_a_reset(qtbot: QtBot, desk: Desk) -> None:
    for _ in range(5):
        desk.live.step()
    rows = desk.tray.list.rows
    resets: list[int] = []
    rows.modelReset.connect(lambda: resets.append(1))
    last = rows.cards()[-1]
    desk.tray.list.make_current(last)
    before = {card.key for card in rows.cards()}
    desk.live.step()
    assert not resets
    assert desk.tray.list.current is not None and desk.tray.list.current.key == last.key
    assert {card.key for card in rows.cards()} != before


def test_the_list_does_not_move_under_the_pointer_during_a_run(qtbot: QtBot, desk: Desk) -> None:
    view = desk.tray.list.viewport()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Enter))
    desk.live.waiting = False
    before = desk.titles()
    desk.live.step()
    desk.tray.refresh()
    assert desk.titles() == before and "does not change" in desk.tray.remark.text()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert desk.titles() != before


def test_pointer_and_keyboard_highlight_the_subject_of_a_card(qtbot: QtBot, desk: Desk) -> None:
    card = desk.tray.list.current
    assert isinstance(card, Card)
    place = desk.tray.list.visualRect(desk.tray.list.rows.index(1)).center()
    other = desk.tray.list.rows.cards()[1]
    qtbot.mouseMove(desk.tray.list.viewport(), QPoint(3, 3))
    qtbot.mouseMove(desk.tray.list.viewport(), place)
    assert desk.head.hover == Hit("message", other.message)
    QApplication.sendEvent(desk.tray.list.viewport(), QEvent(QEvent.Type.Leave))
    assert desk.head.hover is None
    desk.head.point_at(Hit("message", card.message))
    assert desk.tray.list.about(card) and not desk.tray.list.about(other)
    QApplication.sendEvent(desk.tray.list.viewport(), QEvent(QEvent.Type.Leave))
    assert desk.head.hover == Hit("message", card.message), "somebody else's"


def test_every_card_is_described_to_a_screen_reader(desk: Desk) -> None:
    rows = desk.tray.list.rows
    told = [rows.index(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(rows.rowCount())]
    assert all("Broadcast 0 → " in text and "asleep: adopt" in text and " at " in text for text in told)


def test_two_hundred_cards_are_drawn_by_one_delegate(qtbot: QtBot) -> None:
    names = tuple(str(i) for i in range(201))
    star = Network(
        "star", names, tuple(Link("0", name) for name in names[1:]), ("0",), delay=parse("uniform(0.5, 1.5)")
    )
    desk = Desk(qtbot, Experiment(name="test", protocol="echo", network=star, seed=1))
    desk.live.step()
    assert desk.tray.list.rows.rowCount() == 200 and not desk.tray.list.viewport().findChildren(QApplication)
    image = QImage(desk.tray.size(), QImage.Format.Format_RGB32)
    desk.tray.render(image)
    colours = {image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 3)}
    assert len(colours) > 8
    numbers = [desk.tray.list.rows.number(card) for card in desk.tray.list.rows.cards()]
    assert numbers[:10] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]


@given(some.lists(some.lists(some.integers(0, 12), unique=True, max_size=9), max_size=6))
@settings(deadline=None)
def test_the_list_equals_the_last_update(deals: list[list[int]]) -> None:
    model = CardModel()
    for deal in deals:
        told = [{"kind": "receive", "time": float(at), "process": "a", "from": "b", "label": "Wave", "message": at,
                 "fields": {}, "action": None, "waits": False, "choose": {}} for at in deal]  # fmt: skip
        dealt = cards(told, Situation(names=("a", "b"), states=("x", "y")))
        wanted: list[Card | str] = ["Process a", *dealt] if len(deal) % 2 else list(dealt)
        model.show(wanted)
        assert model.items == wanted and model.rowCount() == len(wanted)
        assert [model.number(card) for card in model.cards()] == list(range(1, len(dealt) + 1))


# ---------------------------------------------------------------------- a process


def test_no_process_is_played_at_first(qtbot: QtBot, desk: Desk) -> None:
    assert "not playing a process" in desk.player.empty.sentence.text() and not desk.player.empty.button.isEnabled()
    wanted: list[int] = []
    desk.player.take_wanted.connect(lambda: wanted.append(1))
    desk.head.select(Selection(processes=frozenset({1})))
    assert desk.player.empty.button.text() == "Take over process 1"
    qtbot.mouseClick(desk.player.empty.button, Qt.MouseButton.LeftButton)
    assert wanted == [1]


def test_a_played_process_does_nothing_by_itself(qtbot: QtBot, desk: Desk) -> None:
    desk.live.act({"do": "take_over", "process": "1"})
    assert desk.player.name == "1" and desk.player.state.whole == "asleep"
    assert {cell.event: bool(cell.cards) for cell in desk.player.row.cells}["Broadcast"]
    for _ in range(60):
        desk.live.step()
    assert desk.player.chooser.now.states[1] == "sleeping", "it has handled nothing"
    items = [item if isinstance(item, str) else item.does for item in desk.player.list.rows.items]
    assert items[:2] == ["Arrived", "asleep: adopt"]
    qtbot.keyClick(desk.player.list, Qt.Key.Key_Return)
    assert desk.live.told[-1][1].startswith("1 takes Broadcast from ")
    assert desk.player.chooser.now.states[1] == "waiting" and desk.player.state.whole == "waiting"
    assert "parent" in desk.player.variables.text()


def test_a_whole_run_can_be_made_with_two_played_processes(qtbot: QtBot, desk: Desk) -> None:
    for name in "13":
        desk.live.act({"do": "take_over", "process": name})
    assert desk.player.mine() == ["1", "3"] and desk.player.back.isVisible()
    for _ in range(300):
        moved = False
        for _each in range(2):
            desk.player.turn(1)
            doors = [card for card in desk.player.list.rows.cards() if card.waits]
            if doors:
                desk.player.list.make_current(doors[-1])
                qtbot.mouseClick(desk.player.choose_now, Qt.MouseButton.LeftButton)
                moved = True
        if desk.tray.take_next.isEnabled():
            qtbot.mouseClick(desk.player.others, Qt.MouseButton.LeftButton)
            moved = True
        if not moved:
            break
    assert desk.live.simulator.execution.decided == {"0": "everybody has heard"}
    assert {text.partition(" takes ")[0] for _, text in desk.live.told if " takes " in text} == {"1", "3"}


def test_a_move_without_an_action_in_the_table_is_refused(qtbot: QtBot) -> None:
    desk = Desk(qtbot, experiment())
    desk.live.step()
    desk.live.act({"do": "take_over", "process": "0"})
    desk.live.act({"do": "wake", "process": "0"})
    card = next((card for card in desk.player.list.rows.cards() if card.kind == "init"), None)
    assert card is not None and card.warning.startswith("Its table has no action for the start")
    desk.tray.chooser.choose(card, by_process=True)
    assert "no @on(INITIATING, INIT)" in desk.player.list.rows.refused[card.key]


def test_a_click_on_a_highlighted_cell_executes_its_first_event(qtbot: QtBot, desk: Desk) -> None:
    desk.live.act({"do": "take_over", "process": "1"})
    row = desk.player.row
    number = next(i for i, cell in enumerate(row.cells) if cell.cards)
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=row._chips(row.width())[number].center())
    assert desk.live.told[-1] == ({"do": "deliver", "message": row_message(desk)}, "1 takes Broadcast from 0")


def row_message(desk: Desk) -> int:
    timeline = desk.head.timeline
    assert timeline is not None
    return int(timeline.message[timeline.kind == Kind.RECEIVE][-1])


def test_the_card_can_stop_playing_its_process(qtbot: QtBot, desk: Desk) -> None:
    desk.live.act({"do": "take_over", "process": "1"})
    asked: list[str] = []
    desk.player.release_wanted.connect(asked.append)
    qtbot.mouseClick(desk.player.give, Qt.MouseButton.LeftButton)
    assert asked == ["1"]
    desk.live.act({"do": "release", "process": "1"})
    assert desk.player.name == ""


def test_a_played_process_is_marked_with_a_hand(qtbot: QtBot, desk: Desk) -> None:
    theme = Theme()

    def picture() -> tuple[QImage, float, float, str]:
        shown = frame(desk.head.timeline, desk.head.t, animation=desk.head.animation)
        painter = BasicPainter(theme)
        box = QRectF(0, 0, 500, 400)
        image = QImage(500, 400, QImage.Format.Format_RGB32)
        p = QPainter(image)
        painter.paint(p, box, shown)
        p.end()
        m = painter.map(box, shown)
        x, y = m.points[2].tolist()
        return image, x - m.d * 0.48 - m.d * 0.2, y - m.d * 0.42, painter.tooltip(Hit("process", 2), shown)

    accent = theme.color("accent.base").rgb()
    before, x, y, tip = picture()
    assert before.pixel(round(x), round(y)) != accent and "plays it" not in tip
    desk.live.act({"do": "take_over", "process": "2"})
    after, x, y, tip = picture()
    assert after.pixel(round(x), round(y)) == accent and "taken over" in tip
