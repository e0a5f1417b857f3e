"""Two-phase commit: players vote, and one of them counts the votes and decides.

The protocol votes yes by itself; a no is made by hand: the request is taken away, the process aborts, and its vote is
sent. In the second act the coordinator crashes as soon as the votes are on their way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lydian.classroom.games.game import Act, Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.games.parts import arrived, chosen, corrupt, curve, hurry, listed, size
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["TwoPhaseCommit"]

_VOTES = ("Yes", "No")
_CRASHES = "class-commit-crash"


class TwoPhaseCommit(Game):
    """Players vote yes or no; all have to commit, or all to abort."""

    name = "commit"
    title = tr("Two-phase commit")
    about = tr("All players vote on a joint decision, which is carried out only if all agree.")
    experiment = "class-commit"
    page = "class-commit"
    figure = curve(tr("Who is uncertain"), tr("players"), 0, tr("everybody knows the decision"))
    acts = (
        Act(
            tr("All are well"),
            tr("The coordinator asks everybody, counts the votes, and tells everybody the decision."),
            "class-commit",
        ),
        Act(
            tr("The coordinator crashes"),
            tr("Everything begins as before, but the coordinator crashes before it has told anybody the decision."),
            _CRASHES,
            ask={
                "text": tr("You have voted yes and hear nothing more. What may you do?"), "form": "choice",
                "choices": [tr("commit"), tr("abort"), tr("only wait and ask")],
            },
        ),
        Act(
            tr("The coordinator recovers"),
            tr("The coordinator is back, and finds no decision in its log."),
            mischief=({"do": "recover", "process": "0", "keep": True},),
        ),
    )  # fmt: skip

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        return experiment.with_(network=f"complete:{size(players, 3, 12)}")

    def view(self, now: Moment, process: str) -> View:
        if process in now.crashed:
            return View(tr("You have crashed"), tr("You do nothing until you recover."))
        offers = self._offers(now, process)
        leads = process in now.network.initiators
        values: tuple[tuple[str, str], ...] = ()
        if now.states[process] == "collecting":
            yes = now.variables[process].get("yes") or []
            values = ((tr("Yes from"), listed(yes) if yes else "–"),)
        if leads:
            title = tr("You are the coordinator")
            rule = tr("Ask everybody. If all vote yes, the decision is to commit; if one votes no or is silent for too"
                      " long, it is to abort.")  # fmt: skip
        else:
            title = tr("You are number {process}", process=process)
            rule = tr("Vote no only while you have not voted yes. After a yes you may neither commit nor abort on your"
                      " own: do as the coordinator decides.")  # fmt: skip
        heading = tr("What do you do?") if offers else tr("Nothing has arrived; wait.")
        return View(title, _STATES.get(now.states[process], ""), values, rule=rule, offers=offers, heading=heading)

    def _offers(self, now: Moment, process: str) -> tuple[Offer, ...]:
        found: list[Offer] = []
        state = now.states[process]
        if arrived(now, process, "INIT") and state == "initial":
            found.append(Offer("begin", tr("Ask everybody to vote"), head="VoteReq"))
        if state == "initial" and arrived(now, process, "VoteReq"):
            found.append(Offer("yes", tr("I vote yes"), tr("I can commit, whatever happens to me"), "Yes"))
            found.append(Offer("no", tr("I vote no"), tr("I abort at once"), "No"))
        if state == "collecting":
            if votes := arrived(now, process, *_VOTES):
                senders = listed(each["from"] for each in votes)
                found.append(
                    Offer("count", tr("Count the votes that have arrived"), tr("from {who}", who=senders), "Yes")
                )
            found.append(Offer("commit", tr("Decide to commit"), tr("and tell everybody"), "Commit"))
            found.append(Offer("abort", tr("Decide to abort"), tr("and tell everybody"), "Abort"))
        if state == "uncertain":
            for each in arrived(now, process, "Commit", "Abort"):
                told = tr("commit") if each["label"] == "Commit" else tr("abort")
                title = tr("Do as {sender} says: {decision}", sender=each["from"], decision=told)
                found.append(Offer(f"m{each['message']}", title, head=each["label"]))
            if any(each["process"] == process and each["label"] == "Timeout" for each in now.pending):
                found.append(Offer("ask", tr("Ask the others for the decision"), head="DecisionReq"))
            found.append(Offer("commit", tr("Commit on my own")))
            found.append(Offer("abort", tr("Abort on my own")))
        for each in arrived(now, process, "DecisionReq"):
            title = tr("Answer the question of {sender}", sender=each["from"])
            found.append(Offer(f"m{each['message']}", title, tr("do you know the decision?"), "DecisionReq"))
        if found:
            found.append(Offer("rest", tr("Wait")))
        return tuple(found)

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        return [move for process, choice in chosen(now, choices) for move in self._moves(now, process, choice)]

    def _moves(self, now: Moment, process: str, choice: Choice) -> list[Move]:
        act = choice.offer.id
        state = now.states[process]
        if act == "begin":
            return [hurry(process, "INIT")]
        if act == "yes":
            return [Move(process, each["choose"]) for each in arrived(now, process, "VoteReq")[:1]]
        if act == "no":
            asked = arrived(now, process, "VoteReq")[0]
            return [
                Move(process, {"do": "drop", "message": asked["message"]}),
                corrupt(process, "state", "aborted"),
                _say(process, str(asked["from"]), "No"),
            ]
        if act == "count":
            return [Move(process, each["choose"]) for each in arrived(now, process, *_VOTES)]
        if act == "abort" and state == "collecting":
            return [hurry(process, "Timeout")]
        if act in ("commit", "abort"):
            label, ended = ("Commit", "committed") if act == "commit" else ("Abort", "aborted")
            found = [corrupt(process, "state", ended)]
            if state == "collecting":
                found += [_say(process, str(q), label) for q in now.network.neighbours(process)]
            return found
        if act == "ask":
            return [hurry(process, "Timeout")]
        return [
            Move(process, each["choose"]) for each in arrived(now, process) if f"m{each['message']}" == act
        ]  # fmt: skip

    def own(self, now: Moment) -> list[Move]:
        """Let the coordinator crash in the second act, once all have been asked."""
        if now.experiment.name != _CRASHES:
            return []
        return [
            Move("", {"do": "crash", "process": p}) for p in now.network.initiators
            if now.states[p] == "collecting" and p not in now.crashed and p not in now.been_down
        ]  # fmt: skip

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        if process in after.crashed:
            return Happened(tr("You have crashed: nobody learns what you know."))
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused))
        act = "" if choice is None else choice.offer.id
        state, now = before.states[process], after.states[process]
        if act == "begin":
            return Happened(tr("You asked everybody to vote."), True)
        if act == "yes":
            return Happened(tr("You voted yes: from now on you depend on the coordinator."), True)
        if act == "no":
            return Happened(tr("You voted no, which is already a decision: you have aborted."), True)
        if act == "count":
            return Happened(_COUNTED.get(now, tr("You counted the votes; some are still missing.")), True)
        if act == "commit" and state == "collecting":
            return Happened(tr("You decided to commit before you had counted a yes from everybody: somebody may have"
                               " voted no and aborted."), False)  # fmt: skip
        if act == "abort" and state == "collecting":
            return Happened(tr("You decided to abort without waiting for all votes; that is always safe."), True)
        if act == "commit":
            return Happened(tr("You committed on your own, though the others may abort."), False)
        if act == "abort":
            return Happened(tr("You aborted on your own after a yes, though the others may commit."), False)
        if act == "ask":
            return Happened(tr("You asked everybody whether they know the decision."), True)
        if act.startswith("m"):
            return Happened(_DECIDED.get(now, tr("You do not know the decision either.")), True)
        return Happened(tr("You waited."))

    def measure(self, now: Moment) -> float | None:
        return sum(now.states[p] == "uncertain" for p in now.processes)


_STATES = {
    "initial": tr("You have not voted."),
    "collecting": tr("You are collecting the votes."),
    "uncertain": tr("You have voted yes, and do not know the decision."),
    "committed": tr("You have committed."),
    "aborted": tr("You have aborted."),
}
_COUNTED = {
    "committed": tr("Everybody has voted yes: you decided to commit, and told everybody."),
    "aborted": tr("Somebody has voted no: you decided to abort, and told everybody."),
}
_DECIDED = {
    "committed": tr("The decision is to commit; you have committed."),
    "aborted": tr("The decision is to abort; you have aborted."),
}


def _say(process: str, to: str, label: str) -> Move:
    return Move(process, {"do": "inject", "link": [process, to], "label": label})
