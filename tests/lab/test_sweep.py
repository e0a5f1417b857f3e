"""A sweep on Spark from Python."""

from __future__ import annotations

import pytest

import lydian
from lydian.model.errors import LydianError

SWEEP = """
experiment = "echo"
seeds = 2
[[vary]]
name = "n"
values = [4, 6]
[[vary]]
name = "on"
field = "network"
values = ["ring:{n}"]
"""


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.leaves_behind("Spark's own threads end with the process")
def test_a_sweep_returns_its_rows_and_each_run_can_be_repeated(tmp_path):
    pytest.importorskip("pyspark")
    (tmp_path / "sweep.toml").write_text(SWEEP)
    rows = lydian.sweep(tmp_path / "sweep.toml", master="local[1]", output=tmp_path / "results")
    assert [(row["n"], row["messages"]) for row in rows] == [(4, 10), (4, 10), (6, 14), (6, 14)]
    assert rows.ok and rows.varied == ("n", "on") and rows.folder == tmp_path / "results"
    assert rows.run(-1).fingerprint == list(rows)[-1]["fingerprint"]
    assert "Messages" in rows.plot("messages", x="n").svg()


def test_what_cannot_be_swept_gets_a_sentence(tmp_path):
    pytest.importorskip("pyspark")
    for sweep, options in (("no-such-sweep", {}), ("echo-messages", {"master": "sparc://x"})):
        with pytest.raises(LydianError) as error:
            lydian.sweep(sweep, output=tmp_path / "results", **options)
        assert "\n" not in str(error.value)
