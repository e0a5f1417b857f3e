"""Lines between processes, from the variables of their holders: the form in which pointers and sets of processes are
drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.views.network.scene import Bools, Ints

__all__ = ["Band", "chosen", "of_selected", "whose"]


@dataclass(frozen=True)
class Band:
    """The lines of one pointer, or the marks of one set.

    Args:
        declared: the pointer or the marks.
        source, target: from which process to which; chevrons and arrows point to the target.
        longest: whether a line is on the longest chain.
        holder: the end that holds the pointer or the set.
        level: for each line which member of the holder's set it is, 0, 1 ...; all 0 unless levels were asked for.
        wrong: for each line of marks that have a ``truth`` whether the holder believes something else; else empty.
    """

    declared: Any
    source: Ints
    target: Ints
    longest: Bools
    holder: Ints
    level: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    wrong: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def only(self, chosen: Bools) -> Band:
        """Return a subset of the lines."""
        names = ("source", "target", "longest", "holder", "level", "wrong")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names if len(getattr(self, name))})


def of_selected(band: Band, processes: frozenset[int]) -> Band:
    """Return the lines that are drawn while these processes are selected."""
    return band.only(np.isin(band.holder, sorted(processes))) if band.declared.selected else band


def chosen(declared: Any) -> dict[str, bool]:
    """Return the page's data for lines that are drawn only for the selected process."""
    return {"selected": True} if declared.selected else {}


def whose(declared: Any) -> str:
    """Return the legend's word for a pointer or marks."""
    word: str = declared.word or declared.variable
    return tr("{word} of the selected process", word=word) if declared.selected else word
