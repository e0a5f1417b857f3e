"""A page of grading as one file, with its style, script and icons, and a policy that admits nothing else."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from lydian.assignment.pages.drawing import patterns
from lydian.views.page.whole import hash_of, json_of, resource, script, storable, variables

__all__ = ["document", "escaped", "heads", "icon", "with_code"]

_FOLDER = "templates/grading"
#: Icons that only these pages need: what is drawn in a square of 24.
_OWN = {
    "flask": '<path d="M9.5 3.5v6L4.5 19a1.4 1.4 0 0 0 1.2 2h12.6a1.4 1.4 0 0 0 1.2-2l-5-9.5v-6M8 3.5h8M7.5 15h9"/>',
    "bars": '<path d="M6 20v-8M12 20V4M18 20v-5" stroke-width="3"/>',
    "layers": '<path d="M12 4l9 4.5-9 4.5-9-4.5zM3.5 13l8.5 4.3 8.5-4.3M3.5 16.8l8.5 4.2 8.5-4.2"/>',
    "share": '<path d="M12 15V3.5M7.5 8L12 3.5 16.5 8M4.5 13v7.5h15V13"/>',
    "again": '<path d="M4 11a8 8 0 0 1 14-4.5l2 2M20 4v4.5h-4.5M20 13a8 8 0 0 1-14 4.5l-2-2M4 20v-4.5h4.5"/>',
}


def escaped(text: Any) -> str:
    """Return a text for HTML, also inside quotation marks; characters that UTF-8 cannot encode become "?"."""
    return html.escape(storable(str(text)))


def with_code(text: Any) -> str:
    """Return a text for HTML, with the parts between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(text))


def document(kind: str, title: str, body: str, data: Any) -> str:
    """Return a page.

    Args:
        kind: ``feedback`` or ``grades``: the names of its style and its script.
        title: as plain text.
        body: HTML.
        data: what the script reads, as JSON.
    """
    style = _style(kind)
    code = _code(kind)
    parts = {
        "title": escaped(title), "kind": kind, "style": style, "script": code, "style-hash": hash_of(style),
        "script-hash": hash_of(code), "body": patterns(_tokens()["color"]["light"]["state"]) + storable(body),
        "data": json_of(data),
    }  # fmt: skip
    # In one pass, inserted text is not searched again.
    return re.sub(r"\{\{([a-z-]+)\}\}", lambda hole: parts[hole[1]], resource(f"{_FOLDER}/page.html"))


@cache
def heads() -> tuple[str, ...]:
    """Return the heads of the kinds of message."""
    return tuple(look["head"] for look in _tokens()["color"]["light"]["message"])


@cache
def icon(name: str, size: int = 18) -> str:
    """Return an icon as a part of a page."""
    own = _OWN.get(name)
    drawn = own or re.sub(r"^.*?<svg[^>]*>|</svg>\s*$", "", resource(f"icons/{name}.svg"), flags=re.DOTALL)
    return (
        f'<svg class="icon" width="{size}" height="{size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" '
        f'stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{drawn}</svg>'
    )


@cache
def _tokens() -> Mapping[str, Any]:
    tokens: Mapping[str, Any] = json.loads(resource("tokens.json"))
    return tokens


@cache
def _style(kind: str) -> str:
    light, dark = _tokens()["color"]["light"], _tokens()["color"]["dark"]
    return (
        f"{_theme(light)}\n@media screen and (prefers-color-scheme: dark) {{\n{_theme(dark)}\n}}\n"
        f"{resource(f'{_FOLDER}/page.css')}{resource(f'{_FOLDER}/{kind}.css')}"
    )


def _theme(colors: Mapping[str, Any]) -> str:
    """Return the colours of a theme: variables, and the classes of states and kinds of message."""
    plain = {name: tree for name, tree in colors.items() if name not in ("play", "tint")}
    rules = [":root{" + variables(plain) + "}"]
    for slot, look in enumerate(colors["state"]):
        fill, outline, label = look["fill"], look["outline"], look["label"]
        rules += [
            f".s{slot} .ground,.s{slot}.flat,.s{slot}.shape{{fill:{fill}}}",
            f".s{slot} .hatch{{stroke:{label}}}.s{slot} .dot{{fill:{label}}}",
            f".s{slot}.state rect{{fill:url(#h{slot});stroke:{outline}}}.s{slot}.shape{{stroke:{outline}}}",
            f".s{slot} text{{fill:{label}}}.s{slot}.state text{{stroke:{fill}}}",
        ]
    for kind, look in enumerate(colors["message"]):
        color, dash = look["color"], "none" if look["dash"] == "solid" else look["dash"]
        rules += [
            f".k{kind} path,.k{kind}.line{{stroke:{color};stroke-dasharray:{dash}}}",
            f".k{kind} text,.k{kind} .head path,.k{kind} .head circle{{fill:{color}}}",
        ]
    return "\n".join(rules)


@cache
def _code(kind: str) -> str:
    # In one block, none of its names can collide with the browser's.
    return f'\n"use strict";\n{{\n{script(f"{_FOLDER}/run.js")}{script(f"{_FOLDER}/{kind}.js")}}}\n'
