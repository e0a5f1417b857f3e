"""A table beside the network: a row for each process, and columns with what its variables say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.lang.expression import expression
from lydian.pieces.checks import expression_is_right, one_of, share_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.events import NO_STATE
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import parameters_of, problem_of
from lydian.views.words.values import value_text

__all__ = ["COLUMNS", "Column", "Row", "Table", "TableFrame", "cell_of", "rows_over_time", "table_at"]

#: The largest number of columns.
COLUMNS = 6
#: At how many moments of an execution the width of a column is measured; in a large network, and while the execution
#: grows, only at its end.
MOMENTS, LARGE = 8, 50
#: How a column shows its values: as they are, in a chip with the tint of a number, or as a tick or a cross.
STYLES = ("text", "tint", "tick")


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        expression: over the variables of a process, its parameters, ``state``, ``me``, ``n`` and ``m``; nothing is
            written where it is None, empty, or cannot be worked out.
        word: the text above it.
        style: ``"text"``; ``"tint"``: a chip whose tint differs for consecutive numbers, from the value or from a pair
            of a number and what is written; ``"tick"``: a tick if it is true, a cross if it is false.
        agree: whether it says below the column how many processes agree, which is green if it is a majority.
    """

    expression: str
    word: str = ""
    style: str = "text"
    agree: bool = False

    def __post_init__(self) -> None:
        expression_is_right("a column's expression", self.expression)
        one_of("a column", "style", self.style, STYLES)


@dataclass(frozen=True)
class Table:
    """A table beside the network, with a row for each process.

    Args:
        columns: one to six of them.
        title: the text above it.
        share: how much of the view's width it has.
    """

    columns: tuple[Column, ...]
    title: str = ""
    share: float = 0.36

    def __post_init__(self) -> None:
        columns: Any = (self.columns,) if isinstance(self.columns, Column) else self.columns
        if not isinstance(columns, Sequence) or not columns or any(not isinstance(each, Column) for each in columns):
            raise BadInput(f"columns must be a list of Column(...), not {shown(self.columns)}")
        if len(columns) > COLUMNS:
            raise BadInput(f"a table must have at most {COLUMNS} columns, not {len(columns)}")
        object.__setattr__(self, "columns", tuple(columns))
        share_is_right("share", self.share, 0.1, 0.8)


#: A cell: what is written, and the number of its tint, or for a tick 1, and for a cross 0; None for neither.
Cell = tuple[str, int | None]


@dataclass(frozen=True)
class Row:
    """A row of a table: the number of its process in the network, the slot of its state, and its cells."""

    process: int
    slot: int
    crashed: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class TableFrame:
    """A table at a moment.

    Args:
        declared: what it shows.
        names: of the processes, in the order of the rows.
        rows: a row for each process.
        agreeing: for each column how many processes have the most frequent value, 0 if nobody has one.
        problem: why there is nothing to be seen, as a sentence.
        longest: for each column the longest text at some moments of the execution, so that the columns
            keep their widths while it plays.
    """

    declared: Table
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    agreeing: tuple[int, ...]
    problem: str = ""
    longest: tuple[str, ...] = ()

    def words(self, row: int, column: int) -> str:
        """Return the text of a cell without mark-up."""
        text, number = self.rows[row].cells[column]
        if self.declared.columns[column].style == "tick":
            text = "" if number is None else tr("yes") if number else tr("no")
        word = column_word(self.declared.columns[column])
        return f"{self.names[row]}, {word}: {text or tr('nothing')}"


def column_word(column: Column) -> str:
    """Return the word for a column."""
    return column.word or column.expression


def cell_of(column: Column, value: Any) -> Cell:
    """Return what a cell shows of a value."""
    if column.style == "tick":
        return "", None if value is None else int(bool(value))
    if value is None or value == "" or (isinstance(value, list | tuple | dict | set | frozenset) and not value):
        return "", None
    number, told = value, value
    if column.style == "tint" and isinstance(value, list | tuple):
        number, told = value[0], value[1] if len(value) == 2 else value
    tinted = column.style == "tint" and isinstance(number, int | float) and not isinstance(number, bool)
    return told if isinstance(told, str) else value_text(told), int(number) if tinted else None


def table_at(now: Moment, declared: Table) -> TableFrame:
    """Return the table at a moment, computed once until another moment is requested."""
    scene, k = now.scene, now.k
    last: list[tuple[int, TableFrame]] = remember(scene.run, ("table", declared, id(scene)), lambda: ([], scene))[0]
    if not last or last[0][0] != k:
        last[:] = [(k, _table(scene, declared, k, now.crashed))]
    return last[0][1]


