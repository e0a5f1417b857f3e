"""Places, grid, chart and cards in the page that plays a run: its data are right, and a browser draws it."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.model.archive.archive import archive
from lydian.pieces.animation import (
    Animation,
    Cell,
    Chart,
    Flags,
    Grid,
    Histogram,
    Line,
    Marks,
    Places,
    Pointer,
    Queue,
    Sector,
    Tree,
)  # fmt: skip
from lydian.pieces.bars import BarsFrame
from lydian.pieces.chart import ChartFrame
from lydian.pieces.sectors import span_of
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.page.page import page, run_data
from lydian.views.selection import Selection
from tests.views.book import Book
from tests.views.browser import CHROMIUM, Browser, browsed
from tests.views.page.test_page import numbers

NAMES = tuple("abcdef")
DRAWN = Animation(
    places=Places("binary(label)", rest="outside", links=False),
    grid=Grid((Cell("times", slot=1, above=1), Cell("held", slot=2, word="held")), title="Events", most=3),
    chart=Chart((Line("held", of="mean"), Line("times", of="max")), title="Held"),
    queues=(Queue("held", most=2), Queue("nothing")),
    sectors=(
        Sector("[me, peer]", word="as far as its peer"),
        Sector("len(held) / 8", width=0.1, slot=4, style="hatched"),
        Sector("nothing"),
        Sector("[0.1, 0.05] if len(held) > 1 else None", style="struck"),
    ),
    flags=(Flags("[[len(held) / 10, e] for e in held]"), Flags("nothing")),
    marks=(Marks("peers", style="arc", selected=True),),
    pointers=(Pointer("peer", selected=True),),
)
PANELS = Animation(
    grid=Grid((Cell("held", style="hollow"), Cell("times", above=-1, style="dotted")), title="Events"),
    tree=Tree("held", form="trie", compare=True, title="Trie"),
    chart=(Chart(Line("held", of="mean")), Histogram("len(held)", title="Held"), Histogram("times", of="counts")),
)


def run() -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for i in range(18):
        held = [f"e{j}" for j in range(max(0, i - 2), i + 1)]
        changed = {"label": format(i % 8, "03b"), "held": held, "times": {f"e{i // 2}": i % 3}}
        changed |= {"peer": NAMES[(i * i) % 6], "peers": [NAMES[(i + 1) % 6], NAMES[(i + 2) % 6]]}
        book.write(1.0 + i, "init", NAMES[i % 6], state="waiting", changed=changed)
    return Timeline(book.trace(initial={"label": None, "held": [], "times": {}, "peer": None, "peers": []}))


RUN = run()
DATA = run_data(RUN, DRAWN)["pieces"]


def test_a_page_without_pieces_omits_their_scripts() -> None:
    assert "pieces" not in run_data(RUN, Animation())
    assert "cells.get(" in page(RUN, DRAWN) and "cells.get(" not in page(RUN, Animation())


def test_the_glides_match_those_of_the_window() -> None:
    places = DATA["places"]
    columns = {name: numbers(places[name]) for name in ("at", "time", "who", "fromX", "fromY", "toX", "toY")}
    for t in np.arange(0.0, 19.0, 0.37):
        points = np.column_stack((numbers(places["firstX"]), numbers(places["firstY"])))
        for i in np.flatnonzero(columns["time"] <= t).tolist():
            part = min((t - columns["time"][i]) / places["glide"], 1.0)
            start, stop = (np.array([columns[f"{which}X"][i], columns[f"{which}Y"][i]]) for which in ("from", "to"))
            points[columns["who"][i]] = start + (stop - start) * part * part * (3 - 2 * part)
        assert np.allclose(points, basic.frame(RUN, float(t), animation=DRAWN).positions)
    assert places["links"] is False


def test_replaying_the_cells_gives_the_grid_of_every_moment() -> None:
    grid = DATA["grid"]
    columns = list(zip(*(numbers(grid[name]).tolist() for name in ("at", "row", "key", "what")), strict=True))
    for k in range(RUN.length + 1):
        t = float(RUN.time[k - 1]) if k else 0.0
        cells = {(row, key): what for at, row, key, what in columns if at < k}
        seen = [i for i, at in enumerate(numbers(grid["first"]).tolist()) if at < k][-3:]
        frame = basic.frame(RUN, t, animation=DRAWN).grid
        assert frame is not None and [grid["keys"][i] for i in seen] == list(frame.keys)
        found = [[cells.get((row, i), -1) for i in seen] for row in range(len(NAMES))]
        assert found == frame.cells.tolist() or not seen


def test_the_lines_and_cards_match_those_of_the_window() -> None:
    lines = DATA["chart"][0]["lines"]
    frame = basic.frame(RUN, 9.5, animation=DRAWN)
    assert isinstance(frame.chart[0], ChartFrame)
    for line, now in zip(lines, frame.chart[0].now, strict=True):
        times, values = numbers(line["times"]), numbers(line["values"])
        assert values[np.searchsorted(times, 9.5, side="right") - 1] == now
    texts = run_data(RUN, DRAWN)["texts"]
    held, nothing = DATA["queues"]
    last: dict[int, Any] = {}
    for at, p, text in zip(*(numbers(held[name]).tolist() for name in ("at", "process", "text")), strict=True):
        if at < frame.k:
            last[p] = json.loads(texts[text])
    cards = frame.queues[0].cards
    assert {p: tuple(items) for p, (items, *_) in last.items()} == {p: each.items for p, each in cards.items()}
    assert {p: more for p, (_, more, *_rest) in last.items()} == {p: each.more for p, each in cards.items()}
    assert len(numbers(nothing["at"])) == 0


def test_replaying_sectors_and_flags_gives_those_of_every_moment() -> None:
    texts, places = run_data(RUN, DRAWN)["texts"], DATA["places"]
    place, who = numbers(places["process"]).tolist(), numbers(places["who"]).tolist()
    for k in range(RUN.length + 1):
        frame = basic.frame(RUN, float(RUN.time[k - 1]) if k else 0.0, animation=DRAWN)
        at = dict(zip(place, numbers(places["firstNumber"]).tolist(), strict=True))
        moved = zip(numbers(places["at"]).tolist(), who, numbers(places["number"]).tolist(), strict=True)
        at |= {p: number for seq, p, number in moved if seq < k}
        for sector in frame.sectors:
            found = []
            for p, told in replayed(DATA["sectors"][sector.number], k).items():
                for ends in json.loads(texts[told]):
                    first, last = (at[NAMES.index(end)] if isinstance(end, str) else end for end in ends[:2])
                    start, long = span_of(first - ends[2], last + ends[2])
                    found += [(p, start, long)] if long else []
            rows = zip(sector.process.tolist(), sector.start.tolist(), sector.length.tolist(), strict=True)
            assert sorted(found) == sorted(rows)
        told = replayed(DATA["flags"][0], k).values()
        flags = sorted({tuple(flag) for text in told for flag in json.loads(texts[text])})
        assert flags == list(zip(frame.flags[0].at, frame.flags[0].texts, strict=True))
    assert [each["slot"] for each in DATA["sectors"]] == [None, 4, None, None]
    assert DATA["sectors"][2]["at"] == DATA["flags"][1]["at"] == []


def replayed(told: dict[str, Any], k: int) -> dict[int, int]:
    """Map each process to its text after ``k`` events."""
    columns = (numbers(told[name]).tolist() for name in ("at", "process", "text"))
    return {p: text for at, p, text in zip(*columns, strict=True) if at < k}


def test_a_page_contains_what_is_drawn_only_for_the_selected_process() -> None:
    data = run_data(RUN, DRAWN)
    assert data["pieces"]["marks"] == [{"piece": "mark", "style": "arc", "slot": 4, "levels": False, "selected": True}]
    assert data["pieces"]["pointers"] == [{"piece": "pointer", "style": "arrow", "backwards": False, "selected": True}]
    assert "selected" not in run_data(RUN, Animation(pointers=(Pointer("peer"),)))["pieces"]["pointers"][0]
    assert "number" not in run_data(RUN, Animation(places=Places("binary(label)")))["pieces"]["places"]


def test_the_bars_and_trees_match_those_of_the_window() -> None:
    whole = run_data(RUN, PANELS)
    data, texts = whole["pieces"], whole["texts"]
    bars, tree = data["chart"][1], data["tree"]
    columns = [(numbers(each["at"]), numbers(each["counts"])) for each in bars["bars"]]
    rows = list(zip(*(numbers(tree[name]).tolist() for name in ("at", "process", "which", "text")), strict=True))
    codes = {name: int(code) for name, code in zip(NAMES, numbers(tree["order"]).tolist(), strict=True)}
    for t in (0.0, 0.5, 3.0, 11.5, 18.0):
        frame = basic.frame(RUN, t, animation=PANELS, selection=Selection(processes=frozenset({2})))
        held = frame.chart[1]
        assert isinstance(held, BarsFrame) and frame.tree is not None and (bars["low"], bars["step"]) == (0.0, 1.0)
        found = [counts[at < frame.k][-1] if (at < frame.k).any() else 0 for at, counts in columns]
        assert tuple(found) == held.now and bars["most"] == held.classes.most
        known = [text for at, p, which, text in rows if at < frame.k and p == codes["c"] and not which]
        nodes, links, wide, high = json.loads(texts[known[-1]]) if known else ([], [], 1, 0)
        laid = frame.tree.laid
        assert [node[:2] for node in nodes] == [list(each) for each in zip(laid.names, laid.labels, strict=True)]
        assert links == laid.links.tolist() and (wide, high) == (laid.wide, laid.high)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("drawn", [DRAWN, Animation(
    chart=Chart(Line("held", of="sum"), side="beside"), places=Places("binary(label)", shape="line"),
    queues=(Queue("held", style="stack"),), sectors=(Sector("[0.9, 0.1]", style="hatched"),), flags=(Flags("[0.5]"),),
), PANELS], ids=["all", "beside", "panels"])  # fmt: skip
def test_a_browser_draws_the_page_without_errors(tmp_path: Path, drawn: Animation) -> None:
    assert f"<b>{RUN.count(9.5)}</b> of {RUN.length} events" in browsed(tmp_path, page(RUN, drawn), "t=9.5")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or os.name != "posix", reason="there is no Chromium")
def test_going_back_in_a_browser_shows_the_earlier_state(tmp_path: Path) -> None:
    def happened(k: int) -> str:
        return f"document.querySelectorAll('#clock b')[1].textContent === '{k}'"

    picture = "document.querySelector('#view-network canvas').toDataURL()"
    browser = Browser(tmp_path, page(RUN, DRAWN))
    try:
        browser.until(happened(0))
        first = browser.value(picture)
        browser.press("End")
        browser.until(happened(RUN.length))
        last = browser.value(picture)
        browser.press("Home")
        browser.until(happened(0))
        browser.until(f"{picture} === {json.dumps(first)}")
        assert last != first
    finally:
        browser.close()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or os.name != "posix", reason="there is no Chromium")
def test_a_browser_shows_only_the_sets_of_the_selected_process(tmp_path: Path) -> None:
    """Process 0 names two others, 5 none: red arcs appear with 0 and disappear with 5."""
    drawn = Animation(marks=(Marks("peers", slot=1, style="arc", selected=True),))
    book = Book(("0", "3", "5", "8"), links=[("0", "3"), ("3", "5"), ("5", "8")])
    book.write(1.0, "init", "0", changed={"peers": ["5", "8"]})
    book.write(2.0, "init", "5", changed={"peers": []})
    red = json.loads((archive().ours / "resources" / "tokens.json").read_text())["color"]["light"]["state"][1][
        "outline"
    ]
    wanted = [int(red[i : i + 2], 16) for i in (1, 3, 5)]
    count = f"""(() => {{
      const canvas = document.querySelector("#view-network canvas"), wanted = {wanted}; let found = 0;
      const {{ data }} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) if (wanted.every((v, n) => Math.abs(data[i + n] - v) < 25)) found++;
      return found;
    }})()"""
    browser = Browser(tmp_path, page(Timeline(book.trace(initial={"peers": []})), drawn))
    try:
        browser.value("location.hash = 't=3&theme=light'")
        browser.until("document.querySelectorAll('#clock b')[1].textContent === '2'")
        nobody = browser.value(count)
        browser.value("location.hash = 't=3&select=0'")
        browser.until(f"{count} > {nobody} + 60")
        browser.value("location.hash = 't=3&select=5'")
        browser.until(f"{count} <= {nobody}")
    finally:
        browser.close()
