"""A class in the window: hosting, people, rounds, a player's panel, the projector; two windows on a real host."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.classroom.charts import binned
from lydian.app.classroom.forms import AskForm, HostForm, JoinForm, MischiefForm
from lydian.app.classroom.people import rows_of
from lydian.app.classroom.roundbar import Clock, remaining
from lydian.app.look.theme import Theme
from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.classroom import frames
from lydian.classroom.join import Joined
from lydian.desk.hosting import Interrupted, Joining, Person, interrupted, remember
from tests.app.conftest import Open, one_window, rest
from tests.classroom.fakehost import FakeHost, person

pytestmark = [pytest.mark.usefixtures("qapp"), pytest.mark.qt_log_ignore("This plugin does not support", "propagate")]
OFFERS = [
    {"id": "m1", "title": "Request from 1", "text": "time 1", "head": "Request", "value": None},
    {"id": "apples", "title": "Put apples", "text": "", "head": "", "value": {"least": 0, "most": 9, "start": 4}},
    {"id": "rest", "title": "Take nothing", "text": "", "head": "", "value": None},
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[MainWindow]:
    with one_window(tmp_path_factory.mktemp("home"), "lamport-mutex-users") as window:
        yield window


@pytest.fixture
def window(shared: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    rest(shared, qtbot)
    yield shared
    room = shared.classroom
    for part in (room.hosting, room.joining):
        if part.on:
            part.conversation.end()  # type: ignore[attr-defined]
    room._close_sheet()
    shared.desk.notices.close()
    qtbot.waitUntil(lambda: not shared.desk.memory._later.active)  # what has changed is kept after a while


@pytest.fixture
def fake(window: MainWindow) -> FakeHost:
    """Return the host of a class that the window has begun by its form."""
    room = window.classroom
    made = FakeHost(room.hosting)
    assert window.desk.commands.do("class_host")
    assert isinstance(room.sheet, HostForm)
    room.sheet.send()
    made.welcome()
    made.room("door", people=3, watching=1, free=4)
    made.people(person(2, "Ana", "0", "waiting"), person(3, "Ben", "1", "waiting"), person(4, "Wen", hand=True))
    return made


def words(widget: QWidget) -> str:
    """Return all that can be read or heard in a part of the window."""
    parts = [widget, *widget.findChildren(QWidget)]
    told = [each.text() for each in parts if isinstance(each, QLabel)]
    told += [getattr(each, name)() for each in parts for name in ("accessibleName", "accessibleDescription", "toolTip")]
    return " | ".join(filter(None, told))


# ---------------------------------------------------------------------- small parts


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0:00"), (0.2, "0:01"), (23, "0:23"), (61.5, "1:02")])
def test_time_left_is_shown_in_minutes_and_whole_seconds(seconds: float, shown: str) -> None:
    assert remaining(seconds) == shown


def test_the_clock_ticks_only_while_time_passes(qtbot: QtBot) -> None:
    now = [100.0]
    clock = Clock(Theme("light"), lambda: now[0])
    qtbot.addWidget(clock)
    clock.say(145.0, None, 45.0)
    assert clock._timer
    now[0] = 122.0
    assert clock.seconds == 23.0
    clock.say(None, 23.0, 45.0)
    assert (clock.seconds, clock._timer) == (23.0, 0)


@pytest.mark.parametrize(
    ("bars", "shown"),
    [
        ([], []),
        ([[3, 2], [5, 1]], [("3", 2), ("4", 0), ("5", 1)]),
        ([[0, 1], [99, 2]], [("0", 1), ("99", 2)]),
        ([["yes", 2], ["no", 1]], [("yes", 2), ("no", 1)]),
        ([[each, 1] for each in range(30)], [(f"{k}–{k + 2}", 3) for k in range(0, 30, 3)]),
    ],
)
def test_answers_become_bars(bars: list[list[Any]], shown: list[tuple[str, int]]) -> None:
    assert [(label, count) for label, count, _values in binned(bars)] == shown


def test_a_row_says_what_somebody_is_doing() -> None:
    people = {
        "0": Person(1, "Ana", "0", "chosen"), "1": Person(2, "Ben", "1", "choosing"),
        "2": Person(3, "Eva", "2", "away", due=104.0), "3": Person(4, "Ida", "3", "waiting"),
    }  # fmt: skip
    rows = rows_of(["0", "1", "2", "3", "4"], lambda _process: 0, people)
    assert [(row.name, row.status(100.0)[1]) for row in rows] == [
        ("Ana", "chosen"), ("Ben", "choosing…"), ("Eva", "back in 0:04"), ("Ida", "here"), ("the program", "by itself"),
    ]  # fmt: skip


def test_forms_say_what_is_missing(qtbot: QtBot) -> None:
    theme = Theme("light")
    join, ask = JoinForm(theme, {}), AskForm(theme)
    mischief = MischiefForm(theme, ["0", "1"], [("0", "1")], lambda process: {"x": 3} if process == "0" else {})
    for form in (join, ask, mischief):
        qtbot.addWidget(form)
    sent: list[dict[str, Any]] = []
    for form in (join, ask, mischief):
        form.sent.connect(sent.append)
        form.send()
        assert not form.problem.isHidden()
    assert sent == []
    join.form.say({"url": "http://192.168.4.20:8642/?code=ring-4127", "name": "Zoe"})
    join.send()
    ask.form.say({"text": "Who wins?", "form": "choice", "choices": "Ana, Ben", "seconds": 30})
    ask.send()
    assert sent[0]["name"] == "Zoe"
    assert AskForm.request(sent[1]) == {"text": "Who wins?", "form": "choice", "choices": ["Ana", "Ben"],
                                        "seconds": 30.0}  # fmt: skip
    mischief.form.say({"value": "7"})
    mischief.send()
    assert MischiefForm.request(sent[2]) == {"do": "corrupt", "process": "0", "variable": "x", "value": 7}
    mischief.form.say({"do": "link_down"})
    mischief.send()
    assert MischiefForm.request(sent[3]) == {"do": "link_down", "link": ["0", "1"]}


# ---------------------------------------------------------------------- hosting


def test_hosting_shows_the_room_and_ending_puts_everything_back(window: MainWindow, fake: FakeHost) -> None:
    room, commands = window.classroom, window.desk.commands
    request = fake.told[0]
    assert isinstance(request, frames.Host)
    assert request.lan
    assert room.left.isVisible()
    assert room.bar.isVisible()
    assert room.join_card.code.text() == "ring-4127"
    assert room.join_card.address.text() == "192.168.4.20:8642"
    assert commands.why_not("class_host")
    assert commands.why_not("class_undo")
    assert not commands.why_not("class_next")
    room.end()
    assert fake.leads()[-1][0] == "end"
    fake.end()
    assert not room.left.isVisible()
    assert not room.bar.isVisible()
    assert not commands.why_not("class_host")
    assert commands.why_not("class_next")


def test_the_filled_button_leads_through_the_rounds(window: MainWindow, fake: FakeHost) -> None:
    room, bar = window.classroom, window.classroom.bar
    asked: list[tuple[str, str]] = []
    states = (("door", 0), ("open", 1), ("between", 1), ("open", 2))
    for phase, number in states:
        fake.room(phase, number, left=23.0, of=45.0, chosen=1, choosing=2)
        bar.main.click()
        asked.append((bar.main.accessibleName(), fake.leads()[-1][0]))
    assert asked == [
        ("Begin", "begin"), ("Close the round", "close"), ("Next round", "next"), ("Close the round", "close"),
    ]  # fmt: skip
    assert bar.clock.seconds is not None
    assert (bar.progress.done, bar.progress.of) == (1, 2)
    fake.room("moving", 2)
    assert not bar.main.isEnabled()
    room.undo()
    assert fake.leads()[-1] == ("undo", {})


def test_undo_during_a_round_first_puts_that_round_back(window: MainWindow, fake: FakeHost) -> None:
    fake.room("open", 1)
    assert window.desk.commands.why_not("class_undo")
    fake.room("open", 6, choosing=1)
    assert window.classroom.bar.undo.accessibleName() == "Undo round 5"
    before = len(fake.leads())
    assert window.desk.commands.do("class_undo")
    assert fake.leads()[before:] == [("undo", {}), ("undo", {})]


def test_space_pauses_for_all_while_a_round_is_open(window: MainWindow, fake: FakeHost) -> None:
    fake.room("open", 1, left=23.0, of=45.0, choosing=2)
    window.desk.commands.do("play")
    assert fake.leads()[-1] == ("pause", {})
    fake.room("open", 1, paused=True, left=23.0, of=45.0, choosing=2)
    assert window.classroom.bar.title.text() == "Paused"
    assert window.classroom.bar.clock.seconds == 23.0
    window.desk.commands.do("play")
    assert fake.leads()[-1] == ("resume", {})


def test_nothing_that_is_sealed_can_be_read(window: MainWindow, fake: FakeHost) -> None:
    fake.room("open", 1, left=23.0, of=45.0, chosen=1, choosing=2)
    secret = {"chosen": "m1", "offer": "Request from 1", "value": 7, "picture": "Request from 1"}
    fake.people(person(2, "Ana", "0", "chosen", **secret), person(3, "Ben", "1"), log=("Ana plays process 0.",))
    assert "Request from 1" not in words(window.centralWidget())
    rows = window.classroom.people.list
    told = [rows.item(k).data(Qt.ItemDataRole.AccessibleTextRole) for k in range(rows.count())]
    assert told[:3] == ["0, Ana, chosen", "1, Ben, choosing…", "2, the program, by itself"]


def test_the_menu_of_a_person(window: MainWindow, fake: FakeHost) -> None:
    room = window.classroom
    ana = room.hosting.players["0"]
    menu = room.people.menu(ana, "0")
    labels = [each.text().replace("&", "") for each in menu.actions() if each.text()]
    assert labels == ["Give a process", "Take back process 0", "Rename for the class…", "Remove from the class"]
    menu.actions()[1].trigger()
    assert fake.leads()[-1] == ("take", {"process": "0"})
    menu.actions()[-1].trigger()
    assert fake.leads()[-1] == ("remove", {"person": 2})
    assert room.toast.isVisible()
    room.toast.button.click()
    assert fake.leads()[-1] == ("admit", {"person": 2})
    menu.actions()[2].trigger()
    room.people.rename.field.setText("Anna")
    room.people.rename._take()
    assert fake.leads()[-1] == ("rename", {"person": 2, "name": "Anna"})
    menu.deleteLater()


def test_the_menu_key_opens_the_menu_of_a_row(window: MainWindow, fake: FakeHost, qtbot: QtBot) -> None:
    rows = window.classroom.people.list
    asked: list[Any] = []
    rows.asked.connect(lambda row, _at: asked.append(row.process))
    rows.setCurrentRow(1)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
    rows.contextMenuEvent(event)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    assert asked == ["1"]


def test_a_question_is_put_and_its_answers_are_shown_only_when_told(window: MainWindow, fake: FakeHost) -> None:
    room = window.classroom
    assert window.desk.commands.do("class_ask")
    assert isinstance(room.sheet, AskForm)
    room.sheet.form.say({"text": "How many rounds?"})
    room.sheet.send()
    assert fake.leads()[-1] == ("ask", {"text": "How many rounds?", "form": "number"})
    fake.heard.emit(frames.Question(1, "How many rounds?", "number"))
    fake.heard.emit(frames.Histogram(1, [[3, 1], [5, 2]], 3, 4))
    fake.room("door", question={"number": 1})
    card = room.right.question
    assert card.count.text() == "3 of 4 answered; only you see this"
    assert card.histogram.accessibleDescription() == "3: 1 answer; 5: 2 answers"
    card.show_all.click()
    assert fake.leads()[-1] == ("tell", {"question": 1})
    fake.heard.emit(frames.Histogram(1, [[3, 1], [5, 2]], 3, 4, right=5, shown=True))
    assert card.show_all.isHidden()
    assert card.histogram.right == 5


def test_acts_and_the_figure_of_a_game(window: MainWindow, fake: FakeHost) -> None:
    fake.welcome(acts=[["Pass the word", "Nothing goes wrong"], ["Mischief", "Five apples move"]])
    figure = {"title": "Who may speak", "unit": "may speak", "goal": 1, "words": "as it should be: one",
              "points": [[1, 1], [2, 5]]}  # fmt: skip
    fake.room("between", 2, act=0, figure=figure)
    right = window.classroom.right
    assert [row.accessibleName() for row in right.acts.rows] == ["1. Pass the word, now", "2. Mischief, later"]
    right.acts.rows[1].click()
    assert fake.leads()[-1] == ("act", {"act": 1})
    assert right.figure.isVisible()
    assert right.curve.accessibleDescription() == "after round 2: 5"
    right.curve.grab()


def test_refused_decisions_are_said(window: MainWindow, fake: FakeHost) -> None:
    window.classroom.hosting.lead("undo")
    fake.answer(False, "there is no round to undo")
    assert window.desk.notices.text == "There is no round to undo."


def test_the_host_that_dies_says_what_remains(window: MainWindow, fake: FakeHost, tmp_path: Path) -> None:
    room = window.classroom
    fake.room("between", 6)
    file = tmp_path / "ring-4127.class"
    file.write_text("{}")
    room.hosting.file = file
    fake.end("It was killed.")
    assert "saved up to round 6" in window.desk.notices.text
    assert window.desk.notices.shown is not None
    assert window.desk.notices.shown.button == "Resume"
    assert not room.on


def test_the_run_of_the_class_is_shown_in_all_views(window: MainWindow, fake: FakeHost, qtbot: QtBot) -> None:
    fake.begun()
    fake.grow(20)
    qtbot.waitUntil(lambda: window.playhead.timeline is not None and window.playhead.timeline.length == 20)
    fake.room("open", 1, choosing=2)
    timeline, room = window.playhead.timeline, window.classroom
    assert timeline is not None and window.playhead.animation is not None
    for at, process in enumerate(timeline.processes):
        now = {name: value for name, (value, _event) in timeline.variables(at, 20).items()}
        assert room._variables(process) == now
        state = timeline.states[timeline.states_at(20)[at]]
        assert room.slot(process) == window.playhead.animation.slot(state)
    assert window.playhead.unending
    window.classroom.marks.grab()
    assert "fault" not in window.desk.commands.why_not("class_mischief")
    assert window.desk.commands.why_not("mode_live")


@pytest.mark.parametrize("phase", ["door", "open", "between"])
@pytest.mark.parametrize("many", [False, True])
def test_the_projector_shows_the_class(window: MainWindow, fake: FakeHost, phase: str, many: bool) -> None:
    room = window.classroom
    if many:
        names = [str(k) for k in range(30)]
        fake.welcome(processes=names, links=[], places=[])
        fake.people(*(person(k + 2, f"P{k}", str(k) if k < 30 else None) for k in range(50)))
    fake.room(phase, 0 if phase == "door" else 2, people=3, free=4, left=4.0, of=45.0, chosen=1, choosing=2)
    assert window.desk.commands.do("class_projector")
    projector = room.projector
    assert projector is not None
    assert "ring-4127" in projector.accessibleDescription()
    fake.people(person(2, "Ana", "0", "chosen"), person(9, "Tove"))
    image = projector.grab().toImage()
    assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}) > 4
    projector.begin.click()
    assert fake.leads()[-1][0] == {"door": "begin", "open": "close", "between": "next"}[phase]
    projector.close()
    assert room.projector is None


# ---------------------------------------------------------------------- taking part


@pytest.fixture
def seat(window: MainWindow) -> FakeHost:
    """Return the host of a class in which the window plays process 5."""
    room = window.classroom
    made = FakeHost(room.joining)
    assert window.desk.commands.do("class_join")
    assert isinstance(room.sheet, JoinForm)
    room.sheet.form.say({"url": "192.168.4.20:8642", "code": "ring-4127", "name": "Zoe"})
    room.sheet.send()
    made.welcome("player", "5")
    made.room("open", 1, left=23.0, of=45.0, choosing=2)
    made.seat([dict(each) for each in OFFERS])
    return made


def test_a_player_marks_an_offer_and_seals_it(window: MainWindow, seat: FakeHost, qtbot: QtBot) -> None:
    panel = window.classroom.seat
    assert panel.isVisible()
    assert not window.classroom.people.isVisible()
    assert list(panel.cards) == ["m1", "apples", "rest"]
    assert not panel.seal.isEnabled()
    before = len(seat.told)
    panel.cards["m1"].click()
    assert len(seat.told) == before
    assert panel.seal.accessibleName() == "Seal: Request from 1"
    panel.seal.click()
    assert seat.last == frames.Choose(1, 1, "m1", None)
    seat.seat([dict(each) for each in OFFERS], chosen="m1")
    seat.room("open", 1, left=20.0, of=45.0, chosen=1, choosing=2)
    assert panel.sealed.text() == "Sealed: Request from 1. Waiting for 1 more."
    qtbot.keyClick(panel, Qt.Key.Key_2)
    panel.cards["apples"].field.setValue(7)
    assert panel.seal.accessibleName() == "Seal: Put apples"
    seat.room("open", 1, left=19.0, of=45.0, chosen=2, choosing=3)  # what others do leaves the mark alone
    assert (panel.marked, panel.cards["apples"].field.value()) == ("apples", 7)
    panel.seal.click()
    assert seat.last == frames.Choose(2, 1, "apples", 7)
    seat.seat([dict(each) for each in OFFERS], chosen="apples", value=7)
    panel.cards["apples"].field.setValue(3)
    seat.room("open", 1, left=18.0, of=45.0, chosen=3, choosing=3)
    assert panel.cards["apples"].field.value() == 3 and panel.seal.isEnabled()


def test_a_player_sees_the_run_of_the_class_or_that_it_is_not_shown_yet(
    window: MainWindow, seat: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = window.classroom
    assert room.cover.isVisible() and not window.stage.isVisible() and not window.bottom.isVisible()
    monkeypatch.setattr(Joining, "seen", True)
    seat.room("open", 1, choosing=2)
    assert not room.cover.isVisible() and window.stage.isVisible() and window.bottom.isVisible()


def test_what_was_shown_before_is_back_after_a_class_that_was_not_shown(window: MainWindow, seat: FakeHost) -> None:
    run = window.session.shown
    seat.end()
    assert window.stage.isVisible() and window.bottom.isVisible() and not window.classroom.cover.isVisible()
    assert window.session.shown is run and run is not None


def test_while_the_moves_happen_nothing_can_be_chosen(window: MainWindow, seat: FakeHost) -> None:
    panel = window.classroom.seat
    panel.take("rest")
    seat.seat([dict(each) for each in OFFERS], chosen="rest")
    assert panel.sealed.isVisible() and panel.seal.isVisible()
    seat.room("moving", 1, choosing=1, chosen=1)
    assert panel.heading.text() == "All moves happen now."
    assert not panel.seal.isVisible() and not panel.sealed.isVisible()
    assert not any(card.isEnabled() for card in panel.cards.values())
    seat.room("open", 1, choosing=1, chosen=1)
    assert panel.seal.isVisible() and all(card.isEnabled() for card in panel.cards.values())


def test_the_next_round_begins_without_a_mark(window: MainWindow, seat: FakeHost) -> None:
    panel = window.classroom.seat
    panel.take("rest")
    seat.heard.emit(frames.Story(1, "You took nothing.", None, next="Wait."))
    seat.room("between", 1)
    seat.seat([])
    assert panel.heading.text() == "Wait for the next round."
    assert panel.story.text() == "You took nothing. Wait."
    seat.room("open", 2, choosing=1)
    seat.seat([dict(each) for each in OFFERS], round_=2)
    assert panel.marked == ""
    assert not panel.seal.isEnabled()


def test_somebody_who_watches_answers_questions(window: MainWindow, seat: FakeHost) -> None:
    room = window.classroom
    seat.welcome("observer", None)
    assert room.seat.wait.isVisible()
    seat.heard.emit(frames.Question(1, "Who wins?", "choice", [["a", "Ana"], ["b", "Ben"]]))
    seat.room("open", 1, question={"number": 1})
    card = room.right.question
    card.choices.setCurrentIndex(1)
    card.reply.click()
    assert seat.last == frames.Reply(1, "b")
    seat.heard.emit(frames.Histogram(1, [], 1, 2, mine="b"))
    assert card.count.text() == "your answer: b"
    room.bar.hand.click()
    assert seat.last == frames.Hand(True)
    room.bar.leave.click()
    assert not room.on


def test_a_class_that_cannot_be_joined_says_why(window: MainWindow, seat: FakeHost) -> None:
    seat.heard.emit(frames.told(b'{"kind": "error", "text": "there is no class at 192.168.4.20", "exit_code": 2}'))
    seat.end("")
    assert window.desk.notices.text == "There is no class at 192.168.4.20"


# ---------------------------------------------------------------------- with a real host


def test_an_interrupted_class_is_offered_at_the_next_start(home: Path, qtbot: QtBot, tmp_path: Path) -> None:
    saved = tmp_path / "ring-4127.class"
    saved.write_text("{}")
    first = make_window("two-wings")
    remember(first.settings.kept, Interrupted("ring-4127", saved, 6, False, 0))
    rest(first, qtbot)
    first.close()
    second = make_window("two-wings")
    rest(second, qtbot)
    offered = second.desk.notices.text
    second.desk.notices.refuse()
    second.close()
    for window in (first, second):
        window.deleteLater()
    assert offered == "The class ring-4127 was interrupted after 6 rounds; it is saved."


def test_closing_the_window_asks_once_what_becomes_of_the_class(window: MainWindow, fake: FakeHost) -> None:
    room = window.classroom
    for answer in ("Go on", "Esc"):
        assert not window.close()
        box = room.question
        assert box is not None
        assert box.text() == "The class ring-4127 is going on, with 3 people."
        if answer == "Esc":
            QTest.keyClick(box, Qt.Key.Key_Escape)
        else:
            next(each for each in box.buttons() if each.text().replace("&", "") == answer).click()
        assert room.question is None and room.on and window.isVisible()
    assert not window.close()
    assert room.question is not None
    assert room.may_close()
    room.question.done(0)
    assert not fake.leads()


def test_a_class_is_ended_with_its_window(home: Path, open_window: Open) -> None:
    window = open_window("lamport-mutex-users")
    fake = FakeHost(window.classroom.hosting)
    window.classroom.host()
    window.classroom.sheet.send()  # type: ignore[union-attr]
    fake.welcome()
    fake.room()
    assert not window.close()
    box = window.classroom.question
    assert box is not None
    next(each for each in box.buttons() if "End" in each.text()).click()
    assert fake.leads()[-1][0] == "end" and window.isVisible()
    fake.end()
    assert not window.isVisible()
    assert interrupted(window.settings.kept) is None


class Phone:
    """A phone's connection to a class, in a thread: it reconnects by itself, and keeps what it hears."""

    def __init__(self, url: str, code: str) -> None:
        self.heard: list[Any] = []
        self.joined = Joined(frames.Connect(url, code, "Zoe", "seat"), self._hear)
        self.welcomes: list[frames.Welcome] = []
        self.thread = threading.Thread(target=lambda: asyncio.run(self.joined.run()), name="phone")
        self.thread.start()

    def _hear(self, line: bytes) -> None:
        frame = frames.told(line)
        if isinstance(frame, frames.Welcome):
            self.welcomes.append(frame)
        self.heard.append(frame)


