"""The results panel of a sweep: reading, options of plots, and unusual runs, which are found, marked and opened."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.style import window_style
from lydian.app.look.theme import Theme
from lydian.app.pictures.plotfile import write_plot
from lydian.app.sweep.results import plotcanvas
from lydian.app.sweep.results.results import ResultsPanel
from lydian.batch.folder import Folder
from lydian.batch.packed import pack
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.model.errors import BadInput
from lydian.views.plots.options import Wish
from tests.batchfolder import SMALL, folder_of, write_parts


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("results") / "small", failing=(3, 40))


@pytest.fixture
def panel(qtbot):
    host = QWidget()
    host.setStyleSheet(window_style(Theme()))  # styled as in the window
    made = ResultsPanel(Theme(), host)
    qtbot.addWidget(host)
    host.resize(1200, 800)
    made.resize(1200, 800)
    with qtbot.waitExposed(host):
        host.show()
    yield made
    made.close_all()


@pytest.fixture
def full(panel, qtbot, whole):
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.open_folder(whole.path)
    return panel


def choose(box, data):
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def at_run(canvas, run):
    """Return the position of a run's dot or number."""
    for badge in canvas._badges:
        if badge.run == run:
            return QPoint(round(badge.at_x), round(badge.at_y))
    raise AssertionError(f"run {run} has no number")


# ---------------------------------------------------------------------------------------------------- reading


def test_an_empty_panel_explains_what_to_do(panel):
    assert panel.sentence.isVisible() and "to see its results here" in panel.sentence.text()
    assert panel.open_button.isVisible()


def test_a_folder_without_a_batch_is_reported_in_one_sentence(panel, qtbot, tmp_path):
    with qtbot.waitSignal(panel.said, timeout=20_000) as said:
        panel.open_folder(tmp_path / "nowhere")
    assert "this folder does not exist" in said.args[0] and said.args[1] is True
    assert "this folder does not exist" in panel.sentence.text()


def test_results_arrive_while_the_sweep_runs(panel, qtbot, tmp_path):
    folder = Folder.create(tmp_path / "growing", pack(sweep_from(SMALL)), 18, False)
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.open_folder(folder.path)
    assert panel.cards[0].plot.empty == "No run has finished yet."
    write_parts(folder, [0, 2])
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.refresh()
    assert "36 of 72 runs" in panel.numbers.text()
    choose(panel.cards[0].kind_box, "mean")
    write_parts(folder, [1, 3])
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.refresh()
    assert panel.numbers.text().endswith("·  72 runs")
    assert panel.cards[0].wish.kind == "mean"  # the choice is kept
    assert panel.chip.text() == "✓ messages = 4*m - 2*n + 2 in all 72 runs"


def test_viewing_results_never_starts_spark(panel, qtbot, whole, monkeypatch):
    def refuse(*_args, **_words):
        raise AssertionError("Spark was started")

    monkeypatch.setattr("lydian.batch.spark.session.Spark.__init__", refuse)
    monkeypatch.setattr("lydian.batch.spark.java.find_java", refuse)
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.open_folder(whole.path)
    assert len(panel.results) == 72 and panel.strange


# ---------------------------------------------------------------------------------------------------- plots


def test_options_change_the_plot(full):
    card = full.cards[0]
    assert card.wish == Wish("messages", "n", "delay", "kind")
    choose(card.y_box, "time")
    choose(card.over_box, "")
    choose(card.by_box, "kind")
    choose(card.kind_box, "mean")
    card.fit.click()
    assert (card.wish.y, card.wish.by, card.wish.over, card.wish.fit) == ("time", "kind", "", True)
    assert card.plot.title == "Time" and card.title.text() == "Time"
    assert [name for name, _ in card.plot.series] == ["ring", "random"]
    before = card.plot.y.log
    card.log_y.click()
    assert card.plot.y.log is not before
    choose(card.kind_box, "ecdf")
    assert not card.x_box.isEnabled() and card.plot.y.words == "share of runs"
    choose(card.kind_box, "spread")
    assert card.x_box.currentData() == "n"


def test_a_second_plot_can_be_added(full):
    assert full.two.isChecked() and full.cards[1].isVisible()
    assert full.cards[1].wish.y == "time"
    full.two.click()
    assert not full.cards[1].isVisible()


