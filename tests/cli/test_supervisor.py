"""A protocol that cannot be interrupted is ended from outside, with an error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.trace.parquet.file import load

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")

ROOT = Path(__file__).resolve().parents[2]
HEAD = "from lydian import INIT, Process, on, states\n(A,) = states('a')\n"
ACTION = HEAD + "class Odd(Process):\n    state = A\n    @on(A, INIT)\n    def start(self):\n        "
IMPATIENT = (
    "import sys; from lydian.cli import main, supervisor; supervisor.PATIENCE = 0.4; "
    "from lydian.engine import simulator; simulator.ACTION_SECONDS = 0.4; sys.exit(main())"
)


def program(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", IMPATIENT, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")


@pytest.mark.slow
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
    assert f"odd.py, line {line}: it did not finish and could not be interrupted" in err


@pytest.mark.slow
def test_exit_codes_and_output_are_passed_on(here) -> None:
    for arguments, code in ((["run", "two-wings"], 0), (["run", "echo-crash"], 1), (["run", "nothing"], 2)):
        child = program(*arguments)
        out, err = child.communicate(timeout=30)
        assert child.returncode == code
        assert ("Echo on two-wings" in out) is (code < 2)
        assert err.count("\n") == (code == 2)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_reach_the_run(here, sent: signal.Signals, code: int) -> None:
    body = "__import__('os').write(2, b'here\\n')\n        while True: self.state = A"
    (here / "odd.py").write_text(ACTION + body)
    child = program("run", "--protocol", "./odd.py", "--network", "line:2")
    assert child.stderr is not None
    assert child.stderr.readline() == "here\n"
    child.send_signal(sent)
    started = time.monotonic()
    child.communicate(timeout=30)
    assert child.returncode == code
    assert time.monotonic() - started < 10


# ---------------------------------------------------------------------- receipts


#: The code of a file, its place, and the error; ``A``: in its first action, ``L``: during loading.
ENDINGS = (
    ("A", "import posix; posix._exit(0)", "odd.py: it ended the program from within (exit code 0)"),
    ("L", "import posix; posix._exit(0)", "odd.py: it ended the program from within (exit code 0)"),
    ("A", "import ctypes; ctypes.string_at(0)", "odd.py, line 7: the interpreter crashed here (SIGSEGV)"),
    ("L", "import ctypes; ctypes.string_at(0)", "odd.py, line 3: the interpreter crashed here (SIGSEGV)"),
    ("A", "import posix; posix.closerange(0, 100000)", "odd.py: it ended the program from within (exit code 1)"),
    ("A", "raise KeyboardInterrupt", "it ends the program (KeyboardInterrupt: ); an action that is finished must"),
    ("L", "raise KeyboardInterrupt", "odd.py, line 3: the file ends the program; a protocol file must only declare"),
)


@pytest.mark.parametrize(("where", "what", "sentence"), ENDINGS)
def test_a_run_that_ends_its_process_gives_an_error(here, where: str, what: str, sentence: str) -> None:
    (here / "odd.py").write_text(ACTION + what if where == "A" else f"{HEAD}{what}\n{ACTION.removeprefix(HEAD)}pass")
    child = program("run", "--protocol", "./odd.py", "--network", "line:2", "--trace", "run.parquet")
    _out, err = child.communicate(timeout=60)
    assert child.returncode != 0
    assert err.count("\n") == 1
    assert sentence in err
    assert [path.name for path in here.glob("*.part")] == []


@pytest.mark.slow
@pytest.mark.parametrize("what", ["import posix; posix._exit(0)", "import ctypes; ctypes.string_at(0)"])
def test_events_recorded_before_a_crash_are_kept(here, what: str) -> None:
    text = (ROOT / "protocols" / "echo.py").read_text(encoding="utf-8")
    assert "def adopt(self, m, q):\n" in text
    (here / "echo.py").write_text(
        text.replace("def adopt(self, m, q):\n", f"def adopt(self, m, q):\n        if self.me == '3': {what}\n")
    )
    child = program("run", "--protocol", "./echo.py", "--network", "line:5", "--trace", "run.parquet")
    _out, err = child.communicate(timeout=60)
    assert child.returncode == 1
    assert "events before that are in run.parquet" in err
    trace = load(here / "run.parquet")
    whole = Simulator(Experiment("x", protocol="echo", network="line:5")).run().trace
    assert 4 < len(trace) < len(whole)
    assert np.array_equal(trace.column("process"), whole.column("process")[: len(trace)])


@pytest.mark.parametrize("command", [["check"], ["archive"], ["explore", "--network", "line:2", "--protocol"]], ids=str)
def test_all_commands_that_load_a_protocol_require_a_receipt(here, command: list[str]) -> None:
    (here / "odd.py").write_text(f"{HEAD}import posix; posix._exit(0)\n{ACTION.removeprefix(HEAD)}pass")
    out, err = (child := program(*command, "./odd.py")).communicate(timeout=60)
    assert child.returncode != 0
    assert out == ""
    assert "odd.py: it ended the program from within (exit code 0)" in err


def test_a_forged_receipt_is_rejected(here) -> None:
    body = "import os, posix\n        for fd in range(3, 600):\n            try: os.write(fd, b'=0\\n-\\n+x\\n=a0\\n')"
    (here / "odd.py").write_text(f"{ACTION}{body}\n            except OSError: pass\n        posix._exit(0)")
    _out, err = (child := program("run", "--protocol", "./odd.py", "--network", "line:2")).communicate(timeout=60)
    assert child.returncode == 1
    assert "it ended the program from within (exit code 0)" in err


def test_closed_outputs_are_restored(here) -> None:
    body = "import os\n        for fd in (1, 2): open(fd, 'wb').close()\n        open('full', 'w'), open('more', 'w')"
    (here / "odd.py").write_text(ACTION + body)
    out, err = (child := program("run", "--protocol", "./odd.py", "--network", "line:2")).communicate(timeout=60)
    assert (child.returncode, err) == (0, "")
    assert "Odd on line" in out


def test_a_file_that_allocates_all_memory_is_refused(here) -> None:
    (here / "odd.py").write_text(f"{HEAD}x = bytearray(10**13)\n{ACTION.removeprefix(HEAD)}pass")
    out, err = (child := program("check", "./odd.py")).communicate(timeout=60)
    assert (child.returncode, err) == (2, "lydian: odd.py cannot be run as it is\n")
    assert out == "odd.py, line 3: it asks for more memory than a protocol may have\n"
