"""Places in a folder of traces, found on Spark, are those found without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.batch.spark.finding import best, in_file, on_spark
from lydian.trace.parquet.file import save
from tests.trace.sample import echo, grid


@pytest.mark.slow
def test_spark_finds_the_same_places(tmp_path: Path) -> None:
    for seed in range(6):
        save(echo(9, grid(3, 3), seed=seed), tmp_path / f"{seed}.parquet")
    files = sorted(map(str, tmp_path.glob("*.parquet")))
    alone = best([each for file in files for each in in_file(file, "request-reply", 5)], 5)
    assert on_spark(files, "request-reply", 5, "local[2]") == alone
