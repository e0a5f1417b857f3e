"""The Archive workspace in the real window, used with mouse and keys."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.archive.cache import prune, wish_for
from lydian.app.archive.page import description
from lydian.app.archive.pictures import Pictures
from lydian.app.archive.workspace import ArchiveWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.guide.pages import Place
from lydian.model.archive.archive import archive
from lydian.model.archive.catalogue import Entry, Reader
from tests.app.conftest import one_window, rest

Open = Callable[..., MainWindow]
Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton

pytestmark = [
    pytest.mark.leaves_behind,  # the shared window keeps its simulator, and :func:`one` ends it
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
]

SLIP = '"""Slip: a colon is missing.\n"""\nfrom lydian import Process\n\n\nclass Slip(Process)\n    pass\n'
OWN = '''"""Own: my first."""

from lydian import INIT, Message, Process, always, connected, on, one_initiator, states

IDLE, DONE = states("idle", "done")


class Hello(Message):
    """A greeting."""


class Own(Process):
    needs = connected, one_initiator
    state = IDLE

    @on(IDLE, INIT)
    def start(self):
        self.state = DONE
        for q in self.neighbours:
            self.send(Hello(), to=q)

    @on((IDLE, DONE), Hello)
    def greeted(self, m, q):
        self.state = DONE


@always("nobody is lost")
def safe(c):
    return True
'''


@pytest.fixture(scope="module")
def one(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for all tests, with two protocols of the user."""
    home = tmp_path_factory.mktemp("home")
    (home / "protocols").mkdir()
    (home / "protocols" / "slip.py").write_text(SLIP, encoding="utf-8")
    (home / "protocols" / "own.py").write_text(OWN, encoding="utf-8")
    with one_window(home) as window:
        yield window


@pytest.fixture
def desk(one: MainWindow, qtbot: QtBot) -> ArchiveWorkspace:
    """Provide the archive in front, with an empty search and the first card selected."""
    rest(one, qtbot)
    one.workspaces.show("run")
    one.actions_by_name["workspace_archive"].trigger()
    w = one.workspaces.archive.workspace
    assert w is not None
    qtbot.waitUntil(lambda: bool(w.catalogue.entries) and not w.reading.busy, timeout=20_000)
    w.filters.clear()
    w.cards.mark("flooding")
    w.page.show_tab("guide")
    one.desk.notices.show("")
    w.to_cards()
    return w


def marked(w: ArchiveWorkspace, name: str, qtbot: QtBot) -> None:
    assert w.show_protocol(name)
    qtbot.waitUntil(lambda: w.page.entry is not None and w.page.entry.name == name)


def shown(w: ArchiveWorkspace) -> list[str]:
    return [entry.name for entry in w.cards.cards.entries]


def playing(w: ArchiveWorkspace, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: w.page.thumbnail.timeline is not None and w.page.thumbnail.playing, timeout=30_000)


# ---------------------------------------------------------------------- searching


@pytest.mark.slow
def test_all_protocols_are_listed_by_family(desk: ArchiveWorkspace, one: MainWindow) -> None:
    assert one.workspaces.tabs.tabText(one.workspaces.tabs.currentIndex()) == "Archive"
    assert one.windowTitle().startswith("Archive")
    assert shown(desk)[:2] == ["flooding", "echo"] and {"own", "slip"} <= set(shown(desk))
    words = [desk.filters.families.item(row).text() for row in range(desk.filters.families.count())]
    assert words[:3] == ["All", "Waves", "Leader election"] and words[-1] == "Yours"
    assert desk.page.title.text() == "Flooding" and desk.page.family.whole == "Waves and traversal"
    assert desk.cards.hasFocus() or not one.isActiveWindow()


def test_the_search_runs_while_typing(desk: ArchiveWorkspace, qtbot: QtBot) -> None:
    QTest.keyClick(desk.cards, "/")
    field = desk.filters.field
    QTest.keyClicks(field, "token ring")
    assert shown(desk)[0] == "mutex-ring" and desk.page.title.text() == "Token ring"
    assert desk.filters.found.text() == f"{len(shown(desk))} of {len(desk.catalogue.entries)} protocols"
    QTest.keyClick(field, Key.Key_Escape)
    assert field.text() == "" and len(shown(desk)) == len(desk.catalogue.entries)


def test_family_and_requirement_filters_combine(desk: ArchiveWorkspace) -> None:
    desk.filters.choose_family("election")
    assert shown(desk)[0] == "lelann" and "echo" not in shown(desk)
    chip = desk.filters.chips["fifo"]
    QTest.mouseClick(chip, LEFT)
    assert chip.isChecked() and shown(desk) == ["lelann", "dolev-klawe-rodeh", "peterson-election"]
    QTest.keyClick(desk.cards, Key.Key_Escape)  # back to all cards
    assert not chip.isChecked() and len(shown(desk)) == len(desk.catalogue.entries)


