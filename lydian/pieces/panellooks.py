"""What an animation can declare beside the network: a grid of processes and keys, charts, bars, a tree.

Each of these is data, checked when the file is read.  What they mean tell :mod:`lydian.pieces.grid`,
:mod:`lydian.pieces.chart`, :mod:`lydian.pieces.bars` and :mod:`lydian.pieces.rooted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.pieces.declared import expression_is_right, one_of, scale_goes_up, share_is_right, slot_is_right

__all__ = [
    "CELLS", "CELL_STYLES", "CHARTS", "LINES", "Cell", "Chart", "Grid", "Histogram", "Line", "Tree",
]  # fmt: skip

#: So many classes of cells a grid has at most, so many lines a chart, and so many charts an animation.
CELLS, LINES, CHARTS = 5, 4, 3
#: How a line of a chart is made of the values at all processes.
AGGREGATES = ("count", "sum", "mean", "max", "different", "alone")
#: How the cells of a class look.
CELL_STYLES = ("full", "hollow", "dotted")


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
        share_is_right("share", self.share, 0.1, 0.8)


@dataclass(frozen=True)
class Line:
    """One line of a chart: an expression at all processes, made into one number at every moment.

    Processes that are crashed do not count.

    Args:
        expression: over the variables of a process, its parameters, ``state``, ``me``, and ``n`` and ``m``, the numbers
            of processes and links, such as ``len(buffer)`` or ``state == "informed"``; a set or a list alone stands for
            its size.
        of: ``"count"``: at how many processes it is true; ``"sum"``, ``"mean"`` or ``"max"`` of its numbers;
            ``"different"``: how many different things there are in its sets, lists or tables (their keys) together;
            ``"alone"``: how many of these one process alone has, such as what differs between plan and doing.
        word: how the legend calls it.
    """

    expression: str
    of: str = "count"
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a line", "of", self.of, AGGREGATES)
        expression_is_right("a line's expression", self.expression)


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
        share_is_right("share", self.share, 0.1, 0.6)
        scale_goes_up(self.low, self.high)
        if self.bound:
            expression_is_right("bound", self.bound)


@dataclass(frozen=True)
class Histogram:
    """Bars of how often a number is there at the moment, below or beside the network; it is declared among the charts.

    Whole numbers have a bar each as long as there are not too many of them, others stand in some twenty classes.  The
    scales are those of the whole run, so that bars do not jump.  A run that is over without anything to count has no
    panel.

    Args:
        expression: over the variables of a process, its parameters, ``state`` and ``me``, as in a :class:`Line`; with
            another ``of`` than ``"process"`` the name of a variable.
        of: what is counted: ``"process"``: every process that has a number, unless it is crashed, by this number;
            ``"counts"``: the tables of all processes together, from numbers to how often they were, or lists of
            numbers; ``"largest"``: the keys of the tables of all processes, each by the largest number that it
            has had in any of them.
        less: with ``"largest"``, a variable with tables of the same keys, such as when each began: the number that a
            key has there, anywhere, is taken off.
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
        expression_is_right("a histogram's expression", self.expression)
        if self.less and self.of != "largest":
            raise BadInput(f'less belongs to of="largest", not to of={shown(self.of)}')
        for name in (self.expression, *([self.less] if self.less else [])) if self.of != "process" else ():
            if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
                raise BadInput(f"of={shown(self.of)} is for a variable, not for {shown(name)}")
        share_is_right("share", self.share, 0.1, 0.6)
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
        share_is_right("share", self.share, 0.1, 0.8)
