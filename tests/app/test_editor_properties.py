"""Properties of the drawing, edited with mouse and keys: delays, loss, outages, classes and processes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.kit.fields import Field
from lydian.app.kit.theming import set_theme_of
from lydian.app.look.style import window_style
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.delays.distribution import measured
from lydian.app.network.edits import chance_outages, spans_from
from lydian.app.network.panes.properties import PropertiesPanel
from lydian.model.delays import Exponential, LogNormal, parse
from lydian.model.editing.links import direct, set_class, set_link, set_network
from lydian.model.editing.processes import move
from lydian.model.errors import BadInput
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network, Timing

LEFT = Qt.MouseButton.LeftButton
Make = Callable[..., PropertiesPanel]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    made: list[QWidget] = []

    def panel(
        network: Network | None = None, *, links: object = (), processes: object = (), **more: object
    ) -> PropertiesPanel:
        theme = Theme("light")
        board = Board(from_spec("ring:6") if network is None else network)
        panel = PropertiesPanel(board, theme, **more)  # type: ignore[arg-type]
        host = QWidget()
        board.setParent(host)
        panel.setParent(host)
        host.setStyleSheet(window_style(theme))
        host.resize(385, 720)
        panel.setGeometry(0, 0, 385, 720)
        made.append(host)
        with qtbot.waitExposed(host):
            host.show()
        host.activateWindow()
        board.choose(Chosen(frozenset(processes), frozenset(links)))  # type: ignore[arg-type]
        return panel

    yield panel
    for host in made:
        host.close()
        host.deleteLater()


def texts(panel: PropertiesPanel) -> list[str]:
    """Return the texts of the steps in the history, except the first."""
    return [step.text for step in panel.board.document.steps[1:]]


def link(panel: PropertiesPanel, number: int = 0) -> Link:
    return panel.board.network.links[number]


def retype(field: Field, text: str, key: Qt.Key | None = Qt.Key.Key_Return) -> None:
    """Click into a field, replace its text, and press a key."""
    field.line.setFocus()
    field.line.selectAll()
    QTest.keyClicks(field.line, text)
    if key is not None:
        QTest.keyClick(field.line, key)


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, LEFT)


def drag(widget: QWidget, start: QPoint, *ways: QPoint, release: bool = True) -> None:
    QTest.mousePress(widget, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for way in ways:
        QTest.mouseMove(widget, way)
    if release:
        QTest.mouseRelease(widget, LEFT, Qt.KeyboardModifier.NoModifier, ways[-1])


A = ("0", "1")
B = ("1", "2")
C = ("2", "3")


# ---------------------------------------------------------------------- contents


def test_the_panel_follows_the_selection(make: Make) -> None:
    panel = make()
    assert [panel.tabs.tabText(i) for i in range(panel.tabs.count())] == ["Network"]
    panel.board.choose_links([A])
    assert [panel.tabs.tabText(i) for i in range(panel.tabs.count())] == ["Link 0–1", "Network"]
    assert panel.links.isVisible() and not panel.processes.isVisible()
    panel.board.choose_processes(["4"])
    assert panel.tabs.tabText(0) == "Process 4"
    assert panel.processes.isVisible() and not panel.links.isVisible()
    panel.board.choose(Chosen(frozenset({"0", "1"}), frozenset({A})))
    assert panel.tabs.tabText(0) == "2 processes, 1 link"
    assert panel.processes.isVisible() and panel.links.isVisible()
    panel.tabs.setCurrentIndex(1)
    assert panel.network.isVisible() and not panel.links.isVisible()


def test_fields_fit_the_panel_and_have_names(make: Make) -> None:
    network = set_class(from_spec("ring:6"), "long-haul", parse("lognormal(mean=2, sd=1)"), [A])
    panel = make(network, links=[A, B], processes=["0", "1"])
    for area in panel.areas:
        panel.stack.setCurrentWidget(area)
        assert area.widget().minimumSizeHint().width() <= 385 - 10
        for line in area.widget().findChildren(QLineEdit):
            assert line.accessibleName()
        for button in area.widget().findChildren(QAbstractButton):
            assert button.accessibleName() or button.text()


def test_tab_moves_from_top_to_bottom(make: Make) -> None:
    panel = make(set_link(from_spec("ring:6"), [A], delay=LogNormal(1, 0.6)), links=[A])
    body = panel.areas[0].widget()
    seen, widget = [], body.nextInFocusChain()
    while widget is not body:
        if widget.isVisible() and body.isAncestorOf(widget) and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            seen.append(widget.mapTo(body, QPoint(0, 0)).y() // 12)
        widget = widget.nextInFocusChain()
    assert len(seen) > 20
    assert all(after >= before - 1 for before, after in itertools.pairwise(seen))


def test_moving_a_process_refreshes_only_its_position(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = make(processes=["2"])
    monkeypatch.setattr(panel.processes, "show_processes", lambda *_a, **_k: pytest.fail("all was shown again"))
    panel.board.do("Move", lambda network: move(network, {"2": (48.0, 72.0)}))
    assert (panel.processes.at_x.line.text(), panel.processes.at_y.line.text()) == ("48", "72")


# ---------------------------------------------------------------------- delays


def test_dragging_the_mean_on_the_curve_is_one_step(make: Make) -> None:
    panel = make(set_network(from_spec("ring:6"), delay=LogNormal(1, 0.6)), links=[A])
    curve = panel.links.law.curve
    start = curve.mean_point().toPoint()
    drag(curve, start, start + QPoint(10, 0), start + QPoint(25, 0), start + QPoint(60, 4))
    law = link(panel).delay
    assert isinstance(law, LogNormal)
    assert law.mean > 1.3 and law.sd / law.mean == pytest.approx(0.6, rel=1e-3)
    assert texts(panel) == ["Give 0–1 its own delay"]
    assert panel.links.source.key == "own" and panel.links.chip.text() == "own delay"
    start = curve.mean_point().toPoint()
    drag(curve, start, start + QPoint(-20, 0))
    assert len(texts(panel)) == 2  # another drag is another step
    panel.board.document.undo()
    assert link(panel).delay == law
    panel.board.document.undo()
    assert link(panel).delay is None and panel.links.source.key == "network"


def test_keys_move_the_mean_and_escape_cancels_a_drag(make: Make) -> None:
    panel = make(links=[A])
    curve = panel.links.law.curve
    curve.setFocus()
    QTest.keyClick(curve, Qt.Key.Key_Right)
    small = link(panel).delay.mean - 1
    QTest.keyClick(curve, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert link(panel).delay.mean - 1 > 5 * small > 0
    assert len(texts(panel)) == 2
    before = panel.board.network
    start = curve.mean_point().toPoint()
    drag(curve, start, start + QPoint(30, 0), release=False)
    assert panel.board.network != before
    QTest.keyClick(curve, Qt.Key.Key_Escape)
    assert panel.board.network == before and len(texts(panel)) == 2
    QTest.mouseRelease(curve, LEFT, Qt.KeyboardModifier.NoModifier, start)
    assert panel.board.network == before


def test_a_bad_text_is_explained_and_the_last_good_curve_stays(make: Make) -> None:
    panel = make(links=[A])
    law = panel.links.law
    retype(law.text, "lognormal(mean=3.5, sd=2.1)")
    assert link(panel).delay == LogNormal(3.5, 2.1)
    retype(law.text, "lognormal(mean=-1, sd=2.1)")
    assert law.text.problem.isVisible() and "must be > 0" in law.text.problem.text()
    assert link(panel).delay == law.curve.law == LogNormal(3.5, 2.1)
    QTest.keyClick(law.text.line, Qt.Key.Key_Escape)
    assert not law.text.problem.isVisible()
    assert law.text.line.text() == "lognormal(mean=3.5, sd=2.1)"


def test_an_out_of_range_number_is_explained_and_can_be_corrected(make: Make) -> None:
    panel = make(set_network(from_spec("ring:6"), delay=LogNormal(1, 0.6)), links=[A])
    mean = panel.links.law.fields[0]
    retype(mean, "0")
    assert mean.problem.isVisible() and "a number greater than 0" in mean.problem.text()
    assert link(panel).delay is None
    retype(mean, "2.5")
    assert not mean.problem.isVisible()
    assert link(panel).delay == LogNormal(2.5, 1.5)
    assert texts(panel) == ["Give 0–1 its own delay"]
    panel.board.document.undo()
    assert mean.line.text() == "1" and link(panel).delay is None


def test_escape_restores_the_text_before_typing(make: Make) -> None:
    panel = make(links=[A])
    before = panel.board.network
    retype(panel.links.law.fields[1], "7.25", None)
    assert link(panel).delay == parse("uniform(0.5, 7.25)")
    QTest.keyClick(panel.links.law.fields[1].line, Qt.Key.Key_Escape)
    assert panel.board.network == before and texts(panel) == []
    assert panel.links.law.fields[1].line.text() == "1.5"
    assert panel.board.document.redo_text == ""


def test_either_end_of_a_uniform_delay_can_pass_the_other(make: Make) -> None:
    panel = make(links=[A])
    low, high = panel.links.law.fields
    retype(low, "5")
    assert "must be at most the longest" in low.problem.text()
    retype(high, "9")
    assert link(panel).delay == parse("uniform(5, 9)")
    assert not low.bad and not high.bad


def test_every_family_can_be_chosen_and_inherit_removes_it(make: Make) -> None:
    panel = make(links=[A])
    law = panel.links.law
    for kind, picture in law.families.pictures.items():
        click(picture)
        assert panel.board.network.delay_of(link(panel)).kind == kind
    click(law.inherit)
    assert link(panel).delay is None
    assert texts(panel)[-1] == "0–1 takes the network's delay"


def test_the_curve_shows_numbers_and_can_draw_again(make: Make) -> None:
    panel = make(set_network(from_spec("ring:6"), delay=Exponential(2)), links=[A])
    law = panel.links.law
    found = [value.text() for _words, value in law.stats]
    assert found[:3] == ["1.39", "4.61", "9.21"]
    click(law.again)
    again = [value.text() for _words, value in law.stats]
    assert again[:3] == found[:3] and again[3] != found[3]


def test_twenty_messages_use_the_draws_shown(make: Make, qtbot: QtBot) -> None:
    panel = make(links=[A])
    with qtbot.waitSignal(panel.send_wanted) as sent:
        click(panel.links.law.send)
    pair, delays = sent.args
    assert pair == A and np.array_equal(delays, panel.links.law.draws()[:20])


def test_measurements_can_be_loaded_or_pasted(make: Make, tmp_path) -> None:
    panel = make(links=[A])
    law = panel.links.law
    retype(law.text, "1 2 2.5 4")
    assert link(panel).delay == parse("empirical(1, 2, 2.5, 4)")
    file = tmp_path / "waits.txt"
    file.write_text("3\n5\n")
    law.read(file)
    assert link(panel).delay == parse("empirical(3, 5)")
    file.write_text("3\nfive\n")
    law.read(file)
    assert "line 2" in law.text.problem.text() and link(panel).delay == parse("empirical(3, 5)")
    with pytest.raises(BadInput):
        measured(tmp_path / "none.txt")


def test_different_delays_are_shown_and_a_choice_applies_to_all(make: Make) -> None:
    network = set_link(from_spec("ring:6"), [A], delay=Exponential(3))
    panel = make(network, links=[A, B, C])
    law = panel.links.law
    assert panel.links.source.key is None and law.law is None
    assert law.curve.empty_words.startswith("These links have various delays")
    click(law.families.pictures["constant"])
    assert {link(panel, i).delay.kind for i in range(3)} == {"constant"}
    assert texts(panel) == ["Give 3 links their own delay"]
    panel.board.document.undo()
    assert panel.board.network == network


# ---------------------------------------------------------------------- direction, loss, order, classes, brush


def test_reversing_a_link_keeps_it_selected(make: Make) -> None:
    panel = make(links=[A])
    click(panel.links.way.buttons["forward"])
    assert str(link(panel)) == "0->1"
    click(panel.links.turn)
    assert str(link(panel)) == "1->0" and panel.board.chosen.links == {("1", "0")}
    click(panel.links.way.buttons["both"])
    assert str(link(panel)) == "1-0"
    assert texts(panel) == ["0–1 one way only", "Reverse 0–1", "1–0 both ways"]


def test_loss_is_typed_in_per_cent_for_several_links(make: Make) -> None:
    panel = make(set_link(from_spec("ring:6"), [A], loss=0.5), links=[A, B])
    loss = panel.links.loss
    assert loss.line.text() == "" and loss.line.placeholderText() == "various"
    retype(loss, "101")
    assert "from 0 to 100 %" in loss.problem.text()
    assert (link(panel).loss, link(panel, 1).loss) == (0.5, None) and texts(panel) == []  # not even the 10 of 101
    retype(loss, "5")
    assert (link(panel).loss, link(panel, 1).loss) == (0.05, 0.05)
    assert texts(panel) == ["Loss 5 % on 2 links"]
    click(panel.links.loss_inherit)
    assert link(panel).loss is None
    panel.board.document.undo()
    panel.board.document.undo()
    assert (link(panel).loss, link(panel, 1).loss) == (0.5, None)


def test_the_order_of_a_link_can_be_chosen(make: Make) -> None:
    panel = make(links=[A])
    panel.links.order.setFocus()
    QTest.keyClick(panel.links.order, Qt.Key.Key_Down)
    QTest.keyClick(panel.links.order, Qt.Key.Key_Down)
    assert link(panel).order in ("fifo", "unordered")
    assert texts(panel)[-1].startswith("0–1: ")


def test_a_class_made_from_a_link_can_be_chosen_for_another(make: Make) -> None:
    panel = make(set_link(from_spec("ring:6"), [A], delay=Exponential(4)), links=[A])
    click(panel.links.make)
    retype(panel.links.class_name, "long-haul")
    assert panel.board.network.classes == {"long-haul": Exponential(4)}
    assert link(panel).klass == "long-haul" and link(panel).delay is None
    assert panel.links.source.key == "class"
    panel.board.choose_links([B])
    click(panel.links.source.buttons["class"])
    assert link(panel, 1).klass == "long-haul"
    click(panel.links.make)
    retype(panel.links.class_name, "long-haul")
    assert "already exists" in panel.links.class_name.problem.text()


def test_classes_of_the_network_are_added_renamed_changed_and_deleted(make: Make) -> None:
    panel = make()
    classes = panel.network.classes
    retype(classes.add, "radio")
    assert list(panel.board.network.classes) == ["radio"] and classes.law is not None
    retype(classes.law.text, "exponential(mean=7)")
    assert panel.board.network.classes == {"radio": Exponential(7)}
    retype(classes.rows["radio"].field, "wire")
    assert panel.board.network.classes == {"wire": Exponential(7)}
    panel.board.do("Use it", lambda network: set_link(network, [A, B], klass="wire"))
    click(classes.rows["wire"].links)
    assert panel.board.chosen.links == {A, B}
    panel.board.choose(Chosen())
    click(classes.rows["wire"].delete)
    assert panel.board.network.classes == {} and link(panel).klass is None
    assert texts(panel) == [
        "Add class radio",
        "Delay of class radio",
        "Rename class radio to wire",
        "Use it",
        "Delete class wire",
    ]


def test_the_brush_copies_the_properties_of_a_link(make: Make) -> None:
    panel = make(
        set_link(from_spec("ring:6"), [A], delay=Exponential(4), loss=0.1, duplication=0.2, outages=((1, 2),)),
        links=[A],
    )
    click(panel.links.brush)
    board = panel.board
    assert board.tool == "brush" and board.brush is not None
    painted = board.brush(board.network, [B]).links[1]
    assert (painted.delay, painted.loss, painted.duplication, painted.outages) == (Exponential(4), 0.1, 0.2, ())
    assert board.brush_text == "Brush exponential(mean=4)"


# ---------------------------------------------------------------------- outages


def test_outages_are_drawn_dragged_and_deleted(make: Make) -> None:
    panel = make(links=[A])
    panel.areas[0].ensureWidgetVisible(panel.links.outages)
    bar = panel.links.outages.bar

    def at(time: float) -> QPoint:
        return QPoint(round(bar.x_of(time)), 12)

    drag(bar, at(5), at(6), at(8))
    assert link(panel).outages == (pytest.approx((5, 8), abs=0.2),)
    (start, end) = link(panel).outages[0]
    assert texts(panel) == [f"0–1 down from {start:g} to {end:g}"]
    drag(bar, at(12), at(14))
    assert len(link(panel).outages) == 2
    drag(bar, at(end), at(10))
    assert link(panel).outages[0] == pytest.approx((start, 10), abs=0.2)
    before = link(panel).outages
    drag(bar, at(7), at(13), at(15), release=False)  # over another outage: they are joined only on release
    assert len(link(panel).outages) == 1
    QTest.mouseMove(bar, at(7))
    QTest.mouseRelease(bar, LEFT, Qt.KeyboardModifier.NoModifier, at(7))
    assert link(panel).outages == before
    bar.setFocus()
    QTest.mouseClick(bar, LEFT, Qt.KeyboardModifier.NoModifier, at(7))
    QTest.keyClick(bar, Qt.Key.Key_Delete)
    assert link(panel).outages == before[1:]
    panel.board.document.undo()
    assert link(panel).outages == before


def test_outages_are_edited_by_keys_and_by_typing(make: Make) -> None:
    panel = make(links=[A])
    panel.areas[0].ensureWidgetVisible(panel.links.outages)
    outages = panel.links.outages
    outages.bar.setFocus()
    QTest.keyClick(outages.bar, Qt.Key.Key_Insert)
    (start, end) = link(panel).outages[0]
    QTest.keyClick(outages.bar, Qt.Key.Key_Right)
    assert link(panel).outages[0] == pytest.approx((start + outages.bar.step, end + outages.bar.step))
    QTest.mouseDClick(outages.bar, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(200, 12))
    assert outages.times.line.hasFocus()
    retype(outages.times, "5-8, 30-45")
    assert link(panel).outages == ((5, 8), (30, 45))
    assert outages.bar.upto >= 50
    retype(outages.times, "8-5")
    assert "must end after it begins" in outages.times.problem.text()
    assert link(panel).outages == ((5, 8), (30, 45))


def test_an_outage_drawn_for_several_links_keeps_existing_ones(make: Make) -> None:
    panel = make(set_link(from_spec("ring:6"), [A], outages=((1, 2),)), links=[A, B])
    bar = panel.links.outages.bar
    assert bar.shown == () and bar.some == ((1, 2),)
    drag(bar, QPoint(round(bar.x_of(10)), 12), QPoint(round(bar.x_of(12)), 12))
    assert len(link(panel).outages) == 2 and len(link(panel, 1).outages) == 1
    assert texts(panel)[0].startswith("2 links down from 10")


def test_random_outages_are_reproducible(make: Make) -> None:
    found = []
    for _ in range(2):
        panel = make(links=[A])
        click(panel.links.outages.by_chance)
        assert panel.links.outages.chance.isVisible()
        click(panel.links.outages.draw)
        found.append(link(panel).outages)
        assert "drawn: down" in panel.links.outages.said.text()
        click(panel.links.outages.draw)
        assert link(panel).outages != found[-1]
    assert found[0] == found[1] != ()


def test_random_outages_have_the_requested_share() -> None:
    drawn = chance_outages("0-1", 0.1, 1.0, 5000.0)
    assert sum(end - start for start, end in drawn) == pytest.approx(500, rel=0.15)
    assert chance_outages("0-1", 0.0, 1.0, 50.0) == ()
    assert chance_outages("0-1", 1.0, 2.0, 10.0) == ((0.0, 10.0),)
    with pytest.raises(BadInput, match="must be more than 0"):
        chance_outages("0-1", 0.5, 0.0, 10.0)
    assert spans_from("12–14; 5 to 8") == ((5, 8), (12, 14))


# ---------------------------------------------------------------------- processes


def test_a_renamed_process_stays_selected(make: Make) -> None:
    panel = make(processes=["2"])
    name = panel.processes.name
    retype(name, "3")
    assert "already belongs to another process" in name.problem.text()
    retype(name, "hub")
    assert "hub" in panel.board.network.index and panel.board.chosen.processes == {"hub"}
    assert texts(panel) == ["Rename 2 to hub"]


def test_start_position_step_and_clock_of_processes_can_be_set(make: Make) -> None:
    panel = make(processes=["2", "3"])
    pane, board = panel.processes, panel.board
    click(pane.starts)
    assert set(board.network.initiators) >= {"2", "3"}
    retype(pane.at_x, "96")
    assert [board.network.positions[name][0] for name in ("2", "3")] == [96, 96]
    click(pane.source.buttons["own"])
    assert pane.law.isVisible() and set(board.network.steps) == {"2", "3"}
    retype(pane.drift, "5")
    assert board.network.drifts == {"2": 1.05, "3": 1.05}
    assert "5 % fast" in pane.drift_words.text() and pane.slider.value() == 5
    retype(pane.drift, "-95")
    assert "90 % slow" in pane.drift.problem.text()
    pane.slider.setFocus()
    QTest.keyClick(pane.slider, Qt.Key.Key_Left)
    assert board.network.drifts == {"2": 1.04, "3": 1.04}
    assert texts(panel) == [
        "Make 2 processes initiators", "Move 2 processes", "Give 2 processes their own time for a step",
        "Clocks of 2 processes 5 % fast", "Clocks of 2 processes 4 % fast",
    ]  # fmt: skip
    for _ in range(5):
        board.document.undo()
    assert board.network == from_spec("ring:6")


def test_clicking_a_neighbour_selects_it(make: Make) -> None:
    panel = make(processes=["2"])
    assert ">1</a>" in panel.processes.around.text() and ">3</a>" in panel.processes.around.text()
    panel.processes.around.linkHovered.emit("1")
    assert panel.board.hovered == "3"
    panel.processes.around.linkActivated.emit("1")
    assert panel.board.chosen.processes == {"3"} and panel.board.hovered is None


# ---------------------------------------------------------------------- the network, the experiment


def test_the_defaults_of_the_network_can_be_set(make: Make) -> None:
    panel = make()
    pane, board = panel.network, panel.board
    retype(pane.name, "Rings")
    retype(pane.loss, "2")
    click(pane.starters.buttons["all"])
    assert len(board.network.initiators) == 6
    click(pane.starters.buttons["random"])
    first = board.network.initiators
    click(pane.starters.buttons["random"])
    assert len(first) == 1 and board.network.initiators != first
    click(pane.starters.buttons["none"])
    click(pane.step.buttons["some"])
    assert pane.step_law is not None and pane.step_law.isVisible() and board.network.step is not None
    click(pane.way.buttons["one"])
    assert all(each.directed for each in board.network.links)
    click(pane.way.buttons["both"])
    click(pane.anonymous)
    network = board.network
    assert (network.name, network.loss, network.initiators, network.anonymous) == ("Rings", 0.02, (), True)
    while board.document.undo():
        pass
    assert board.network == from_spec("ring:6")
    assert pane.name.line.text() == board.network.name


def test_two_opposite_links_become_one(make: Make) -> None:
    network = direct(from_spec("ring:6"), [A], "forward")
    network = network.replace(links=(*network.links, type(network.links[0])("1", "0", directed=True)))
    panel = make(network)
    click(panel.network.way.buttons["both"])
    assert panel.board.network == from_spec("ring:6")


def test_settings_of_the_experiment_are_shown_and_can_be_adopted(make: Make, qtbot: QtBot) -> None:
    timing = Timing(delay=Exponential(1), links={"1-0": Exponential(9)}, drifts={"2": 1.1}, duplication=0.1)
    panel = make(overrides=lambda: timing)
    note = panel.network_note
    assert note.isVisible() and note.text.text() == (
        "The experiment sets the delay: exponential(mean=1)\nThe experiment sets the duplication: 10 %"
    )
    with qtbot.waitSignal(panel.take_wanted) as taken:
        click(note.button)
    assert taken.args == [Timing(delay=Exponential(1), duplication=0.1)]
    panel.board.choose_links([A])
    assert "the delay of 1-0: exponential(mean=9)" in panel.note.text.text()
    panel.board.choose_processes(["2"])
    assert panel.note.text.text() == "The experiment sets the clock rate of 2: +10 %"
    timing = Timing()
    panel.refresh()
    assert not panel.note.isVisible()


def test_the_panel_takes_another_document_and_theme(make: Make) -> None:
    panel = make(links=[A])
    set_theme_of(panel, Theme("dark", scale=1.5))
    panel.board.open(from_spec("line:3"))
    assert panel.network.isVisible() and panel.network.name.line.text() == panel.board.network.name
