"""The file of a protocol: copied from the library, saved and watched, without losing typed text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.files import ProtocolFiles
from lydian.app.work.settings import Settings
from lydian.desk.archivelist import ArchiveList
from lydian.desk.kept import text as kepttext
from lydian.model.archive.archive import Archive
from lydian.model.archive.shelves import our_folder
from lydian.model.protocol.folder import files_of
from tests.protocolfolder import FILES, made

TEXT = "from lydian import Process\n\n\nclass Mine(Process):\n    pass\n"


class Desk:
    """A document, its file, an editor, and a record of the notices."""

    def __init__(self, qtbot: QtBot, home: Path) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.document = ProtocolDocument(parent=self.window)
        self.shelf = ArchiveList(Archive(home, our_folder()))
        self.files = ProtocolFiles(self.document, self.shelf, Settings(home / "settings.ini"), self.window)
        self.editor = QPlainTextEdit(self.window)
        self.editor.setDocument(self.document.text)
        self.said: list[tuple[str, bool, str, object]] = []
        self.theirs: list[str] = []
        self.files.said.connect(lambda *what: self.said.append(what))
        self.files.conflict.connect(self.theirs.append)
        self.files.opened.connect(lambda: self.editor.moveCursor(QTextCursor.MoveOperation.Start))

    def type(self, text: str) -> None:
        QTest.keyClicks(self.editor, text)


@pytest.fixture
def desk(qtbot: QtBot, home: Path) -> Iterator[Desk]:
    made = Desk(qtbot, home)
    yield made
    made.files.close()
    made.document.close()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(TEXT, encoding="utf-8")
    return file


def test_the_first_key_turns_a_library_protocol_into_a_copy(desk: Desk, home: Path) -> None:
    ours = our_folder() / "protocols" / "echo.py"
    before = ours.read_text(encoding="utf-8")
    assert desk.files.open(ours) and desk.document.read_only and desk.files.original is None
    desk.type("x")
    assert desk.document.path == home / "protocols" / "my_echo.py" and not desk.document.read_only
    assert desk.document.source == "x" + before and ours.read_text(encoding="utf-8") == before
    assert desk.document.path.read_text(encoding="utf-8") == "x" + before and desk.files.original == ours
    desk.type("y")
    assert desk.document.modified and desk.files.save() and not desk.document.modified
    assert desk.document.path.read_text(encoding="utf-8").startswith("xy")
    desk.files.open(ours)
    desk.type("z")
    assert desk.document.path.name == "my_echo_2.py"


def test_a_new_text_gets_its_own_file(desk: Desk, home: Path) -> None:
    assert desk.files.new(TEXT, "mine.py") and desk.document.path == home / "protocols" / "mine.py"
    assert desk.files.new(TEXT, "mine.py") and desk.document.path.name == "mine_2.py"
    assert [path.name for path in desk.files.recent()] == ["mine_2.py", "mine.py"]


def test_a_folder_is_edited_as_one_text_and_saved_to_its_files(desk: Desk, tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    assert desk.files.open(folder / "__init__.py") and desk.document.path == folder
    assert desk.document.name == "rumour" and files_of(desk.document.source) == FILES
    assert [each.kind for each in desk.document.problems] == [] and desk.document.outline.name == "Gossip"
    desk.document.replace(desk.document.source.replace("all have heard", "each has heard"))
    assert desk.files.save() and not desk.document.modified
    assert "each has heard" in (folder / "properties.py").read_text(encoding="utf-8")
    assert (folder / "messages.py").read_text(encoding="utf-8") == FILES["messages.py"]
    last = "# ---- __init__.py ----"
    desk.document.replace(desk.document.source.replace(last, f"# ---- more.py ----\nMORE = 1\n{last}"))
    assert desk.files.save() and (folder / "more.py").read_text(encoding="utf-8") == "MORE = 1\n"
    assert "MORE = 1" in desk.document.source  # no file imports it yet
    assert desk.files.rename("gossip") and desk.document.path == tmp_path / "gossip" and not folder.exists()
    assert [path.name for path in desk.files.recent()] == ["gossip"]


def test_a_folder_changed_by_another_editor_is_read_at_once(desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    folder = made(tmp_path / "rumour")
    desk.files.open(folder)
    with qtbot.waitSignal(desk.files.reloaded):
        (folder / "properties.py").write_text(FILES["properties.py"] + "# one\n", encoding="utf-8")
    assert "# one\n" in desk.document.source and not desk.document.modified


def test_a_folder_of_the_library_is_copied_as_a_folder(desk: Desk, home: Path, tmp_path: Path) -> None:
    ours = made(tmp_path / "ours" / "protocols" / "rumour")
    desk.shelf.archive = Archive(home, tmp_path / "ours")
    assert desk.files.open(ours) and desk.document.read_only
    desk.document.replace(desk.document.source.replace("all have heard", "each has heard"))
    copy = home / "protocols" / "my_rumour"
    assert desk.document.path == copy and desk.files.original == ours
    assert "each has heard" in (copy / "properties.py").read_text(encoding="utf-8")
    assert (ours / "properties.py").read_text(encoding="utf-8") == FILES["properties.py"]


def test_line_endings_of_a_file_are_kept(desk: Desk, mine: Path) -> None:
    mine.write_bytes(TEXT.replace("\n", "\r\n").encode())
    desk.files.open(mine)
    desk.type("# ")
    assert desk.files.save() and mine.read_bytes() == b"# " + TEXT.replace("\n", "\r\n").encode()


def test_a_file_saved_by_another_editor_is_read_at_once(desk: Desk, mine: Path, qtbot: QtBot) -> None:
    desk.files.open(mine)
    with qtbot.waitSignal(desk.files.reloaded):
        mine.write_text(TEXT + "# one\n", encoding="utf-8")
    assert desk.document.source.endswith("# one\n") and not desk.document.modified
    with qtbot.waitSignal(desk.files.reloaded):  # many editors replace the old file by a new one
        new = mine.with_suffix(".new")
        new.write_text(TEXT + "# two\n", encoding="utf-8")
        os.replace(new, mine)
    with qtbot.waitSignal(desk.files.reloaded):
        mine.unlink()
        mine.write_text(TEXT + "# three\n", encoding="utf-8")
    desk.editor.undo()
    assert desk.document.source.endswith("# two\n") and desk.document.modified


def test_if_both_changed_the_user_chooses_and_nothing_is_lost(desk: Desk, mine: Path, qtbot: QtBot, home: Path) -> None:
    desk.files.open(mine)
    desk.type("# mine ")
    with qtbot.waitSignal(desk.files.conflict):
        mine.write_text("# theirs\n", encoding="utf-8")
    assert desk.document.source == "# mine " + TEXT and desk.theirs == ["# theirs\n"]
    assert not desk.files.save() and mine.read_text(encoding="utf-8") == "# theirs\n"  # saving asks too
    desk.files.take(desk.theirs[-1])
    assert desk.document.source == "# theirs\n" and not desk.document.modified
    desk.editor.undo()
    assert desk.document.source == "# mine " + TEXT and desk.document.modified
    assert desk.files.keep_mine("# theirs\n") and mine.read_text(encoding="utf-8") == "# mine " + TEXT
    (aside,) = (home / "unsaved").glob("*.py")
    assert aside.read_text(encoding="utf-8") == "# theirs\n"


def test_a_missed_change_is_noticed_when_saving(desk: Desk, mine: Path) -> None:
    desk.files.open(mine)
    desk.files.watcher.removePaths([*desk.files.watcher.files(), *desk.files.watcher.directories()])
    mine.write_text("# theirs\n", encoding="utf-8")
    desk.type("x")
    assert not desk.files.save() and desk.theirs == ["# theirs\n"] and mine.read_text(encoding="utf-8") == "# theirs\n"


@pytest.mark.slow
def test_typed_text_is_kept_within_a_second_and_restored(desk: Desk, mine: Path, qtbot: QtBot) -> None:
    desk.files.open(mine)
    desk.type("# half a thou")
    file = desk.files.settings.kept.place(kepttext.FILE)
    qtbot.waitUntil(file.is_file, timeout=3_000)
    kept = kepttext.read(file)
    assert kept is not None and kept.text == "# half a thou" + TEXT and kept.path == mine
    desk.files.put("", None)
    assert not file.exists()
    desk.files.go_on(kept)
    assert desk.document.source == kept.text and desk.document.path == mine and desk.document.modified
    desk.editor.undo()
    assert desk.document.source == TEXT


def test_opening_another_text_sets_the_unsaved_one_aside(desk: Desk, mine: Path, home: Path) -> None:
    desk.files.open(mine)
    desk.type("# unsaved ")
    desk.files.open(our_folder() / "protocols" / "echo.py")
    sentence, problem, button, act = desk.said[-1]
    assert "was not saved" in sentence and not problem and button == "Reopen" and callable(act)
    (aside,) = (home / "unsaved").glob("*.py")
    assert aside.read_text(encoding="utf-8").startswith("# unsaved") and mine.read_text(encoding="utf-8") == TEXT
    act()
    assert desk.document.source.startswith("# unsaved") and desk.document.path == mine


def test_a_text_that_cannot_be_set_aside_stays_open(desk: Desk, mine: Path, home: Path) -> None:
    desk.files.open(mine)
    desk.type("# unsaved ")
    home.mkdir(exist_ok=True)
    (home / "unsaved").write_text("in the way", encoding="utf-8")
    sentence = f"mine.py is not saved and cannot be set aside ({home / 'unsaved'}: File exists), so it stays open"
    for leave in (
        lambda: desk.files.open(our_folder() / "protocols" / "echo.py"),
        lambda: desk.files.new(TEXT, "new.py"),
        lambda: desk.files.go_on(kepttext.KeptText("# older", mine, mine.name)),
    ):
        desk.said.clear()
        assert not leave()
        assert desk.said == [(f"{sentence}; save it first.", True, "", None)]
        assert desk.document.source.startswith("# unsaved") and desk.document.path == mine and desk.document.modified


def test_returning_to_a_kept_text_sets_the_unsaved_one_aside(desk: Desk, mine: Path, home: Path) -> None:
    desk.files.open(mine)
    desk.type("# newer ")
    desk.files.go_on(kepttext.KeptText("# older", mine, mine.name))
    assert desk.document.source == "# older"
    (aside,) = (home / "unsaved").glob("*.py")
    assert aside.read_text(encoding="utf-8") == "# newer " + TEXT


def test_renaming_keeps_the_kept_runs(desk: Desk, mine: Path) -> None:
    tests = mine.with_name("mine.tests.toml")
    tests.write_text("", encoding="utf-8")
    desk.files.open(mine)
    for bad in ("a/b", "", "mine", ".x"):
        assert not desk.files.rename(bad)
    assert desk.files.rename("yours") and desk.document.path == mine.with_name("yours.py")
    assert not mine.exists() and mine.with_name("yours.tests.toml").exists() and not tests.exists()
    mine.write_text("", encoding="utf-8")
    assert not desk.files.rename("mine") and "already" in desk.said[-1][0]


def test_save_as_never_writes_into_the_library(desk: Desk, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.files.open(mine)
    assert not desk.files.save_to(our_folder() / "protocols" / "mine.py") and desk.said[-1][1]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(mine.with_name("other")), ""))
    assert desk.files.save_as() and desk.document.path == mine.with_name("other.py")


def test_reading_and_writing_errors_are_reported_in_one_sentence(desk: Desk, tmp_path: Path, mine: Path) -> None:
    assert not desk.files.open(tmp_path / "none.py") and "no such file" in desk.said[-1][0]
    desk.files.open(mine)
    desk.type("x")
    assert not desk.files.save_to(mine / "x.py")  # a file is not a folder
    assert desk.said[-1][2] == "Save elsewhere…" and desk.document.modified and desk.document.path == mine


@pytest.mark.parametrize("text", ["", "{", "[]", '{"text": 3}', '{"text": "  "}'])
def test_a_damaged_kept_text_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    assert kepttext.read(tmp_path / "x.json") is None
