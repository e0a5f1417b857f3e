"""What makes a page one file: the program's texts and colours inside it, a policy that admits nothing else, and Python
with the colours of its parts.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lydian.language import tr
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.source.lex import lex

__all__ = ["coloured", "hash_of", "json_of", "resource", "script", "storable", "variables"]

#: The class in the style sheet for each kind of span; other spans look like plain text.
_CLASSES = {
    "keyword": "k", "constant": "k", "self": "l", "defined": "d", "decorator": "d", "number": "n", "string": "s",
    "comment": "c",
}  # fmt: skip


def resource(name: Path | str) -> str:
    """Return the text of a file of the program, or of another package if the path is absolute.

    Raises:
        BadInput: it is missing.
    """
    path = archive().ours / "resources" / name
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise BadInput(tr("resources of LYDIAN are missing; install it again"), file=path) from None


def script(name: Path | str) -> str:
    """Return a script of the program without its comments and without the spaces before its lines."""
    text = re.sub(r"^ *(//|/\*\*.*\*/$).*\n", "", resource(name), flags=re.MULTILINE)
    return re.sub(r"^ +", "", text, flags=re.MULTILINE)


def json_of(data: Any) -> str:
    """Return JSON for a script element: ASCII only, without characters that have a meaning in HTML."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def storable(text: str) -> str:
    """Return the text without characters that UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def hash_of(text: str) -> str:
    """Return the hash by which the page's policy admits exactly this script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def variables(tree: Mapping[str, Any], path: str = "-") -> str:
    """Return the colours of a theme as properties of the style sheet: ``--surface-canvas`` and so on."""
    parts = []
    for name, value in tree.items():
        if isinstance(value, Mapping):
            parts.append(variables(value, f"{path}-{name}"))
        elif isinstance(value, str) and value.startswith("#"):
            parts.append(f"{path}-{name}:{value};")
    return "".join(parts)


def coloured(lines: Sequence[str]) -> list[str]:
    """Return successive lines of Python as HTML with the colours of their parts."""
    found, state = [], 0
    for line in lines:
        spans, state = lex(line, state)
        parts = []
        for span in spans:
            text, kind = html.escape(line[span.start : span.end], quote=False), _CLASSES.get(span.kind)
            parts.append(text if kind is None else f'<i class="{kind}">{text}</i>')
        found.append("".join(parts))
    return found
