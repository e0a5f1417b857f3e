"""A run as the desk keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lydian.model.experiment.branches import ROOT
from lydian.model.experiment.experiment import Experiment
from lydian.trace.beginning import Beginning
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline

__all__ = ["Run"]


@dataclass(frozen=True)
class Run:
    """A finished run: the experiment as it was, and where its trace stands.

    ``result`` is what ``lydian run --json`` prints; for a trace opened from a file, what its summary holds.
    ``continues`` says that its beginning was on the screen while it went on; ``timeline`` is made of its trace;
    ``branch`` is its place in the tree of the experiment's runs.  ``beginning`` is given if only what was played may
    be seen: ``trace`` and ``timeline`` hold no more than that, and ``result`` tells nothing.
    """

    experiment: Experiment | None
    trace: Trace
    file: Path | None
    result: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None
    continues: bool = False
    timeline: Timeline | None = None
    branch: int = ROOT
    beginning: Beginning | None = None
