"""Layers in one process: requests go down, indications go up, and every event reaches its layer."""

from __future__ import annotations

from pathlib import Path

import pytest

import lydian
from lydian.authoring.cellcounts import cell_counts, line_counts
from lydian.authoring.celledits import set_cell
from lydian.authoring.celltable import table_look
from lydian.authoring.complete import complete
from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.setup import action_table
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput, ProtocolError
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.protocol.protocol import Protocol, load_protocol, protocol_from_source
from lydian.model.source.draft import read
from lydian.model.source.outline import outline
from lydian.model.source.problems import problems
from lydian.trace.timeline import Timeline

RELAY = '''"""Relay: a letter goes round a ring."""

from lydian import (
    ANY, INIT, Command, Indication, Layer, Message, Process, Request, Timer, at_end, detector, on, overlay, parameter,
    states,
)

IDLE, HAPPY = states("idle", "happy")
ASLEEP, AWAKE = states("asleep", "awake")


class Bring(Request):
    text: str
    path: list[str]


class Count(Request):
    pass


class Came(Indication):
    text: str


class Pass(Message):
    text: str
    path: list[str]


class Gone(Timer):
    q: str


class Write(Command):
    text: str = "hello"


class Book(Layer):
    lines: list[str] = []

    @on(ANY, Came)
    def note_it(self, r):
        """It writes it down, and tells."""
        self.lines.append(r.text)
        self.tell(Came(r.text.upper()))


class Ring(Layer):
    state = ASLEEP
    carried: int = 0
    last: str | None = None
    limit = parameter(5.0, help="how long a crash takes to be noticed")

    @on(ASLEEP, INIT)
    def start(self):
        """It begins."""
        self.state = AWAKE
        self.watch(self.behind(), Gone(self.behind()), after=self.limit)

    def behind(self):
        names = self.everybody
        return names[(names.index(self.me) + 1) % len(names)]

    @on(AWAKE, Bring)
    def bring(self, r):
        """It begins its way."""
        self.carried += 1
        self.send(Pass(r.text, [*r.path, self.me]), to=self.behind())

    @on(AWAKE, Pass)
    def pass_on(self, m, q):
        """On, or up if it has been round."""
        self.carried, self.last = self.carried + 1, q
        if m.path[0] == self.me:
            self.tell(Came(m.text))
        else:
            self.send(Pass(m.text, [*m.path, self.me]), to=self.behind())

    @on(ANY, Gone)
    def gone(self, m):
        """Somebody crashed."""
        self.note(f"{m.q} is gone")


class Post(Process):
    needs = overlay, detector
    layers = Book, Ring

    state = IDLE
    got: list[str] = []

    @on(ANY, Write)
    def write(self, m):
        """Round it goes."""
        self.ask(Bring(m.text, []))

    @on(ANY, Came)
    def came(self, r):
        """It came back."""
        self.got.append(r.text)
        self.state = HAPPY


@at_end("who writes is happy")
def happy(c):
    return all(p.ring.carried for p in c.processes) and any(p.got == ["HELLO"] for p in c.processes)
'''
WRITES = (Intervention(time=1.0, do="command", process="2", label="Write"),)


def run(source: str, tmp_path, *faults: Intervention, n: int = 5, **more: object) -> tuple[Simulator, Result]:
    path = tmp_path / "relay.py"
    path.write_text(source)
    network = from_spec(f"isolated:{n},starts=all")
    given = {"faults": faults, "workload": WRITES, "seed": 1, **more}
    experiment = Experiment("t", protocol=str(path), network=network, **given)  # type: ignore[arg-type]
    simulator = Simulator(experiment)
    return simulator, simulator.run()


def loaded(source: str = RELAY) -> Protocol:
    return protocol_from_source(source)


def test_requests_go_down_and_indications_up(tmp_path) -> None:
    simulator, result = run(RELAY, tmp_path)
    assert (result.error, result.messages, result.stopped) == (None, 5, "quiescent")
    assert [check.holds for check in result.checks] == [True]
    two = simulator.processes[2]
    assert (two.got, two.book.lines, two.ring.carried, two.state, two.ring.state) == (
        ["HELLO"], ["hello"], 2, "happy", "awake",
    )  # fmt: skip
    assert [p.ring.last for p in simulator.processes] == ["4", "0", "1", "2", "3"]


