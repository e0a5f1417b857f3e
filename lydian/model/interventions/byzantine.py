"""Interventions that make a process Byzantine, or honest again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lydian.language import later, tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions.keys import HOW, PROCESS
from lydian.model.interventions.kind import Kind, Tool

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention, Moment

__all__ = ["HONEST_AGAIN", "HOWS", "Byzantine", "Honest", "Way"]


class Way(NamedTuple):
    """The texts for one Byzantine behaviour.

    Attributes:
        begins: what happens when the process becomes Byzantine, as a trace records it.
        does: what it does from then on, as a predicate.
        seen: the same in brief.
        listed: its label in a list of faults.
        choice: the label of this behaviour in a form.
    """

    begins: str
    does: str
    seen: str
    listed: str
    choice: str


#: The behaviours of Byzantine processes by their names in files; the first is the default.
HOWS = {
    "lie": Way(
        later("begins to lie: it changes the fields of what it sends"),
        tr("changes the fields of what it sends"), tr("lies"), tr("Process that lies"), tr("Lie"),
    ),
    "two-faced": Way(
        later(
            "begins to tell two stories: it tells one half of its neighbours the truth and the other half something"
            " else"
        ),
        tr("tells one half of its neighbours the truth and the other half something else"), tr("tells two stories"),
        tr("Process that tells two stories"), tr("Tell two stories"),
    ),
    "mute": Way(
        later("falls silent: it acts, but nothing that it sends leaves"),
        tr("acts, but nothing that it sends leaves"), tr("is silent"), tr("Process that is silent"), tr("Fall silent"),
    ),
    "babble": Way(
        later("begins to babble: it lies, and sends messages that nobody asked for"),
        tr("lies, and sends messages that nobody asked for"), tr("babbles"), tr("Process that babbles"), tr("Babble"),
    ),
}  # fmt: skip
#: What a trace records when a process becomes honest again.
HONEST_AGAIN = later("is honest again")
_USUAL = next(iter(HOWS))
_TOOL = Tool(
    "byzantine", tr("Make a process lie or make it honest"), ("process",), tr("Click a process"), ("process",),
    ("process",), 10, "fault-byzantine", bar=True, entry=tr("Ma&ke it lie…"), keys="Q",
    help=tr("Make the selected process Byzantine (lying, babbling or silent), or make it honest again"),
)  # fmt: skip


class Byzantine(Kind):
    """A process still follows its protocol, but the messages it sends are changed, until it is made honest again."""

    name = "byzantine"
    needs = (PROCESS,)
    may = (HOW,)
    living = True
    undone_by = "honest"
    unsearchable = "the messages that a Byzantine process may send"
    sort = "state"
    order = (tr("make {process} lie"), tr("make {n} processes lie"))
    branch = ("{process} made to lie", "{n} processes made to lie")
    happened = (tr("process {process} {seen} from now on"), tr("{who} are Byzantine from now on"))
    coming = tr("{who} begins to lie")
    tool = _TOOL
    menu = (tr("Make it lie…"), tr("Make process {process} lie…"))
    form = "byzantine"
    listed = tuple((way.listed, {"how": how}) for how, way in HOWS.items())

    def lasts(self, now: Moment, process: int) -> bool:
        return process in now.liars

    def check_keys(self, what: Intervention) -> None:
        if what.how is not None and what.how not in HOWS:
            hint = did_you_mean(what.how, HOWS) or f"; choose from {', '.join(HOWS)}"
            raise BadInput(f"unknown Byzantine behaviour {shown(what.how)}{hint}", place="how")

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        same = engine.lying(what.process) == (what.how or _USUAL)
        return f"process {what.process} already behaves like this" if same else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.make_lie(what.process, what.how or _USUAL)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        return super().told(what, {**words, "seen": HOWS[what.get("how") or _USUAL].seen})

    def plan(self, what: Intervention) -> str:
        seen = HOWS[what.how or _USUAL].seen
        return tr("process {process} {seen} at {time:g}", process=what.process, seen=seen, time=what.time)


class Honest(Kind):
    """A Byzantine process becomes honest again."""

    name = "honest"
    needs = (PROCESS,)
    sort = "state"
    order = (tr("make {process} honest"), tr("make {n} processes honest"))
    branch = ("{process} honest again", "{n} processes honest again")
    happened = (tr("process {process} is honest again"), tr("{who} are honest again"))
    coming = tr("{who} becomes honest again")
    planned = tr("{where} becomes honest again")
    tool = _TOOL
    menu = (tr("Make it honest again"), tr("Make process {process} honest again"))
    listed = ((tr("Make process honest"), {}),)

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"process {what.process} is not Byzantine" if engine.lying(what.process) is None else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.make_honest(what.process)
