"""Accesses to shared objects in a run: their rows, causes and clocks, and what a crash or a search does with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.walk import Walk
from lydian.engine.explorer.walks import Walks
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import ActionError
from lydian.model.experiment.daemon import Daemon
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.generators import from_spec
from lydian.model.protocol.protocol import protocol_from_source
from lydian.trace.accesses import accesses, lasting
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

HEAD = '''"""P."""
from lydian import Process, always, atomic, program, regular


class P(Process):
    x = atomic(0)
    slow = regular(0)
    mine: int = -1

    @program
    def run(self):
'''
WRITER = """        if self.me == "0":
            yield self.x.write(4)
        else:
            self.mine = yield self.x.read()
"""
SLOW = """        if self.me == "0":
            yield self.slow.write(1)
        else:
            self.mine = yield self.slow.read()


@always("what is read has been written")
def read(c):
    return all(p.mine in (-1, 0, 1) for p in c.processes) and c.shared["slow"] in (0, 1)
"""


def resolved(body: str, daemon: str = "central", seed: int = 0) -> Resolved:
    there = from_spec("complete:2")
    given = Experiment("t", protocol="p", network=there, daemon=Daemon(daemon), seed=seed)
    return Resolved(given, protocol_from_source(HEAD + body, name="p"), there, {}, ())


def fired(run: Simulator, *order: tuple[int, str]) -> list[dict[str, Any]]:
    """Execute these steps in this order; return the rows."""
    assert run.rules is not None
    run.rules.begin()
    for i, label in order:
        r = run.rules.is_enabled(run.processes[i], label)
        assert r is not None
        run.rules.fire(i, r)
    rows = []
    for seq in range(run.kernel.counts()[0]):
        row = run.kernel.row_of(seq)
        detail = json.loads(run.recorder.detail_of(seq) or "{}")
        rows.append({name: int(row[name]) for name in ("process", "cause", "lamport")} | detail)
    return rows


def test_a_read_is_caused_by_the_last_write() -> None:
    run = Simulator(resolved(WRITER, "user"))
    rows = fired(run, (1, "run"), (0, "run"), (0, "write x"), (1, "read x"))
    assert [(row["cause"], row["lamport"]) for row in rows] == [(-1, 1), (-1, 1), (1, 2), (2, 3)]
    assert [row.get("access") for row in rows[2:]] == [
        {"object": "x", "do": "write", "given": [4], "value": 4},
        {"object": "x", "do": "read", "result": 4, "value": 4},
    ]
    assert run.configuration.shared == {"x": 4, "slow": 0}


def test_a_read_before_the_write_does_not_depend_on_it() -> None:
    run = Simulator(resolved(WRITER, "user"))
    rows = fired(run, (0, "run"), (1, "run"), (1, "read x"), (0, "write x"))
    assert [row["cause"] for row in rows] == [-1, -1, 1, 0]


def test_an_operation_that_lasts_has_two_events() -> None:
    run = Simulator(resolved(SLOW, "user"))
    rows = fired(
        run, (0, "run"), (1, "run"), (1, "read slow"), (0, "write slow"), (0, "write slow"), (1, "read slow"),
    )  # fmt: skip
    phases = [(row["process"], row["access"]["phase"], row["access"]["value"]) for row in rows if "access" in row]
    assert phases == [(1, "begins", 0), (0, "begins", 0), (0, "ends", 1), (1, "ends", 1)]
    assert run.processes[1].mine in (0, 1)  # type: ignore[attr-defined]
    timeline = Timeline(run.trace)
    assert [(each.process, each.first, each.last) for each in lasting(timeline)] == [(1, 2, 5), (0, 3, 4)]
    assert timeline.trace.summary["shared"] == {"x": 0, "slow": 0}


def test_the_details_of_rules_are_not_read_in_a_run_without_shared_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = Timeline(Simulator(archive().experiment("dijkstra-k-state").resolve(archive())).run().trace)
    assert (timeline.kind == Kind.RULE).any()
    read: list[int] = []
    monkeypatch.setattr(type(timeline.trace), "recorded", lambda _trace, seq: read.append(seq))
    assert (list(accesses(timeline)), lasting(timeline), read) == ([], [], [])


def test_a_search_tries_every_result_of_a_read_that_overlaps_a_write() -> None:
    search = Explorer(resolved(SLOW))
    result = search.run()
    assert result.complete and [each.holds for each in result.findings] == [True]
    views = search.situations[1].views
    ends = {views[search.keys[end][1]].mine for end in search.graph.ends}  # type: ignore[attr-defined]
    assert ends == {0, 1}


def test_a_search_finds_what_a_property_says_about_an_object() -> None:
    text = HEAD + WRITER + '\n\n@always("it is never 4")\ndef never(c):\n    return c.shared["x"] != 4\n'
    there = from_spec("complete:2")
    given = Experiment("t", protocol="p", network=there)
    result = Explorer(Resolved(given, protocol_from_source(text, name="p"), there, {}, ())).run()
    assert [each.holds for each in result.findings] == [False]


def test_random_schedules_execute_programs_too() -> None:
    right = Walks(resolved(SLOW), 40, Walk()).run()
    assert [each.holds is False for each in right.findings] == [False]
    wrong = SLOW.replace("p.mine in (-1, 0, 1)", "p.mine != 1")
    for settings in (Walk(), Walk(priorities=2)):
        found = Walks(resolved(wrong), 40, settings).run()
        shown = found.findings[0].counterexample
        assert found.findings[0].holds is False and shown is not None and shown.replayed


def test_the_same_seed_gives_the_same_accesses() -> None:
    def told(seed: int) -> list[tuple[int, dict[str, Any]]]:
        run = Simulator(resolved(SLOW, seed=seed))
        run.run()
        return list(accesses(Timeline(run.trace)))

    assert told(3) == told(3) and any(told(3) != told(seed) for seed in range(8))


def test_a_wrong_access_stops_the_run_with_a_sentence() -> None:
    run = Simulator(resolved("        yield self.x.write(1, 2)\n"))
    result = run.run()
    assert isinstance(result.error, ActionError) or result.error is not None
    assert "write takes (value), and it gets 2 values" in str(result.error)
    assert result.stopped == "error"


@pytest.mark.parametrize("name", ["peterson", "bakery", "regular-from-safe"])
def test_a_counterexample_of_a_mutant_is_repeated_by_the_simulator(name: str, tmp_path: Path) -> None:
    text = (Path(__file__).resolve().parents[2] / "protocols" / f"{name}.py").read_text(encoding="utf-8")
    path = tmp_path / f"{name}.py"
    more = '@always("no other process moves")\ndef still(c):\n    return c.processes[1].next_step == "run"\n'
    path.write_text(f"{text}\n\n{more}", encoding="utf-8")
    network = from_spec("complete:2").replace(initiators=("0",))
    result = Explorer(Experiment("t", protocol=path, network=network)).run()
    shown = next(each.counterexample for each in result.findings if each.name == "no other process moves")
    assert shown is not None and shown.replayed
