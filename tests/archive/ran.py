"""What the experiments of the archive come to: each is run once, for all tests of a process that ask.

``TOGETHER`` in ``tests/conftest.py`` names the files whose tests ask most; they run in one process.
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

#: Experiments whose runs take longest and that no other test asks for; each has a sister on a smaller network or with
#: other parameters that is run at each commit.
LONGEST = {
    "content-routing-121", "mobile-dag-topics-joins", "mobile-dag-walk", "role-dht-clockwise", "role-dht-crash-gossip",
    "role-dht-full-tree", "skip-ring-deep",
}  # fmt: skip


def sparing(names: Sequence[str]) -> list[Any]:
    """Names of experiments as parameters of a test, of which the longest are run by `make test-all` only."""
    return [pytest.param(name, marks=pytest.mark.exhaustive) if name in LONGEST else name for name in names]


class Outcome(NamedTuple):
    """What a run came to."""

    events: int
    messages: int
    fingerprint: str
    error: object
    exit_code: int


@cache
def protocol_in(experiment: str) -> str:
    """The protocol that an experiment of the archive names; nothing is loaded for it."""
    path = ARCHIVE.find("experiments", experiment)
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["protocol"])


def of_each_protocol() -> dict[str, str]:
    """Protocol -> its first experiment in the archive."""
    found: dict[str, str] = {}
    for name in ARCHIVE.names("experiments"):
        found.setdefault(protocol_in(name), name)
    return found


@cache
def _whole(name: str) -> tuple[Any, Result]:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    return simulator, simulator.run()


def once(experiment: Experiment) -> tuple[Any, Result]:
    """The simulator and the result of a run, to be looked at only: an experiment of the archive as it stands is run
    once."""
    if ARCHIVE.named("experiments", experiment.name) and ARCHIVE.experiment(experiment.name) == experiment:
        return _whole(experiment.name)
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


@cache
def outcome(name: str) -> Outcome:
    """The run of the experiment of this name."""
    result = once(ARCHIVE.experiment(name))[1]
    return Outcome(result.events, result.messages, result.fingerprint, result.error, result.exit_code)
