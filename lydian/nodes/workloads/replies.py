"""Workloads in which each reply can be checked by itself or against all others: echo and unique-ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar

from lydian.language import later
from lydian.model.errors import shown
from lydian.model.history.linearizable import same
from lydian.nodes.history import History
from lydian.nodes.workloads.workload import Finding, Reply, Workload, always

__all__ = ["Echo", "UniqueIds"]


class Echo(Workload):
    """A process returns what it is sent."""

    name = "echo"
    title = later("each reply repeats its request")
    replies: ClassVar[Mapping[str, Reply]] = {"echo": Reply("echo_ok", {"echo": object})}

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        return {"type": "echo", "echo": f"Please echo {draw.randrange(128)}"}

    def check(self, history: History) -> list[Finding]:
        wrong = (
            (each.told, f"{each.process} was sent {shown(each.body['echo'])} and echoed {shown(each.reply['echo'])}")
            for each in history.of("echo", outcome="ok")
            if each.reply is not None and each.reply["echo"] != each.body["echo"]
        )
        return [self.served(history), always("each reply repeats its request", wrong)]


class UniqueIds(Workload):
    """A process returns an identifier that no other reply contains."""

    name = "unique-ids"
    title = later("identifiers that are used only once")
    replies: ClassVar[Mapping[str, Reply]] = {"generate": Reply("generate_ok", {"id": object})}

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        return {"type": "generate"}

    def check(self, history: History) -> list[Finding]:
        return [self.served(history), always("no identifier is used twice", _repeated(history))]


def _repeated(history: History) -> Iterator[tuple[int, str]]:
    first: dict[str, str] = {}
    for each in sorted(history.of("generate", outcome="ok"), key=lambda each: each.told):
        value = None if each.reply is None else each.reply["id"]
        text = same(value)
        if text in first:
            who = "twice" if first[text] == each.process else f"after {first[text]}"
            yield each.told, f"{each.process} generated {shown(value)} {who}"
        first.setdefault(text, each.process)
