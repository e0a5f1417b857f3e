"""Runs and signals for the tests of sound."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from lydian.engine.simulator import Simulator
from lydian.sound.voices import RATE, Samples
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.timeline import Timeline
from tests.archive.ran import ARCHIVE

#: One row: time, kind, process, state, and optionally the other process and the message.
Row = tuple[float, int, int, int] | tuple[float, int, int, int, int, int]


def run_of(rows: list[Row], n: int = 4, **summary: Any) -> Timeline:
    """Return a run of ``n`` processes in a row from left to right, with the states idle, busy and done."""
    packed = np.zeros(len(rows), dtype=ROW)
    for name in ("peer", "message", "cause", "bits", "label"):
        packed[name] = -1
    for row, given in zip(packed, rows, strict=True):
        row["time"], row["kind"], row["process"], row["state"] = given[:4]
        if len(given) == 6:
            row["peer"], row["message"] = given[4:]
    names = tuple(map(str, range(n)))
    nodes = [{"id": name, "x": 100.0 * i, "y": 0.0} for i, name in enumerate(names)]
    links = [{"source": a, "target": b} for a, b in pairwise(names)]
    network = {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}
    told = {"stopped": "quiescent", **summary}
    return Timeline(Trace(packed, names, ("M",), ("idle", "busy", "done"), network=network, summary=told))


@cache
def archived(name: str) -> Timeline:
    """Return the run of an experiment of the archive."""
    simulator = Simulator(ARCHIVE.experiment(name))
    simulator.run()
    return Timeline(simulator.trace)


def level(signal: Samples) -> float:
    """Return the root mean square of a signal."""
    return float(np.sqrt(np.mean(np.square(signal, dtype=np.float64)))) if len(signal) else 0.0


def between(signal: Samples, start: float, end: float) -> Samples:
    """Return a part of a signal, by seconds."""
    return signal[round(start * RATE) : round(end * RATE)]


def lag(stereo: Samples) -> int:
    """Return by how many samples the right channel comes after the left one, at most 60 either way."""
    left, right = (stereo[:, side].astype(np.float64) for side in (0, 1))
    reach = range(-60, 61)
    inner = slice(60, len(left) - 60)
    return max(reach, key=lambda late: float(left[inner] @ np.roll(right, -late)[inner]))


def loudest(mono: Samples) -> float:
    """Return the frequency in hertz at which a signal has the most power."""
    power = np.abs(np.fft.rfft(mono.astype(np.float64) * np.hanning(len(mono)), 1 << 16))
    return float(np.argmax(power) * RATE / (1 << 16))


__all__ = ["Kind", "Row", "archived", "between", "lag", "level", "loudest", "run_of"]
