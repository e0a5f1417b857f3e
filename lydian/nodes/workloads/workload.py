"""A workload: the requests that clients make of the programs, and what must be true of the replies.

The workloads, the requests and the forms of the replies are those of Maelstrom (doc/workloads.md), so programs written
for it run here unchanged. Each workload is a class that registers itself in :data:`WORKLOADS`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from lydian.engine.checks import Judgement
from lydian.model.errors import shown
from lydian.nodes.history import History, Operation
from lydian.plugins import Registry

__all__ = ["WORKLOADS", "Finding", "Reply", "Requests", "Workload", "always", "at_end", "plainly"]

#: The requests that a process gets at the end of a run; each yield returns the operation with its outcome.
Requests = Generator[Mapping[str, Any], Operation, None]
_TYPES = {
    int: "a whole number", str: "a text", list: "a list", dict: "an object", object: "any value",
}  # fmt: skip
#: The number of values that a sentence lists.
_LISTED = 5


@dataclass
class Finding(Judgement):
    """The result of a check; ``why`` is a sentence that says what was found if it is violated."""

    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | ({"why": self.why} if self.why else {})


def always(name: str, violations: Iterable[tuple[int, str]]) -> Finding:
    """Return the result of a check of all replies, given the event and a sentence for each violation."""
    first = min(violations, default=None)
    return Finding(name, "always", True) if first is None else Finding(name, "always", False, first[0], why=first[1])


def at_end(name: str, violations: Iterable[str], open_: str = "") -> Finding:
    """Return the result of a check of the end of a run; ``open_`` is why it is undecided, if it is."""
    first = next(iter(violations), None)
    if first is not None:
        return Finding(name, "at_end", False, why=first)
    return Finding(name, "at_end", None if open_ else True, why=open_)


def plainly(values: Iterable[Any]) -> str:
    """List some values in a sentence."""
    found = [shown(each) for each in values]
    return ", ".join(found[:_LISTED]) + (f" and {len(found) - _LISTED} more" if len(found) > _LISTED else "")


@dataclass(frozen=True)
class Reply:
    """The form of the reply to a request: the name of its type, and the types of its fields."""

    name: str
    fields: Mapping[str, type] = field(default_factory=dict)

    def problem(self, body: Mapping[str, Any]) -> str:
        """Return what is wrong with a reply, as the end of a sentence; "" if nothing is."""
        if body.get("type") != self.name:
            return f"must be {self.name} or error, not {shown(body.get('type'))}"
        for name, kind in self.fields.items():
            if name not in body:
                return f"must have {name}, {_TYPES[kind]}"
            value = body[name]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                return f"must have {_TYPES[kind]} as {name}, not {shown(value)}"
        return ""


class Workload:
    """A workload; one object serves one run.

    Attributes:
        name: its name on the command line.
        title: what the programs provide, for the user.
        replies: type of a request -> the form of its reply.
        topology: whether the processes are first told their neighbours, with a request ``topology``.
        optional: the types of requests of which none needs to succeed.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    replies: ClassVar[Mapping[str, Reply]] = {}
    topology: ClassVar[bool] = False
    optional: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, clients: Sequence[str]) -> None:
        self.clients = tuple(clients)
        self._made = dict.fromkeys(self.clients, 0)

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        """Return the next request of a client."""
        raise NotImplementedError

    def taken(self, operation: Operation) -> None:
        """Take the outcome of a request, on which later ones may depend."""

    def last(self) -> Requests:
        """Make the requests of one process at the end of the run."""
        yield from ()

    def check(self, history: History) -> list[Finding]:
        """Return the results of all checks."""
        raise NotImplementedError

    def measure(self, history: History) -> dict[str, float]:
        """Return measures of this workload."""
        return {}

    def fresh(self, client: str) -> int:
        """Return a number that no other request of this run contains."""
        number = self._made[client] * len(self.clients) + self.clients.index(client)
        self._made[client] += 1
        return number

    def served(self, history: History) -> Finding:
        """Check that some operation of each type succeeds."""
        asked = [kind for kind in self.replies if kind not in self.optional and any(history.of(kind))]
        failed = [kind for kind in asked if not any(history.of(kind, outcome="ok"))]
        why = (f"no {kind} succeeded: {_outcomes(list(history.of(kind)))}" for kind in failed)
        return at_end("some request of each type succeeds", why, "" if asked else "no requests were made")


def _outcomes(operations: Sequence[Operation]) -> str:
    """Return how some requests without success ended."""
    errors = [each for each in operations if each.reply is not None]
    silent = len(operations) - len(errors)
    parts = [f"{silent} of {len(operations)} had no reply"] if silent else []
    if errors:
        reply = errors[0].reply or {}
        text = f" ({reply['text']})" if isinstance(reply.get("text"), str) and reply["text"] else ""
        parts.append(f"{len(errors)} had an error, the first with code {shown(reply.get('code'))}{text}")
    return " and ".join(parts)


#: The workloads by name.
WORKLOADS: Registry[type[Workload]] = Registry("lydian.workloads", Workload)
