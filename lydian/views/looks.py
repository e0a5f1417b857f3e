"""What an animation can declare beyond lines and marks: where processes stand, sectors and flags of their circle, a
grid, charts, bars and a tree beside the network, waiting cards and clocks at processes, messages that look like what
they carry.

Each of these is data, checked when the file is read.  What they mean tell :mod:`lydian.views.placing`,
:mod:`lydian.views.sectors`, :mod:`lydian.views.grid`, :mod:`lydian.views.chart`, :mod:`lydian.views.bars`,
:mod:`lydian.views.rooted`, :mod:`lydian.views.queues` and :mod:`lydian.views.dresses`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.views.declared import one_of, scale_goes_up, slot_is_right

__all__ = [
    "CELLS", "CELL_STYLES", "CHARTS", "LETTER", "LINES", "SECTORS", "Cell", "Chart", "Dress", "Flags", "Grid",
    "Histogram", "Line", "Places", "Queue", "Sector", "Tree",
]  # fmt: skip

#: So many classes of cells a grid has at most, so many lines a chart, and so many charts an animation.
CELLS, LINES, CHARTS = 5, 4, 3
#: A letter that is the value of a field.
LETTER = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}")
#: How a line of a chart is made of the values at all processes.
AGGREGATES = ("count", "sum", "mean", "max", "different")
#: How a sector is drawn: a pale segment of the ring, a band on the circle, a hatched segment, a pale one that is
#: crossed out.
SECTORS = ("shaded", "arc", "hatched", "struck")
#: How the cells of a class look.
CELL_STYLES = ("full", "hollow", "dotted")


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
        _expression("at", self.at)
        if self.off:
            _expression("off", self.off)
        _share("size", self.size, 0.05, 2.0)


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
        _expression("at", self.at)
        if self.slot is not None:
            slot_is_right("a sector", self.slot)
        if isinstance(self.width, str):
            _expression("width", self.width)
        else:
            _share("width", self.width, 0, 1)


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
        _expression("at", self.at)
        slot_is_right("flags", self.slot)


@dataclass(frozen=True)
class Cell:
    """One class of cells of a grid: a variable that holds the key of the column.

    Args:
        variable: its name: a set, a list or a table of keys.
        slot: the state whose colour and hatch the cells have.
        word: how the legend calls them.
        above: in a table of numbers the number must be greater than this; in a list the key must be in it more often.
        style: ``"full"``; ``"hollow"``, a rim alone; ``"dotted"``, a broken rim.
    """

    variable: str
    slot: int = 2
    word: str = ""
    above: float = 0
    style: str = "full"

    def __post_init__(self) -> None:
        slot_is_right("a cell", self.slot)
        one_of("a cell", "style", self.style, CELL_STYLES)
        if isinstance(self.above, bool) or not isinstance(self.above, int | float):
            raise BadInput(f"above is a number, not {shown(self.above)}")


@dataclass(frozen=True)
class Grid:
    """A matrix beside the network: a row for each process, a column for each key in its variables, the newest right.

    Args:
        cells: up to five classes; a cell belongs to the first one that fits, and is empty if none does.
        title: what stands above it.
        word: what a column is, for tool tips.
        most: so many columns; older ones go.
        share: how much of the view's width it has.
    """

    cells: tuple[Cell, ...]
    title: str = ""
    word: str = "key"
    most: int = 24
    share: float = 0.42

    def __post_init__(self) -> None:
        cells: Any = (self.cells,) if isinstance(self.cells, Cell) else self.cells
        if not isinstance(cells, Sequence) or not cells or any(not isinstance(cell, Cell) for cell in cells):
            raise BadInput(f"cells is a list of Cell(...), not {shown(self.cells)}")
        if len(cells) > CELLS:
            raise BadInput(f"a grid has at most {CELLS} classes of cells, not {len(cells)}")
        object.__setattr__(self, "cells", tuple(cells))
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 200:
            raise BadInput(f"most is a number of columns from 1 to 200, not {shown(self.most)}")
        _share("share", self.share, 0.1, 0.8)


@dataclass(frozen=True)
class Line:
    """One line of a chart: an expression at all processes, made into one number at every moment.

    Processes that are crashed do not count.

    Args:
        expression: over the variables of a process, its parameters, ``state``, ``me``, and ``n`` and ``m``, the numbers
            of processes and links, such as ``len(buffer)`` or ``state == "informed"``; a set or a list alone stands for
            its size.
        of: ``"count"``: at how many processes it is true; ``"sum"``, ``"mean"`` or ``"max"`` of its numbers;
            ``"different"``: how many different things there are in its sets, lists or tables (their keys) together.
        word: how the legend calls it.
    """

    expression: str
    of: str = "count"
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a line", "of", self.of, AGGREGATES)
        _expression("a line's expression", self.expression)


@dataclass(frozen=True)
class Chart:
    """One to four lines over the time of the run, below or beside the network, with the moment as a moving line.

    An animation may have up to three charts and histograms: those below stand side by side, those beside one below the
    other; where there is no room for all the last ones go first.

    Args:
        lines: the lines.
        title: what stands above it.
        axis: what is counted, at its side.
        side: ``"below"`` or ``"beside"``.
        share: how much of the view's height (below) or width (beside) it has.
        low, high: the ends of the scale; by default 0, or less if there is less, and the largest number of the run.
        faults: whether crashes, recoveries, cuts, corruptions and forged messages are marked at the axis of time.
        bound: an expression over the parameters of the run: so long after the last of several faults there is a
            dashed line, such as a bound of stabilisation.
    """

    lines: tuple[Line, ...]
    title: str = ""
    axis: str = ""
    side: str = "below"
    share: float = 0.27
    low: float | None = None
    high: float | None = None
    faults: bool = True
    bound: str = ""

    def __post_init__(self) -> None:
        lines: Any = (self.lines,) if isinstance(self.lines, Line) else self.lines
        if not isinstance(lines, Sequence) or not lines or any(not isinstance(line, Line) for line in lines):
            raise BadInput(f"lines is a list of Line(...), not {shown(self.lines)}")
        if len(lines) > LINES:
            raise BadInput(f"a chart has at most {LINES} lines, not {len(lines)}")
        object.__setattr__(self, "lines", tuple(lines))
        one_of("a chart", "side", self.side, ("below", "beside"))
        _share("share", self.share, 0.1, 0.6)
        scale_goes_up(self.low, self.high)
        if self.bound:
            _expression("bound", self.bound)


@dataclass(frozen=True)
class Histogram:
    """Bars of how often a number is there at the moment, below or beside the network; it is declared among the charts.

    Whole numbers have a bar each as long as there are not too many of them, others stand in some twenty classes.  The
    scales are those of the whole run, so that bars do not jump.  A run that is over without anything to count has no
    panel.

    Args:
        expression: over the variables of a process, its parameters, ``state`` and ``me``, as in a :class:`Line`.
        of: what is counted: ``"process"``: every process that has a number, unless it is crashed, by this number;
            ``"counts"``: the tables of all processes together, from numbers to how often they were, or lists of
            numbers; ``"largest"``: the keys of the tables of all processes, each by the largest number that it
            has had in any of them.
        less: with ``"largest"``, an expression for tables of the same keys, such as when each began: the number that
            a key has there, anywhere, is taken off.
        title: what stands above it.
        axis: what is counted, at its side.
        word: what the numbers are, under the bars.
        side, share: as in a :class:`Chart`.
        slot: the state whose colour the bars have.
    """

    expression: str
    of: str = "process"
    less: str = ""
    title: str = ""
    axis: str = ""
    word: str = ""
    side: str = "below"
    share: float = 0.27
    slot: int = 2

    def __post_init__(self) -> None:
        one_of("a histogram", "of", self.of, ("process", "counts", "largest"))
        one_of("a histogram", "side", self.side, ("below", "beside"))
        _expression("a histogram's expression", self.expression)
        if self.less:
            if self.of != "largest":
                raise BadInput(f'less belongs to of="largest", not to of={shown(self.of)}')
            _expression("less", self.less)
        _share("share", self.share, 0.1, 0.6)
        slot_is_right("a histogram", self.slot)


@dataclass(frozen=True)
class Tree:
    """A rooted tree from a variable of one process, beside the network, the root on top.

    It is that of the process that is selected, else of the first one that has one.  What has several parents stands
    below the lowest of them, with a line to each: a hierarchy need not be a tree.  No process ever has one: no panel.

    Args:
        variable: its name: a table from each inner node to the list of its children, as texts.
        form: ``"table"``; or ``"trie"``: the variable holds texts (a set, a list, the keys of a table), and the tree
            has them as leaves and the longest beginnings that some of them share as inner nodes.
        marked: a variable with nodes that are drawn in red.
        compare: whether nodes are red where the part of the tree below them is not the same at every other process
            that has a tree.
        title: what stands above it; the name of the process follows.
        word: what red nodes are, in the legend.
        share: how much of the view's width it has.
    """

    variable: str
    form: str = "table"
    marked: str = ""
    compare: bool = False
    title: str = ""
    word: str = ""
    share: float = 0.36

    def __post_init__(self) -> None:
        if not isinstance(self.variable, str) or not self.variable:
            raise BadInput(f"variable is the name of a variable, not {shown(self.variable)}")
        one_of("a tree", "form", self.form, ("table", "trie"))
        if self.marked and self.compare:
            raise BadInput("a tree has either marked nodes or is compared, for both are red")
        _share("share", self.share, 0.1, 0.8)


@dataclass(frozen=True)
class Queue:
    """The items of a list, a set or a table as small cards beside a process; what falls out fades beside them.

    Args:
        variable: its name.
        most: so many cards; how many more there are is told by a number.
        style: ``"row"``, or ``"stack"``: one below the other.
        slot: the state whose colour the cards have.
        item: of items that are lists, the part with this number is written on the card; of a table the keys are.
        word: how the legend calls it.
    """

    variable: str
    most: int = 4
    style: str = "row"
    slot: int = 5
    item: int | None = None
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a queue", "style", self.style, ("row", "stack"))
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 12:
            raise BadInput(f"most is a number of cards from 1 to 12, not {shown(self.most)}")
        slot_is_right("a queue", self.slot)


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
            _expression("when", self.when)
        kind: Any = self.kind
        if kind is not None and (isinstance(kind, bool) or not isinstance(kind, int) or not 0 <= kind < 6):
            raise BadInput(f"the kind of a dress is a number from 0 to 5, not {shown(kind)}")
        fits = isinstance(self.letter, str) and (len(self.letter) <= 2 or LETTER.fullmatch(self.letter))
        if not fits:
            raise BadInput(f'the letter of a dress is one or two characters or "{{field}}", not {shown(self.letter)}')


def _share(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadInput(f"{name} is a number from {low:g} to {high:g}, not {shown(value)}")


def _expression(what: str, text: object) -> None:
    """An expression must be one that can be worked out from variables alone."""
    from lydian.views.expressions import expression  # there the views are asked that know animations

    if not isinstance(text, str):
        raise BadInput(f"{what} is an expression as a text, such as 'len(buffer)', not {shown(text)}")
    expression(text)
