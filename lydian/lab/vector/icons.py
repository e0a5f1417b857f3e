"""Icons, in place of ``lydian.app.look.icons``: the strokes of their files, in one colour."""

from __future__ import annotations

import re
from functools import cache

from lydian.lab.vector.gui import QColor, QPixmap
from lydian.model.archive.shelves import our_folder

__all__ = ["pixmap"]


@cache
def _source(name: str) -> tuple[str, float]:
    """Return the attributes and the elements of an icon as a group, and the side of its square."""
    text = (our_folder() / "resources" / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    found = re.search(r"<svg\b([^>]*)>(.*)</svg>", text, re.DOTALL)
    assert found is not None
    side = re.search(r'viewBox="0 0 ([\d.]+)', found[1])
    looks = re.findall(r'\b(?:fill|stroke[a-z-]*)="[^"]*"', found[1])
    return f"<g {' '.join(looks)}>{found[2].strip()}</g>", 24.0 if side is None else float(side[1])


def pixmap(name: str, color: QColor, size: int, ratio: float = 1.0) -> QPixmap:
    """Return an icon in one colour, ``size`` logical pixels square."""
    inner, side = _source(name)
    picture = QPixmap(size, size)
    inked = inner.replace("currentColor", color.name())
    picture.elements.append(f'<g transform="scale({size / side:.4f})">{inked}</g>')
    return picture
