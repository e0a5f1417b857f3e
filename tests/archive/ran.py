"""The results of the archive's experiments: each is run once for all tests of a process that need it.

``TOGETHER`` in ``tests/conftest.py`` names the files whose tests need most of them; they run in one process.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)

#: The experiments with the longest runs, which no other test needs; each has a counterpart on a smaller network or with
#: other parameters that is run at each commit.
LONGEST = {
    "content-routing-121", "mobile-dag-topics-joins", "mobile-dag-walk", "role-dht-clockwise", "role-dht-crash-gossip",
    "role-dht-full-tree", "skip-ring-deep",
}  # fmt: skip


def sparing(names: Sequence[str]) -> list[Any]:
    """Return names of experiments as parameters of a test; `make test-all` alone runs the longest."""
    return [pytest.param(name, marks=pytest.mark.exhaustive) if name in LONGEST else name for name in names]


class Outcome(NamedTuple):
    """The outcome of a run."""

    events: int
    messages: int
    fingerprint: str
    error: object
    exit_code: int


@cache
def protocol_in(experiment: str) -> str:
    """Return the name of the protocol of an archive experiment without loading it."""
    path = ARCHIVE.find("experiments", experiment)
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["protocol"])


def of_each_protocol() -> dict[str, str]:
    """Map each protocol to its first experiment in the archive."""
    found: dict[str, str] = {}
    for name in ARCHIVE.names("experiments"):
        found.setdefault(protocol_in(name), name)
    return found


@cache
def _whole(name: str) -> tuple[Any, Result]:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    return simulator, simulator.run()


def once(experiment: Experiment) -> tuple[Any, Result]:
    """Return the simulator and the result of a run, for reading only; an unchanged experiment of the archive is run
    once.
    """
    if ARCHIVE.named("experiments", experiment.name) and ARCHIVE.experiment(experiment.name) == experiment:
        return _whole(experiment.name)
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


@cache
def outcome(name: str) -> Outcome:
    """Return the outcome of the experiment with this name."""
    result = once(ARCHIVE.experiment(name))[1]
    return Outcome(result.events, result.messages, result.fingerprint, result.error, result.exit_code)
