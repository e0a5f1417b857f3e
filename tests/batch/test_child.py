"""Runs in a prepared child: the same executions as on their own; each failure becomes a row."""

from __future__ import annotations

import textwrap

import pytest

from lydian.batch.child import Executor
from lydian.batch.packed import Packed, PackedArchive, pack
from lydian.batch.runner import Runner
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from lydian.trace.parquet.file import load
from tests.batch.conftest import BASE, sweep_of
from tests.protocolfolder import made

BAD = '''
"""Fails in every way there is."""
import ctypes, json, posix
import re
from lydian import INIT, Message, Process, always, on, parameter, states

IDLE, BUSY = states("idle", "busy")
calls = []

class Ping(Message):
    pass

class Bad(Process):
    state = IDLE
    how = parameter("fine", help="what goes wrong")

    @on(IDLE, INIT)
    def start(self):
        if self.how == "raise":
            raise ValueError("on purpose")
        if self.how == "abort":
            ctypes.string_at(0)
        if self.how == "loop":
            re.match("(a+)+$", "a" * 60 + "b")  # one call into C that nothing can interrupt
        if self.how == "memory":
            self.decide(len([bytes(10_000_000) for _ in range(1000)]))
        if self.how == "remember":
            calls.append(self.me)
        if self.how == "json":
            json.dumps = json.JSONEncoder.encode = json.encoder.encode_basestring_ascii = None
        if self.how == "write":
            for number in range(3, 64):
                try:
                    posix.write(number, b'{"row": {}}\\n[1, 2\\n')
                except OSError:
                    pass
        if self.how == "exit":
            posix._exit(0)
        if self.how == "violate":
            self.state = BUSY
        self.decide(1)

    @on(IDLE, Ping)
    def got(self):
        pass

@always("nobody is busy")
def nobody(c):
    return all(p.state != BUSY for p in c.processes)
'''


@pytest.fixture
def bad(tmp_path):
    (tmp_path / "bad.py").write_text(textwrap.dedent(BAD))

    def make(*ways, **limits):
        base = {"protocol": str(tmp_path / "bad.py"), "network": "ring:4"}
        vary = [{"name": "how", "field": "parameters.how", "values": list(ways)}]
        return sweep_of(experiment=base, vary=vary, seeds=1, measure=[], limits=limits)

    return make


def test_a_child_gives_the_same_executions():
    sweep = sweep_of()
    executor = Executor(Packed.from_json(pack(sweep).to_json()))
    for index in (0, 9, 31):
        result = Simulator(sweep.experiment(index)).run()
        row = executor.run(index)
        assert row["fingerprint"] == result.fingerprint
        assert (row["messages"], row["time"], row["chain"]) == (result.messages, result.time, result.chain)
        assert row["checks"] == [check.to_dict() for check in result.checks]
        assert row["by_kind_Ack_sent"] == result.measures["by_kind"]["Ack"]["sent"]
        assert row["as_expected"] is True
        assert row["expected"] == row["messages"]


def test_a_protocol_folder_is_packed_as_one_text(tmp_path):
    folder = made(tmp_path / "rumour")
    sweep = sweep_of(experiment={"protocol": str(folder), "network": "ring:4"}, vary=[], seeds=2, measure=[])
    luggage = Packed.from_json(pack(sweep).to_json())
    ran = Simulator(sweep.experiment(1)).run().fingerprint
    (folder / "messages.py").unlink()
    assert Executor(luggage).run(1)["fingerprint"] == ran


def test_the_depth_of_the_tree():
    sweep = sweep_of(experiment={"protocol": "echo", "network": "line-5"}, vary=[], seeds=1)
    row = Executor(pack(sweep)).run(0)
    assert row["tree_depth"] == row["least_depth"] == 4
    assert row["order"] == ["0"]
    assert row["stabilised"] == row["time"]


def test_a_slow_link_makes_a_deeper_tree():
    timing = {"delay": "constant(1)", "links": {"0-7": "constant(50)"}}
    sweep = sweep_of(experiment={"protocol": "echo", "network": "ring-8", "timing": timing}, vary=[], seeds=1)
    row = Executor(pack(sweep)).run(0)
    assert (row["tree_depth"], row["least_depth"]) == (7, 4)


@pytest.mark.slow
def test_each_failure_is_a_row_and_leaves_the_next_run_unaffected(bad):
    sweep = bad("fine", "raise", "abort", "fine", "violate", "loop", "fine", seconds=2.0)
    with Runner(pack(sweep).to_json(), 2.0) as runner:
        rows = [runner.run(index) for index in range(7)]
        assert runner.started == 3
    assert [row["failure"] for row in rows] == [None, "protocol", "crash", None, None, "time", None]
    assert "on purpose" in rows[1]["error"]
    assert "signal 11" in rows[2]["error"]
    assert rows[4]["violated"] == 1
    assert rows[0]["fingerprint"] == rows[3]["fingerprint"] == rows[6]["fingerprint"]


def test_the_same_child_accepts_another_sweep(bad):
    one, two = bad("fine", "abort"), sweep_of(seeds=3)
    with Runner(pack(one).to_json(), 20.0) as runner:
        runner.run(0)
        runner.take(pack(two).to_json(), 20.0)
        assert runner.run(2)["fingerprint"] == Executor(pack(two)).run(2)["fingerprint"]
        assert runner.started == 1
        runner.take(pack(one).to_json(), 20.0)
        assert runner.run(1)["failure"] == "crash"
        runner.take(pack(two).to_json(), 20.0)
        assert (runner.run(0)["failure"], runner.started) == (None, 2)