def test_hovering_shows_exact_figures(full, qtbot, monkeypatch):
    told = []
    monkeypatch.setattr(plotcanvas.QToolTip, "showText", lambda _at, text, _widget: told.append(text))
    canvas = full.cards[0].canvas
    canvas.grab()
    frame = canvas.layout_now.frames[0]
    at = QPoint(round(frame.trails[0].x[1]), round(frame.trails[0].value[1]))
    qtbot.mouseMove(canvas, at)
    assert canvas.found_at(at.x(), at.y()).lines[0].startswith("ring, ")
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].splitlines()[1] == "6 runs"
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.hover.lines[0] == "ring, constant, processes 5"
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert canvas.hover.lines[0] == "random, exponential, processes 11"
    assert canvas.accessibleDescription().startswith("random, exponential, processes 11; ")


def test_plots_can_be_saved(full, tmp_path, monkeypatch, qtbot):
    card = full.cards[0]
    for ending, magic in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG"), (".csv", b"kind,delay,n,count")):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, e=ending: (str(tmp_path / f"p{e}"), ""))
        card.save()
        assert (tmp_path / f"p{ending}").read_bytes().startswith(magic)
    assert b"exponential" in (tmp_path / "p.svg").read_bytes()  # text remains text
    with pytest.raises(BadInput, match="the name of a plot must end in"):
        write_plot(card.plot, tmp_path / "p.gif")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / "no" / "p.svg"), ""))
    with qtbot.waitSignal(full.said) as said:
        card.save()
    assert "cannot be written" in said.args[0]


def test_plots_can_be_copied(full):
    full.cards[0].copy_figures()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:3] == ["kind", "delay", "n"] and len(lines) == 13
    full.cards[0].copy_picture()
    assert QGuiApplication.clipboard().mimeData().hasImage()


def test_in_a_small_window_plots_have_their_own_tab(full, qtbot):
    full.resize(900, 420)
    assert full.tabs.currentWidget() is full.plots and full.tabs.tabText(0) == "Plots"
    assert full.cards[0].canvas.height() > 130
    full._picked(full.strange[0].run)
    assert full.tabs.currentWidget() is full.first
    full.resize(1200, 800)
    assert full.tabs.indexOf(full.plots) < 0 and full.plots.isVisible()
    assert full.tabs.tabText(full.tabs.indexOf(full.failed)) == "Failed runs (2)"


def test_all_runs_are_exported_as_csv(full, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / "all"), ""))
    full.csv.click()
    with (tmp_path / "all.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 72


@pytest.mark.parametrize("look", ["light", "dark", "contrast"])
def test_every_kind_is_painted_in_every_theme(full, look):
    set_theme_of(full, Theme(look, scale=1.5))
    card = full.cards[0]
    for kind in ("spread", "mean", "runs", "histogram", "density", "ecdf"):
        card.show_wish(Wish("time", "n", "delay", "kind", kind))
        image = card.canvas.grab().toImage()
        colors = {
            image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)
        }
        assert card.canvas.theme.message(0).color.name() in colors or len(colors) > 20


# ---------------------------------------------------------------------------------------------------- tables


def test_groups_are_shown_as_figures(full):
    groups = full.groups
    heads = [groups.horizontalHeaderItem(i).text() for i in range(groups.columnCount())]
    assert heads[:5] == ["Kind", "Delay", "Processes", "Runs", "Mean"]
    assert groups.rowCount() == 12
    assert [groups.item(0, i).text() for i in range(5)] == ["ring", "constant", "5", "5", "12"]


def test_published_numbers_are_shown_beside_those_of_the_runs(panel, full, qtbot, tmp_path):
    at = full.tabs.indexOf(full.published)
    assert not full.tabs.isTabVisible(at)  # this sweep has no such table
    published = [{"measure": "messages", "at": {"kind": "ring", "n": 8}, "value": 18, "source": "chapter 1"},
                 {"measure": "time", "high": 1}]  # fmt: skip
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.open_folder(folder_of(tmp_path / "out", published=published).path)
    assert panel.tabs.isTabVisible(at) and panel.published.rowCount() == 2
    row = [panel.published.item(0, i).text() for i in range(7)]
    assert row == ["messages", "kind ring, n 8", "18", "18", "", "equal", "chapter 1"]
    assert any(label.text == "published" for label in panel.cards[0].canvas.layout_now.labels)


