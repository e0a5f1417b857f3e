"""Marks around the code: colours, the margin, results of a run, and gaps below lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.theme import Theme
from lydian.app.look.vision import contrast
from lydian.app.protocol.code import highlighter
from lydian.app.protocol.code.highlighter import COLOURS, role_spans
from lydian.authoring.failing import Earlier, Failure
from lydian.pieces.animation import animation_for
from tests.app.codedesk import SOURCE, WRONG, Desk, Key, Mod, Open, desks

RIGHT = SOURCE.replace("herd", "heard")


pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Open]:
    yield from desks(qtbot)


GROUNDS = ("surface.canvas", "surface.panelAlt", "check.violatedSoft", "check.warnSoft", "accent.soft")


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_code_is_readable_on_every_background(name: str, qapp: object) -> None:
    theme = Theme(name)
    inks = {*COLOURS.values(), "text.primary"}
    poor = [
        f"{ink} on {ground}: {contrast(theme.color(ink), theme.color(ground)):.2f}"
        for ink in inks
        for ground in GROUNDS
        if contrast(theme.color(ink), theme.color(ground)) < 4.5
    ]
    assert poor == []


def formats(d: Desk, line: int) -> dict[str, tuple[str, bool]]:
    """Map each word of a line to its colour and whether it is bold."""
    block = d.text.document().findBlockByNumber(line - 1)
    return {
        block.text()[f.start : f.start + f.length]: (f.format.foreground().color().name(), f.format.fontWeight() > 500)
        for f in block.layout().formats()
    }


def ink(name: str, theme: str = "light") -> str:
    return Theme(theme).color(name).name()


def test_states_and_messages_have_their_own_colours(desk: Open) -> None:
    d = desk()
    found = formats(d, 22)
    assert found["IDLE"] == (ink("syntax.state"), True)
    assert found["News"] == (ink("syntax.message"), True)
    assert found["@on"] == (ink("syntax.keyword"), False)
    assert formats(d, 5)["idle"][0] == ink("syntax.state"), "where a state is declared, its text too"
    assert formats(d, 3).keys() == {"from", "import"}
    set_theme_of(d.editor, Theme("dark"))
    assert formats(d, 22)["IDLE"][0] == ink("syntax.state", "dark")


def test_a_new_state_is_coloured_everywhere(desk: Open) -> None:
    d = desk(RIGHT + "# end\n")
    d.put(RIGHT.replace("self.state = DONE", "self.state = LATE") + "|")
    assert "LATE" not in formats(d, 31)
    d.document.replace(
        d.document.source.replace('IDLE, DONE = states("idle", "done")', 'IDLE, LATE = states("a", "b")')
    )
    assert formats(d, 31)["LATE"][0] == ink("syntax.state")
    assert "DONE" not in formats(d, 22)


def test_only_changed_lines_are_highlighted_again(desk: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    d = desk(RIGHT * 40)
    read: list[str] = []
    monkeypatch.setattr(highlighter, "role_spans", lambda line, *rest: (read.append(line), role_spans(line, *rest))[1])
    d.at(300)
    d.type("x")
    assert len(read) == 1
    d.at(1, 3)
    d.key(Key.Key_Backspace)
    assert len(read) > 30, "a text of several lines that opens colours what follows"


def test_the_appearance_of_states_can_be_set(desk: Open) -> None:
    d = desk()
    assert d.text.swatches == {"idle": 0, "done": 1}
    assert d.text.marks.states[17] == ("idle",) and d.text.gutter.tip(17, d.text.gutter.width() - 2) == "in idle"
    d.editor.set_looks({"idle": 5}, {"News": 3})
    assert d.text.swatches == {"idle": 5, "done": 1}
    assert d.text.lighter.roles["News"].slot == 3


def test_a_protocol_of_the_library_looks_as_in_its_animation(desk: Open, root: Path) -> None:
    d = desk()
    path = root / "protocols" / "echo.py"
    d.document.load(path.read_text(encoding="utf-8"), path, read_only=True)
    drawn = animation_for("echo")
    assert d.text.swatches == {name: drawn.slot(name) for name in d.document.draft.states}
    assert d.text.lighter.roles["Ack"].slot == drawn.messages["Ack"]


# ---------------------------------------------------------------------- results of a run

FAILURE = Failure(
    12, 3.5, "1", "done", "News", "message", "News", "3", "Process 1 had removed 3 already.", "KeyError: '3'", 24,
    "hear", earlier=(Earlier(20, "removed 3 here first, at 2.66", 9),),
)  # fmt: skip


def test_counts_stay_beside_their_functions(desk: Open) -> None:
    d = desk(RIGHT)
    d.document.show_run(None, {22: 8, 19: 0})
    assert d.text.marks.counts == {22: 8, 18: 0}, "at the def, not at its decorator"
    d.at(1)
    d.key(Key.Key_Return)
    assert d.text.marks.counts == {23: 8, 19: 0}
    d.document.show_run(None)
    assert d.text.marks.counts == {}


def test_a_failure_is_marked_and_explained_where_it_happened(desk: Open) -> None:
    d = desk(RIGHT)
    d.document.show_run(None, None, FAILURE)
    assert d.text.marks.failing == {23: True} and d.text.marks.earlier == {19: "removed 3 here first, at 2.66"}
    notes = [each for each in d.text.rooms.placed if isinstance(each, QLabel)]
    assert [each.text() for each in notes] == ["removed 3 here first, at 2.66"]
    band = next(each for each in d.text.rooms.placed if each.accessibleName() == "Why the run stopped")
    assert d.pixel(24, 0).y() < band.geometry().top() < band.geometry().bottom() < d.pixel(25, 0).y()
    buttons = {each.text(): each for each in band.findChildren(QPushButton)}
    with d.qtbot.waitSignal(d.editor.moment_wanted) as asked:
        d.qtbot.mouseClick(buttons["Show this moment"], Qt.MouseButton.LeftButton)
    assert asked.args == [12]
    tall = band.height()
    d.qtbot.mouseClick(buttons["Python's message"], Qt.MouseButton.LeftButton)
    assert band.labels[-1].text() == "KeyError: '3'" and band.height() > tall
    d.qtbot.mouseClick(buttons["Python's message"], Qt.MouseButton.LeftButton)
    assert band.height() == tall and len(band.labels) == 1
    d.qtbot.mouseClick(buttons["Go to line 20"], Qt.MouseButton.LeftButton)
    assert d.editor.line == 20
    d.document.show_run(None)
    assert d.text.rooms.placed == {} and d.pixel(25, 0).y() - d.pixel(24, 0).y() < 40


def test_gaps_below_a_line_follow_it_and_are_deleted_with_it(desk: Open) -> None:
    d = desk(RIGHT)
    label = QLabel("below")
    d.editor.put_below(20, label)
    d.at(10)
    d.key(Key.Key_Return)
    assert d.text.rooms.placed[label] == 20
    assert d.pixel(21, 0).y() < label.geometry().top() < d.pixel(22, 0).y()
    d.at(20, 0)
    for _ in range(2):
        d.key(Key.Key_Down, Mod.ShiftModifier)
    d.key(Key.Key_Delete)
    assert label not in d.text.rooms.placed and label.isHidden()
    label.deleteLater()


def test_clicks_below_a_gap_find_their_line(desk: Open) -> None:
    d = desk(RIGHT)
    d.editor.put_below(20, QLabel("one\ntwo\nthree"))
    for line in (19, 20, 22, 24):
        d.qtbot.mouseClick(d.text.viewport(), Qt.MouseButton.LeftButton, pos=d.pixel(line, 5))
        assert d.text.place() == (line, 5)


# ---------------------------------------------------------------------- painting


def pixels(image: QImage, color: QColor) -> int:
    """Return the number of pixels close to a colour."""
    near = 0
    for y in range(image.height()):
        for x in range(image.width()):
            seen = image.pixelColor(x, y)
            near += max(abs(a - b) for a, b in zip(seen.getRgb()[:3], color.getRgb()[:3], strict=True)) < 24
    return near


def row(d: Desk, line: int) -> QImage:
    """Return the picture of a line including its margin."""
    tall = d.text.fontMetrics().height()
    top = d.pixel(line, 0).y() - tall // 2
    return d.text.grab().toImage().copy(0, top, d.text.width(), tall + 2)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_underlines_symbols_and_breakpoints_are_drawn(desk: Open, theme: str) -> None:
    d = desk(theme=theme)
    d.at(1, 0)
    red = Theme(theme).color("check.violated")
    wrong, right = pixels(row(d, WRONG), red), pixels(row(d, WRONG + 1), red)
    assert wrong > right + 40
    before = pixels(row(d, 20), Theme(theme).color("fault.base"))
    d.editor.set_breaks([20])
    assert pixels(row(d, 20), Theme(theme).color("fault.base")) > before + 30


def test_states_are_underlined_in_their_colour_and_shown_in_the_margin(desk: Open) -> None:
    d = desk(RIGHT)
    d.at(1, 0)
    outline, fill = Theme("light").state(0).outline, Theme("light").state(0).fill
    assert pixels(row(d, 18), outline) > 20
    assert pixels(row(d, 18), fill) > 15 and pixels(row(d, 19), fill) == 0


def test_a_count_that_would_cover_code_is_omitted(desk: Open) -> None:
    d = desk(RIGHT)
    d.document.show_run(None, {27: 3})
    wide = row(d, 27)
    d.document.show_run(None)
    assert wide != row(d, 27)
    d.document.show_run(None, {27: 3})
    d.editor.resize(240, 600)
    narrow = row(d, 27)
    d.document.show_run(None)
    assert narrow == row(d, 27)
