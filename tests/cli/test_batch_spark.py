"""``lydian batch`` as a program: killed in the middle, resumed on a cluster, interrupted; nothing is left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from lydian.batch.folder import read_folder
from tests.batch.conftest import comparable, need_spark
from tests.batch.processes import alive, family, start, until
from tests.batch.test_spark import directly

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]
#: On two worker processes, each with its own Java.
RESUME = """\
import json
from lydian.batch.spark.job import Job
from lydian.batch.sweep.file import load
job = Job(load("s.toml"), "out", master="local-cluster[2,1,900]", resume=True)
ended = job.run()
job.close()
print(json.dumps([ended.state, ended.progress.done, ended.progress.before]))
"""
SWEEP = """\
experiment = "echo-random"
seeds = 40
[[vary]]
name = "n"
values = [6, 10, 14]
[[vary]]
field = "network"
values = ["gnm:{n},{2*n},seed={seed}"]
labels = ["random"]
"""


@pytest.mark.exhaustive  # one core without a cluster is tested in tests/batch/test_spark.py and test_reliability.py
def test_killed_in_the_middle_and_resumed_on_a_cluster(python_env, tmp_path):
    need_spark()
    (tmp_path / "s.toml").write_text(SWEEP)
    env = python_env | {"LYDIAN_BATCH_PART": "20"}
    child = start(env, tmp_path, "s.toml", "-o", "out", "--master", "local[1]")
    runs = tmp_path / "out" / "runs"
    until(lambda: len(list(runs.glob("part-*"))) >= 2 or child.poll() is not None, 120, "no part came")
    relatives = family(child.pid)
    os.kill(child.pid, signal.SIGKILL)
    said = child.communicate()
    until(lambda: not alive(relatives), 20, "processes are left behind")
    folder = read_folder(tmp_path / "out")
    kept = {file.name: file.stat().st_mtime_ns for file in runs.glob("part-*")}
    assert 2 <= len(kept) < 6, said
    (runs / ".part-000005.parquet.part").write_bytes(b"PAR1")
    done = subprocess.run(
        [sys.executable, "-c", RESUME], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["done", 120, 20 * len(kept)]
    assert {name: (runs / name).stat().st_mtime_ns for name in kept} == kept
    assert not list(runs.glob(".*"))
    assert comparable(folder.table()) == directly(folder.luggage)


@pytest.mark.exhaustive  # runs that never end are tested in tests/batch/test_reliability.py
def test_an_interrupted_batch(python_env, tmp_path):
    need_spark()
    (tmp_path / "s.toml").write_text(SWEEP.replace("seeds = 40", "seeds = 4000"))
    child = start(python_env | {"LYDIAN_BATCH_PART": "20"}, tmp_path, "s.toml", "-o", "out", "--master", "local[2]")
    runs = tmp_path / "out" / "runs"
    until(lambda: any(runs.glob("part-*")) or child.poll() is not None, 120, "no part came")
    relatives = family(child.pid)
    assert len(relatives) > 3
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    took = time.monotonic() - began
    assert child.returncode == 130, err
    assert "kept in out; add --resume to continue" in err
    assert "Traceback" not in err
    assert out == ""
    until(lambda: not alive(relatives), 5, "processes are left behind")
    kept = read_folder(tmp_path / "out").table().num_rows
    assert kept >= 20
    assert kept % 20 == 0
    print(f"stopped in {took:.1f} s")