def test_a_run_that_needs_too_much_memory(bad):
    sweep = bad("memory", "fine", memory=300)
    with Runner(pack(sweep).to_json(), 20.0) as runner:
        rows = [runner.run(index) for index in range(2)]
    assert [row["failure"] for row in rows] == ["memory", None]
    assert "300 MB" in rows[0]["error"]


def test_global_state_of_a_file_does_not_reach_the_next_run(bad):
    executor = Executor(pack(bad("remember", "remember")))
    first, second = executor.run(0), executor.run(1)
    assert "it changes calls" in first["error"]
    assert {**first, "run": 1, "seconds": 0} == {**second, "seconds": 0}
    luggage = pack(bad("fine"))
    archive = PackedArchive(luggage)
    protocol = archive.protocol(next(iter(luggage.protocols)))
    archive.forget(protocol)
    assert archive.protocol(next(iter(luggage.protocols))) is not protocol


def test_values_that_do_not_fit_give_a_row():
    sweep = sweep_of(vary=[{"field": "network", "values": ["ring:6", "one-way-ring-5"]}], seeds=1)
    row = Executor(pack(sweep)).run(1)
    assert row["failure"] == "input"
    assert "cannot run here" in row["error"]


def test_the_trace_of_a_run(tmp_path):
    file = tmp_path / "t.parquet"
    row = Executor(pack(sweep_of())).run(5, str(file))
    trace = load(file)
    assert trace.fingerprint() == row["fingerprint"]
    assert trace.experiment["seed"] == 1
    with Runner(pack(sweep_of()).to_json(), 20.0) as runner:
        assert runner.run(5, trace=True)["trace"][:4] == b"PAR1"


def test_later_edits_change_nothing(bad, tmp_path):
    sweep = bad("fine", "raise")
    luggage = pack(sweep)
    before = Executor(luggage).run(0)["fingerprint"]
    (tmp_path / "bad.py").write_text(BAD.replace("self.decide(1)", "pass"))
    assert Executor(Packed.from_json(luggage.to_json())).run(0)["fingerprint"] == before
    again = pack(sweep)
    assert again.digest != luggage.digest
    assert Executor(again).run(0)["fingerprint"] != before


def test_files_are_packed(tmp_path, monkeypatch):
    from lydian.model.archive.archive import archive
    from lydian.model.network.netfile import save

    save(archive().network("grid:3x3"), tmp_path / "mine.json")
    (tmp_path / "delays.txt").write_text("1\n2\n")
    (tmp_path / "s.toml").write_text(
        'experiment = "echo-random"\n[[vary]]\nfield = "network"\nvalues = ["./mine.json", "petersen", "ring:5"]\n'
        '[[vary]]\nfield = "timing.delay"\nvalues = ["empirical(\'delays.txt\')"]\n[[vary]]\nfield = "protocol"\n'
        'values = ["echo", "flooding"]\n'
    )
    from lydian.batch.sweep.file import load as load_sweep

    luggage = pack(load_sweep(tmp_path / "s.toml"))
    (tmp_path / "mine.json").unlink()
    (tmp_path / "delays.txt").unlink()
    monkeypatch.chdir("/")
    executor = Executor(Packed.from_json(luggage.to_json()))
    rows = [executor.run(index) for index in range(6)]
    assert [row["failure"] for row in rows] == [None] * 6
    assert [row["processes"] for row in rows] == [9, 9, 10, 10, 5, 5]
    assert [row["protocol"] for row in rows] == ["echo", "flooding"] * 3
    assert luggage.sweep.run(0).shown["network_"] == "./mine.json"


def test_missing_files_are_reported_before_any_run(tmp_path):
    with pytest.raises(BadInput, match=r"vary\[0\].*no-such"):
        pack(sweep_of(vary=[{"field": "network", "values": ["no-such"]}]))
    with pytest.raises(BadInput, match=r"vary\[0\].*without braces"):
        pack(sweep_of(vary=[{"field": "protocol", "values": ["echo{seed}"]}]))
    assert BASE["experiment"] == "echo-random"


def test_damage_to_a_process_does_not_affect_other_rows(bad):
    sweep = bad("fine", "json", "fine", "write", "fine", "exit", "fine")
    with Runner(pack(sweep).to_json(), 20) as runner:
        rows = [runner.run(index) for index in range(7)]
    assert [row["run"] for row in rows] == list(range(7))
    assert [row["failure"] for row in rows[::2]] == [None] * 4
    assert rows[3]["failure"] == "crash"
    assert rows[3]["error"].startswith("its process did not answer with a row")
    assert rows[5]["error"] == "the process of the run ended (exit code 0)"
    assert {row["fingerprint"] for row in rows[::2]} == {rows[0]["fingerprint"]}


def test_a_sweep_is_packed_without_executing_its_protocol(tmp_path):
    (tmp_path / "bad.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\nimport posix\nposix._exit(0)\n")
    sweep = sweep_of(experiment={"protocol": str(tmp_path / "bad.py"), "network": "ring:4"}, vary=[], seeds=2)
    luggage = pack(sweep)
    assert not (tmp_path / "executed").exists()
    with Runner(luggage.to_json(), 20) as runner:
        assert runner.run(0)["failure"] == "crash"
