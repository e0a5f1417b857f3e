"""Roles in the window: assigned to processes in the network editor, and in the experiment's form."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.panes.processpane import ProcessPane
from lydian.app.network.panes.tables import TableModel
from lydian.app.panels.experiment.roles import RolesPopup, card_text
from lydian.model.archive.archive import archive
from lydian.model.editing.readiness import roles_in
from lydian.model.generators import from_spec
from lydian.model.protocol.roles import REST
from tests.app.conftest import Open, rest

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

ROLES = ("view-server", "server", "client")


def enter(field: QWidget, text: str) -> None:
    field.setText(text)  # type: ignore[attr-defined]
    field.textEdited.emit(text)  # type: ignore[attr-defined]
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_roles_are_read_from_the_text_without_running_it() -> None:
    assert roles_in(archive().protocol("primary-backup").source) == ROLES
    assert roles_in(archive().protocol("echo").source) == () == roles_in("class (")


def test_the_card_describes_the_roles() -> None:
    assert card_text({}, ROLES) == ("Chosen by the protocol", "view-server, server, client")
    assert card_text({"server": ("1", "2")}, ROLES) == ("1 role assigned", "server: 1, 2")
    told = card_text({"server": ("1", "2"), "client": REST}, ROLES)
    assert told == ("2 roles assigned", "server: 1, 2; client: all others")


def test_processes_get_roles_in_a_popup_and_mistakes_are_explained(qtbot: QtBot) -> None:
    card = QWidget()
    qtbot.addWidget(card)
    popup = RolesPopup(card, ROLES)
    told: list[object] = []
    popup.changed.connect(told.append)
    network = from_spec("complete:5")
    popup.open(card, {"server": ("1",)}, network.replace(roles={"4": "client"}))
    assert popup.fields["server"].text() == "1" and popup.fields["client"].placeholderText() == "4"
    enter(popup.fields["server"], "1, 9")
    assert popup.problem.isVisible() and "9" in popup.problem.text() and not told
    enter(popup.fields["server"], "1, 2")
    enter(popup.fields["client"], "2")
    assert popup.problem.text().startswith("Process 2 is also server") and told == [{"server": ("1", "2")}]
    enter(popup.fields["client"], "*")
    assert told[1:] == [{"server": ("1", "2"), "client": REST}] and not popup.problem.isVisible()
    popup.close()


def test_a_run_uses_the_roles_of_the_form_and_undo_restores_them(qtbot: QtBot, open_window: Open) -> None:
    window = open_window("primary-backup", (1600, 900), "study")
    panel, session = window.panel, window.session
    assert panel.roles.isVisible()
    qtbot.mouseClick(panel.roles, Qt.MouseButton.LeftButton)
    (popup,) = panel.role_lists.values()
    enter(popup.fields["view-server"], "4")
    popup.close()
    rest(window, qtbot)
    assert session.experiment is not None and session.experiment.roles == {"view-server": ("4",)}
    timeline = window.playhead.timeline
    assert timeline is not None and timeline.trace.summary["roles"]["4"] == "view-server"
    assert panel.roles.hint.text() == "view-server: 4"
    panel.set_protocol("echo")
    assert session.experiment.roles == {} and not panel.roles.isVisible()
    window.session.undo.undo()
    assert session.experiment.roles == {"view-server": ("4",)}
    rest(window, qtbot)


def test_a_role_is_a_property_of_processes_in_the_editor(qtbot: QtBot) -> None:
    board, host = Board(from_spec("ring:4")), QWidget()
    qtbot.addWidget(host)
    board.setParent(host)
    pane = ProcessPane(board, Theme("light"), host)
    board.choose(Chosen(frozenset({"1", "2"}), frozenset()))
    pane.show_processes(("1", "2"), fresh=True)
    enter(pane.role.line, "server")
    assert board.network.roles == {"1": "server", "2": "server"}
    enter(pane.role.line, "two words")
    assert pane.role.bad and "a role must be a word" in pane.role.problem.text().lower()
    assert board.network.roles == {"1": "server", "2": "server"}
    pane.show_processes(("1",), fresh=True)
    enter(pane.role.line, "")
    assert board.network.roles == {"2": "server"}


def test_a_role_is_a_column_of_the_table(qtbot: QtBot) -> None:
    board, host = Board(from_spec("ring:4")), QWidget()
    qtbot.addWidget(host)
    board.setParent(host)
    table = TableModel(board, "processes", Theme("light"), host)
    at = table.index(2, table.columns.index("role"))
    assert table.setData(at, "client") and board.network.roles == {"2": "client"}
    assert table.data(at) == "client"
    assert not table.setData(at, "no word") and table.bad is not None and "word such as server" in table.bad[3]
    assert table.setData(at, "") and board.network.roles == {}
