"""The network as two tables: the contents of cells, and the changes that result from typing into a cell.

A cell shows the value that belongs to the process or link itself; an empty cell inherits from the class or the network.
The content of a cell can be typed in, so copied rows can be pasted (:mod:`lydian.model.editing.pasting`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from lydian.language import tr, trc, trn
from lydian.model.delays import as_distribution
from lydian.model.editing.links import Pair, set_link
from lydian.model.editing.processes import move, rename, set_initiators, set_process
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network import RATES, Link, Network

__all__ = [
    "COLUMNS",
    "Kind",
    "edit_link",
    "edit_process",
    "inherited",
    "link_cell",
    "process_cell",
    "role_from",
    "role_step",
    "value_of",
]

#: The tables.
Kind = Literal["processes", "links"]
#: Table -> its columns, with the names that a pasted header row may use.
COLUMNS: dict[Kind, tuple[str, ...]] = {
    "processes": ("name", "starts", "x", "y", "step", "clock", "role"),
    "links": ("from", "to", "way", "class", "delay", "loss", "order", "duplication", "corruption"),
}

#: Columns of a link -> its fields, where their names differ.
_FIELDS = {"from": "a", "to": "b", "class": "klass"}

_YES = ("yes", "true", "1", "x", "on", "starts")
_NO = ("no", "false", "0", "off", "")
_BOTH = ("both ways", "both", "<->", "--", "-", "undirected", "two-way", "")
_ONE = ("one way", "one-way", "->", "forward", "directed")
_BACK = ("back", "backward", "<-")
_INHERIT = ("", "inherited", "as network", "-")


# ---------------------------------------------------------------------- contents of cells


def process_cell(network: Network, number: int, column: str) -> str:
    """Return a process's own value in a column of the table."""
    name = network.processes[number]
    if column == "name":
        return name
    if column == "starts":
        return "yes" if name in network.initiators else ""
    if column in ("x", "y"):
        return _plain(float(network.coordinates[number, "xy".index(column)]))
    if column == "step":
        return str(network.steps.get(name, ""))
    if column == "role":
        return network.roles.get(name, "")
    return _plain(network.drifts[name]) if name in network.drifts else ""


def link_cell(network: Network, number: int, column: str) -> str:
    """Return a link's own value in a column of the table."""
    link = network.links[number]
    if column == "way":
        return "one way" if link.directed else "both ways"
    value = getattr(link, _FIELDS.get(column, column))
    return "" if value is None else _plain(value) if isinstance(value, int | float) else str(value)


def inherited(network: Network, kind: Kind, number: int, column: str) -> str:
    """Return the value that an empty cell inherits from the class or the network; empty if there is none."""
    if kind == "processes":
        return {"clock": "1", "step": str(network.step or "no time")}.get(column, "")
    if column == "delay":
        return str(network.delay_of(network.links[number]))
    return _plain(getattr(network, column)) if column in RATES else network.order if column == "order" else ""


# ---------------------------------------------------------------------- typing into cells


def value_of(kind: Kind, column: str, text: str) -> Any:
    """Return the meaning of a text in a column: a name, a truth value, a number, a distribution; ``None``: inherited.

    The direction of a link is "both", "forward" or "backward".

    Raises:
        BadInput: the text is not permitted; the error says what is.
    """
    return _READ[kind, column](text.strip())


def edit_process(network: Network, name: str, column: str, text: str) -> tuple[Network, str]:
    """Return the network after typing into a cell of a process, and the name of the step.

    Raises:
        BadInput: the text is not permitted.
    """
    value = value_of("processes", column, text)
    if column == "name":
        return rename(network, name, value), tr("Rename {process} to {name}", process=name, name=value)
    if column == "starts":
        starting = (set(network.initiators) | {name}) if value else (set(network.initiators) - {name})
        step = (
            trn("Make process {process} an initiator", "Make {count:,} processes initiators", 1, process=name)
            if value
            else trn(
                "Remove process {process} as an initiator", "Remove {count:,} processes as initiators", 1, process=name
            )
        )
        return set_initiators(network, starting), step
    if column in ("x", "y"):
        if value is None:
            raise BadInput(tr("{axis} of a process must be a number, not empty", axis=column))
        x, y = network.coordinates[network.number(name)].tolist()
        return move(network, {name: (value, y) if column == "x" else (x, value)}), tr("Move {process}", process=name)
    who = tr("Process {process}", process=name)
    if column == "step":
        return set_process(network, [name], step=value), _says(who, "step", value)
    if column == "role":
        return set_process(network, [name], role=value), role_step([name], value)
    return set_process(network, [name], drift=value), _says(who, "clock", value)


def role_step(names: Sequence[str], role: str | None) -> str:
    """Return the name of the step that gives processes a role; ``None``: the protocol chooses."""
    if role is None:
        return trn(
            "Let the protocol choose the role of process {process}",
            "Let the protocol choose the roles of {count:,} processes",
            len(names), process=names[0],
        )  # fmt: skip
    return trn(
        "Role of process {process}: {role}", "Role of {count:,} processes: {role}",
        len(names), process=names[0], role=role,
    )  # fmt: skip


