"""The grid beside the network: the keys that processes hold, with a row for each process and the newest key on the
right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.pieces.checks import one_of, share_is_right, slot_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import grown
from lydian.views.words.values import value_text

__all__ = ["Cell", "Grid", "GridFrame", "class_word", "classes_over_time", "grid_at", "held_in"]

#: The largest number of values whose keys are kept.
KEPT = 4_096

#: The largest number of classes of cells in a grid.
CELLS = 5
#: The styles of cells.
CELL_STYLES = ("full", "hollow", "dotted")


@dataclass(frozen=True)
class Cell:
    """A class of cells of a grid: a variable that contains the key of the column.

    Args:
        variable: its name: a set, a list or a table of keys.
        slot: the state whose colour and hatch the cells have.
        word: what the legend calls them.
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
            raise BadInput(f"above must be a number, not {shown(self.above)}")


@dataclass(frozen=True)
class Grid:
    """A matrix beside the network: a row for each process, a column for each key in its variables, the newest on the
    right.

    Args:
        cells: up to five classes; a cell belongs to the first one that fits, and is empty if none does.
        title: the text above it.
        word: what a column is, for tool tips.
        most: the most columns; older ones disappear.
        share: how much of the view's width it has.
    """

    cells: tuple[Cell, ...]
    title: str = ""
    word: str = trc("of a table", "key")
    most: int = 24
    share: float = 0.42

    def __post_init__(self) -> None:
        cells: Any = (self.cells,) if isinstance(self.cells, Cell) else self.cells
        if not isinstance(cells, Sequence) or not cells or any(not isinstance(cell, Cell) for cell in cells):
            raise BadInput(f"cells must be a list of Cell(...), not {shown(self.cells)}")
        if len(cells) > CELLS:
            raise BadInput(f"a grid must have at most {CELLS} classes of cells, not {len(cells)}")
        object.__setattr__(self, "cells", tuple(cells))
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 200:
            raise BadInput(f"most must be a number of columns from 1 to 200, not {shown(self.most)}")
        share_is_right("share", self.share, 0.1, 0.8)


@dataclass(frozen=True, eq=False)
class GridFrame:
    """A grid at a moment.

    Args:
        declared: what it shows.
        names: of the processes, a row each.
        keys: of the columns, from the oldest to the newest.
        cells: the class of each cell, (rows, columns), -1 for an empty one.
        counts: how many cells are of each class, over all keys that are shown.
        older: how many columns have gone.
        columns: how many columns there ever are side by side in the run so far known.
        crashed: which rows belong to processes that are crashed.
        problem: why there is nothing to be seen, as a sentence.
    """

    declared: Grid
    names: tuple[str, ...]
    keys: tuple[str, ...]
    cells: NDArray[np.int8]
    counts: tuple[int, ...]
    older: int
    columns: int
    crashed: Bools
    problem: str = ""

    @property
    def widest(self) -> float:
        """The width that is enough for it, at the default size of text."""
        return 70.0 + 32.0 * self.columns

    def words(self, row: int, column: int) -> str:
        """Return the text of a cell without mark-up: the process, the key and the class."""
        what = int(self.cells[row, column])
        word = trc("cell of a grid", "empty") if what < 0 else class_word(self.declared.cells[what])
        return f"{self.names[row]}, {self.declared.word} {self.keys[column]}: {word}"


def class_word(cell: Cell) -> str:
    """Return the word for a class of cells."""
    return cell.word or cell.variable


def held_in(value: Any) -> dict[str, float]:
    """Return the keys in a value with their frequencies; for a table, its numbers, or 1 where the value is true."""
    if isinstance(value, dict):
        return {str(key): _weight(inner) for key, inner in value.items()}
    found: dict[str, float] = {}
    if isinstance(value, list | tuple):
        for item in value:
            text = _text(item)
            found[text] = found.get(text, 0.0) + 1.0
    elif value is not None and value != "":
        found[_text(value)] = 1.0
    return found


