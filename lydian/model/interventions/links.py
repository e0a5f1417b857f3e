"""Interventions that cut a link, or restore it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lydian.language import tr
from lydian.model.interventions.keys import LINK, ONE_WAY
from lydian.model.interventions.kind import Drawn, Kind, Tool

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention

__all__ = ["LinkDown", "LinkUp"]

_TOOL = Tool(
    "cut", tr("Cut or restore a link"), ("link", "process"), tr("Click a link, or a process to change all its links"),
    ("link",), ("link", "process"), 2, "fault-cut", bar=True,
    entry=tr("C&ut or restore"), keys="U",
    help=tr("Cut or restore the selected link, or all links of the selected process"),
)  # fmt: skip


class _Change(Kind):
    """A change of a link, in both directions or only from its first end to its second.

    Attributes:
        one_way: what happened to one direction.
    """

    needs = (LINK,)
    may = (ONE_WAY,)
    aim = "link"
    tool = _TOOL
    one_way: ClassVar[str]

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        return self.one_way.format_map(words) if what.get("one_way") else super().told(what, words)


class LinkDown(_Change):
    """A link stops carrying messages, and messages in transit on it are lost."""

    name = "link_down"
    undone_by = "link_up"
    breaks = ("reliable",)
    breaking = "link {link} goes down"
    sort = "down"
    order = (tr("cut {link}"), tr("cut {n} links"))
    branch = ("{link} cut", "{n} links cut")
    happened = (tr("link {link} cut"), tr("{who} cut"))
    one_way = tr("link from {sender} to {receiver} cut, in this direction only")
    coming = tr("A link goes down")
    planned = tr("link {where} goes down")
    listed = ((tr("Cut link"), {}), (tr("Cut link in one direction"), {"one_way": True}))
    drawn = tr("Links go down")
    varied = Drawn("cuts", tr("Links that go down"), "all", "uniform(0, 5)")

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"link {'-'.join(what.link)} is already down" if engine.down(what.link, what.one_way) else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.cut(what.link, what.one_way)


class LinkUp(_Change):
    """A link carries messages again."""

    name = "link_up"
    sort = "up"
    order = (tr("restore {link}"), tr("restore {n} links"))
    branch = ("{link} restored", "{n} links restored")
    happened = (tr("link {link} restored"), tr("{who} restored"))
    one_way = tr("link from {sender} to {receiver} restored, in this direction only")
    coming = tr("A link comes up")
    planned = tr("link {where} comes up")
    listed = ((tr("Restore link"), {}),)
    drawn = tr("Links come up")

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.down(what.link, what.one_way) else f"link {'-'.join(what.link)} is already up"

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.restore(what.link, what.one_way)
