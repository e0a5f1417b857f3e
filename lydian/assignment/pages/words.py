"""The sentences of the pages: what is right, what is wrong, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

__all__ = [
    "Mistake",
    "amount",
    "day",
    "failing",
    "handed_in",
    "joined",
    "loses",
    "mistakes",
    "points",
    "quoted",
    "right",
    "said",
    "shortest",
    "summary",
    "uncaught",
    "verdict",
    "whole",
]  # fmt: skip

Result = Mapping[str, Any]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True)
class Mistake:
    """Checks that fail alike, so probably for one reason.

    Attributes:
        check: the check whose failure is shown: the one with the shortest run, a public one if there are several.
        others: the other checks, in their order.
        lost: the points that all of them cost.
    """

    check: Result
    others: tuple[Result, ...]
    lost: float

    @property
    def failure(self) -> Result:
        """The failure that is shown."""
        failure: Result = self.check["failure"]
        return failure


def mistakes(result: Result) -> list[Mistake]:
    """Return what is wrong with a hand-in, what costs most first."""
    groups: dict[Any, list[Result]] = {}
    for number, check in enumerate(result["checks"]):
        if failing(check):
            groups.setdefault(check["failure"].get("alike") or number, []).append(check)
    found = []
    for checks in groups.values():
        first = min(checks, key=_telling)
        others = tuple(check for check in checks if check is not first)
        found.append(Mistake(first, others, round(sum(check["most"] - check["points"] for check in checks), 6)))
    return sorted(found, key=lambda mistake: -mistake.lost)


#: How the end of a run is told in short, and in a sentence about a hand-in.
_TOLD = {
    "Violated: ": "“{what}” does not hold.", "Not reached: ": "“{what}” is not reached.",
    "Stuck: ": "The run gets stuck: {what}.",
}  # fmt: skip


def said(sentence: str) -> str:
    """Return what a failing run shows as a whole sentence."""
    for short, long in _TOLD.items():
        if sentence.startswith(short):
            return long.format(what=sentence.removeprefix(short).rstrip("."))
    return whole(sentence.removeprefix("Failed: "))


def failing(check: Result) -> bool:
    """Return True if a check shows a failure."""
    return bool(check.get("failure"))


def loses(check: Result) -> bool:
    """Return True if a check costs points; one that waits for a person's marks does not."""
    return check["state"] != "open" and float(check["points"]) < float(check["most"])


def _telling(check: Result) -> tuple[bool, int, bool]:
    """Return a sort key that puts first the check whose failure is easiest to understand."""
    failure = check["failure"]
    return not failure.get("run"), int((failure.get("after") or {}).get("events") or 1_000_000), bool(check["hidden"])


def summary(result: Result) -> tuple[str, str, str]:
    """Return the summary of a result: what is right, the beginning of what is wrong (to be set in bold), and the rest.

    Each may be empty.
    """
    if result["state"] != "marked":
        reason = str(result.get("reason") or "no reason is known").rstrip(".")
        return "", "Your protocol does not run:", f"{reason}."
    checks = list(result["checks"])
    good = right(checks)
    found, missing = mistakes(result), uncaught(checks)
    rest = [*_stopped(checks), *([missing] if missing else []), *_answers(checks), *_open(checks)]
    if not found and not rest and good:
        have = f"all {points(result['most'])} points" if _full(result) else "all points of the checks"
        return good, "Nothing is wrong:", f"you have {have}."
    if not found:
        return good, "", " ".join(rest) or "No check was made."
    first = found[0]
    hint = str(first.check.get("hint") or "").strip()
    sentence = said(str(first.failure.get("sentence") or first.check["title"]))
    if len(found) == 1:
        begin = "One thing is wrong:"
    else:
        begin = f"{_number(len(found)).capitalize()} things are wrong. The one that costs most:"
    return good, begin, " ".join(part for part in (sentence, whole(hint), *rest) if part)


def right(checks: Sequence[Result]) -> str:
    """Return what is right, as one sentence; empty if nothing is."""

    def of_kind(*kinds: str) -> list[Result]:
        return [check for check in checks if check["state"] == "full" and check["kind"] in kinds]

    parts = []
    if of_kind("runs"):
        parts.append("your protocol runs")
    holds = of_kind("property", "schedules")
    if holds:
        parts.append(f"{quoted(check['title'] for check in holds)} {'holds' if len(holds) == 1 else 'hold'}")
    if of_kind("formula"):
        parts.append("it has the expected cost" if of_kind("runs") else "your protocol has the expected cost")
    scenes = len(of_kind("scenario"))
    if scenes == 1:
        parts.append("the scenario ends as expected")
    elif scenes:
        parts.append(f"{_number(scenes)} scenarios end as expected")
    if of_kind("mutants"):
        parts.append("your properties catch every planted mistake")
    answers = len(of_kind("question"))
    if answers:
        parts.append("your answer is right" if answers == 1 else f"{_number(answers)} answers are right")
    text = joined(parts)
    return whole(text) if text else ""


