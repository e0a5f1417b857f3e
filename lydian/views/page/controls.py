"""The texts of the page's own controls, which its script and its HTML contain, in the language of the window.

They are marked as in Python: ``tr("Pause")`` and ``trn("{count:,} event", "{count:,} events", count)`` in the script,
``{{tr:Play}}`` in the HTML.
"""

from __future__ import annotations

import json
import re
from typing import Any

from lydian.language import ENGLISH, forms, language, translated

__all__ = ["texts_in", "words_of"]

_TEXT = r'("(?:[^"\\]|\\.)*")'
_MARKED = re.compile(rf"\btr\({_TEXT}|\btrn\({_TEXT}, {_TEXT}|\{{\{{tr:(.+?)\}}\}}")


def texts_in(part: str) -> list[str | tuple[str, str]]:
    """Return the marked texts of a part of the page, for one and for several things if they depend on a number."""
    found: list[str | tuple[str, str]] = []
    for text, one, many, shown in _MARKED.findall(part):
        found.append((json.loads(one), json.loads(many)) if one else json.loads(text) if text else shown)
    return found


def words_of(script: str) -> dict[str, Any]:
    """Return the translations of the texts of a script, and the sign between thousands, for the data of the page."""
    texts: dict[str, Any] = {}
    for each in texts_in(script) if language() != ENGLISH else ():
        if isinstance(each, str):
            texts[each] = translated(each)
        else:
            texts[each[0]] = forms(*each)
    return {"comma": "," if language() == ENGLISH else "\N{NARROW NO-BREAK SPACE}", "texts": texts}
