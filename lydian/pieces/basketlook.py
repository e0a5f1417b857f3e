"""What an animation can declare about baskets between the neighbours of a ring; what it means tells
:mod:`lydian.pieces.baskets`."""

from __future__ import annotations

from dataclasses import dataclass

from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = ["Baskets"]

#: How left and right are compared: both baskets hold equally many, they differ, there is something in the left one.
RULES = ("", "equal", "differ", "some")


@dataclass(frozen=True)
class Baskets:
    """A number of each process of a ring, drawn as a basket of apples between it and a neighbour.

    Args:
        variable: its name.
        side: on which side of its process a basket stands, ``"right"`` or ``"left"``.
        leader, others: when the initiator, and when everybody else may speak: ``"equal"`` or ``"differ"`` compare the
            baskets left and right of it, ``"some"`` looks into the left one; ``""``: nothing is said of it.
        says: what stands in the bubble of who may speak.
        style: ``"apples"``, or ``"number"`` for the number alone.
        hat: whether the initiator wears a crown.
        pile: whether there is a pile in the middle, from which all take.
        step: what a click puts into a basket (and with Shift takes out); 0: a click does nothing.
        word: how the legend calls what is in the baskets.
    """

    variable: str
    side: str = "right"
    leader: str = ""
    others: str = ""
    says: str = "may speak"
    style: str = "apples"
    hat: bool = False
    pile: bool = False
    step: int = 1
    word: str = ""

    def __post_init__(self) -> None:
        for name, allowed in (("side", ("right", "left")), ("style", ("apples", "number")), ("leader", RULES),
                              ("others", RULES)):  # fmt: skip
            given = getattr(self, name)
            if given not in allowed:
                known = ", ".join(repr(each) for each in allowed)
                hint = did_you_mean(str(given), allowed)
                raise BadInput(f"baskets have no {name} {shown(given)}{hint}; there are {known}")
        if isinstance(self.step, bool) or not isinstance(self.step, int) or self.step < 0:
            raise BadInput(f"step is a whole number from 0, not {shown(self.step)}")
