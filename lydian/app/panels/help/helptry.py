"""Links from the guide to the desk: the kind of a word in a protocol, and the experiment that runs an example."""

from __future__ import annotations

import re
from typing import Any

from lydian.app.panels.help.helpwords import Example
from lydian.authoring.complete import complete
from lydian.model.experiment.experiment import UNDISTURBED, Experiment, from_dict

__all__ = ["kind_of", "trial"]


def kind_of(word: str, source: str, line: int) -> str:
    """Return the kind of a word in a line, as in :class:`lydian.authoring.complete.Completion`, or ""."""
    lines = source.split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    for place in re.finditer(rf"\b{re.escape(word)}\b", text):
        found = next((each.kind for each in complete(source, line, place.end()) if each.text == word), "")
        if found:
            return found
    return ""


def trial(found: Example, now: Experiment, protocol: str) -> dict[str, Any]:
    """Return the parts of an experiment that runs an example as in the guide; other parts keep their present values.

    Args:
        now: the current experiment.
        protocol: the reference of the example's protocol.
    """
    given = from_dict({"name": found.name, "network": now.network, **found.experiment, "protocol": protocol})
    names = (*UNDISTURBED, "network", "timing", "stop", "daemon", "start", "parameters")
    return {**{name: getattr(given, name) for name in names}, "protocol": protocol, "animation": None, "branches": ()}
