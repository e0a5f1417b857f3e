"""A run, as the desk keeps it."""

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
    """A run, with its experiment and the file of its trace.

    ``result`` is what ``lydian run --json`` prints; for a trace opened from a file, it is the summary in the file.
    ``continues`` says that the beginning was shown while the run was in progress; ``timeline`` is computed from the
    trace; ``branch`` is the place in the tree of the experiment's runs. ``beginning`` is given if only the part
    already played may be seen: ``trace`` and ``timeline`` then contain no more than that, and ``result`` is empty.
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
