"""Modules that are loaded together with Arrow."""

from __future__ import annotations

import subprocess
import sys

from lydian.model.childprocess import environment

WRITES = """
import sys
import numpy as np
from lydian.trace.parquet.arrow import pq
from lydian.trace.columns import batch
from lydian.trace.events import ROW
table = batch(np.zeros(3, dtype=ROW), 0, ["1"], ["Echo"], ["asleep"], [None, "{}", None])
pq.write_table(table, sys.argv[1])
assert "pandas" not in sys.modules
import pandas
assert len(pq.read_table(sys.argv[1]).to_pandas()) == len(pandas.DataFrame({"a": [1, 2, 3]})) == 3
"""


def test_a_trace_is_written_without_pandas_which_can_be_imported_later(tmp_path):
    done = subprocess.run(
        [sys.executable, "-P", "-c", WRITES, str(tmp_path / "one.parquet")], env=environment(), timeout=60,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
