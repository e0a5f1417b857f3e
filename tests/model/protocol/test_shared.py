"""Data shared by all processes: a change is detected and named, and unchanged data are not reported."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.protocol.shared import Common

SOURCE = '''"""A protocol with much in common."""
import itertools, random
from typing import ClassVar
from lydian import INIT, Process, on, states
(A,) = states("a")
ONE = 1
ZERO = 0.0
SEEN = []
PAIR = ({"x": [1]}, 2)
NUMBERS = itertools.count()
CHANCE = random.Random(5)

class Box:
    def __init__(self):
        self.inside = []

BOX = Box()

def around():
    total = 0
    def add(x):
        nonlocal total
        total += x
        return total
    return add

add = around()

def kept(x, seen=[], *, more={}):
    return x

kept.calls = []

class P(Process):
    total = 0
    table: ClassVar[dict] = {}
    state = A

    @on(A, INIT)
    def start(self, kept=[]):
        pass
'''


def fresh() -> tuple[Common, dict[str, Any]]:
    """Return the shared data of a freshly loaded file, and the names of its module."""
    cls = protocol_from_source(SOURCE).cls
    scope = vars(sys.modules[cls.__module__])
    return Common(cls, scope), scope


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("SEEN.append(1)", "SEEN"),
        ("SEEN = []; SEEN.append(2)", "SEEN"),
        ("ONE = True", "ONE"),
        ("ZERO = 0", "ZERO"),
        ("del ONE", "ONE"),
        ("NEW = 1", "NEW"),
        ("PAIR[0]['x'].append(2)", "PAIR"),
        ("next(NUMBERS)", "NUMBERS"),
        ("CHANCE.random()", "CHANCE"),
        ("BOX.inside.append(1)", "BOX"),
        ("BOX = Box()", "BOX"),
        ("add(3)", "total around add"),
        ("kept.__defaults__[0].append(1)", "the default of seen in kept"),
        ("kept.__kwdefaults__['more']['x'] = 1", "the default of more in kept"),
        ("kept.calls.append(1)", "kept.calls"),
        ("kept.other = 1", "kept.other"),
        ("P.table['x'] = 1", "the class variable P.table"),
        ("P.start.__defaults__[0].append(1)", "the default of kept in P.start"),
        ("Box.count = 1", "the class variable Box.count"),
    ],
)
def test_a_change_is_detected_and_named(change: str, name: str) -> None:
    common, scope = fresh()
    assert common.changed() is None
    exec(change, scope)
    assert common.changed() == name


@pytest.mark.parametrize("change", ["pass", "SEEN = []", "ONE = 2 - 1", "SEEN.append(1); SEEN.clear()", "add(0)"])
def test_unchanged_values_are_not_reported(change: str) -> None:
    common, scope = fresh()
    exec(change, scope)
    assert common.changed() is None