@pytest.mark.slow
def test_a_phone_reconnects_to_a_class_that_is_kept(home: Path, qtbot: QtBot) -> None:
    first = make_window("lamport-mutex-users")
    first.show()
    rest(first, qtbot)
    hosting = first.classroom.hosting
    first.classroom.host()
    sheet = first.classroom.sheet
    assert isinstance(sheet, HostForm)
    sheet.form.say({"reach": ""})
    sheet.send()
    qtbot.waitUntil(lambda: hosting.room is not None and hosting.code != "", timeout=30_000)
    assert hosting.welcome is not None
    code, address = hosting.code, hosting.welcome.address
    phone = Phone(address, code)
    try:
        qtbot.waitUntil(lambda: "0" in hosting.players, timeout=30_000)
        lead(qtbot, first, "class_next", "open", 1)
        lead(qtbot, first, "class_next", "between", 1)
        assert not first.close()
        box = first.classroom.question
        assert box is not None
        next(each for each in box.buttons() if "Keep" in each.text()).click()
        assert not first.isVisible()
        second = make_window("two-wings")
        rest(second, qtbot)
        assert second.desk.notices.text == f"The class {code} was interrupted after 1 round; it is saved."
        second.desk.notices.accept()
        again = second.classroom.hosting
        qtbot.waitUntil(lambda: len(phone.welcomes) == 2 and "0" in again.players, timeout=60_000)
        assert again.welcome is not None
        assert (again.code, again.welcome.address) == (code, address)
        assert phone.welcomes[0].person == phone.welcomes[1].person
        assert phone.welcomes[1].process == "0"
        qtbot.waitUntil(lambda: again.room is not None and again.room.round == 1, timeout=30_000)
        assert second.desk.commands.do("class_end")
        qtbot.waitUntil(lambda: not again.on, timeout=30_000)
        second.close()
    finally:
        phone.joined.over = "the test is over"
        phone.joined.leave()
        phone.thread.join(30)
    for window in (first, second):
        window.deleteLater()


