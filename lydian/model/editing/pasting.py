"""Pasting rows of a spreadsheet into a network: many processes and links at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from lydian.language import tr
from lydian.model.editing.links import Pair
from lydian.model.editing.rows import COLUMNS, Kind, link_cell, process_cell, value_of
from lydian.model.errors import BadInput
from lydian.model.network import Link, Network

__all__ = ["Bad", "Pasted", "copied", "paste_rows"]

#: Alternative names of columns in a header row.
_ALSO: dict[Kind, dict[str, str]] = {
    "processes": {"process": "name", "id": "name", "label": "name", "node": "name", "initiator": "starts",
                  "drift": "clock"},
    "links": {"source": "from", "a": "from", "target": "to", "b": "to", "direction": "way", "directed": "way",
              "klass": "class"},
}  # fmt: skip
#: The distance between new processes without a position, and the number of them in a column.
GAP, COLUMN = 72.0, 8


@dataclass(frozen=True)
class Bad:
    """A cell that cannot be used; rows are numbered from 1, including a header row."""

    row: int
    column: str
    why: str

    def __str__(self) -> str:
        return tr("Row {row}, {column}: {reason}.", row=self.row, column=self.column, reason=self.why)


@dataclass(frozen=True)
class Pasted:
    """The result of pasting.

    Args:
        network: the network with the rows that could be used.
        bad: the cells that could not be used; they are replaced by inherited values, and a row with an invalid name is
            omitted.
        processes, links: the processes and links that were added or changed.
    """

    network: Network
    bad: tuple[Bad, ...] = ()
    processes: tuple[str, ...] = ()
    links: tuple[Pair, ...] = ()


def copied(network: Network, kind: Kind, numbers: Iterable[int]) -> str:
    """Return rows of the table as text for a spreadsheet: cells separated by tabs, with a header row."""
    lines, starting = ["\t".join(COLUMNS[kind])], frozenset(network.initiators)

    def cell(number: int, column: str) -> str:
        if kind == "links":
            return link_cell(network, number, column)
        if column == "starts":  # the same as process_cell, but fast if there are many initiators
            return "yes" if network.processes[number] in starting else ""
        return process_cell(network, number, column)

    lines += ["\t".join(cell(number, column) for column in COLUMNS[kind]) for number in numbers]
    return "\n".join(lines) + "\n"


def paste_rows(network: Network, kind: Kind, text: str) -> Pasted:
    """Paste rows whose cells are separated by tabs, semicolons or commas into a table.

    The first row may contain titles; without titles, the columns are those of the table. Existing processes and links
    are changed, and others are added; links add the processes that they need.

    Raises:
        BadInput: there are no rows.
    """
    rows = _rows(text)
    if not rows:
        raise BadInput(tr("the clipboard contains no rows to paste; copy some cells of a spreadsheet first"))
    columns, first = _columns(kind, [cell.lower() for cell in rows[0][1]])
    bad: list[Bad] = []
    values: list[tuple[int, dict[str, Any]]] = []
    for number, cells in rows[first:]:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            why = tr("at most {count} can be used: {columns}", count=len(columns), columns=", ".join(columns))
            bad.append(Bad(number, tr("column {number}", number=len(columns) + 1), why))
        row: dict[str, Any] = {}
        for column, cell in zip(columns, cells, strict=False):
            if column == "way" and not cell:
                continue  # a new link is two-way; an existing one keeps its direction
            try:
                row[column] = value_of(kind, column, cell)
            except BadInput as error:
                bad.append(Bad(number, column, str(error)))
        values.append((number, row))
    return (_processes if kind == "processes" else _links)(network, values, bad)


def _processes(network: Network, rows: list[tuple[int, dict[str, Any]]], bad: list[Bad]) -> Pasted:
    made = _Made(network)
    touched: dict[str, None] = {}
    for number, row in rows:
        name = row.get("name")
        if name is None:
            if not any(one.row == number and one.column == "name" for one in bad):
                bad.append(Bad(number, "name", tr("a process must have a name")))
            continue
        made.process(name)
        touched[name] = None
        x, y = made.positions[name]
        made.positions[name] = (x if row.get("x") is None else row["x"], y if row.get("y") is None else row["y"])
        if "starts" in row:
            made.starting[name] = row["starts"]
        tables: tuple[tuple[str, dict[str, Any]], ...]
        tables = (("step", made.steps), ("clock", made.drifts), ("role", made.roles))
        for column, table in tables:
            if column in row:
                table.pop(name, None)
                if row[column] is not None:
                    if column == "clock" and not 0.1 <= row[column] <= 10:
                        why = tr("its speed must be from 0.1 to 10, not {speed:g}", speed=row[column])
                        bad.append(Bad(number, column, why))
                        continue
                    table[name] = row[column]
    return Pasted(made.network(), tuple(sorted(bad, key=lambda one: one.row)), tuple(touched))


def _links(network: Network, rows: list[tuple[int, dict[str, Any]]], bad: list[Bad]) -> Pasted:
    made = _Made(network)
    touched: dict[int, None] = {}
    new: dict[str, None] = {}
    for number, row in rows:
        a, b = row.get("from"), row.get("to")
        for column in ("from", "to"):
            if row.get(column) is None and not any(one.row == number and one.column == column for one in bad):
                bad.append(Bad(number, column, tr("a link must have two processes")))
        if a is None or b is None:
            continue
        if a == b:
            why = tr("a link must join two different processes, not {process} with itself", process=a)
            bad.append(Bad(number, "to", why))
            continue
        for name in (a, b):
            if name not in made.positions:
                new[name] = None
                made.process(name)
        touched[made.link(a, b, row)] = None
    links = tuple((link.a, link.b) for at in touched if (link := made.links[at]) is not None)
    return Pasted(made.network(), tuple(sorted(bad, key=lambda one: one.row)), tuple(new), links)


class _Made:
    """A network under construction, as tables that can be changed."""

    def __init__(self, network: Network) -> None:
        self.old = network
        points = network.coordinates
        self.positions = dict(zip(network.processes, map(tuple, points.tolist()), strict=True))
        self.steps, self.drifts, self.roles = dict(network.steps), dict(network.drifts), dict(network.roles)
        self.classes = dict(network.classes)
        self.starting: dict[str, bool] = dict.fromkeys(network.initiators, True)
        self.links: list[Link | None] = list(network.links)
        self.at: dict[Pair, int] = {}  # from process, to process -> number of the link in this direction
        for number, link in enumerate(network.links):
            self._know(number, link)
        self.corner = (float(points[:, 0].max()) + GAP, float(points[:, 1].min())) if network.n else (0.0, 0.0)
        self.fresh = 0

    def _know(self, number: int, link: Link) -> None:
        self.at[link.a, link.b] = number
        if not link.directed:
            self.at[link.b, link.a] = number

    def process(self, name: str) -> None:
        """Return the process of this name; new ones are placed in columns to the right."""
        if name not in self.positions:
            column, row = divmod(self.fresh, COLUMN)
            self.positions[name] = (self.corner[0] + GAP * column, self.corner[1] + GAP * row)
            self.fresh += 1

    def link(self, a: str, b: str, row: dict[str, Any]) -> int:
        """Add or change a link from a to b with the values of a row, and return its number."""
        way = row.get("way")
        if way == "backward":
            a, b = b, a
        there, back = self.at.get((a, b)), self.at.get((b, a))
        number = there if there is not None else back if way in (None, "both") else None
        if number is None:
            number = len(self.links)
            self.links.append(Link(a, b))
        link, gone = self.links[number], {number}
        assert link is not None
        if way is not None:
            if way == "both" and back is not None and back != number:
                self.links[back] = None  # two one-way links in opposite directions become one two-way link
                gone.add(back)
            if way != "both" or {link.a, link.b} != {a, b}:
                link = replace(link, a=a, b=b)
            link = replace(link, directed=way != "both")
        own = [key for key in COLUMNS["links"] if key in row and key not in ("from", "to", "way")]
        changes = {"klass" if key == "class" else key: row[key] for key in own}
        if changes.get("klass") is not None:
            self.classes.setdefault(changes["klass"], self.old.delay)
        for key in ((a, b), (b, a)):
            if self.at.get(key) in gone:
                self.at.pop(key, None)
        link = self.links[number] = replace(link, **changes)
        self._know(number, link)
        return number

    def network(self) -> Network:
        """Return the complete network, checked."""
        return self.old.replace(
            processes=tuple(self.positions),
            positions=self.positions,
            links=tuple(link for link in self.links if link is not None),
            initiators=tuple(name for name in self.positions if self.starting.get(name)),
            steps=self.steps,
            drifts=self.drifts,
            roles=self.roles,
            classes=self.classes,
        )


# ---------------------------------------------------------------------- the text


def _columns(kind: Kind, titles: list[str]) -> tuple[list[str], int]:
    """Return the columns of the rows, and the number of header rows."""
    known = {**{column: column for column in COLUMNS[kind]}, **_ALSO[kind]}
    found = [known.get(title.strip(), "") for title in titles]
    needed = {"name"} if kind == "processes" else {"from", "to"}
    if needed <= set(found) and all(found) and len(set(found)) == len(found):
        return found, 1
    return list(COLUMNS[kind]), 0


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, with their numbers from 1."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    mark = next((mark for mark in "\t;," if any(mark in line for line in lines)), "\t")
    return [(number, _cells(line, mark)) for number, line in enumerate(lines, 1) if line.strip()]


def _cells(line: str, mark: str) -> list[str]:
    """Split at separators that are not in quotation marks or, as in ``uniform(0, 1)``, in brackets."""
    if mark == "\t" and '"' not in line:
        return [cell.strip() for cell in line.split("\t")]
    cells, depth, quoted, at = [""], 0, False, 0
    while at < len(line):
        sign = line[at]
        if sign == '"':
            if quoted and line[at + 1 : at + 2] == '"':
                cells[-1] += '"'
                at += 1
            else:
                quoted = not quoted
        elif sign == mark and not quoted and depth <= 0:
            cells.append("")
        else:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0) if mark != "\t" else 0
            cells[-1] += sign
        at += 1
    return [cell.strip() for cell in cells]