def test_the_table_has_a_row_for_each_layer() -> None:
    table = loaded().table
    assert loaded().states == ("idle", "happy")
    assert table.rows == ("idle", "happy", "book", "ring: asleep", "ring: awake")
    assert table.events == ("INIT", "Bring", "Count", "Came", "Pass", "Gone", "Write")
    assert table.cells["ring: asleep", "INIT"].next_states == ("ring: awake",)
    assert table.cells["book", "Came"].action == "note_it"
    assert table.cells["idle", "Came"].next_states == ("happy",)
    found = table.get("idle", "Pass")
    assert found is not None and found.action == "pass_on"


def test_variables_are_named_by_their_layers() -> None:
    assert list(loaded().variables) == ["got", "book.lines", "ring.carried", "ring.last", "ring.state"]
    assert list(loaded().parameters) == ["limit"]
    assert loaded().labels == ("Pass", "Gone", "Write")


def test_a_layer_is_corrupted_and_crashes_are_noticed(tmp_path) -> None:
    faults = (
        Intervention(time=20.0, do="corrupt", process="1", variable="ring.carried", value=77),
        Intervention(time=21.0, do="crash", process="3"),
    )
    simulator, result = run(RELAY, tmp_path, *faults, parameters={"limit": 2.5})
    assert simulator.processes[1].ring.carried == 77
    assert result.time == 23.5
    # starts, the command, messages, faults, the timer and its note
    assert result.events == 5 + 1 + 5 + 5 + 1 + 1 + 1 + 1


def test_a_recovered_process_restarts_every_layer(tmp_path) -> None:
    faults = (
        Intervention(time=20.0, do="crash", process="2"),
        Intervention(time=22.0, do="recover", process="2", keep=False),
    )
    two = run(RELAY, tmp_path, *faults)[0].processes[2]
    assert (two.got, two.book.lines, two.ring.carried, two.ring.state, two.state) == ([], [], 0, "asleep", "idle")


def test_processes_share_nothing(tmp_path) -> None:
    simulator, _ = run(RELAY, tmp_path)
    lists = [p.book.lines for p in simulator.processes] + [p.got for p in simulator.processes]
    assert len({id(each) for each in lists}) == 10


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("self.ask(Bring(m.text, []))", "self.ask(Count())", "Post itself asks for Count, and no layer below has"),
        ("@on(AWAKE, Bring)", "@on(ASLEEP, Bring)", "the layer ring has no action for Bring in the state awake"),
        ("@on(AWAKE, Pass)", "@on(ASLEEP, Pass)", "the layer ring has no action for Pass in the state awake"),
        ("self.tell(Came(r.text.upper()))", "x = self.line", "the layer book has no variable 'line' (did you"),
        ("self.got.append(r.text)", "self.book.lines = []", "it changes 'lines' of the layer book; layers change"),
        ("self.got.append(r.text)", "self.tell(Came(r.text))", "Post itself tells Came, and no layer above"),
        ("self.ask(Bring(m.text, []))", "self.ask(m)", "ask needs a request such as Route(key)"),
        ("needs = overlay, detector", "needs = overlay", "it watches a process, which requires a failure detector"),
        ("    self.tell(Came(m.text))\n", "    self._process.got = []\n", "'_process' belongs to the simulator"),
    ],
)  # fmt: skip
def test_errors_are_reported(right: str, wrong: str, sentence: str, tmp_path) -> None:
    assert right in RELAY
    result = run(RELAY.replace(right, wrong), tmp_path)[1]
    assert result.stopped == "error"
    assert sentence in str(result.error)


