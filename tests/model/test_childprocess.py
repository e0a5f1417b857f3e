"""Child processes: no file in the current folder replaces Python's modules, and no child outlives its parent."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lydian.model.childprocess import Aside, command, environment, start

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = (
    "lydian.engine.serve",
    "lydian.engine.explorer.serve",
    "lydian.batch.drive",
    "lydian.batch.child",
    "lydian.app.archive.drawer",
)
#: Modules of Python that some child imports; students use such names for their files.
NAMES = ("queue", "token", "random", "json", "typing", "enum", "heapq", "statistics")
#: A protocol that never ends and is never silent.
FOREVER = """
from lydian import INIT, Process, Timer, on
class Tick(Timer):
    pass
class Clock(Process):
    @on("active", INIT)
    def start(self):
        self.set_timer(Tick(), after=1.0)
    @on("active", Tick)
    def tick(self, _m):
        self.set_timer(Tick(), after=1.0)
"""


@pytest.fixture
def shadows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a current folder with files named like Python's modules, which leave a mark when they are executed."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'a').write('{name} ')\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("entry", ENTRIES)
def test_files_of_the_current_folder_are_not_executed(shadows: Path, entry: str) -> None:
    child = start("-m", entry)
    _out, err = child.communicate(timeout=60)
    assert err == b""
    assert not (shadows / "executed").exists()


def test_the_same_holds_for_the_program_itself(shadows: Path, python_env: dict[str, str]) -> None:
    words = [sys.executable, "-m", "lydian", "network", "ring", "3", "-o", "r.json"]
    done = subprocess.run(words, env=python_env, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (shadows / "executed").exists()


def test_the_users_path_is_kept_without_the_current_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", str(tmp_path), ""]))
    (tmp_path / "somebodys_own.py").write_text("x = 3\n")
    assert environment()["PYTHONPATH"] == os.pathsep.join([str(ROOT), str(tmp_path)])
    child = start("-c", "import somebodys_own; print(somebodys_own.x)")
    assert child.communicate(timeout=60)[0] == b"3\n"


PARENT = """
import json, sys, threading
from lydian.model.childprocess import start
def begin():
    global child
    child = start("-m", "lydian.engine.serve", stderr=None)
    child.stdin.write(sys.stdin.buffer.readline())
    child.stdin.flush()
if sys.argv[1] == "main":
    begin()
else:
    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
print(child.stdout.readline().decode(), end="", flush=True)  # its first progress
print(child.stdout.readline().decode(), end="", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="killing is told otherwise here")
@pytest.mark.parametrize("thread", ["main", "another"])
def test_a_run_ends_with_its_parent_process(tmp_path: Path, thread: str) -> None:
    (tmp_path / "clock.py").write_text(FOREVER)
    experiment = {"protocol": "clock.py", "network": "line:2", "stop": {"events": 100_000_000}}
    request = {"kind": "request", "experiment": experiment, "folder": str(tmp_path), "to": None, "told": False}
    request |= {"trace": str(tmp_path / "run.parquet")}
    parent = subprocess.Popen(
        command("-c", PARENT, thread), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert parent.stdin is not None
    assert parent.stdout is not None
    assert parent.stderr is not None
    parent.stdin.write(json.dumps(request).encode() + b"\n")
    parent.stdin.flush()
    for _ in range(2):  # even after the thread that started it has ended
        assert json.loads(parent.stdout.readline())["kind"] == "progress"
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert parent.stderr.read() == b""  # ends when the child, which has the other end, has ended
    for pipe in (parent.stdin, parent.stdout, parent.stderr):
        pipe.close()


def test_every_python_is_started_in_the_same_way() -> None:
    """Only these mention the interpreter: the one function, the restart, the copy for a hand-in, a user's program."""
    allowed = {
        "lydian/model/childprocess.py", "lydian/cli/__init__.py", "lydian/assignment/worker.py",
        "lydian/nodes/program.py",
    }  # fmt: skip
    starts = re.compile(r"\[\s*sys\.executable|start\(\s*sys\.executable|Popen\(|QProcessEnvironment\(|os\.fork\(")
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "lydian").rglob("*.py")
        if starts.search(path.read_text(encoding="utf-8"))
    }
    assert found - allowed == {"lydian/app/work/loop.py", "lydian/cli/supervisor.py"}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_helper_thread_receives_no_alarm() -> None:
    blocked: list[set[signal.Signals]] = []
    thread = Aside(lambda: blocked.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))), "lydian-test")
    thread.start()
    thread.join()
    assert {signal.SIGALRM, signal.SIGPROF, signal.SIGUSR2, signal.SIGINT} <= blocked[0]
    assert signal.SIGALRM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_child_uses_one_numerical_thread_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert environment()["OPENBLAS_NUM_THREADS"] == "1"
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    assert environment()["OPENBLAS_NUM_THREADS"] == "4"
