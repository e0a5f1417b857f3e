"""Sectors and flags of the circle: the meaning of values, those at a moment, and their growth with a run."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.lang.expression import expression
from lydian.model.network import Link, Network
from lydian.pieces import sectors
from lydian.pieces.animation import Animation, Flags, Marks, Places, Pointer, Sector
from lydian.pieces.sectors import flags_in, sectors_told, span_of, spans_in
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.basic import BasicFrame
from lydian.views.selection import Selection
from tests.views.book import Book

NAMES = ("a", "b", "c", "d")
NETWORK = Network(
    "square", NAMES, tuple(Link(p, q) for p, q in pairwise(NAMES)),
    positions={"a": (0, 0), "b": (200, 0), "c": (200, 200), "d": (0, 200)},
)  # fmt: skip
PLACES = Places("at")
NUMBER = st.floats(-3, 3, allow_nan=False)


def told(*rows: tuple[float, str, Any], crash: tuple[float, str] | None = None, **initial: Any) -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for time, name, changed in rows:
        if crash is not None and crash[0] < time:
            book.write(crash[0], "crash", crash[1])
            crash = None
        book.write(time, "init", name, changed=changed)
    if crash is not None:
        book.write(crash[0], "crash", crash[1])
    return Timeline(book.trace(initial={"at": None, "own": None} | initial))


def see(timeline: Timeline, t: float, drawn: Animation, **more: Any) -> BasicFrame:
    return basic.frame(timeline, t, network=NETWORK, animation=drawn, **more)


def parts(timeline: Timeline, t: float, at: str = "own", **more: Any) -> dict[str, list[tuple[float, float]]]:
    """Map each process to the beginnings and lengths of its sectors on the circle."""
    (frame,) = see(timeline, t, Animation(places=PLACES, sectors=(Sector(at, **more),))).sectors
    found: dict[str, list[tuple[float, float]]] = {}
    for p, start, long in zip(frame.process.tolist(), frame.start.tolist(), frame.length.tolist(), strict=True):
        found.setdefault(NAMES[p], []).append((round(start, 9), round(long, 9)))
    return found


# ---------------------------------------------------------------------- meaning of values


@given(NUMBER, NUMBER)
def test_a_span_goes_clockwise_from_its_first_end_to_its_second(first: float, last: float) -> None:
    start, long = span_of(first, last)
    assert 0 <= start < 1 and 0 <= long <= 1
    if 0 < long < 1:
        for end, at in ((first, start), (last, start + long)):
            away = abs(end - at) % 1.0
            assert min(away, 1 - away) < 1e-6


@given(NUMBER, NUMBER)
def test_a_span_and_its_reverse_cover_the_circle(first: float, last: float) -> None:
    first, last = first % 1.0, last % 1.0
    (a, long), (b, rest) = span_of(first, last), span_of(last, first)
    if long and rest:
        assert long + rest == pytest.approx(1.0)
        middle, back = (a + long / 2) % 1.0, (b + rest / 2) % 1.0
        assert abs(abs(middle - back) - 0.5) < 1e-6  # they are opposite each other


@pytest.mark.parametrize(("first", "last", "found"), [
    (0.25, 0.5, (0.25, 0.25)), (0.9, 0.1, (0.9, 0.2)), (0.5, 0.5, (0.5, 0.0)), (0.0, 1.0, (0.0, 1.0)),
    (0.3, 2.6, (0.3, 1.0)), (-0.25, 0.25, (0.75, 0.5)), (0.75, 1.25, (0.75, 0.5)), (float("nan"), 0.2, (0.0, 0.0)),
])  # fmt: skip
def test_spans_wrap(first: float, last: float, found: tuple[float, float]) -> None:
    assert span_of(first, last) == pytest.approx(found)


@pytest.mark.parametrize(("what", "wide", "found"), [
    ([0.2, 0.4], 0, [(0.2, 0.4, 0.0)]),
    ([[0.2, 0.4], [0.9, 0.1]], 0, [(0.2, 0.4, 0.0), (0.9, 0.1, 0.0)]),
    (["a", 0.5], 0, [("a", 0.5, 0.0)]),
    ([0.2, 0.4], 0.1, [(0.2, 0.2, 0.05), (0.4, 0.4, 0.05)]),
    (0.2, 0.1, [(0.2, 0.2, 0.05)]),
    ("a", 0.1, [("a", "a", 0.05)]),
    (0.2, 0, []),
    ([[0.2, 0.4], 0.7], 0.2, [(0.2, 0.4, 0.0), (0.7, 0.7, 0.1)]),
    ([None, "a"], 0, []), (None, 0.1, []), ([True, False], 0, []), ([0.1, 0.2, 0.3], 0, []), ([[]], 0, []),
    ([0.2, 0.4], None, [(0.2, 0.4, 0.0)]),
    ({0.5}, 0.1, [(0.5, 0.5, 0.05)]),
])  # fmt: skip
def test_valid_sectors(what: Any, wide: Any, found: list[Any]) -> None:
    assert list(spans_in((what, wide))) == found
    assert spans_in(None) == ()


@pytest.mark.parametrize(("value", "found"), [
    (0.25, [(0.25, "")]), ([0.5, 0.25, 0.5], [(0.25, ""), (0.5, "")]), ([0.5, "x"], [(0.5, "x")]),
    ([[0.5, "x"], [1.25, 75], [0.1, None]], [(0.1, ""), (0.25, "75"), (0.5, "x")]),
    ({"x": 0.5, "y": 0.1, "z": None}, [(0.1, "y"), (0.5, "x")]), ([[0.5, "a very long text"]], [(0.5, "a very ")]),
    (None, []), ("x", []), ([True], []), ([[0.5]], []),
])  # fmt: skip
def test_valid_flags(value: Any, found: list[Any]) -> None:
    assert list(flags_in(value)) == found


# ---------------------------------------------------------------------- a moment


def test_sectors_follow_the_current_moment_also_backwards() -> None:
    timeline = told((1.0, "a", {"own": [0.9, 0.1]}), (2.0, "b", {"own": [[0.1, 0.2], [0.4, 0.5]]}),
                    (3.0, "a", {"own": None}))  # fmt: skip
    for t in (0.5, 1.5, 2.5, 3.5, 2.5, 0.5):
        expected = {"a": [(0.9, 0.2)]} if 1 <= t < 3 else {}
        expected |= {"b": [(0.1, 0.1), (0.4, 0.1)]} if t >= 2 else {}
        assert parts(timeline, t) == expected


def test_an_end_that_names_a_process_is_at_its_position() -> None:
    timeline = told((1.0, "a", {"at": 0.25, "own": "b"}), (2.0, "b", {"at": 0.75}), (3.0, "b", {"at": 0.5}))
    assert parts(timeline, 1.5, "[own, me]") == {}  # b has no position yet
    assert parts(timeline, 2.5, "[own, me]") == {"a": [(0.75, 0.5)]}
    assert parts(timeline, 3.5, "[own, me]") == {"a": [(0.5, 0.75)]}
    assert parts(timeline, 3.5, "own", width=0.2) == {"a": [(0.4, 0.2)]}
    assert parts(told((1.0, "a", {"own": "nobody"})), 2.0, "[own, me]") == {}


def test_single_numbers_have_a_width_that_may_be_an_expression() -> None:
    timeline = told((1.0, "c", {"own": [1, 3], "size": 8}), size=4)
    assert parts(timeline, 2.0, "[i / size for i in own]", width="1 / size") == {
        "c": [(0.0625, 0.125), (0.3125, 0.125)]
    }


def test_a_crashed_process_has_no_sector() -> None:
    timeline = told((1.0, "a", {"own": [0.1, 0.2]}), (1.0, "b", {"own": [0.1, 0.2]}), crash=(2.0, "a"))
    assert parts(timeline, 1.5).keys() == {"a", "b"} and parts(timeline, 2.5).keys() == {"b"}
    drawn = Animation(places=PLACES, flags=(Flags("own"),))
    assert see(timeline, 1.5, drawn).flags[0].at == see(timeline, 2.5, drawn).flags[0].at == (0.1, 0.2)
    alone = told((1.0, "a", {"own": 0.1}), crash=(2.0, "a"))
    assert [see(alone, t, drawn).flags[0].at for t in (1.5, 2.5)] == [(0.1,), ()]


def test_equal_flags_of_several_processes_are_merged() -> None:
    timeline = told((1.0, "a", {"own": {"x": 0.5, "y": 0.1}}), (2.0, "b", {"own": [[0.5, "x"], [0.5, "z"], 0.7]}))
    drawn = Animation(places=PLACES, flags=(Flags("own", word="key"),))
    (flags,) = see(timeline, 3.0, drawn).flags
    assert list(zip(flags.at, flags.texts, strict=True)) == [(0.1, "y"), (0.5, "x"), (0.5, "z"), (0.7, "")]
    assert flags.more == 0 and see(timeline, 0.5, drawn).flags[0].at == ()
    many = told((1.0, "a", {"own": [i / 300 for i in range(300)]}))
    (flags,) = see(many, 2.0, drawn).flags
    assert (len(flags.at), flags.more) == (200, 100)


def test_nothing_is_recomputed_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(1.0 + i, NAMES[i % 4], {"own": [0.1, 0.2] if i < 8 else [0.3, 0.4], "other": i}) for i in range(12)]
    timeline, asked = told(*rows, other=0), []
    whole = sectors.spans_in
    monkeypatch.setattr(sectors, "spans_in", lambda value: asked.append(value) or whole(value))
    drawn = Animation(places=PLACES, sectors=(Sector("own"),))
    found = [see(timeline, float(t), drawn).sectors[0] for t in np.arange(4.2, 8.9, 0.1)]
    assert all(each is found[0] for each in found)
    assert len(asked) == 3  # None and two different values, regardless of the number of events with them
    assert see(timeline, 20.0, drawn).sectors[0] is not found[0]


def test_a_run_without_the_variable_has_no_sectors() -> None:
    drawn = Animation(places=PLACES, sectors=(Sector("onw"), Sector("own")), flags=(Flags("onw"),))
    frame = see(told((1.0, "a", {"own": [0.1, 0.2]})), 2.0, drawn)
    assert [each.number for each in frame.sectors] == [1] and frame.flags == ()
    assert [(item.sort, item.number) for item in frame.legend if item.sort in ("sector", "flag")] == [("sector", 1)]
    nowhere = Animation(places=Places("nothing"), sectors=(Sector("own"),))
    assert see(told((1.0, "a", {"own": [0.1, 0.2]})), 2.0, nowhere).sectors == ()
    assert basic.frame(None, 0.0, network=NETWORK, animation=drawn).sectors == ()


def test_the_legend_lists_everything_that_occurs() -> None:
    drawn = Animation(
        places=PLACES, sectors=(Sector("own", word="its keys"), Sector("other")), flags=(Flags("other", word="a key"),)
    )
    timeline = told((1.0, "a", {"own": [0.1, 0.2]}), (2.0, "a", {"own": None}), other=None)
    for t in (0.0, 1.5, 3.0):
        assert [i.word for i in see(timeline, t, drawn).legend if i.sort in ("sector", "flag")] == ["its keys"]


VALUES = st.sampled_from([None, [0.1, 0.3], [0.9, 0.1], [[0.1, 0.2], [0.5, 0.6]], ["a", 0.5], "b", 0.4])


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["own", "at", "crash", "recover"]), VALUES),
                max_size=25), st.integers(0, 25))  # fmt: skip
def test_a_growing_run_has_the_sectors_of_the_whole_run(rows: list[tuple[str, str, Any]], cut: int) -> None:
    book, own, down = Book(NAMES, links=list(pairwise(NAMES))), dict.fromkeys(NAMES), set[str]()
    expected: list[dict[str, Any]] = [{}]
    for i, (name, what, value) in enumerate(rows):
        if what in ("crash", "recover"):
            if (what == "crash") == (name in down):
                what = "init"
            book.write(1.0 + i, what, name)
            down = down | {name} if what == "crash" else down - {name} if what == "recover" else down
        else:
            at = 0.25 if value else None
            book.write(1.0 + i, "init", name, changed={"own": value} if what == "own" else {"at": at})
            own = own | {name: value} if what == "own" else own
        expected.append({p: spans_in((v, 0.1)) for p, v in own.items() if p not in down and spans_in((v, 0.1))})
    trace = book.trace(initial={"at": None, "own": None})
    part = Trace(
        trace.rows[:cut], trace.processes, trace.labels, trace.states, trace.detail_of, network=trace.network,
        summary=trace.summary, source=trace.source,
    )  # fmt: skip
    drawn = Animation(places=PLACES, sectors=(Sector("own", width=0.1),))
    short = Timeline(part)
    see(short, 1.0, drawn)
    grown = Timeline(trace, short)
    for k in range(grown.length + 1):
        found = sectors_told(see(grown, 99.0, drawn).scene, drawn.sectors[0])
        assert found is not None and found.length == grown.length
        now = {NAMES[p]: found.things[code] for p, code in enumerate(found.at(k)) if code}
        assert now == expected[k]
        one, other = (see(Timeline(trace) if new else grown, 0.5 + k, drawn).sectors for new in (True, False))
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a.process, b.process) and np.array_equal(a.start, b.start)


# ---------------------------------------------------------------------- the selected process


def test_lines_of_the_selected_process_are_drawn_only_for_it() -> None:
    drawn = Animation(
        pointers=(Pointer("next", selected=True, word="next"), Pointer("next")),
        marks=(Marks("fingers", style="arc", selected=True), Marks("fingers", levels=True)),
    )
    timeline = told((1.0, "a", {"next": "b", "fingers": ["c", "d"]}), (2.0, "b", {"next": "c", "fingers": ["d"]}),
                    next=None, fingers=[])  # fmt: skip

    def lines(*chosen: int) -> list[list[tuple[int, int]]]:
        frame = see(timeline, 3.0, drawn, selection=Selection(processes=frozenset(chosen)))
        return [list(zip(band.source.tolist(), band.target.tolist(), strict=True)) for band in
                (*frame.pointers, *frame.marks)]  # fmt: skip

    pointers, marks = [(0, 1), (1, 2)], [(0, 2), (0, 3), (1, 3)]
    assert lines() == [[], pointers, [], marks]
    assert lines(0) == [[(0, 1)], pointers, [(0, 2), (0, 3)], marks]
    assert lines(1) == [[(1, 2)], pointers, [(1, 3)], marks]
    assert lines(0, 1) == [pointers, pointers, marks, marks] and lines(3) == lines()
    words = [item.word for item in see(timeline, 3.0, drawn).legend if item.sort in ("pointer", "mark")]
    assert words == ["next of the selected process", "next", "fingers of the selected process", "fingers"]


# ---------------------------------------------------------------------- declarations and systems


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Sector("own", style="dotted"), "a sector has no style 'dotted'"),
    (lambda: Sector("own +"), "cannot be read"),
    (lambda: Sector(0.5), "at must be an expression in quotation marks"),
    (lambda: Sector("own", slot=16), "slot of a sector must be a number from 0 to 15"),
    (lambda: Sector("own", width=2), "width must be a number from 0 to 1"),
    (lambda: Sector("own", width="1 /"), "cannot be read"),
    (lambda: Flags("time"), "uses the time"),
    (lambda: Flags("own", slot=-1), "slot of flags must be a number from 0 to 15"),
    (lambda: Animation(sectors=(Sector("own"),)), "are drawn on the circle of places"),
    (lambda: Animation(flags=(Flags("own"),)), "are drawn on the circle of places"),
    (lambda: Animation(places=PLACES, sectors=("own",)), r"sectors must be a list of Sector\(...\)"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()


def ran(name: str) -> Timeline:
    simulator = Simulator(archive().experiment(name).resolve(archive()))
    assert simulator.run().error is None
    return Timeline(simulator.trace)


def test_owners_and_free_entries_of_the_causal_cluster_form_the_ring() -> None:
    timeline = ran("causal-cluster")
    for t in (5.0, 31.0, 60.0):  # no process is being excluded
        frame = basic.frame(timeline, t)
        assert frame.standing is not None
        free, nobody, excluded = frame.sectors
        entries = (free.start + free.length / 2) * 12
        owned = frame.standing.at[np.isfinite(frame.standing.at)] * 12
        assert sorted(np.round([*entries, *owned]).astype(int) % 12) == list(range(12))
        assert not len(nobody.process) and not len(excluded.process)
    frame = basic.frame(timeline, 100.0)  # 9 has excluded 2, with entry 4, and is temporary
    _, nobody, excluded = frame.sectors
    assert [frame.names[p] for p in nobody.process] == [frame.names[p] for p in excluded.process] == ["9"]
    assert (excluded.start + excluded.length / 2) * 12 == pytest.approx(4)
    assert nobody.around(4 / 12) == [0] and nobody.around(3 / 12) == [] and nobody.around(5 / 12) == []


def test_owners_of_topics_are_responsible_for_their_keys() -> None:
    timeline = ran("chord-scribe-both")
    frame = basic.frame(timeline, 43.0)
    (owned,), (keys,) = frame.sectors, frame.flags
    assert list(zip(keys.at, keys.texts, strict=True)) == [(75 / 256, "75"), (200 / 256, "200")]
    owners = {frame.names[p]: (start * 256, (start + long) * 256)
              for p, start, long in zip(owned.process, owned.start, owned.length, strict=True)}  # fmt: skip
    assert owners == {"88": pytest.approx((60, 88)), "214": pytest.approx((190, 214))}
    assert len(basic.frame(timeline, 43.0, Selection(processes=frozenset({0}))).marks[-1].source) > 1
    assert not len(frame.marks[-1].source)


@pytest.mark.parametrize(("name", "t"), [("role-dht", 90.0), ("role-dht-24", 97.0), ("role-dht-hot", 168.0)])
def test_forwarders_divide_the_circle_and_children_belong_to_their_part(name: str, t: float) -> None:
    timeline = ran(name)
    frame = basic.frame(timeline, t)
    ((cut,), at) = frame.sectors, frame.standing.at  # type: ignore[union-attr]
    up = frame.scene.run.variable_at("up", frame.k)
    parts = sorted(zip(cut.start.tolist(), cut.length.tolist(), cut.process.tolist(), strict=True))
    assert len(parts) > 1 and sum(long for _, long, _ in parts) == pytest.approx(1.0)
    ends = [start + long for start, long, _ in parts]
    assert ends == pytest.approx([*(start for start, _, _ in parts[1:]), 1.0])
    children = [p for p, parent in enumerate(up) if parent is not None]
    assert children
    for p in children:
        assert frame.names.index(up[p]) in [int(cut.process[i]) for i in cut.around(float(at[p]))]


def test_expressions_with_a_final_comment_or_too_great_length() -> None:
    commented = Sector("x # where it is", width="0.1 # so wide")
    assert expression(commented.asked).value({"x": 0.5}) == (0.5, 0.1)
    with pytest.raises(BadInput, match="1 to 1,000 characters"):
        Sector(f"x + {'0 + ' * 200}0", width=f"x + {'0 + ' * 200}0")
