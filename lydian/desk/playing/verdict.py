"""The contents of the box below a goal: the hint that is shown, or how the game ended."""

from __future__ import annotations

from dataclasses import dataclass

from lydian.desk.playing.playing import Playing
from lydian.language import tr, trn

__all__ = ["Verdict", "verdict"]


@dataclass(frozen=True)
class Verdict:
    """A heading and sentences.

    Attributes:
        kind: ``good``, ``bad``, ``won``, ``proof``, ``search`` or ``advice``.
        title, text: the heading and the sentences.
        button, act: the label of its button and what the button does: ``next``, ``back`` or ``over``; empty for none.
    """

    kind: str
    title: str
    text: str = ""
    button: str = ""
    act: str = ""


def verdict(playing: Playing) -> Verdict | None:
    """Return what to say about a game now; ``None`` for nothing."""
    goal, position = playing.goal, playing.position
    if goal is None:
        return None
    if playing.strange:
        text = tr("This run contains a step that is not part of the game. Undo it, or start over.")
        return Verdict("bad", tr("Not a step of the game"), text, tr("Start over"), "over")
    if playing.won:
        used = trn("{count} step was enough.", "{count} steps were enough.", len(playing.taken))
        return Verdict("won", tr("You have done it"), f"{used} {goal.won}".strip(), tr("Next goal"), "next")
    if playing.proved and (playing.claimed or playing.hints != "none"):
        return _proof(playing)
    if position is None:
        return Verdict("search", tr("Setting up the game"))
    if playing.hints == "none":
        if position.over or playing.left == 0:
            text = tr("There is nothing left to choose, and the goal has not been reached.")
            return Verdict("bad", tr("Not this time"), text, tr("Start over"), "over")
        return None
    if not position.sure:
        return _search(playing)
    if position.left is None:
        text = _lost(playing)
        back = playing.hopeful is not None
        label = tr("Back to the last step with a way") if back else tr("Start over")
        return Verdict("bad", tr("No way is left"), text, label, "back" if back else "over")
    if playing.hints == "possible":
        return Verdict("good", tr("Still possible"), goal.hint)
    return _far(playing)


def _far(playing: Playing) -> Verdict:
    """Return how far the goal is, and whether the last step has brought it nearer."""
    position = playing.position
    assert position is not None
    assert position.left is not None
    left = position.left
    text = trn("It takes {count} more step.", "It takes {count} more steps.", left)
    title = tr("Still possible")
    before = playing.taken[-1].before if playing.taken else None
    if before is not None and before.sure and before.left is not None:
        title = tr("Still possible, and nearer") if left < before.left else tr("Still possible, but no nearer")
        text = trn(
            "It takes {count} more step; before your last one it took {before}.",
            "It takes {count} more steps; before your last one it took {before}.", left, before=before.left,
        )  # fmt: skip
    text += " " + trn(
        "Of the {all:,} configurations ahead, {count:,} still leads there.",
        "Of the {all:,} configurations ahead, {count:,} still lead there.", position.leading, all=position.ahead,
    )  # fmt: skip
    return Verdict("good", title, text)


def _search(playing: Playing) -> Verdict:
    position, known = playing.position, playing.known
    assert position is not None
    if known is not None:
        text = trn("The search gave up after {count:,} configuration.",
                   "The search gave up after {count:,} configurations.", known.configurations)  # fmt: skip
        if position.left is not None:
            most = trn("It takes at most {count} more step.", "It takes at most {count} more steps.", position.left)
            text = f"{text} {most}"
            return Verdict("good", tr("Still possible"), text)
        return Verdict("search", tr("Unknown"), text)
    text = trn("At least {count} more step", "At least {count} more steps", position.least)
    found = trn("{count:,} configuration so far", "{count:,} configurations so far", playing.searched)
    return Verdict("search", tr("Still counting"), f"{text}; {found}.")


def _lost(playing: Playing) -> str:
    left, position = playing.left, playing.position
    assert position is not None
    if left is None:
        return trn("The {count:,} configuration ahead does not reach the goal.",
                   "None of the {count:,} configurations ahead reaches the goal.", position.ahead)  # fmt: skip
    return trn("Whatever you do with the {count} step that is left, the goal is out of reach.",
               "Whatever you do with the {count} steps that are left, the goal is out of reach.", left)  # fmt: skip


def _proof(playing: Playing) -> Verdict:
    """Return the proof that the goal cannot be reached, for this number of processes."""
    known, goal = playing.known, playing.goal
    assert known is not None
    assert goal is not None
    size = trn("{count} process", "{count} processes", known.processes)
    if known.complete:
        text = tr("All {all:,} configurations of {size} were visited, and none of them reaches the goal. "
                  "This says nothing about more processes.", all=known.configurations, size=size)  # fmt: skip
    else:
        text = tr("All {all:,} configurations of {size} within {steps} steps were visited, and none of them "
                  "reaches the goal. This says nothing about more steps or processes.",
                  all=known.configurations, size=size, steps=goal.budget.steps)  # fmt: skip
    if not playing.claimed:
        return Verdict("proof", tr("This goal cannot be reached"), text, tr("I understand"), "claim")
    return Verdict("won", tr("This goal cannot be reached"), f"{text} {goal.won}".strip(), tr("Next goal"), "next")
