"""Adjacency matrices: tables with a row and a column for each process, separated by commas, semicolons, tabs or spaces,
with or without names; 0 or an empty cell means no link. If the matrix is symmetric, links are two-way."""

from __future__ import annotations

import csv
import io
import re

from lydian.formats.networks.edges import is_number
from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.raw import NOTHING, Raw
from lydian.language import later
from lydian.model.cell import as_text, plain
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network
from lydian.model.reading import Watch

__all__ = ["dumps", "read"]


def read(text: str, watch: Watch | None = None) -> Raw:
    """Return what an adjacency matrix describes.

    Raises:
        BadInput: it is not square, or contains something that is not a number; ``place`` names the line.
        Cancelled: raised by ``watch``.
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
                    raise BadInput(f"must be a number, 0 for no link, not {shown(cell)}", place=f"line {number}")
                if float(cell) != 0:
                    there[i, j] = number
    both = all((j, i) in there for i, j in there)
    raw.directed = not both
    raw.links = [(names[i], names[j], None, NOTHING, number) for (i, j), number in there.items() if not both or i <= j]
    return raw


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of every line that has cells, with the number of the line."""
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadInput("this file contains no rows", place="line 1")
    first = re.sub(r'"[^"]*"', "", lines[0][1])  # the separator of cells occurs outside quotation marks
    mark = next((mark for mark in (";", "\t", ",") if mark in first), " ")
    if mark == " ":
        return [(i, line.split()) for i, line in lines]
    try:
        cells = list(csv.reader((line for _, line in lines), delimiter=mark))
    except csv.Error as error:
        raise BadInput(f"this is not a table: {error}", place="line 1") from None
    return [(i, [plain(cell.strip()) for cell in row]) for (i, _), row in zip(lines, cells, strict=False)]


def dumps(network: Network) -> str:
    """Return a network as an adjacency matrix with names, without timing and positions."""
    there = {(link.a, link.b) for link in network.links}
    there |= {(link.b, link.a) for link in network.links if not link.directed}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["", *map(as_text, network.processes)])
    for a in network.processes:
        writer.writerow([as_text(a), *(int((a, b) in there) for b in network.processes)])
    return text.getvalue()


FORMATS.register(
    Format(
        "matrix", later("Adjacency matrix"), (".csv", ".tsv", ".adj"), read, dumps, "shape",
        words=later("adjacency matrix"),
    )
)  # fmt: skip
