"""What several games need: the events at a process, and the moves that make them happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lydian.classroom.games.game import Choice, Moment, Move, is_here
from lydian.language import tr

__all__ = ["arrived", "beginnings", "chosen", "command", "corrupt", "curve", "hurry", "listed", "size", "started"]


def arrived(now: Moment, process: str, *labels: str) -> list[Mapping[str, Any]]:
    """Return the events that wait at a process and can be chosen, all of them or those with these labels."""
    return [
        each for each in now.pending
        if each["process"] == process and each["choose"] is not None and is_here(each, now.time)
        and (not labels or each["label"] in labels)
    ]  # fmt: skip


def started(now: Moment, process: str) -> bool:
    """Return whether a process has begun, or need not begin."""
    return not arrived(now, process, "INIT")


def hurry(process: str, label: str) -> Move:
    """Return the move that lets a pending timer or start happen."""
    return Move(process, {"do": "hurry", "process": process, "label": label})


def command(process: str, label: str, **fields: Any) -> list[Move]:
    """Return the moves that give a command to a process which a person plays: it arrives, and is carried out."""
    what = {"process": process, "label": label, **({"fields": fields} if fields else {})}
    return [Move(process, {"do": "command", **what}), Move(process, {"do": "hurry", **what})]


def beginnings(now: Moment) -> list[Move]:
    """Return the moves with which the processes that people play begin, where the players have no choice."""
    return [hurry(process, "INIT") for process in now.processes if not started(now, process)]


def corrupt(process: str, variable: str, value: Any) -> Move:
    """Return the move that overwrites a variable."""
    return Move(process, {"do": "corrupt", "process": process, "variable": variable, "value": value})


def curve(title: str, unit: str, goal: int | None, words: str) -> Mapping[str, Any]:
    """Return what is said about the curve of a game."""
    return {"title": title, "unit": unit, "goal": goal, "words": words}


def chosen(now: Moment, choices: Mapping[str, Choice]) -> Iterator[tuple[str, Choice]]:
    """Return the choices in the order of the processes."""
    return ((process, choices[process]) for process in now.processes if process in choices)


def listed(names: Any) -> str:
    """Return names in a sentence: "1, 2 and 3"."""
    *first, last = [str(each) for each in names]
    return tr("{several} and {last}", several=", ".join(first), last=last) if first else last


def size(players: int, least: int, most: int) -> int:
    """Return the number of processes for a number of players."""
    return max(least, min(most, players))