def uncaught(checks: Sequence[Result]) -> str:
    """Return how many planted mistakes the student's properties miss; empty if none."""
    checks = [check for check in checks if check["kind"] == "mutants" and check["state"] in ("partly", "failed")]
    missed = sum(len(check.get("missed") or ()) for check in checks)
    if not missed:
        return ""
    of = sum(int(check.get("of") or 0) for check in checks)
    return f"Your properties miss {missed} of {amount(max(of, missed), 'planted mistake')}."


def _stopped(checks: Sequence[Result]) -> list[str]:
    stopped = [check for check in checks if check["state"] == "stopped"]
    if not stopped:
        return []
    if len(stopped) > 1:
        return [f"{quoted(check['title'] for check in stopped)} were stopped before they ended."]
    words = str(stopped[0]["words"]).rstrip(".")
    words = words if words.startswith("stopped ") else f"stopped: {words}"
    return [f"{quoted([stopped[0]['title']])} was {words}."]


def _answers(checks: Sequence[Result]) -> list[str]:
    wrong = sum(check["kind"] == "question" and check["state"] in ("partly", "failed") for check in checks)
    if not wrong:
        return []
    return ["One answer is not right." if wrong == 1 else f"{_number(wrong).capitalize()} answers are not right."]


def _open(checks: Sequence[Result]) -> list[str]:
    written = sum(check["state"] == "open" and check["kind"] == "written" for check in checks)
    unanswered = sum(check["state"] == "open" and check["kind"] != "written" for check in checks)
    found = []
    if unanswered:
        found.append("One question is not answered." if unanswered == 1
                     else f"{_number(unanswered).capitalize()} questions are not answered.")  # fmt: skip
    if written:
        found.append("One answer will be marked by a person." if written == 1
                     else f"{_number(written).capitalize()} answers will be marked by a person.")  # fmt: skip
    return found


def _full(result: Result) -> bool:
    return abs(float(result["points"]) - float(result["most"])) < 1e-9


def shortest(failure: Result) -> str:
    """Return the sizes of a failing run before and after it was shortened; empty if they are unknown."""
    after, before = failure.get("after") or {}, failure.get("before") or {}
    if not after.get("events"):
        return ""
    size = f"{amount(after['processes'], 'process')}, {amount(after['events'], 'event')}"
    if not before.get("events") or before["events"] == after["events"]:
        return f"This run shows it: {size}."
    found = "The shortest run that shows it" if failure.get("complete") else "The shortest run found so far"
    was = amount(before["events"], "event")
    if before["processes"] != after["processes"]:
        was = f"{amount(before['processes'], 'process')} and {was}"
    return f"{found}: {size}. It comes from a run with {was}."


def handed_in(result: Result, due: str | None) -> str:
    """Return when a hand-in arrived and whether that was late; empty if nothing is known.

    Args:
        due: when it was due, if there was a deadline.
    """
    late, when = result.get("late") or {}, day(result["handed_in"]) if result.get("handed_in") else ""
    told = f"handed in on {when}" if when else ""
    hours = float(late.get("hours") or 0)
    if hours <= 0:
        return f"{told}, on time" if told and due else told
    lost = float(late.get("lost") or 0)
    less = f": {points(lost)} {'point' if lost == 1 else 'points'} less" if lost else ""
    return f"{told + ',' if told else 'handed in'} {_duration(hours)} late{less}"


def _duration(hours: float) -> str:
    if hours < 1:
        return amount(max(1, round(hours * 60)), "minute")
    if hours < 48:
        return amount(int(hours), "hour")
    return amount(int(hours // 24), "day")


def day(text: str, short: bool = False) -> str:
    """Return a date and time in words: "Thursday, 26 November, 17:42"; as it is if it is not one."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text
    date = f"{when.day} {_MONTHS[when.month - 1]}"
    return f"{date}, {when:%H:%M}" if short else f"{_DAYS[when.weekday()]}, {date}, {when:%H:%M}"


def verdict(check: Result) -> str:
    """Return the state of a check in one word, for the mark before it."""
    return {
        "full": "right", "partly": "partly right", "failed": "wrong", "stopped": "stopped", "open": "open",
    }.get(str(check["state"]), "open")  # fmt: skip


def points(value: float) -> str:
    """Return points with at most one digit after the point."""
    return f"{value:.1f}".removesuffix(".0")


def amount(count: int, noun: str) -> str:
    """Return a number with its noun."""
    many = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def joined(parts: Sequence[str]) -> str:
    """Return parts of a sentence with commas, and "and" before the last."""
    if len(parts) <= 2:
        return " and ".join(parts)
    return ", ".join(parts[:-1]) + f", and {parts[-1]}"


def quoted(titles: Any) -> str:
    """Return titles in quotation marks, joined."""
    names = [f"“{title}”" for title in titles]
    return " and ".join(names) if len(names) <= 2 else ", ".join(names[:-1]) + f" and {names[-1]}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def whole(text: str) -> str:
    """Return a text as a sentence, with a capital letter and a full stop."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")
