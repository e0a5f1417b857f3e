"""A kind of intervention defined in one place is known everywhere: files, runs, sentences, menus, batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lydian.app.commands.table import commands
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.popups import fault_text
from lydian.app.panels.help.keysheet import sheet
from lydian.batch.sweep.drawn import DrawnFaults, drawn_kinds
from lydian.engine.faults.interventions import Answer
from lydian.engine.simulator import Simulator
from lydian.model.delays import Constant
from lydian.model.errors import BadInput
from lydian.model.experiment import experiment as experiments
from lydian.model.experiment.branch import automatic_name
from lydian.model.experiment.experiment import Experiment, to_toml
from lydian.model.interventions import KEYS, KINDS, TOOLS, Intervention, Key, Kind, Tool, register
from lydian.model.interventions.keys import PROCESS, SEED
from lydian.model.interventions.kind import Engine, tools_for
from lydian.model.interventions.words import gesture_words
from lydian.pieces.animation import generic
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.playback.faultforms import form_for
from lydian.views.playback.interfering import Situation
from lydian.views.playback.offerlists import for_selection, menu_for
from lydian.views.selection import Hit, Selection
from lydian.views.words.faultwords import told
from lydian.views.words.sentence import sentence
from lydian.views.words.words import brief

STEP = Key("step_time", float, example="step_time = 2.5", sample=2.5, title="A step takes")


class SlowDown(Kind):
    """From now on each step of a process takes this long."""

    name = "slow_down"
    needs = (PROCESS, STEP)
    living = True
    order = ("slow down {process}", "slow down {n} processes")
    branch = ("{process} slowed down to {step_time}", "{n} processes slowed down")
    happened = ("a step of process {process} now takes {step_time}", "{who} slowed down")
    coming = "{who} slows down"
    planned = "{where} slows down"
    row = "is slowed down"
    tool = Tool("slow_down", "Slow a process down", ("process",), "Click a process", ("process",), ("process",),
                keys="Ctrl+Alt+Z")  # fmt: skip
    menu = ("Slow it down…", "Slow down process {process}…")
    drawn = "Processes slow down"

    def check_keys(self, what: Intervention) -> None:
        if what.step_time <= 0:
            raise BadInput(f"must be more than 0, not {what.step_time:g}", place="step_time")

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"process {what.process} is in the middle of a step" if engine.busy(what.process) else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.retime_process(what.process, Constant(what.step_time))
        engine.record(what)


FILE = """
name = "slow"
protocol = "echo"
network = "two-wings"
faults = [{time = 1.0, do = "slow_down", process = "3", step_time = 2.5}]
"""


@pytest.fixture(autouse=True)
def slow_down() -> Iterator[None]:
    """Register the kind for one test."""
    register(SlowDown())
    yield
    KINDS.discard("slow_down")
    assert "step_time" not in KEYS and "slow_down" not in TOOLS


@pytest.fixture
def slow() -> Experiment:
    return experiments.loads(FILE)


@pytest.fixture
def trace(slow: Experiment) -> Trace:
    return Simulator(slow).run().trace


def test_each_kind_is_written_to_a_file_with_its_own_key(slow: Experiment) -> None:
    (fault,) = slow.faults
    assert (fault.do, fault.process, fault.step_time) == ("slow_down", "3", 2.5)
    assert experiments.loads(to_toml(slow)).faults == slow.faults
    with pytest.raises(BadInput, match="slow_down needs step_time; write, for example, step_time"):
        Intervention(1.0, "slow_down", process="3")
    with pytest.raises(BadInput, match="must be more than 0, not -1"):
        Intervention(1.0, "slow_down", process="3", step_time=-1.0)
    with pytest.raises(BadInput, match="step_time: unknown key step_time of crash; choose from process"):
        Intervention(1.0, "crash", process="3", step_time=1.0)
    with pytest.raises(BadInput, match="unknown process '99'"):
        experiments.loads(FILE.replace('process = "3"', 'process = "99"')).resolve()


def test_each_kind_is_executed_and_recorded_in_the_trace(slow: Experiment, trace: Trace) -> None:
    row = next(event for event in trace.events() if event.kind == "intervene")
    assert (row.time, row.process) == (1.0, "3")
    assert row.detail == {"time": 1.0, "do": "slow_down", "process": "3", "step_time": 2.5}
    usual = Simulator(slow.with_(faults=())).run()
    assert Simulator(slow).run().time > usual.time, "its steps take time"


def test_each_kind_has_words_in_every_list(slow: Experiment, trace: Trace) -> None:
    (fault,) = slow.faults
    timeline = Timeline(trace)
    seq = next(seq for seq, event in enumerate(trace.events()) if event.kind == "intervene")
    assert sentence(timeline, seq, generic()) == "A step of process 3 now takes 2.5."
    assert brief(timeline, seq) == "is slowed down"
    assert told([fault, replace(fault, keys={**fault.keys, "process": "4"})]) == "Processes 3 and 4 slowed down"
    assert automatic_name([fault], 1.0) == "3 slowed down to 2.5 at 1.0"
    assert gesture_words([fault.to_dict()]) == "slow down 3"
    assert fault_text(fault) == "process 3 slows down at 1"


def test_each_kind_is_offered_for_a_process_and_its_form_asks_for_its_key(slow: Experiment) -> None:
    simulator = Simulator(slow.with_(faults=()), round_events=1)
    simulator.lingers = True
    for _ in range(5):
        simulator.round()
    now = Situation(Timeline(simulator.trace), simulator.kernel.now)
    made = next(each for each in menu_for(now, Hit("process", 3)) if each.tool == "slow_down")
    assert (made.short, made.words, made.reason) == ("Slow it down…", "Slow down process 3…", "")
    assert "slow_down" in [tool.name for tool in tools_for("process")]
    chosen = for_selection(now, "slow_down", Selection(processes=frozenset({3})))
    assert chosen is not None and chosen.form == made.form
    form = form_for(now, made)
    (line,) = form.entries({})
    assert (line.label, line.value, form.title, form.button) == (
        "A step takes", "2.5", "Slow down process 3", "Slow it down"
    )  # fmt: skip
    with pytest.raises(BadInput):
        form.read({"step_time": "much"})
    (what,) = form.read({"step_time": "4"})
    assert what == {"do": "slow_down", "process": "3", "step_time": 4.0}

    answers: list[Answer] = []
    for each in (what, what, {"do": "crash", "process": "3"}):
        simulator.interact(Intervention.from_dict({"time": 0.0, **each}), simulator.faults.round, answers.append)
    simulator.round()
    assert [each.accepted for each in answers] == [True, False, False]
    assert answers[1].reason == "another interaction in this round came first: slow_down"


def test_each_kind_has_a_menu_entry_with_its_key() -> None:
    entries = [command for command in commands() if command.menu == "F&aults"]
    made = next(command for command in entries if command.name == "fault_slow_down")
    assert (made.text, made.help, made.keys) == ("Slow a process down", "Slow a process down", ("Ctrl+Alt+Z",))
    assert entries[entries.index(made) - 1].name == "fault_slow", "behind those of the program"
    assert "Slow a process down" in sheet({made.name}, Theme("light"))


def test_a_batch_draws_the_targets(slow: Experiment) -> None:
    assert drawn_kinds()[0].name == "crash" and "slow_down" in [kind.name for kind in drawn_kinds()]
    drawn = DrawnFaults.from_dict({"do": "slow_down", "count": 2, "time": 1.0, "step_time": 3.0})
    found = drawn.drawn(0, slow.resolve().network, 7, {})
    assert [(each.do, each.step_time) for each in found] == [("slow_down", 3.0)] * 2


def test_a_name_belongs_to_one_kind_and_a_key_has_one_meaning() -> None:
    with pytest.raises(ValueError, match="a kind of intervention named 'slow_down' already"):
        register(SlowDown())

    class Other(Kind):
        name = "other"
        needs = (PROCESS,)
        may = (SEED, Key("step_time", str))

    with pytest.raises(ValueError, match="intervention key 'step_time' already exists"):
        register(Other())
    assert "other" not in KINDS
