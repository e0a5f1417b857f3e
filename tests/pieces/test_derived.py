"""Variables derived by animations: from recorded ones, used in the same way, contained like all code of a file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Chart, Grid, Line, load_animation, read_apart
from lydian.pieces.derived import Derived, Worker, derived, with_derived
from lydian.pieces.grid import Cell
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.page.page import run_data
from tests.views.book import Book

NAMES = ("a", "b", "c")
FILE = """
from lydian.pieces.animation import Animation, Pointer, Watch, derived

@derived
def towards(p):
    return p.hop.get("c")

@derived
def far(p, everybody):
    return None if p.towards is None else 1 + (everybody[p.towards].far or 0)

animation = Animation(pointers=(Pointer("towards"),), watch=Watch("{far} steps"))
"""


def trace() -> Trace:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for time, name, hop in ((1.0, "c", {}), (2.0, "b", {"c": "c"}), (3.0, "a", {"c": "b"}), (4.0, "b", {})):
        book.write(time, "init", name, state="waiting", changed={"hop": hop, "held": sorted(hop)})
    return book.trace(initial={"hop": {}, "held": []})


@pytest.fixture
def drawn(tmp_path: Path) -> Animation:
    path = tmp_path / "ways.py"
    path.write_text(FILE)
    return load_animation(path)


def pointers(frame: basic.BasicFrame) -> list[tuple[int, int]]:
    return [pair for band in frame.pointers for pair in zip(band.source.tolist(), band.target.tolist(), strict=True)]


def test_pieces_use_derived_variables_like_recorded_ones(drawn: Animation) -> None:
    run = Timeline(trace())
    assert [each.name for each in drawn.derived] == ["towards", "far"]
    found = [basic.frame(run, t, animation=drawn) for t in (0.0, 2.0, 3.0, 4.0)]
    assert [pointers(frame) for frame in found] == [[], [(1, 2)], [(0, 1), (1, 2)], [(0, 1)]]
    assert found[2].watch == ("2 steps", "1 steps", "")
    assert [(item.sort, item.word) for item in found[0].legend if item.sort == "pointer"] == [("pointer", "towards")]
    assert "towards" not in run.variable_names and "towards" in found[0].scene.run.variable_names


def test_a_page_plays_derived_variables(drawn: Animation) -> None:
    told = run_data(Timeline(trace()), drawn)
    assert "2 steps" in told["texts"] and len(told["changes"]) == 4


def test_panels_and_expressions_have_derived_variables() -> None:
    @derived
    def twice(p: Any) -> list[str]:
        return [each * 2 for each in p.held]

    drawn = Animation(grid=Grid(Cell("twice")), chart=Chart(Line("len(twice)", of="sum")), derived=(twice,))
    frame = basic.frame(Timeline(trace()), 3.0, animation=drawn)
    assert frame.grid.keys == ("cc",) and frame.grid.cells[:, 0].tolist() == [0, 0, -1]
    assert frame.chart[0].curves[0].values.tolist() == [0, 1, 2, 1]


def test_derived_variables_use_neighbours_and_layers() -> None:
    @derived
    def others(p: Any) -> set[str]:
        return {"10", *p.neighbours} - set(p.layer.held)

    book = Book(NAMES, links=list(pairwise(NAMES)))
    book.write(1.0, "init", "b", changed={"layer.held": ["c"]})
    run = with_derived(Timeline(book.trace(initial={"layer.held": []})), (others,))
    assert [run.variable_at("others", k) for k in (0, 1)] == [
        [["b", "10"], ["a", "c", "10"], ["b", "10"]], [["b", "10"], ["a", "10"], ["b", "10"]],
    ]  # fmt: skip


def test_derived_variables_grow_with_a_run(drawn: Animation) -> None:
    whole = trace()
    texts, before, found = dict(whole.detail_of.__self__), None, []  # type: ignore[union-attr]
    for stop in (0, 2, 4):
        some = {seq: text for seq, text in texts.items() if seq < stop}
        part = Trace(whole.rows[:stop], whole.processes, whole.labels, whole.states, some.get, network=whole.network,
                     summary=whole.summary)  # fmt: skip
        before = Timeline(part, before)
        found.append(with_derived(before, drawn.derived).variable_at("towards", stop))
    assert found == [[None, None, None], [None, "c", None], ["b", None, None]]


def test_a_recorded_variable_takes_precedence_and_failures_give_none() -> None:
    @derived
    def held(p: Any) -> str:
        return "derived"

    @derived
    def wrong(p: Any) -> Any:
        return p.nothing

    @derived
    def strange(p: Any) -> Any:
        return object()

    run = with_derived(Timeline(trace()), (held, wrong, strange))
    assert run.variable_at("held", 4) == [["c"], [], []]
    assert run.variable_at("wrong", 4) == run.variable_at("strange", 4) == [None] * 3
    assert with_derived(run, ()) is run


def test_foreign_functions_run_in_another_process_after_the_run(tmp_path: Path) -> None:
    path = tmp_path / "ways.py"
    path.write_text(FILE + "\nimport os\nprint(os.getpid())\n")
    drawn, run = read_apart(path), Timeline(trace())
    assert [(each.name, each.several, each.function) for each in drawn.derived] == [
        ("towards", False, None), ("far", True, None),
    ]  # fmt: skip
    run.trace.summary["stopped"] = "quiescent"  # type: ignore[index]
    assert [pointers(basic.frame(run, t, animation=drawn)) for t in (2.0, 3.0)] == [[(1, 2)], [(0, 1), (1, 2)]]


@pytest.mark.slow
@pytest.mark.parametrize("body", ["while True: pass", "import os; os._exit(3)"])
def test_effects_of_a_foreign_function_stay_in_its_process(tmp_path: Path, body: str) -> None:
    path = tmp_path / "ways.py"
    path.write_text(f"from lydian.pieces.animation import *\n@derived\ndef x(p):\n    {body}\n"
                    "animation = Animation(pointers=(Pointer('x'),))\n")  # fmt: skip
    drawn, run = read_apart(path), Timeline(trace())
    run.trace.summary["stopped"] = "quiescent"  # type: ignore[index]
    frame = basic.frame(run, 3.0, animation=drawn)
    assert pointers(frame) == [] and "x" not in frame.scene.run.variable_names


def test_functions_must_have_one_or_two_parameters() -> None:
    for bad in (3, lambda: 1, lambda a, b, c: 1):
        with pytest.raises(BadInput, match="@derived must be applied to a function"):
            derived(bad)  # type: ignore[arg-type]


def test_sets_stay_sets_and_earlier_variables_are_available() -> None:
    pair = Derived("pair", function=lambda p: ("x", ("y", 1)) in p.some)
    about = {"names": ["a"], "first": [{"some": ["x"]}], "parameters": {"k": 2}, "states": ["idle"], "neighbours": {},
             "sets": ["some"]}  # fmt: skip
    count = Derived("n", function=lambda p: len(p.some | {"y"}) * p.k)
    worker = Worker([count, Derived("m", function=lambda p: p.n)], about)
    assert worker.first == [{"n": 4, "m": 4}]
    assert worker.step((0, 0, "busy", {"some": ["x", "z"]})) == {"n": 6, "m": 6}
    assert worker.step((1, 0, "", {})) == {}
    worker = Worker([pair], about)
    assert worker.step((0, 0, "", {"some": [["x", ["y", 1]], "z"]})) == {"pair": True}
    assert worker.step((1, 0, "", {"some": [{"x": 1}]})) == {"pair": False}
