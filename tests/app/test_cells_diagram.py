"""The state diagram beside the text: it follows the text, leads to its lines, and can be zoomed and saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.table.diagrampane import DiagramPane
from lydian.authoring.edits import add_state
from lydian.authoring.failing import Failure
from lydian.model.errors import BadInput

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

ECHO = (Path(__file__).resolve().parents[2] / "protocols" / "echo.py").read_text(encoding="utf-8")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[DiagramPane]:
    document = ProtocolDocument(ECHO)
    made = DiagramPane(document, Theme("light", still=True))
    qtbot.addWidget(made)
    made.resize(620, 460)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    document.close()
    document.deleteLater()


def where(pane: DiagramPane, state: str, event: str = "") -> QPoint:
    """Return a point of a state or of the line with a given label."""
    if not event:
        at = QPointF(*pane.layout_now.places()[state])
    else:
        at = next(
            box.center() for arrow in pane.layout_now.arrows for box, line in pane.painter.line_boxes(arrow)
            if line.state == state and event in line.events
        )  # fmt: skip
    return pane._transform().map(at).toPoint()


def ink(picture: QImage, color: str) -> int:
    wanted = Theme("light").color(color).rgb()
    return sum(picture.pixel(x, y) == wanted for x in range(picture.width()) for y in range(picture.height()))


def test_every_arrow_is_drawn_and_described(pane: DiagramPane) -> None:
    assert [state.name for state in pane.layout_now.states] == list(pane.document.outline.state_names)
    assert pane.accessibleName() == "State diagram, 5 states, 11 arrows, initial state sleeping"
    assert "sleeping to waiting: Broadcast / adopt" in pane.accessibleDescription()
    size = pane._transform().map(QPointF(pane.layout_now.width, pane.layout_now.height))
    assert size.x() <= pane.width() + 1 and size.y() <= pane.height() + 1


def test_the_diagram_follows_the_text_while_it_is_readable(pane: DiagramPane) -> None:
    pane.document.replace(add_state(pane.document.source, "resting"), "")
    assert pane.layout_now.states[-1].name == "resting"
    assert not pane.layout_now.states[-1].reachable
    before = pane.layout_now
    pane.document.replace(pane.document.source.replace("def close(self):", "def close(self:"), "")
    assert pane.layout_now == before


def test_hovering_reports_the_cell_and_the_line(pane: DiagramPane, qtbot: QtBot) -> None:
    cells: list[object] = []
    lines: list[int] = []
    pane.cell_hovered.connect(cells.append)
    pane.line_hovered.connect(lines.append)
    qtbot.mouseMove(pane, where(pane, "waiting", "Ack"))
    qtbot.waitUntil(lambda: bool(cells))
    assert cells == [("waiting", "Ack")]
    assert lines == [pane.document.outline.functions["acknowledged"]]
    qtbot.mouseMove(pane, where(pane, "acked"))
    qtbot.waitUntil(lambda: cells[-1] == ("acked", ""))
    qtbot.mouseMove(pane, QPoint(2, 2))
    qtbot.waitUntil(lambda: cells[-1] is None)


def test_a_click_selects_and_a_double_click_opens_the_line(pane: DiagramPane, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.cell_picked) as picked:
        qtbot.mouseClick(pane, LEFT, pos=where(pane, "sleeping", "Broadcast"))
    assert picked.args == ["sleeping", "Broadcast"]
    with qtbot.waitSignal(pane.jump_wanted) as wanted:
        qtbot.mouseDClick(pane, LEFT, pos=where(pane, "sleeping", "Broadcast"))
    assert wanted.args == [pane.document.outline.functions["adopt"]]


def test_the_line_of_an_arrow_can_be_clicked(pane: DiagramPane) -> None:
    arrow = next(a for a in pane.layout_now.arrows if (a.source, a.target) == ("waiting", "acked"))
    p0, p1, p2, p3 = (QPointF(*p) for p in arrow.points[:4])
    middle = p0 * 0.125 + p1 * 0.375 + p2 * 0.375 + p3 * 0.125
    assert pane.cell_at(pane._transform().map(middle)) == ("waiting", "Ack")


def test_keys_move_between_arrows(pane: DiagramPane, qtbot: QtBot) -> None:
    pane.setFocus()
    picked: list[tuple[str, str]] = []
    pane.cell_picked.connect(lambda state, event: picked.append((state, event)))
    qtbot.keyClick(pane, Qt.Key.Key_Right)
    qtbot.keyClick(pane, Qt.Key.Key_Right)
    qtbot.keyClick(pane, Qt.Key.Key_Left)
    assert picked[0] == picked[2] != picked[1]
    with qtbot.waitSignal(pane.jump_wanted):
        qtbot.keyClick(pane, Qt.Key.Key_Return)


def test_zoom_keeps_the_point_under_the_pointer_and_fit_shows_all(pane: DiagramPane, qtbot: QtBot) -> None:
    fit = pane.scale
    point = QPointF(where(pane, "waiting"))
    pane.zoom(2.0, point)
    assert pane.scale == pytest.approx(2 * fit)
    assert (QPointF(where(pane, "waiting")) - point).manhattanLength() <= 2
    pane.setFocus()
    qtbot.keyClick(pane, Qt.Key.Key_0)
    assert pane.scale == pytest.approx(fit)


def test_dragging_the_background_pans(pane: DiagramPane, qtbot: QtBot) -> None:
    before = where(pane, "acked")
    qtbot.mousePress(pane, LEFT, pos=QPoint(3, 3))
    qtbot.mouseMove(pane, QPoint(43, 23))
    qtbot.mouseRelease(pane, LEFT, pos=QPoint(43, 23))
    moved = where(pane, "acked") - before
    assert abs(moved.x() - 40) <= 2 and abs(moved.y() - 20) <= 2


def test_processes_and_the_stopping_point_are_drawn(pane: DiagramPane) -> None:
    plain = pane.grab().toImage()
    assert ink(plain, "fault.base") == 0
    pane.document.show_run({}, None, Failure(3, 1.5, "2", "waiting", "Ack", "message", "Ack", "1", "it fails"))
    assert ink(pane.grab().toImage(), "fault.base") > 30
    pane.document.show_run(None)
    before = ink(pane.grab().toImage(), "selection")
    pane.mark_states({"waiting": 3})
    assert ink(pane.grab().toImage(), "selection") > before + 20
    assert pane.marks.counts == {"waiting": 3}


def test_an_animated_change_ends_in_the_new_diagram(qtbot: QtBot) -> None:
    document = ProtocolDocument(ECHO)
    pane = DiagramPane(document, Theme("dark"))
    qtbot.addWidget(pane)
    pane.resize(500, 400)
    with qtbot.waitExposed(pane):
        pane.show()
    document.replace(add_state(document.source, "resting"), "")
    with qtbot.waitSignal(pane._moves.finished):
        pane.grab()
    assert pane.layout_now.states[-1].name == "resting"
    document.close()


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_diagram_is_saved_as_a_picture(pane: DiagramPane, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"states.{ending}"
    pane.save_picture(path)
    data = path.read_bytes()
    if ending == "svg":
        assert b"acknowledged" in data and b"initiating" in data
    elif ending == "png":
        assert QImage(str(path)).width() == 2 * round(pane.layout_now.width)
    else:
        assert data.startswith(b"%PDF")


def test_an_unknown_file_extension_is_refused(pane: DiagramPane, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"unknown suffix '\.bmp'; choose from \.svg, \.png and \.pdf"):
        pane.save_picture(tmp_path / "states.bmp")
    assert list(tmp_path.iterdir()) == []