def edit_link(network: Network, pair: Pair, column: str, text: str) -> tuple[Network, str, Pair]:
    """Return the network after typing into a cell of a link, the name of the step, and the link's processes.

    Raises:
        BadInput: the text is not permitted.
    """
    value = value_of("links", column, text)
    link = next((link for link in network.links if (link.a, link.b) == pair), None)
    if link is None:
        raise BadInput(tr("unknown link {process}-{neighbour}", process=pair[0], neighbour=pair[1]))
    if column in ("from", "to"):
        network.number(value)
        new = replace(link, a=value) if column == "from" else replace(link, b=value)
        return _with(network, link, new), tr("Change link {link} to {other}", link=link, other=new), (new.a, new.b)
    if column == "way":
        turned = replace(link, a=link.b, b=link.a) if value == "backward" else link
        new = replace(turned, directed=value != "both")
        words = tr("Link {link} both ways", link=link) if value == "both" else tr("Link {link} one way", link=new)
        return _with(network, link, new), words, (new.a, new.b)
    words = _says(tr("Link {link}", link=link), column, value)
    if column == "class":
        if value is not None and value not in network.classes:  # a new class starts with the delay of the network
            network = network.replace(classes={**network.classes, value: network.delay})
        return set_link(network, [pair], klass=value), words, pair
    return set_link(network, [pair], **{column: value}), words, pair


def _with(network: Network, old: Link, new: Link) -> Network:
    if new == old:
        return network
    return network.replace(links=tuple(new if link is old else link for link in network.links))


#: Column -> its name in a step of the history.
_NAMES = {
    "step": trc("property of a process", "step"),
    "clock": trc("property of a process", "clock"),
    "class": trc("property of a link", "class"),
    "delay": trc("property of a link", "delay"),
    "loss": trc("property of a link", "loss"),
    "order": trc("property of a link", "order"),
    "duplication": trc("property of a link", "duplication"),
    "corruption": trc("property of a link", "corruption"),
}


def _says(who: str, column: str, value: object) -> str:
    if value is None:
        return tr("{process_or_link} inherits {property}", process_or_link=who, property=_NAMES[column])
    return f"{who}: {_NAMES[column]} {value}"


# ---------------------------------------------------------------------- reading


def _plain(value: float) -> str:
    return f"{value:.10g}"


def _name(text: str) -> str:
    if not text or not text.isprintable() or len(text) > 100:
        raise BadInput(tr("the name of a process must be text of 1 to 100 characters, not {text}", text=shown(text)))
    return text


def role_from(text: str) -> str | None:
    """Return the role in a field; ``None`` if it is empty.

    Raises:
        BadInput: it is not a word.
    """
    word = text.strip()
    if word.lower() in _INHERIT:
        return None
    if not re.fullmatch(r"[^\W\d][\w-]*", word):
        raise BadInput(tr("a role must be a word such as server, not {text}", text=shown(word)))
    return word


def _truth(text: str) -> bool:
    word = text.lower()
    if word not in _YES and word not in _NO:
        raise BadInput(tr("starts must be yes or no, not {text}", text=shown(text)))
    return word in _YES


def _number(wrong: str) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        if text.lower() in _INHERIT:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise BadInput(wrong.format(text=shown(text)))
        return value

    return read


def _way(text: str) -> str:
    word = text.lower()
    for words, way in ((_BOTH, "both"), (_ONE, "forward"), (_BACK, "backward")):
        if word in words:
            return way
    raise BadInput(tr("the direction of a link must be both ways or one way, not {text}", text=shown(text)))


def _distribution(text: str) -> object:
    return None if text.lower() in (*_INHERIT, "no time") else as_distribution(text)


def _share(wrong: str) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        if text.lower() in _INHERIT:
            return None
        number = text.removesuffix("%").strip()
        try:
            value = float(number) / (100 if number != text else 1)
        except ValueError:
            value = math.nan
        if not 0 <= value <= 1:
            raise BadInput(wrong.format(text=shown(text)))
        return value

    return read


def _order(text: str) -> str | None:
    word = text.lower()
    if word in _INHERIT:
        return None
    if word not in ("fifo", "unordered"):
        raise BadInput(
            tr(
                "order must be fifo or unordered, not {text}{suggestion}",
                text=shown(text),
                suggestion=did_you_mean(word, ("fifo", "unordered")),
            )
        )
    return word


_READ: dict[tuple[Kind, str], Callable[[str], Any]] = {
    ("processes", "name"): _name,
    ("processes", "starts"): _truth,
    ("processes", "x"): _number(tr("x of a process must be a number such as 120, not {text}")),
    ("processes", "y"): _number(tr("y of a process must be a number such as 120, not {text}")),
    ("processes", "step"): _distribution,
    ("processes", "clock"): _number(tr("the speed of a clock must be a number such as 1.05, not {text}")),
    ("processes", "role"): role_from,
    ("links", "from"): _name,
    ("links", "to"): _name,
    ("links", "way"): _way,
    ("links", "class"): lambda text: text or None,
    ("links", "delay"): _distribution,
    ("links", "loss"): _share(tr("loss must be a probability such as 0.05 or 5 %, not {text}")),
    ("links", "duplication"): _share(tr("duplication must be a probability such as 0.05 or 5 %, not {text}")),
    ("links", "corruption"): _share(tr("corruption must be a probability such as 0.05 or 5 %, not {text}")),
    ("links", "order"): _order,
}