def test_one_button_resets_a_search_without_results(desk: ArchiveWorkspace, one: MainWindow) -> None:
    page = desk.page.title.text()
    desk.filters.field.setText("zebra")
    assert desk.nothing.isVisible() and desk.empty.text() == "No protocol matches “zebra”."
    assert desk.page.title.text() == page  # the page stays
    QTest.mouseClick(desk.all_button, LEFT)
    assert desk.cards.isVisible() and len(shown(desk)) == len(desk.catalogue.entries)


def test_arrows_move_between_cards_and_escape_returns(desk: ArchiveWorkspace, one: MainWindow) -> None:
    QTest.keyClick(desk.cards, Key.Key_Right)
    assert desk.page.title.text() == "Echo"
    QTest.keyClick(desk.cards, Key.Key_Down)
    assert desk.page.title.text() not in ("Echo", "Flooding")
    QTest.keyClick(desk.cards, Key.Key_Escape)
    assert one.workspaces.current == "run"


def test_a_requirement_on_the_page_lists_all_that_share_it(desk: ArchiveWorkspace, qtbot: QtBot) -> None:
    marked(desk, "echo", qtbot)
    chip = next(each for each in desk.page.chips.findChildren(QAbstractButton) if each.text() == "one initiator")
    QTest.mouseClick(chip, LEFT)
    assert desk.filters.needed == ("one initiator",) and "lelann" not in shown(desk)
    assert desk.page.title.text() == "Echo"


# ---------------------------------------------------------------------- the page


def test_the_page_has_description_guide_table_states_properties(desk: ArchiveWorkspace, qtbot: QtBot) -> None:
    marked(desk, "echo", qtbot)
    desk.page.fill_tab()
    assert "Two questions for the class" in desk.page.guide.toPlainText()
    assert desk.page.facts.text().startswith("Messages: 4m − 2n + 2")
    desk.page.show_tab("description")
    text = desk.page.description.toPlainText()
    assert "sleeping, INIT:                 pending := all neighbours" in text and "Reference: E. J. H. Chang" in text
    desk.page.show_tab("table")
    qtbot.waitUntil(lambda: desk.page.table is not None and desk.page.table.grid.rows.rowCount() == 5)
    table = desk.page.table
    assert table is not None
    grid = table.grid
    assert [state.name for state in table.diagram.layout_now.states]
    look = grid.rows.look.cells["sleeping", "Broadcast"]
    assert (look.kind, look.function) == ("action", "adopt")
    desk.page.show_tab("properties")
    words = desk.page.properties.toPlainText()
    assert "parents form a forest" in words and "exactly one process starts" in words


