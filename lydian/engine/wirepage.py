"""The guide's page about the channel, made from :mod:`lydian.engine.wire`: ``python -m lydian.engine.wirepage``."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from pathlib import Path

from lydian.engine import pending, wire
from lydian.model.interventions import KINDS as DEEDS

__all__ = ["page"]

#: Frames that a client sends; the others come from the simulator, and three go both ways.
_FROM_CLIENT = ("request", "search", "batch", "pace", "interact", "stop")
_BOTH = ("hello", "bye")
_TYPES = {"int": "whole number", "float": "number", "str": "text", "bool": "true or false", "None": "null"}


def page() -> str:
    """The page, in Markdown."""
    first, second = _parts(wire.__doc__ or "")
    listed = ", ".join(f"`{name}`" for name in DEEDS)
    parts = [
        "# The channel",
        "The simulator is a program of its own: `python -m lydian.engine.serve` reads what is asked of it from "
        "standard input and writes what happens to standard output. The window is one client of it, and yours can "
        "be another. This page is made from the program; in Python, `lydian.engine.client.Client` speaks it for you.",
        first,
        second,
        "## What can be said",
        *(_frame(cls) for cls in wire.KINDS.values()),
        "## What can be done",
        f"`what` of an `interact` is an intervention as in an experiment file, without its time. Its `do` is one of "
        f"{listed}; `lydian run FILE` carries out the same from the file.",
        "## What may happen next",
        "\n\n".join(_parts(pending.__doc__ or "")),
        "## What goes wrong",
        "A simulator that is killed closes its output in the middle: what was told until then is the beginning of the "
        "run, event for event. One whose protocol fails says `result` with the sentence in `error`, then `bye`. One "
        "that cannot be interrupted ends itself by SIGPROF or SIGALRM; the last lines of its standard error say in "
        "which line of the protocol it was. What a protocol prints goes to standard error.",
    ]
    return "\n\n".join(part.strip() for part in parts).replace("see `pending` for their keys", "see below") + "\n"


def _parts(doc: str) -> tuple[str, str]:
    """A docstring as Markdown, up to and including its example, and the rest."""
    text = re.sub(r":\w+:`(?:~?[\w.]*\.)?(\w+)`", lambda found: _value(found[1]), inspect.cleandoc(doc))
    text = re.sub(r"``(.+?)``", r"`\1`", text)
    before, _, rest = text.partition("::\n")
    lines = rest.split("\n")
    end = next((at for at, line in enumerate(lines) if line and not line.startswith(" ")), len(lines))
    example = "\n".join(line[4:] for line in lines[:end]).strip()
    head = f"{_flowing(before)}:\n\n```text\n{example}\n```"
    return head, _flowing("\n".join(lines[end:]))


#: What the names of constants stand for in the text.
_STANDS = {"MOST_BYTES": f"{wire.MOST_BYTES:,} bytes", "ROW": "the columns of a trace"}
#: What the docstrings of the classes leave to the text above them.
_MORE = {
    "hello": {"version": f"of this format: {wire.VERSION}", "program": "its name and version"},
    "pace": {"to": "rounds", "linger": "null leaves it as it is", "until": "simulated time", "steps": "steps in all"},
    "interact": {"id": "any number, by which the answer is known", "seen": "rounds", "what": "see below"},
    "round": {
        "round": "rounds that are done", "first": "number of the first of these events", "count": "how many they are",
        "rows": "the events, in base64", "details": "pairs of an event's number and its JSON text",
        "labels": "classes of messages, timers and commands, if there are new ones", "states": "with the first round",
        "processes": "with the first round",
    },
    "pending": {"round": "rounds that are done", "total": "how many are enabled", "events": "see below"},
    "answer": {
        "id": "of the interaction", "accepted": "whether it was carried out", "reason": "why not, in a sentence",
        "round": "in which it was decided", "intervention": "as the experiment keeps it",
    },
    "result": {"result": "of the run", "experiment": "run again, it gives the same"},
    "error": {"text": "the sentence", "exit_code": "that of `lydian run`, if it ends here"},
    "bye": {"reason": "how the run stopped"},
}  # fmt: skip


def _flowing(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _value(name: str) -> str:
    """What a name of the module stands for."""
    return _STANDS.get(name, f"`{name}`")


def _frame(cls: type[wire.Frame]) -> str:
    """A frame: who says it, what it means, and its fields."""
    doc = inspect.cleandoc(cls.__doc__ or "")
    about, _, said = doc.partition("\n\nArgs:\n")
    if cls.kind in _BOTH:
        whose = "either side"
    else:
        whose = "the client" if cls.kind in _FROM_CLIENT else "the simulator"
    lines = [f"### {cls.kind}", f"From {whose}. {_marked(about)}"]
    told = {**_MORE.get(cls.kind, {}), **_told(said)}
    if fields(cls):
        rows = ["| field | is | if left out | means |", "| --- | --- | --- | --- |"]
        for each in fields(cls):
            default = "needed"
            if each.default is not MISSING:
                default = _written(each.default)
            elif each.default_factory is not MISSING:
                default = "empty"
            rows.append(f"| `{each.name}` | {_type(str(each.type))} | {default} | {told[each.name]} |")
        lines.append("\n".join(rows))
    return "\n\n".join(lines)


def _written(value: object) -> str:
    """A default as JSON has it."""
    return "empty" if value == "" else "null" if value is None else str(value).lower()


def _told(said: str) -> dict[str, str]:
    """What the docstring says about each field."""
    found: dict[str, str] = {}
    for part in re.split(r"\n(?=    \w+(?:, \w+)*: )", "\n" + said):
        name, _, text = part.strip().partition(":")
        for other in name.split(","):
            found[other.strip()] = _marked(text).rstrip(".")
    for text in list(found.values()):  # "time: ...; next: ..." in one line
        found.update(re.findall(r"; `(\w+)`: (.+)$", text))
    return {name: re.sub(r"; `\w+`: .+$", "", text) for name, text in found.items()}


def _marked(text: str) -> str:
    text = re.sub(r":\w+:`~?[\w.]*?(\w+)`", r"`\1`", text)
    return re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split())).replace("`None`", "null").replace("|", "\\|")


def _type(text: str) -> str:
    words = [_TYPES.get(part.strip(), re.sub(r"\[.*", "", part.strip())) for part in text.split("|")]
    return " or ".join({"dict": "object", "list": "list"}.get(word, word) for word in words)


if __name__ == "__main__":
    target = Path(__file__).resolve().parents[2] / "resources" / "guide" / "channel.md"
    target.write_text(page(), encoding="utf-8")
