"""A search in several processes: the same configurations, numbers and verdicts as in one."""

from __future__ import annotations

import os
import pickle
import signal
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.explorer import crew, search
from lydian.engine.explorer.crew import Crew
from lydian.engine.explorer.result import Progress
from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.table import Expanded, Table
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.network import Timing
from tests.conftest import children, left_children

pytestmark = pytest.mark.leaves_behind
ARCHIVE = Archive(None, Path(__file__).parents[2])
#: Protocol, network, and what is searched: with a counterexample, crashes, losses, patient timers, and a reduction.
CASES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("echo", "complete:4", {"states": 3000}),
    ("flooding", "complete:4", {"losses": 1, "crashes": 1, "states": 2000}),
    ("bracha-broadcast", "complete:4", {"reduced": True, "states": 2000}),
    ("echo-election", "complete:4", {"reduced": True, "states": 2000}),
    ("raft", "complete:3", {"patient": True, "states": 2000}),
    ("chandy-lamport", "complete:4", {"states": 2000}),
    ("hirschberg-sinclair", "ring:8", {"reduced": True}),
)


def resolved(protocol: str, network: str) -> Resolved:
    order = "fifo" if protocol == "chandy-lamport" else "unordered"
    return Experiment("t", protocol=protocol, network=network, timing=Timing(order=order)).resolve(ARCHIVE)


def told(explorer: Explorer) -> dict[str, Any]:
    """Search, and return everything that is found."""
    result = explorer.run().to_dict()
    del result["seconds"]
    return result | {
        "keys": list(explorer.keys),
        "targets": explorer.graph.targets.tolist(),
        "labels": explorer.graph.labels.tolist(),
        "words": {fifo: each.words for fifo, each in explorer.kinds.items()},
    }


@pytest.mark.parametrize(("protocol", "network", "more"), CASES, ids=lambda each: each if isinstance(each, str) else "")
def test_the_number_of_processes_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch, protocol: str, network: str, more: dict[str, Any]
) -> None:
    """Helpers in this process, which know no more than those in others: their tables are filled by what is sent."""
    monkeypatch.setattr(crew, "_Helper", Here)
    monkeypatch.setattr(search, "SMALL", 1)
    one = told(Explorer(resolved(protocol, network), **more))
    assert len(one["keys"]) > 100 and (protocol != "hirschberg-sinclair" or one["partial"])
    for workers in (3,):
        Here.asked = 0
        assert told(Explorer(resolved(protocol, network), workers=workers, **more)) == one
        assert Here.asked > 5


class Here(crew._Helper):
    """A helper in this process."""

    asked = 0

    def __init__(self, shape: Any) -> None:
        self._news, self._words, self._known, self._lost = 0, {False: 1, True: 1}, None, False
        self._table = Table(shape)
        self._found: Expanded | None = None

    def __exit__(self, *_: object) -> None:
        pass

    def _say(self, what: object) -> None:
        Here.asked += 1
        update, rows = pickle.loads(pickle.dumps(what))
        self._table.update(*update)
        self._found = pickle.loads(pickle.dumps(self._table.expand(rows)))

    def answer(self) -> Expanded | None:
        return self._found


def test_real_processes_find_the_same_and_end_with_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SMALL", 16)
    before = children()
    more: dict[str, Any] = {"reduced": True, "states": 5000}
    one = told(Explorer(resolved("bracha-broadcast", "complete:4"), **more))
    explorer = Explorer(resolved("bracha-broadcast", "complete:4"), workers=3, **more)
    assert told(explorer) == one
    assert explorer._crew is not None and len(explorer._crew._helpers) == 2
    assert left_children(before) == []


def test_progress_and_cancel_with_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    before, reports = children(), list[Progress]()
    monkeypatch.setattr(search, "_TELL", 0.0)

    def report(at: Progress) -> None:
        reports.append(at)
        if at.configurations > 6000:
            explorer.cancel()

    explorer = Explorer(resolved("bracha-broadcast", "complete:4"), workers=2, progress=report)
    result = explorer.run()
    assert result.stopped == "cancelled" and 6000 < result.configurations < 60_000
    assert [each.configurations for each in reports] == sorted(each.configurations for each in reports)
    assert left_children(before) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_the_part_of_a_process_that_is_ended_from_outside_is_done_by_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Crew] = []

    class Fragile(Crew):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    def report(at: Progress) -> None:
        for each in made:
            os.kill(each._helpers[0]._child.pid, signal.SIGKILL)
            each._helpers[0]._child.wait()
        made.clear()

    monkeypatch.setattr(search, "Crew", Fragile)
    monkeypatch.setattr(search, "_TELL", 0.0)
    explorer = Explorer(resolved("bracha-broadcast", "complete:4"), workers=2, states=10_000, progress=report)
    found = told(explorer)
    assert explorer._crew is not None and explorer._crew._helpers[0]._lost
    assert found == told(Explorer(resolved("bracha-broadcast", "complete:4"), states=10_000))


def test_what_a_table_cannot_hold_is_searched_by_one_process() -> None:
    experiment = Experiment("t", protocol="dijkstra-k-state", network="ring:3", parameters={"k": 3})
    result = Explorer(experiment.resolve(ARCHIVE), workers=2).run()
    assert any("cannot be divided" in note for note in result.notes)
    assert not any("divided" in note for note in Explorer(resolved("echo", "line:2"), workers=2).run().notes)


def test_what_is_sent_can_be_packed() -> None:
    explorer = Explorer(resolved("echo", "complete:3"), reduced=True)
    explorer.run()
    assert explorer._table is not None
    assert pickle.loads(pickle.dumps((explorer._table.shape, explorer._table.news, explorer._knowledge())))
