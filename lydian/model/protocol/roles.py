"""Which process plays which role, if a protocol file has a class for each: clients and servers, for example.

::

    class Server(Process, processes=2): ...
    class Client(Process): ...

The role of a process is a word of the network (``Network.roles``). An experiment assigns it in the table ``[roles]``,
a network file at the process; all processes that neither of them names are shared out in the order of the
classes: the first two of them become servers here, and the rest are clients.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.lang.formula import Formula

__all__ = ["REST", "check_roles", "role_name", "roles_from", "shared_out"]

#: The word for all processes that no other role names.
REST = "*"

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def role_name(cls: str) -> str:
    """Return the name of the role of the class of this name: ``view-server`` for ``ViewServer``."""
    return _HUMP.sub("-", cls).replace("_", "-").lower()


def check_roles(value: Any, place: str = "roles") -> dict[str, tuple[str, ...] | str]:
    """Return the table of roles in an experiment: role -> the names of its processes, or ``*`` for all others.

    Raises:
        BadInput: a role has something else.
    """
    if not isinstance(value, Mapping):
        raise BadInput(f'must be a table such as server = ["1", "2"], not {shown(value)}', place=place)
    found: dict[str, tuple[str, ...] | str] = {}
    for role, names in value.items():
        if names == REST:
            found[role] = REST
        elif isinstance(names, (list, tuple)) and all(isinstance(each, str) for each in names):
            found[role] = tuple(names)
        else:
            what = f'must be a list of names of processes such as ["1", "2"], or "*" for all others, not {shown(names)}'
            raise BadInput(what, place=f"{place}.{role}")
    if sum(names == REST for names in found.values()) > 1:
        both = " and ".join(role for role, names in found.items() if names == REST)
        raise BadInput(f'only one role can have "*", all other processes, but {both} do', place=place)
    return found


def roles_from(texts: Mapping[str, str], processes: tuple[str, ...]) -> dict[str, tuple[str, ...] | str]:
    """Return the table of roles from the texts of a form: role -> names with commas between them, or ``*``.

    Raises:
        BadInput: a process does not exist or has two roles, or two roles have all other processes.
    """
    found: dict[str, tuple[str, ...] | str] = {}
    for role, text in texts.items():
        names = tuple(name for name in (part.strip() for part in text.split(",")) if name)
        if names == (REST,):
            found[role] = REST
        elif names:
            found[role] = names
    _named(dict.fromkeys(texts), processes, found)
    return check_roles(found)


def shared_out(
    counts: Mapping[str, Formula | None],
    processes: tuple[str, ...],
    given: Mapping[str, tuple[str, ...] | str],
    known: Mapping[str, str],
    numbers: Mapping[str, float],
) -> dict[str, str]:
    """Return the role of every process.

    Args:
        counts: role -> how many processes have it unless something else is said; ``None`` for the rest.
        processes: the names of all processes.
        given: the table of roles of an experiment.
        known: the roles in the network, which the experiment overrules.
        numbers: n, m and the parameters, for the counts.

    Raises:
        BadInput: a role or a process does not exist, a process has two roles, or a role has no process.
    """
    found = _named(counts, processes, given)
    for name, role in known.items():
        if role not in counts:
            raise BadInput(f"process {name} has the {_unknown(role, counts)}", place="network")
        if name in processes:
            found.setdefault(name, role)
    left = [name for name in processes if name not in found]
    rest = next((role for role, names in given.items() if names == REST), None)
    if rest is None:
        rest = next((role for role, count in counts.items() if count is None), next(iter(counts)))
        there = Counter(found.values())
        more = {
            role: 0
            if count is None or role in given or role == rest
            else max(0, int(count.value(numbers)) - there[role])
            for role, count in counts.items()
        }
        more[rest] = max(0, len(left) - sum(more.values()))
        for role, size in more.items():
            if size > len(left):
                raise _too_few(role, there[role] + size, processes)
            found |= dict.fromkeys(left[:size], role)
            left = left[size:]
    found |= dict.fromkeys(left, rest)
    for role, count in counts.items():
        if role not in found.values() and (count is None or count.value(numbers) > 0):
            raise _too_few(role, 1, processes)
    return {name: found[name] for name in processes}


def _named(
    counts: Mapping[str, Formula | None], processes: tuple[str, ...], given: Mapping[str, tuple[str, ...] | str]
) -> dict[str, str]:
    """Return the roles of the processes that an experiment names."""
    found: dict[str, str] = {}
    for role, names in given.items():
        if role not in counts:
            raise BadInput(_unknown(role, counts), place=f"roles.{role}")
        for name in names if names != REST else ():
            if name not in processes:
                raise BadInput(unknown_process(name, processes), place=f"roles.{role}")
            if found.setdefault(name, role) != role:
                what = f"process {name} is also {found[name]}; a process has one role"
                raise BadInput(what, place=f"roles.{role}")
    return found


def _unknown(role: str, counts: Mapping[str, Any]) -> str:
    return f"unknown role {shown(role)}{did_you_mean(role, counts) or '; choose from ' + ', '.join(counts)}"


def _too_few(role: str, wanted: int, processes: tuple[str, ...]) -> BadInput:
    needs = "1 process" if wanted == 1 else f"{wanted} processes"
    what = f"the role {role} needs {needs}, but too few are left for it in a network of {len(processes)}"
    how = f'use a larger network, or name its processes in [roles]: {role} = ["{processes[-1]}"]'
    return BadInput(f"{what}; {how}", place="roles")