def test_failed_runs_are_a_category_with_their_errors(full, qtbot):
    assert full.tabs.tabText(full.tabs.indexOf(full.failed)) == "Failed runs (2)"
    assert [full.failed.item(0, i).text() for i in range(4)] == ["2", "time", "the run took longer than 60 s", "3"]
    with qtbot.waitSignal(full.run_wanted) as wanted:
        full.failed.cellDoubleClicked.emit(0, 0)
    assert wanted.args == [full.folder, 3]


def test_unusual_runs_are_marked_and_can_be_opened(full, qtbot, monkeypatch):
    monkeypatch.setattr(plotcanvas.QToolTip, "showText", lambda *_args: None)
    assert full.strange and full.runs.rowCount() == len(full.strange)
    first = full.strange[0]
    assert full.runs.item(0, 0).text() == "1" and full.runs.item(0, 1).text() == first.why
    canvas = full.cards[0].canvas
    canvas.grab()
    full.runs.setCurrentCell(0, 1)
    assert canvas.marked == first.run
    second = full.strange[1].run
    qtbot.mouseMove(canvas, at_run(canvas, second))
    assert canvas.marked == second
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at_run(canvas, second))
    assert full.runs.currentRow() == 1
    button = full.runs.cellWidget(0, full.runs.columnCount() - 1).findChild(QPushButton)
    with qtbot.waitSignal(full.run_wanted) as wanted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wanted.args == [full.folder, first.run]
    with qtbot.waitSignal(full.run_wanted) as wanted:
        qtbot.keyClick(full.runs, Qt.Key.Key_Return)
    assert wanted.args == [full.folder, second]


def test_the_panel_and_the_command_line_agree(full):
    from lydian.batch.spark.surprise import named_run

    for each in full.strange:
        assert named_run(f"{full.folder}#{each.rank}")[1] == each.run


def test_an_unwritable_folder_can_be_viewed(panel, qtbot, tmp_path, monkeypatch):
    folder = folder_of(tmp_path / "ro")

    def refuse(*_args):
        raise BadInput("cannot be written (no permission)")

    monkeypatch.setattr("lydian.app.sweep.results.results.remember", refuse)
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.open_folder(folder.path)
    assert panel.strange and not Path(folder.path / "strangest.json").exists()


def test_a_report_contains_what_is_shown(full, qtbot, tmp_path, monkeypatch):
    target = tmp_path / "mine"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    with qtbot.waitSignal(full.reporting.written, timeout=20_000):
        qtbot.mouseClick(full.report, Qt.MouseButton.LeftButton)
    text = (tmp_path / "mine.html").read_text()
    assert text.count('src="data:image/svg+xml;base64,') == 4
    assert full.strange[0].why in text
    assert "Runs without a result" in text


def test_an_unwritable_report_is_explained_in_one_sentence(full, qtbot, tmp_path):
    with qtbot.waitSignal(full.said, timeout=20_000, check_params_cb=lambda words, bad: bad) as said:
        full.reporting.begin(tmp_path / "gone" / "r.html", full._reader.folder, full.results, full.strange)
    assert "the report cannot be written" in said.args[0]


def test_results_arrive_in_parts(panel, qtbot, whole, monkeypatch):
    """The event loop of the window runs between two parts."""
    turns = []
    monkeypatch.setattr(type(panel.cards[0]), "show_results", lambda *_: turns.append(len(rounds)))
    rounds = []
    timer = QTimer(panel)
    timer.timeout.connect(lambda: rounds.append(1))
    timer.start(0)
    with qtbot.waitSignal(panel.filled, timeout=20_000):
        panel.open_folder(whole.path)
    timer.stop()
    assert len(turns) == 2
    assert turns[0] < turns[1] < len(rounds)


def test_slow_imports_happen_in_the_thread(whole, python_env):
    """After reading a folder, drawing the plots imports no large module."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom lydian.app.sweep.results.results import look\n"
        f"found = look(Path({str(whole.path)!r}), None)(lambda share: None)\nbefore = set(sys.modules)\n"
        "from lydian.views.plots.plots import plot_of\nfrom lydian.views.plots.options import sensible\n"
        "plot_of(found.results, sensible(found.results))\n"
        "print(len([name for name in set(sys.modules) - before if not name.startswith('lydian')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=python_env, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 10
