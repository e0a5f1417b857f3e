"""A forked child ends, fails and dies like one that was started."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lydian.engine.client import Client
from lydian.model import childprocess
from lydian.model.archive.archive import archive
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are forked on Linux only")
SERVE = ("-m", "lydian.engine.serve")


def forks() -> set[int]:
    """Return the children of this process's template."""
    template = next(
        each for each in map(int, Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())
        if b"nursery.py" in Path(f"/proc/{each}/cmdline").read_bytes()
    )  # fmt: skip
    return set(map(int, Path(f"/proc/{template}/task/{template}/children").read_text().split()))


def test_a_relay_is_started() -> None:
    assert str(ROOT / "tests" / "relay.py") in childprocess.command(*SERVE)
    assert "relay" not in " ".join(childprocess.command("-m", "lydian.batch.drive"))


def test_the_run_is_the_same_and_the_child_ends_by_itself() -> None:
    client = Client.start(archive().experiment("two-wings"), to=None)
    client.finish(30)
    client.close(patience=30)  # a client that leaves its `with` block waits only briefly after it has a result
    assert client.result is not None
    assert client.result["messages"] == 46
    assert client.child is not None
    assert client.child.returncode == 0
    assert forks() == set()


def test_exit_codes_and_output_are_passed_on() -> None:
    child = childprocess.start(*SERVE)
    out, err = child.communicate(b"nonsense\n", timeout=30)
    real = subprocess.run(
        [sys.executable, "-P", *SERVE],
        input=b"nonsense\n",
        capture_output=True,
        env=childprocess.environment(),
        timeout=30,
    )
    assert (child.returncode, out, err) == (real.returncode, real.stdout, real.stderr)
    assert child.returncode == 2


def test_killing_it_ends_it() -> None:
    child = childprocess.start(*SERVE)
    child.stdin.write(b"nonsense\n")
    child.stdin.flush()
    assert child.stdout.readline()
    assert len(forks()) == 1
    child.kill()
    assert forks() == set()
    assert child.wait(10) == -signal.SIGKILL
    child.communicate()


def test_it_ends_with_its_relay() -> None:
    child = childprocess.start(*SERVE)
    child.stdin.write(b"nonsense\n")
    child.stdin.flush()
    assert child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    assert select.select([child.stdout], [], [], 10)[0]
    assert child.stdout.read() == b""
    child.communicate()


def test_another_python_environment_starts_a_new_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONVERBOSE", "1")
    child = childprocess.start(*SERVE)
    _, err = child.communicate(b"", timeout=30)
    assert b"import lydian.engine.serve" in err or b"import 'lydian.engine" in err
