"""The New protocol page and predefined properties: mouse, keys and files that run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.protocol.checking.propertypanel import PropertyPanel
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.table.newpage import NewProtocolPage
from lydian.authoring.starters import STARTERS
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.source.outline import outline
from lydian.model.source.problems import problems

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

LEFT = Qt.MouseButton.LeftButton
FLOODING = (Path(__file__).resolve().parents[2] / "protocols" / "flooding.py").read_text(encoding="utf-8")


@pytest.fixture
def page(qtbot: QtBot) -> NewProtocolPage:
    made = NewProtocolPage(Theme("light"), taken=lambda: ["broadcast1", "echo"])
    qtbot.addWidget(made)
    made.resize(1200, 800)
    with qtbot.waitActive(made):
        made.show()
    return made


def write(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)


def created(qtbot: QtBot, page: NewProtocolPage) -> tuple[str, str]:
    with qtbot.waitSignal(page.created) as told:
        qtbot.mouseClick(page.create_button, LEFT)
    return told.args[0], told.args[1]


def run(source: str, folder: Path, network: str = "ring:6") -> Simulator:
    path = folder / "own_protocol.py"
    path.write_text(source, encoding="utf-8")
    simulator = Simulator(Experiment("own", protocol=str(path), network=network))
    simulator.run()
    return simulator


@pytest.mark.parametrize("key", STARTERS)
def test_creating_at_once_gives_a_runnable_protocol(
    page: NewProtocolPage, qtbot: QtBot, tmp_path: Path, key: str
) -> None:
    qtbot.mouseClick(page.starters.buttons[key], LEFT)
    source, name = created(qtbot, page)
    assert outline(source).name == name != "Broadcast1"
    assert source == page.preview.toPlainText()
    simulator = run(source, tmp_path)
    assert simulator.stopped == "quiescent"


def test_three_answers_and_a_table_make_the_file(page: NewProtocolPage, qtbot: QtBot, tmp_path: Path) -> None:
    qtbot.mouseClick(page.starters.buttons["empty"], LEFT)
    write(qtbot, page.name.line, "gossip")
    write(qtbot, page.states.line, "calm, excited")
    write(qtbot, page.events["message"].line, "Rumour(hops: int = 0)")
    assert [state.name for state in page.table.look.states] == ["calm", "excited"]
    assert page.table.look.cells["calm", "INIT"].function == "start"
    assert page.table.look.open == 2  # the cells of Rumour in both states
    grid = page.table.grid
    grid.select(("calm", "Rumour"))
    grid.setFocus()
    qtbot.keyClicks(grid, "h")
    assert grid.chooser is not None
    qtbot.keyClicks(grid.chooser.line, "ear")
    qtbot.keyClick(grid.chooser.line, Qt.Key.Key_Return)
    assert page.table.look.cells["calm", "Rumour"].function == "hear"
    choose(page.table.then, "excited")
    choose(page.table.message, "Rumour")
    choose(page.table.whom, "all neighbours but the sender")
    grid.select(("excited", "Rumour"))
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    qtbot.keyClicks(grid.chooser.line, "ignore")
    qtbot.keyClick(grid.chooser.line, Qt.Key.Key_Return)
    grid.select(("calm", "INIT"))
    choose(page.table.then, "excited")
    choose(page.table.message, "Rumour")
    source, name = created(qtbot, page)
    assert name == "Gossip"
    assert problems(source) == ()
    assert outline(source).cell("calm", "Rumour").function == "hear"
    simulator = run(source, tmp_path)
    assert {process.state for process in simulator.processes} == {"excited"}


def choose(box: object, text: str) -> None:
    index = box.findText(text)  # type: ignore[attr-defined]
    assert index >= 0, text
    box.setCurrentIndex(index)  # type: ignore[attr-defined]
    box.activated.emit(index)  # type: ignore[attr-defined]


def test_a_mistake_is_shown_at_its_field_and_nothing_is_lost(page: NewProtocolPage, qtbot: QtBot) -> None:
    before = page.preview.toPlainText()
    for field, text, sentence in (
        (page.name, "9lives", "cannot be the name of a protocol"),
        (page.name, "echo", "a protocol 'echo' already exists"),
        (page.states, "idle, idle", "appears twice"),
        (page.events["message"], "News, Ack(", "a bracket is not closed"),
        (page.formula, "2*k", "k"),
    ):
        good = field.line.text()
        write(qtbot, field.line, text)
        assert field.bad and sentence.lower() in field.problem.text().lower()
        assert not page.create_button.isEnabled() and page.trouble.whole
        page.finish()
        assert field.line.hasFocus() and field.line.text() == text
        write(qtbot, field.line, good)
        assert not field.bad and page.create_button.isEnabled()
    assert page.preview.toPlainText() == before


def test_going_back_and_another_starter_lose_nothing(page: NewProtocolPage, qtbot: QtBot) -> None:
    write(qtbot, page.states.line, "idle, informed, tired")
    qtbot.mouseClick(page.starters.buttons["token"], LEFT)
    assert page.plan.states == ("waiting", "visited")
    with qtbot.waitSignal(page.cancelled):
        qtbot.mouseClick(page.back, LEFT)
    qtbot.mouseClick(page.starters.buttons["broadcast"], LEFT)
    assert page.states.line.text() == "idle, informed, tired"
    page.reset()
    assert page.states.line.text() == "idle, informed"


def test_renaming_a_state_in_the_table_updates_the_answer(page: NewProtocolPage, qtbot: QtBot) -> None:
    grid = page.table.grid
    grid.select(("informed", "News"))
    grid.setFocus()
    qtbot.keyClick(grid, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    name = next(f for f in grid.verticalHeader().viewport().findChildren(QLineEdit) if f.isVisible())
    qtbot.keyClicks(name, "knows")
    qtbot.keyClick(name, Qt.Key.Key_Return)
    assert page.states.line.text() == "idle, knows"
    assert "p.state == KNOWS" in page.preview.toPlainText()


def test_requirements_and_properties_can_be_ticked(page: NewProtocolPage, qtbot: QtBot) -> None:
    page.needs["fifo"].click()
    page.ready["silent"].click()
    page.ready["at_most_one"].click()
    form = page.forms["at_most_one"]
    assert form.isVisibleTo(page)
    choose(form.fields["state"], "idle")
    source = page.preview.toPlainText()
    assert "needs = connected, one_initiator, fifo" in source
    assert "return sum(p.state == IDLE for p in c.processes) <= 1" in source
    page.ready["at_most_one"].click()
    assert "IDLE for p" not in page.preview.toPlainText()


def test_tab_visits_the_questions_in_order(page: NewProtocolPage, qtbot: QtBot) -> None:
    page.begin()
    seen = []
    for _ in range(5):
        seen.append(page.focusWidget())
        qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
    fields = (page.name, page.states, page.events["message"], page.events["timer"], page.events["command"])
    assert seen == [field.line for field in fields]
    with qtbot.waitSignal(page.created):
        qtbot.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_in_a_narrow_window_the_file_is_below(page: NewProtocolPage) -> None:
    assert page.splitter.orientation() == Qt.Orientation.Horizontal
    page.resize(640, 800)
    assert page.splitter.orientation() == Qt.Orientation.Vertical


# ---------------------------------------------------------------------- properties


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[PropertyPanel]:
    document = ProtocolDocument(FLOODING)
    made = PropertyPanel(document, Theme("light"))
    qtbot.addWidget(made)
    made.resize(340, 700)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    document.close()
    document.deleteLater()


def test_choosing_a_property_adds_it_in_one_step(panel: PropertyPanel, qtbot: QtBot) -> None:
    before = panel.document.source
    qtbot.mouseClick(panel.titles["at_most_one"], LEFT)
    choose(panel.forms["at_most_one"].fields["state"], "sleeping")
    qtbot.mouseClick(panel.adds["at_most_one"], LEFT)
    assert "at most one process is sleeping" in [p.sentence for p in panel.document.outline.properties]
    assert panel.findChild(QToolButton, "") is not None
    go = next(
        b for b in panel.findChildren(QToolButton) if b.accessibleName() == "Go to: at most one process is sleeping"
    )
    with qtbot.waitSignal(panel.jump_wanted) as wanted:
        qtbot.mouseClick(go, LEFT)
    assert wanted.args == [panel.document.outline.properties[-1].line]
    panel.document.text.undo()
    assert panel.document.source == before


def test_a_duplicate_property_is_refused_in_place(panel: PropertyPanel, qtbot: QtBot) -> None:
    panel.open("at_most_one")
    assert panel.add("at_most_one")
    panel.open("at_most_one")
    before = panel.document.source
    qtbot.mouseClick(panel.adds["at_most_one"], LEFT)
    assert panel.document.source == before
    assert "already has this property" in panel.problems["at_most_one"].text()
    assert panel.problems["at_most_one"].isVisible()


def test_a_formula_bounds_messages_and_can_be_removed(panel: PropertyPanel, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.titles["messages"], LEFT)
    field = panel.forms["messages"].fields["formula"]
    assert isinstance(field, QLineEdit)
    write(qtbot, field, "<= 9*x")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.problems["messages"].isVisible()
    write(qtbot, field, "<= 9*m")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.document.outline.formula == "<= 9*m"
    out = next(b for b in panel.findChildren(QToolButton) if b.accessibleName() == "Remove: <= 9*m messages")
    qtbot.mouseClick(out, LEFT)
    assert panel.document.outline.formula is None


def test_a_property_can_be_removed_and_restored_by_undo(panel: PropertyPanel, qtbot: QtBot) -> None:
    before = panel.document.source
    first = panel.document.outline.properties[0]
    out = next(b for b in panel.findChildren(QToolButton) if b.accessibleName() == f"Remove: {first.sentence}")
    qtbot.mouseClick(out, LEFT)
    assert first.function not in [p.function for p in panel.document.outline.properties]
    panel.document.text.undo()
    assert panel.document.source == before


def test_all_buttons_have_names(panel: PropertyPanel) -> None:
    for button in [*panel.findChildren(QToolButton), *panel.findChildren(QPushButton)]:
        assert button.accessibleName() or button.text()
