"""Searches of all schedules: the configurations per second, and the memory for each of them."""

from __future__ import annotations

import time
import tracemalloc

from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.seen import Judge
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment
from tests.archive.test_broadcast_byzantine import everybody
from tests.benchmarks.conftest import Report

#: Configurations and moves of Bracha's broadcast among four processes, of which the last one lies.
STATES, MOVES = 200_000, 531_720
#: The time, as a multiple of the yardstick, and the bytes for each configuration, with its moves.
MOST_TIME, MOST_BYTES = 400.0, 100.0


def bracha() -> Explorer:
    network = everybody(4).replace(initiators=("0",), order="unordered")
    made = Experiment("t", protocol="bracha-broadcast", network=network).resolve(archive())
    return Explorer(made, traitors=("3",), lies={"x": ["yes", "no"]}, states=STATES)


def search(explorer: Explorer) -> None:
    judge = Judge(explorer.seen, explorer.protocol)
    with explorer.guarded(judge):
        explorer._search(judge, time.monotonic(), explorer.protocol.properties)
    assert (len(explorer.keys), len(explorer.graph.targets)) == (STATES, MOVES)


def test_configurations_per_second(report: Report) -> None:
    times = []
    for _ in range(3):
        explorer = bracha()
        begun = time.process_time()
        search(explorer)
        times.append(time.process_time() - begun)
    report.add("explorer: configurations per second", STATES / min(times), "1/s")
    report.within("explorer: 200,000 configurations", min(times), "loop", MOST_TIME, clock=time.process_time)


def test_memory_for_each_configuration(report: Report) -> None:
    explorer = bracha()
    tracemalloc.start()
    try:
        search(explorer)
        bytes_ = tracemalloc.get_traced_memory()[0] / STATES
    finally:
        tracemalloc.stop()
    report.add("explorer: memory for a configuration", bytes_, "bytes", f"below {MOST_BYTES:g}")
    assert bytes_ < MOST_BYTES
