"""What somebody does to a run in the words of an Edit menu: ``crash 3``, ``cut 3 links``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["deed"]

#: Of each intervention: what is done, and what it is done to, one or several.
_WORDS = {
    "crash": ("crash", "{process}", "processes"),
    "recover": ("recover", "{process}", "processes"),
    "link_down": ("cut", "{link}", "links"),
    "link_up": ("restore", "{link}", "links"),
    "partition": ("partition", "{groups}", "partitions"),
    "heal": ("heal", "the partition", "partitions"),
    "drop": ("drop", "{message}", "messages"),
    "delay": ("delay", "{message}", "messages"),
    "duplicate": ("duplicate", "{message}", "messages"),
    "inject": ("inject", "{label} {link}", "messages"),
    "corrupt": ("corrupt", "{variable} of {process}", "variables"),
    "scramble": ("scramble", "{process}", "processes"),
    "wake": ("wake", "{process}", "processes"),
    "command": ("command", "{label} at {process}", "commands"),
    "deliver": ("deliver", "{message}", "messages"),
    "hurry": ("hurry", "{label} at {process}", "events"),
    "edit": ("change", "{message}", "messages"),
    "retime": ("change the time of", "{link}{process}", "parts"),
    "take_over": ("take over", "{process}", "processes"),
    "release": ("give back", "{process}", "processes"),
    "byzantine": ("make", "{process} lie", "processes lie"),
    "honest": ("make", "{process} honest", "processes honest"),
    "fire": ("execute", "{label} at {process}", "rules"),
}


def deed(what: Sequence[Mapping[str, Any]]) -> str:
    """Words for one gesture.

    Args:
        what: its interventions, as in a file, with or without times.
    """
    if not what:
        return "interfere"
    first = what[0]
    verb, one, many = _WORDS.get(str(first.get("do")), ("interfere with", "{process}{link}", "parts"))
    alike = [each for each in what if each.get("do") == first.get("do")]
    if len(alike) > 1:
        return f"{verb} {len(alike)} {many}"
    link = first.get("link") or ""
    link = link if isinstance(link, str) else "-".join(link)
    label, message = first.get("label") or "", first.get("message")
    thing = f"{label or 'message'} {message}" if message is not None else f"{label or 'message'} {link}".strip()
    groups = " | ".join(", ".join(map(str, group)) for group in first.get("groups") or ())
    words = one.format(
        groups=groups, process=first.get("process") or "",
        link=link, label=label, message=thing, variable=first.get("variable") or ""
    )
    return f"{verb} {words}".strip()
