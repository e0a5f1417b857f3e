"""Cycles of directed links and winding cycles: their definition, when they are drawn, and that it is quick."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.model.network import Link, Network
from lydian.pieces import circles
from lydian.pieces.animation import Animation, Orientation
from lydian.pieces.circles import Circles
from lydian.trace.timeline import Timeline
from lydian.views.network.basic import BasicFrame, frame
from lydian.views.page import page
from tests.views.book import Book
from tests.views.browser import CHROMIUM, browsed
from tests.views.page.test_page import numbers

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
NAMES = tuple("abcdef")
#: A square a b c d, a tail d e, and a triangle d e f.
LINKS = (("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "e"), ("e", "f"), ("f", "d"))
NETWORK = Network(
    "circles", NAMES, tuple(Link(*ends) for ends in LINKS),
    positions={name: (100.0 * i, 100.0 * (i % 2)) for i, name in enumerate(NAMES)},
)  # fmt: skip
BOTH = Animation(orientation=Orientation("out", cycles=True, winding="val % 3"))


def see(out: dict[str, Any], val: dict[str, Any] | None = None, drawn: Animation = BOTH, **more: Any) -> BasicFrame:
    book = Book(NAMES, links=list(LINKS))
    for i, name in enumerate(NAMES):
        changed = {"out": list(out.get(name, "")), **{key: value.get(name) for key, value in more.items()}}
        if val is not None and name in val:
            changed["val"] = val[name]
        book.write(1.0 + i, "init", name, state="waiting", changed=changed)
    run = Timeline(book.trace(initial={"out": [], "val": None, **dict.fromkeys(more)}))
    return frame(run, 99.0, network=NETWORK, animation=drawn)


def words(f: BasicFrame) -> dict[str, int | None]:
    return {item.sort: item.count for item in f.legend if item.sort in ("cycle", "winding")}


def test_links_around_a_ring_are_one_cycle_and_a_chord_splits_it() -> None:
    square = see({"a": "b", "b": "c", "c": "d", "d": "ae"})
    assert square.orientation.circles == Circles(parts=((0, 1, 2, 3),), rings=((0, 1, 2, 3),))
    two = see({"a": "b", "b": "c", "c": "d", "d": "ae", "e": "f", "f": "d"})
    assert two.orientation.circles == Circles(parts=(tuple(range(7)),), rings=((),))
    backwards = see({"b": "a", "c": "b", "d": "c", "a": "d"})
    assert backwards.orientation.circles.rings == ((0, 3, 2, 1),)
    assert words(square) == {"cycle": 1, "winding": 0}


def test_a_link_claimed_by_both_ends_or_cut_closes_no_cycle() -> None:
    assert see({"a": "bd", "b": "c", "c": "d", "d": "a"}).orientation.circles == Circles()
    book = Book(NAMES, links=list(LINKS))
    for name, to in pairwise("abcda"):
        book.write(1.0, "init", name, state="waiting", changed={"out": [to]})
    book.write(2.0, "link_down", "b", "c")
    run = Timeline(book.trace(initial={"out": [], "val": None}))
    before, after = (frame(run, t, network=NETWORK, animation=BOTH).orientation.circles for t in (1.5, 2.5))
    assert before.parts == ((0, 1, 2, 3),) and after == Circles()


def test_a_cycle_winds_if_its_steps_do_not_sum_to_zero() -> None:
    out = {"a": "bd", "b": "c", "d": "c"}
    even = see(out, {"a": 0, "b": 1, "c": 2, "d": 1})
    assert even.orientation.circles == Circles()
    odd = see(out, {"a": 0, "b": 1, "c": 2, "d": 2})  # 0 1 2 2 and up to 0 again: three steps up
    assert [set(way) for way in odd.orientation.circles.wound] == [{0, 1, 2, 3}]
    assert words(odd) == {"cycle": 0, "winding": 1}
    assert see(out, {"a": 0, "b": 1, "c": 2, "d": 5}).orientation.circles == odd.orientation.circles
    assert see(out, {"a": 0, "b": 1, "c": 2}).orientation.circles == Circles(), "d has no value"
    led = see({"a": "b", "b": "c", "c": "d", "d": "a"}, {"a": 0, "b": 1, "c": 2, "d": 2})
    assert led.orientation.circles.wound == () and led.orientation.circles.parts, "it leads in a circle already"


def test_links_known_to_both_ends_alone_count_on_request() -> None:
    drawn = Animation(orientation=Orientation("out", cycles=True, winding="val", among="N"))
    out, val = {"a": "b", "b": "c", "c": "d", "d": "a"}, dict.fromkeys("abcd", 0)
    both = {"a": ["b", "d"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c", "a"]}
    assert see(out, val, drawn, N=both).orientation.circles.parts == ((0, 1, 2, 3),)
    assert see(out, val, drawn, N={**both, "d": ["c"]}).orientation.circles == Circles()
    wound = see({"a": "b"}, {**val, "b": 1, "c": 2}, drawn, N=both).orientation.circles.wound  # c to d: up by 1 to 0
    assert [set(way) for way in wound] == [{0, 1, 2, 3}], "links without a direction count, too"


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([0, 1, -1, 2]), min_size=7, max_size=7),
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_a_cycle_is_found_if_and_only_if_there_is_one(ways: list[int], values: list[int]) -> None:
    out: dict[str, list[str]] = {name: [] for name in NAMES}
    for way, (a, b) in zip(ways, LINKS, strict=True):
        if way in (1, 2):
            out[a].append(b)
        if way in (-1, 2):
            out[b].append(a)
    found = see(out, dict(zip(NAMES, values, strict=True))).orientation.circles
    graph = nx.DiGraph(
        [ends if way > 0 else ends[::-1] for way, ends in zip(ways, LINKS, strict=True) if way in (1, -1)]
    )
    on_circles = {frozenset(pair) for cycle in nx.simple_cycles(graph) for pair in pairwise([*cycle, cycle[0]])}
    drawn = {frozenset(LINKS[link]) for part in found.parts for link in part}
    assert on_circles == drawn
    if drawn:
        return
    number = dict(zip(NAMES, values, strict=True))
    known = nx.Graph([ends for way, ends in zip(ways, LINKS, strict=True) if way])

    def sum_round(way: list[str]) -> int:
        return sum((number[q] - number[p] + 1) % 3 - 1 for p, q in pairwise([*way, way[0]]))

    odd = [way for way in nx.simple_cycles(known) if sum_round(way)]
    assert bool(odd) == bool(found.wound)
    for way in found.wound:
        assert sum_round([NAMES[p] for p in way]) != 0


def test_results_are_kept_while_directions_and_values_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Book(NAMES, links=list(LINKS))
    book.write(1.0, "init", "a", state="waiting", changed={"out": ["b"], "val": 0})
    for i in range(5):
        book.write(2.0 + i, "init", "c", state="waiting", changed={"other": i})
    run = Timeline(book.trace(initial={"out": [], "val": 0, "other": 0}))
    asked: list[float] = []
    real = circles._found
    monkeypatch.setattr(circles, "_found", lambda *args: (asked.append(1.0), real(*args))[1])
    for t in (1.5, 2.5, 3.5, 4.5):
        frame(run, t, network=NETWORK, animation=BOTH)
    assert len(asked) == 1
    frame(run, 1.5, network=NETWORK, animation=Animation(orientation=Orientation("out")))
    assert len(asked) == 1, "nobody looks if it is not asked for"
    monkeypatch.setattr(circles, "MOST", 5)
    assert frame(run, 0.5, network=NETWORK, animation=BOTH).orientation.circles == Circles() and len(asked) == 1


def test_the_page_receives_the_data_to_find_cycles() -> None:
    run = see({"a": "bd", "b": "c", "d": "c"}, {"a": 0, "b": 1, "c": 2, "d": 2}).timeline
    assert run is not None
    data = page.run_data(run, BOTH)
    assert data["pieces"]["orientation"] == {"piece": "orientation", "cycles": True, "winding": True}
    part = [each["part"] for each in data["channels"]].index("winding")
    changes = zip(*(numbers(data["changes"][name]).tolist() for name in ("what", "process", "value")), strict=True)
    assert {p: data["numbers"][value] for what, p, value in changes if what == part} == {0: 0, 1: 1, 2: 2, 3: 2}
    plain = page.run_data(run, Animation(orientation=Orientation("out")))["pieces"]
    assert plain == {"orientation": {"piece": "orientation", "cycles": False, "winding": False}}


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("val", [2, 0])
def test_a_browser_draws_them(tmp_path: Path, val: int) -> None:
    f = see({"a": "b", "b": "c", "c": "d", "d": "ae" if val else "e"}, {"a": 0, "b": 1, "c": 2, "d": val})
    assert f.timeline is not None
    assert "<b>6</b> of 6" in browsed(tmp_path, page.page(f.timeline, BOTH), "t=99")


@pytest.mark.slow
def test_a_mobile_dag_shows_a_closed_cycle_and_warns_of_an_imminent_one() -> None:
    def history(name: str) -> list[tuple[int, int]]:
        run = Timeline(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run().trace)
        found = [frame(run, float(t)).orientation.circles for t in np.unique(run.time)]
        return [(len(each.parts), len(each.wound)) for each in found]

    assert history("mobile-dag-join-paper")[-1] == (1, 0)
    doomed = history("mobile-dag-corrupt-doom")
    assert (0, 1) in doomed and (1, 0) not in doomed
    assert set(history("mobile-dag-joins")) == {(0, 0)}


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Orientation("out", cycles=1), "cycles must be True or False, not 1"),  # type: ignore[arg-type]
        (lambda: Orientation("out", winding="val %"), "cannot be read"),
        (lambda: Orientation("out", winding="time"), "uses the time"),
        (lambda: Orientation("out", winding=3), "winding must be an expression in quotation marks"),  # type: ignore[arg-type]
    ],
)
def test_wrong_declarations_are_reported(make: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()


def test_a_long_path_without_a_cycle_is_searched_once() -> None:
    links = [(i, i, i + 1) for i in range(circles.MOST)]
    start = time.process_time()
    assert circles._peeled(links) == []
    assert time.process_time() - start < 0.5
    closed = [*links, (circles.MOST, 3_000, 1_000)]
    assert [number for number, _, _ in circles._peeled(closed)] == [*range(1_000, 3_000), circles.MOST]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda ends: ends[0] != ends[1]), max_size=20))
def test_cycles_and_the_paths_between_them_remain(ends: list[tuple[int, int]]) -> None:
    links = [(number, *each) for number, each in enumerate(ends)]
    graph = nx.DiGraph(ends)
    round_ = {p for part in nx.strongly_connected_components(graph) if len(part) > 1 for p in part}
    after, before = ({p for q in round_ for p in way(graph, q)} | round_ for way in (nx.descendants, nx.ancestors))
    inner = after & before
    assert circles._peeled(links) == [link for link in links if {link[1], link[2]} <= inner]
