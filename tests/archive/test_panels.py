"""Panels beside the network in the systems of the archive: they show the values of the variables at every moment."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.pieces.bars import BarsFrame
from lydian.pieces.chart import ChartFrame
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from tests.archive.ran import once

ROOT = Path(__file__).resolve().parents[2]


@cache
def run(name: str) -> Timeline:
    return Timeline(once(Archive(None, ROOT).experiment(name))[1].trace)


def panel(name: str, title: str, t: float) -> Any:
    """Return the chart or the bars with this title."""
    return next(each for each in basic.frame(run(name), t).chart if each.declared.title == title)


def heights(bars: Any) -> dict[float, float]:
    assert isinstance(bars, BarsFrame)
    return {bars.classes.low + i * bars.classes.step: n for i, n in enumerate(bars.now) if n}


@pytest.mark.parametrize("name", [
    "skip-ring", "skip-ring-late", "chord-scribe", "gossip-buffer", "lpbcast", "content-routing-spoilt",
    "role-dht-hierarchy",
])  # fmt: skip
def test_all_panels_have_contents(name: str) -> None:
    frame = basic.frame(run(name), run(name).end)
    assert frame.beside and len(frame.chart) == len(frame.animation.chart)
    assert not any(each.problem for each in frame.chart)
    assert frame.grid is None or frame.grid.problem == ""
    assert (frame.tree is None) == (frame.animation.tree is None)
    assert frame.tree is None or (frame.tree.problem == "" and frame.tree.laid.names)


def test_all_links_of_the_skip_ring_are_there_when_it_has_healed() -> None:
    levels = basic.frame(run("skip-ring"), run("skip-ring").end).reach.levels
    assert [(each.there, each.of) for each in levels] == [(15, 15), (7, 7), (4, 4), (1, 1), (0, 0)]
    assert sum(each.of for each in levels) == 2 * 15 - 3  # the paper's number for 15 subscribers
    before = basic.frame(run("skip-ring"), 93.0).reach.levels
    assert any(each.there < each.of for each in before)


@pytest.mark.parametrize("t", [20.0, 47.0, 92.0, 120.0])
def test_the_requests_of_an_interval_are_those_received_by_the_supervisor(t: float) -> None:
    timeline = run("skip-ring")
    chart = panel("skip-ring", "Requests to the supervisor", t)
    asked = [(e.time, e.label) for e in timeline.trace.events() if e.process == "0" and e.kind in ("receive", "timer")]
    ticks = [i for i, (time, label) in enumerate(asked) if label == "Timeout" and time <= t]
    between = asked[ticks[-2] : ticks[-1]]
    assert chart.now == (sum(label in ("Subscribe", "Unsubscribe", "GetConf") for _, label in between),)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_the_bars_of_the_tries_count_subscribers(share: float) -> None:
    timeline = run("skip-ring-late")
    t = share * timeline.end
    sizes = [len(keys) for keys in timeline.variable_at("T", timeline.count(t))[1:]]
    states = [timeline.states[code] for code in timeline.states_at(timeline.count(t))[1:].tolist()]
    bars = panel("skip-ring-late", "Publications of a subscriber", t)
    assert bars.total == sum(state != "outside" for state in states) and sum(bars.now) == bars.total
    assert bars.total * bars.mean == sum(n for n, state in zip(sizes, states, strict=True) if state != "outside")


def test_the_trie_is_red_where_a_key_is_missing_in_another() -> None:
    first = basic.frame(run("skip-ring-figure-2"), 0.5).tree
    assert first is not None
    red = {name for name, odd in zip(first.laid.names, first.red.tolist(), strict=True) if odd}
    assert red == {"", "10", "101"} and set(first.laid.names) == {"", "0", "000", "010", "10", "100", "101"}
    last = basic.frame(run("skip-ring-figure-2-back"), run("skip-ring-figure-2-back").end).tree
    assert last is not None and not last.red.any()


@pytest.mark.parametrize("name", ["gossip-buffer", "lpbcast"])
@pytest.mark.parametrize("t", [3.5, 17.5, 60.0])
def test_durations_and_redundancy_match_the_deliveries(name: str, t: float) -> None:
    timeline = run(name)
    k = timeline.count(t)
    born = {e: i for mine in timeline.variable_at("mine", k) for e, i in mine.items()}
    last: dict[str, int] = {}
    for table in timeline.variable_at("last", k):
        for event, i in table.items():
            last[event] = max(i, last.get(event, 0))
    assert heights(panel(name, "How long events last", t)) == Counter(last[e] - i for e, i in born.items())
    circulating = panel(name, "Events in circulation", t)
    assert isinstance(circulating, ChartFrame)
    assert circulating.now == (len({e for going in timeline.variable_at("going", k) for e in going}),)


@pytest.mark.parametrize("name", ["gossip-buffer", "lpbcast"])
def test_processes_without_reports_store_nothing_for_the_picture(name: str) -> None:
    archive = Archive(None, ROOT)
    experiment = archive.experiment(name)
    quiet = replace(experiment, parameters={**experiment.parameters, "tells": False})
    result = Simulator(quiet.resolve(archive)).run()
    timeline = Timeline(result.trace)
    assert timeline.variable_at("going", timeline.length) == [[]] * timeline.n
    assert timeline.length < run(name).length  # deliveries are not reported


@pytest.mark.parametrize("t", [30.0, 44.9, 46.0, 60.0, 119.0])
def test_the_cells_of_the_tables_are_the_entries(t: float) -> None:
    timeline = run("content-routing-spoilt")
    frame, k = basic.frame(timeline, t), timeline.count(t)
    grid = frame.grid
    assert grid is not None and grid.older == 0
    found: dict[tuple[int, str], int] = {}
    tables, missing = timeline.variable_at("table", k), timeline.variable_at("missing", k)
    for row, (table, lost) in enumerate(zip(tables, missing, strict=True)):
        entries: dict[str, list[tuple[str, int]]] = {}
        for id, (low, high, to, flag) in table.items():
            entries.setdefault(f"{low}{'' if low == high else f'-{high}'}>{to}", []).append((id, flag))
        for word in lost:
            found[row, word] = 1
        for word, some in entries.items():
            wrong, renewed = any("?" in id for id, _ in some), any(flag for _, flag in some)
            found[row, word] = 0 if wrong else found.get((row, word), 2 if renewed else 3)
    shown = {(row, key): int(grid.cells[row, column]) for column, key in enumerate(grid.keys)
             for row in range(timeline.n) if grid.cells[row, column] >= 0}  # fmt: skip
    assert shown == found


def test_the_saving_of_routing_is_its_difference_from_flooding() -> None:
    timeline = run("content-routing-spoilt")
    saved, control = panel("content-routing-spoilt", "Messages over links", timeline.end).now
    labels = Counter(str(e.label) for e in timeline.trace.events() if e.kind == "send")
    published = sum(e.kind == "command" and e.label == "Publish" for e in timeline.trace.events())
    assert saved == published * 12 - labels["Notify"] and 0 < control <= labels["Sub"] + labels["Unsub"]


def test_hops_are_counted_when_messages_reach_the_owner() -> None:
    timeline = run("chord-scribe")
    took = timeline.variable_at("chord.took", timeline.length)
    wanted: Counter[float] = Counter()
    for table in took:
        wanted.update({float(hops): n for hops, n in table.items()})
    assert heights(panel("chord-scribe", "Hops to owners", timeline.end)) == wanted and sum(wanted.values()) > 0
    topics = [len(since) for since in timeline.variable_at("since", timeline.length)]
    assert heights(panel("chord-scribe", "Topics per process", timeline.end)) == Counter(topics)


def test_without_a_ring_there_are_no_hops() -> None:
    titles = [each.declared.title for each in basic.frame(run("hyparview"), 60.0).chart]
    assert "Hops to owners" not in titles and "Topics per process" in titles


def test_the_hierarchy_of_topics_is_shown_if_there_is_one() -> None:
    tree = basic.frame(run("role-dht-hierarchy"), 30.0).tree
    assert tree is not None and dict(zip(tree.laid.names, tree.laid.depth.tolist(), strict=True)) == {
        "1": 0, "2": 1, "3": 2,
    }  # fmt: skip
    assert basic.frame(run("role-dht"), 30.0).tree is None
