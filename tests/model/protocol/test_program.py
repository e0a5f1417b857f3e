"""Programs: sequential code that pauses, translated into steps; it does what Python's own generators would do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.errors import ProtocolError
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.generators import from_spec
from lydian.model.network import Network
from lydian.model.protocol.protocol import Protocol, protocol_from_source

HEAD = '''"""P."""
from lydian import ANY, Message, Process, atomic, on, program, regular, safe, states, wait


class P(Process):
    n = atomic(5)
    out: list[int] = []
'''


def loaded(body: str, more: str = "") -> Protocol:
    return protocol_from_source(f"{HEAD}{more}\n    @program\n    def run(self):\n{body}", name="p")


def started(protocol: Protocol, network: str | Network) -> Simulator:
    there = from_spec(network) if isinstance(network, str) else network
    return Simulator(Resolved(Experiment("t", protocol="p", network=there), protocol, there, {}, ()))


def values_of(protocol: Protocol, steps: int = 200) -> list[int]:
    """Execute the program of one process to its end; return what it has put into ``out``."""
    run = started(protocol, Network("one", ("0",), ()))
    run.run()
    (p,) = run.processes
    assert p.next_step == "end" and run.kernel.counts()[0] < steps
    found: list[int] = p.out
    return found


#: Bodies of programs; ``n`` is a register with the value 5.
BODIES = {
    "a sequence": "        x = yield self.n.read()\n        self.out.append(x)\n        self.out.append(x + 1)\n",
    "if and else": """
        if (yield self.n.read()) > 4:
            self.out.append(1)
        elif (yield self.n.read()) > 3:
            self.out.append(2)
        else:
            yield
            self.out.append(3)
        self.out.append(4)
""",
    "while, break and continue": """
        k = 0
        while True:
            k += 1
            if k == 2:
                continue
            self.out.append(k)
            yield self.n.write(k)
            if (yield self.n.read()) >= 4:
                break
        self.out.append(100)
""",
    "while with else": """
        k = 0
        while k < 2:
            k += 1
            yield
        else:
            self.out.append(k)
""",
    "for with else, break and a tuple": """
        for a, b in ((1, 2), (3, 4), (5, 6)):
            yield
            self.out.append(a * b)
            if a == 3:
                break
        else:
            self.out.append(-1)
        for c in range(3):
            self.out.append((yield self.n.read()) + c)
        else:
            self.out.append(-2)
""",
    "nested loops": """
        for a in range(3):
            for b in range(a):
                yield
                if b == 1:
                    continue
                self.out.append(10 * a + b)
            self.out.append(a)
""",
    "and, or, not": """
        if (yield self.n.read()) == 4 and (yield self.n.write(9)) is None:
            self.out.append(1)
        if not ((yield self.n.read()) == 5 or (yield self.n.write(8)) is None):
            self.out.append(2)
        self.out.append((yield self.n.read()))
""",
    "return": """
        for k in range(9):
            yield
            self.out.append(k)
            if k == 2:
                return
        self.out.append(99)
""",
    "names of comprehensions and lambdas": """
        k = 3
        yield
        self.out.extend([k * k for k in range(k)])
        self.out.append(k)
        self.out.extend(map(lambda k: -k, self.out[:2]))
""",
}


def original(body: str) -> list[int]:
    """Execute the text with Python's generator, one access after the other."""

    class Register:
        value = 5

        def read(self) -> Callable[[], Any]:
            return lambda: self.value

        def write(self, value: int) -> Callable[[], Any]:
            return lambda: setattr(self, "value", value)

    class Owner:
        n = Register()

        def __init__(self) -> None:
            self.out: list[int] = []

    scope: dict[str, Any] = {}
    exec(f"def run(self):\n{body}", scope)
    owner = Owner()
    steps: Iterator[Any] = scope["run"](owner)
    access = next(steps, None)
    try:
        while True:
            access = steps.send(access() if callable(access) else None)  # type: ignore[attr-defined]
    except StopIteration:
        return owner.out


@pytest.mark.parametrize("name", BODIES)
def test_a_program_does_what_a_generator_does(name: str) -> None:
    assert values_of(loaded(BODIES[name])) == original(BODIES[name]) != []


