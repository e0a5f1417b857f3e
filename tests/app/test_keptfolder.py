"""Unsaved work of an ended window is offered until the user answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.panels.notice import Notice
from lydian.app.work.locks import take
from lydian.desk.kept import text as kepttext
from lydian.desk.kept.folder import KeptFolder
from lydian.desk.notices import Notices
from tests.app.conftest import Open

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
LEFT = Qt.MouseButton.LeftButton


def test_windows_share_no_file_and_a_left_file_is_found_once(qapp: object, tmp_path: Path) -> None:
    first, second = KeptFolder(tmp_path, take), KeptFolder(tmp_path, take)
    first.place("a.json").write_text("1", encoding="utf-8")
    second.place("a.json").write_text("2", encoding="utf-8")
    assert first.left("a.json") == second.left("a.json") == []
    first.close()
    (found,) = second.left("a.json")
    third = KeptFolder(tmp_path, take)
    assert found.read_text(encoding="utf-8") == "1" and third.left("a.json") == []
    second.close()
    assert {file.read_text(encoding="utf-8") for file in third.left("a.json")} == {"1", "2"}
    third.take(found)
    assert third.place("a.json").read_text(encoding="utf-8") == "1"
    for file in (*third.left("a.json"), third.place("a.json")):
        third.forget(file)
    third.close()
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_file_from_an_earlier_version_is_found(qapp: object, tmp_path: Path) -> None:
    (tmp_path / "a.json").touch()
    folder = KeptFolder(tmp_path, take)
    assert folder.left("a.json") == [tmp_path / "a.json"]
    folder.forget(tmp_path / "a.json")
    assert folder.left("a.json") == []


def test_an_offer_is_repeated_until_answered(qtbot: QtBot) -> None:
    notices = Notices()
    notice = Notice(notices, Theme("light"))
    qtbot.addWidget(notice)
    did: list[str] = []
    notices.offer("First?", "Yes", lambda: did.append("first"), lambda: did.append("not first"))
    notices.offer("Second?", "Yes", lambda: did.append("second"))
    notices.show("Something else.", button="Do", act=lambda: did.append("else"))
    assert notice.text == "Something else." and notice.refusal.isHidden()
    notice.button.click()
    assert notice.text == "First?" and not notice.refusal.isHidden() and did == ["else"]
    notices.show("")
    assert notice.text == "First?"
    notice.refusal.click()
    assert notice.text == "Second?" and did == ["else", "not first"]
    notice.button.click()
    assert notice.text == "" and did[-1] == "second"


@pytest.mark.slow
def test_unsaved_text_is_offered_after_a_crash_until_accepted(open_window: Open, qtbot: QtBot, home: Path) -> None:
    folder = KeptFolder(home, take)
    text = '"""Half a thou'
    kepttext.write(folder.place(kepttext.FILE), kepttext.KeptText(text, None, "mine.py"))
    folder.close()  # as the system does when a program ends for any reason
    first = open_window()
    assert "Unsaved changes to mine.py have been kept." in first.notice.text
    first.workspaces.show("protocol")
    w = first.workspaces.protocols.workspace
    assert w is not None
    w.files.new('"""Another."""\n', "other.py")
    first.desk.notices.say("Something takes its place.")
    first.close()
    second = open_window()
    assert "changes to mine.py" in second.notice.text
    QTest.mouseClick(second.notice.button, LEFT)
    again = second.workspaces.protocols.workspace
    assert again is not None and again.document.source == text and again.document.modified
    assert second.workspaces.current == "protocol"
    second.close()
    assert len(list(home.glob("kept/*/protocol.json"))) == 1  # the text is still unsaved
    third = open_window()
    third.notice.refusal.click()
    assert not list(home.glob("kept/*/protocol.json")) and not third.notice.text
