"""The language of the window: its texts are written in English and translated by catalogues in GNU gettext's format.

``tr("Save as…")`` is a text; ``tr("{process} starts", process=name)`` one with a value;
``trn("{count} message", "{count} messages", n)`` one that depends on a number; and ``trc("menu", "Open")`` one whose
English words mean several things. ``later("Tables")`` marks a text that is also compared, recorded or read by other
programs, and therefore stays English in its place; ``translated(text)`` translates it where it is shown.

Until :func:`install` is called, all texts are English, so the command line, the traces and the processes that execute
protocols do not depend on the user's language. Texts in tables are translated when their module is imported; the window
therefore installs its language before it imports anything else.

The catalogues are in ``resources/languages``: one folder a language, with the text that translators edit and the
compiled form that is read here (``scripts/languages.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from string import Formatter
from typing import Any, Protocol

__all__ = [
    "ENGLISH", "Catalogue", "choose", "folder", "forms", "install", "language", "languages", "later", "tr",
    "translated", "trc", "trn", "use",
]  # fmt: skip

ENGLISH = "en"


class Catalogue(Protocol):
    """Translations, with the methods of :class:`gettext.NullTranslations`."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, n: int, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...


class _Formatter(Formatter):
    """A formatter that follows English, but separates thousands by a narrow space, which is read in every language."""

    def format_field(self, value: Any, spec: str) -> Any:
        text = format(value, spec)
        return text.replace(",", "\N{NARROW NO-BREAK SPACE}") if "," in spec else text


_catalogue: Catalogue | None = None
_language = ENGLISH
_formatter = _Formatter()


def tr(text: str, /, **values: Any) -> str:
    """Return a text in the language of the window, with values for its places in braces.

    A translation may use fewer places, and in another order. Without values, braces have no meaning.
    """
    if _catalogue is None:
        return text.format(**values) if values else text
    found = _catalogue.gettext(text)
    return _formatter.vformat(found, (), values) if values else found


def trn(one: str, many: str, count: int, /, **values: Any) -> str:
    """Return the text for a number of things; ``count`` is also a value, ``{count}`` or ``{count:,}``."""
    values["count"] = count
    if _catalogue is None:
        return (one if count == 1 else many).format(**values)
    return _formatter.vformat(_catalogue.ngettext(one, many, int(count)), (), values)


def forms(one: str, many: str) -> tuple[tuple[str, ...], str]:
    """Return the translations of a text that depends on a number, and for each number below 200 the place of its own:
    ``("{count} Karte", "{count} Karten"), "1011..."``.
    """
    if _catalogue is None:
        return (one, many), "".join("0" if n == 1 else "1" for n in range(200))
    found = [_catalogue.ngettext(one, many, n) for n in range(200)]
    several = tuple(dict.fromkeys(found[1:] + found[:1]))
    return several, "".join(str(several.index(each)) for each in found)


def trc(context: str, text: str, /, **values: Any) -> str:
    """Return a text whose translation depends on its context, such as "Open" as a command or as a state."""
    if _catalogue is None:
        return text.format(**values) if values else text
    found = _catalogue.pgettext(context, text)
    return _formatter.vformat(found, (), values) if values else found


def later(text: str, context: str = "") -> str:
    """Return a text unchanged; it is collected for the translators, and :func:`translated` where it is shown."""
    return text


def translated(text: str, context: str = "") -> str:
    """Return the translation of a text that is marked with :func:`later`, or the text itself if it is not marked."""
    if not text or _catalogue is None:  # a catalogue translates the empty text by its own head
        return text
    return _catalogue.pgettext(context, text) if context else _catalogue.gettext(text)


def language() -> str:
    """Return the code of the language in use: ``en``, ``de``."""
    return _language


def folder() -> Path:
    """Return the folder of the catalogues, in a repository or an installed package."""
    here = Path(__file__).resolve().parent
    installed = here / "_archive" / "resources" / "languages"
    return installed if installed.is_dir() else here.parent / "resources" / "languages"


def languages() -> Mapping[str, str]:
    """Return the names of the available languages, each in itself, by code; English is first."""
    return _languages_in(folder())


@cache  # every table of commands asks for them
def _languages_in(folder: Path) -> Mapping[str, str]:
    found = {ENGLISH: "English"}
    for file in sorted(folder.glob("*/lydian.po")):
        with file.open(encoding="utf-8") as lines:
            head = "".join(takewhile(str.strip, lines))
        named = re.search(r'^"X-Language-Name: (.+?)\\n"$', head, re.MULTILINE)
        found[file.parent.name] = named[1] if named else file.parent.name
    return found


def choose(*wishes: str | Iterable[str]) -> str:
    """Return the first of the given languages (``de_AT``, ``pt-BR``) that is available; English by default."""
    there = languages()
    for wish in wishes:
        for code in (wish,) if isinstance(wish, str) else wish:
            short = re.split(r"[-_.@]", code)[0].lower()
            if short in there:
                return short
    return ENGLISH


def install(code: str) -> None:
    """Translate all texts from now on; texts of modules that are already imported stay as they are.

    Raises:
        OSError: there is no catalogue for this language.
    """
    if code == ENGLISH:
        use(None, ENGLISH)
        return
    from gettext import GNUTranslations  # slow to import, and not needed in English

    with (folder() / code / "lydian.mo").open("rb") as file:
        use(GNUTranslations(file), code)


def use(catalogue: Catalogue | None, code: str) -> None:
    """Translate by any catalogue; None for the English texts as written."""
    global _catalogue, _language
    _catalogue, _language = catalogue, code
