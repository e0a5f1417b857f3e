"""Text on its way to a terminal, without what would steer the terminal.

A file that somebody else wrote may hold escape sequences that hide text, move the cursor or set the window's title,
and marks that turn the direction of writing.  Whatever this program prints passes here; only its own colours and the
beginning of a line that is written anew stay.  Its own colours carry a word that no file can know.
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
    """What begins a colour (an SGR code) in a text that is printed; ``0`` ends it."""
    return f"\x1b{_WORD}[{code}m"


def cleaned(text: str) -> str:
    """The text with a picture of each control character in its place, and with our colours."""
    return _EITHER.sub(_told, text)


def _told(found: re.Match[str]) -> str:
    if found["colour"] is not None:
        return f"\x1b{found['colour']}"
    return found[0] if found["mark"] is None else _picture(found["mark"])


def _picture(mark: str) -> str:
    code = ord(mark)
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


class Cleaned:
    """A stream that cleans what is written to it, and is otherwise the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(cleaned(text))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
