"""The natural order of names."""

from __future__ import annotations

import re

__all__ = ["natural"]

_DIGITS = frozenset("0123456789")


def natural(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Return a sort key by which "2" precedes "10", "p" precedes "p2", and "p2" precedes "p10".

    Any two names can be compared, whatever their characters; numbers may have any length.
    """
    parts = []
    for part in re.findall(r"[0-9]+|[^0-9]+", name):
        if part[0] in _DIGITS:
            number = part.lstrip("0")
            parts.append((0, len(number), number))
        else:
            parts.append((1, 0, part))
    return tuple(parts), name