def test_the_table_is_read_only(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    marked(desk, "echo", qtbot)
    desk.page.show_tab("table")
    qtbot.waitUntil(lambda: desk.page.table is not None and desk.page.table.text.path.stem == "echo")
    table = desk.page.table
    assert table is not None
    source = (archive().ours / "protocols" / "echo.py").read_text(encoding="utf-8")
    table.grid.select(("sleeping", "Broadcast"))
    for key in (Key.Key_A, Key.Key_Delete, Key.Key_F2):
        QTest.keyClick(table.grid, key)
    assert table.grid.chooser is None
    assert table.diagram.marks.hot == ("sleeping", "Broadcast")
    with qtbot.waitSignal(desk.line_wanted) as asked:
        QTest.keyClick(table.grid, Key.Key_Return)
    writing = one.workspaces.protocols.workspace
    assert writing is not None and one.workspaces.current == "protocol" and writing.document.read_only
    assert source.splitlines()[asked.args[1] - 1].strip() == "def adopt(self, m, q):"
    assert (archive().ours / "protocols" / "echo.py").read_text(encoding="utf-8") == source


def test_experiments_that_break_are_last(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    marked(desk, "echo", qtbot)
    desk.page.show_tab("experiments")
    rows = desk.page.trials.rows
    broken = [row.trial.broken for row in rows]
    assert broken == sorted(broken) and broken[0] is False and broken[-1] is True
    row = next(row for row in rows if row.trial.name == "echo-crash")
    assert row.button.accessibleName() == "Open echo-crash, which violates an assumption"
    row.button.click()
    assert one.workspaces.current == "run"
    qtbot.waitUntil(lambda: one.session.experiment is not None and one.session.experiment.name == "echo-crash")


@pytest.mark.slow
def test_the_small_picture_runs_while_visible(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    marked(desk, "tree", qtbot)
    playing(desk, qtbot)
    small = desk.page.thumbnail
    before = small.playhead.t
    qtbot.waitUntil(lambda: small.playhead.t > before)
    QTest.mouseClick(small.button, LEFT)
    assert not small.playing and small.button.accessibleName() == "Play"
    QTest.keyClick(small, Key.Key_Space)
    assert small.playing
    one.workspaces.show("run")
    assert not small.playing and not small.player.timer.isActive()
    one.workspaces.show("archive")
    assert small.playing


def test_card_pictures_arrive_and_are_cached(desk: ArchiveWorkspace, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "flooding" in desk.cards.pictures and "echo" in desk.cards.pictures, timeout=60_000)
    desk.cards.repaint()
    wish = desk.runs.wishes["echo"]
    assert wish.there and wish.picture == desk.cards.pictures["echo"]
    assert wish == wish_for(desk.catalogue.entry("echo"), desk.theme.name, desk.place, desk.shelf.archive)


# ---------------------------------------------------------------------- buttons


def test_enter_opens_the_best_experiment(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    marked(desk, "maekawa", qtbot)
    QTest.keyClick(desk.cards, Key.Key_Return)
    assert one.workspaces.current == "run"
    qtbot.waitUntil(
        lambda: one.session.shown is not None and one.session.shown.trace.experiment.get("name") == "maekawa",
        timeout=20_000,
    )


@pytest.mark.slow
def test_copying_never_overwrites(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    made = []
    for _time in range(2):
        one.workspaces.show("archive")
        marked(desk, "flooding", qtbot)
        QTest.mouseClick(desk.page.copy_button, LEFT)
        assert one.workspaces.current == "protocol"
        writing = one.workspaces.protocols.workspace
        assert writing is not None and writing.document.path is not None and not writing.document.read_only
        made.append(writing.document.path)
    first, second = made
    assert first != second and first.parent.name == "protocols" and first.name == "my_flooding.py"
    ours = archive().ours / "protocols" / "flooding.py"
    assert first.read_text(encoding="utf-8") == second.read_text(encoding="utf-8") == ours.read_text(encoding="utf-8")
    one.workspaces.show("archive")
    qtbot.waitUntil(lambda: "my_flooding" in shown(desk))
    for path in made:
        path.unlink()


def test_unavailable_buttons_explain_why(desk: ArchiveWorkspace, qtbot: QtBot) -> None:
    marked(desk, "own", qtbot)
    page = desk.page
    assert (
        not page.explain_button.isEnabled()
        and page.explain_button.toolTip() == "The guide has no page about this protocol."
    )
    assert not page.lesson_button.isEnabled() and "no lesson" in page.lesson_button.toolTip()
    assert page.copy_button.text() == "Edit" and page.tab == "description"
    page.show_tab("experiments")
    assert page.trials.rows == [] and page.tabs.tabText(4) == "Experiments (0)"
    marked(desk, "echo", qtbot)
    assert page.explain_button.isEnabled() and page.copy_button.text() == "Copy as my own"


def test_a_lesson_opens_beside_its_run(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    user = desk.shelf.archive.user
    assert user is not None
    (user / "lessons").mkdir(exist_ok=True)
    file = user / "lessons" / "tree.md"
    file.write_text("# A lesson about trees\n\n## Look\n\nAt the leaves.", encoding="utf-8")
    desk.sync()
    qtbot.waitUntil(lambda: desk.catalogue.entry("tree").lesson == file)
    marked(desk, "tree", qtbot)
    QTest.mouseClick(desk.page.lesson_button, LEFT)
    assert one.workspaces.current == "run" and one.lessons.dock is not None and one.lessons.dock.isVisible()
    assert one.lessons.lesson is not None and one.lessons.lesson.title == "A lesson about trees"
    one.lessons.show_panel(False)
    one.workspaces.show("archive")
    one.helping.here()
    assert desk.help is not None and desk.help.panel.page.file is not None
    assert desk.help.panel.page.file.name == "archive.md"
    desk.help.leave()
    file.unlink()


def test_a_user_protocol_runs_on_a_suitable_network(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    marked(desk, "own", qtbot)
    desk.open()
    qtbot.waitUntil(lambda: one.workspaces.current == "run", timeout=60_000)
    qtbot.waitUntil(lambda: one.session.shown is not None and "Hello" in one.session.shown.trace.labels, timeout=20_000)


def test_an_error_is_reported_and_harmless(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    marked(desk, "slip", qtbot)
    page = desk.page
    assert page.problem.isVisible() and "slip.py, line 6" in page.problem.text() and "':'" in page.problem.text()
    assert not page.open_button.isEnabled() and not page.thumbnail.isVisible()
    for tab in ("description", "table", "properties", "experiments"):
        page.show_tab(tab)
    qtbot.waitUntil(lambda: page.studied is not None and page.studied.path.stem == "slip")
    desk.open()
    assert one.workspaces.current == "archive" and "line 6" in one.notice.text
    QTest.mouseClick(page.copy_button, LEFT)
    assert one.workspaces.current == "protocol"


# ---------------------------------------------------------------------- the surrounding window


@pytest.mark.slow
def test_help_themes_and_keys_work(desk: ArchiveWorkspace, one: MainWindow, qtbot: QtBot) -> None:
    one.helping.show(Place("archive", "find-an-algorithm"))
    assert desk.help is not None and desk.help.isVisible()
    desk.help.leave()
    assert [each for each in desk.panes if each.isVisible()] == [desk.filters, desk.cards, desk.page]
    for name in ("dark", "light"):
        one.looks.choose(name)
        qtbot.waitUntil(lambda: not desk.reading.busy)
        assert {wish.look for wish in desk.runs.wishes.values()} == {name}
    one.workspaces.show("run")
    one.actions_by_name["archive_search"].trigger()
    assert one.workspaces.current == "archive"
    if one.isActiveWindow():
        assert QApplication.focusWidget() is desk.filters.field


def test_every_part_has_a_name(desk: ArchiveWorkspace, qtbot: QtBot) -> None:
    marked(desk, "echo", qtbot)
    for tab in ("table", "experiments"):
        desk.page.show_tab(tab)
        qtbot.waitUntil(lambda: desk.page.table is not None)
    for widget in desk.findChildren(QWidget):
        reached = widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.isVisible()
        if reached and not widget.objectName().startswith("qt_"):
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            named = widget.accessibleName() or text
            parent = widget.parentWidget()
            assert named or (parent is not None and parent.accessibleName()), widget


# ---------------------------------------------------------------------- generating pictures


@pytest.mark.slow
def test_a_crashed_program_is_restarted(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelves = archive()
    entries = {entry.name: entry for entry in Reader(shelves).read().entries}
    tree, echo, flood = (wish_for(entries[name], "light", tmp_path, shelves) for name in ("tree", "echo", "flooding"))
    pictures, said = Pictures(), []
    pictures.failed.connect(lambda wish, why: said.append((wish, why)))
    with monkeypatch.context() as patch:
        patch.setattr("lydian.app.archive.pictures.ENTRY", ("-c", "import sys; sys.stdin.readline(); sys.exit(3)"))
        with qtbot.waitSignal(pictures.failed, timeout=60_000):
            pictures.want([tree])
    assert said == [(tree, "the drawing program has ended unexpectedly")]
    with qtbot.waitSignal(pictures.made, timeout=60_000) as made:
        pictures.want([tree, echo])
    assert made.args == [echo] and echo.there and not tree.there  # the picture of tree is known to be unavailable
    pictures.want([tree, echo])
    assert not pictures.busy
    with qtbot.waitSignal(pictures.made, timeout=60_000):  # the program has ended or is about to, so a new one starts
        pictures.want([flood])
    pictures.close()


def test_a_missing_answer_times_out(qtbot: QtBot, tmp_path: Path) -> None:
    entry = Entry("x", tmp_path / "x.py", "X")
    wish = wish_for(entry, "light", tmp_path, archive())
    pictures = Pictures()
    with qtbot.waitSignal(pictures.failed, timeout=20_000) as failed:
        pictures.want([wish])
        pictures._patience.start(1)
    assert failed.args[1] in ("it does not terminate", "the drawing program has ended unexpectedly")
    pictures.close()


def test_the_least_recently_used_is_deleted_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lydian.app.archive import cache

    monkeypatch.setattr(cache, "MOST", 2)
    for age, name in enumerate(("c.png", "a.png", "b.parquet", "other.txt")):
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    prune(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.png", "c.png", "other.txt"]


def test_the_docstring_becomes_a_page() -> None:
    doc = "Title: a b_c.\n\nText with ``code`` and 2*m*n.\n\nPseudo-code (x)::\n\n    one *:  two\n\n    three\n\n"
    doc += "Needs luck.  Complexity: 2*m."
    page = description(Entry("x", Path("x.py"), "Title", "A b_c", doc))
    assert page == (
        "Text with `code` and 2\\*m\\*n.\n\n**Pseudo-code** (x):\n\n```\none *:  two\n\nthree\n```\n\n"
        "**Needs** luck. **Complexity:** 2\\*m."
    )
    assert "no description" in description(Entry("x", Path("x.py"), "x"))


def test_a_click_beside_the_cards_selects_nothing(desk: ArchiveWorkspace) -> None:
    before = desk.page.title.text()
    QTest.mouseClick(desk.cards.viewport(), LEFT, pos=QPoint(desk.cards.viewport().width() - 2, 2))
    assert desk.page.title.text() == before
