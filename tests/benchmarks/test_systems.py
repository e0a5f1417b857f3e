"""Messages per second of the systems from research papers: one run each of a sweep that draws a figure of its paper."""

from __future__ import annotations

import time

import pytest

from lydian.batch.child import Executor
from lydian.batch.packed import pack
from lydian.batch.sweep.shipped import find_sweep
from tests.benchmarks.conftest import Report

#: The sweep, and whether its last run is used (with the largest parameters) or its first.
RUNS = {
    "balls and bins, 10,000 processes": ("balls-and-bins-large", True),
    "lpbcast, 100 processes": ("lpbcast-16", False),
    "gossip with a buffer, 100 processes": ("gossip-buffer-reliability", True),
    "causal delivery, 125 processes that all write": ("causal-delivery-size", True),
    "causal cluster, 12 coordinators": ("causal-cluster-crashes", False),
    "role-based DHT": ("role-dht-variants", True),
    "skip ring, 256 subscribers": ("skip-ring-load", True),
    "Chord and Scribe, 30 topics": ("chord-scribe-publications", True),
    "HyParView, 500 processes": ("hyparview-crashes", False),
    "mobile DAG, 500 processes, 20 topics": ("mobile-dag-large", True),
    "content-based routing, 121 brokers": ("content-routing-full", False),
}


@pytest.mark.parametrize("system", RUNS)
def test_messages_per_second(system: str, report: Report) -> None:
    name, last = RUNS[system]
    sweep = find_sweep(name)
    executor = Executor(pack(sweep))
    if last:
        executor.run(0)  # so that the measurement contains no loading
    start = time.process_time()
    row = executor.run(sweep.count - 1 if last else 0)
    seconds = time.process_time() - start
    assert row["failure"] is None, row["error"]
    assert row["messages"] > 500
    report.add(f"{system}: {row['messages']:,} messages", row["messages"] / seconds, "messages/s")
