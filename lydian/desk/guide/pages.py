"""The pages of the guide as text: their order, titles and sections, and the places that can be opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lydian.model.archive.shelves import our_folder

__all__ = ["COMMENT", "PAGES", "SEARCH", "Place", "guide", "section", "slug", "text_of", "title"]

#: The pages in reading order. Missing pages are left out of lists.
PAGES = (
    "index", "first-steps", "own-protocols", "playback", "listening", "drawing-networks", "live-runs",
    "fault-models", "reading-traces", "real-systems", "programs", "many-runs", "every-schedule", "python", "exports",
    "hand-ins", "assignments", "lessons",
    "ready-assignments", "classes", "class-apples", "class-election", "class-commit", "class-gossip", "class-generals",
    "class-mutex", "class-stabilise", "components", "playing-against", "guarded-actions", "shared-memory", "animations",
    "languages", "extending",
    "why-runs-repeat", "what-a-schedule-is", "why-concurrent", "what-may-run", "views", "experiment-files",
    "protocol-words", "archive", "the-course", "command-line", "channel", "glossary",
)  # fmt: skip
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


@dataclass(frozen=True)
class Place:
    """A section of a page, or a term of the glossary; an empty section is the top of the page.

    ``word`` is a word explained there, as written.
    """

    page: str
    section: str = ""
    word: str = ""


#: The field that searches the guide, opened like a page.
SEARCH = Place("search")


@cache
def guide() -> Path:
    """Return the folder of the pages."""
    return our_folder() / "resources" / "guide"


def slug(heading: str) -> str:
    """Return the anchor of a heading: ``"Text trace"`` becomes ``text-trace``, as on the web."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


@cache
def text_of(page: str) -> str:
    """Return the Markdown of a page, or "" if there is no such page."""
    file = guide() / f"{page}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def title(page: str) -> str:
    """Return the first heading of a page up to a colon."""
    first = re.search(r"^# (.+)$", text_of(page), re.MULTILINE)
    return first.group(1).partition(":")[0].strip() if first else page


def section(place: Place) -> str:
    """Return the text of a section without its heading, or "" if there is none."""
    parts = re.split(r"^##+ (.+)$", text_of(place.page), flags=re.MULTILINE)
    found = [text for heading, text in zip(parts[1::2], parts[2::2], strict=True) if slug(heading) == place.section]
    return found[0].strip() if found else ""
