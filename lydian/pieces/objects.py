"""A list of the shared objects beside the network: the value of each, and the processes that read and write it."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.pieces.checks import share_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.accesses import accesses
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Scene
from lydian.views.time.axis import remember
from lydian.views.words.phrases import joined
from lydian.views.words.values import value_text

__all__ = ["ObjectRow", "Objects", "ObjectsFrame", "words_of"]


@dataclass(frozen=True)
class Objects:
    """A list of the shared objects beside the network.

    Args:
        title: the text above it.
        share: how much of the view's width it has.
    """

    title: str = ""
    share: float = 0.3

    def __post_init__(self) -> None:
        share_is_right("share", self.share, 0.1, 0.8)


@dataclass(frozen=True)
class ObjectRow:
    """A shared object at a moment.

    Args:
        name: its name.
        value: its value as a text; "" if it is empty.
        tint: the number of the tint of the value; 0 for none.
        last: the process of the latest access, by its number in the run; -1 for none.
        wrote: whether that was a write.
        seq: the event of the latest access; -1 for none.
        reading, writing: the processes whose operations on it are in progress.
    """

    name: str
    value: str
    tint: int
    last: int = -1
    wrote: bool = False
    seq: int = -1
    reading: tuple[int, ...] = ()
    writing: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class ObjectsFrame:
    """The shared objects at a moment.

    Args:
        declared: what it shows.
        rows: the objects, in the order of the protocol.
        names: the names of the processes of the run.
        places: the place of each process of the run in the network; -1 for none.
        latest: the event that has just happened.
    """

    declared: Objects
    rows: tuple[ObjectRow, ...]
    names: tuple[str, ...]
    places: tuple[int, ...]
    latest: int


def words_of(row: ObjectRow, names: tuple[str, ...]) -> str:
    """Return who reads and writes an object, or who did so last."""
    if row.writing or row.reading:
        parts = []
        if row.writing:
            parts.append(tr("being written by {processes}", processes=joined([names[i] for i in row.writing])))
        if row.reading:
            parts.append(tr("being read by {processes}", processes=joined([names[i] for i in row.reading])))
        return "; ".join(parts)
    if row.last < 0:
        return ""
    if row.wrote:
        return tr("written by {process}", process=names[row.last])
    return tr("read by {process}", process=names[row.last])


@dataclass
class _Course:
    """The accesses of a run: the rows of each object, by the event after which they are valid."""

    order: list[str] = field(default_factory=list)
    at: dict[str, list[int]] = field(default_factory=dict)
    rows: dict[str, list[ObjectRow]] = field(default_factory=dict)


def _course(run: Timeline) -> _Course:
    found = _Course()
    known = {name: at for at, name in enumerate(run.processes)}

    def told(value: Any) -> tuple[str, int]:
        return _value(value, known)

    for name, value in (run.trace.summary.get("shared") or {}).items():
        _add(found, ObjectRow(name, *told(value)))
    for seq, access in accesses(run):
        name, phase, i = str(access["object"]), access.get("phase"), int(run.process[seq])
        before = found.rows[name][-1] if name in found.rows else ObjectRow(name, "", 0)
        value, tint = told(access.get("value"))
        wrote = access["do"] not in ("read",)
        reading, writing = before.reading, before.writing
        if phase == "begins":
            writing, reading = ((*writing, i), reading) if wrote else (writing, (*reading, i))
        elif phase == "ends":
            writing = tuple(j for j in writing if j != i) if wrote else writing
            reading = reading if wrote else tuple(j for j in reading if j != i)
        _add(
            found,
            replace(before, value=value, tint=tint, last=i, wrote=wrote, seq=seq, reading=reading, writing=writing),
        )
    return found


def _add(course: _Course, row: ObjectRow) -> None:
    if row.name not in course.rows:
        course.order.append(row.name)
        course.at[row.name], course.rows[row.name] = [], []
    course.at[row.name].append(row.seq)
    course.rows[row.name].append(row)


def _value(value: Any, processes: dict[str, int]) -> tuple[str, int]:
    """Return a value as a text, and the number of its tint."""
    if value is None or value == "":
        return "", 0
    text = value if isinstance(value, str) else value_text(value)
    if isinstance(value, (bool, int)):
        return text, int(value)
    if isinstance(value, str) and value in processes:
        return text, processes[value] + 1
    return text, zlib.crc32(json.dumps(value, sort_keys=True).encode()) % 6 + 1


def objects_at(now: Moment, declared: Objects) -> ObjectsFrame:
    """Return the shared objects at a moment."""
    scene: Scene = now.scene
    run = scene.run
    course = remember(run, "accesses to objects", lambda: _course(run))
    rows = []
    for name in course.order:
        at = int(np.searchsorted(course.at[name], now.k, side="left")) - 1
        if at >= 0:
            rows.append(course.rows[name][at])
    places = range(run.n) if scene.renumber is None else scene.renumber.tolist()
    return ObjectsFrame(declared, tuple(rows), tuple(run.processes), tuple(int(p) for p in places), now.k - 1)


def page(tell: Teller, declared: Objects) -> dict[str, Any] | None:
    """Return the rows, change by change."""
    run = tell.scene.run
    course = remember(run, "accesses to objects", lambda: _course(run))
    names = tuple(run.processes)
    found = sorted(
        (row.seq, number, tell.text(json.dumps([row.name, row.value, row.tint, words_of(row, names), row.seq])))
        for number, name in enumerate(course.order)
        for row in course.rows[name]
    )
    if not found:
        return None
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    told: dict[str, Any] = {"title": declared.title, "share": declared.share, "empty": tr("empty")}
    return {**told, **{name: tell.column(table[:, i]) for i, name in enumerate(("at", "object", "text"))}}


register(Piece("objects", Objects, at=objects_at, panel="tall", page=page, order=67,
               painter="lydian.app.painters.pieces.objects.ObjectsPainter", script="player.objects.js"))  # fmt: skip