@pytest.mark.slow
def test_two_windows_and_a_host_of_its_own(open_window: Open, qtbot: QtBot) -> None:
    host, guest = open_window("lamport-mutex-users"), open_window("two-wings")
    hosting, joining = host.classroom.hosting, guest.classroom.joining
    host.classroom.host()
    assert isinstance(host.classroom.sheet, HostForm)
    host.classroom.sheet.form.say({"reach": ""})
    host.classroom.sheet.send()
    qtbot.waitUntil(lambda: hosting.room is not None and hosting.code != "", timeout=20_000)
    assert hosting.welcome is not None
    guest.classroom.join()
    assert isinstance(guest.classroom.sheet, JoinForm)
    guest.classroom.sheet.form.say({"url": hosting.welcome.address, "code": hosting.code, "name": "Zoe"})
    guest.classroom.sheet.send()
    qtbot.waitUntil(lambda: joining.seat is not None and "0" in hosting.players, timeout=20_000)
    lead(qtbot, host, "class_next", "open", 1)
    lead(qtbot, host, "class_next", "between", 1)
    qtbot.waitUntil(lambda: same(host, guest), timeout=10_000)
    company(qtbot, host, guest)
    lead(qtbot, host, "class_next", "open", 2)
    lead(qtbot, host, "class_next", "between", 2)
    qtbot.waitUntil(lambda: same(host, guest) and host.playhead.timeline.end == 2.0, timeout=10_000)
    assert host.desk.commands.do("class_undo")
    qtbot.waitUntil(lambda: hosting.room.round == 1 and same(host, guest), timeout=20_000)  # type: ignore[union-attr]
    file = hosting.file
    assert file is not None
    assert host.desk.commands.do("class_end")
    qtbot.waitUntil(lambda: not hosting.on and not joining.on, timeout=20_000)
    assert "has ended" in guest.desk.notices.text.lower()
    assert host.session.runs[0].timeline is not None
    host.classroom.resume(file)
    qtbot.waitUntil(lambda: hosting.room is not None and hosting.room.round == 1, timeout=20_000)
    assert [each.name for each in hosting.everybody] == ["Zoe"]
    assert host.desk.commands.do("class_end")
    qtbot.waitUntil(lambda: not hosting.on, timeout=20_000)


