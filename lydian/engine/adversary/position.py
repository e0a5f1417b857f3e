"""The records of a game: a choice, a position, and what the search has found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Choice", "Known", "Position"]


@dataclass(frozen=True)
class Choice:
    """A choice: an event that may happen next, or a fault that the budget permits.

    Attributes:
        id: its number in the game.
        kind: ``deliver``, ``init``, ``timer``, ``command``, ``rules``, ``crash``, ``loss``, ``lie`` or ``mute``.
        process, sender, label, fields: as in :class:`~lydian.engine.explorer.replay.Move`.
        told: for a lie, the fields that are changed and their values.
        does: what the live run has to do, without times.
        message: the number of the message; -1 if there is none.
        since: the step in which the message was sent; 0 if there is none.
        before, after: the state of the process before and after the event, if it has one process.
        sends: label and receiver of each message that is sent.
        overtakes: the label of an older message on the same channel; empty if there is none.
        dead: whether the process has crashed, so that the message is dropped.
        wins: whether the goal is reached by it.
        left: the least number of steps to the goal after it; ``None`` if there is no way within the budget, or if this
            is unknown.
    """

    id: int
    kind: str
    process: str
    sender: str = ""
    label: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)
    does: Sequence[Mapping[str, Any]] = ()
    message: int = -1
    since: int = 0
    before: str = ""
    after: str = ""
    sends: Sequence[Sequence[str]] = ()
    overtakes: str = ""
    dead: bool = False
    wins: bool = False
    left: int | None = None


@dataclass(frozen=True)
class Position:
    """A position of the game.

    Attributes:
        path: the choices that led to it.
        steps: the number of steps taken.
        crashes, losses: the number of crashes and losses of messages so far.
        won: whether the goal has been reached.
        shows: the processes that show that it has been reached, as far as that is known.
        over: whether no choice is left, as the run or the budget is at its end.
        sure: whether the search is over, so that ``left`` and the choices' are exact.
        left: the least number of steps to the goal; ``None`` if there is no way within the budget, or if unknown.
        least: what is known of this number while the search goes on: it is at least this.
        ahead, leading: the number of configurations ahead within the budget, and of those that lead to the goal.
    """

    path: Sequence[int]
    steps: int
    crashes: int
    losses: int
    won: bool
    over: bool
    sure: bool
    left: int | None
    least: int
    ahead: int
    leading: int
    choices: Sequence[Choice]
    shows: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for the channel."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Position:
        """Return the position that plain data describe."""
        choices = tuple(Choice(**each) for each in data["choices"])
        return cls(**{**data, "path": tuple(data["path"]), "choices": choices})


@dataclass(frozen=True)
class Known:
    """The findings of the search.

    Attributes:
        complete: whether all schedules were searched, regardless of the budget of steps.
        within: whether all schedules within the budget of steps were searched.
        configurations, moves: their numbers.
        goals: the number of configurations in which the goal is reached.
        least: the least number of steps from the beginning; ``None`` if no way was found.
        stopped: why the search ended, as in :class:`~lydian.engine.explorer.result.Exploration`.
        processes: the number of processes.
        seconds: the duration of the search.
    """

    complete: bool
    within: bool
    configurations: int
    moves: int
    goals: int
    least: int | None
    stopped: str
    processes: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for the channel."""
        return asdict(self)
