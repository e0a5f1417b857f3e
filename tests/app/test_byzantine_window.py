"""Byzantine processes in the window: by key, menu and form, undone, drawn in every view and described in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu
from pytestqt.qtbot import QtBot

from lydian.app.access.words import process_words
from lydian.app.live.tools.faultmenu import add_faults
from lydian.app.main import make_window
from lydian.app.painters.pieces.masks import draw_mask
from lydian.app.panels.experiment.popups import FaultsPopup, fault_text
from lydian.app.window.mainwindow import MainWindow
from lydian.model.interventions import HOWS, TOOLS, Intervention
from lydian.views.network.liars import liars_at
from lydian.views.selection import NOTHING, Hit, Selection
from tests.app.conftest import heard

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
    pytest.mark.leaves_behind,  # the ready simulator belongs to the shared window, which ends it
]
T = 5.3


@pytest.fixture(scope="module")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(tmp_path_factory.mktemp("home")))
        window = make_window(None)
        window.resize(1280, 720)
        window.show()
        window.looks.arrange("study")
        yield window
        window.close()
        window.deleteLater()
        QApplication.processEvents()


@pytest.fixture
def window(qtbot: QtBot, shared: MainWindow) -> MainWindow:
    """Provide the window in its initial state, paused in the middle of its run."""
    if shared.interference.form is not None:
        shared.interference.form.leave()
    if shared.session.live.on or shared.session.live.branch:
        shared.documents.open_example()
    qtbot.waitUntil(lambda: shared.session.shown is not None and len(shared.session.shown.trace) > 100, timeout=20_000)
    shared.playhead.pause()
    shared.playhead.select(NOTHING)
    shared.playhead.seek(T)
    canvas = shared.stage.canvases["basic"]
    shared.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas.frame.t == T)
    return shared


def pressed(window: MainWindow, *processes: int) -> None:
    window.playhead.select(Selection(processes=frozenset(processes)))
    QTest.keyClick(window.stage.canvases["basic"], Qt.Key.Key_Q)


def done(qtbot: QtBot, window: MainWindow, act: object) -> tuple[Intervention, ...]:
    assert callable(act)
    with heard(qtbot, window.session.live.acted) as caught:
        act()
    said = caught.args[0]
    assert said.accepted, said.reason
    found: tuple[Intervention, ...] = said.interventions
    return found


def liars(window: MainWindow) -> dict[str, str]:
    timeline = window.playhead.timeline
    assert timeline is not None
    return {timeline.processes[p]: how for p, how in liars_at(timeline, timeline.count(window.playhead.t)).items()}


def test_q_opens_the_choice_and_q_again_makes_the_process_correct(qtbot: QtBot, window: MainWindow) -> None:
    pressed(window, 9)
    form = window.interference.form
    assert form is not None
    assert form.isVisible()
    assert form.title.text() == "Make process 9 lie"
    box = form.lines["how"]
    assert isinstance(box, QComboBox)
    assert box.hasFocus()
    assert [box.itemText(i) for i in range(box.count())] == [way.choice for way in HOWS.values()]
    box.setCurrentText("Babble")
    (did,) = done(qtbot, window, lambda: QTest.keyClick(form.lines["how"], Qt.Key.Key_Return))
    assert (did.do, did.process, did.how, did.time) == ("byzantine", "9", "babble", T)
    qtbot.waitUntil(lambda: liars(window) == {"9": "babble"}, timeout=10_000)
    toast = window.interference.toast
    assert toast is not None
    assert toast.label.text() == "Process 9 babbles from now on"
    assert "babbles" in process_words(window.playhead, 9).parts
    canvas = window.stage.canvases["basic"]
    qtbot.waitUntil(lambda: any(item.sort == "liar" and item.count == 1 for item in canvas.frame.legend))
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    (did,) = done(qtbot, window, lambda: pressed(window, 9))
    assert (did.do, did.process) == ("honest", "9")
    qtbot.waitUntil(lambda: liars(window) == {}, timeout=10_000)
    assert window.session.undo.undo_text == "make 9 honest"
    window.session.undo.undo()
    qtbot.waitUntil(lambda: liars(window) == {"9": "babble"}, timeout=20_000)


def test_several_processes_can_lie_at_once_and_escape_cancels(qtbot: QtBot, window: MainWindow) -> None:
    pressed(window, 8, 9)
    form = window.interference.form
    assert form is not None
    assert form.title.text() == "Make 2 processes lie"
    QTest.keyClick(form.lines["how"], Qt.Key.Key_Escape)
    assert not window.session.live.on
    pressed(window, 8, 9)
    again = window.interference.form
    assert again is not None
    assert again is not form
    did = done(qtbot, window, again.accept)
    assert [(each.do, each.process, each.how) for each in did] == [("byzantine", p, "lie") for p in ("8", "9")]
    qtbot.waitUntil(lambda: liars(window) == {"8": "lie", "9": "lie"}, timeout=10_000)


def test_the_menu_bar_and_the_palette_offer_the_command(window: MainWindow) -> None:
    menu = QMenu(window)
    add_faults(menu, window.interference, Hit("process", 9))
    assert "Make it lie…" in [action.text() for action in menu.actions()]
    menu.deleteLater()
    action: QAction = window.actions_by_name["fault_byzantine"]
    assert action.shortcut().toString() == "Q"
    assert TOOLS["byzantine"].bar
    bar = window.interference.bar
    assert bar is not None
    button = bar.buttons["byzantine"]
    bar.more.click()
    assert button.isVisible() and button.text() == "Lie"
    bar.panel.close()
    assert button.accessibleName() == "Make a process lie or make it honest"
    assert not button.icon().isNull()


def test_byzantine_faults_can_be_listed_and_added(qtbot: QtBot, window: MainWindow) -> None:
    assert fault_text(Intervention(3.0, "byzantine", process="9")) == "process 9 lies at 3"
    two = Intervention(3.0, "byzantine", process="9", how="two-faced")
    assert fault_text(two) == "process 9 tells two stories at 3"
    popup = FaultsPopup(window)
    qtbot.addWidget(popup)
    popup.open(window.toolbar, (), 2.5)
    titles = [popup.deed.itemText(i) for i in range(popup.deed.count())]
    assert sum(title.startswith("Process that ") for title in titles) == len(HOWS)
    popup.deed.setCurrentText("Process that is silent")
    popup.where.setText("7")
    with qtbot.waitSignal(popup.changed) as caught:
        popup.add.click()
    (fault,) = caught.args[0]
    assert (fault.do, fault.process, fault.how, fault.time) == ("byzantine", "7", "mute", 2.5)
    popup.close()


@pytest.mark.parametrize("size", [7.0, 12.0, 30.0])
def test_the_icon_is_painted_in_the_colour_of_faults(window: MainWindow, size: float) -> None:
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(window.theme.color("surface.canvas"))
    p = QPainter(image)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_mask(p, window.theme, 30, 30, size)
    p.end()
    fault = window.theme.color("fault.base").rgb()
    painted = sum(image.pixel(x, y) == fault for x in range(60) for y in range(60))
    assert 0.25 * size * size < painted < 0.95 * size * size
