"""Menus and keys of the window, connected to views, the play head and file export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from lydian.app.painters.time.axis import COLUMN
from lydian.app.panels.trace import tracepane
from lydian.app.pictures.movieoptions import MovieWish
from lydian.app.window.mainwindow import MainWindow
from lydian.formats.traces import FORMATS, export
from lydian.views.registry import views
from lydian.views.time.timescale import SCALES, scale_of

#: Opens a window of a given size and layout with its first run complete.
Open = Callable[..., MainWindow]

#: Warnings of the offscreen platform.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

WIDE = (1600, 900)
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip


def chosen(window: MainWindow, view: str, title: str) -> str:
    """Return the ticked entries in a menu of a dock."""
    (action,) = [action for action in submenu(window, view, title).actions() if action.isChecked()]
    return action.text()


def submenu(window: MainWindow, view: str, title: str) -> QMenu:
    (found,) = [menu for menu in window.stage.docks[view].menu.findChildren(QMenu) if menu.title() == title]
    return found


def option(window: MainWindow, view: str, title: str, words: str) -> QAction:
    (found,) = [action for action in submenu(window, view, title).actions() if action.text() == words]
    return found


def press(qtbot: QtBot, window: MainWindow, which: Qt.Key, *held: Qt.KeyboardModifier) -> None:
    modifiers = Qt.KeyboardModifier.NoModifier
    for one in held:
        modifiers |= one
    qtbot.keyClick(window.stage.canvases["basic"], which, modifiers)


# ---------------------------------------------------------------------- knowledge


def test_a_key_shows_and_hides_the_knowledge_dock(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    dock, canvas = window.stage.docks["knowledge"], window.stage.canvases["knowledge"]
    assert dock.isHidden()
    press(qtbot, window, Qt.Key.Key_8, CTRL)
    qtbot.waitUntil(canvas.isVisible)
    window.playhead.seek(window.playhead.end)
    canvas.repaint()
    assert canvas.trouble is None and "pairs" in dock.note.text()
    assert window.actions_by_name["view_knowledge"].isChecked()
    press(qtbot, window, Qt.Key.Key_8, CTRL)
    assert dock.isHidden()


@pytest.mark.parametrize("layout", ["watch", "study"])
def test_knowledge_comes_to_the_front_in_small_windows(qtbot: QtBot, open_window: Open, layout: str) -> None:
    window = open_window(layout=layout)
    window.actions_by_name["view_knowledge"].trigger()
    qtbot.waitUntil(lambda: not window.stage.canvases["knowledge"].visibleRegion().isEmpty())


def test_every_option_of_every_view_can_be_drawn(open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    window.stage.show_view("knowledge", True)
    window.playhead.seek(window.playhead.end / 2)
    for spec in views():
        canvas = window.stage.canvases[spec.name]
        for choice in spec.choices:
            for value, words in choice.values.items():
                option(window, spec.name, choice.title, words).trigger()
                assert canvas.options[choice.name] == value
                canvas.grab()
                assert canvas.trouble is None
            option(window, spec.name, choice.title, next(iter(choice.values.values()))).trigger()


# ---------------------------------------------------------------------- the axis shared by two views


def test_both_time_views_share_axis_and_order(open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    option(window, "occupation", "Horizontal axis", SCALES["events"]).trigger()
    assert chosen(window, "causality", "Horizontal axis") == SCALES["events"] and window.camera.axis == "events"
    option(window, "causality", "Order of the rows", "By first event").trigger()
    assert chosen(window, "occupation", "Order of the rows") == "By first event"
    for name in ("causality", "occupation"):
        canvas = window.stage.canvases[name]
        canvas.grab()
        assert canvas.frame.scene.scale.name == "events"


def test_the_play_heads_of_both_views_are_aligned(open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    window.playhead.seek(window.playhead.end / 2)
    option(window, "occupation", "Shares beside the bars", "Show them").trigger()
    assert window.camera.margin == COLUMN
    places = []
    for name in ("causality", "occupation"):
        canvas = window.stage.canvases[name]
        canvas.grab()
        plot = canvas._painter.geometry(canvas.rect().toRectF(), canvas.frame, canvas.camera)
        places.append(plot.x(window.playhead.t))
        assert plot.right < canvas.width() - COLUMN
    assert places[0] == pytest.approx(places[1])
    option(window, "occupation", "Shares beside the bars", "Hide them").trigger()
    assert window.camera.margin == 0


@pytest.mark.parametrize("axis", ["events", "squashed", "lamport"])
def test_zooming_keeps_the_point_under_the_pointer_on_every_axis(open_window: Open, axis: str) -> None:
    window = open_window(size=WIDE, layout="study")
    option(window, "causality", "Horizontal axis", SCALES[axis]).trigger()
    camera, timeline = window.camera, window.playhead.timeline
    assert timeline is not None
    scale, at = scale_of(timeline, axis), timeline.end * 0.4
    whole = scale.span(camera.window)
    camera.zoom(2.0, at)
    start, stop = scale.span(camera.window)
    assert stop - start == pytest.approx((whole[1] - whole[0]) / 2, rel=0.1)
    before, after = ((scale.place(at) - a) / (b - a) for a, b in (whole, (start, stop)))
    assert after == pytest.approx(before, abs=0.06)
    camera.move(0.1)
    assert scale.span(camera.window)[1] - scale.span(camera.window)[0] == pytest.approx(stop - start, rel=0.1)
    camera.following = True
    window.playhead.seek(timeline.end)
    low, high = camera.window
    assert low < timeline.end <= high
    camera.zoom(1e-6, at)
    assert camera.fits


# ---------------------------------------------------------------------- export


def answer(monkeypatch: pytest.MonkeyPatch, path: Path, kind: str = "") -> None:
    """Set the answer of the file chooser."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_words: (str(path), kind))


