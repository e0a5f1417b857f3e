"""The state diagram: no overlaps, the same picture for the same table, and small changes after edits."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.authoring.diagram import DiagramState
from lydian.authoring.statediagram import (
    Arrow,
    Box,
    Item,
    LabelLine,
    Layout,
    Sizes,
    arrows_of,
    backwards,
    between,
    crossings,
    in_order,
    lay_out,
    ranks,
    shown_lines,
    spread,
)
from lydian.model.source.draft import read

ROOT = Path(__file__).resolve().parents[2]
ECHO = (ROOT / "protocols" / "echo.py").read_text(encoding="utf-8")
SIZES = Sizes(34.0, 16.0, lambda text: 7.0 * len(text), lambda text: 8.0 * len(text))


def states(count: int) -> list[DiagramState]:
    return [DiagramState(f"state {at}", at == 0, True, False) for at in range(count)]


def arrow(a: int, b: int, lines: int = 1) -> Arrow:
    said = [LabelLine(f"M{n} / do_{a}_{b}", f"state {a}", (f"M{n}",), f"do_{a}_{b}", "action") for n in range(lines)]
    return Arrow(f"state {a}", f"state {b}", tuple(said))


@st.composite
def diagrams(draw: st.DrawFn) -> tuple[list[DiagramState], list[Arrow]]:
    count = draw(st.integers(1, 12))
    pairs = draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=24))
    return states(count), [arrow(a, b, draw(st.integers(1, 6))) for a, b in sorted(pairs)]


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] - 0.01 and b[0] < a[2] - 0.01 and a[1] < b[3] - 0.01 and b[1] < a[3] - 0.01


def bodies(layout: Layout) -> list[Box]:
    half = SIZES.d * 0.5
    return [(s.x - half, s.y - half, s.x + half, s.y + half) for s in layout.states]


@settings(deadline=None)
@given(diagrams(), st.booleans(), st.booleans())
def test_state_names_and_labels_do_not_overlap(
    drawn: tuple[list[DiagramState], list[Arrow]], across: bool, tight: bool
) -> None:
    layout = lay_out(*drawn, SIZES, across=across, tight=tight)
    boxes = [*bodies(layout), *(s.name_box for s in layout.states), *(a.label for a in layout.arrows)]
    for a, b in combinations(boxes, 2):
        assert not overlap(a, b), (a, b)
    for left, top, right, bottom in boxes:
        assert left >= 0 and top >= 0 and right <= layout.width and bottom <= layout.height
    assert len(layout.arrows) == len(drawn[1])


@settings(max_examples=30, deadline=None)
@given(diagrams(), st.booleans())
def test_no_arrow_crosses_a_label_or_another_state(drawn: tuple[list[DiagramState], list[Arrow]], across: bool) -> None:
    layout = lay_out(*drawn, SIZES, across=across)
    for one in layout.arrows:
        if one.loop:
            continue
        for at in range(0, len(one.points) - 1, 3):
            p0, p1, p2, p3 = one.points[at : at + 4]
            for step in range(1, 8):
                t = step / 8
                x, y = (
                    (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t**3 * d
                    for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
                )
                point = (x, y, x, y)
                assert not any(_inside(point, other.label) for other in layout.arrows)
                strange = [b for s, b in zip(layout.states, bodies(layout), strict=True)
                           if s.name not in (one.source, one.target)]  # fmt: skip
                assert not any(_inside(point, box) for box in strange)


def _inside(point: Box, box: Box) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


@settings(max_examples=20, deadline=None)
@given(diagrams())
def test_the_same_table_gives_the_same_picture(drawn: tuple[list[DiagramState], list[Arrow]]) -> None:
    once, again = lay_out(*drawn, SIZES), lay_out(*drawn, SIZES)
    assert once == again
    kept = lay_out(*drawn, SIZES, before=once.places())
    assert kept == lay_out(*drawn, SIZES, before=again.places())
    rows = [
        {s.name for s in layout.states if s.y == y} for layout in (once, kept) for y in {s.y for s in layout.states}
    ]
    assert len({frozenset(row) for row in rows}) == len(rows) // 2  # no arrow changes its layer


@given(st.integers(1, 9), st.data())
def test_all_arrows_but_back_arrows_point_down(count: int, data: st.DataObject) -> None:
    pair = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda ab: ab[0] != ab[1])
    ends = data.draw(st.lists(pair, max_size=20)) if count > 1 else []
    back = backwards(count, ends, 0)
    down = [(b, a) if turned else (a, b) for (a, b), turned in zip(ends, back, strict=True)]
    rank = ranks(count, down, 0)
    assert rank[0] == 0 and min(rank) >= 0
    assert all(rank[a] < rank[b] for a, b in down)


def test_echo_is_drawn_as_by_hand() -> None:
    found, arrows = arrows_of(read(ECHO))
    assert [line.text for a in arrows for line in a.lines if a.source == "waiting" == a.target] == [
        "Broadcast / again",
        "Ack / acknowledged",
    ]
    layout = lay_out(found, arrows, SIZES)
    at = layout.places()
    assert at["sleeping"][1] < at["waiting"][1] == at["initiating"][1] < at["acked"][1] == at["finished"][1]
    assert layout.entry is not None and layout.entry[1][0] == at["sleeping"][0]
    across = lay_out(found, arrows, SIZES, across=True)
    assert across.places()["sleeping"][0] < across.places()["waiting"][0] < across.places()["acked"][0]


def test_an_added_state_leaves_the_others_in_order() -> None:
    some = [arrow(0, 1), arrow(0, 2), arrow(0, 3), arrow(1, 4), arrow(2, 4), arrow(3, 4)]
    before = lay_out(states(5), some, SIZES)
    after = lay_out(states(6), [*some, arrow(2, 5)], SIZES, before=before.places())
    row = sorted((1, 2, 3), key=lambda n: before.places()[f"state {n}"][0])
    assert sorted((1, 2, 3), key=lambda n: after.places()[f"state {n}"][0]) == row
    turned = {name: (-x, y) for name, (x, y) in before.places().items()}
    mirrored = lay_out(states(5), some, SIZES, before=turned)
    assert sorted((1, 2, 3), key=lambda n: mirrored.places()[f"state {n}"][0]) == row[::-1]


def test_crossings_are_removed() -> None:
    top, bottom = [Item(5, 5, 5) for _ in range(3)], [Item(5, 5, 5) for _ in range(3)]
    for a, b in ((0, 2), (1, 1), (2, 0)):
        top[a].below.append(bottom[b])
        bottom[b].above.append(top[a])
    assert crossings([top, bottom]) == 3
    ordered = in_order([top, bottom], {})
    assert crossings(ordered) == 0
    spread(ordered, 10.0)
    for layer in ordered:
        assert all(b.at - a.at >= 20 - 1e-9 for a, b in pairwise(layer))
    assert all(abs(a.at - a.below[0].at) < 1e-6 for a in ordered[0])


def test_a_long_label_is_shortened_visibly() -> None:
    lines = arrow(0, 1, 7).lines
    shown = shown_lines(lines)
    assert len(shown) == 4
    assert shown[-1].text == "… and 4 more"
    assert shown[-1].events == ("M3", "M4", "M5", "M6")


def test_sixty_arrows_between_twenty_states_stay_apart() -> None:
    pairs = [(a, (a * 7 + k * 3 + 1) % 20) for a in range(20) for k in range(3)]
    layout = lay_out(states(20), [arrow(a, b) for a, b in dict.fromkeys(pairs)], SIZES, tight=True)
    boxes = [*bodies(layout), *(a.label for a in layout.arrows)]
    assert not any(overlap(a, b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_a_move_begins_at_the_old_and_ends_at_the_new_places(share: float) -> None:
    old = lay_out(states(3), [arrow(0, 1), arrow(1, 2)], SIZES)
    new = lay_out(states(4), [arrow(0, 1), arrow(1, 2), arrow(0, 3)], SIZES)
    moving = between(old, new, share)
    dx, dy = (new.width - old.width) / 2, (new.height - old.height) / 2
    for name, (x, y) in old.places().items():
        to = new.places()[name]
        at = moving.places()[name]
        assert at == pytest.approx((x + dx + (to[0] - x - dx) * share, y + dy + (to[1] - y - dy) * share))
    assert moving.places()["state 3"] == new.places()["state 3"]


def test_nothing_gives_an_empty_picture() -> None:
    assert lay_out([], [], SIZES).states == ()
    assert arrows_of(read("def (")) == ((), ())
