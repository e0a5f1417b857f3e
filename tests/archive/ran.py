"""What the experiments of the archive come to: each is run once, for all tests that ask."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from lydian.engine.simulator import Simulator
from lydian.model.archive import Archive

ROOT = Path(__file__).resolve().parents[2]


class Outcome(NamedTuple):
    """What a run came to."""

    events: int
    messages: int
    fingerprint: str
    error: object
    exit_code: int


@cache
def outcome(name: str) -> Outcome:
    """The run of the experiment of this name."""
    archive = Archive(None, ROOT)
    result = Simulator(archive.experiment(name).resolve(archive)).run()
    return Outcome(result.events, result.messages, result.fingerprint, result.error, result.exit_code)
