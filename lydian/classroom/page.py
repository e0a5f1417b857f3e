"""The page of a class in the browser: its files, and its texts in the language of the program.

The page consists of plain HTML, a style sheet and modules of JavaScript. A server sends them as they are; they fetch
nothing from elsewhere, which the policy of the server forbids.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lydian.language import language, translated
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.views.page.controls import words_of
from lydian.views.page.whole import script
from lydian.views.world.solids import told_of_solids

__all__ = ["files", "words"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".ttf": "font/ttf",
}
_FONTS = (
    "Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf", "Inter-Bold.ttf",
    "JetBrainsMono-Regular.ttf", "JetBrainsMono-Bold.ttf",
)  # fmt: skip
#: The drawing in space that the page shares with the page that plays a run, and what it takes from there.
SPACE = "player.space.js"
_FROM_SPACE = (
    "LIGHT", "NEAR", "Sight", "Space", "Viewpoint", "WALKS", "blended", "drawAir", "fitted", "flattened", "flyingAt",
    "homeOf", "minus", "plus", "roomFor", "turning",
)  # fmt: skip
#: The groups of colours that the page does not use.
_UNUSED = ("syntax", "chain", "compare")


def files() -> dict[str, tuple[str, bytes]]:
    """Return the files of the page: name -> its type and its content.

    ``index.html`` is the page at ``/``, ``/screen`` and ``/host``; the others are at ``/class/NAME``.

    Raises:
        BadInput: files of the program are missing.
    """
    folder = archive().ours / "resources" / "templates" / "class"
    found = {each.name: _read(each) for each in sorted(folder.glob("*.*"))}
    if "index.html" not in found or "class.css" not in found:
        raise BadInput("resources of LYDIAN are missing; install it again", file=folder)
    found["index.html"] = _translated(found["index.html"].decode()).encode()
    found["class.css"] = _colours().encode() + found["class.css"]
    found["space.js"] = _space().encode()
    for name in _FONTS:
        found[name] = _read(archive().ours / "resources" / "fonts" / name)
    found["words.json"] = json.dumps(words(), ensure_ascii=True, separators=(",", ":")).encode()
    return {name: (_TYPES[Path(name).suffix], data) for name, data in found.items() if Path(name).suffix in _TYPES}


def _space() -> str:
    """Return the module that draws in space, with the solids of the states."""
    solids = json.dumps(told_of_solids(), separators=(",", ":"))
    exported = ", ".join(_FROM_SPACE)
    return f"export const SOLIDS = {solids};\n{script(f'templates/{SPACE}')}\nexport {{ {exported} }};\n"


def words() -> dict[str, Any]:
    """Return the page's texts: the ``language``, the sign between thousands, and the translation of each text."""
    folder = archive().ours / "resources" / "templates" / "class"
    script = "\n".join(_read(each).decode() for each in sorted(folder.glob("*.js")))
    return {"language": language(), **words_of(script)}


def _translated(text: str) -> str:
    """Return HTML with its texts in the language of the program."""
    return re.sub(
        r"\{\{(?:tr:(.+?)|language)\}\}",
        lambda hole: html.escape(translated(hole[1])) if hole[1] else language(),
        text,
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise BadInput("resources of LYDIAN are missing; install it again", file=path) from None


def _colours() -> str:
    """Return the colours of both themes as properties of the style sheet: ``--text-primary``, ``--state-0-fill``."""
    colours = json.loads(_read(archive().ours / "resources" / "tokens.json"))["color"]
    light, dark = ("".join(_properties(colours[name])) for name in ("light", "dark"))
    light, dark = f"color-scheme:light;{light}", f"color-scheme:dark;{dark}"
    return (
        f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f":root[data-theme=light]{{{light}}}\n:root[data-theme=dark]{{{dark}}}\n"
    )


def _properties(tree: Mapping[str, Any] | Sequence[Any], path: str = "-") -> Iterator[str]:
    pairs = tree.items() if isinstance(tree, Mapping) else enumerate(tree)
    for name, value in pairs:
        if name in _UNUSED and path == "-":
            continue
        if isinstance(value, Mapping | list):
            yield from _properties(value, f"{path}-{name}")
        elif isinstance(value, str) and value.startswith("#"):
            yield f"{path}-{name}:{value};"
