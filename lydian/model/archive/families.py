"""The families of protocols, which are also the chapters of a course, as in ``families.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydian.model.archive.archive import Archive
from lydian.model.archive.trials import MOST_BYTES
from lydian.model.errors import LydianError
from lydian.model.reading import read_text

__all__ = ["MINE", "OTHERS", "Family", "families_of"]

#: The keys of the families of the user's own protocols, and of those in no family.
MINE, OTHERS = "yours", "others"


@dataclass(frozen=True)
class Family:
    """A family of related protocols.

    ``key`` is for programs, ``title`` and ``sentence`` are for users, and ``short`` is a title for narrow places. The
    names of the protocols are in the order in which they are taught.
    """

    key: str
    title: str
    sentence: str
    protocols: tuple[str, ...] = ()
    short: str = ""


def families_of(shelves: Archive) -> tuple[Family, ...]:
    """Return the families in ``families.toml``, those in the user's own file first; none if it cannot be read."""
    for root in shelves.roots:
        for file in (root / "families.toml", root / "resources" / "families.toml"):
            try:
                data = tomllib.loads(read_text(file, "the families", MOST_BYTES)) if file.is_file() else {}
            except (LydianError, tomllib.TOMLDecodeError):
                continue
            tables = data.get("family")
            if isinstance(tables, list):
                made = [_family(each) for each in tables if isinstance(each, dict)]
                return tuple(each for each in made if each.key and each.key not in (MINE, OTHERS))
    return ()


def _family(table: Mapping[str, Any]) -> Family:
    names = table.get("protocols", [])
    names = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    key = str(table.get("key", ""))
    title = str(table.get("title", key))
    return Family(key, title, str(table.get("sentence", "")), tuple(names), str(table.get("short", title)))
