"""The guide in the window: pages, sections, F1, program links and search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QWhatsThis
from pytestqt.qtbot import QtBot

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.theme import Theme
from lydian.app.panels.help.guidetext import about, for_theme, keys_table, place_of
from lydian.app.panels.help.help import HelpPanel
from lydian.app.panels.help.helppage import MARGIN, _pieces
from lydian.app.panels.help.helpsearch import SearchField
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.guide.pages import PAGES, SEARCH, Place, guide, slug, title

Open = Callable[..., MainWindow]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def panel(qtbot: QtBot) -> HelpPanel:
    made = HelpPanel(Theme("light"))
    qtbot.addWidget(made)
    made.resize(460, 600)
    with qtbot.waitExposed(made):
        made.show()
    return made


def top_heading(panel: HelpPanel) -> str:
    """Return the heading at the top of the visible page."""
    block = panel.page.cursorForPosition(panel.page.viewport().rect().topLeft()).block()
    while block.isValid() and not (block.blockFormat().headingLevel() and block.text()):
        block = block.next()
    return block.text()


def top_of(panel: HelpPanel) -> str:
    """The block at the upper edge of the page."""
    place = panel.page.viewport().rect().topLeft() + QPoint(MARGIN, 8)
    return panel.page.cursorForPosition(place).block().text()


# ---------------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("heading", "anchor"), [("Text trace", "text-trace"), ("1. Look", "1-look"), ("What ECHO is?", "what-echo-is")]
)
def test_headings_have_the_anchors_of_the_web_pages(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_pages_show_the_picture_of_the_theme_and_no_comment() -> None:
    text = "a\n\n![x](p/a-light.png)\n\n![x](p/a-dark.png)\n\n<!-- no -->\n![y](p/only-light.png)\n"
    assert for_theme(text, False) == "a\n\n![x](p/a-light.png)\n\n\n\n![y](p/only-light.png)\n"
    assert for_theme(text, True) == "a\n\n\n\n![x](p/a-dark.png)\n\n![y](p/only-light.png)\n"


def test_parts_of_the_window_and_extra_views_have_a_section() -> None:
    assert place_of("causality") == place_of("causality-2") == Place("views", "causality")
    assert place_of("no such part") == place_of("") == Place("index")
    assert about("step").startswith("This view shows one process")
    assert about("no such part") == ""


def test_the_table_of_keys_has_a_row_for_every_command() -> None:
    rows = keys_table().splitlines()
    assert "| `Space` | Play or pause | Play or pause the run |" in rows
    assert all(row.count("|") - row.count("\\|") == 4 for row in rows)


# ---------------------------------------------------------------------- the panel


@pytest.mark.parametrize("page", [page for page in PAGES if (guide() / f"{page}.md").is_file()])
def test_every_page_is_shown_with_all_its_pictures(panel: HelpPanel, page: str) -> None:
    panel.open(Place(page))
    document = panel.page.document()
    assert title(page) and document.begin().text().startswith(title(page))
    for name, image in panel.page._pictures.items():
        assert image.width() > 100, name
    wide = panel.page.viewport().width() - 2 * MARGIN
    widths = []
    block = document.begin()
    while block.isValid():
        looks = [look for _start, _length, look in _pieces(block) if look.isImageFormat()]
        widths += [look.toImageFormat().width() for look in looks]
        block = block.next()
    assert all(40 <= width <= wide for width in widths)
    assert len(widths) == for_theme((guide() / f"{page}.md").read_text(encoding="utf-8"), False).count("\n![")


def test_pictures_adapt_to_the_width_and_the_theme(panel: HelpPanel, qtbot: QtBot) -> None:
    panel.open(Place("views", "network"))
    panel.resize(700, 600)
    qtbot.waitUntil(lambda: panel.page._wide == panel.page.viewport().width() - 2 * MARGIN)
    assert any(name.endswith("basic-light.png") for name in panel.page._pictures)
    set_theme_of(panel, Theme("dark"))
    assert any(name.endswith("basic-dark.png") for name in panel.page._pictures)
    panel.resize(420, 600)
    wide = panel.page.viewport().width() - 2 * MARGIN
    where = panel.page.document().baseUrl().resolved(QUrl("pictures/views/basic-dark.png"))
    shown = panel.page.document().resource(QTextDocument.ResourceType.ImageResource.value, where)
    assert shown.width() == panel.page._wide == wide
    assert top_heading(panel) == "Network"


def test_sections_open_and_back_and_forward_work(panel: HelpPanel, qtbot: QtBot) -> None:
    panel.open(Place("views", "knowledge"))
    assert top_heading(panel) == "Knowledge"
    panel.page.follow(QUrl("reading-traces.md"))
    assert panel.page.file is not None and panel.page.file.name == "reading-traces.md"
    qtbot.mouseClick(panel.back, Qt.MouseButton.LeftButton)
    assert panel.page.file.name == "views.md" and top_heading(panel) == "Knowledge"
    qtbot.mouseClick(panel.onward, Qt.MouseButton.LeftButton)
    assert panel.page.file.name == "reading-traces.md"
    qtbot.mouseClick(panel.contents, Qt.MouseButton.LeftButton)
    assert panel.page.file.name == "index.md" and not panel.onward.isEnabled()


def test_search_wraps_around_and_reports_no_matches(panel: HelpPanel, qtbot: QtBot) -> None:
    panel.open(Place("views"))
    qtbot.keyClick(panel.page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.field.hasFocus() and panel.finding.isChecked()
    qtbot.keyClicks(panel.field, "hatching")
    first = panel.page.textCursor()
    assert first.selectedText().lower() == "hatching" and panel.nothing.isHidden()
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert panel.page.textCursor().selectedText().lower() == "hatching"
    qtbot.keyClick(panel.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert panel.page.textCursor().selectedText().lower() == "hatching"
    qtbot.keyClicks(panel.field, "zzz")
    assert not panel.nothing.isHidden()
    qtbot.keyClick(panel.field, Qt.Key.Key_Escape)
    assert panel.nothing.isHidden() and panel.find_bar.isHidden() and panel.page.hasFocus()


def headings(panel: HelpPanel) -> list[str]:
    rows = range(panel.results.list.count())
    return [panel.results.list.item(row).data(Qt.ItemDataRole.UserRole).section.heading for row in rows]


def test_the_whole_guide_is_searched_as_one_types(panel: HelpPanel, qtbot: QtBot) -> None:
    page, search, results = panel.page, panel.search, panel.results
    panel.open(SEARCH)
    assert search.hasFocus() and results.isHidden()
    qtbot.keyClicks(search, "causal")
    assert results.isVisible() and page.isHidden() and "Causal past" in headings(panel)
    qtbot.keyClicks(search, " past")
    assert headings(panel)[:2] == ["Causal past", "Causality"]
    spoken = results.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Causal past, Glossary: All events that precede an event")

    for key, row in ((Qt.Key.Key_Up, len(headings(panel)) - 1), (Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 1)):
        qtbot.keyClick(search, key)
        assert results.list.currentRow() == row
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert results.isHidden() and page.hasFocus() and page.file is not None and page.file.stem == "views"
    assert page.textCursor().block().text() == "Causality"
    lit = {each.cursor.selectedText().lower() for each in page.extraSelections()}
    assert lit == {"causal", "past"}
    seen = [page.cursorRect(each.cursor).top() for each in page.extraSelections() if each.cursor.hasSelection()]
    assert any(0 <= top < page.viewport().height() for top in seen)
    set_theme_of(panel, Theme("dark"))
    assert page.extraSelections()[0].format.background().color() == Theme("dark").color("accent.found")

    search.setFocus()
    qtbot.keyClick(search, Qt.Key.Key_Down)  # the results once more
    first = results.list.visualItemRect(results.list.item(0)).center()
    qtbot.mouseClick(results.list.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert page.file.stem == "glossary" and top_of(panel).startswith("causal past: ")

    search.setFocus()
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert results.isVisible()
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert results.isHidden() and page.hasFocus() and search.text() == "" and page.extraSelections() == []


def test_a_search_without_results_offers_the_glossary(panel: HelpPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "zebra")
    assert panel.results.nothing.text() == "The guide contains no section with “zebra”."
    assert panel.results.nothing.isVisible()
    qtbot.keyClick(panel.search, Qt.Key.Key_Down)
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert panel.results.isVisible()
    qtbot.mouseClick(panel.results.glossary, Qt.MouseButton.LeftButton)
    assert panel.page.isVisible() and panel.page.file is not None and panel.page.file.stem == "glossary"


def test_a_file_that_is_not_a_page_is_shown_verbatim(panel: HelpPanel, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = '# no heading'\n", encoding="utf-8")
    panel.page.go(tmp_path / "mine.py")
    assert "x = '# no heading'" in panel.page.toPlainText()


def test_program_links_consist_of_a_verb_and_an_object(panel: HelpPanel) -> None:
    asked: list[tuple[str, str]] = []
    panel.page.asked.connect(lambda verb, what: asked.append((verb, what)))
    panel.page.follow(QUrl("lydian:run/two-wings"))
    panel.page.follow(QUrl("lydian:open%20echo-crash"))
    assert asked == [("run", "two-wings"), ("open", "echo-crash")]


def test_help_without_a_page_shows_the_contents(panel: HelpPanel) -> None:
    assert panel.page.file is not None and panel.page.file.stem == "index"


# ---------------------------------------------------------------------- in the window


def test_the_page_takes_the_focus_from_what_it_covers(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(layout="study")
    causality = window.stage.canvases["causality"]
    causality.setFocus()
    qtbot.keyClick(causality, Qt.Key.Key_F1)
    qtbot.waitUntil(window.helping.panel.isVisible)
    assert window.helping.panel.page.hasFocus() or causality.isVisible()


def test_f1_opens_the_section_on_the_focused_part(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(size=(1600, 900), layout="study")
    panel = window.helping.panel
    for name, heading in (("causality", "Causality"), ("occupation", "Occupation"), ("basic", "Network")):
        canvas = window.stage.canvases[name]
        canvas.setFocus()
        qtbot.keyClick(canvas, Qt.Key.Key_F1)
        qtbot.waitUntil(panel.isVisible)
        assert panel.page.file is not None and panel.page.file.stem == "views"
        assert panel.page.textCursor().block().text() == heading
    window.bottom.scrubber.setFocus()
    qtbot.keyClick(window.bottom.scrubber, Qt.Key.Key_F1)
    assert panel.page.textCursor().block().text() == "The time line"
    assert window.stage.docks["help"].note.whole == "Playing a run"


@pytest.mark.slow
def test_f1_while_drawing_opens_the_page_beside_the_drawing(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.workspaces.show("network")
    editor = window.workspaces.network.made()
    window.activateWindow()
    qtbot.keyClick(editor.canvas, Qt.Key.Key_F1)
    column = window.helping.column
    assert column is not None and column.isVisible() and window.stage.docks["help"].isHidden()
    assert column.panel.page.file is not None and column.panel.page.file.stem == "drawing-networks"
    assert column.title.text() == "Help: Drawing networks"
    assert min(column.width(), editor.canvas.width()) > 300 and not editor.build.isVisible()  # a narrow window

    editor.build.show()
    for part, heading in ((editor.properties.network.name.line, "Timing and faults"), (editor.chip, "Can it run?")):
        part.setFocus()
        window.helping.here()
        assert column.panel.page.textCursor().block().text() == heading

    window.looks.choose("dark")
    assert column.panel.page.theme.name == "dark"
    window.looks.choose("light")
    qtbot.mouseClick(column.cross, Qt.MouseButton.LeftButton)
    assert column.isHidden() and editor.build.isVisible() and window.workspaces.current == "network"
    window.helping.show(Place("index"))
    assert window.helping.column is column and column.isVisible()
    qtbot.keyClick(column.panel.page, Qt.Key.Key_Escape)
    assert column.isHidden()


def test_an_example_opened_beside_the_drawing_is_shown(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.workspaces.show("network")
    window.helping.show(Place("index"))
    assert window.helping.column is not None
    window.helping.column.panel.page.follow(QUrl("lydian:run/echo-crash"))
    qtbot.waitUntil(lambda: window.playhead.playing, timeout=20_000)
    window.playhead.pause()
    assert window.workspaces.current == "run"
    assert window.session.experiment is not None and window.session.experiment.name == "echo-crash"


def test_the_field_for_the_search_has_the_focus_in_every_workspace(open_window: Open) -> None:
    window = open_window()
    for workspace in ("run", "network", "protocol", "sweep", "archive"):
        window.workspaces.show(workspace)
        window.activateWindow()
        window.setFocus()
        assert not isinstance(window.focusWidget(), SearchField)
        window.finder.sources.begin()
        assert window.finder.sources.found("search the guide", "command")[0][0].text == "Search the guide"
        window.actions_by_name["help_search"].trigger()
        field = window.focusWidget()
        assert isinstance(field, SearchField) and field.isVisible(), workspace


def test_every_view_is_described_in_two_sentences(open_window: Open) -> None:
    window = open_window()
    for name in (*window.stage.canvases, "trace", "experiment", "checks"):
        dock = window.stage.docks[name]
        words = about(name)
        assert words and dock.whatsThis() == dock.content.whatsThis() == words
        assert "What am I looking at?" in [action.text() for action in dock.menu.actions()]
    window.helping.tell("basic")
    QWhatsThis.hideText()


def test_keys_of_help_work(open_window: Open) -> None:
    actions = open_window().actions_by_name
    keys = {name: [key.toString() for key in actions[name].shortcuts()] for name in ("help", "whats_this", "keys")}
    assert keys == {"help": ["F1"], "whats_this": ["Shift+F1"], "keys": ["?", "Ctrl+/"]}
    assert actions["help_search"].shortcut().toString() == "Ctrl+Shift+F1"
    actions["help_first-steps"].trigger()
    actions["whats_this"].trigger()
    assert QWhatsThis.inWhatsThisMode()
    QWhatsThis.leaveWhatsThisMode()


def test_examples_can_be_run_from_the_page(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(size=(1600, 900), layout="study")
    window.helping.show(Place("index"))
    window.helping.panel.page.follow(QUrl("lydian:run/echo-crash"))
    qtbot.waitUntil(lambda: window.playhead.playing, timeout=20_000)
    assert window.session.experiment is not None and window.session.experiment.name == "echo-crash"
    window.playhead.pause()
    window.helping.do("open", "flooding-grid")
    qtbot.waitUntil(lambda: window.session.shown is not None and window.session.shown.experiment is not None
                    and window.session.shown.experiment.name == "flooding-grid", timeout=20_000)  # fmt: skip
    assert not window.playhead.playing
    window.helping.do("view", "knowledge")
    assert not window.stage.docks["knowledge"].isHidden()
    window.helping.do("do", "loop")
    assert window.playhead.loop
    window.helping.do("run", "no-such-experiment")
    assert "no-such-experiment" in window.notice.text
    window.helping.do("fly", "high")
    assert "fly/high" in window.notice.text
