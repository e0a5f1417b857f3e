"""The cause of a failure, derived from the trace: the line, earlier lines, the path to it, the variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.authoring.cellcounts import added, cell_counts, line_counts, never_ran
from lydian.authoring.failing import (
    Failure,
    changing_line,
    failure_of,
    plain_words,
    used_variables,
    variables_of,
    way_to,
)
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.trace.timeline import Timeline

SOURCE = '''"""Tries something."""

from lydian import INIT, Command, Message, Process, Timer, on, states

IDLE, WAIT, DONE = states("idle", "wait", "done")


class News(Message):
    hops: int = 0


class Ack(Message):
    pass


class Tick(Timer):
    pass


class Go(Command):
    pass


class Tries(Process):
    state = IDLE
    pending: set[str] = set()
    round: int = 0

    @on(IDLE, INIT)
    def start(self):
        self.state = WAIT
        self.wait_for(self.neighbours)
        for r in self.neighbours:
            self.send(News(), to=r)

    @on(IDLE, News)
    def hear(self, m, q):
        self.state = DONE
        self.send(Ack(), to=q)
        self.send(Ack(), to=q)

    @on(WAIT, Ack)
    def got(self, m, q):
        self.pending.remove(q)

    @on(WAIT, Tick)
    def tick(self, t):
        self.round = 1 // self.round

    def wait_for(self, names):
        self.pending = set(names)
'''


def line(text: str, source: str = SOURCE) -> int:
    """Return the number of the only line with this text."""
    (found,) = [i for i, each in enumerate(source.splitlines(), 1) if each.strip() == text]
    return found


def failed(tmp_path: Path, source: str = SOURCE, **parts: object) -> tuple[Timeline, Failure | None]:
    file = tmp_path / "tries.py"
    file.write_text(source, encoding="utf-8")
    result = Simulator(Experiment("tries", protocol=str(file), network="line:3", seed=1).with_(**parts)).run()
    timeline = Timeline(result.trace)
    return timeline, failure_of(timeline)


def test_the_failing_line_and_the_line_that_changed_the_variable(tmp_path: Path) -> None:
    timeline, failure = failed(tmp_path)
    remove = line("self.pending.remove(q)")
    assert failure is not None and (failure.process, failure.cell, failure.words) == (
        "0",
        ("wait", "Ack"),
        "Ack from 1",
    )
    assert failure.line == remove and failure.function == "got" and not failure.open and not failure.recorded
    assert failure.message == "KeyError: '1'"
    assert failure.sentence.startswith("Process 0: 1 is not in pending. An Ack from 1 arrived at ")
    assert failure.sentence.endswith("; pending was empty.")
    (before,) = failure.earlier
    assert before.line == remove and before.sentence.startswith("removed 1 from pending here, at ")
    assert before.sentence.endswith("when an Ack arrived from 1") and before.seq < failure.seq
    assert [(step.text, step.function, step.role) for step in way_to(timeline, failure)] == [
        ("INIT", "start", ""), ("Ack from 1", "got", "earlier"), ("Ack from 1", "got", "failed"),
    ]  # fmt: skip
    pending, round_ = variables_of(timeline, failure)
    assert (pending.name, pending.before, pending.value, pending.line) == ("pending", "{1}", "empty", remove)
    assert pending.changed == f"got, line {remove}" and (round_.changed, round_.line) == ("unchanged", 0)
    assert cell_counts(timeline) == {("idle", "INIT"): 1, ("idle", "News"): 1, ("wait", "Ack"): 2}


def test_a_value_set_by_a_method_is_attributed_to_its_line(tmp_path: Path) -> None:
    timeline, failure = failed(tmp_path, SOURCE.replace("remove(q)", "remove('9')"))
    assert failure is not None
    (before,) = failure.earlier
    assert before.line == line("self.pending = set(names)") and before.sentence.startswith("added 1 to pending here")
    assert timeline.length == failure.seq + 1


def test_an_undefined_cell(tmp_path: Path) -> None:
    timeline, failure = failed(tmp_path, SOURCE.replace("@on(WAIT, Ack)", "@on(DONE, Ack)"))
    assert failure is not None and failure.open and failure.line is None and failure.cell == ("wait", "Ack")
    assert failure.sentence.startswith(
        "Process 0: no action is declared for Ack in the state wait. An Ack from 1 arrived at "
    )
    assert ("wait", "Ack") not in cell_counts(timeline)


@pytest.mark.parametrize(
    ("old", "new", "event", "told"),
    [
        ("        self.wait_for(self.neighbours)\n", "        1 / 0\n", "INIT", "it divides by 0. It started at 0.00."),
        ("        self.state = DONE\n", "        self.state = 'gone'\n", "News", "unknown state 'gone'"),
        ("        self.state = DONE\n", "        self.send(Ack(), to='77')\n", "News", "which is not a neighbour"),
        ("        self.state = DONE\n", "        None.x\n", "News", "it reads .x of something that is None"),
        ("        self.state = DONE\n", "        self.nothing\n", "News", "has no variable 'nothing'; declare it in"),
    ],
)  # fmt: skip
def test_other_failures_in_words(tmp_path: Path, old: str, new: str, event: str, told: str) -> None:
    timeline, failure = failed(tmp_path, SOURCE.replace(old, new))
    assert failure is not None and failure.event == event and told in failure.sentence
    assert failure.cell in cell_counts(timeline) and way_to(timeline, failure)[-1].role == "failed"
    assert sum(step.role == "failed" for step in way_to(timeline, failure)) == 1


def test_a_property_that_cannot_be_judged_fails_at_its_line(tmp_path: Path) -> None:
    good = SOURCE.replace(
        "        self.send(Ack(), to=q)\n        self.send(Ack(), to=q)\n", "        self.send(Ack(), to=q)\n"
    )
    judged = good + "\n\n@at_end('all is well')\ndef well(c):\n    return 1 / 0\n"
    judged = judged.replace("import ", "import at_end, ", 1)
    timeline, failure = failed(tmp_path, judged)
    assert failure is not None and (failure.process, failure.event, failure.open) == ("", "", False)
    assert failure.line == line("return 1 / 0", judged) and failure.seq == timeline.length - 1
    assert failure.sentence == 'The property "all is well" cannot be judged: ZeroDivisionError: division by zero.'
    assert way_to(timeline, failure) == () == variables_of(timeline, failure)


def test_failing_timers_and_commands_are_named(tmp_path: Path) -> None:
    rings = SOURCE.replace("self.wait_for(self.neighbours)", "self.set_timer(Tick(), after=0.1)")
    _timeline, failure = failed(tmp_path, rings)
    assert failure is not None and (failure.cell, failure.words) == (("wait", "Tick"), "the timer Tick")
    assert "it divides by 0. The timer Tick occurred at 0.10; round was 0." in failure.sentence
    asks = (Intervention(time=0.0, do="command", process="2", label="Go"),)
    timeline, failure = failed(tmp_path, workload=asks)
    assert failure is not None and failure.open and (failure.event, failure.words) == ("Go", "the command Go")
    assert failure.sentence.startswith(
        "Process 2: no action is declared for Go in the state idle. The command Go occurred at 0.00"
    )
    assert timeline.length == failure.seq + 1


def test_a_successful_run_has_no_failure_but_unused_cells(tmp_path: Path) -> None:
    from lydian.model.source.outline import outline

    good = SOURCE.replace(
        "        self.send(Ack(), to=q)\n        self.send(Ack(), to=q)\n", "        self.send(Ack(), to=q)\n"
    )
    timeline, failure = failed(tmp_path, good)
    assert failure is None
    counts, read = cell_counts(timeline), outline(good)
    assert counts == {("idle", "INIT"): 1, ("idle", "News"): 1, ("wait", "Ack"): 1}
    assert never_ran(read, counts) == (("wait", "Tick"),)
    lines = line_counts(read, counts)
    assert lines[line("def got(self, m, q):", good)] == 1 and lines[line("def tick(self, t):", good)] == 0
    assert added([counts, counts])["wait", "Ack"] == 2


def test_the_variables_of_a_line_and_where_they_change() -> None:
    assert used_variables(SOURCE, line("self.pending.remove(q)")) == {"pending"}
    assert used_variables(SOURCE, line("self.round = 1 // self.round")) == {"round"}
    assert used_variables(SOURCE, line("def got(self, m, q):")) == frozenset()
    assert used_variables("this is no Python", 1) == frozenset()
    start = line("def start(self):")
    assert changing_line(SOURCE, "start", start, "pending") == line("self.pending = set(names)")
    assert changing_line(SOURCE, "start", start, "round") == 0 == changing_line("(", "start", 1, "round")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("KeyError: 'x'", "x is not in pending"),
        ("ZeroDivisionError: division by zero", "it divides by 0"),
        ("NameError: name 'pending' is not defined", "the name pending is unknown"),
        ("AssertionError: no", "its assertion does not hold: no"),
        ("no neighbour is called 7", "no neighbour is called 7"),
    ],
)
def test_python_errors_in_plain_words(message: str, words: str) -> None:
    told = plain_words(message, SOURCE, line("self.pending.remove(q)"), {})
    assert told.startswith(words) and not told.endswith(".")
