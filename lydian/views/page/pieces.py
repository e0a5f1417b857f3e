"""What the page that plays a run knows of places, sectors, flags, panels, cards and timers: changes in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lydian.pieces.bars import bars_at
from lydian.pieces.chart import chart_at, line_word
from lydian.pieces.circles import MOST
from lydian.pieces.countdowns import spans_of
from lydian.pieces.grid import class_word, classes_over_time
from lydian.pieces.panellooks import Chart, Histogram
from lydian.pieces.placing import moves_of
from lydian.pieces.queues import changes_of_cards
from lydian.pieces.rooted import trees_over_time
from lydian.pieces.sectors import Told, flags_told, sectors_told
from lydian.views.network.scene import Scene
from lydian.views.network.walking import walking_at

__all__ = ["pieces"]

Column = Callable[[Any], dict[str, str]]
#: What is told in a run that lacks a variable of the expression.
_NOTHING: Mapping[str, Any] = {"at": [], "process": [], "text": []}


def pieces(scene: Scene, index: Mapping[str, int], text: Callable[[str], int], column: Column) -> dict[str, Any]:
    """The parts that the animation declares, under the name ``pieces``; nothing if it declares none.

    Args:
        index: name of a process -> its code.
        text: gives a number to a text.
        column: packs numbers.
    """
    codes = np.array([index[name] for name in scene.names], dtype=np.int64)
    places = _places(scene, codes, column)
    found = {
        "places": places or _walks(scene, codes, column),
        "sectors": _sectors(scene, codes, text, column) if places else [],
        "flags": _flags(scene, codes, text, column) if places else [],
        "grid": _grid(scene, codes, column),
        "tree": _tree(scene, codes, text, column),
        "charts": [
            part
            for each in scene.animation.chart
            if (part := _chart(scene, each, column) if isinstance(each, Chart) else _bars(scene, each, column))
        ],
        "queues": _queues(scene, codes, text, column),
        "countdown": _countdown(scene, codes, column),
        "circles": _circles(scene),
    }
    found = {name: part for name, part in found.items() if part}
    return {"pieces": found} if found else {}


def _places(scene: Scene, codes: Any, column: Column) -> dict[str, Any]:
    declared, moves = scene.animation.places, moves_of(scene)
    if declared is None or moves is None:
        return {}
    rows, track = moves.table, moves.track
    numbers = {"number": column(rows[:, 7]), "firstNumber": column(moves.at(0, 0.0).at)}
    return {
        "shape": track.shape, "x": track.x, "y": track.y, "wide": track.wide, "tall": track.tall,
        "track": declared.track and moves.used, "links": declared.links, "glide": moves.glide,
        "extent": moves.extent.tolist(),
        "process": column(codes), "firstX": column(moves.first[:, 0]), "firstY": column(moves.first[:, 1]),
        "at": column(rows[:, 0].astype(np.int64)), "time": column(rows[:, 1]),
        "who": column(codes[rows[:, 2].astype(np.int64)]),
        **{name: column(rows[:, 3 + i]) for i, name in enumerate(("fromX", "fromY", "toX", "toY"))},
        **(numbers if scene.animation.sectors else {}),
    }  # fmt: skip


def _told(scene: Scene, told: Told, codes: Any, text: Callable[[str], int], column: Column) -> dict[str, Any]:
    """What is told, as texts of JSON, change by change."""
    place = range(scene.run.n) if scene.renumber is None else scene.renumber.tolist()
    rows = [(at, codes[place[p]], text(json.dumps(thing))) for at, p, thing in told.changes() if place[p] >= 0]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return {name: column(table[:, i]) for i, name in enumerate(("at", "process", "text"))}


def _sectors(scene: Scene, codes: Any, text: Callable[[str], int], column: Column) -> list[dict[str, Any]]:
    told = [(each, sectors_told(scene, each)) for each in scene.animation.sectors]
    return [
        {"style": each.style, "slot": each.slot, **(_told(scene, what, codes, text, column) if what else _NOTHING)}
        for each, what in told
    ]


def _flags(scene: Scene, codes: Any, text: Callable[[str], int], column: Column) -> list[dict[str, Any]]:
    told = [(each, flags_told(scene, each)) for each in scene.animation.flags]
    return [
        {"slot": each.slot, **(_told(scene, what, codes, text, column) if what else _NOTHING)} for each, what in told
    ]


def _walks(scene: Scene, codes: Any, column: Column) -> dict[str, Any]:
    """The same of processes that walk about: every walk takes a time of its own (``long``), at an even speed."""
    now = walking_at(scene, 0.0)
    if now is None or scene.paths is None or scene.renumber is not None:
        return {}
    paths, run, track = scene.paths, scene.run, now.track
    who, leg = np.nonzero(np.diff(paths.times, axis=1) > 0)
    order = np.argsort(paths.times[who, leg], kind="stable")
    who, leg = who[order], leg[order]
    start, stop = paths.points[who, leg], paths.points[who, leg + 1]
    begins = paths.times[who, leg]
    return {
        "shape": track.shape, "x": track.x, "y": track.y, "wide": track.wide, "tall": track.tall,
        "track": False, "links": True, "glide": 0, "extent": now.extent.tolist(),
        "process": column(codes), "firstX": column(paths.points[:, 0, 0]), "firstY": column(paths.points[:, 0, 1]),
        "at": column(np.searchsorted(run.time, begins).astype(np.int64)), "time": column(begins),
        "who": column(codes[who]), "long": column(paths.times[who, leg + 1] - begins),
        "fromX": column(start[:, 0]), "fromY": column(start[:, 1]),
        "toX": column(stop[:, 0]), "toY": column(stop[:, 1]),
    }  # fmt: skip


def _grid(scene: Scene, codes: Any, column: Column) -> dict[str, Any]:
    declared = scene.animation.grid
    found = None if declared is None else classes_over_time(scene)
    if declared is None or found is None:
        return {}
    keys, seqs, changes = found
    table = np.array(changes, dtype=np.int64).reshape(-1, 4)
    return {
        "title": declared.title or f"Who holds which {declared.word}", "most": declared.most, "share": declared.share,
        "cells": [{"slot": cell.slot, "word": class_word(cell), "style": cell.style} for cell in declared.cells],
        "rows": column(codes), "keys": keys, "first": column(seqs), "at": column(table[:, 0]),
        "row": column(table[:, 1]), "key": column(table[:, 2]), "what": column(table[:, 3]),
    }  # fmt: skip


def _chart(scene: Scene, d: Chart, column: Column) -> dict[str, Any]:
    chart = chart_at(scene, d, 0.0)
    if chart.problem or not chart.curves:
        return {}
    return {
        "title": d.title, "axis": d.axis, "side": d.side, "share": d.share, "low": chart.low, "high": chart.high,
        "faults": column(chart.faults), "bounds": list(chart.bounds),
        "lines": [
            {"word": line_word(line), "times": column(curve.times), "values": column(curve.values)}
            for line, curve in zip(d.lines, chart.curves, strict=True)
        ],
    }  # fmt: skip


def _bars(scene: Scene, d: Histogram, column: Column) -> dict[str, Any]:
    """The classes with the events at which their numbers change; the page has a mean of its own where it needs one."""
    bars = bars_at(scene, d, 0)
    if bars is None or bars.problem:
        return {}
    classes = bars.classes
    return {
        "title": d.title, "axis": d.axis, "word": d.word, "side": d.side, "share": d.share, "slot": d.slot,
        "low": classes.low, "step": classes.step, "single": classes.single, "most": max(classes.most, 1.0),
        "bars": [
            {"at": column(seqs), "counts": column(counts)}
            for seqs, counts in zip(classes.seqs, classes.counts, strict=True)
        ],
    }  # fmt: skip


def _tree(scene: Scene, codes: Any, text: Callable[[str], int], column: Column) -> dict[str, Any]:
    """Trees as they are laid out, and nodes that are marked, from which event on."""
    declared, rows = scene.animation.tree, trees_over_time(scene)
    if declared is None or not rows:
        return {}
    table = [(at, int(codes[p]), int(marks), text(json.dumps(part))) for at, p, marks, part in rows]
    columns = np.array(table, dtype=np.int64).reshape(-1, 4)
    return {
        "title": declared.title or declared.variable, "word": declared.word, "share": declared.share,
        "compare": declared.compare, "marks": bool(declared.marked or declared.compare), "order": column(codes),
        **{name: column(columns[:, i]) for i, name in enumerate(("at", "process", "which", "text"))},
    }  # fmt: skip


def _countdown(scene: Scene, codes: Any, column: Column) -> dict[str, Any]:
    """When each timer was set, until when it ran and when it rings: in the order of the processes, then of time."""
    declared = scene.animation.countdown
    spans = {} if declared is None else spans_of(scene, declared.timer)
    if not spans:
        return {}
    return {
        "process": column(np.concatenate([np.full(len(begin), codes[p]) for p, (begin, _, _) in spans.items()])),
        **{
            name: column(np.concatenate([part[i] for part in spans.values()]))
            for i, name in enumerate(("begin", "end", "rings"))
        },
    }


def _circles(scene: Scene) -> dict[str, Any]:
    """Whether the page looks for circles of links: the script finds them as :mod:`lydian.pieces.circles` does."""
    declared = scene.animation.orientation
    known = declared is not None and declared.variable in scene.run.variable_names
    if declared is None or not known or not 0 < scene.network.m <= MOST:
        return {}
    found = {"cycles": declared.cycles, "winding": bool(declared.winding), "among": bool(declared.among)}
    return found if declared.cycles or declared.winding else {}


def _queues(scene: Scene, codes: Any, text: Callable[[str], int], column: Column) -> list[dict[str, Any]]:
    out = []
    for queue in scene.animation.queues:
        rows = [
            (at, int(codes[process]), text(json.dumps([now.items, now.more, now.fresh, now.fallen, now.kept])))
            for at, process, now in changes_of_cards(scene, queue)
        ]
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        out.append(
            {"style": queue.style, "slot": queue.slot, "most": queue.most, "into": queue.into_slot,
             **{name: column(table[:, i]) for i, name in enumerate(("at", "process", "text"))}}
        )  # fmt: skip
    return out