def company(qtbot: QtBot, host: MainWindow, guest: MainWindow) -> None:
    """Let two windows meet in the world, and see each other walk."""
    cameras = []
    for each in (host, guest):
        each.actions_by_name["view_world"].trigger()
        cameras.append(each.stage.canvases["world"].camera)
    qtbot.waitUntil(lambda: all(len(each.figures) == 1 for each in cameras), timeout=20_000)
    assert [each.figures[0].name for each in cameras] == ["Zoe", "the host"]
    pilot = guest.stage.canvases["world"].pilot
    assert pilot is not None
    pilot.nearer(1.5)
    eye = pilot.view.eye  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: cameras[0].figures[0].at == pytest.approx(eye, abs=0.01), timeout=20_000)
    assert host.desk.commands.do("class_names", True)
    qtbot.waitUntil(lambda: all(each.figures == () for each in cameras), timeout=20_000)
    assert host.desk.commands.do("class_names", False)


def test_the_world_shows_the_others_and_says_where_the_window_looks(
    window: MainWindow, fake: FakeHost, qtbot: QtBot
) -> None:
    fake.begun()
    fake.grow(20)
    window.actions_by_name["view_world"].trigger()
    canvas = window.stage.canvases["world"]
    qtbot.waitUntil(lambda: any(isinstance(each, frames.Stand) and each.at for each in fake.told))
    there = {"process": "0", "at": [0.5, 0.25, 1.0], "look": [0.5, 0.0]}
    mine = window.classroom.hosting.welcome.person  # type: ignore[union-attr]
    before = canvas.grab().toImage()
    people = [{"person": mine, "name": "the host", **there}, {"person": mine + 1, "name": "Ana", **there}]
    fake.heard.emit(frames.Figures(people))
    assert [each.name for each in canvas.camera.figures] == ["Ana"]
    assert canvas.grab().toImage() != before
    fake.heard.emit(frames.Figures([]))
    assert canvas.camera.figures == ()
    window.actions_by_name["view_world"].trigger()
    qtbot.waitUntil(lambda: [each for each in fake.told if isinstance(each, frames.Stand)][-1].at == [])


def lead(qtbot: QtBot, window: MainWindow, command: str, phase: str, number: int) -> None:
    """Give a command of the host, and wait for its effect."""
    hosting = window.classroom.hosting
    assert window.desk.commands.do(command)
    qtbot.waitUntil(
        lambda: hosting.room is not None and (hosting.room.phase, hosting.room.round) == (phase, number), timeout=20_000
    )


def same(*windows: MainWindow) -> bool:
    """Return whether windows show the same events."""
    found = [window.playhead.timeline for window in windows]
    if any(each is None for each in found):
        return False
    rows = [each.trace.rows[: each.length].tobytes() for each in found if each is not None]
    return rows[0] == rows[1] and len(rows[0]) > 0
