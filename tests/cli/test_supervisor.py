"""A protocol that cannot be interrupted is ended from outside, with a sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")

HEAD = "from lydian import INIT, Process, on, states\n(A,) = states('a')\n"
ACTION = HEAD + "class Odd(Process):\n    state = A\n    @on(A, INIT)\n    def start(self):\n        "
IMPATIENT = (
    "import sys; from lydian.cli import main, supervisor; supervisor.PATIENCE = 0.4; "
    "from lydian.engine import simulator; simulator.ACTION_SECONDS = 0.4; sys.exit(main())"
)


def program(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", IMPATIENT, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "arguments"),
    [  # the last line of each never ends
        (ACTION + "sum(range(10**15))", ["run", "--protocol", "./odd.py", "--network", "line:2"]),
        (
            ACTION + "__import__('select').select([], [], [], 1e6)",
            ["run", "--protocol", "./odd.py", "--network", "line:2"],
        ),
        (HEAD + "sum(range(10**15))", ["archive", "./odd.py"]),
    ],
)
def test_a_call_that_never_returns(here, source: str, arguments: list[str]) -> None:
    (here / "odd.py").write_text(source)
    out, err = program(*arguments).communicate(timeout=30)
    assert out == ""
    assert err.count("\n") == 1
    line = source.count("\n") + 1
    assert f"odd.py, line {line}: it did not come to an end and could not be interrupted" in err


def test_exit_codes_and_output_come_through(here) -> None:
    for arguments, code in ((["run", "two-wings"], 0), (["run", "echo-crash"], 1), (["run", "nothing"], 2)):
        child = program(*arguments)
        out, err = child.communicate(timeout=30)
        assert child.returncode == code
        assert ("Echo on two-wings" in out) is (code < 2)
        assert err.count("\n") == (code == 2)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_reach_the_run(here, sent: signal.Signals, code: int) -> None:
    body = "print('here', flush=True)\n        while True: self.state = A"
    (here / "odd.py").write_text(ACTION + body)
    child = program("run", "--protocol", "./odd.py", "--network", "line:2")
    assert child.stderr is not None
    assert child.stderr.readline() == "here\n"
    child.send_signal(sent)
    started = time.monotonic()
    child.communicate(timeout=30)
    assert child.returncode == code
    assert time.monotonic() - started < 10