def test_a_trace_is_exported_for_other_programs(
    open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = open_window()
    assert window.session.shown is not None
    for kind, form in FORMATS.items():
        answer(monkeypatch, tmp_path / kind)
        window.actions_by_name[f"export_{kind}"].trigger()
        export(window.session.shown.trace, tmp_path / "wanted", kind)
        assert (tmp_path / f"{kind}{form.endings[0]}").read_bytes() == (tmp_path / "wanted").read_bytes()
        assert f"{kind}{form.endings[0]}" in window.status.label.text()


def test_a_view_is_exported_for_print(open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    window = open_window()
    answer(monkeypatch, tmp_path / "view", "Pages for printing (*.pdf)")
    window.actions_by_name["picture"].trigger()
    assert (tmp_path / "view.pdf").read_bytes().startswith(b"%PDF-")


def film(qtbot: QtBot, window: MainWindow) -> None:
    """Request a movie and press the button of its form."""
    window.actions_by_name["export_movie"].trigger()
    qtbot.mouseClick(window.exports.films.form.go, Qt.MouseButton.LeftButton)


def test_the_window_responds_while_a_movie_is_made(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = open_window()
    window.playhead.set_speed(64.0)
    answer(monkeypatch, tmp_path / "run.gif")
    film(qtbot, window)
    assert window.exports.filming and window.status.cancel.isVisible() and not (tmp_path / "run.gif").exists()
    window.exports.films.begin(MovieWish())
    assert "still being written" in window.notice.label.text()
    qtbot.waitUntil(lambda: not window.exports.filming, timeout=30_000)
    assert (tmp_path / "run.gif").read_bytes().startswith(b"GIF89a")
    assert "run.gif" in window.status.label.text() and not window.status.cancel.isVisible()


def test_a_cancelled_movie_leaves_no_file(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = open_window()
    folder = tmp_path / "movies"
    folder.mkdir()
    answer(monkeypatch, folder / "run", "Movies (*.mp4)")
    film(qtbot, window)
    qtbot.waitUntil(lambda: window.status.bar.value() > 0, timeout=20_000)
    assert list(folder.iterdir())
    qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    assert not window.exports.filming and not list(folder.iterdir()) and not window.status.bar.isVisible()


def test_a_movie_that_would_be_too_long_is_refused(open_window: Open) -> None:
    window = open_window()
    window.playhead.speed = 1e-3
    window.actions_by_name["export_movie"].trigger()
    form = window.exports.films.form
    assert "600" in form.problem.text() and not form.go.isEnabled()


# ---------------------------------------------------------------------- ways through a run


def test_bookmarks_are_set_found_drawn_and_removed(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    head, scrubber = window.playhead, window.bottom.scrubber
    for t in (3.0, 7.0):
        head.seek(t)
        press(qtbot, window, Qt.Key.Key_B)
    assert [mark.time for mark in head.bookmarks.marks] == [3.0, 7.0]
    assert [mark.text for mark in scrubber.marks if mark.sign == "own"] == ["Bookmark 1", "Bookmark 2"]
    head.seek(5.0)
    scrubber.grab()
    flag = scrubber.grab().toImage().pixelColor(round(scrubber.place(3.0)) + 2, 6)
    assert flag.blue() > flag.red() + 60  # the flag is drawn at its time
    press(qtbot, window, Qt.Key.Key_PageUp)
    assert head.t == 3.0
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert head.t == 7.0 and "Bookmark 2" in window.status.label.text()
    press(qtbot, window, Qt.Key.Key_B)
    assert [mark.time for mark in head.bookmarks.marks] == [3.0]
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert head.t == 7.0 and "no bookmark" in window.status.label.text()


def test_a_loop_plays_only_its_part(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    head, scrubber = window.playhead, window.bottom.scrubber
    before = scrubber.grab().toImage()
    head.seek(2.0)
    press(qtbot, window, Qt.Key.Key_I)
    head.seek(4.0)
    press(qtbot, window, Qt.Key.Key_O)
    assert head.span == (2.0, 4.0) and window.actions_by_name["loop"].isChecked()
    inside = (round(scrubber.place(2.5)), 20)
    assert scrubber.grab().toImage().pixelColor(*inside) != before.pixelColor(*inside)
    head.play()
    for _ in range(60):
        head.advance(0.25)
        assert 2.0 <= head.t <= 4.0
    press(qtbot, window, Qt.Key.Key_L, CTRL)
    assert not head.loop and head.loop_from == 2.0
    press(qtbot, window, Qt.Key.Key_L, CTRL, SHIFT)
    assert head.loop_from is None and head.loop_to is None


def test_keys_visit_causes_effects_rounds_and_the_longest_chain(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    head = window.playhead
    timeline = head.timeline
    assert timeline is not None
    head.seek(head.end)
    press(qtbot, window, Qt.Key.Key_PageUp, ALT)
    first = head.selection.event
    assert first is not None and head.t == float(timeline.time[first])
    press(qtbot, window, Qt.Key.Key_PageUp, ALT)
    assert head.selection.event == int(timeline.cause[first])
    press(qtbot, window, Qt.Key.Key_PageDown, ALT)
    assert head.t > float(timeline.time[int(timeline.cause[first])])
    press(qtbot, window, Qt.Key.Key_Escape)
    head.seek(head.start)
    seen = []
    for _ in range(5):
        press(qtbot, window, Qt.Key.Key_PageDown, CTRL)
        seen.append(head.selection.event)
    assert len(set(seen)) == 5 and None not in seen
    press(qtbot, window, Qt.Key.Key_PageUp, CTRL)
    assert head.selection.event == seen[-2]
    head.seek(head.start)
    press(qtbot, window, Qt.Key.Key_Right, CTRL)
    round_end = head.t
    assert round_end > head.start
    press(qtbot, window, Qt.Key.Key_Right, CTRL)
    assert head.t > round_end
    press(qtbot, window, Qt.Key.Key_Left, CTRL)
    assert head.t == round_end


def test_playing_by_events_is_a_toggle_and_the_slider_sets_its_rate(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    head, transport = window.playhead, window.bottom.transport
    press(qtbot, window, Qt.Key.Key_E)
    assert head.pace == "events" and window.actions_by_name["pace_events"].isChecked()
    assert transport.speed.text() == "4/s"
    transport.slider.setValue(transport.slider.value() + 1)
    assert head.rate == 8.0 and head.speed == 1.0 and transport.speed.text() == "8/s"
    head.play()
    head.advance(0.5)
    assert head.timeline is not None and head.t > 0
    assert len({t for t in head.timeline.time.tolist() if t <= head.t}) in (3, 4, 5)
    press(qtbot, window, Qt.Key.Key_E)
    assert head.pace == "time" and transport.speed.text() == "1×"


# ---------------------------------------------------------------------- the filter of the text trace


def test_the_filter_lists_matches_and_explains_errors(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    press(qtbot, window, Qt.Key.Key_F, CTRL)
    pane, head = window.stage.pane, window.playhead
    assert pane.isVisible() and pane.field.hasFocus() and head.timeline is not None
    qtbot.keyClicks(pane.field, "message=Ack")
    wanted = [i for i in range(head.timeline.length) if head.timeline.labels[head.timeline.label[i]] == "Ack"
              and head.timeline.label[i] >= 0]  # fmt: skip
    assert wanted and pane.matches is not None and pane.matches.tolist() == wanted
    model = pane.list.model()
    assert model.rowCount() == len(wanted) and "Ack" in model.index(0, 0).data()
    assert f"{len(wanted)} of" in window.stage.docks["trace"].note.text()
    pane.field.setText("message=Ack and kolor=red")
    assert "kolor" in pane.sentence.text() and pane.sentence.isVisible() and not pane.clear.isVisible()
    assert pane.matches is not None and pane.matches.tolist() == wanted  # the last valid filter stays
    assert pane.field.text() == "message=Ack and kolor=red"
    wrong = pane.field.grab().toImage()
    pane.field.underline(0, 0, window.theme)
    assert pane.field.text() == "message=Ack and kolor=red" and pane.field.grab().toImage() != wrong
    pane.list.clicked.emit(model.index(2, 0))
    assert head.selection.event == wanted[2]
    pane.field.setText("t>100000")
    assert pane.sentence.text() == "No event matches t>100000." and model.rowCount() == 0
    qtbot.mouseClick(pane.clear, Qt.MouseButton.LeftButton)
    assert pane.field.text() == "" and not pane.sentence.isVisible() and model.rowCount() == head.timeline.length


def test_f3_visits_matches_both_ways(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    pane, head = window.stage.pane, window.playhead
    press(qtbot, window, Qt.Key.Key_F3)
    assert pane.field.hasFocus()  # there is nothing to find yet
    pane.field.setText("kind=receive and p=3")
    assert pane.matches is not None and head.timeline is not None
    matches = pane.matches.tolist()
    seen = []
    for _ in matches:
        press(qtbot, window, Qt.Key.Key_F3)
        seen.append(head.selection.event)
        assert head.t == float(head.timeline.time[matches[len(seen) - 1]])
    assert seen == matches and pane.list.currentIndex().row() == len(matches) - 1
    press(qtbot, window, Qt.Key.Key_F3)
    assert head.selection.event == matches[-1] and "No event after" in window.status.label.text()
    press(qtbot, window, Qt.Key.Key_F3, SHIFT)
    assert head.selection.event == matches[-2]
    press(qtbot, window, Qt.Key.Key_Escape)
    qtbot.keyClick(pane.field, Qt.Key.Key_Return)  # Return in the field goes to the next match, as F3 does
    assert head.selection.event == matches[-1]


def test_the_filter_applies_to_the_next_run(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    window.actions_by_name["view_trace"].trigger()
    pane = window.stage.pane
    pane.field.setText("kind=decide or p=7")
    before = window.session.shown
    window.actions_by_name["new_seed"].trigger()
    qtbot.waitUntil(lambda: window.session.shown is not before, timeout=20_000)
    timeline = window.playhead.timeline
    assert timeline is not None and pane.list.rows.timeline is timeline and pane.filter is not None
    assert pane.matches is not None
    assert pane.matches.tolist() == pane.filter.select(timeline).nonzero()[0].tolist()


def test_sentences_of_long_runs_are_computed_on_demand(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_window(size=WIDE)
    monkeypatch.setattr(tracepane, "AT_ONCE", 10)
    pane = window.stage.pane
    pane.field.setText("Ack")
    assert pane.matches is None and "Return" in pane.sentence.text()
    pane.field.returnPressed.emit()
    assert pane.matches is not None and len(pane.matches) and not pane.sentence.text()
