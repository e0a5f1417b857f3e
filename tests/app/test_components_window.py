"""A system in components in the window: drawing borders, the run and its panel, handovers, records; a real one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from lydian.app.classroom.components.form import MOST_PROGRAMS, SplitForm
from lydian.app.classroom.components.room import ComponentsRoom
from lydian.app.classroom.forms import MischiefForm
from lydian.app.window.mainwindow import MainWindow
from lydian.classroom.components import window as frames
from lydian.classroom.components.record import Record
from lydian.model.archive.archive import archive
from lydian.views.selection import Selection
from tests.app.conftest import Open, one_window, rest
from tests.classroom.fakecomponents import FakeComponents

pytestmark = [pytest.mark.usefixtures("qapp"), pytest.mark.qt_log_ignore("This plugin does not support", "propagate")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[MainWindow]:
    with one_window(tmp_path_factory.mktemp("home"), "echo") as window:
        yield window


@pytest.fixture
def window(shared: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    experiment = archive().experiment("echo").moved("grid:4x4")
    shared.playhead.pause()
    shared.session.start(experiment, experiment.path)
    rest(shared, qtbot)
    room = shared.components
    usual = room.splitting.conversation
    yield shared
    room._close_sheet()
    if room.splitting.on:
        room.splitting.conversation.end()  # type: ignore[attr-defined]
    room.splitting.leave()
    room.splitting.conversation = usual
    shared.desk.notices.close()
    qtbot.waitUntil(lambda: not shared.desk.memory._later.active)


@pytest.fixture
def form(window: MainWindow) -> SplitForm:
    assert window.desk.commands.do("class_split")
    assert isinstance(window.components.sheet, SplitForm)
    return window.components.sheet


@pytest.fixture
def fake(window: MainWindow, form: SplitForm) -> FakeComponents:
    made = FakeComponents(window.components.splitting)
    form.form.say({"count": 2})
    form.edited()
    form.send()
    made.open()
    return made


def place(room: ComponentsRoom, process: str) -> QPoint:
    return QPointF(*room.areas.places()[process]).toPoint()


def home(form: SplitForm, process: str) -> str:
    return form.borders.home[process]


# ---------------------------------------------------------------------- drawing


def test_borders_are_drawn_by_click_drag_loop_and_letters(window: MainWindow, form: SplitForm) -> None:
    room, canvas = window.components, window.stage.canvases["basic"]
    form.form.say({"count": 2})
    form.edited()
    first, second = form.borders.groups["A"], form.borders.groups["B"]
    form.list.setCurrentRow(1)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place(room, first[0]))
    assert home(form, first[0]) == "B"
    target, moved = place(room, first[-1]), second[0]
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=place(room, moved))
    QTest.mouseMove(canvas, place(room, moved) + QPoint(12, 12))
    QTest.mouseMove(canvas, target + QPoint(6, 6))
    assert room.areas.dragged is not None
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=target + QPoint(6, 6))
    assert home(form, moved) == "A"
    form.list.setCurrentRow(0)
    corner = place(room, "15")
    loop = [corner + QPoint(dx, dy) for dx, dy in ((-40, -40), (40, -40), (40, 40), (-40, 40))]
    form.borders.move(["15"], "B")
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=loop[0])
    for at in (*loop[1:], loop[0] + QPoint(1, 1)):
        QTest.mouseMove(canvas, at)
    assert len(room.areas.lasso) > 3
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=loop[0])
    assert home(form, "15") == "A"
    window.playhead.select(Selection(processes=frozenset({0, 1})))
    QTest.keyClick(canvas, Qt.Key.Key_B)
    assert home(form, "0") == home(form, "1") == "B"
    QTest.keyClick(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(form, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert home(form, "15") == "B"
    form.list.setCurrentRow(0)
    form.here.click()
    assert home(form, "0") == home(form, "1") == "A"
    room.areas.grab()
    assert room.areas.accessibleDescription().startswith("A: 0, 1")


def test_the_tools_of_the_view_come_back_when_the_form_is_closed(window: MainWindow, form: SplitForm) -> None:
    canvas = window.stage.canvases["basic"]
    hand = window.components.hand
    assert canvas.aide is hand
    QTest.keyClick(form, Qt.Key.Key_Escape)
    assert window.components.sheet is None
    assert canvas.aide is not hand and canvas.aide is not None
    assert not window.components.column.isVisible()


def test_the_form_says_what_is_wrong(window: MainWindow, form: SplitForm) -> None:
    form.more.click()
    assert form.chosen == list(form.borders.groups)[-1]
    form.send()
    assert form.problem.text() == f"Component {form.chosen} contains no process."
    form.undo.click()
    assert form.problem.text() == ""
    form.form.say({"replicas": 0})
    form.send()
    assert "others must be able to join" in form.problem.text()
    form.form.say({"replicas": 9, "count": 16})
    form.edited()
    form.send()
    assert str(MOST_PROGRAMS) in form.problem.text()
    form.form.say({"mode": "barrier"})
    form.edited()
    assert form.form.fields["pace"].isHidden()


@pytest.mark.parametrize(("experiment", "words"), [("dijkstra-k-state", "variables"), ("echo", "")])
def test_the_command_says_why_it_is_unavailable(window: MainWindow, qtbot: QtBot, experiment: str, words: str) -> None:
    made = archive().experiment(experiment)
    window.session.start(made, made.path)
    rest(window, qtbot)
    why = window.desk.commands.why_not("class_split")
    assert words in why if words else why == ""
    assert window.desk.commands.why_not("class_split_stop")


# ---------------------------------------------------------------------- the run


def test_a_run_is_requested_shown_and_ended(window: MainWindow, fake: FakeComponents, qtbot: QtBot) -> None:
    room, splitting, commands = window.components, window.components.splitting, window.desk.commands
    request = fake.told[0]
    assert isinstance(request, frames.Split)
    assert (set(request.groups), request.replicas, request.lan, request.barrier) == ({"A", "B"}, 2, False, False)
    assert commands.why_not("class_host") and commands.why_not("class_split") and commands.why_not("fault_crash")
    assert room.panel.isVisible() and not room.panel.join.isVisible()
    lab = fake.lab
    assert lab is not None
    lab.run(lambda: lab.hub.seats["A"].events > 8)
    fake.show()
    fake.stand(held=(("A", 9, "B", 4),))
    qtbot.waitUntil(lambda: splitting.there)
    row = room.panel.rows["A"]
    assert row.acting.text() == lab.hub.seats["A"].acting
    assert row.about.text() == "A 9 waits for B 4; 1 held back"
    assert row.events.text() == str(lab.hub.seats["A"].events)
    assert [area.name for area in room._areas()] == ["A", "B"]
    assert window.status.label.text() == f"Running, {len(window.playhead.timeline.trace)} events so far"
    old = lab.hub.seats["B"].acting
    lab.kill(old)
    lab.run(lambda: lab.hub.seats["B"].acting != old)
    fake.stand(problem="component A has no replica left")
    assert room.panel.log.count() == 1
    assert "took over from" in room._areas()[1].words and room._areas()[1].warn
    assert room.panel.rows["A"].about.text() == "Component A has no replica left."
    lab.run()
    fake.show()
    fake.stand()
    fake.end()
    qtbot.waitUntil(lambda: not splitting.on)
    assert window.session.runs[0] is window.session.shown
    assert window.playhead.timeline.length == sum(seat.events for seat in lab.hub.seats.values())  # type: ignore[union-attr]
    assert not commands.why_not("class_split") and commands.why_not("class_split_stop")
    room.panel.cross.click()
    assert not room.column.isVisible()


def test_replicas_are_killed_added_and_chosen_from_a_menu(window: MainWindow, fake: FakeComponents) -> None:
    lab = fake.lab
    assert lab is not None
    lab.run(lambda: lab.hub.seats["A"].events > 3)
    fake.stand()
    actions = window.components.panel.rows["A"].menu().actions()
    assert [each.text() for each in actions][:2] == ["&Kill a-1", "&Kill a-2"]
    for each in actions:
        each.trigger()
    assert [do for do, _what in fake.done()] == ["kill", "kill", "appoint", "hire", "kill", "cut"]
    assert fake.done()[-2:] == [("kill", {"component": "A"}), ("cut", {"components": ["A", "B"], "author": "the host"})]
    fake.stand(cut=(("A", "B"),))
    action = window.components.panel.rows["B"].menu().actions()[-1]
    assert action.text() == "Restore the border to A (4 links)"
    action.trigger()
    assert fake.done()[-1] == ("restore", {"components": ["B", "A"], "author": "the host"})


def test_the_delays_are_shown_at_the_borders_and_in_a_table(
    window: MainWindow, fake: FakeComponents, qtbot: QtBot
) -> None:
    room, lab = window.components, fake.lab
    assert lab is not None
    lab.run(lambda: lab.hub.seats["A"].events > 3)
    fake.show()
    fake.stand()
    qtbot.waitUntil(lambda: room.splitting.there)
    assert [(each.words, each.cut) for each in room._chips()] == [("1 + 12 ms", False)]
    table = room.panel.delays.table
    cells = [[table.item(i, j).text() for j in range(2)] for i in range(2)]
    assert cells == [["·", "12 ms"], ["12 ms", "·"]]
    assert room.panel.delays.words.text().endswith("which is 1 on average between components and 1 inside.")
    before = window.stage.canvases["basic"].grab().toImage()
    fake.stand(cut=(("A", "B"),))
    assert [(each.words, each.cut) for each in room._chips()] == [("cut", True)]
    assert table.item(0, 1).text() == "cut"
    assert window.stage.canvases["basic"].grab().toImage() != before
    room.splitting.barrier = True
    fake.stand()
    assert [each.words for each in room._chips()] == ["1"]
    assert room.panel.delays.words.text().startswith("At a barrier")


def test_the_components_are_paused_and_go_on(window: MainWindow, fake: FakeComponents) -> None:
    panel = window.components.panel
    fake.stand()
    assert panel.pause.text().strip() == "Pause"
    panel.pause.click()
    assert fake.done()[-1] == ("pause", {"on": True})
    fake.stand(paused=True)
    assert (panel.pause.text().strip(), panel.card.note.text()) == ("Go on", "paused")
    assert window.desk.commands.do("class_split_pause")
    assert fake.done()[-1] == ("pause", {"on": False})


def test_a_component_is_steered_and_followed(window: MainWindow, fake: FakeComponents, qtbot: QtBot) -> None:
    room, lab = window.components, fake.lab
    assert lab is not None
    lab.run(lambda: lab.hub.seats["A"].events > 3)
    fake.show()
    fake.stand()
    qtbot.waitUntil(lambda: room.splitting.there)
    window.playhead.select(Selection(processes=frozenset({5})))
    assert window.desk.commands.do("class_split_steer")
    assert isinstance(room.sheet, MischiefForm)
    room.sheet.send()
    where = room.splitting.groups
    do, what = fake.done()[-1]
    assert (do, what["what"]) == ("steer", {"do": "crash", "process": "5"})
    assert "5" in where[what["component"]]
    fake.answer(False, "process 5 has crashed already")
    assert window.desk.notices.text == "Process 5 has crashed already."
    room.panel.rows["A"].letter.click()
    assert fake.done()[-1] == ("follow", {"components": ["B"]})
    assert [area.faint for area in room._areas()] == [True, False]
    room.splitting.stop()
    assert not room.panel.stop.isEnabled()


def test_other_computers_see_the_address_and_the_secret(window: MainWindow, form: SplitForm) -> None:
    room, made = window.components, FakeComponents(window.components.splitting)
    form.form.say({"reach": "lan", "replicas": 0, "count": 2})
    form.edited()
    form.send()
    made.open()
    assert room.panel.join.isVisible()
    room.panel.join.copy.click()
    clipboard = QGuiApplication.clipboard().text()
    assert clipboard == "lydian join ws://127.0.0.1:1/components --component any --secret secret"


# ---------------------------------------------------------------------- records


def test_a_record_with_a_protocol_of_its_own_asks_first(
    window: MainWindow, fake: FakeComponents, tmp_path: Path
) -> None:
    lab = fake.lab
    assert lab is not None
    lab.run()
    file = tmp_path / "mine.json"
    Record.of(lab.hub).save(file)
    fake.stand()
    fake.end()
    assert window.documents.open(file)
    assert fake.told[-1] == frames.Repeat(str(file))
    fake.end("The process ended.")
    file.write_text(file.read_text().replace('"source":"', '"source":"# mine\\n'))
    told = len(fake.told)
    assert window.documents.open(file)
    assert len(fake.told) == told
    assert window.desk.notices.text == (
        "mine.json contains a protocol of its own, echo; repeating the run executes it."
    )
    window.desk.notices.accept()
    assert fake.told[-1] == frames.Repeat(str(file))


@pytest.mark.slow
def test_a_real_run_is_split_killed_saved_and_opened(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("echo")
    experiment = archive().experiment("echo").moved("grid:4x4")
    window.session.start(experiment, experiment.path)
    rest(window, qtbot)
    room, splitting = window.components, window.components.splitting
    assert window.desk.commands.do("class_split")
    assert isinstance(room.sheet, SplitForm)
    room.sheet.form.say({"count": 2, "pace": 4.0})
    room.sheet.edited()
    room.sheet.send()
    qtbot.waitUntil(lambda: any(each.events > 4 for each in splitting.components), timeout=90_000)
    name = splitting.components[0].name
    old = splitting.components[0].acting
    splitting.do("kill", replica=old)
    qtbot.waitUntil(lambda: any(each.old == old for each in splitting.handovers), timeout=30_000)
    qtbot.waitUntil(lambda: not splitting.on, timeout=120_000)
    assert splitting.over == "quiescent" and splitting.judged and splitting.kept is not None
    rows = window.session.runs[0].trace.rows
    room.save(tmp_path / "run.json")
    assert name in splitting.groups
    assert window.documents.open(tmp_path / "run.json")
    qtbot.waitUntil(lambda: splitting.recorded and not splitting.on, timeout=60_000)
    assert window.session.shown is not None
    assert np.array_equal(window.session.shown.trace.rows, rows)
    assert splitting.judged and window.session.shown.result["checks"]
