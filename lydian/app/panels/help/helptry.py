"""From the guide to the desk: what a word of a protocol's text is, and the experiment in which an example is tried."""

from __future__ import annotations

import re
from typing import Any

from lydian.app.panels.help.helpwords import Example
from lydian.authoring.complete import complete
from lydian.model.experiment.experiment import UNDISTURBED, Experiment, from_dict

__all__ = ["kind_of", "trial"]


def kind_of(word: str, source: str, line: int) -> str:
    """What a word of a line is, one of the kinds of :class:`lydian.authoring.complete.Completion`, or ""."""
    lines = source.split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    for place in re.finditer(rf"\b{re.escape(word)}\b", text):
        found = next((each.kind for each in complete(source, line, place.end()) if each.text == word), "")
        if found:
            return found
    return ""


def trial(found: Example, now: Experiment, protocol: str) -> dict[str, Any]:
    """The parts of an experiment that runs an example as the guide does; what the guide leaves open is as it is now.

    Args:
        now: the experiment at hand.
        protocol: where the example stands now.
    """
    given = from_dict({"name": found.name, "network": now.network, **found.experiment, "protocol": protocol})
    names = (*UNDISTURBED, "network", "timing", "stop", "daemon", "start", "parameters")
    return {**{name: getattr(given, name) for name in names}, "protocol": protocol, "animation": None, "branches": ()}
