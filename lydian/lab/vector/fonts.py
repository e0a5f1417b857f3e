"""The widths of the letters of the fonts that come with the program, read from their files."""

from __future__ import annotations

import struct
from functools import cache

from lydian.model.archive.shelves import our_folder

__all__ = ["Face", "face"]


class Face:
    """A font: its measures as shares of its size.

    Args:
        data: a file in TrueType format.
    """

    def __init__(self, data: bytes) -> None:
        count = struct.unpack_from(">H", data, 4)[0]
        tables = {}
        for i in range(count):
            tag, _, start, length = struct.unpack_from(">4sIII", data, 12 + 16 * i)
            tables[tag.decode()] = data[start : start + length]
        self._em: int = struct.unpack_from(">H", tables["head"], 18)[0]
        above, below = struct.unpack_from(">hh", tables["hhea"], 4)
        self.ascent: float = above / self._em
        self.descent: float = -below / self._em
        os2 = tables["OS/2"]
        version = struct.unpack_from(">H", os2)[0]
        cap = struct.unpack_from(">h", os2, 88)[0] if version >= 2 else 0
        self.cap: float = cap / self._em or 0.72
        measured = struct.unpack_from(">H", tables["hhea"], 34)[0]
        self._advances = struct.unpack_from(">" + "Hh" * measured, tables["hmtx"])[::2]
        self._glyphs = _glyphs(tables["cmap"])
        self._known: dict[str, float] = {}

    def width(self, text: str) -> float:
        """Return the width of a text as a multiple of the size of the font."""
        found = self._known.get(text)
        if found is None:
            last = len(self._advances) - 1
            units = sum(self._advances[min(self._glyphs.get(ord(letter), 0), last)] for letter in text)
            found = self._known[text] = units / self._em
        return found


def _glyphs(table: bytes) -> dict[int, int]:
    """Return the number of the glyph of each character, from the table ``cmap``."""
    starts = [struct.unpack_from(">HHI", table, 4 + 8 * i)[2] for i in range(struct.unpack_from(">H", table, 2)[0])]
    found: dict[int, int] = {}
    for at in starts:
        kind = struct.unpack_from(">H", table, at)[0]
        if kind == 12:
            for i in range(struct.unpack_from(">I", table, at + 12)[0]):
                first, last, glyph = struct.unpack_from(">III", table, at + 16 + 12 * i)
                found.update((code, glyph + code - first) for code in range(first, last + 1))
        elif kind == 4:
            double = struct.unpack_from(">H", table, at + 6)[0]
            for i in range(double // 2):
                last = struct.unpack_from(">H", table, at + 14 + 2 * i)[0]
                first, delta, offset = (
                    struct.unpack_from(">H", table, at + 16 + double * k + 2 * i)[0] for k in (1, 2, 3)
                )
                for code in range(first, min(last, 0xFFFE) + 1):
                    place = at + 16 + 3 * double + 2 * i + offset + 2 * (code - first)
                    glyph = code if offset == 0 else struct.unpack_from(">H", table, place)[0]
                    if offset == 0 or glyph:
                        found.setdefault(code, (glyph + delta) & 0xFFFF)
    return found


@cache
def face(mono: bool, weight: int) -> Face:
    """Return the face of a weight: 400, 500, 600 or 700."""
    names = {400: "Regular", 500: "Medium", 600: "SemiBold", 700: "Bold"}
    name = f"JetBrainsMono-{'Bold' if weight >= 600 else 'Regular'}" if mono else f"Inter-{names[weight]}"
    return Face((our_folder() / "resources" / "fonts" / f"{name}.ttf").read_bytes())
