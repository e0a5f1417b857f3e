"""The guide in the window: the part of the window that each section describes, and the table of keys."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lydian.app.commands.table import commands
from lydian.desk.guide.pages import COMMENT, Place, section, slug
from lydian.language import tr
from lydian.views.registry import views

__all__ = ["about", "for_theme", "keys_table", "place_of", "places"]

#: Where the guide describes parts of the window that are not views: name of a dock or object -> page and section.
_PLACES: Mapping[str, Place] = {
    "trace": Place("views", "text-trace"),
    "experiment": Place("views", "experiment"),
    "checks": Place("views", "checks"),
    "relies": Place("fault-models", "why-a-protocol-needs-its-assumptions"),
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
#: Two versions of a picture in the guide, light and dark; the window shows the one for its theme.
_PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)]*?)-(light|dark)\.png\)[ \t]*$", re.MULTILINE)


def places() -> dict[str, Place]:
    """Return where the guide describes each part of the window: name of a dock or object -> page and section.

    A view has a section with its title.
    """
    return {view.name: Place("views", slug(view.title)) for view in views()} | dict(_PLACES)


def about(name: str) -> str:
    """Return the first two sentences of the guide's section on a part of the window."""
    place = place_of(name)
    first = section(place).partition("\n\n")[0] if place.section else ""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"[*`_]", "", first))


def place_of(name: str) -> Place:
    """Return where the guide describes a dock, including further ones of a kind (``causality-2``), or its contents."""
    known = places()
    return known.get(name) or known.get(name.partition("-")[0]) or Place("index")


def for_theme(text: str, dark: bool) -> str:
    """Return a page as a window shows it: without comments, and with the pictures of the theme."""
    there = {(match.group(1), match.group(2)) for match in _PICTURE.finditer(text)}
    unwanted = "light" if dark else "dark"

    def keep(match: re.Match[str]) -> str:
        twin = (match.group(1), "dark" if unwanted == "light" else "light")
        return "" if match.group(2) == unwanted and twin in there else match.group(0)

    return COMMENT.sub("", _PICTURE.sub(keep, text))


def keys_table() -> str:
    """Return the keys for playing as a Markdown table, made from the table of commands."""
    rows = [f"| {tr('Keys')} | {tr('Command')} | {tr('What it does')} |", "| --- | --- | --- |"]
    for command in commands():
        if command.menu.split("/")[0] == "P&layback" or command.name.startswith(("run_until", "breakpoint")):
            keys = tr(" or ").join(f"`{key}`" if key != "|" else "`\\|`" for key in command.keys) or tr("(menu)")
            rows.append(f"| {keys} | {command.text.replace('&', '').rstrip('…')} | {command.help} |")
    return "\n".join(rows) + "\n"
