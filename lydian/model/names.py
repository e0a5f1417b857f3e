"""The order in which people expect names."""

from __future__ import annotations

import re

__all__ = ["natural"]

_DIGITS = frozenset("0123456789")


def natural(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Sorting key under which "2" comes before "10", "p" before "p2", and "p2" before "p10".

    Every two names can be compared, whatever they are made of; numbers may have any length.
    """
    parts = []
    for part in re.findall(r"[0-9]+|[^0-9]+", name):
        if part[0] in _DIGITS:
            number = part.lstrip("0")
            parts.append((0, len(number), number))
        else:
            parts.append((1, 0, part))
    return tuple(parts), name
