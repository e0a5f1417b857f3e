"""The command ``lydian archive``: a list by families, a search, and the description of one protocol."""

from __future__ import annotations

import json
import re
import textwrap
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lydian.cli.parser import Commands, Parser, Usage
from lydian.cli.words import coloured, grid, plural, wrapped
from lydian.model.errors import BadInput, LydianError, shown
from lydian.model.protocol.process import Variable

if TYPE_CHECKING:
    from lydian.model.archive.archive import Archive
    from lydian.model.archive.catalogue import Catalogue, Entry
    from lydian.model.protocol.protocol import Protocol

__all__ = ["add"]

_WIDTH = 100
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def everything(catalogue: Catalogue, shelves: Archive) -> str:
    """List the families with their protocols, then networks and experiments; an unreadable entry shows its error."""

    def network(name: str) -> str:
        found = shelves.network(name)
        size = f"{plural(found.n, 'process', 'processes')}, {plural(found.m, 'link')}"
        return f"{size}{'; ' + found.about if found.about else ''}"

    parts = [coloured("Protocols", "1") + ("" if catalogue.entries else "\n  none")]
    parts += [_family(catalogue, family.key, catalogue.of(family.key)) for family in catalogue.families]
    parts.append(_shelf("Networks", shelves.names("networks"), network))
    parts.append(_shelf("Experiments", shelves.names("experiments"), lambda name: shelves.experiment(name).about))
    parts.append("lydian archive NAME describes a protocol; lydian archive WORD ... searches.")
    if shelves.user is not None:
        parts.append(f"Your own go to {shelves.user} (protocols, networks, experiments).")
    return "\n\n".join(parts)


def answers(catalogue: Catalogue, found: Sequence[Entry], *, ranked: bool) -> str:
    """Return the results of a search: best first, or by families."""
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
    """List the experiments of a protocol, with those that break an assumption last."""
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
    """Return a page of the guide as text for a terminal: no title or markup, each numbered question on its own line."""
    text = re.sub(r"\A#[^\n]*\n+", "", page.strip())
    text = _LINK.sub(r"\1", text).replace("**", "").replace("`", "")
    return re.sub(r"\n(?=\d+\. )", "\n\n", text)


def data(catalogue: Catalogue, found: Sequence[Entry]) -> dict[str, Any]:
    """Return the results and their families as plain data."""
    keys = {each.family for each in found}
    families = [
        {"key": each.key, "title": each.title, "sentence": each.sentence}
        for each in catalogue.families if each.key in keys
    ]  # fmt: skip
    return {"families": families, "protocols": [entry_data(catalogue, each) for each in found]}


def entry_data(catalogue: Catalogue, entry: Entry) -> dict[str, Any]:
    """Return an entry of the catalogue as plain data."""
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
    """Return what only the protocol itself contains, such as its table and its properties."""
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


