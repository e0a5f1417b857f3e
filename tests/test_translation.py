"""Texts in the language of the window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from gettext import NullTranslations

import pytest
from babel.messages.catalog import Catalog

from lydian.language import ENGLISH, choose, folder, language, languages, later, tr, translated, trc, trn, use
from scripts.languages import Text, missing, problems, texts, update, written


class Backwards(NullTranslations):
    """A catalogue that shows what was asked for."""

    def gettext(self, message: str) -> str:
        return {"{sender} to {receiver}": "an {receiver} von {sender}"}.get(message, f"<{message}>")

    def ngettext(self, one: str, many: str, n: int) -> str:
        return "{count:,} Nachricht" if n == 1 else "{count:,} Nachrichten"

    def pgettext(self, context: str, message: str) -> str:
        return f"{context}:{message}"


@pytest.fixture
def backwards() -> Iterator[None]:
    use(Backwards(), "xx")
    yield
    use(None, ENGLISH)


def test_without_a_catalogue_texts_are_english() -> None:
    assert language() == ENGLISH
    assert tr("Save {what}", what="{x}") == "Save {x}"
    assert tr("a set {x}") == "a set {x}"
    assert [trn("{count:,} link", "{count:,} links", n) for n in (0, 1, 1234)] == ["0 links", "1 link", "1,234 links"]
    assert trc("menu", "Open") == "Open"


@pytest.mark.usefixtures("backwards")
def test_a_catalogue_may_change_the_order_of_the_values() -> None:
    assert tr("{sender} to {receiver}", sender="3", receiver="5") == "an 5 von 3"
    assert tr("Save") == "<Save>"
    assert trc("state", "Open") == "state:Open"


@pytest.mark.usefixtures("backwards")
def test_a_catalogue_separates_thousands_by_a_space_that_means_the_same_in_every_language() -> None:
    assert trn("{count:,} message", "{count:,} messages", 1) == "1 Nachricht"
    assert trn("{count:,} message", "{count:,} messages", 1234567) == "1\u202f234\u202f567 Nachrichten"
    assert tr("until {time:,.2f}, {name}", time=1234.5, name="a,b") == "<until 1\u202f234.50, a,b>"


def test_the_first_available_wish_is_chosen() -> None:
    assert next(iter(languages())) == ENGLISH
    assert choose("xx", ["tlh_KX", "en-GB", "de"]) == ENGLISH
    assert choose("", []) == ENGLISH


@pytest.mark.usefixtures("backwards")
def test_a_marked_text_is_translated_only_where_it_is_shown() -> None:
    assert later("Tables") == "Tables" and later("always", "property") == "always"
    assert translated("Tables") == "<Tables>" and translated("always", "property") == "property:always"
    assert translated("") == translated("", "property") == ""
    use(None, ENGLISH)
    assert translated("Tables") == translated("Tables", "menu") == "Tables"


@pytest.fixture(scope="module")
def there() -> list[Text]:
    return texts()


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH])
def test_a_translation_is_complete_and_fits_the_texts(code: str, there: list[Text]) -> None:
    catalogue = update(code, there)
    assert not missing(catalogue), f"make languages; then translate resources/languages/{code}/lydian.po"
    assert not problems(catalogue, there)


@pytest.mark.parametrize(
    ("english", "places", "wrong", "right"),
    [
        ("{process} starts", {"process"}, "{prozess} beginnt", "{process} beginnt"),
        ("{process} starts", None, "{prozess} beginnt", "{process} beginnt"),  # its values are given elsewhere
        ("starts", None, "{process} beginnt", "beginnt"),
        (" at once", None, "sofort", " sofort"),
        ("Save as…", None, "Speichern unter", "Speichern unter…"),
        ("&Save", None, "Speichern", "&Speichern"),
    ],
)
def test_a_wrong_translation_is_found(english: str, places: set[str] | None, wrong: str, right: str) -> None:
    there = [Text(english, None, places=places)]
    for translation, count in ((wrong, 1), (right, 0)):
        catalogue = Catalog(locale="de")
        catalogue.add(english, translation)
        assert len(problems(catalogue, there)) == count


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH])
def test_the_files_of_a_translation_are_up_to_date(code: str, there: list[Text]) -> None:
    po, mo = written(update(code, there), languages()[code])
    assert (folder() / code / "lydian.po").read_bytes() == po, "run make languages"
    assert (folder() / code / "lydian.mo").read_bytes() == mo, "run make languages"


def test_what_is_imported_before_the_language_is_chosen_has_no_texts(python_env: dict[str, str]) -> None:
    script = (
        "import lydian.language as speech\n"
        "asked = []\n"
        "class Asked:\n"
        "    def gettext(self, text): asked.append(text); return text\n"
        "    def ngettext(self, one, many, n): asked.append(one); return one\n"
        "    def pgettext(self, context, text): asked.append(text); return text\n"
        "speech.use(Asked(), 'xx')\n"
        "import lydian.cli.entry, lydian.app.work.settings\n"
        "print(asked)\n"
    )
    said = subprocess.run([sys.executable, "-c", script], env=python_env, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
