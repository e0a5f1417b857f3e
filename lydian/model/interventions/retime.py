"""The intervention that changes the delay of a link, or the time of the steps of a process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.interventions.keys import DISTRIBUTION, LINK, PROCESS
from lydian.model.interventions.kind import Kind, Tool

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention

__all__ = ["Retime"]


class Retime(Kind):
    """The delay of a link, or the time of a step of a process, is drawn from another distribution from now on."""

    name = "retime"
    needs = (DISTRIBUTION,)
    may = (LINK, PROCESS)
    aim = "link"
    order = (tr("change the delay of {link}{process}"), tr("change the delay of {n} parts"))
    branch = ("{link}{process} set to {distribution}", "{n} delays set")
    happened = (tr("link {link} now has the delay {distribution}"), "")
    coming = tr("A delay changes")
    tool = Tool("slow", tr("Slow down"), ("link", "process"), tr("Click a link or a process"), ("link", "process"),
                ("process", "link"), 14, entry=tr("S&low down…"), keys="Y",
                help=tr("Change the delay of the selected link or process from now on"))  # fmt: skip

    def check_keys(self, what: Intervention) -> None:
        from lydian.model.delays import parse

        if (what.link is None) is (what.process is None):
            raise BadInput('retime needs either a link or a process; write link = "3-5" or process = "3"')
        parse(what.distribution, place="distribution")

    def against_rounds(self, what: Intervention) -> str:
        return "in rounds each message arrives in the next round, and steps take no time"

    def apply(self, what: Intervention, engine: Engine) -> None:
        from lydian.model.delays import parse

        law = parse(what.distribution)
        if what.link is not None:
            engine.retime_link(what.link, law)
        else:
            engine.retime_process(what.process, law)
        engine.record(what)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        if what.get("process"):
            return tr("a step of process {process} now takes {distribution}").format_map(words)
        return super().told(what, words)

    def row_of(self, record: Mapping[str, Any], label: str, peer: str) -> str:
        law = record.get("distribution")
        if peer:
            return tr("link to {neighbour} now has the delay {distribution}", neighbour=peer, distribution=law)
        return tr("a step now takes {distribution}", distribution=law)
