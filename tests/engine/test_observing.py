"""Properties of recorded events: the observed configuration, and the moments at which it is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

import lydian.engine.observing as observing
from lydian.engine.observing import Observed, Observer, judged, read_spec
from lydian.engine.simulator import Simulator
from lydian.formats.logs.importer import import_log
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput, LydianError
from lydian.trace.events import Trace
from tests.formats.test_structured import HISTORY, written

HEAD = "from lydian import always, at_end, eventually, measure\n"


def checked(folder: Path, trace: Trace, text: str) -> list[tuple[str, bool | None, int | None]]:
    spec = read_spec(written(folder, HEAD + text, "spec.py"))
    return [(each["name"], each["holds"], each["at"]) for each in judged(trace, spec)[0].summary["checks"]]


def history(folder: Path) -> Trace:
    (found,) = import_log(written(folder, HISTORY, "history.edn"))
    return found.trace


def ran(name: str) -> Trace:
    simulator = Simulator(archive().experiment(name))
    simulator.run()
    return simulator.trace


def test_the_first_violation_is_the_event_after_which_it_is_false(tmp_path: Path) -> None:
    text = """
@always("nothing is read before it is written")
def read(c):
    return all(each.result is None for each in c.history if each.name == "read")

@eventually("something was delivered")
def something(c):
    return any(c.delivered[p] for p in c.processes)

@at_end("each operation has an outcome")
def outcome(c):
    return [each.outcome for each in c.history] == ["ok", "ok", "info"]
"""
    assert checked(tmp_path, history(tmp_path), text) == [
        ("nothing is read before it is written", False, 3),
        ("something was delivered", True, 2),
        ("each operation has an outcome", True, 6),
    ]


def test_the_history_has_intervals_and_results(tmp_path: Path) -> None:
    observed = Observed()
    for event in history(tmp_path).events():
        observed.take(event)
    write, read, cas = observed.history
    assert (write.name, write.value, write.invoked, write.completed, write.result) == ("write", 3, 0.001, 0.003, 3)
    assert (read.process, read.outcome, cas.value, cas.outcome, cas.result) == ("1", "ok", [3, 4], "info", None)
    assert write.before(cas) and not write.before(read)


def test_a_run_is_judged_after_whole_steps_like_by_its_own_properties(tmp_path: Path) -> None:
    trace = ran("two-wings")
    text = """
@always("a message is on the way, or every process has finished or waits")
def sent(c):
    return c.in_transit or all(p.state in ("finished", "acked") for p in c.processes)

@always("what is pending is a list")
def pending(c):
    return all(p.pending == p.fields["pending"] for p in c.processes)

@at_end("everybody has heard")
def heard(c):
    return sum(len(c.delivered[p]) for p in c.processes) == 11 and c.n == 12 and not c.in_transit
"""
    found = checked(tmp_path, trace, text)
    assert [(name, holds) for name, holds, _ in found] == [
        ("a message is on the way, or every process has finished or waits", True),
        ("what is pending is a list", True), ("everybody has heard", True),
    ]  # fmt: skip


def test_an_imported_process_crashes_and_decides(tmp_path: Path) -> None:
    trace = ran("raft-amnesia")
    text = """
@always("no process crashes")
def crash(c):
    return not any(c.crashed(p) for p in c.processes) and len(c.correct) == c.n
"""
    ((_, holds, at),) = checked(tmp_path, trace, text)
    assert holds is False and at is not None and trace.event(at).kind == "crash"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1\n", "this file declares no property"),
        ('@always("x")\ndef x(c): return c.process("0").leeder\n', "has no variable 'leeder'"),
        ('@always("x")\ndef x(c): return c.process("7")\n', "unknown process '7'"),
        ('@always("x")\ndef x(c): return leader == c.n\n', "leader"),
        ('@measure("x")\ndef x(c): return "many"\n', "a measure must be a finite number or None"),
        ("def x(:\n", "Python cannot read it"),
    ],
)
def test_a_file_that_cannot_be_used_is_an_error_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises((LydianError, BadInput), match=r"spec\.py") as caught:
        checked(tmp_path, history(tmp_path), text)
    assert why in str(caught.value)


def test_a_property_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "SECONDS", 0.2)
    with pytest.raises(LydianError, match="did not finish"):
        checked(tmp_path, history(tmp_path), '@always("x")\ndef x(c):\n    while True:\n        pass\n')


def test_an_observer_reports_each_violation_once(tmp_path: Path) -> None:
    text = '@always("at most two events")\ndef few(c):\n    return c.events <= 2\n'
    observer = Observer(read_spec(written(tmp_path, HEAD + text, "spec.py")))
    told = []
    for event in history(tmp_path).events():
        observer.take(event)
        told += [(each.name, each.at) for each in observer.news()]
    assert told == [("at most two events", 2)]
