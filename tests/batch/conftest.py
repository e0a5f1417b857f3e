"""One Spark for all tests of a process, and sweeps to run on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lydian.batch.spark.java import find_java
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.batch.sweep.sweep import Sweep
from lydian.model.errors import BadInput

BASE = {
    "name": "small",
    "experiment": "echo-random",
    "seeds": 4,
    "measure": ["messages", "time", "by_kind.Ack.sent"],
    "vary": [
        {"name": "n", "values": [5, 9]},
        {
            "name": "kind", "field": "network", "values": ["ring:{n}", "gnm:{n},{2*n},seed={seed}"],
            "labels": ["ring", "random"],
        },
        {"field": "timing.delay", "values": ["constant(1)", "exponential(mean=1)"]},
    ],
}  # fmt: skip


def sweep_of(**changes: Any) -> Sweep:
    """Return the small sweep with some keys changed."""
    return sweep_from({**BASE, **changes})


def need_spark() -> None:
    """Skip a test if Spark is missing."""
    for name in ("pyspark", "pandas"):
        pytest.importorskip(name, reason=f"{name} is missing; the extra spark brings it")
    try:
        find_java()
    except BadInput as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Start a Spark on two cores."""
    need_spark()
    from lydian.batch.spark.session import Spark

    with Spark("local[2]") as found:
        yield found


def comparable(table: Any) -> list[dict[str, Any]]:
    """Return the rows of a result without the values that vary between executions."""
    return table.drop_columns(["seconds"]).to_pylist()
