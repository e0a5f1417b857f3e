"""The controls of the page in the language of the window."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from gettext import NullTranslations

import pytest

from lydian.language import ENGLISH, forms, use
from lydian.trace.timeline import Timeline
from lydian.views.page.controls import texts_in, words_of
from lydian.views.page.page import page
from tests.views.book import echo

SCRIPT = 'title = tr("mean {value}") + attr("no") + trn("{count:,} event", "{count:,} events", n) + tr("a \\"b\\"")'


class Three(NullTranslations):
    """A language with a form for one, one for numbers that end in 2, and one for all others."""

    def gettext(self, message: str) -> str:
        return f"<{message}>"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return "one" if n == 1 else "two" if n % 10 == 2 else "many"


@pytest.fixture
def three() -> Iterator[None]:
    use(Three(), "xx")
    yield
    use(None, ENGLISH)


def test_marked_texts_are_found_in_script_and_html() -> None:
    assert texts_in(SCRIPT) == ["mean {value}", ("{count:,} event", "{count:,} events"), 'a "b"']
    assert texts_in('<a title="{{tr:To the end (End)}}">{{tr:slower}}</a>{{title}}') == ["To the end (End)", "slower"]


def test_an_english_page_needs_no_words() -> None:
    assert words_of(SCRIPT) == {"comma": ",", "texts": {}}
    assert forms("card", "cards") == (("card", "cards"), "1" + "0" + "1" * 198)


@pytest.mark.usefixtures("three")
def test_each_number_has_its_form() -> None:
    words = words_of(SCRIPT)
    assert words["comma"] == "\u202f" and words["texts"]["mean {value}"] == "<mean {value}>"
    several, which = words["texts"]["{count:,} event"]
    found = [several[int(which[n])] for n in (0, 1, 2, 3, 12, 101, 102, 199)]
    assert found == ["many", "one", "two", "many", "two", "many", "two", "many"]


@pytest.mark.usefixtures("three")
def test_the_controls_of_the_page_are_translated() -> None:
    made = page(Timeline(echo()))
    controls = re.findall(r' (?:title|aria-label)="([^"]+)"', made)
    assert len(controls) > 20 and all(each.startswith("&lt;") for each in controls)
    assert "&lt;slower&gt;" in made and "{{" not in made.partition("<script")[0]
    data = json.loads(re.findall(r'<script type="application/json" id="run">(.*?)</script>', made)[0])
    assert data["words"]["texts"]["Pause"] == "<Pause>"
