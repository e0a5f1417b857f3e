"""The program as a separate process: exit codes, pipes, Ctrl+C, imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

WAITS = """
from lydian import INIT, Message, Process, on, states
(A,) = states("a")
class Ball(Message):
    pass
class Tennis(Process):
    state = A
    hits: int = 0
    @on(A, INIT)
    def start(self):
        self.send(Ball(), to=self.neighbours[0])
    @on(A, Ball)
    def hit(self, m, q):
        self.hits += 1
        if self.hits == 1000 and self.initiator:  # one of the two says it, once
            print("in the middle", flush=True)
        self.send(Ball(), to=q)
"""


def program(*arguments, **words):
    words.setdefault("capture_output", True)
    command = [sys.executable, "-m", "lydian", *map(str, arguments)]
    return subprocess.run(command, text=True, timeout=60, check=False, encoding="utf-8", **words)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["run", "--help"], 0),
        (["run", "two-wings"], 0),
        (["run", "echo-crash"], 1),
        (["run", "no-such"], 2),
        (["run", "two-wings", "--seed", "x"], 2),
    ],
)
def test_exit_codes(here, arguments, code):
    done = program(*arguments)
    assert done.returncode == code
    assert bool(done.stderr) is (code == 2)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_help_has_examples(here):
    for command in ("run", "network", "trace", "render", "archive", "new"):
        assert "examples:" in program(command, "--help").stdout


@pytest.mark.slow
def test_two_hash_seeds_give_the_same_fingerprint(here):
    prints = set()
    for seed in ("1", "2"):
        done = program("run", "echo-random", "--json", env={**os.environ, "PYTHONHASHSEED": seed})
        prints.add(json.loads(done.stdout)["fingerprint"])
    assert len(prints) == 1


@pytest.mark.slow
def test_iteration_over_a_set_has_a_fixed_order(here):
    """Python orders the texts in a set differently in each process unless this is disabled."""
    everybody = "[self.send(Ball(), to=q) for q in {*self.neighbours}]"
    source = WAITS.replace("self.send(Ball(), to=self.neighbours[0])", everybody)
    (here / "spray.py").write_text(source.replace("        self.send(Ball(), to=q)\n", ""))
    prints = set()
    for seed in ("1", "2", "random"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = program("run", "--protocol", "./spray.py", "--network", "star:9", "--json", env=env)
        prints.add(json.loads(done.stdout)["fingerprint"])
    assert len(prints) == 1


def test_a_run_loads_neither_qt_nor_pyarrow_nor_networkx(here):
    code = (
        "import sys\nfrom lydian.cli import main\nassert main(['run', 'two-wings', '--json']) == 0\n"
        "heavy = {'PySide6', 'pyarrow', 'networkx', 'scipy', 'pandas', 'pyqtgraph'} & set(sys.modules)\n"
        "print(heavy, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.strip() == "set()"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are another matter on Windows")
def test_output_without_a_reader(here):
    program("run", "two-wings", "--network", "gnm:200,600,seed=1", "--trace", "t.parquet")
    done = program("trace", "show", "t.parquet", capture_output=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert len(done.stdout.splitlines()) > 3000
    shell = f'"{sys.executable}" -m lydian trace show t.parquet | head -n 2'
    cut = subprocess.run(shell, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert len(cut.stdout.splitlines()) == 2
    assert cut.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter on Windows")
def test_ctrl_c_ends_quietly_and_keeps_the_trace(here):
    (here / "tennis.py").write_text(WAITS, encoding="utf-8")
    command = [
        sys.executable, "-m", "lydian", "run", "tennis.py", "--network", "line:2", "--limit", "2000000000",
        "--no-check", "--trace", "t.parquet",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            first = child.stdout.readline()  # shown at once, not at the end of the run
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=60)
        finally:
            child.kill()
    assert first.endswith("0  in the middle\n")
    assert (child.returncode, out, err) == (130, "", "")
    assert "events" in program("trace", "info", "t.parquet").stdout
