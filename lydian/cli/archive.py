"""``lydian archive``: what there is, and one protocol in full."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from lydian.cli.parser import Commands, Parser
from lydian.cli.words import coloured, grid, plural, wrapped
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.model.archive import Archive
    from lydian.model.protocol import Protocol

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian archive              protocols, networks and experiments
  lydian archive echo         its table of states and events, messages, needs, properties
  lydian archive ./mine.py    the same for a protocol of your own
"""


def add(commands: Commands, common: Parser) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "archive", parents=[common], help="what there is", epilog=_EXAMPLES,
        description="Lists the archive, or describes one protocol.",
    )  # fmt: skip
    parser.add_argument("protocol", metavar="PROTOCOL", nargs="?")
    parser.set_defaults(action=_archive)


def _archive(args: Namespace) -> int:
    from lydian.model.archive import archive

    shelves = archive()
    print(_everything(shelves) if args.protocol is None else _one(shelves.protocol(args.protocol)))
    return 0


def _everything(shelves: Archive) -> str:
    """Names with a sentence each; one that cannot be read says why."""

    def protocol(name: str) -> str:
        found = shelves.protocol(name)
        return f"{found.title}: {found.about.partition(': ')[2] or found.about}"

    def network(name: str) -> str:
        found = shelves.network(name)
        size = f"{plural(found.n, 'process', 'processes')}, {plural(found.m, 'link')}"
        return f"{size}{'; ' + found.about if found.about else ''}"

    parts = []
    about: dict[str, Any] = {
        "protocols": protocol,
        "networks": network,
        "experiments": lambda name: shelves.experiment(name).about,
    }
    for shelf, tell in about.items():
        names = shelves.names(shelf)
        wide = max([len(name) for name in names] or [0])
        lines = [coloured(shelf.capitalize(), "1")]
        for name in names:
            try:
                words = tell(name)
            except LydianError as error:
                words = f"cannot be used: {error}"
            lines.append(f"  {name:<{wide}}  {words}".rstrip())
        parts.append("\n".join(lines if names else [*lines, "  none"]))
    if shelves.user is not None:
        parts.append(f"Your own go to {shelves.user} (protocols, networks, experiments).")
    return "\n\n".join(parts)


def _one(protocol: Protocol) -> str:
    """A protocol's particulars."""
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
        rows = [f"  {v.name}: {v.type} = {_initial(v.initial)}{_domain(v.domain)}" for v in protocol.variables.values()]
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
    return "\n\n".join(parts)


def _section(title: str, body: str) -> str:
    return f"{coloured(title, '1')}\n{body}"


def _table(protocol: Protocol) -> str:
    table = protocol.table
    rows = [["", *table.events]]
    for state in table.states:
        row = [state]
        for event in table.events:
            cell = table.get(state, event)
            then = "" if cell is None else " or ".join(cell.next_states)
            row.append("" if cell is None else cell.action if then == state else f"{cell.action}\n> {then}")
        rows.append(row)
    illegal = "An empty cell is illegal: the event stops the run with a sentence."
    said = [illegal] if len(table.rules) < len(table.events) else []
    said += ["A rule (when ...) whose cell is empty does not exist in that state."] if table.rules else []
    return "\n".join([grid(rows), *(f"  {line}" for line in said)])


def _diagram(protocol: Protocol) -> str:
    edges: dict[tuple[str, str], list[str]] = {}
    for source, target, event in protocol.table.edges():
        edges.setdefault((source, target), []).append(event)
    wide = max([len(state) for state in protocol.states] or [0])
    lines = [f"  {a:<{wide}} -> {b:<{wide}}  at {', '.join(events)}" for (a, b), events in edges.items() if a != b]
    return "\n".join(lines) or "  no change of state"


def _rule(rule: Any) -> str:
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


def _initial(value: Any) -> str:
    return "{}" if value == set() and isinstance(value, set) else repr(value)
