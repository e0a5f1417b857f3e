"""What became of an interaction, and all that was done to an execution in its order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lydian.model.intervention import Intervention

__all__ = ["Answer", "merged"]


def merged(known: Iterable[Intervention], done: Iterable[Intervention]) -> tuple[Intervention, ...]:
    """The interventions of an experiment and what was done to its execution, in the order in which they happened.

    What was done between two rounds came before whatever was planned for the same moment.
    """
    known, done = tuple(known), tuple(done)
    timed = sorted((each for each in (*done, *known) if each.after is None), key=lambda each: each.time)
    numbered = sorted((each for each in (*known, *done) if each.after is not None), key=lambda each: each.after or 0)
    return (*timed, *numbered)


@dataclass(frozen=True)
class Answer:
    """What became of an interaction that was offered between rounds.

    Attributes:
        accepted: whether it became an intervention of the experiment.
        reason: why not, in a sentence; "" if accepted.
        round: the round at whose beginning it was decided.
        intervention: the record with its time, if accepted.
    """

    accepted: bool
    reason: str
    round: int
    intervention: Intervention | None
