"""Collect the texts of the window and compile their translations: ``make languages``.

Usage:
  python scripts/languages.py                 update resources/languages/*/lydian.po from the source, compile lydian.mo
  python scripts/languages.py new es Español  begin a language with all texts untranslated
  python scripts/languages.py missing de      print the texts that have no translation

A text whose English changed loses its translation, because a guessed one would be read as a translation; its old
translation stays at the end of the file as a comment. Needs Babel, which ``make venv`` installs.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lydian.language import folder, languages  # noqa: E402 - the script may run before LYDIAN is installed
from lydian.views.page.controls import texts_in  # noqa: E402
from lydian.views.words.words import forms  # noqa: E402

#: Plural forms where those of the locale data (a third form for millions in French) are not what programs use.
_PLURALS = {"fr": (2, "(n > 1)")}
#: No time of creation: the files depend on the texts alone.
_ONCE = datetime(2026, 11, 28, tzinfo=UTC)


@dataclass
class Text:
    """A text in the source.

    Attributes:
        id: the English text, or the ones for one and for several things.
        context: tells texts with the same words apart; None for most.
        files: the files that contain it.
        places: names of the values that every one of its calls provides.
    """

    id: str | tuple[str, str]
    context: str | None
    files: set[str] = field(default_factory=set)
    places: set[str] | None = None


def texts() -> list[Text]:
    """Return all texts that can be translated, in the order of the alphabet.

    Raises:
        ValueError: a call has a text that is not a literal, or a text is used with a number here and without there.
    """
    found: dict[tuple[str | tuple[str, str], str | None], Text] = {}
    for file in sorted((ROOT / "lydian").rglob("*.py")):
        where = file.relative_to(ROOT).as_posix()
        if where == "lydian/language.py":
            continue
        for id_, context, places in _calls(ast.parse(file.read_text(encoding="utf-8")), where):
            text = found.setdefault((id_, context), Text(id_, context))
            text.files.add(where)
            places |= {name for form in _several(id_) for name in _named(form)} if places else set()
            text.places = places if text.places is None else text.places & places
    templates = ROOT / "resources" / "templates"
    for file in sorted([*templates.glob("player*"), *templates.glob("class/*.js"), *templates.glob("class/*.html")]):
        for id_ in texts_in(file.read_text(encoding="utf-8")):
            text = found.setdefault((id_, None), Text(id_, None))
            text.files.add(file.relative_to(ROOT).as_posix())
    both = {id_[0] for id_, _ in found if not isinstance(id_, str)} & {id_ for id_, _ in found if isinstance(id_, str)}
    if both:  # a catalogue has one entry for both, so the text without a number would be the singular
        raise ValueError(f"use trn() or another text wherever these depend on a number: {', '.join(sorted(both))}")
    return sorted(found.values(), key=lambda text: (text.id if isinstance(text.id, str) else text.id[0], str(text)))


def _calls(tree: ast.AST, where: str) -> Iterator[tuple[str | tuple[str, str], str | None, set[str]]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        # Values given as ``**values`` are at least those that the English text names.
        places = {each.arg or "**" for each in node.keywords}
        if any(isinstance(each, ast.Starred) for each in node.args):  # the forms that ``plural`` looks up
            continue
        if node.func.id == "tr":
            yield _literal(node, 0, where), None, places
        elif node.func.id == "trn":
            yield (_literal(node, 0, where), _literal(node, 1, where)), None, places | {"count"}
        elif node.func.id == "trc":
            yield _literal(node, 1, where), _literal(node, 0, where), places
        elif node.func.id == "later":
            yield _literal(node, 0, where), _literal(node, 1, where) if len(node.args) > 1 else None, set()
        elif node.func.id == "plural" and all(isinstance(each, ast.Constant) for each in node.args[1:]):
            yield forms(*(str(each.value) for each in node.args[1:])), None, {"count"}  # type: ignore[attr-defined]


def _literal(call: ast.Call, place: int, where: str) -> str:
    text = call.args[place] if place < len(call.args) else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return text.value
    raise ValueError(f"{where}:{call.lineno}: the text of {ast.unparse(call.func)}() must be a literal")


def update(code: str, there: list[Text]) -> Catalog:
    """Return the catalogue of a language with exactly the texts that there are, keeping their translations."""
    old = read(code)
    new = Catalog(
        locale=code, project="LYDIAN", version="", copyright_holder="The LYDIAN authors", creation_date=_ONCE,
        revision_date=_ONCE, last_translator="The LYDIAN authors", language_team=code, charset="utf-8", fuzzy=False,
        header_comment=f"# Texts of LYDIAN in the language {code}; see resources/guide/languages.md.",
    )  # fmt: skip
    if code in _PLURALS:
        new._num_plurals, new._plural_expr = _PLURALS[code]  # type: ignore[assignment]
    lost = dict(old.obsolete) if old is not None else {}
    kept = {}
    for message in old or ():
        if message.id:
            kept[(_key(message.id), message.context)] = message
    for text in there:
        before = kept.pop((text.id, text.context), None)
        string = before.string if before is not None else None
        flags = ["python-brace-format"] if text.places else []
        if not string:
            string = "" if isinstance(text.id, str) else ("",) * new.num_plurals
        comments = before.user_comments if before is not None else ()
        new.add(text.id, string, [(file, 0) for file in sorted(text.files)], flags, (), comments, context=text.context)
    for key, message in kept.items():
        if any(_several(message.string)):
            lost[key[0]] = message
    new.obsolete.update(lost)
    return new


def read(code: str) -> Catalog | None:
    """Return the catalogue of a language, or None if there is none."""
    file = folder() / code / "lydian.po"
    if not file.exists():
        return None
    with file.open("rb") as stream:
        return read_po(stream, locale=code, abort_invalid=True)


def written(catalogue: Catalog, name: str) -> tuple[bytes, bytes]:
    """Return the contents of ``lydian.po``, with the name of the language in itself, and of ``lydian.mo``."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalogue, width=0, include_lineno=False, sort_output=False)
    head, mark, rest = po.getvalue().decode().partition('"MIME-Version')
    write_mo(mo, catalogue)
    return f'{head}"X-Language-Name: {name}\\n"\n{mark}{rest}'.encode(), mo.getvalue()


