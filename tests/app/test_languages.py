"""The language of the window: the choice in the menu, and what the desktop asks for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale

from lydian.app.commands.table import distinct
from lydian.app.work import settings
from lydian.app.work.settings import Settings, wanted_language
from lydian.language import languages
from tests.app.conftest import Open


def test_the_menu_lists_the_languages_in_their_own_words(open_window: Open) -> None:
    window = open_window()
    names = {name: action.text() for name, action in window.actions_by_name.items() if name.startswith("language_")}
    spoken = {f"language_{code}": f"&{name}" for code, name in languages().items()}
    assert names == {"language_system": "Desktop's &language", **spoken}
    assert window.actions_by_name["language_system"].isChecked()


def test_a_chosen_language_is_kept_for_the_next_start(open_window: Open) -> None:
    window = open_window()
    window.actions_by_name["language_en"].trigger()
    assert Settings().language == "en"
    assert wanted_language() == "en"
    assert window.actions_by_name["language_en"].isChecked()
    window.actions_by_name["language_system"].trigger()
    assert Settings().language == ""


def test_the_environment_precedes_the_choice_and_the_choice_precedes_the_desktop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "choose", lambda *wishes: wishes)
    monkeypatch.setenv("LYDIAN_LANGUAGE", "de")
    Settings().language = "fr"
    desktop = QLocale.system().uiLanguages()
    assert wanted_language() == ("de", "fr", desktop)
    Settings().language = ""
    assert wanted_language() == ("de", "", desktop)


def test_accelerators_in_a_menu_are_made_distinct() -> None:
    assert distinct(["&Datei", "&Bearbeiten", "&Beenden", "Alles", "&B"]) == [
        "&Datei",
        "&Bearbeiten",
        "B&eenden",
        "Alles",
        "B",
    ]
    assert distinct(["&Save", "Save &as…"]) == ["&Save", "Save &as…"]
    assert distinct(["&Suchen", "Protokoll &suchen"]) == ["&Suchen", "&Protokoll suchen"]