def _table(scene: Scene, declared: Table, k: int, crashed: Bools) -> TableFrame:
    run = scene.run
    problem = problem_of(run, *(column.expression for column in declared.columns))
    if problem or not run.variable_names:
        return TableFrame(declared, (), (), (), problem)
    rows = _rows(scene, declared, k, crashed)
    agreeing = []
    for i in range(len(declared.columns)):
        told = Counter(row.cells[i] for row in rows if row.cells[i] not in (("", None), ("", 0)))
        agreeing.append(max(told.values(), default=0))
    names = tuple(scene.names[row.process] for row in rows)
    return TableFrame(declared, names, rows, tuple(agreeing), longest=_longest(scene, declared))


def _longest(scene: Scene, declared: Table) -> tuple[str, ...]:
    """Return the longest text of each column at a few moments of the execution, evenly spaced and at its end."""

    def find() -> tuple[str, ...]:
        nobody = np.zeros(scene.network.n, dtype=np.bool_)
        over = scene.run.trace.summary.get("stopped") is not None
        many = MOMENTS if over and scene.run.n <= LARGE else 1
        moments = sorted({scene.run.length * i // many for i in range(1, many + 1)})
        cells = [row.cells for k in moments for row in _rows(scene, declared, k, nobody)]
        return tuple(max((row[i][0] for row in cells), key=len, default="") for i in range(len(declared.columns)))

    return remember(scene.run, ("table widths", declared, id(scene)), find)


def _rows(scene: Scene, declared: Table, k: int, crashed: Bools) -> tuple[Row, ...]:
    """Return the rows after the first k events."""
    run = scene.run
    fixed, names = _fixed(scene), _variables(run, declared)
    values = {name: run.variable_at(name, k) for name in names}
    codes = run.states_at(k)
    rows = []
    for p in range(run.n):
        place = p if scene.renumber is None else int(scene.renumber[p])
        if place >= 0:
            known = {**fixed, **{name: values[name][p] for name in names}, **_self(run, p, int(codes[p]))}
            rows.append(Row(place, int(scene.slots[codes[p]]), bool(crashed[place]), _cells(declared, known)))
    return tuple(rows)


def _cells(declared: Table, known: Mapping[str, Any]) -> tuple[Cell, ...]:
    return tuple(cell_of(column, expression(column.expression).value(known)) for column in declared.columns)


def _fixed(scene: Scene) -> dict[str, Any]:
    return {"n": scene.network.n, "m": scene.network.m, **parameters_of(scene.run)}


def _variables(run: Timeline, declared: Table) -> list[str]:
    """Return the variables that the columns read."""
    used = {name for column in declared.columns for name in expression(column.expression).names}
    return [name for name in run.variable_names if name in used]


def _self(run: Timeline, p: int, code: int) -> dict[str, Any]:
    return {"me": run.processes[p], "state": "" if code == NO_STATE else run.states[code]}


def rows_over_time(scene: Scene, declared: Table) -> Iterator[tuple[int, int, tuple[Cell, ...]]]:
    """Yield each change of a row in order, for players that only replay: event (-1), process, cells."""
    run = scene.run
    if not run.variable_names or problem_of(run, *(column.expression for column in declared.columns)):
        return
    fixed, names = _fixed(scene), _variables(run, declared)
    values = {name: list(run.variable_at(name, 0)) for name in names}
    changes: dict[int, list[tuple[str, int]]] = {}
    for name in names:
        at, codes = run.details.history(name)
        for seq, code in zip(at.tolist(), codes.tolist(), strict=True):
            changes.setdefault(seq, []).append((name, code))
    state = [int(code) for code in run.states_at(0)]
    told: list[tuple[Cell, ...] | None] = [None] * run.n
    events = [(-1, p) for p in range(run.n)] + list(enumerate(run.process.tolist()))
    for seq, p in events:
        if p < 0:
            continue
        code = int(run.state[seq]) if seq >= 0 else NO_STATE
        if seq >= 0 and seq not in changes and code in (NO_STATE, state[p]):
            continue
        for name, what in changes.get(seq, ()):
            values[name][p] = run.details.value(name, what, seq)
        state[p] = state[p] if code == NO_STATE else code
        cells = _cells(declared, {**fixed, **{name: values[name][p] for name in names}, **_self(run, p, state[p])})
        if cells != told[p]:
            told[p] = cells
            place = p if scene.renumber is None else int(scene.renumber[p])
            if place >= 0:
                yield seq, place, cells


def page(tell: Teller, declared: Table) -> dict[str, Any] | None:
    """Return the rows, change by change."""
    found = [(seq, int(tell.codes[p]), tell.text(json.dumps(cells))) for seq, p, cells in
             rows_over_time(tell.scene, declared)]  # fmt: skip
    if not found:
        return None
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return {
        "title": declared.title, "share": declared.share, "order": tell.column(tell.codes),
        "columns": [{"word": column_word(each), "style": each.style, "agree": each.agree} for each in declared.columns],
        **{name: tell.column(table[:, i]) for i, name in enumerate(("at", "process", "text"))},
    }  # fmt: skip


register(Piece("table", Table, parts=(Column,), at=table_at, panel="tall", page=page, order=66,
               painter="lydian.app.painters.pieces.table.TablePainter", script="player.table.js"))  # fmt: skip