_EXAMPLES = """\
examples:
  lydian archive                  protocols by families, networks and experiments
  lydian archive echo             its table of states and events, messages, needs, properties, experiments
  lydian archive ./mine.py        the same for your own protocol
  lydian archive token ring       protocols that have both words in their title, text, reference or guide
  lydian archive --family waves --needs fifo    those of a family, and those that need something
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "archive", parents=[common], help="list or search the archive, or describe a protocol", epilog=_EXAMPLES,
        description="Lists the archive, searches it, or describes one protocol.",
    )  # fmt: skip
    parser.add_argument("words", metavar="PROTOCOL", nargs="*", help="a protocol (name or file), or words to look for")
    parser.add_argument("--family", metavar="F", action="append", default=[], help="only protocols of this family")
    parser.add_argument("--needs", metavar="N", action="append", default=[], help="only those that need this")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(action=_archive)


def _archive(args: Namespace) -> int:
    from lydian.model.archive.archive import archive
    from lydian.model.archive.catalogue import Reader
    from lydian.model.archive.search import Wanted, family_called, need_called, question, search

    shelves = archive()
    one = _named(args, shelves)
    if one is not None:
        return _tell_one(one, shelves, args.json)
    catalogue = Reader(shelves).read()
    asked = question(" ".join(f'"{word}"' if " " in word else word for word in args.words))
    families = tuple(family_called(catalogue, each).key for each in (*args.family, *asked.families))
    needs = tuple(need_called(catalogue.needs, each) for each in (*args.needs, *asked.needs))
    wanted = Wanted(asked.words, families, needs)
    found = search(catalogue, wanted)
    alone = len(args.words) == 1 and asked.words and not families and not needs
    if alone and (not found or _misspelt(catalogue, asked.words[0])):
        shelves.find("protocols", args.words[0])  # raises the error that names a similar one
    if not found:
        raise BadInput(f"no protocol in the archive matches {_words_of(wanted)}; use fewer words")
    if args.json:
        print(json.dumps(data(catalogue, found), indent=2, ensure_ascii=False))
    elif wanted:
        print(answers(catalogue, found, ranked=bool(wanted.words)))
    else:
        print(everything(catalogue, shelves))
    return 0


def _misspelt(catalogue: Catalogue, word: str) -> bool:
    """Return True if a word is found only as a typing error for another: a program must not read another's entry."""
    return not any(word in term for term in catalogue.index.search(word).terms)


def _named(args: Namespace, shelves: Archive) -> str | None:
    """Return the one protocol that is named, if there is exactly one."""
    from lydian.model.archive.shelves import looks_like_path

    paths = [word for word in args.words if looks_like_path(word, "protocols") is not None]
    if paths and len(args.words) > 1:
        raise Usage(f"PROTOCOL: {shown(paths[0])} is a file; a file must be the only argument")
    single = len(args.words) == 1 and (paths or args.words[0] in shelves.names("protocols"))
    if single and (args.family or args.needs):
        raise Usage(f"--family and --needs are for searching; remove them to describe {args.words[0]}")
    return str(args.words[0]) if single else None


def _words_of(wanted: Any) -> str:
    parts = [f"the word {word}" for word in wanted.words]
    parts += [f"family {each}" for each in wanted.families] + [f"needs {each}" for each in wanted.needs]
    return ", ".join(parts)


def _tell_one(name: str, shelves: Archive, as_json: bool) -> int:
    from lydian.model.archive.catalogue import Reader

    protocol = shelves.protocol(name)
    path = protocol.path
    catalogue = Reader(shelves).read()
    entry = next((each for each in catalogue.entries if path is not None and each.path == path), None)
    if as_json:
        told = {} if entry is None else entry_data(catalogue, entry)
        print(json.dumps(told | particulars(protocol), indent=2, ensure_ascii=False))
    else:
        print(_one(protocol, entry))
    return 0


def _one(protocol: Protocol, entry: Entry | None = None) -> str:
    """Describe a protocol, with its experiments and its page of the guide."""
    parts = [coloured(protocol.title, "1") + (f"  {protocol.path}" if protocol.path else ""), wrapped(protocol.doc)]
    parts.append(_section("Table (state x event: action > next state)", _table(protocol)))
    parts.append(_section("State diagram", _diagram(protocol)))
    if protocol.rules:
        parts.append(_section("Guarded actions (executed by a daemon)", "\n".join(_rule(r) for r in protocol.rules)))
    for title, records in (
        ("Messages", protocol.messages),
        ("Timers", protocol.timers),
        ("Commands", protocol.commands),
    ):
        if records:
            parts.append(_section(title, "\n".join(_record(each) for each in records)))
    if protocol.variables:
        rows = [
            f"  {role}{v.name}: {v.type} = {_initial(v)}{_domain(v.domain)}"
            for role, part in [(f"{role}.", part) for role, part in protocol.roles.items()] or [("", protocol)]
            for v in part.variables.values()
        ]
        parts.append(_section("Variables", "\n".join(rows)))
    if protocol.parameters:
        parts.append(_section("Parameters", "\n".join(_parameter(p) for p in protocol.parameters.values())))
    if protocol.needs:
        parts.append(_section("Needs", "\n".join(f"  {need.name}: {need.sentence}" for need in protocol.needs)))
    if protocol.properties:
        wide = max(len(each.kind) for each in protocol.properties)
        rows = [f"  {each.kind.replace('_', ' '):<{wide}}  {each.name}" for each in protocol.properties]
        parts.append(_section("Properties", "\n".join(rows)))
    if protocol.formula is not None:
        parts.append(_section("Number of messages (n processes, m links)", f"  {protocol.formula.text}"))
    if entry is not None:
        if entry.experiments:
            parts.append(_section("Experiments (lydian run NAME)", trials(entry)))
        if entry.page:
            parts.append(_section("In the guide", wrapped(plain(entry.page))))
    return "\n\n".join(parts)


