"""What ``lydian archive`` lists: families, answers of a search, and the same as data."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lydian.cli.words import coloured, plural
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.model.archive import Archive
    from lydian.model.catalogue import Catalogue, Entry
    from lydian.model.protocol import Protocol

__all__ = ["answers", "data", "entry_data", "everything", "particulars", "plain", "trials"]

_WIDTH = 100
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def everything(catalogue: Catalogue, shelves: Archive) -> str:
    """The families with their protocols, then networks and experiments; one that cannot be read says why."""

    def network(name: str) -> str:
        found = shelves.network(name)
        size = f"{plural(found.n, 'process', 'processes')}, {plural(found.m, 'link')}"
        return f"{size}{'; ' + found.about if found.about else ''}"

    parts = [coloured("Protocols", "1") + ("" if catalogue.entries else "\n  none")]
    parts += [_family(catalogue, family.key, catalogue.of(family.key)) for family in catalogue.families]
    parts.append(_shelf("Networks", shelves.names("networks"), network))
    parts.append(_shelf("Experiments", shelves.names("experiments"), lambda name: shelves.experiment(name).about))
    parts.append("lydian archive NAME tells all about a protocol; lydian archive WORD ... searches.")
    if shelves.user is not None:
        parts.append(f"Your own go to {shelves.user} (protocols, networks, experiments).")
    return "\n\n".join(parts)


def answers(catalogue: Catalogue, found: Sequence[Entry], *, ranked: bool) -> str:
    """What a search found: the best first, or by families."""
    if ranked:
        return _rows(found)
    families = [family for family in catalogue.families if any(each.family == family.key for each in found)]
    return "\n\n".join(
        _family(catalogue, family.key, [each for each in found if each.family == family.key]) for family in families
    )


def _family(catalogue: Catalogue, key: str, entries: Sequence[Entry]) -> str:
    family = catalogue.family(key)
    assert family is not None
    head = f"{coloured(family.title, '1')} ({key})"
    return "\n".join([head, textwrap.fill(family.sentence, _WIDTH), _rows(entries)])


def _rows(entries: Sequence[Entry]) -> str:
    wide = max([len(each.name) for each in entries] or [0])
    rows = []
    for each in entries:
        words = f"cannot be used: {each.problem}" if each.problem else f"{each.title}: {each.about}"
        rows.append(f"  {each.name:<{wide}}  {words}".rstrip(": "))
    return "\n".join(rows)


def _shelf(title: str, names: Sequence[str], tell: Any) -> str:
    wide = max([len(name) for name in names] or [0])
    lines = [coloured(title, "1")]
    for name in names:
        try:
            words = tell(name)
        except LydianError as error:
            words = f"cannot be used: {error}"
        lines.append(f"  {name:<{wide}}  {words}".rstrip())
    return "\n".join(lines if names else [*lines, "  none"])


def trials(entry: Entry) -> str:
    """The experiments of a protocol, those that break something last."""
    wide = max(len(each.name) for each in entry.experiments)
    rows = []
    for each in entry.experiments:
        words = f"breaks: {each.about}" if each.broken else each.about
        rows.append(
            textwrap.fill(f"{each.name:<{wide}}  {words}".rstrip(), _WIDTH, initial_indent="  ",
                          subsequent_indent=" " * (wide + 4))
        )  # fmt: skip
    return "\n".join(rows)


def plain(page: str) -> str:
    """A page of the guide as text for a terminal: no title, no marks, numbered questions each on a line."""
    text = re.sub(r"\A#[^\n]*\n+", "", page.strip())
    text = _LINK.sub(r"\1", text).replace("**", "").replace("`", "")
    return re.sub(r"\n(?=\d+\. )", "\n\n", text)


def data(catalogue: Catalogue, found: Sequence[Entry]) -> dict[str, Any]:
    """What was found, and its families, as plain data."""
    keys = {each.family for each in found}
    families = [
        {"key": each.key, "title": each.title, "sentence": each.sentence}
        for each in catalogue.families if each.key in keys
    ]  # fmt: skip
    return {"families": families, "protocols": [entry_data(catalogue, each) for each in found]}


def entry_data(catalogue: Catalogue, entry: Entry) -> dict[str, Any]:
    """An entry of the catalogue as plain data."""
    return {
        "name": entry.name,
        "title": entry.title,
        "about": entry.about,
        "family": entry.family,
        "yours": entry.mine,
        "file": str(entry.path),
        "needs": dict(entry.needs),
        "messages": entry.formula or None,
        "complexity": entry.complexity or None,
        "reference": entry.reference or None,
        "experiments": [
            {"name": each.name, "about": each.about, "network": each.network, "breaks": each.broken}
            for each in entry.experiments
        ],
        "guide": None if entry.guide is None else str(entry.guide),
        "lesson": None if entry.lesson is None else str(entry.lesson),
        "problem": entry.problem or None,
    }  # fmt: skip


def particulars(protocol: Protocol) -> dict[str, Any]:
    """What only the protocol itself tells: its table, its properties."""
    table = protocol.table
    cells = {(state, event): table.cells.get((state, event)) for state in table.rows for event in table.events}
    return {
        "doc": protocol.doc,
        "states": list(table.states),
        "events": list(table.events),
        "table": [
            {"state": state, "event": event, "action": cell.action, "next": list(cell.next_states)}
            for (state, event), cell in cells.items() if cell is not None
        ],
        "properties": [{"kind": each.kind, "name": each.name} for each in protocol.properties],
        "parameters": {each.name: each.default for each in protocol.parameters.values()},
    }  # fmt: skip
