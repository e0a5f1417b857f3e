"""What an animation can declare beyond lines and marks: where processes stand, sectors and flags of their circle,
waiting cards at processes, messages that look like what they carry.

Each of these is data, checked when the file is read.  What they mean tell :mod:`lydian.pieces.placing`,
:mod:`lydian.pieces.sectors`, :mod:`lydian.pieces.queues` and :mod:`lydian.pieces.dresses`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.pieces.declared import expression_is_right, one_of, share_is_right, slot_is_right

__all__ = ["LETTER", "SECTORS", "Dress", "Flags", "Places", "Queue", "Sector"]

#: A letter that is the value of a field.
LETTER = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}")
#: How a sector is drawn: a pale segment of the ring, a band on the circle, a hatched segment, a pale one that is
#: crossed out.
SECTORS = ("shaded", "arc", "hatched", "struck")


@dataclass(frozen=True)
class Places:
    """Where processes stand, from their variables; a disc whose number changes glides to its new place.

    Args:
        at: an expression over the variables of a process, its parameters, ``state`` and ``me``: a number from 0 to 1
            (on a circle only the part after the point counts).  ``binary(text)`` is the number 0.text of a text of
            binary digits, ``ring(number, bits)`` is number / 2**bits.  Where it is None, no number or cannot be worked
            out, the process stands where ``rest`` says.
        shape: ``"circle"``, from the top in the sense of the clock, or ``"line"``, from left to right.
        off: an expression for how far outside of the circle (below the line) a process stands, as a share of the
            radius (of the height); negative: inside; without one, on it.  Several at one place stand behind each
            other, and move up when one leaves.
        size: the radius of the circle as a share of half the smaller side of the network, the length of the line as a
            share of its width.
        rest: where those without a number stand: ``"home"``, where the network has them; ``"outside"``: outside of the
            circle in the same direction, unless they are in its middle (a supervisor).
        track: whether the circle or the line is drawn.
        links: whether the links of the network are drawn; without them messages and pointers alone are seen.
        word: what tool tips call the number.
    """

    at: str
    shape: str = "circle"
    off: str = ""
    size: float = 0.8
    rest: str = "home"
    track: bool = True
    links: bool = True
    word: str = ""

    def __post_init__(self) -> None:
        one_of("places", "shape", self.shape, ("circle", "line"))
        one_of("places", "rest", self.rest, ("home", "outside"))
        expression_is_right("at", self.at)
        if self.off:
            expression_is_right("off", self.off)
        share_is_right("size", self.size, 0.05, 2.0)


@dataclass(frozen=True)
class Sector:
    """A part of the circle of :class:`Places` that a process answers for: an interval of identifiers, an arc of keys.

    Args:
        at: an expression over the variables of a process, its parameters, ``state`` and ``me``: a pair of ends,
            clockwise from the first to the second, or a list of such pairs, or, with a width, a number or a list of
            numbers, the middles of the sectors.  An end is a number as in :class:`Places`, or the name of a process,
            which means where that one stands.  A pair of equal ends is nothing, ``[0, 1]`` the whole circle.  Where it
            is None or cannot be worked out, and while the process is crashed, there is no sector.
        style: one of :data:`SECTORS`; ``"struck"`` is for what was given up.
        slot: the state whose colour the sector has; None: that of the state of its process.
        width: how wide the sectors around single numbers are, as a number or an expression such as ``"1 / entries"``.
        word: how the legend calls it.
    """

    at: str
    style: str = "shaded"
    slot: int | None = None
    width: float | str = 0
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a sector", "style", self.style, SECTORS)
        expression_is_right("at", self.at)
        if self.slot is not None:
            slot_is_right("a sector", self.slot)
        if isinstance(self.width, str):
            expression_is_right("width", self.width)
        else:
            share_is_right("width", self.width, 0, 1)
        expression_is_right("at with its width", self.asked)

    @property
    def asked(self) -> str:
        """The expression for both, ``(at, width)``; each has lines of its own, for it may end with a comment."""
        return f"((\n{self.at}\n), (\n{self.width or 0}\n))"


@dataclass(frozen=True)
class Flags:
    """Small flags at points of the circle of :class:`Places`, such as keys; equal ones of several processes are one.

    Args:
        at: an expression as in :class:`Sector`: a number or a list of numbers from 0 to 1, or of pairs
            ``[number, text]``, or a table from texts to numbers; what stands on a flag has room for about six
            characters.  Processes that are crashed tell of none.
        slot: the state whose colour the flags have.
        word: how the legend calls them.
    """

    at: str
    slot: int = 5
    word: str = ""

    def __post_init__(self) -> None:
        expression_is_right("at", self.at)
        slot_is_right("flags", self.slot)


@dataclass(frozen=True)
class Queue:
    """The items of a list, a set or a table as small cards beside a process; what falls out fades beside them.

    Args:
        variable: its name.
        most: so many cards; how many more there are is told by a number.
        style: ``"row"``, or ``"stack"``: one below the other.
        slot: the state whose colour the cards have.
        item: of items that are lists, the part with this number is written on the card; of a table the keys are.
        into: a variable with what became of items: one that falls out and is in it then flashes in the colour of the
            state ``into_slot`` and is not struck out, such as an event that waited and is delivered.
        word: how the legend calls it.
    """

    variable: str
    most: int = 4
    style: str = "row"
    slot: int = 5
    item: int | None = None
    word: str = ""
    into: str | None = None
    into_slot: int = 2

    def __post_init__(self) -> None:
        one_of("a queue", "style", self.style, ("row", "stack"))
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 12:
            raise BadInput(f"most is a number of cards from 1 to 12, not {shown(self.most)}")
        slot_is_right("a queue", self.slot)
        slot_is_right("a queue", self.into_slot)


@dataclass(frozen=True)
class Dress:
    """How messages of one class look that carry something: a colour and a head, a word and a letter of their own.

    Of several that fit a message the first is worn; a message that none fits looks like its class.  A message that is
    changed on its way keeps what it wore when it was sent.

    Args:
        message: the class.
        when: an expression over the fields of the message, the parameters of the run and ``inner``, the class of the
            message that it carries in a field (an empty text if none); empty: all messages of the class.
        kind: colour and head, 0..5; by default those of the class.
        word: how the legend, lists and sentences call it; by default as the class.
        letter: what stands in its head: one or two characters, or ``"{field}"``, the value of a field if it is no
            longer; by default the letter of the class.
    """

    message: str
    when: str = ""
    kind: int | None = None
    word: str = ""
    letter: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.message, str) or not self.message:
            raise BadInput(f"a dress names a class of messages, not {shown(self.message)}")
        if self.when:
            expression_is_right("when", self.when)
        kind: Any = self.kind
        if kind is not None and (isinstance(kind, bool) or not isinstance(kind, int) or not 0 <= kind < 6):
            raise BadInput(f"the kind of a dress is a number from 0 to 5, not {shown(kind)}")
        fits = isinstance(self.letter, str) and (len(self.letter) <= 2 or LETTER.fullmatch(self.letter))
        if not fits:
            raise BadInput(f'the letter of a dress is one or two characters or "{{field}}", not {shown(self.letter)}')
