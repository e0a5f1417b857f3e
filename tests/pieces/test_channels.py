"""Declarations of an animation about variables: at a moment, in the legend, in anonymous networks, on the page."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from lydian.model.errors import BadInput
from lydian.model.network import Link, Network
from lydian.pieces import channels
from lydian.pieces import pointers as pointer_lines
from lydian.pieces.animation import (
    Animation,
    Glyph,
    Group,
    Marks,
    Orientation,
    Pointer,
    Token,
    Value,
    Watch,
)
from lydian.pieces.bands import Band
from lydian.pieces.changing import STATE_FADE, before_at
from lydian.pieces.glyphs import strokes
from lydian.trace.details import Details
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import network_of, scene_for
from lydian.views.page.page import run_data
from tests.views.book import Book
from tests.views.page.test_page import numbers

NAMES = ("a", "b", "c", "d")
SQUARE = Network(
    "square", NAMES, tuple(Link(p, q) for p, q in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"))),
    positions={"a": (0, 0), "b": (100, 0), "c": (100, 100), "d": (0, 100)},
)  # fmt: skip


def run(**changed: object) -> Timeline:
    """At 1 a learns something; at 2 b learns the same; at 3 a forgets it."""
    b = Book(NAMES, links=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    first = b.write(1.0, "init", "a", state="initiating", changed=dict(changed))
    b.send(1.0, "a", "b", "Broadcast", first)
    b.write(2.0, "init", "b", state="waiting", changed=dict(changed))
    b.write(3.0, "init", "a", state="finished", changed=dict.fromkeys(changed))
    return Timeline(b.trace(initial={}))


def see(timeline: Timeline, t: float, animation: Animation, network: Network = SQUARE) -> basic.BasicFrame:
    return basic.frame(timeline, t, network=network, animation=animation)


@pytest.mark.parametrize("style", ["thick", "struck", "half"])
def test_links_in_a_set_are_lines_from_its_holder(style: str) -> None:
    drawn = Animation(marks=(Marks("branch", slot=3, style=style),))
    (band,) = see(run(branch=["b", "d"]), 1.5, drawn).marks
    assert (band.declared.style, band.declared.slot) == (style, 3)
    assert list(zip(band.holder.tolist(), band.target.tolist(), strict=True)) == [(0, 1), (0, 3)]


def test_marks_based_on_a_wrong_belief_are_indicated() -> None:
    """a believes that b has the label 0, which is true, and that c has 1, but c has none; other values are ignored."""
    b = Book(("a", "b", "c", "d"), links=[])
    b.write(1.0, "init", "b", changed={"label": "0"})
    b.write(2.0, "init", "a", changed={"label": "1", "held": {"b": "0", "c": "1"}})
    b.write(3.0, "init", "c", changed={"label": "1", "held": ["a"]})
    timeline = Timeline(b.trace(initial={"label": "", "held": {}}))
    drawn = Animation(marks=(Marks("held", style="half", truth="label"), Marks("held", style="arc")))
    for t, expected in ((2.0, [(0, 1, False), (0, 2, True)]), (3.0, [(0, 1, False), (0, 2, False), (2, 0, False)])):
        band, plain = see(timeline, t, drawn).marks
        assert list(zip(band.holder.tolist(), band.target.tolist(), band.wrong.tolist(), strict=True)) == expected
        assert len(plain.wrong) == 0
    with pytest.raises(BadInput, match="truth requires the style"):
        Marks("held", style="dot", truth="label")


def test_tokens_are_held_and_travel() -> None:
    drawn = Animation(tokens=(Token("held", messages=("Broadcast",)), Token(while_states=("waiting",))))
    f = see(run(held=True), 2.5, drawn)
    assert [spots.holder.tolist() for spots in f.tokens] == [[0, 1], [1]]
    assert [spots.riders.tolist() for spots in f.tokens] == [[0], []]
    assert [spots.holder.tolist() for spots in see(run(held=True), 3.0, drawn).tokens] == [[1], [1]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(["c", "d"], [(0, 2, 0), (0, 3, 1)]), ({"0": "d", "1": "c", "2": "d"}, [(0, 3, 0), (0, 2, 1)]), ("c", [])],
)
def test_sets_may_point_to_any_process(value: object, expected: list[tuple[int, int, int]]) -> None:
    (band,) = see(run(fingers=value), 1.5, Animation(marks=(Marks("fingers", style="arc", levels=True),))).marks
    assert band.declared.style == "arc"
    rows = zip(band.source.tolist(), band.target.tolist(), band.level.tolist(), strict=True)
    assert list(rows) == expected


@pytest.mark.parametrize("value", [["b"], {"b": True, "d": False}])
def test_links_point_to_the_members(value: object) -> None:
    f = see(run(out=value), 1.5, Animation(orientation=Orientation("out")))
    assert f.orientation.ways.tolist() == [1, 0, 0, 0]


def test_links_point_downhill() -> None:
    b = Book(NAMES, links=[])
    for name, height in zip(NAMES, ([2, 0], [1, 5], [1, 5], 7), strict=True):
        b.write(1.0, "init", name, changed={"height": height})
    f = see(Timeline(b.trace()), 1.0, Animation(orientation=Orientation("height", by="height")))
    assert f.orientation.ways.tolist() == [1, 0, -1, 1], "a-b falls, b and c are level, c-d rises, d-a falls"


def test_values_have_one_scale_for_the_whole_run() -> None:
    drawn = Animation(values=(Value("load", style="bar"), Value("load", style="colour", low=0, high=10), Value("load")))
    f = see(run(load=4), 1.5, drawn)
    bar, colour = f.values
    assert (bar.low, bar.high, colour.low, colour.high) == (0.0, 4.0, 0.0, 10.0)
    assert bar.share[0] == 1.0
    assert colour.share[0] == 0.4
    assert np.isnan(bar.value[1:]).all()
    assert f.watch == ("4", "", "", "")


def test_groups_and_glyphs() -> None:
    drawn = Animation(
        groups=Group("topic"), glyphs=(Glyph("F", while_states=("waiting",)), Glyph("T", variable="topic"))
    )
    f = see(run(topic="red"), 2.5, drawn)
    assert f.groups == ("red", "red", "", "")
    assert f.glyphs[0] == ("T", "F", "", "")


def test_ports_of_an_anonymous_network_refer_to_neighbours() -> None:
    """Port 1 of a is its second neighbour, d; a process named "1" would not be meant."""
    drawn = Animation(pointers=(Pointer("left"),), marks=(Marks("all"),))
    anonymous = replace(SQUARE, anonymous=True)
    f = see(run(left=1, all=[0, 1]), 1.5, drawn, anonymous)
    assert (f.pointers[0].source.tolist(), f.pointers[0].target.tolist()) == ([0], [3])
    assert f.marks[0].target.tolist() == [1, 3]
    assert len(see(run(left=7), 1.5, drawn, anonymous).pointers[0].source) == 0


def test_the_legend_lists_only_what_occurs() -> None:
    drawn = Animation(
        pointers=(Pointer("next"), Pointer("never"), Pointer("next", while_states=("acked",))),
        tokens=(Token(messages=("Ack",), word="coin"), Token("next", word="seal")), groups=Group("never"),
        glyphs=(Glyph("X", word="cross"),),
    )  # fmt: skip
    legend = see(run(next="b", never=None), 1.5, drawn).legend
    assert [(item.sort, item.word) for item in legend if item.count is None] == [
        ("pointer", "next"), ("token", "seal"), ("glyph", "cross"),
    ]  # fmt: skip


ALL = Animation(
    pointers=(Pointer("next", style="ring"),), marks=(Marks("fingers", style="arc", levels=True),),
    watch=Watch("{load}"),
    orientation=Orientation("height", by="height"), tokens=(Token("held", messages=("Broadcast",), letter="T"),),
    values=(Value("load", style="bar"), Value("load", style="colour")), groups=Group("topic"), badge="load",
    glyphs=(Glyph("M -1 0 L 1 0 Z", variable="held"),),
)  # fmt: skip


@pytest.mark.parametrize("looks", [ALL, replace(ALL, orientation=Orientation("fingers"))], ids=["heights", "members"])
def test_the_page_replays_what_the_window_draws(looks: Animation) -> None:
    timeline = run(next="b", fingers=["d", "b"], held=True, load=3, height=[1, 2], topic="x")
    data = json.loads(json.dumps(run_data(timeline, looks)))
    changes = {name: numbers(packed).tolist() for name, packed in data["changes"].items()}
    rows = list(zip(*(changes[name] for name in ("at", "process", "what", "value")), strict=True))
    for t in (0.5, 1.0, 2.0, 3.0):
        f = basic.frame(timeline, t, animation=looks)
        said: list[dict] = [{} for _ in data["channels"]]
        for at, p, what, value in rows:
            if at >= f.k:
                continue
            if data["channels"][what]["sort"] != "set":
                said[what][p] = value
            elif value >= 0:
                said[what].setdefault(p, []).append(value)
            else:
                said[what][p].remove(-2 - value)
        by_part: dict[str, list[dict]] = {}
        for channel, answers in zip(data["channels"], said, strict=True):
            by_part.setdefault(channel["part"], []).append(answers)
        marks = {(p, q) for p, members in by_part["marks"][0].items() for q in members}
        assert marks == set(zip(f.marks[0].source.tolist(), f.marks[0].target.tolist(), strict=True))
        assert sorted(p for p, on in by_part["tokens"][0].items() if on >= 0) == f.tokens[0].holder.tolist()
        for answers, level in zip(by_part["values"], f.values, strict=True):
            found = [data["numbers"][answers[p]] if answers.get(p, -1) >= 0 else math.nan for p in range(4)]
            assert np.array_equal(found, level.value, equal_nan=True)
        for part, texts in (("groups", f.groups), ("glyphs", f.glyphs[0])):
            assert tuple(data["texts"][by_part[part][0].get(p, 0)] for p in range(4)) == texts
        heights = by_part["orientation"][0]
        for (a, b), way in zip(f.link_ends.tolist(), f.orientation.ways.tolist(), strict=True):
            if looks.orientation is not None and looks.orientation.by == "height":
                x, y = heights.get(a, -1), heights.get(b, -1)
                assert way == (0 if min(x, y) < 0 or x == y else 1 if x > y else -1)
            else:
                assert (
                    way
                    == {(0, 0): 0, (1, 0): 1, (0, 1): -1, (1, 1): 2}[
                        (int(b in heights.get(a, [])), int(a in heights.get(b, [])))
                    ]
                )


def test_a_change_of_state_is_a_function_of_time() -> None:
    timeline = run(next="b")
    scene = see(timeline, 0.0, Animation(states={"sleeping": 0, "initiating": 1, "finished": 3})).scene
    slots = scene.slots[timeline.states_at(timeline.count(3.05))]
    before, changed = before_at(scene, 3.05, STATE_FADE, slots)
    assert before[0] == 1
    assert changed[0] == pytest.approx(1 - (1 - 0.05 / STATE_FADE) ** 3)
    assert (changed[1:] == 1).all()
    assert (before_at(scene, 3.05, 0.0, slots)[1] == 1).all()
    assert (before_at(scene, 3.0 + STATE_FADE, STATE_FADE, slots)[1] == 1).all()


def test_strokes() -> None:
    assert strokes("F") == ()
    assert strokes("M -1 0 L 1 .5 Z M 0,0 L 1,1") == (
        (((-1.0, 0.0), (1.0, 0.5)), True),
        (((0.0, 0.0), (1.0, 1.0)), False),
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Glyph("L 0 0 L 1 1"), "strokes must be written M x y L x y"),
        (lambda: Glyph("M 0 0 L 3 1"), "from -1 to 1"),
        (lambda: Glyph(""), "one or two characters"),
        (lambda: Token(), "must have a variable, states or messages"),
        (lambda: Token("x", letter="long"), "two characters"),
        (lambda: Token("x", slot=99), "0 to 15"),
        (lambda: Marks("x", style="arcs"), "did you mean 'arc'"),
        (lambda: Value("x", style="color"), "did you mean 'colour'"),
        (lambda: Value("x", low=2, high=1), "low must be less than high"),
        (lambda: Value("x", low="1"), "low must be a number"),  # type: ignore[arg-type]
        (lambda: Orientation("x", by="hight"), "did you mean 'height'"),
        (lambda: Animation(tokens=("T",)), "tokens must be a list of Token"),  # type: ignore[arg-type]
        (lambda: Animation(groups="topic"), "groups must be Group"),  # type: ignore[arg-type]
        (lambda: Animation(letters={"Ack": "Acknowledge"}), "one or two characters"),
    ],
)
def test_impossible_declarations_are_refused_with_an_error(make, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()


def test_active_channels_are_found_once_even_if_the_run_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    names = tuple("abc")
    written = Book(names, links=list(pairwise(names)))
    for i in range(12):
        written.write(1.0 + i, "init", names[i % 3], changed={"to": "b", "late": "a"} if i == 9 else {"n": i})
    trace = written.trace(initial={"to": None, "late": None, "never": None, "n": 0})
    details, read = dict(trace.detail_of.__self__), []  # type: ignore[union-attr]
    looked = Details.walk
    monkeypatch.setattr(Details, "walk", lambda *at: (read.append(at[1]), looked(*at))[1])
    drawn = Animation(pointers=(Pointer("to"), Pointer("late"), Pointer("never")))
    before, found = None, []
    for stop in (0, 5, 9, 12):
        texts = {seq: text for seq, text in details.items() if seq < stop}
        part = Trace(trace.rows[:stop], trace.processes, trace.labels, trace.states, texts.get, network=trace.network,
                     summary=trace.summary)  # fmt: skip
        before = Timeline(part, before)
        found.append(channels.occurring(scene_for(before, None, drawn)))
    assert found == [frozenset()] * 3 + [{"to", "late"}] and read == [0, 5, 9]
    assert channels.occurring(scene_for(Timeline(trace), None, drawn)) == {"to", "late"}


@pytest.mark.parametrize(
    ("pointers", "deep"),
    [
        ([{1: 0, 2: 1, 3: 1}], 2),
        ([{0: 1, 1: 2, 2: 0, 3: 0}], None),  # a cycle with a branch is not a tree
        ([{1: 2, 2: 1, 3: 1}], None),
        ([{1: 0, 2: 0}, {1: 2, 3: 1}], 3),  # a process with two pointers: the longer path counts
        ([{1: 2}, {2: 1}], None),
    ],
)
def test_the_depth_of_a_tree_is_its_longest_chain(pointers: list[dict[int, int]], deep: int | None) -> None:
    bands = []
    for each in pointers:
        holder, other = (np.array(list(part), dtype=np.int64) for part in (each, each.values()))
        bands.append(Band(Pointer("up", style="tree"), holder, other, np.zeros(len(each), dtype=bool), holder))
    assert pointer_lines.height(bands, 4) == deep


def moves(count: int) -> Book:
    """Return a run of three processes in which variables and states change and a process crashes."""
    names = ("a", "b", "c")
    book = Book(names, links=[("a", "b"), ("b", "c")])
    for i in range(count):
        what = {"parent": names[i * 5 % 3], "held": [i] * (i % 20)} if i % 4 else {}
        state = "waiting" if i % 3 else "sleeping"
        book.write(1.0 + i, "crash" if i == 17 else "recover" if i == 25 else "init", names[i * 7 % 3], state=state,
                   changed=what)  # fmt: skip
    return book


LOOKS = Animation(pointers=(Pointer("parent", style="waiting", while_states=("waiting",)),), badge="held")


@pytest.mark.parametrize("near", [0, 3, 1_024])
def test_answers_after_a_move_are_those_of_a_fresh_question(near: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the processes of the events in between are asked again, forwards and backwards."""
    monkeypatch.setattr(channels, "NEAR", near)
    run = Timeline(moves(40).trace(initial={"parent": None, "held": []}))
    scene = scene_for(run, None, LOOKS)
    for k in (0, 3, 4, 9, 8, 2, 20, 26, 24, 40, 39, 0, 17, 18):
        states, crashed = run.states_at(k), run.crashed_at(k)
        asked, fresh = channels.asked_at(scene, k, states, crashed), channels.Asked(scene, k, states, crashed)
        assert len(asked.channels) == 3
        for channel in asked.channels:
            assert asked.answers(channel) == fresh.answers(channel)


def test_answers_of_a_run_that_has_grown_are_those_of_a_fresh_question() -> None:
    run, network = None, network_of(Timeline(moves(1).trace()))
    for count, moments in ((12, (12, 5)), (20, (20, 18)), (21, (21,)), (40, (40, 19, 33))):
        run = Timeline(moves(count).trace(initial={"parent": None, "held": []}), run)
        scene = scene_for(run, network, LOOKS)
        for k in moments:
            states, crashed = run.states_at(k), run.crashed_at(k)
            asked, fresh = channels.asked_at(scene, k, states, crashed), channels.Asked(scene, k, states, crashed)
            assert len(asked.channels) == 3
            for channel in asked.channels:
                assert asked.answers(channel) == fresh.answers(channel)