def test_its_steps_are_rules_and_its_local_names_variables() -> None:
    protocol = loaded("        x = yield self.n.read()\n        yield self.n.write(x)\n        yield self.n.write(0)\n")
    assert [(rule.name, rule.points) for rule in protocol.rules] == [
        ("run", ("run",)), ("read n", ("read n",)), ("write n", ("write n", "write n #2")),
    ]  # fmt: skip
    assert list(protocol.variables) == ["next_step", "x", "out"]
    assert [each.name for each in protocol.shared] == ["n"]


def test_the_table_contains_the_states_in_which_a_step_can_happen() -> None:
    protocol = protocol_from_source(
        HEAD.replace("\n\nclass P", '\n\nA, B, C = states("a", "b", "c")\n\n\nclass P')
        + "    state = A\n\n    @program\n    def run(self):\n        yield\n        self.state = B\n"
        "        yield self.n.read()\n        self.state = C\n",
        name="p",
    )
    assert {key: cell.next_states for key, cell in protocol.table.cells.items()} == {
        ("a", "when run"): ("a",), ("a", "when step"): ("b",), ("b", "when read n"): ("c",),
    }  # fmt: skip
    line = protocol.table.cells["b", "when read n"].line
    assert protocol.source.splitlines()[line - 1].strip() == "yield self.n.read()"


def test_waiting_goes_on_when_the_condition_holds() -> None:
    more = """    ready: bool = False

    @on(ANY, Go)
    def go(self):
        self.ready = True

    def there(self):
        return self.ready
"""
    text = HEAD.replace("\n\nclass P", '\n\nclass Go(Message):\n    """Go on."""\n\n\nclass P')
    body = """
    @program
    def run(self):
        if self.me == "0":
            yield "think"
            self.send(Go(), to=self.neighbours)
        else:
            yield wait(self.there)
            self.out.append(1)
"""
    protocol = protocol_from_source(f"{text}{more}{body}", name="p")
    run = started(protocol, "complete:2")
    result = run.run()
    assert result.stopped == "quiescent" and [p.out for p in run.processes] == [[], [1]]
    assert [rule.name for rule in protocol.rules] == ["run", "think", "wait for there"]


#: What is wrong with a program -> its body (or the whole class), and a part of the sentence.
WRONG = {
    "two yields": ("        a = (yield self.n.read()) + (yield self.n.read())\n", "at most one yield"),
    "a hidden yield": ("        a = 1 + ((yield self.n.read()) if self.out else 2)\n", "not always reached"),
    "no yield": ("        a = 1\n", "has no yield"),
    "an access without yield": ("        yield\n        a = self.n.read()\n", "does nothing without yield"),
    "a value": ("        yield 5\n", "yield needs an access"),
    "yield from": ("        yield from self.out\n", "must not use yield from"),
    "inside try": (
        "        try:\n            yield\n        finally:\n            pass\n", "must not pause inside 'try'",
    ),
    "a value to wait for": ("        yield wait(self.out == [])\n", "wait(lambda: self.out == [])"),
    "a result": ("        yield\n        return 5\n", "a program returns nothing"),
    "a function": ("        yield\n        def f(): pass\n", "must not define functions"),
    "the same variable twice": (
        "        for k in (1, 2):\n            for k in (3, 4):\n                yield\n",
        "nested loops use the variable 'k'",
    ),
    "a declared name": ("        out = 1\n        yield\n", "'out' is declared"),
    "an underscore": ("        _x = 1\n        yield\n", "must not begin with _"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_translated_is_refused_in_a_sentence(what: str) -> None:
    body, sentence = WRONG[what]
    with pytest.raises(ProtocolError, match="line") as caught:
        loaded(body)
    assert sentence in str(caught.value)


def test_a_process_has_one_program_and_objects_need_one() -> None:
    with pytest.raises(ProtocolError, match="has two programs, 'walk' and 'run'"):
        loaded("        yield\n", "\n    @program\n    def walk(self):\n        yield\n")
    with pytest.raises(ProtocolError, match=r"it has shared objects \(n\), but no program"):
        protocol_from_source(HEAD, name="p")
    with pytest.raises(ProtocolError, match="only the program of a process can access shared objects"):
        loaded("        yield\n", "\n    def help(self):\n        return self.n.read()\n")
