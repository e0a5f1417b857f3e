"""How runs end: the sentence, the guilty process, the chain, the way there and the line; and what to try next."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lydian.authoring.ending import Ending, ending_of
from lydian.desk.runs.whatnext import seen, suggestions
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.archive.trials import trials_of
from lydian.model.experiment.experiment import Experiment
from lydian.pieces.animation import animation_for
from lydian.trace.timeline import Timeline

FAILING = '''
"""Twice: each neighbour answers twice, and the second answer is one too many."""
from lydian import *

IDLE, WAITING = states("idle", "waiting")


class Ping(Message):
    pass


class Pong(Message):
    pass


class Twice(Process):
    state = IDLE
    pending: set = set()

    @on(IDLE, INIT)
    def begin(self):
        """It asks all neighbours."""
        self.pending = set(self.neighbours)
        self.state = WAITING
        for q in self.neighbours:
            self.send(Ping(), to=q)

    @on((IDLE, WAITING), Ping)
    def answer(self, m, q):
        self.send(Pong(), to=q)
        self.send(Pong(), to=q)

    @on((IDLE, WAITING), Pong)
    def heard(self, m, q):
        self.pending.remove(q)
'''


def ended(experiment: Experiment) -> tuple[Ending, Timeline]:
    simulator = Simulator(experiment.resolve(archive()))
    simulator.run()
    timeline = Timeline(simulator.trace)
    ending = ending_of(timeline, timeline.trace.summary.get("checks", ()), animation_for(timeline.trace))
    assert ending is not None
    return ending, timeline


@cache
def of(name: str) -> tuple[Ending, Timeline]:
    return ended(archive().experiment(name))


def test_a_run_that_is_stuck_shows_the_chain_to_the_crashed_process() -> None:
    ending, timeline = of("echo-crash")
    assert ending.kind == "stuck" and not ending.good
    assert ending.sentence == "Stuck: processes 0, 3, 6, 8 and 11 wait for 9, which has crashed."
    assert ending.why == "So “the initiator learns that every process has the news” is never true."
    assert [timeline.processes[p] for p in ending.chain] == ["0", "3", "6", "9"]
    assert [timeline.processes[p] for p in ending.guilty] == ["9"]
    assert [(each.text, each.tag, each.role) for each in ending.moments][2] == ("9 crashes", "fault", "fault")
    assert [each.time for each in ending.moments] == sorted(each.time for each in ending.moments)
    assert ending.moments[-1].role == "end" and ending.event == timeline.length - 1
    line = ending.line
    assert line is not None and line.function == "acknowledged" and line.note == "6 waits for another Ack"
    assert line.lines[0] == (line.number, "def acknowledged(self, m, q):")
    assert line.lines[1][1] == "    if q in self.pending:"  # the docstring is left out


def test_a_lost_message_is_the_end_of_the_chain() -> None:
    ending, timeline = of("echo-lost-ack")
    assert [timeline.processes[p] for p in ending.chain] == ["0", "3", "7", "10"]
    assert [each.text for each in ending.moments[:2]] == ["10 sends Ack to 7", "7 misses Ack from 10"]


def test_a_violated_property_shows_the_event_and_its_line() -> None:
    ending, timeline = of("byzantine-generals-three")
    assert ending.kind == "violated" and ending.event == 15 and ending.chain == ()
    assert ending.sentence == "Violated: if the commander is loyal, every loyal lieutenant obeys its order."
    assert ending.why.startswith("At time 4.00: Process 1 ")
    assert [timeline.processes[p] for p in ending.guilty] == ["1"]
    assert ending.moments[0].text == "2 begins to lie" and ending.moments[-1].role == "end"
    assert ending.line is not None and ending.line.function == "conclude"


def test_an_action_that_raises_an_error_shows_its_line(tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    file.write_text(FAILING, encoding="utf-8")
    ending, timeline = ended(Experiment("twice", protocol=str(file), network="two-wings", seed=3))
    assert (ending.kind, ending.sentence) == ("failed", "Failed: Process 0: 3 is not in pending.")
    assert ending.why == "A Pong from 3 arrived at 1.85; pending was {1, 2}."
    assert [timeline.processes[p] for p in ending.guilty] == ["0"]
    assert ending.line is not None
    assert dict(ending.line.lines)[ending.line.number] == "    self.pending.remove(q)"
    assert ending.line.note == "KeyError: '3'" and ending.moments[-1].role == "end"


def test_a_goal_that_is_missed_and_a_good_end_have_their_sentence() -> None:
    ending, _timeline = of("balls-and-bins-short")
    assert (ending.kind, ending.sentence) == ("missed", "Not reached: every process hears of every event.")
    ending, _timeline = of("two-wings")
    assert ending.good and ending.sentence.startswith("Everybody has heard;") and ending.guilty == ()


def test_the_next_experiment_is_the_opposite_of_the_last() -> None:
    trials = trials_of("echo", archive())
    good, bad = archive().experiment("two-wings"), archive().experiment("echo-crash")
    after = suggestions(of("two-wings")[0], good, trials)
    assert [each.title for each in after] == ["Crash", "Lost ack", "Corrupt parent"]
    after = suggestions(of("echo-crash")[0], bad, trials)
    assert (after[0].title, after[0].command) == ("No faults", "without_faults")
    assert after[1].experiment == "two-wings" and len(after) == 3
    assert seen(bad, trials) == "The red chain leads from the initiator to the place of the fault."
    assert seen(good.with_(name="mine"), trials) == good.about
    assert suggestions(of("two-wings")[0], None, trials) == ()
    assert [each.command for each in suggestions(of("two-wings")[0], good, ())] == [
        "break_something", "other_chances", "try_ring",
    ]  # fmt: skip
