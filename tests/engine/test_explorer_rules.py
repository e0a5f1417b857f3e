"""Guarded actions: all choices of a daemon, from all configurations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Resolved, read, save
from tests.engine.rulebook import COLOURING, K_STATE_RING, resolved


def explored(what: Resolved, daemon: str = "central", **more: int) -> Exploration:
    experiment = what.experiment.with_(daemon=Daemon(daemon), start=Start(any=True))
    return Explorer(replace(what, experiment=experiment), **more).run()


@pytest.mark.parametrize("daemon", ["central", "distributed", "synchronous"])
def test_dijkstras_ring_stabilises_from_every_configuration_with_enough_states(daemon: str) -> None:
    """With n processes and K >= n states, under any unfair daemon eventually exactly one process is privileged."""
    result = explored(resolved(K_STATE_RING, "ring:4", parameters={"k": 4}), daemon)
    assert result.complete and result.configurations == 4**4
    assert result.rounds and result.ends == 0
    assert [each.holds for each in result.findings] == [True, True]
    assert any("each of 256 configurations" in note for note in result.notes)


def test_with_too_few_states_the_ring_cycles_and_never_stabilises() -> None:
    result = explored(resolved(K_STATE_RING, "ring:4", parameters={"k": 2}))
    assert result.configurations == 2**4
    finding = result.finding("exactly one is privileged")
    shown = finding.counterexample
    assert finding.holds is False and shown is not None and shown.replayed and shown.loop is not None
    assert all("executes" in step for step in shown.steps)


def test_from_its_initial_state_a_ring_stays_legitimate() -> None:
    what = resolved(K_STATE_RING, "ring:4", parameters={"k": 4})
    result = Explorer(what).run()
    assert result.configurations == 16 and result.exit_code == 0


@pytest.mark.parametrize(("daemon", "holds"), [("central", True), ("synchronous", False), ("distributed", False)])
def test_colouring_needs_a_daemon_that_breaks_ties(daemon: str, holds: bool) -> None:
    source = COLOURING.replace("    moves: int = 0\n", "").replace("        self.moves += 1\n", "")
    source += '\nfrom lydian import eventually\n@eventually("they differ")\ndef lasting(c):\n    return differ(c)\n'
    result = explored(resolved(source, "line:2"), daemon)
    finding = result.finding("they differ")
    assert (finding.holds, bool(result.rounds)) == (holds, not holds)
    assert result.finding("neighbours differ").holds is True
    if not holds:
        shown = finding.counterexample
        assert shown is not None and shown.loop is not None and " and " in shown.steps[-1]


BROKEN = """
from lydian import Process, always, at_end, variable, when
class Rise(Process):
    x: int = variable(0, minimum=0, maximum=2)
    @when(lambda self: any(self.see(q).x > self.x for q in self.neighbours))
    def rise(self):
        self.x = max(self.see(q).x for q in self.neighbours)
    @when(lambda self: self.x == 2 and all(self.see(q).x == 1 for q in self.neighbours))
    def fail(self):
        1 // 0
@always("never all at two but one")
def two(c): return sorted(p.x for p in c.processes) != [0, 2, 2]
@at_end("all alike")
def alike(c): return len({p.x for p in c.processes}) == 1
"""


@pytest.mark.parametrize("daemon", ["central", "synchronous", "distributed"])
def test_violations_start_in_the_right_configuration_and_replay(daemon: str, tmp_path: Path) -> None:
    path = tmp_path / "rise.py"
    path.write_text(BROKEN, encoding="utf-8")
    what = resolved(BROKEN, "line:3")
    what = replace(what, experiment=what.experiment.with_(protocol=str(path), network="line:3"))
    result = explored(what, daemon)
    assert result.configurations == 27 and result.finding("all alike").holds is True
    for finding in result.failed:
        shown = finding.counterexample
        assert shown is not None and shown.replayed
        save(shown.experiment, tmp_path / "shown.toml")
        again = Simulator(read(tmp_path / "shown.toml")).run()
        if finding.kind == "error":
            assert again.error is not None and "ZeroDivisionError" in again.error
            assert finding.why.partition(", ")[2] == again.error.partition(", ")[2]  # the file is another one
        else:
            assert [each.name for each in again.violated] == [finding.name]
    assert {each.kind for each in result.failed} == {"always", "error"}


def test_paths_with_simultaneous_moves_end_as_predicted() -> None:
    what = resolved(K_STATE_RING, "ring:3", parameters={"k": 3})
    experiment = what.experiment.with_(daemon=Daemon("distributed"), start=Start(processes={"1": {"count": 2}}))
    explorer = Explorer(replace(what, experiment=experiment))
    assert explorer.run().complete
    for number, key in enumerate(explorer.keys):
        shown = explorer.schedule(*explorer.way(number), "always", "x")
        simulator = Simulator(replace(what, experiment=shown.experiment, network=what.network))
        simulator.run()
        explorer.seen.show(key)
        assert [p.count for p in simulator.processes] == [p.count for p in explorer.seen.processes]  # type: ignore[attr-defined]
