"""Interventions that cut a link, or restore it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.model.interventions.keys import LINK, ONE_WAY
from lydian.model.interventions.kind import Drawn, Kind, Tool

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention

__all__ = ["LinkDown", "LinkUp"]

_TOOL = Tool(
    "cut", "Cut or restore a link", ("link", "process"), "Click a link, or a process to change all its links",
    ("link",), ("link", "process"), 2, "fault-cut", bar=True,
    entry="C&ut or restore", keys="U",
    help="Cut or restore the selected link, or all links of the selected process",
)  # fmt: skip


class _Change(Kind):
    """A change of a link, in both directions or only from its first end to its second."""

    needs = (LINK,)
    may = (ONE_WAY,)
    aim = "link"
    tool = _TOOL

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        if what.get("one_way"):
            done = self.happened[0].rpartition(" ")[2]
            return f"link from {words['a']} to {words['b']} {done}, in this direction only"
        return super().told(what, words)


class LinkDown(_Change):
    """A link stops carrying messages, and messages in transit on it are lost."""

    name = "link_down"
    undone_by = "link_up"
    breaks = ("reliable",)
    breaking = "link {link} goes down"
    sort = "down"
    order = ("cut", "{link}", "links")
    branch = ("{link} cut", "{n} links cut")
    happened = ("link {link} cut", "{who} cut")
    coming = "A link goes down"
    planned = "link {where} goes down"
    listed = (("Cut link", {}), ("Cut link in one direction", {"one_way": True}))
    drawn = "Links go down"
    varied = Drawn("cuts", "Links that go down", "all", "uniform(0, 5)")

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"link {'-'.join(what.link)} is already down" if engine.down(what.link, what.one_way) else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.cut(what.link, what.one_way)


class LinkUp(_Change):
    """A link carries messages again."""

    name = "link_up"
    sort = "up"
    order = ("restore", "{link}", "links")
    branch = ("{link} restored", "{n} links restored")
    happened = ("link {link} restored", "{who} restored")
    coming = "A link comes up"
    planned = "link {where} comes up"
    listed = (("Restore link", {}),)
    drawn = "Links come up"

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.down(what.link, what.one_way) else f"link {'-'.join(what.link)} is already up"

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.restore(what.link, what.one_way)
