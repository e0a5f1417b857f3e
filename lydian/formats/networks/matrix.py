"""Adjacency matrices: a table with a row and a column a process, separated by commas, semicolons, tabs or blanks, with
or without names; 0 or nothing is no link.  If it is symmetric the links carry messages both ways.
"""

from __future__ import annotations

import csv
import io
import re

from lydian.formats.networks.edges import is_number
from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.raw import NOTHING, Raw
from lydian.model.cell import as_text, plain
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network
from lydian.model.reading import Watch

__all__ = ["dumps", "read"]


def read(text: str, watch: Watch | None = None) -> Raw:
    """What an adjacency matrix says.

    Raises:
        BadInput: it is not square or holds something that is no number; ``place`` names the line.
        Cancelled: by ``watch``.
    """
    rows = _rows(text)
    numbers = [number for number, _ in rows]
    cells = [row for _, row in rows]
    names: list[str] = []
    if cells[0][0] == "" or not all(cell == "" or is_number(cell) for cell in cells[0]):
        names = cells[0][1:] if cells[0][0] == "" else cells[0]
        cells, numbers = cells[1:], numbers[1:]
        if cells and all(len(row) == len(names) + 1 for row in cells):
            for row, column, number in zip(cells, names, numbers, strict=False):
                if row[0] != column:
                    what = f"row {shown(row[0])} is in the place of {shown(column)}; rows must follow the columns"
                    raise BadInput(what, place=f"line {number}")
            cells = [row[1:] for row in cells]
    n = len(cells)
    names = names or [str(i) for i in range(n)]
    if len(names) != n or len(set(names)) < n:
        raise BadInput(f"a matrix must have as many rows as columns, not {n} and {len(names)}", place="line 1")
    raw = Raw(directed=True, processes={name: (NOTHING, line) for name, line in zip(names, numbers, strict=True)})
    there: dict[tuple[int, int], int] = {}
    for i, (row, number) in enumerate(zip(cells, numbers, strict=True)):
        if watch is not None and i % 50 == 0:
            watch(i / n)
        if len(row) != n:
            what = f"this row has {len(row)} numbers; it must have {n}, one for each process"
            raise BadInput(what, place=f"line {number}")
        for j, cell in enumerate(row):
            if cell not in ("", "0"):
                if not is_number(cell):
                    raise BadInput(f"a number was expected, 0 for no link, not {shown(cell)}", place=f"line {number}")
                if float(cell) != 0:
                    there[i, j] = number
    both = all((j, i) in there for i, j in there)
    raw.directed = not both
    raw.links = [(names[i], names[j], None, NOTHING, number) for (i, j), number in there.items() if not both or i <= j]
    return raw


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The cells of every line that has some, with the number of the line."""
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadInput("this file contains no rows", place="line 1")
    first = re.sub(r'"[^"]*"', "", lines[0][1])  # what separates cells stands outside of quotation marks
    mark = next((mark for mark in (";", "\t", ",") if mark in first), " ")
    if mark == " ":
        return [(i, line.split()) for i, line in lines]
    try:
        cells = list(csv.reader((line for _, line in lines), delimiter=mark))
    except csv.Error as error:
        raise BadInput(f"this is not a table: {error}", place="line 1") from None
    return [(i, [plain(cell.strip()) for cell in row]) for (i, _), row in zip(lines, cells, strict=False)]


def dumps(network: Network) -> str:
    """A network as an adjacency matrix with names; timing and positions have no place in it."""
    there = {(link.a, link.b) for link in network.links}
    there |= {(link.b, link.a) for link in network.links if not link.directed}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["", *map(as_text, network.processes)])
    for a in network.processes:
        writer.writerow([as_text(a), *(int((a, b) in there) for b in network.processes)])
    return text.getvalue()


FORMATS.register(Format("matrix", "Adjacency matrix", (".csv", ".tsv", ".adj"), read, dumps, "shape"))
