"""A search on Spark finds what it finds in one process."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from lydian.batch.spark import searching
from lydian.batch.spark.searching import SparkCrew, task
from lydian.engine.explorer import search
from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.table import Shape
from lydian.model.errors import BadInput
from tests.engine.test_explorer_workers import resolved, told

CASES = (
    ("echo", "complete:4", {"states": 1500}),
    ("flooding", "complete:4", {"losses": 1, "crashes": 1, "states": 1500}),
    ("bracha-broadcast", "complete:4", {"reduced": True, "states": 1500}),
    ("raft", "complete:3", {"patient": True, "states": 1500}),
    ("chandy-lamport", "complete:4", {"states": 1500}),
)


class Here:
    """A Spark in this process, which executes one task after the other."""

    connect, alive, cores = False, True, 3

    def __init__(self) -> None:
        self.session = SimpleNamespace(sparkContext=self)
        self.tasks = 0

    def broadcast(self, value: Any) -> Any:
        return SimpleNamespace(value=value, unpersist=lambda: None)

    def parallelize(self, items: Any, count: int) -> Any:
        self.tasks += count
        return SimpleNamespace(map=lambda work: SimpleNamespace(collect=lambda: list(map(work, items))))


@pytest.mark.parametrize(("protocol", "network", "more"), CASES, ids=[each[0] for each in CASES])
def test_tasks_find_the_same(
    monkeypatch: pytest.MonkeyPatch, protocol: str, network: str, more: dict[str, Any]
) -> None:
    monkeypatch.setattr(search, "SMALL", 2)
    spark: Any = Here()
    one = told(Explorer(resolved(protocol, network), **more))
    assert told(Explorer(resolved(protocol, network), recruit=partial(SparkCrew, spark), **more)) == one
    assert spark.tasks > 9


def test_a_process_of_spark_keeps_the_table_of_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer(resolved("echo", "line:2"))
    explorer.run()
    table = explorer._table
    assert table is not None
    words = {fifo: each.words[1:] for fifo, each in table.contents.items()}
    update = SimpleNamespace(value=(table.news, words, None))
    rows = explorer.keys.rows(0, 3)
    monkeypatch.setattr(searching, "_kept", None)
    first = task("a", table.shape, [update], rows)
    assert task("a", table.shape, [update], rows).labels.tolist() == first.labels.tolist()
    assert searching._kept is not None and searching._kept[0] == "a" and searching._kept[2] == 1
    with pytest.raises(KeyError):
        task("b", table.shape, [], rows)


def test_spark_connect_is_refused() -> None:
    spark: Any = SimpleNamespace(connect=True)
    with pytest.raises(BadInput, match="not sc://"):
        SparkCrew(spark, Shape(1, (), 0, False, False))


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "network", "more"), CASES, ids=[each[0] for each in CASES])
def test_a_real_spark_finds_the_same(
    monkeypatch: pytest.MonkeyPatch, spark: Any, protocol: str, network: str, more: dict[str, Any]
) -> None:
    monkeypatch.setattr(search, "SMALL", 4)
    one = told(Explorer(resolved(protocol, network), **more))
    explorer = Explorer(resolved(protocol, network), recruit=partial(SparkCrew, spark), **more)
    assert told(explorer) == one and explorer._crew is not None
