"""The pages of the guide as text: their titles and sections, what each part of the window is, the table of keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lydian.app.commands.table import commands
from lydian.app.look.icons import resources
from lydian.views.registry import views

__all__ = [
    "PAGES",
    "Place",
    "about",
    "for_theme",
    "guide",
    "keys_table",
    "place_of",
    "places",
    "section",
    "slug",
    "title",
]

#: The pages in the order in which one reads them.  A page that does not exist is left out where they are listed.
PAGES = (
    "index", "first-steps", "own-protocols", "playback", "drawing-networks", "live-runs", "fault-models",
    "reading-traces", "many-runs", "every-schedule", "exports", "hand-ins", "lessons", "guarded-actions", "animations",
    "extending", "why-runs-repeat", "what-a-schedule-is", "why-concurrent", "what-may-run", "views",
    "experiment-files", "protocol-words", "archive", "command-line", "channel", "glossary",
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A section of a page; an empty one is the top of the page.  ``word`` is explained there, as it is written."""

    page: str
    section: str = ""
    word: str = ""


#: Where the guide speaks of a part of the window that is no view: name of a dock or object -> page and section.
_PLACES: Mapping[str, Place] = {
    "trace": Place("views", "text-trace"),
    "experiment": Place("views", "experiment"),
    "checks": Place("views", "checks"),
    "narration": Place("playback", "the-sentence"),
    "scrubber": Place("playback", "the-time-line"),
    "transport": Place("playback", "play-and-pause"),
    "bookmarks": Place("playback", "bookmarks-and-marks"),
    "lesson": Place("lessons", "follow-a-lesson"),
    "pending": Place("live-runs", "choose-what-happens-next"),
    "player": Place("live-runs", "choose-what-happens-next"),
    "conditionBar": Place("playback", "run-until"),
    "start": Place("first-steps", "1-look"),
    "editor": Place("drawing-networks", "draw-eight-processes-with-delays-in-three-minutes"),
    "protocol": Place("own-protocols", "your-own-protocol-in-fifteen-minutes"),
    "sweep": Place("many-runs", "a-sweep-in-the-window"),
    "results": Place("many-runs", "plot-the-results"),
    "archive": Place("archive", "find-an-algorithm"),
    "buildPanel": Place("drawing-networks", "generate-a-network-in-three-clicks"),
    "propertyPanel": Place("drawing-networks", "timing-and-faults"),
    "chip": Place("drawing-networks", "can-it-run"),
    "toolStrip": Place("drawing-networks", "keys-of-the-drawing"),
}
#: Two pictures that stand for one another: the guide has both, a window shows the one of its theme.
_PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)]*?)-(light|dark)\.png\)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def guide() -> Path:
    """The folder of the pages."""
    return resources() / "guide"


def slug(heading: str) -> str:
    """What a link calls a heading: ``"Text trace"`` is ``text-trace``, as on the web."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


@cache
def _text(page: str) -> str:
    file = guide() / f"{page}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def title(page: str) -> str:
    """The first heading of a page, without what stands behind a colon."""
    first = re.search(r"^# (.+)$", _text(page), re.MULTILINE)
    return first.group(1).partition(":")[0].strip() if first else page


def section(place: Place) -> str:
    """The text of a section, without its heading; empty if there is none."""
    parts = re.split(r"^##+ (.+)$", _text(place.page), flags=re.MULTILINE)
    found = [text for heading, text in zip(parts[1::2], parts[2::2], strict=True) if slug(heading) == place.section]
    return found[0].strip() if found else ""


def places() -> dict[str, Place]:
    """Where the guide speaks of each part of the window: name of a dock or object -> page and section.

    A view has a section of its title.
    """
    return {view.name: Place("views", slug(view.title)) for view in views()} | dict(_PLACES)


def about(name: str) -> str:
    """What one is looking at, in two sentences: how the guide's section on a part of the window begins."""
    place = place_of(name)
    first = section(place).partition("\n\n")[0] if place.section else ""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"[*`_]", "", first))


def place_of(name: str) -> Place:
    """Where the guide speaks of a dock, also of a further one of a kind (``causality-2``); else its contents."""
    known = places()
    return known.get(name) or known.get(name.partition("-")[0]) or Place("index")


def for_theme(text: str, dark: bool) -> str:
    """A page as a window shows it: of two pictures that differ by the theme only the one that fits, no comments."""
    there = {(match.group(1), match.group(2)) for match in _PICTURE.finditer(text)}
    unwanted = "light" if dark else "dark"

    def keep(match: re.Match[str]) -> str:
        twin = (match.group(1), "dark" if unwanted == "light" else "light")
        return "" if match.group(2) == unwanted and twin in there else match.group(0)

    return _COMMENT.sub("", _PICTURE.sub(keep, text))


def keys_table() -> str:
    """The keys for playing as a table in Markdown, made from the table of commands."""
    rows = ["| Keys | Command | What it does |", "| --- | --- | --- |"]
    for command in commands():
        if command.menu.split("/")[0] == "P&layback" or command.name.startswith(("run_until", "breakpoint")):
            keys = " or ".join(f"`{key}`" if key != "|" else "`\\|`" for key in command.keys) or "(menu)"
            rows.append(f"| {keys} | {command.text.replace('&', '').rstrip('…')} | {command.help} |")
    return "\n".join(rows) + "\n"
