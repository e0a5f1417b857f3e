"""Killed processes and full disks during a batch: the same rows, nothing half-written, an end within two seconds.

Other tests check that rows do not depend on where they are computed: ``tests/batch/test_spark.py`` compares two cores
with a simple loop, ``tests/cli/test_batch_spark.py`` one core and then two workers of a cluster.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from lydian.batch.child import Executor
from lydian.batch.drive import ENTRY
from lydian.batch.folder import Folder, read_folder
from lydian.batch.packed import pack
from lydian.batch.runner import Runner
from lydian.batch.spark.executor import worker
from lydian.batch.spark.job import Job
from lydian.batch.sweep.file import load
from lydian.engine.wire import Batch, encode
from lydian.model.childprocess import environment
from lydian.model.errors import BadInput
from tests.batch.conftest import comparable, need_spark, sweep_of
from tests.batch.processes import alive, family, kill, start, those, until
from tests.batch.test_spark import directly

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]
LONG = """\
experiment = "echo-random"
seeds = 20
[[vary]]
name = "n"
values = [16, 24, 32]
[[vary]]
field = "network"
values = ["gnm:{n},{6*n},seed={seed}"]
labels = ["random"]
"""
ON_A_CLUSTER = """\
import sys
from lydian.batch.spark.job import Job
from lydian.batch.sweep.file import load
job = Job(load("s.toml"), "out", master="local-cluster[2,1,900]", part=5)
ended = job.run()
job.close()
sys.exit(ended.exit_code)
"""
ENDLESS = '''
"""Two processes send each other the same message for ever, or one of them does something that has no end."""
import posix
import re
from lydian import INIT, Message, Process, on, parameter, states

(PLAYING,) = states("playing")

class Ball(Message):
    pass

class Endless(Process):
    state = PLAYING
    how = parameter("plays", help="plays or hangs")

    @on(PLAYING, INIT)
    def start(self):
        posix.close(posix.open(f"AT_WORK-{self.how}", posix.O_CREAT | posix.O_WRONLY))
        if self.how == "hangs":
            re.match("(a+)+$", "a" * 60 + "b")  # a call into C that keeps every thread of Python waiting
        for other in self.neighbours:
            self.send(Ball(), other)

    @on(PLAYING, Ball)
    def caught(self, ball, q):
        self.send(ball, q)
'''


@pytest.mark.spark
@pytest.mark.exhaustive
def test_rows_are_the_same_whichever_process_is_killed(python_env, tmp_path):
    need_spark()
    (tmp_path / "s.toml").write_text(LONG)
    log = (tmp_path / "said").open("wb")
    child = subprocess.Popen([sys.executable, "-c", ON_A_CLUSTER], env=python_env, cwd=tmp_path, stderr=log)
    runs, killed = tmp_path / "out" / "runs", []

    def parts(least):
        until(lambda: len(list(runs.glob("part-*"))) >= least or child.poll() is not None, 300, f"no part {least}")
        assert child.poll() is None, (tmp_path / "said").read_text()

    try:
        for least, word in enumerate(("lydian.batch.child", "pyspark.daemon", "CoarseGrainedExecutorBackend"), 1):
            parts(least)
            until(lambda word=word: those(child.pid, word), 60, f"no {word}")
            killed.append(those(child.pid, word)[-1])  # the youngest of the daemons and their workers is a worker
            kill(killed[-1])
            until(lambda: not alive(killed), 20, "it lives")
        assert child.wait(240) == 0, (tmp_path / "said").read_text()
    finally:
        relatives = family(child.pid)
        if child.poll() is None:
            kill(child.pid)
            child.wait()
        log.close()
    assert len(killed) == 3
    folder = read_folder(tmp_path / "out")
    assert not [entry for entry in folder.runs.iterdir() if entry.name.startswith(".")]
    rows = comparable(folder.table())
    assert rows == directly(folder.luggage)
    assert not any(row["failure"] for row in rows)
    until(lambda: not alive(relatives), 20, "processes are left behind")


def test_a_run_ended_from_outside_is_repeated():
    with Runner(pack(sweep_of()).to_json(), 20.0) as runner:
        before = runner.run(3)
        assert runner._child is not None
        kill(runner._child.pid)
        again = runner.run(3)
        assert runner.started == 2
    assert {**before, "seconds": 0} == {**again, "seconds": 0}
    assert again["failure"] is None


def test_a_stopped_runner_starts_nothing():
    with Runner(pack(sweep_of()).to_json(), 20.0) as runner:
        runner.kill()  # before there is a child
        row = runner.run(3)
    assert (row["failure"], row["error"], runner.started) == ("crash", "the run was stopped", 0)


# ---------------------------------------------------------------------------------------------------- no room


@pytest.fixture
def little_room(tmp_path):
    """Create a folder on a separate disk of four megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError:
        pytest.skip("there is no mount here")
    if done.returncode:
        pytest.skip("nobody may mount a disk here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place):
    """Use up the available space."""
    with (place / "filler").open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


@pytest.mark.spark
@pytest.mark.parametrize("traces", [pytest.param(False, marks=pytest.mark.exhaustive), True])
def test_a_full_disk_is_one_sentence_and_the_batch_can_be_resumed(spark, little_room, traces):
    sweep, out = sweep_of(seeds=8), little_room / "out"

    def tell(progress):
        if progress.done and progress.state == "running" and not (little_room / "filler").exists():
            fill(little_room)

    with pytest.raises(BadInput) as caught:
        Job(sweep, out, spark=spark, part=16, traces=traces, tell=tell).run()
    said = str(caught.value)
    assert "no space left on device" in said
    assert "add --resume to continue" in said
    assert "\n" not in said
    folder = read_folder(out)
    done = folder.done()
    assert 1 <= len(done) < folder.parts
    assert not list(out.rglob("*.part"))
    assert folder.table().num_rows == sum(len(folder.members(part)) for part in done)
    with pytest.raises(BadInput, match="no space left on device"):
        Job(sweep, out, spark=spark, traces=traces, resume=True).run()
    assert folder.done() == done
    (little_room / "filler").unlink()
    ended = Job(sweep, out, spark=spark, traces=traces, resume=True).run()
    assert (ended.state, ended.progress.done) == ("done", sweep.count)
    assert comparable(ended.folder.table()) == directly(pack(sweep))


def test_a_part_without_disk_space_is_not_written(tmp_path):
    import pyarrow as pa

    from lydian.batch.rows import schema

    sweep = sweep_of()
    folder = Folder.create(tmp_path / "out", pack(sweep), 8, False)
    executor = Executor(folder.luggage)
    rows = pa.Table.from_pylist([executor.run(run) for run in folder.members(1)], schema=schema(sweep.measure, False))
    (folder.runs / ".part-000001.parquet.part").symlink_to("/dev/full")  # writing there raises ENOSPC
    with pytest.raises(BadInput, match=r"part-000001\.parquet: cannot be written \(no space left on device\)"):
        folder.write(1, rows)
    assert (folder.done(), list(folder.runs.iterdir())) == ([], [])
    folder.write(1, rows)
    assert folder.done() == [1]


def test_a_trace_without_disk_space_does_not_blame_its_run(tmp_path, monkeypatch):
    import pyarrow as pa

    luggage = pack(sweep_of())
    row = Executor(luggage).run(5, str(tmp_path / "gone" / "t.parquet"))
    assert row["failure"] == "disk"
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    rows = worker(luggage.to_json(), "no room", 20.0, (), True)
    try:
        with pytest.raises(BadInput, match=r"gone: cannot be written \(no such file or directory\)"):
            list(rows(iter([pa.RecordBatch.from_pydict({"run": [5]})])))
    finally:
        from lydian.batch.spark import executor as module

        module._end()
        module._warm = None


# ---------------------------------------------------------------------------------------------------- cancelled


@pytest.fixture
def endless(tmp_path):
    """Create a folder of a sweep that never ends, ready to be resumed: in each part one run continues and one hangs."""
    (tmp_path / "endless.py").write_text(ENDLESS.replace("AT_WORK", str(tmp_path / "at-work")))
    (tmp_path / "s.toml").write_text(
        'seeds = 4\n[limits]\nseconds = 600.0\nevents = 1000000000\n[experiment]\nprotocol = "./endless.py"\n'
        'network = "line:2"\n[[vary]]\nfield = "parameters.how"\nvalues = ["plays", "hangs"]\n'
    )
    folder = Folder.create(tmp_path / "out", pack(load(tmp_path / "s.toml")), 2, False)
    assert [sorted(run // 4 for run in folder.members(part)) for part in range(4)] == [[0, 1]] * 4


def both_at_work(folder):
    """Return whether a continuing run and a hanging one have begun."""
    return all((folder / f"at-work-{how}").exists() for how in ("plays", "hangs"))


@pytest.mark.spark
@pytest.mark.usefixtures("endless")
def test_ctrl_c_during_long_runs(python_env, tmp_path):
    need_spark()
    child = start(python_env, tmp_path, "s.toml", "-o", "out", "--resume", "--master", "local[2]")
    try:
        until(lambda: both_at_work(tmp_path) or child.poll() is not None, 300, "nothing runs")
        assert child.poll() is None, child.communicate()
        relatives = family(child.pid)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        _out, err = child.communicate(timeout=60)
        took = time.monotonic() - began
    finally:
        if child.poll() is None:
            kill(child.pid)
            child.communicate()
    until(lambda: not alive(relatives), 5, "processes are left behind")
    print(f"stopped in {took:.2f} s, nothing is left after {time.monotonic() - began:.2f} s")
    assert child.returncode == 130, err
    assert "0 runs of 8 kept in out; add --resume to continue" in err
    assert took < 8  # A run would continue for ever. The promise is two seconds on an idle machine.
    assert read_folder(tmp_path / "out").done() == []


@pytest.mark.spark
@pytest.mark.exhaustive  # Ctrl+C is tested above; the end of input is tested in tests/batch/test_drive.py.
@pytest.mark.usefixtures("endless")
def test_stopped_by_the_window_during_long_runs(tmp_path):
    """The process that the window starts is told to stop as the window does it: by the end of its input."""
    need_spark()
    child = subprocess.Popen([sys.executable, *ENTRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(encode(Batch("run", folder=str(tmp_path / "out"), master="local[2]", resume=True)))
    child.stdin.flush()
    try:
        until(lambda: both_at_work(tmp_path) or child.poll() is not None, 300, "nothing runs")
        assert child.poll() is None
        relatives = family(child.pid)
        began = time.monotonic()
        child.stdin.close()
        code = child.wait(60)
        took = time.monotonic() - began
        told = [json.loads(line) for line in child.stdout]
        until(lambda: not alive(relatives), 5, "processes are left behind")
        print(f"stopped in {took:.2f} s, nothing is left after {time.monotonic() - began:.2f} s")
        assert (code, told[-1]["kind"], told[-1]["result"]["state"]) == (130, "result", "cancelled")
        assert took < 8
    finally:
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
        child.stdout.close()