def test_layers_that_request_each_other_for_ever_are_stopped(tmp_path) -> None:
    again = "    @on(ANY, Count)\n    def again(self):\n        self.tell(Came(''))\n\n    @on(ANY, Gone)"
    circle = RELAY.replace("self.got.append(r.text)", "self.ask(Count())").replace("    @on(ANY, Gone)", again)
    result = run(circle, tmp_path)[1]
    assert "asked and told each other 10000 times within one event" in str(result.error)


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("    @on(ANY, Came)\n    def note_it", "    @on(ANY, (Came, Pass))\n    def note_it",
         "Book and Ring both have an action for Pass"),
        ("layers = Book, Ring", "layers = Book, Message", "Post: layers = ... must list classes of layers such as"),
        ("layers = Book, Ring", "layers = Book, Book", "Post: the layer Book appears twice"),
        ("    got: list[str] = []", "    got: list[str] = []\n    ring: int = 0", "a layer cannot be called 'ring'"),
        ("    got: list[str] = []", "    got: list[str] = []\n    limit: int = 0", "the parameter 'limit' of Ring"),
        ("@on(AWAKE, Bring)", '@on("away", Bring)', "@on names the unknown state 'away'"),
    ],
)  # fmt: skip
def test_loading_errors_are_reported(right: str, wrong: str, sentence: str) -> None:
    assert right in RELAY
    with pytest.raises(ProtocolError, match=sentence.replace("(", r"\(").replace("...", r"\.\.\.")):
        loaded(RELAY.replace(right, wrong))


def test_equal_parameters_of_layers_are_merged(tmp_path) -> None:
    line = '    limit = parameter(5.0, help="how long a crash takes to be noticed")\n'
    both = RELAY.replace("    lines: list", f"{line}    lines: list")
    simulator, _ = run(both, tmp_path, parameters={"limit": 3.0})
    p = simulator.processes[0]
    assert (p.limit, p.ring.limit, p.book.limit) == (3.0, 3.0, 3.0)


def test_the_editor_shows_the_layers() -> None:
    seen, known = outline(RELAY), loaded()
    assert problems(RELAY) == ()
    assert tuple(row.name for row in seen.layers) == known.table.layers
    assert {pair: cell.function for pair, cell in seen.cells.items()} == {
        pair: cell.action for pair, cell in known.table.cells.items()
    }
    assert {v.name: v.type for v in seen.variables} == {v.name: v.type for v in known.variables.values()}
    wrong = problems(RELAY.replace("self.lines.append", "self.line.append"))
    assert [each.sentence for each in wrong] == ["Book has no variable 'line' (did you mean 'lines'?)"]
    look = table_look(read(RELAY), seen)
    assert (look.open, look.cells["book", "Pass"].tip) == (0, "Pass belongs to the layer ring.")
    with pytest.raises(BadInput, match="book is a layer; write its action in the code"):
        set_cell(RELAY, "book", "Pass", "ignore")


def test_a_protocol_without_layers_keeps_its_name() -> None:
    flooding = load_protocol(Path(__file__).parents[3] / "protocols" / "flooding.py")
    actions = {each for row in action_table(flooding).values() for each in row.values()}
    assert all(each.__module__ != "lydian.model.protocol.layers" for each in actions)
    assert {"Layer", "Request", "Indication", "detector"} <= set(lydian.__all__)


def test_every_schedule_of_a_stack_is_explored(tmp_path) -> None:
    words = (Path(__file__).parents[3] / "resources" / "guide" / "protocol-words.md").read_text(encoding="utf-8")
    path = tmp_path / "waiter.py"
    path.write_text(words.split("```python file=waiter.py\n")[1].split("```")[0])
    experiment = Experiment("t", protocol=str(path), network=from_spec("ring:3"))
    found = Explorer(experiment).run()
    assert (found.complete, found.unreachable) == (True, ())
    assert found.failed == ()


def test_the_editor_suggests_what_a_layer_provides() -> None:
    line = next(n for n, text in enumerate(RELAY.splitlines(), 1) if "self.carried += 1" in text)
    offered = {each.text for each in complete(RELAY.replace("self.carried += 1", "self."), line, 13)}
    assert {"carried", "last", "behind", "limit", "ask", "tell", "watch", "send"} <= offered
    assert "got" not in offered and "lines" not in offered


def test_an_unknown_state_of_a_layer_is_an_error(tmp_path) -> None:
    wrong = Intervention(time=0.5, do="corrupt", process="2", variable="ring.state", value="lost")
    assert "the layer ring has no action for Bring in the state lost" in str(run(RELAY, tmp_path, wrong)[1].error)


def test_the_activations_of_a_layer_are_counted(tmp_path) -> None:
    seen = outline(RELAY)
    lines = line_counts(seen, cell_counts(Timeline(run(RELAY, tmp_path)[1].trace)))
    assert lines[seen.cells["ring: awake", "Pass"].line] == 5
    assert lines[seen.cells["ring: asleep", "Gone"].line] == 0
