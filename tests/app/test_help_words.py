"""F1 on a word of a protocol opens the section that explains it, with an example to try."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import lydian
from lydian.app.look.theme import Theme
from lydian.app.panels.help.help import HelpPanel
from lydian.app.panels.help.helptry import kind_of, trial
from lydian.app.panels.help.helpwords import (
    WORD_PAGES,
    example,
    examples,
    place_of_word,
    places_of_words,
    with_offers,
)
from lydian.app.window.mainwindow import MainWindow
from lydian.authoring.complete import complete
from lydian.desk.guide.pages import Place, guide, section
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from tests.app.conftest import one_window, rest

pytestmark = [
    pytest.mark.leaves_behind,
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
]
#: A protocol with a position for each kind of completion, marked by |.
PLACES = '''from lydian import *

IDLE, DONE = states("idle", "done")


class News(Message):
    """What is told."""


class Mine(Process):
    needs = |connected
    messages = "n"
    state = IDLE
    title = "Mine"

    def free(self):
        return True

    @when(free)
    def act(self):
        self.|free()
        self.see(0).|state

    @on(IDLE, |INIT)
    def start(self):
        |pass

    @|on(IDLE, News)
    def hear(self, m, q):
        m.|bits


@always("good")
def good(c):
    c.|n
    return all(p.|state for p in c.processes)
'''
OWN = {"IDLE", "DONE", "News", "Mine", "free", "act", "start", "hear", "good"}


def offered() -> dict[str, str]:
    """Return every word that completion offers at the marked positions, with its kind."""
    found: dict[str, str] = {}
    pieces = PLACES.split("|")
    source = "".join(pieces)
    for number in range(1, len(pieces)):
        before = "".join(pieces[:number])
        lines = before.split("\n")
        for each in complete(source, len(lines), len(lines[-1])):
            found[each.text] = each.kind
    return {word: kind for word, kind in found.items() if word not in OWN and kind not in ("name", "message")}


def test_completion_offers_the_expected_words() -> None:
    words = offered()
    assert {"send", "set_timer", "see", "on", "when", "always", "in_transit", "faulty", "bits", "ring"} <= set(words)
    assert set(lydian.__all__) <= set(words)
    assert len(words) > 60


def test_every_completion_has_a_section_of_the_guide() -> None:
    there = places_of_words()
    words = {*offered(), "needs", "messages", "title", "state", "weight"}
    assert sorted(word for word in words if word not in there) == [], "the guide says nothing of these"
    for word in words:
        place = there[word]
        told = section(place)
        assert f"`{place.word}`" in told, (word, place)
        assert re.search(rf"\b{word}\b", place.word)


@pytest.mark.parametrize("place", sorted({(p.page, p.section) for p in places_of_words().values()}), ids="-".join)
def test_every_section_has_an_example_nearby(place: tuple[str, str]) -> None:
    page, part = place
    if page == WORD_PAGES[0]:  # the sections of this page explain themselves
        assert [name for name in examples(page) if f"file={name}" in section(Place(page, part))], place
    assert examples(page)


@pytest.mark.parametrize("what", [f"{page}/{name}" for page in WORD_PAGES for name in examples(page)])
def test_every_example_runs(what: str, tmp_path: Path) -> None:
    found = example(what)
    assert found is not None
    (tmp_path / found.name).write_text(found.source, encoding="utf-8")
    now = Experiment("x", protocol="echo", network="ring:5")
    parts = trial(found, now, str(tmp_path / found.name))
    result = Simulator(now.with_(**parts)).run()
    assert result.error is None and [check.name for check in result.checks if check.holds is False] == []


def test_user_names_lead_to_the_page_on_their_kind() -> None:
    source = PLACES.replace("|", "")
    line = source.splitlines().index("    def hear(self, m, q):") + 1
    assert kind_of("News", source, line - 1) == "message"
    assert kind_of("IDLE", source, line - 1) == "state"
    assert kind_of("nothing", source, line) == "" and kind_of("News", source, 10_000) == ""
    assert place_of_word("News", "message").section == "messages"
    assert place_of_word("IDLE", "state").section == "states-and-actions"
    assert place_of_word("quaint") == Place(WORD_PAGES[0])
    assert place_of_word("see") == Place("protocol-words", "rules-instead-of-messages", "self.see(q)")


def test_only_whole_protocols_have_links_to_try() -> None:
    for page in WORD_PAGES:
        text = (guide() / f"{page}.md").read_text(encoding="utf-8")
        links = re.findall(r"\]\(lydian:try/([^)]+)\)", with_offers(page, text))
        assert links == [f"{page}/{name}" for name in examples(page)] and links
    assert "distances.py" in examples("guarded-actions") and "distances.toml" not in examples("guarded-actions")
    assert "polite.py" in examples("every-schedule")
    assert example("protocol-words/nobody.py") is None and example("nowhere/hops.py") is None
    assert with_offers("index", "```python\nx = 1\n```\n") == "```python\nx = 1\n```\n"


def test_the_word_is_highlighted_where_it_is_explained(qtbot: QtBot) -> None:
    panel = HelpPanel(Theme("dark"))
    qtbot.addWidget(panel)
    panel.resize(420, 500)
    panel.show()
    for word in ("send", "at_end", "in_transit", "see", "cancel_timer"):
        place = place_of_word(word)
        panel.open(place)
        assert panel.page.textCursor().selectedText() == place.word
        top = panel.page.cursorRect().top()
        assert 0 <= top < panel.page.viewport().height() // 2
    asked: list[tuple[str, str]] = []
    panel.page.asked.connect(lambda verb, what: asked.append((verb, what)))
    panel.page.follow(QUrl("lydian:try/protocol-words/hops.py"))
    assert asked == [("try", "protocol-words/hops.py")]


@pytest.fixture(scope="module")
def one(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with one_window(tmp_path_factory.mktemp("home")) as window:
        yield window


def test_f1_in_the_code_leads_to_an_example_to_try(one: MainWindow, qtbot: QtBot) -> None:
    rest(one, qtbot)
    assert one.workspaces.show("protocol")
    w = one.workspaces.protocols.workspace
    assert w is not None
    lines = w.document.source.splitlines()
    number = next(i for i, text in enumerate(lines, 1) if "self.send(" in text)
    w.code.text.go(number, lines[number - 1].index("send") + 1)
    w.code.text.setFocus()
    QTest.keyClick(w.code.text, Qt.Key.Key_F1)
    assert w.help is not None and w.right.currentWidget() is w.help
    page = w.help.page
    assert page.file is not None and page.file.stem == "protocol-words"
    assert page.textCursor().selectedText() == place_of_word("send").word
    page.follow(QUrl("lydian:try/protocol-words/crown.py"))
    assert w.document.name == "crown.py" and w.document.source == examples("protocol-words")["crown.py"].source
    assert w.document.path is not None and w.document.path.is_file() and not w.document.read_only
    assert one.session.experiment is not None and one.session.experiment.network == "line:5"
    assert w.runs.is_run and "crown.py is yours" in w.bar.text
    rest(one, qtbot)
    qtbot.waitUntil(lambda: w.runs.run is not None, timeout=20_000)
    assert w.runs.failure is None and w.runs.run is not None
    assert [each["holds"] for each in w.runs.run.result["checks"]] == [True] * 4
    page.follow(QUrl("lydian:try/protocol-words/crown.py"))
    assert w.document.name == "crown_2.py", "nothing is overwritten"
    page.follow(QUrl("lydian:try/protocol-words/nobody.py"))
    assert w.document.name == "crown_2.py"
    rest(one, qtbot)
