"""Generate the guide's page on the channel from :mod:`lydian.engine.wire`: ``python -m lydian.engine.wirepage``."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from pathlib import Path

from lydian.engine import pending, wire
from lydian.model.interventions import KINDS as DEEDS

__all__ = ["page"]

#: The frames that a client sends; two are sent by either side, and all others by the simulator.
_FROM_CLIENT = {
    "request", "search", "shorten", "witness", "play", "look", "batch", "mark", "grade", "programs", "watch", "pace",
    "interact",
    "stop",
}  # fmt: skip
_BOTH = ("hello", "bye")
_TYPES = {"int": "whole number", "float": "number", "str": "text", "bool": "true or false", "None": "null"}


def page() -> str:
    """Return the page, in Markdown."""
    first, second = _parts(wire.__doc__ or "")
    listed = ", ".join(f"`{name}`" for name in DEEDS)
    parts = [
        "# The channel",
        "After this page you can write a program that starts runs, observes them and interferes with them. The "
        "simulator is a separate program: `python -m lydian.engine.serve` reads requests from standard input and "
        "reports to standard output what happens. The window is one of its clients, and your program can be another. "
        "In Python, `lydian.engine.client.Client` handles the format for you. This page is generated from the program.",
        first,
        second,
        "## The frames",
        *(_frame(cls) for cls in wire.KINDS.values()),
        "## Interventions",
        f"The `what` of an `interact` frame is an intervention as in an experiment file, without its time. Its `do` is "
        f"one of {listed}; `lydian run FILE` makes the same interventions from the file.",
        "## Enabled events",
        "\n\n".join(_parts(pending.__doc__ or "")),
        "## When something fails",
        "If the simulator is killed, its output ends abruptly; the frames up to there contain the beginning of the "
        "run, event for event. If the protocol fails, the simulator sends `result` with the sentence in `error`, then "
        "`bye`. A simulator that cannot be interrupted ends itself by SIGPROF or SIGALRM; the last lines of its "
        "standard error name the line of the protocol that it was executing. The output of `print` in a protocol goes "
        "to standard error.",
        "The [glossary](glossary.md) explains all terms.",
    ]
    return "\n\n".join(part.strip() for part in parts).replace("see `pending` for their keys", "see below") + "\n"


def _parts(doc: str) -> tuple[str, str]:
    """Return a docstring as Markdown in two parts: up to and including its example, and the rest."""
    text = re.sub(r":\w+:`(?:~?[\w.]*\.)?(\w+)`", lambda found: _value(found[1]), inspect.cleandoc(doc))
    text = re.sub(r"``(.+?)``", r"`\1`", text)
    before, _, rest = text.partition("::\n")
    lines = rest.split("\n")
    end = next((at for at, line in enumerate(lines) if line and not line.startswith(" ")), len(lines))
    example = "\n".join(line[4:] for line in lines[:end]).strip()
    head = f"{_flowing(before)}:\n\n```text\n{example}\n```"
    return head, _flowing("\n".join(lines[end:]))


#: The text that replaces the name of a constant.
_STANDS = {"MOST_BYTES": f"{wire.MOST_BYTES:,} bytes", "ROW": "the columns of a trace"}
#: The meaning of the fields that the docstrings of the classes do not explain.
_MORE = {
    "hello": {"version": f"the version of the format: {wire.VERSION}", "program": "the sender's name and version"},
    "pace": {
        "to": "the number of rounds; null to run on", "linger": "null to leave it unchanged",
        "until": "the simulated time", "steps": "the total number of steps",
    },
    "interact": {
        "id": "a number of your choice, which the answer repeats",
        "seen": "the number of rounds that the sender had seen",
        "what": "the intervention, without its time; see below",
    },
    "round": {
        "round": "the number of rounds that are done", "first": "the number of the first of these events",
        "count": "the number of these events", "rows": "the events, in base64",
        "details": "pairs of an event's number and its JSON text",
        "labels": "the classes of messages, timers and commands, if there are new ones",
        "states": "the states, in the first round", "processes": "the processes, in the first round",
    },
    "pending": {
        "round": "the number of rounds that are done", "total": "the number of all enabled events",
        "events": "the enabled events; see below",
    },
    "answer": {
        "id": "the number of the interaction", "accepted": "whether the intervention was made",
        "reason": "the reason why it was not made, in a sentence", "round": "the round in which this was decided",
        "intervention": "the intervention as the experiment keeps it",
    },
    "result": {"result": "the result itself"},
    "error": {"text": "the sentence", "exit_code": "the exit code of `lydian run`, if the session ends here"},
    "bye": {"reason": "how the run ended"},
}  # fmt: skip


def _flowing(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _value(name: str) -> str:
    """Return the text that replaces a name of the module."""
    return _STANDS.get(name, f"`{name}`")


def _frame(cls: type[wire.Frame]) -> str:
    """Return the section on a frame: its meaning, its sender and its fields."""
    doc = inspect.cleandoc(cls.__doc__ or "")
    about, _, said = doc.partition("\n\nArgs:\n")
    if cls.kind in _BOTH:
        whose = "either side"
    else:
        whose = "the client" if cls.kind in _FROM_CLIENT else "the simulator"
    lines = [f"### {cls.kind}", f"{_marked(about)} Sent by {whose}."]
    told = {**_MORE.get(cls.kind, {}), **_told(said)}
    if fields(cls):
        rows = ["| field | type | default | meaning |", "| --- | --- | --- | --- |"]
        for each in fields(cls):
            default = "required"
            if each.default is not MISSING:
                default = _written(each.default)
            elif each.default_factory is not MISSING:
                default = "empty"
            rows.append(f"| `{each.name}` | {_type(str(each.type))} | {default} | {told[each.name]} |")
        lines.append("\n".join(rows))
    return "\n\n".join(lines)


def _written(value: object) -> str:
    """Return a default as it is written in JSON."""
    return "empty" if value == "" else "null" if value is None else str(value).lower()


def _told(said: str) -> dict[str, str]:
    """Return the meaning of each field that the docstring explains."""
    found: dict[str, str] = {}
    for part in re.split(r"\n(?=    \w+(?:, \w+)*: )", "\n" + said):
        name, _, text = part.strip().partition(":")
        for other in name.split(","):
            found[other.strip()] = _marked(text).rstrip(".")
    return found


def _marked(text: str) -> str:
    text = re.sub(r":\w+:`~?[\w.]*?(\w+)`", r"`\1`", text)
    return re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split())).replace("`None`", "null").replace("|", "\\|")


def _type(text: str) -> str:
    words = [_TYPES.get(part.strip(), re.sub(r"\[.*", "", part.strip())) for part in text.split("|")]
    return " or ".join({"dict": "object", "list": "list"}.get(word, word) for word in words)


if __name__ == "__main__":
    target = Path(__file__).resolve().parents[2] / "resources" / "guide" / "channel.md"
    target.write_text(page(), encoding="utf-8")
