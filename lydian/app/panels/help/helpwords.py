"""The places where the guide explains the words of a protocol, and its examples that are whole protocols."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from lydian.desk.guide.pages import Place, guide, slug, text_of
from lydian.language import tr

__all__ = ["WORD_PAGES", "Example", "example", "examples", "place_of_word", "places_of_words", "with_offers"]

#: The pages that explain words, in their tables; the first page takes precedence.
WORD_PAGES = ("protocol-words", "guarded-actions", "shared-memory", "own-protocols")
#: Kinds of user-defined word, and the word of the guide that explains each kind.
_KINDS = {
    "variable": "count", "parameter": "parameter", "function": "Process", "state": "states", "message": "Message",
    "timer": "Timer", "command": "Command", "request": "Request", "indication": "Indication", "field": "Message",
    "need": "needs", "name": "Process",
}  # fmt: skip
#: A word as written in a table: ``@on(...)``, ``self.send(...)``, ``c.n``, ``class News(Message)``.
_WORD = re.compile(r"(?:@|self\.|[cmp]\.|class \w+\()?([A-Za-z_]\w*)")
_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```[ \t]*\n", re.MULTILINE | re.DOTALL)
_WHOLE = re.compile(r"^class \w+\((?:Process|\w*Process)\):", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A whole protocol in the guide.

    Attributes:
        page, name: its page, and the name of its file.
        source: its text.
        experiment: the settings of the experiment in which the guide runs it, as in an experiment's file.
    """

    page: str
    name: str
    source: str
    experiment: Mapping[str, object]


@cache
def places_of_words() -> Mapping[str, Place]:
    """Return word -> where it is explained: the section, and the word as written there."""
    found: dict[str, Place] = {}
    for page in WORD_PAGES:
        section = ""
        for line in text_of(page).splitlines():
            if line.startswith("#"):
                section = slug(line.lstrip("# "))
            elif line.startswith("| `"):
                for written in re.findall(r"`([^`]+)`", line[1:].partition("|")[0]):
                    word = _WORD.match(written)
                    if word is not None:
                        found.setdefault(word[1], Place(page, section, written))
    return found


def place_of_word(word: str, kind: str = "") -> Place:
    """Return where a word is explained; for a user-defined word, where the guide explains its ``kind``."""
    there = places_of_words()
    return there.get(word) or there.get(_KINDS.get(kind, "")) or Place(WORD_PAGES[0])


@cache
def examples(page: str) -> Mapping[str, Example]:
    """Return the whole protocols of a page: name of the file -> example."""
    blocks = [(language, words, body) for language, words, body in _BLOCK.findall(text_of(page))]
    files = {match[1]: body for _l, words, body in blocks if (match := re.search(r"\bfile=(\S+)", words))}
    commands = "\n".join(body for language, _words, body in blocks if language == "console")
    found = {}
    for name, source in files.items():
        if not name.endswith(".py") or _WHOLE.search(source) is None:
            continue
        tables = [tomllib.loads(body) for file, body in files.items() if file.endswith(".toml")]
        experiment = next((each for each in tables if str(each.get("protocol", "")).endswith(f"/{name}")), None)
        found[name] = Example(page, name, source, _as_run(name, commands) if experiment is None else experiment)
    return found


def example(what: str) -> Example | None:
    """Return the example that a link names: ``protocol-words/hops.py``."""
    page, _slash, name = what.rpartition("/")
    return examples(page).get(name) if (guide() / f"{page}.md").is_file() else None


def with_offers(page: str, text: str) -> str:
    """Return the text of a page with a link below each whole protocol that opens it."""
    whole = examples(page)

    def offer(match: re.Match[str]) -> str:
        name = re.search(r"\bfile=(\S+)", match[2])
        if name is None or name[1] not in whole:
            return match[0]
        return f"{match[0]}\n[{tr('Try it: {file}', file=name[1])}](lydian:try/{page}/{name[1]})\n"

    return _BLOCK.sub(offer, text)


def _as_run(name: str, commands: str) -> Mapping[str, object]:
    """Return the experiment that a command of the page runs: its network, and whether it starts anywhere."""
    line = re.search(rf"--protocol \./{re.escape(name)} .*", commands)
    return dict(re.findall(r"--(network|start) (\S+)", line[0] if line else ""))