def _section(title: str, body: str) -> str:
    return f"{coloured(title, '1')}\n{body}"


def _table(protocol: Protocol) -> str:
    table = protocol.table
    whole = []
    names = [*table.roles] or [""] * len(table.parts)
    # The process comes first, then each of its layers, with its own events; or each role with its own.
    for name, part in zip(names, table.parts, strict=True):
        one = not table.layers and not table.roles
        events = [e for e in table.events if one or any((row, e) in table.cells for row in part)]
        rows = [[name, *events]]
        for state in part:
            line = [state]
            for event in events:
                cell = table.cells.get((state, event))
                then = "" if cell is None else " or ".join(cell.next_states)
                line.append("" if cell is None else cell.action if then == state else f"{cell.action}\n> {then}")
            rows.append(line)
        whole.append(grid(rows))
    illegal = "An empty cell is illegal: such an event stops the run with an error."
    said = [illegal] if len(table.rules) < len(table.events) else []
    said += ["A rule (when ...) whose cell is empty does not exist in that state."] if table.rules else []
    return "\n".join([*whole, *(f"  {line}" for line in said)])


def _diagram(protocol: Protocol) -> str:
    edges: dict[tuple[str, str], list[str]] = {}
    for source, target, event in protocol.table.edges():
        edges.setdefault((source, target), []).append(event)
    wide = max([len(state) for state in protocol.states] or [0])
    lines = [f"  {a:<{wide}} -> {b:<{wide}}  at {', '.join(events)}" for (a, b), events in edges.items() if a != b]
    return "\n".join(lines) or "  no change of state"


def _rule(rule: Any) -> str:
    if rule.points:
        return f"  {rule.name}  a step of its program"
    guards = " or ".join(each.guard.__name__.replace("<lambda>", "a lambda") for each in rule.whens)
    about = (rule.action.__doc__ or "").strip().split("\n", 1)[0]
    return f"  {rule.name}  when {guards}" + (f"  {about}" if about else "")


def _record(record: Any) -> str:
    fields = [f"{name}: {kind}" for name, kind in record._types.items()]
    about = (record.__doc__ or "").strip().split("\n", 1)[0]
    return f"  {record.__name__}({', '.join(fields)})" + (f"  {about}" if about else "")


def _parameter(parameter: Any) -> str:
    text = f"  {parameter.name} = {parameter.default!r}"
    if parameter.choices is not None:
        text += f", one of {', '.join(map(repr, parameter.choices))}"
    bounds = [f"at least {parameter.minimum}" if parameter.minimum is not None else ""]
    bounds.append(f"at most {parameter.maximum}" if parameter.maximum is not None else "")
    text += "".join(f", {bound}" for bound in bounds if bound)
    return text + (f"\n      {parameter.help}" if parameter.help else "")


def _domain(domain: Any) -> str:
    if domain is None:
        return ""
    if domain.choices is not None:
        return f", one of {', '.join(map(repr, domain.choices))}"
    low = 0 if domain.minimum is None else domain.minimum
    return f", from {low} to {'n' if domain.maximum is None else domain.maximum}"


def _initial(variable: Variable) -> str:
    if variable.first is not None:
        return "computed by each process"
    value = variable.initial
    return "{}" if value == set() and isinstance(value, set) else repr(value)
