"""Text for a terminal, without any characters that would control it.

A file from another person may contain escape sequences that hide text, move the cursor or set the window's title, and
marks that change the writing direction. All output of this program is filtered here; only its own colours and the
beginning of an updated line remain. Its own colours include a secret word that no file can contain.
"""

from __future__ import annotations

import re
import secrets
from typing import Any, TextIO

__all__ = ["Cleaned", "cleaned", "colour"]

_WORD = secrets.token_hex(8)
_OURS = r"^\r(?:\x1b\[K)?|\r$"
_STEERING = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_EITHER = re.compile(f"{_OURS}|\x1b{_WORD}(?P<colour>\\[[0-9;]*m)|(?P<mark>{_STEERING})")


def colour(code: str) -> str:
    """Return the start of a colour (an SGR code) in printed text; ``0`` ends it."""
    return f"\x1b{_WORD}[{code}m"


def cleaned(text: str) -> str:
    """Return the text with a visible symbol for each control character, and with our colours."""
    return _EITHER.sub(_told, text)


def _told(found: re.Match[str]) -> str:
    if found["colour"] is not None:
        return f"\x1b{found['colour']}"
    return found[0] if found["mark"] is None else _picture(found["mark"])


def _picture(mark: str) -> str:
    code = ord(mark)
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


class Cleaned:
    """A stream that filters all text written to it, and otherwise behaves like the stream it wraps."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(cleaned(text))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