def missing(catalogue: Catalog) -> list[str]:
    """Return the English texts that are not translated."""
    return [_several(message.id)[0] for message in catalogue if message.id and not all(_several(message.string))]


def _several(text: object) -> list[str]:
    """Return the forms of a text as a list: one, or one for each plural form."""
    return [text] if isinstance(text, str) else [str(each) for each in text or ("",)]  # type: ignore[attr-defined]


def problems(catalogue: Catalog, there: list[Text]) -> list[str]:
    """Return what is wrong with the translations: places that no value fills, and ends that differ from the English.

    A translation may omit places. It begins and ends with the same white space as the English text, because it may be a
    part of a sentence; it has an ellipsis and an accelerator if that has one.
    """
    places = {(text.id, text.context): text.places or set() for text in there}
    found = []
    for message in catalogue:
        if not message.id:
            continue
        ids, strings = _several(message.id), _several(message.string)
        filled = places.get((_key(message.id), message.context), set())
        for english, text in zip([*ids, *ids[-1:] * len(strings)], strings, strict=False):
            if not text:
                continue
            known = (filled or _named(english)) | ({"state"} if "**" in filled else set())
            if extra := _named(text) - known:
                found.append(f"{text!r}: no value for {', '.join(sorted(extra))}")
            for what, ends in (("begins", _begin), ("ends", _end)):
                if ends(text) != ends(english):
                    found.append(f"{text!r} {what} with other white space than {english!r}")
            if ("…" in english) != ("…" in text):
                found.append(f"{text!r}: only one of it and {english!r} has an ellipsis")
            if (_letter(english) is None) != (_letter(text) is None):
                found.append(f"{text!r}: only one of it and {english!r} has an accelerator")
    return found


def _key(id_: object) -> str | tuple[str, str]:
    forms = _several(id_)
    return forms[0] if len(forms) == 1 else (forms[0], forms[1])


def _named(text: str) -> set[str]:
    """Return the names of the places in a text."""
    try:
        return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}
    except ValueError as error:
        return {str(error)}


def _begin(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \n"))]


def _end(text: str) -> str:
    return text[len(text.rstrip(" \n")) :]


def _letter(text: str) -> str | None:
    """Return the accelerator of a menu entry."""
    found = re.search(r"&(\w)", text.replace("&&", "")) if not re.search(r"&\w+;", text) else None
    return found[1] if found else None


def main() -> int:
    there = texts()
    words = sys.argv[1:]
    if words[:1] == ["missing"]:
        for message in missing(update(words[1], there)):
            print(message)
        return 0
    wanted = {code: name for code, name in languages().items() if code != "en"}
    if words[:1] == ["new"]:
        wanted = {words[1]: " ".join(words[2:])}
    for code, name in wanted.items():
        catalogue = update(code, there)
        place = folder() / code
        place.mkdir(parents=True, exist_ok=True)
        for file, content in zip(("lydian.po", "lydian.mo"), written(catalogue, name), strict=True):
            (place / file).write_bytes(content)
        for problem in problems(catalogue, there):
            print(f"{name}: {problem}", file=sys.stderr)
        left = len(missing(catalogue))
        print(f"{name}: {len(there)} texts, " + (f"{left} not translated" if left else "all translated"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
