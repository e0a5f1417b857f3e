"""The assumptions of a protocol in words: the switch of each, and the findings of a search for a witness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydian.language import tr, translated, trc, trn
from lydian.model.protocol.properties import Need
from lydian.views.words.words import plural

__all__ = ["answer", "controlled", "looking", "reason", "timeless", "title", "without"]


def title(need: Need) -> str:
    """Return an assumption as a short sentence: ``Links keep the order``."""
    if need.title:
        words = translated(need.title, "need")
        return words if need.bound is None else words.format_map(need.bound.words)
    sentence = translated(need.sentence)
    return f"{sentence[:1].upper()}{sentence[1:]}"


def without(need: Need) -> str:
    """Return what may happen without an assumption: ``messages overtake each other``; "" if nothing is known."""
    return "" if need.breach is None else translated(need.breach.without, "without")


def answer(found: Mapping[str, Any]) -> tuple[str, str]:
    """Return the verdict about an assumption in one or two words, and the reason for it as a clause.

    Args:
        found: the fields of an :class:`~lydian.engine.witness.search.Answer`.
    """
    verdict = found["verdict"]
    if verdict == "needed":
        return trc("verdict about an assumption", "needed"), _fails(found)
    if verdict == "unneeded":
        return trc("verdict about an assumption", "not needed"), _nothing_fails(found)
    if verdict == "fixed":
        return trc("verdict about an assumption", "fixed"), tr("the simulator itself relies on it")
    return trc("verdict about an assumption", "open"), _nothing_found(found)


def reason(found: Mapping[str, Any]) -> str:
    """Return further details of an answer as a sentence, for a tip; "" if there are none."""
    why = str(found.get("why") or "")
    return why if found["verdict"] == "needed" and found["kind"] in ("error", "nothing") else ""


def looking(progress: Mapping[str, Any]) -> str:
    """Return how far a search is: ``looking: 12,000 configurations, 3 processes``."""
    count, runs = int(progress.get("configurations", 0)), int(progress.get("runs", 0))
    done = plural(runs, "random run") if runs else plural(count, "configuration")
    processes = int(progress.get("processes", 0))
    if not progress:
        return tr("waits for its turn")
    if not processes:
        return tr("looking for a run that fails…")
    return tr("looking: {work}, {processes}", work=done, processes=plural(processes, "process"))


def controlled(processes: int, configurations: int) -> str:
    """Return what was proved with all assumptions met; "" if nothing was."""
    if not configurations:
        return ""
    return tr(
        "With all of them on, nothing fails in {configurations} of at most {processes}. This says nothing about "
        "more processes.",
        configurations=plural(configurations, "configuration"), processes=plural(processes, "process"),
    )  # fmt: skip


def timeless(configurations: int) -> str:
    """Return that bounded delays and equal speeds are not needed, which every exploration shows."""
    return tr(
        "Bounded delays and equal speeds are not needed: messages took any time, events came in any order, and "
        "nothing failed in {configurations}.",
        configurations=plural(configurations, "configuration"),
    )  # fmt: skip


def _fails(found: Mapping[str, Any]) -> str:
    kind, name, steps, loop = found["kind"], found["name"], int(found["steps"]), found.get("loop")
    if kind == "nothing":
        return tr("nothing ever happens")
    if found.get("drawn"):
        return _fails_at_random(kind, name, steps)
    if kind == "error":
        return trn("an action fails after {count:,} step", "an action fails after {count:,} steps", steps)
    if kind == "eventually" and loop is not None:
        return tr("“{property}” may never come true; step {step:,} and those after it repeat", property=name,
                  step=int(loop) + 1)  # fmt: skip
    if kind == "eventually":
        return trn(
            "“{property}” does not come true; nothing is left to do after {count:,} step",
            "“{property}” does not come true; nothing is left to do after {count:,} steps", steps, property=name,
        )  # fmt: skip
    if kind == "at_end":
        return trn(
            "“{property}” does not hold when nothing is left to do after {count:,} step",
            "“{property}” does not hold when nothing is left to do after {count:,} steps", steps, property=name,
        )  # fmt: skip
    if not steps:
        return tr("“{property}” does not hold from the beginning", property=name)
    return trn(
        "“{property}” does not hold after {count:,} step", "“{property}” does not hold after {count:,} steps", steps,
        property=name,
    )  # fmt: skip


def _fails_at_random(kind: str, name: str, events: int) -> str:
    if kind == "error":
        return trn(
            "an action fails in a run of {count:,} event", "an action fails in a run of {count:,} events", events
        )
    return trn(
        "“{property}” does not hold in a run of {count:,} event",
        "“{property}” does not hold in a run of {count:,} events", events, property=name,
    )  # fmt: skip


def _nothing_fails(found: Mapping[str, Any]) -> str:
    count, processes = int(found["configurations"]), int(found["processes"])
    values = {"configurations": plural(count, "configuration"), "processes": plural(processes, "process")}
    if not found["runs"]:
        return tr("without it nothing fails in {configurations} of at most {processes}", **values)
    return tr(
        "without it nothing fails in {configurations} of at most {processes}, nor in {runs}", **values,
        runs=plural(int(found["runs"]), "random run"),
    )  # fmt: skip


def _nothing_found(found: Mapping[str, Any]) -> str:
    runs, count = int(found["runs"]), int(found["configurations"])
    if runs and count:
        return tr(
            "no failing run in {configurations} and {runs}; that proves nothing",
            configurations=plural(count, "configuration"), runs=plural(runs, "random run"),
        )  # fmt: skip
    if runs:
        return trn(
            "no failing run in {count:,} random run; that proves nothing",
            "no failing run in {count:,} random runs; that proves nothing", runs,
        )  # fmt: skip
    if count:
        return tr(
            "no failing run in {configurations}, which are not all; that proves nothing",
            configurations=plural(count, "configuration"),
        )  # fmt: skip
    return tr("nothing could be tried: {reason}", reason=found["why"]) if found["why"] else tr("nothing could be tried")