def _weight(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 1.0 if value else 0.0


def _text(item: Any) -> str:
    return item if isinstance(item, str) else value_text(item)


def grid_at(now: Moment, declared: Grid) -> GridFrame:
    """Return the grid at a moment; keep it until another moment is requested."""
    scene, k = now.scene, now.k
    last: list[tuple[int, GridFrame]] = remember(scene.run, ("grid", id(scene)), lambda: ([], scene))[0]
    if not last or last[0][0] != k:
        last[:] = [(k, _grid(scene, declared, k, now.crashed))]
    return last[0][1]


def _grid(scene: Scene, declared: Grid, k: int, crashed: Bools) -> GridFrame:
    run, names = scene.run, scene.names
    for cell in declared.cells:
        if cell.variable not in run.variable_names:
            hint = did_you_mean(cell.variable, run.variable_names)
            empty = np.zeros((len(names), 0), dtype=np.int8)
            what = tr("No process has a variable {variable}{hint}.", variable=shown(cell.variable), hint=hint)
            problem = what if run.variable_names else ""  # The variables of a run that has not begun are unknown.
            return GridFrame(declared, names, (), empty, (0,) * len(declared.cells), 0, 1, crashed, problem)
    variables = tuple(dict.fromkeys(cell.variable for cell in declared.cells))
    keys = grown(run, ("keys", variables), lambda: _Keys(run, variables))
    keys.grow(run)
    known = keys.until(k)
    shown_keys = known[max(len(known) - declared.most, 0) :]
    place = {key: column for column, key in enumerate(shown_keys)}
    cells = np.full((len(names), len(shown_keys)), -1, dtype=np.int8)
    holders = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
    columns = {name: run.variable_at(name, k) for name in variables}
    for number in range(len(declared.cells) - 1, -1, -1):  # The first class takes precedence, so it is written last.
        cell = declared.cells[number]
        for row, value in zip(holders, columns[cell.variable], strict=True):
            if row < 0 or value is None:
                continue
            mine = cells[row]
            for key, count in keys.held(value).items():
                column = place.get(key)
                if column is not None and count > cell.above:
                    mine[column] = number
    counts = np.bincount(cells[cells >= 0], minlength=len(declared.cells)).tolist()
    wide = max(min(len(keys.seqs), declared.most), 1)
    return GridFrame(
        declared, names, tuple(shown_keys), cells, tuple(counts), len(known) - len(shown_keys), wide, crashed
    )


def classes_over_time(
    scene: Scene, declared: Grid
) -> tuple[list[str], list[int], list[tuple[int, int, int, int]]] | None:
    """Return the whole run at once, for players that only replay.

    Returns:
        The keys in the order in which they appear; the events with which they do, -1 for the beginning; and the changes
        of cells in order: event (-1), row, key, class (-1 for an empty one). None if a variable of the grid is
        missing.
    """
    run = scene.run
    if any(cell.variable not in run.variable_names for cell in declared.cells):
        return None
    variables = tuple(dict.fromkeys(cell.variable for cell in declared.cells))
    keys = _Keys(run, variables)
    keys.grow(run)
    number = {key: i for i, key in enumerate(keys.names)}
    place = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
    values = [{name: column[p] for name, column in {n: run.variable_at(n, 0) for n in variables}.items()}
              for p in range(run.n)]  # fmt: skip
    now: list[dict[str, int]] = [{} for _ in range(run.n)]
    out: list[tuple[int, int, int, int]] = []

    def update(seq: int, p: int) -> None:
        new: dict[str, int] = {}
        for what in range(len(declared.cells) - 1, -1, -1):
            cell = declared.cells[what]
            new.update({key: what for key, count in held_in(values[p][cell.variable]).items() if count > cell.above})
        if place[p] >= 0:
            gone = [(key, -1) for key in now[p] if key not in new]
            came = [(key, what) for key, what in new.items() if now[p].get(key) != what]
            out.extend((seq, place[p], number[key], what) for key, what in gone + came)
        now[p] = new

    for p in range(run.n):
        update(-1, p)
    rows: list[tuple[int, str, int]] = []
    for name in variables:
        at, codes = run.details.history(name)
        rows += zip(at.tolist(), [name] * len(at), codes.tolist(), strict=True)
    rows.sort()
    for i, (seq, name, code) in enumerate(rows):
        p = int(run.process[seq])
        if p < 0:
            continue
        values[p][name] = run.details.value(name, code, seq)
        if i + 1 == len(rows) or rows[i + 1][0] != seq:
            update(seq, p)
    return keys.names, keys.seqs, out


class _Keys:
    """The keys in some variables of a run, in order of appearance."""

    def __init__(self, run: Timeline, variables: tuple[str, ...]) -> None:
        self.length = 0
        self.variables = variables
        self.names: list[str] = []
        self.seqs: list[int] = []
        self._known: set[str] = set()
        self._seen: dict[str, set[int]] = {name: set() for name in variables}
        self._held: dict[int, tuple[Any, dict[str, float]]] = {}
        initial = [key for name in variables for value in run.variable_at(name, 0) for key in held_in(value)]
        self._add(-1, initial)

    def _add(self, seq: int, keys: list[str]) -> None:
        for key in keys:
            if key not in self._known:
                self._known.add(key)
                self.names.append(key)
                self.seqs.append(seq)

    def grow(self, run: Timeline) -> None:
        """Read the events since the last call; each different value is read once."""
        if self.length == run.length:
            return
        first, self.length = self.length, run.length
        fresh: list[tuple[int, str, int]] = []
        for name in self.variables:
            at, codes = run.details.history(name, first)
            seen = self._seen[name]
            some, where = np.unique(codes, return_index=True)
            for code, place in zip(some.tolist(), where.tolist(), strict=True):
                if code >= 0 and code not in seen:
                    seen.add(code)
                    fresh.append((int(at[place]), name, code))
            fresh += [(int(at[place]), name, -1) for place in np.flatnonzero(codes < 0).tolist()]
        for seq, name, code in sorted(fresh):
            told, grown = run.details.step(name, code, seq)
            parts = [told.get(part) for part in ("set", "append", "add")] if grown else [told]
            self._add(seq, [key for part in parts for key in held_in(part)])

    def until(self, k: int) -> list[str]:
        """Return the keys that had appeared after ``k`` events, the newest last."""
        return self.names[: int(np.searchsorted(np.array(self.seqs, dtype=np.int64), k))]

    def held(self, value: Any) -> dict[str, float]:
        """Return the keys in a value of the trace; values are shared, so most are read once."""
        known = self._held.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        if len(self._held) >= KEPT:
            self._held.clear()
        found = held_in(value)
        self._held[id(value)] = (value, found)
        return found


def page(tell: Teller, declared: Grid) -> dict[str, Any] | None:
    """Return the keys and all changes of cells."""
    found, column = classes_over_time(tell.scene, declared), tell.column
    if found is None:
        return None
    keys, seqs, changes = found
    table = np.array(changes, dtype=np.int64).reshape(-1, 4)
    return {
        "title": declared.title or tr("Processes by {word}", word=declared.word), "most": declared.most,
        "share": declared.share,
        "cells": [{"slot": cell.slot, "word": class_word(cell), "style": cell.style} for cell in declared.cells],
        "rows": column(tell.codes), "keys": keys, "first": column(seqs), "at": column(table[:, 0]),
        "row": column(table[:, 1]), "key": column(table[:, 2]), "what": column(table[:, 3]),
    }  # fmt: skip


register(Piece("grid", Grid, parts=(Cell,), at=grid_at, panel="tall", page=page, order=60,
               painter="lydian.app.painters.pieces.grid.GridPainter", script="player.grid.js"))  # fmt: skip
