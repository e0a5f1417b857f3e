"""The basic view: the positions of all objects at a time, as arrays."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.model.delays import parse
from lydian.model.network import Link, Network
from lydian.pieces.animation import Animation, Marks, Pointer, animation_for
from lydian.pieces.pointers import longest
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.flights import FADE, HELD
from lydian.views.selection import NOTHING, Hit, Selection
from tests.views import book

PATH = Network(
    "path",
    ("a", "b", "c"),
    (Link("a", "b"), Link("b", "c", delay=parse("constant(3)"))),
    initiators=("a",),
    positions={"a": (0, 0), "b": (100, 0), "c": (100, 50)},
    delay=parse("constant(1)"),
)


def path_run(**changes: object) -> Timeline:
    """a starts at 0 and sends to b at 1; the message arrives at 2, waits until 3, and is handled until 3.5."""
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    first = b.write(0.0, "init", "a", state="initiating", changed={"pending": ["b"]})
    number, sent = b.send(1.0, "a", "b", "Broadcast", first)
    got = b.write(
        3.0, "receive", "b", "a", label="Broadcast", message=number, cause=sent, state="waiting",
        changed={"parent": "a", "pending": ["c"]}, busy=0.5, waited=1.0,
    )  # fmt: skip
    b.send(3.5, "b", "c", "Broadcast", got)
    return Timeline(b.trace(**changes))


def see(timeline: Timeline | None, t: float, **options: object) -> basic.BasicFrame:
    options.setdefault("network", PATH)
    options.setdefault("animation", animation_for("echo") if timeline is None else animation_for(timeline.trace))
    return basic.frame(timeline, t, **options)  # type: ignore[arg-type]


RUN = path_run()


def test_network_at_rest() -> None:
    f = see(None, 0.0)
    assert f.names == ("a", "b", "c")
    assert f.positions.tolist() == [[0, 0], [100, 0], [100, 50]]
    assert f.link_ends.tolist() == [[0, 1], [1, 2]]
    assert f.initiators.tolist() == [True, False, False]
    assert f.factors.tolist() == [1.0, 3.0]
    assert len(f.flights) == 0
    assert f.legend == ()
    assert not f.started
    assert f.title == "path, 3 processes, 2 links"


def test_an_empty_network_gives_an_empty_picture() -> None:
    f = basic.frame(None, 0.0)
    assert f.names == ()
    assert len(f.positions) == 0


def test_states_are_slots() -> None:
    assert see(RUN, -1.0).slots.tolist() == [0, 0, 0]
    assert see(RUN, 0.0).slots.tolist() == [1, 0, 0]
    assert see(RUN, 3.0).slots.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("t", "fraction", "waiting"),
    [(1.0, 0.0, False), (1.25, 0.25, False), (1.9, 0.9, False), (2.0, 1.0, True), (2.999, 1.0, True)],
)
def test_a_message_is_at_the_exact_fraction_of_its_path(t: float, fraction: float, waiting: bool) -> None:
    flights = see(RUN, t).flights
    assert flights.id.tolist() == [0]
    assert (flights.source.tolist(), flights.target.tolist()) == ([0], [1])
    assert flights.fraction[0] == pytest.approx(fraction)
    assert flights.waiting.tolist() == [waiting]


def test_a_message_that_never_arrives_comes_no_closer_than_its_estimate() -> None:
    assert see(RUN, 3.5).flights.fraction[0] == 0.0
    late = see(RUN, 50.0).flights
    assert late.id.tolist() == [1]
    assert late.fraction[0] == pytest.approx(HELD)
    assert not late.waiting[0]


def test_a_process_handling_an_event_is_busy() -> None:
    assert np.isnan(see(RUN, 2.9).busy).all()
    busy = see(RUN, 3.125).busy
    assert busy[1] == pytest.approx(0.25)
    assert math.isnan(busy[0])
    assert np.isnan(see(RUN, 3.5).busy).all()


def test_waiting_messages_form_a_queue() -> None:
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    sent = [b.send(0.1 * i, "a", "b", "Broadcast") for i in range(3)]
    for i, (number, seq) in enumerate(sent):
        b.write(5.0 + i, "receive", "b", "a", label="Broadcast", message=number, cause=seq, waited=4.0 + i)
    f = see(Timeline(b.trace()), 4.0)
    assert f.flights.waiting.all()
    assert sorted(f.flights.place.tolist()) == [0, 1, 2]


def test_a_lost_message_is_shown_where_it_was_lost_for_a_while() -> None:
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    number, seq = b.send(1.0, "a", "b", "Broadcast")
    b.write(2.0, "drop", "b", "a", label="Broadcast", message=number, cause=seq, reason="loss")
    number, seq = b.send(2.0, "a", "b", "Broadcast")
    b.write(2.25, "drop", "b", "a", label="Broadcast", message=number, cause=seq, reason="link down")
    run = Timeline(b.trace())
    assert see(run, 1.5).flights.fraction.tolist() == [0.5]
    f = see(run, 2.3)
    assert len(f.flights) == 0
    assert f.losses.fraction.tolist() == pytest.approx([1.0, 0.25])
    assert f.losses.age.tolist() == pytest.approx([0.3 / FADE, 0.05 / FADE])
    assert len(see(run, 2.25 + FADE + 0.01).losses) == 0
    assert [(item.word, item.count) for item in f.legend if item.sort == "lost"] == [("lost", 2)]


def test_crashes_and_cut_links() -> None:
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    b.write(1.0, "crash", "b")
    b.write(2.0, "link_down", "c", "b")
    b.write(3.0, "recover", "b")
    b.write(4.0, "link_up", "c", "b")
    run = Timeline(b.trace())
    assert see(run, 1.5).crashed.tolist() == [False, True, False]
    assert see(run, 1.5).crashed_since[1] == 1.0
    assert see(run, 2.5).links_down.tolist() == [False, True]
    assert not see(run, 3.5).crashed.any()
    assert not see(run, 4.5).links_down.any()


def test_a_link_cut_in_one_direction() -> None:
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    b.write(1.0, "link_down", "c", "b", one_way=True)
    b.write(2.0, "link_down", "b", "c", one_way=True)
    b.write(3.0, "link_up", "c", "b", one_way=True)
    b.write(4.0, "link_up", "b", "c")
    run = Timeline(b.trace())
    shown = [(see(run, t).links_down.tolist(), see(run, t).ways_down.tolist()) for t in (0.5, 1.5, 2.5, 3.5, 4.5)]
    up, down = [False, False], [False, True]
    assert shown == [(up, [0, 0]), (up, [0, -1]), (down, [0, 0]), (up, [0, 1]), (up, [0, 0])]
    assert run.ways_down_at(2) == {(2, 1), (1, 2)} and run.links_down_at(1) == {(1, 2)}


def test_all_crashed() -> None:
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    for name in ("a", "b", "c"):
        b.write(1.0, "crash", name)
    f = see(Timeline(b.trace()), 2.0)
    assert f.crashed.all()
    assert {item.word: item.count for item in f.legend if item.count is not None} == {"asleep": 0, "crashed": 3}


def test_the_parent_waits_for_the_child() -> None:
    f = see(RUN, 3.2)
    waiting = next(band for band in f.pointers if band.declared.style == "waiting")
    assert (waiting.source.tolist(), waiting.target.tolist()) == ([0], [1])
    assert waiting.longest.tolist() == [True]
    assert f.watch == ("waits for 1", "waits for 1", "")
    assert f.badges == ("1", "1", "")


def test_marks_are_at_the_holder() -> None:
    f = see(RUN, 3.2, animation=Animation(marks=(Marks("pending"),)))
    (band,) = f.marks
    assert list(zip(band.source.tolist(), band.target.tolist(), strict=True)) == [(0, 1), (1, 2)]


def test_a_null_pointer_is_not_drawn() -> None:
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    b.write(1.0, "init", "a", changed={"parent": "nobody"})
    b.write(1.0, "init", "b", changed={"parent": "b"})
    f = see(Timeline(b.trace()), 2.0, animation=Animation(pointers=(Pointer("parent"),)))
    assert len(f.pointers[0].source) == 0


def test_the_legend_lists_what_occurs() -> None:
    words = [(item.sort, item.number, item.word, item.count) for item in see(RUN, 1.5).legend]
    assert words == [
        ("state", 0, "asleep", 2),
        ("state", 1, "initiating", 1),
        ("state", 2, "waiting", 0),
        ("message", 0, "Broadcast", 1),
        ("pointer", 0, "waiting chain", None),
    ]


def test_a_whole_run_of_echo() -> None:
    run = Timeline(book.echo())
    assert basic.frame(run, -1.0).title == "Echo on two-wings, 12 processes, 17 links"
    end = basic.frame(run, run.end)
    assert end.slots.tolist() == [1] + [3] * 11
    assert len(end.flights) == 0
    (tree,) = [band for band in end.pointers if band.declared.style == "waited"]
    assert len(tree.source) == 11
    assert "46 messages (23 Broadcast, 23 Ack)" in end.title
    assert " deep · time " in end.title


#: Rows of Echo after which some processes have acknowledged and others still wait.
HALF = 70


def half_of_echo(**summary: Any) -> basic.BasicFrame:
    """Return Echo, cut off at some row."""
    trace = book.echo()
    known = {name: value for name, value in trace.summary.items() if name != "stopped"}
    half = Timeline(replace(trace, rows=trace.rows[:HALF], summary={**known, **summary}))
    return basic.frame(half, half.end)


def test_an_unfinished_run_is_described_as_such() -> None:
    assert half_of_echo(stopped=None).title.endswith(" in transit")
    assert half_of_echo(beginning=True).title.endswith(" in transit"), "the rest is not shown yet"
    assert " · time " in half_of_echo(stopped=None, rest={"checks": []}).title


def test_a_stopped_run_counts_its_partial_tree() -> None:
    """Some processes wait for their part of the tree, and are between others and the root."""
    end = half_of_echo(stopped="limit")
    both = [band for band in end.pointers if band.declared.style in ("waiting", "waited")]
    assert [band.declared.style for band in both] == ["waiting", "waited"]
    parent = {int(p): int(q) for band in both for p, q in zip(band.target, band.source, strict=True)}
    depths = []
    for p in parent:
        depths.append(0)
        while p in parent:
            p, depths[-1] = parent[p], depths[-1] + 1
    assert f"tree {max(depths)} deep" in end.title


def test_the_scene_stays_the_same_object_from_frame_to_frame() -> None:
    first, second = see(RUN, 1.0), see(RUN, 2.0)
    assert first.scene is second.scene
    assert first.positions is second.positions
    assert see(None, 0.0, animation=RUN_ANIMATION).scene is see(None, 1.0, animation=RUN_ANIMATION).scene


RUN_ANIMATION = animation_for(RUN.trace)


def test_a_network_other_than_that_of_the_run() -> None:
    """The processes may have other positions, and some may be missing."""
    turned = Network("turned", ("c", "x", "a"), (Link("c", "a"),), positions={})
    f = see(path_run(), 3.6, network=turned)
    assert f.slots.tolist() == [0, 0, 1]
    assert len(f.flights) == 0  # b is missing


def test_selection_and_hover_are_passed_on() -> None:
    chosen = Selection(processes=frozenset({1}))
    f = see(RUN, 1.0, selection=chosen, hover=Hit("process", 2))
    assert f.selection is chosen
    assert f.hover == Hit("process", 2)
    assert chosen
    assert not NOTHING
    assert chosen.has(Hit("process", 1))
    assert not chosen.has(Hit("message", 1))


@settings(deadline=None)
@given(st.lists(st.integers(min_value=-1, max_value=11), min_size=1, max_size=12))
def test_the_longest_chain_matches_a_traversal(pointers: list[int]) -> None:
    n = 12
    held = {i: to for i, to in enumerate(pointers) if to >= 0 and to != i}

    def walk(i: int) -> int:
        steps, seen = 0, {i}
        while i in held:
            i = held[i]
            if i in seen:
                return 0
            seen.add(i)
            steps += 1
        return steps

    holder = np.array(list(held), dtype=np.int32)
    target = np.array(list(held.values()), dtype=np.int32)
    chosen = longest(holder, target, holder, n)
    assert int(chosen.sum()) == max((walk(i) for i in range(n)), default=0)
    ends = dict(zip(holder[chosen].tolist(), target[chosen].tolist(), strict=True))
    assert sum(start not in ends.values() for start in ends) <= 1  # one chain, not pieces


@settings(deadline=None)
@given(st.floats(min_value=-1, max_value=20, allow_nan=False))
def test_every_moment_can_be_shown(t: float) -> None:
    f = basic.frame(ECHO, t)
    assert ((f.flights.fraction >= 0) & (f.flights.fraction <= 1)).all()
    assert len(f.slots) == 12
    assert len(f.watch) in (0, 12)
    assert sum(item.count or 0 for item in f.legend if item.sort == "state") == 12


ECHO = Timeline(book.echo())


def test_messages_between_processes_without_a_link() -> None:
    """For messages of an overlay the picture contains a faint line."""
    b = book.Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    first = b.write(0.0, "init", "a", state="initiating")
    for to in ("b", "c"):
        b.send(0.0, "a", to, "Broadcast", first)
    f = see(Timeline(b.trace()), 0.4)
    pairs = list(zip(f.flights.source.tolist(), f.flights.target.tolist(), strict=True))
    apart = f.scene.unlinked(f.flights.source, f.flights.target)
    assert dict(zip(pairs, apart.tolist(), strict=True)) == {(0, 1): False, (0, 2): True}
    assert f.scene.unlinked(np.array([2], dtype=np.int32), np.array([0], dtype=np.int32)).tolist() == [True]
    bare = Network("bare", ("a", "b", "c"), (), ("a",), delay=parse("constant(1)"))
    f = see(Timeline(b.trace()), 0.4, network=bare)
    assert f.scene.unlinked(f.flights.source, f.flights.target).all() and len(f.flights) == 2
