"""The workloads by name, in the order in which they are offered."""

from __future__ import annotations

from lydian.nodes.workloads.counters import GCounter, PNCounter
from lydian.nodes.workloads.kafka import Kafka
from lydian.nodes.workloads.keyvalue import LinKV
from lydian.nodes.workloads.replies import Echo, UniqueIds
from lydian.nodes.workloads.sets import Broadcast, GSet
from lydian.nodes.workloads.transactions import TxnListAppend
from lydian.nodes.workloads.workload import WORKLOADS, Finding, Workload

__all__ = ["WORKLOADS", "Finding", "Workload"]

for _each in (Echo, UniqueIds, Broadcast, GSet, GCounter, PNCounter, LinKV, Kafka, TxnListAppend):
    WORKLOADS.register(_each)
