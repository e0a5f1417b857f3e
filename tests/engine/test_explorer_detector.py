"""Crashes that a failure detector reports, in the search of all schedules and in random ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.walk import Walk
from lydian.engine.explorer.walks import Walks
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment, Resolved
from tests.engine.test_explorer_reduction import agree

ARCHIVE = Archive(None, Path(__file__).parents[2])
BODY = """\
from lydian import INIT, Message, Process, Timer, always, complete, detector, eventually, named, on, states

A, B = states("a", "b")

class M(Message):
    pass

class Gone(Timer):
    q: str

class P(Process):
    needs = complete, named, detector
    news: int = 0
    gone: str = ""
    state = A

    @on(A, INIT)
    def start(self):
        {start}

    @on(A, M)
    def hears(self, m, sender):
        self.news += 1
        {hears}

    @on(A, Gone)
    def learns(self, timer):
        self.gone = timer.q

@always("nobody is reported in vain")
def right(c): return all(not p.gone or c.crashed(c.process(p.gone)) for p in c.processes)

@always("the message of the dead comes first")
def first(c): return all(not p.gone or p.news for p in c.processes)

@eventually("the crash of 0 is noticed")
def noticed(c): return not c.crashed(c.process("0")) or c.crashed(c.process("1")) or c.process("1").gone == "0"
"""
WATCHES = 'self.watch("0", Gone("0"), after=2) if self.me == "1" else self.send(M(), to="1")'


def written(folder: Path, start: str, hears: str = "pass") -> Resolved:
    path = folder / "watching.py"
    path.write_text(BODY.format(start=start, hears=hears), encoding="utf-8")
    network = ARCHIVE.network("complete:2").replace(initiators=("0", "1"))
    return Experiment("t", protocol=str(path), network=network).resolve(ARCHIVE)


@pytest.mark.parametrize("reduced", [False, True])
def test_a_crash_is_reported_at_any_time_after_it_and_only_then(tmp_path: Path, reduced: bool) -> None:
    result = Explorer(written(tmp_path, WATCHES), crashes=1, reduced=reduced).run()
    assert result.complete and any("failure detector" in note for note in result.notes)
    overtaken = result.finding("the message of the dead comes first")
    assert overtaken.holds is False and overtaken.counterexample is not None and overtaken.counterexample.replayed
    assert overtaken.counterexample.steps[-2:] == (
        "process 0 crashes", "process 1 responds to the timer Gone(q='0')",
    )  # fmt: skip
    assert result.finding("nobody is reported in vain").holds
    assert result.finding("the crash of 0 is noticed").holds


def test_a_watch_can_be_cancelled(tmp_path: Path) -> None:
    result = Explorer(written(tmp_path, WATCHES, "self.cancel_timer(Gone)"), crashes=1).run()
    lost = result.finding("the crash of 0 is noticed")
    assert lost.holds is False and lost.counterexample is not None and lost.counterexample.replayed


@pytest.mark.parametrize("name", ["self.me", '"nobody"'])
def test_a_watch_of_no_other_process_fails(tmp_path: Path, name: str) -> None:
    result = Explorer(written(tmp_path, f'self.watch({name}, Gone("0"), after=2)'), crashes=1).run()
    assert any("watches" in each.why for each in result.findings if each.kind == "error")


def test_without_crashes_nothing_is_watched(tmp_path: Path) -> None:
    resolved = written(tmp_path, WATCHES)
    result = Explorer(resolved, crashes=0).run()
    assert result.complete and not result.failed and not any("detector" in note for note in result.notes)
    assert ("a", "Gone") in result.unreachable


@pytest.mark.parametrize("priorities", [None, 2])
def test_random_schedules_have_notices_too(tmp_path: Path, priorities: int | None) -> None:
    walk = Walk(seed=3, crashes=1, priorities=priorities)
    result = Walks(written(tmp_path, WATCHES), 60, walk).run()
    bad = result.finding("the message of the dead comes first")
    assert bad.holds is False and bad.counterexample is not None and bad.counterexample.replayed
    assert result.finding("nobody is reported in vain").holds is None


@pytest.mark.parametrize(("protocol", "crashes"), [("rotating-coordinator", 1), ("reliable-broadcast-lazy", 1)])
def test_reduced_searches_with_a_detector_agree_with_full_ones(protocol: str, crashes: int) -> None:
    fewer, all_ = agree(_made(protocol), crashes=crashes)
    assert fewer < all_


def _made(protocol: str) -> Resolved:
    initiators = ("0", "1", "2") if protocol == "rotating-coordinator" else ("0",)
    network = ARCHIVE.network("complete:3").replace(initiators=initiators)
    return Experiment("t", protocol=protocol, network=network).resolve(ARCHIVE)


def test_the_rotating_coordinator_is_proved_with_any_number_of_crashes() -> None:
    result = Explorer(_made("rotating-coordinator"), crashes=2, reduced=True).run()
    assert result.complete and all(each.holds for each in result.findings) and result.configurations > 3000
