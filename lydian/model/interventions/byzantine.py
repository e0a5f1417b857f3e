"""Interventions that make a process Byzantine, or honest again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions.keys import HOW, PROCESS
from lydian.model.interventions.kind import Kind, Tool

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention, Moment

__all__ = ["HOWS", "Byzantine", "Honest", "Way"]


class Way(NamedTuple):
    """The texts for one Byzantine behaviour.

    Attributes:
        does: what the process does, as a predicate.
        begins: what it does at the moment when it becomes Byzantine, as a predicate.
        seen: what it does from then on, in brief, as a predicate.
        choice: the label of this behaviour in a form.
    """

    does: str
    begins: str
    seen: str
    choice: str


#: The behaviours of Byzantine processes by their names in files; the first is the default.
HOWS = {
    "lie": Way("changes the fields of what it sends", "begins to lie", "lies", "Lie"),
    "two-faced": Way(
        "tells one half of its neighbours the truth and the other half something else", "begins to tell two stories",
        "tells two stories", "Tell two stories",
    ),
    "mute": Way("acts, but nothing that it sends leaves", "falls silent", "is silent", "Fall silent"),
    "babble": Way("lies, and sends messages that nobody asked for", "begins to babble", "babbles", "Babble"),
}  # fmt: skip
_USUAL = next(iter(HOWS))
_TOOL = Tool(
    "byzantine", "Make a process lie or make it honest", ("process",), "Click a process", ("process",), ("process",),
    10, "fault-byzantine", bar=True, entry="Ma&ke it lie…", keys="Q",
    help="Make the selected process Byzantine (lying, babbling or silent), or make it honest again",
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
    order = ("make", "{process} lie", "processes lie")
    branch = ("{process} made to lie", "{n} processes made to lie")
    happened = ("process {process} {seen} from now on", "{who} are Byzantine from now on")
    coming = "{who} begins to lie"
    tool = _TOOL
    menu = ("Make it lie…", "Make process {process} lie…")
    form = "byzantine"
    listed = tuple((f"Process that {way.seen}", {"how": how}) for how, way in HOWS.items())

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
        return f"process {what.process} {HOWS[what.how or _USUAL].seen} at {what.time:g}"


class Honest(Kind):
    """A Byzantine process becomes honest again."""

    name = "honest"
    needs = (PROCESS,)
    sort = "state"
    order = ("make", "{process} honest", "processes honest")
    branch = ("{process} honest again", "{n} processes honest again")
    happened = ("process {process} is honest again", "{who} are honest again")
    coming = "{who} becomes honest again"
    planned = "{where} becomes honest again"
    tool = _TOOL
    menu = ("Make it honest again", "Make process {process} honest again")
    listed = (("Make process honest", {}),)

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"process {what.process} is not Byzantine" if engine.lying(what.process) is None else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.make_honest(what.process)
