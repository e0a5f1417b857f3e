"""The left panel of the network editor: generating, arranging, history, archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QScrollArea, QSlider
from pytestqt.qtbot import QtBot

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.theme import Theme
from lydian.app.network.board.arranging import LAYOUTS
from lydian.app.network.board.board import Board
from lydian.app.network.build import TABS, BuildPanel
from lydian.app.network.pictures import network_picture, sample
from lydian.desk.archivelist import ArchiveList
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.editing.parts import beside
from lydian.model.generators import KINDS, generate
from lydian.model.network import Network
from lydian.model.network.netfile import save

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

KEY, LEFT = Qt.Key, Qt.MouseButton.LeftButton


@pytest.fixture
def shelf(tmp_path: Path) -> ArchiveList:
    """Provide an archive with three networks, a broken one and a large one."""
    folder = tmp_path / "ours" / "networks"
    folder.mkdir(parents=True)
    for network in (generate("ring", 8), generate("grid", 3, 3), generate("star", 6)):
        save(network, folder / f"{network.name}.json")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    return ArchiveList(Archive(None, tmp_path / "ours"))


@pytest.fixture
def panel(qtbot: QtBot, shelf: ArchiveList) -> Iterator[BuildPanel]:
    board = Board()
    made = BuildPanel(board, Theme("light"), shelf=shelf)
    qtbot.addWidget(made)
    made.resize(225, 720)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close_all()
    board.deleteLater()


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    qtbot.mouseClick(button, LEFT)


def write(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)


# ---------------------------------------------------------------------- generate


def test_every_kind_has_a_picture() -> None:
    for kind in KINDS:
        assert 3 <= sample(kind).n <= 14


def test_pictures_use_the_colours_of_the_theme(qapp: QApplication) -> None:
    for name in ("light", "dark"):
        theme = Theme(name)
        picture: QImage = network_picture(generate("star", 5), theme, QSize(58, 42)).toImage()
        found = {
            QColor(picture.pixel(x, y)).name()
            for x in range(picture.width()) for y in range(picture.height())
            if picture.pixelColor(x, y).alpha() == 255
        }  # fmt: skip
        assert theme.color("text.primary").name() in found


def test_two_clicks_create_a_network(panel: BuildPanel, qtbot: QtBot) -> None:
    board, pane = panel.board, panel.generate
    assert not pane.replace_button.isEnabled()
    with qtbot.waitSignal(panel.fit_wanted):
        click(qtbot, pane.pictures.buttons["ring"])
        assert board.ghost == generate("ring", 8)
        click(qtbot, pane.replace_button)
    assert board.ghost is None
    assert board.network.replace(name="ring-8") == generate("ring", 8)
    assert board.document.undo_text == "Generate ring of 8 processes"
    assert board.network.initiators == ("0",)
    board.document.undo()
    assert board.network.n == 0


def test_the_preview_follows_the_parameters(panel: BuildPanel, qtbot: QtBot) -> None:
    pane = panel.generate
    click(qtbot, pane.pictures.buttons["smallworld"])
    assert [pane.fields[name].field.label.text() for name in pane.fields] == ["Processes", "Nearest", "Rewire"]
    write(qtbot, pane.fields["n"].field.line, "12")
    assert panel.board.ghost == generate("smallworld", 12, 4, 0.1)
    qtbot.keyClick(pane.fields["k"].field.line, KEY.Key_Up)
    assert panel.board.ghost == generate("smallworld", 12, 6, 0.1)
    pane.fields["p"].slider.setFocus()
    qtbot.keyClick(pane.fields["p"].slider, KEY.Key_Right)
    assert panel.board.ghost == generate("smallworld", 12, 6, 0.11)
    click(qtbot, pane.another)
    assert panel.board.ghost == generate("smallworld", 12, 6, 0.11, seed=1)
    assert pane.about.text() == "12 processes, 36 links; initiator: process 0"
    assert len(panel.board.document.steps) == 1


def test_invalid_parameters_are_explained_and_the_last_preview_stays(panel: BuildPanel, qtbot: QtBot) -> None:
    pane = panel.generate
    click(qtbot, pane.pictures.buttons["smallworld"])
    write(qtbot, pane.fields["k"].field.line, "5")
    assert pane.problem.text() == "K of a small world of 20 processes must be even and from 2 to 18, not 5."
    assert panel.board.ghost == generate("smallworld", 20, 4, 0.1)
    assert not pane.replace_button.isEnabled()
    write(qtbot, pane.fields["n"].field.line, "3")
    assert pane.fields["n"].field.problem.text() == "A whole number from 4 to 20,000."
    assert not pane.replace_button.isEnabled()
    write(qtbot, pane.fields["n"].field.line, "22")
    write(qtbot, pane.fields["k"].field.line, "6")
    assert panel.board.ghost == generate("smallworld", 22, 6, 0.1)
    assert pane.problem.isHidden()


def test_replacing_keeps_the_network_defaults(panel: BuildPanel, qtbot: QtBot) -> None:
    board = panel.board
    board.open(generate("line", 3).replace(delay=parse("constant(7)"), loss=0.1), Path("mine.json"))
    click(qtbot, panel.generate.pictures.buttons["star"])
    click(qtbot, panel.generate.replace_button)
    assert (board.network.n, board.network.name) == (8, "line-3")
    assert (str(board.network.delay), board.network.loss) == ("constant(7)", 0.1)


def test_add_beside_selects_the_new_processes(panel: BuildPanel, qtbot: QtBot) -> None:
    board, pane = panel.board, panel.generate
    board.open(generate("ring", 4))
    click(qtbot, pane.pictures.buttons["line"])
    grown, names = beside(board.network, generate("line", 5))
    point = QPointF(4, 4)
    QApplication.sendEvent(pane.beside_button, QEnterEvent(point, point, point))
    assert board.ghost is not None
    assert [board.ghost.positions[name] for name in board.ghost.processes] == [grown.positions[name] for name in names]
    QApplication.sendEvent(pane.beside_button, QEvent(QEvent.Type.Leave))
    assert board.ghost == generate("line", 5)
    click(qtbot, pane.beside_button)
    assert board.network == grown
    assert board.chosen.processes == set(names)
    assert board.document.undo_text == "Add line of 5 processes"


def test_escape_removes_the_preview(panel: BuildPanel, qtbot: QtBot) -> None:
    pane = panel.generate
    button = pane.pictures.buttons["tree"]
    click(qtbot, button)
    assert panel.board.ghost is not None
    qtbot.keyClick(button, KEY.Key_Escape)
    assert panel.board.ghost is None
    assert not button.isChecked()
    click(qtbot, button)
    panel.board.show_ghost(None)  # as Escape in the drawing does
    assert not button.isChecked()
    assert pane.kind == ""
    click(qtbot, button)
    panel.show_tab("Table")
    assert panel.board.ghost is None


def test_pictures_can_be_chosen_by_keyboard(panel: BuildPanel, qtbot: QtBot) -> None:
    buttons = panel.generate.pictures.buttons
    buttons["ring"].setFocus()
    qtbot.keyClick(buttons["ring"], KEY.Key_Down)
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Right)
    assert QApplication.focusWidget() is buttons["tree"]
    qtbot.keyClick(buttons["tree"], KEY.Key_Return)
    assert panel.board.ghost == generate("tree", 15)


def test_large_networks_are_generated_in_the_background(panel: BuildPanel, qtbot: QtBot) -> None:
    pane = panel.generate
    click(qtbot, pane.pictures.buttons["gnm"])
    write(qtbot, pane.fields["n"].field.line, "400")
    write(qtbot, pane.fields["m"].field.line, "800")
    assert pane.ready is None
    assert pane.busy.isVisible()
    qtbot.waitUntil(lambda: pane.ready is not None, timeout=20_000)
    assert panel.board.ghost == generate("gnm", 400, 800)
    assert pane.busy.isHidden()
    click(qtbot, pane.another)
    click(qtbot, pane.replace_button)  # before the network is generated
    qtbot.waitUntil(lambda: panel.board.network.n == 400, timeout=20_000)
    assert panel.board.network.links == generate("gnm", 400, 800, seed=1).links


def test_generating_a_large_network_can_be_stopped(panel: BuildPanel, qtbot: QtBot) -> None:
    pane = panel.generate
    click(qtbot, pane.pictures.buttons["scalefree"])
    write(qtbot, pane.fields["n"].field.line, "3000")
    click(qtbot, pane.busy.stop)
    assert pane.busy.isHidden()
    assert pane.problem.text() == "Stopped: change a parameter to generate again."
    assert not pane.work.busy
    assert not pane.replace_button.isEnabled()


# ---------------------------------------------------------------------- arrange


@pytest.mark.parametrize("kind", LAYOUTS)
def test_arranging_is_one_step(panel: BuildPanel, qtbot: QtBot, kind: str) -> None:
    board = panel.board
    network = generate("gnm", 12, 20, seed=1)
    board.open(network.moved({name: (37.0 * i % 500, 91.0 * i % 400) for i, name in enumerate(network.processes)}))
    before = board.network
    told: list[tuple[dict, Network]] = []
    panel.arranged.connect(lambda positions: told.append((positions, board.network)))
    with qtbot.waitSignal(panel.fit_wanted):
        click(qtbot, panel.arrange.buttons[kind])
    assert board.document.undo_text == f"Arrange: {kind}"
    (positions, then), = told  # fmt: skip
    assert then is before  # announced before the step
    assert dict(board.network.positions) == positions
    assert positions != before.positions
    assert board.network.links == before.links
    board.document.undo()
    assert board.network == before


def test_only_selected_processes_are_arranged(panel: BuildPanel, qtbot: QtBot) -> None:
    board = panel.board
    board.open(generate("grid", 4, 4))
    before = board.network
    board.choose_processes(["0", "1", "4", "5"])
    assert panel.arrange.title.text() == "Arrange 4 selected processes"
    click(qtbot, panel.arrange.buttons["circle"])
    assert board.document.undo_text == "Arrange 4 processes: circle"
    moved = {name for name in before.processes if board.network.positions[name] != before.positions[name]}
    assert moved <= {"0", "1", "4", "5"}
    assert moved


def test_arranging_twice_changes_nothing(panel: BuildPanel, qtbot: QtBot) -> None:
    panel.board.open(generate("gnm", 12, 20, seed=1))
    said: list[str] = []
    panel.board.said.connect(lambda text, _problem: said.append(text))
    for _ in range(3):
        click(qtbot, panel.arrange.buttons["grid"])
    assert len(panel.board.document.steps) == 2
    assert said[-1] == "The drawing already has this layout: grid."


def test_long_layouts_do_not_block_the_window(panel: BuildPanel, qtbot: QtBot) -> None:
    board = panel.board
    board.open(generate("gnm", 1200, 3000, seed=1))
    before, pane = board.network, panel.arrange
    click(qtbot, pane.buttons["spring"])
    assert pane.busy.isVisible()
    assert pane.busy.words.text() == "Arranging 1,200 processes ..."
    click(qtbot, pane.busy.stop)
    assert pane.busy.isHidden()
    assert board.network is before
    with qtbot.waitSignal(panel.arranged, timeout=30_000):
        click(qtbot, pane.buttons["stress"])
    assert board.document.undo_text == "Arrange: stress"
    assert not np.allclose(board.network.coordinates, before.coordinates)


def test_an_edit_ends_arranging(panel: BuildPanel, qtbot: QtBot) -> None:
    board = panel.board
    board.open(generate("gnm", 1200, 3000, seed=1))
    click(qtbot, panel.arrange.buttons["spring"])
    board.choose_processes(["3"])
    board.delete_chosen()
    assert not panel.arrange.work.busy
    assert panel.arrange.busy.isHidden()
    assert [step.text for step in board.document.steps] == ["Open", "Delete process 3"]


def test_changes_of_snapping_are_reported(panel: BuildPanel, qtbot: QtBot) -> None:
    assert panel.arrange.snap.isChecked()
    with qtbot.waitSignals([panel.snap_changed, panel.guides_changed]):
        panel.arrange.snap.setFocus()
        qtbot.keyClick(panel.arrange.snap, KEY.Key_Space)
        panel.arrange.guides.setFocus()
        qtbot.keyClick(panel.arrange.guides, KEY.Key_Space)
    assert not panel.arrange.snap.isChecked()


# ---------------------------------------------------------------------- history, in and out


def test_the_history_works_by_mouse_and_keys(panel: BuildPanel, qtbot: QtBot) -> None:
    board, steps = panel.board, panel.history
    board.open(generate("ring", 5))
    for name in "123":
        board.toggle_initiators([name])
    texts = [steps.model().index(row, 0).data() for row in range(steps.model().rowCount())]
    assert texts == [
        "Open",
        "Make process 1 an initiator",
        "Make process 2 an initiator",
        "Make process 3 an initiator",
    ]
    assert steps.currentIndex().row() == 3
    area = next(area for area in panel.findChildren(QScrollArea) if area.isAncestorOf(steps))
    area.ensureWidgetVisible(steps)
    qtbot.mouseClick(steps.viewport(), LEFT, pos=steps.visualRect(steps.model().index(1, 0)).center())
    assert board.network.initiators == ("0", "1")
    assert board.document.at == 1
    assert steps.model().index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Make process 2 an initiator, undone"
    steps.setFocus()
    qtbot.keyClick(steps, KEY.Key_End)
    assert board.document.at == 1
    qtbot.keyClick(steps, KEY.Key_Return)
    assert board.document.at == 3
    board.document.go(1)
    board.toggle_initiators(["4"])
    assert steps.model().rowCount() == 3
    assert steps.currentIndex().row() == 2


def test_file_buttons_request_a_file(panel: BuildPanel, qtbot: QtBot) -> None:
    assert not panel.in_out.write.isEnabled()
    with qtbot.waitSignal(panel.import_wanted):
        click(qtbot, panel.in_out.read)
    panel.board.open(generate("ring", 4))
    with qtbot.waitSignal(panel.export_wanted):
        click(qtbot, panel.in_out.write)


# ---------------------------------------------------------------------- archive


def test_an_archive_network_is_previewed_and_opened(panel: BuildPanel, qtbot: QtBot, shelf: ArchiveList) -> None:
    panel.show_tab("Archive")
    pane = panel.archive
    assert [entry.name for entry in pane.networks.shown] == ["broken", "grid-3x3", "ring-8", "star-6"]
    assert [entry.size for entry in pane.networks.shown][:2] == ["cannot be read", "9 processes, 12 links"]
    spot: QPoint = pane.list.visualRect(pane.networks.index(2)).center()
    qtbot.mouseClick(pane.list.viewport(), LEFT, pos=spot)
    assert panel.board.ghost == generate("ring", 8)
    with qtbot.waitSignal(panel.opened_wanted) as opened:
        qtbot.mouseDClick(pane.list.viewport(), LEFT, pos=spot)
    assert opened.args == [generate("ring", 8), shelf.archive.find("networks", "ring-8")]
    assert panel.board.ghost is None
    qtbot.keyClick(pane.list, KEY.Key_Down)
    assert panel.board.ghost == generate("star", 6)
    with qtbot.waitSignal(panel.opened_wanted) as opened:
        qtbot.keyClick(pane.list, KEY.Key_Return)
    assert opened.args is not None
    assert opened.args[0] == generate("star", 6)


def test_the_archive_can_be_searched(panel: BuildPanel, qtbot: QtBot) -> None:
    panel.show_tab("Archive")
    pane = panel.archive
    qtbot.keyClicks(pane.field, "9 proc")
    assert [entry.name for entry in pane.networks.shown] == ["grid-3x3"]
    qtbot.keyClick(pane.field, KEY.Key_Return)
    assert panel.board.ghost == generate("grid", 3, 3)
    pane.field.clear()
    qtbot.keyClicks(pane.field, "zebra")
    assert pane.empty.text() == "No network matches “zebra”."
    assert pane.empty.isVisible()


def test_an_archive_network_can_be_added_beside(panel: BuildPanel, qtbot: QtBot) -> None:
    panel.board.open(generate("ring", 4))
    panel.show_tab("Archive")
    pane = panel.archive
    pane.list.setCurrentIndex(pane.networks.index(3))
    click(qtbot, pane.beside_button)
    assert panel.board.network.n == 10
    assert panel.board.document.undo_text == "Add star-6"


def test_a_broken_archive_file_is_explained(panel: BuildPanel, qtbot: QtBot) -> None:
    panel.show_tab("Archive")
    pane = panel.archive
    said: list[tuple[str, bool]] = []
    panel.board.said.connect(lambda *words: said.append(words))
    qtbot.mouseClick(pane.list.viewport(), LEFT, pos=pane.list.visualRect(pane.networks.index(0)).center())
    assert said
    assert "broken.json" in said[0][0]
    assert said[0][1] is True
    assert not pane.open_button.isEnabled()


def test_a_large_archive_file_is_read_on_demand(
    panel: BuildPanel, qtbot: QtBot, shelf: ArchiveList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lydian.app.network.panes.shelfpane.SMALL", 10)
    panel.show_tab("Archive")
    pane = panel.archive
    assert pane.networks.shown[2].network is None
    pane.list.setCurrentIndex(pane.networks.index(2))
    pane.preview()
    qtbot.waitUntil(lambda: panel.board.ghost == generate("ring", 8), timeout=10_000)
    assert pane.networks.shown[2].size == "8 processes, 8 links"


# ---------------------------------------------------------------------- the whole panel


def test_the_panel_fits_a_narrow_column(panel: BuildPanel, qtbot: QtBot) -> None:
    click(qtbot, panel.generate.pictures.buttons["smallworld"])
    for tab in TABS:
        panel.show_tab(tab)
        assert panel.width() == 225
        assert panel.minimumSizeHint().width() <= 225
    panel.show_tab("Build")
    area = next(area for area in panel.findChildren(QScrollArea) if area.isAncestorOf(panel.history))
    inside = area.widget()
    assert inside is not None
    assert inside.width() <= area.viewport().width()


def test_every_widget_has_a_name(panel: BuildPanel, qtbot: QtBot) -> None:
    click(qtbot, panel.generate.pictures.buttons["gnm"])
    for kind in (QAbstractButton, QLineEdit, QSlider):
        for widget in panel.findChildren(kind):
            named = widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text())
            inner = widget.objectName().startswith(("qt_", "ScrollLeft", "ScrollRight")) or (
                isinstance(widget.parent(), QLineEdit)
            )
            assert named or inner, (widget, widget.objectName(), widget.parent())


def test_the_panel_takes_another_theme(panel: BuildPanel) -> None:
    for theme in (Theme("dark"), Theme("contrast"), Theme("light", projector=True)):
        set_theme_of(panel, theme)
        assert panel.generate.pictures.buttons["ring"].theme == theme
        assert not panel.grab().isNull()
