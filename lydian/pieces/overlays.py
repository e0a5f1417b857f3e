"""What the variables of the processes add to the basic view: pointers, chains of waits, watched values, marks."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.baskets import round_of, speaking
from lydian.pieces.channels import (
    TEXTS_SHOWN,
    Channel,
    Lookup,
    height_of,
    occurring,
    ranges_of,
    scene_channels,
    size_text,
)
from lydian.pieces.circles import MOST
from lydian.trace.events import Kind
from lydian.views.network.scene import Bools, Floats, Ints, Scene
from lydian.views.time.axis import remember

__all__ = [
    "TEXTS_SHOWN", "Band", "Levels", "Overlays", "Spots", "height", "longest", "no_overlays", "orientation_of",
    "overlays_at", "sample_texts", "size_text", "used_variables",
]  # fmt: skip

#: At so many moments of a run its lines of text are looked at to see how wide they get.
SAMPLES = 33


@dataclass(frozen=True)
class Band:
    """Lines of one pointer, or marks of one set.

    Args:
        number: index of the pointer in the animation, or slot of the marks.
        style: the pointer's style; ``"mark"`` for marks that are dots, the style of marks for others.
        source, target: from which process to which; chevrons and arrows point to the target.
        longest: whether a line is on the longest chain.
        holder: the end that holds the pointer or the set.
        level: for each line which member of the holder's set it is, 0, 1 ...; all 0 unless levels were asked for.
        selected: whether it is drawn only for holders that are selected.
        wrong: for each line of marks that have a ``truth`` whether the holder believes something else; else empty.
    """

    number: int
    style: str
    source: Ints
    target: Ints
    longest: Bools
    holder: Ints
    level: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    selected: bool = False
    wrong: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def only(self, chosen: Bools) -> Band:
        """Some of the lines."""
        names = ("source", "target", "longest", "holder", "level", "wrong")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names if len(getattr(self, name))})


@dataclass(frozen=True)
class Spots:
    """The processes at which a token sits; ``number`` is its index in the animation."""

    number: int
    holder: Ints


@dataclass(frozen=True)
class Levels:
    """A value of each process, NaN for none: index of the value in the animation, style, the ends of its scale."""

    number: int
    style: str
    value: Floats
    low: float
    high: float

    @property
    def share(self) -> Floats:
        """How far up the scale each value is, 0..1, NaN for none."""
        return np.clip((self.value - self.low) / (self.high - self.low), 0.0, 1.0)


@dataclass(frozen=True)
class Overlays:
    """What does not change between two events.  Arrays and texts are per process of the network.

    ``orientation`` is per link: 1 from its first end to its second, -1 the other way, 2 both ways, 0 none; empty if
    links have no direction of their own.  ``groups`` holds each process's group as text, ``glyphs`` its picture,
    ``baskets`` what is in its basket (NaN: nothing is known), ``speaking`` who may speak for it, ``winding`` the number
    whose steps are summed up round circles (NaN: none) and ``known`` which links both ends know; all of these are empty
    if none was declared.
    """

    k: int
    bands: tuple[Band, ...]
    marks: tuple[Band, ...]
    watch: tuple[str, ...]
    badges: tuple[str, ...]
    crashed_since: Floats
    tokens: tuple[Spots, ...] = ()
    levels: tuple[Levels, ...] = ()
    orientation: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    groups: tuple[str, ...] = ()
    glyphs: tuple[str, ...] = ()
    baskets: Floats = field(default_factory=lambda: np.zeros(0))
    speaking: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    winding: Floats = field(default_factory=lambda: np.zeros(0))
    known: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))


def no_overlays(n: int) -> Overlays:
    """Those of a network at rest."""
    return Overlays(-1, (), (), (), (), np.full(n, np.nan))


def overlays_at(scene: Scene, k: int, states: NDArray[np.int16], crashed: Bools) -> Overlays:
    """The overlays after ``k`` events; computed once as long as no other moment is asked for."""
    last: list[Overlays] = remember(scene.run, ("basic overlays", id(scene)), lambda: ([], scene))[0]
    if not last or last[0].k != k:
        last[:] = [_overlays(scene, k, states, crashed)]
    return last[0]


def _overlays(scene: Scene, k: int, states: NDArray[np.int16], crashed: Bools) -> Overlays:
    run, animation = scene.run, scene.animation
    since = np.full(run.n, np.nan)
    for process in np.flatnonzero(crashed).tolist():
        since[process] = run.time[run.last_of_kind(process, k, (Kind.CRASH,))]
    asked = _Asked(scene, k, states, crashed)
    bands, tokens, levels = [], [], []
    marks: list[Band] = []
    places: dict[int, int] = {}
    beliefs: dict[int, dict[int, dict[str, str]]] = {}
    texts: dict[str, tuple[str, ...]] = {"watch": (), "badge": (), "groups": (), "glyphs": ()}
    numbers = {"baskets": np.zeros(0), "winding": np.zeros(0)}
    orientation, known = np.zeros(0, dtype=np.int8), np.zeros(0, dtype=bool)
    for channel in asked.channels:
        silent = not channel.variables and channel.part not in ("tokens", "glyphs")
        if channel.part == "orientation" and not silent:
            orientation = orientation_of(scene, channel, asked.answers(channel))
        elif silent:
            continue
        elif channel.part == "pointers":
            bands.append(_band(scene, channel.index, asked.answers(channel)))
        elif channel.part == "marks":
            places[channel.index] = len(marks)
            marks.append(_marks(scene, channel.index, asked.answers(channel)))
        elif channel.part == "beliefs":
            beliefs[channel.index] = {p: json.loads(text) for p, text in asked.answers(channel).items() if text}
        elif channel.part == "truths":
            place, held = places.get(channel.index), beliefs.get(channel.index, {})
            if place is not None:
                marks[place] = _doubted(marks[place], held, asked.answers(channel))
        elif channel.part == "tokens":
            there = np.array([at for at, on in asked.answers(channel).items() if on == on], dtype=np.int32)
            tokens.append(Spots(channel.index, np.sort(there)))
        elif channel.part == "among":
            if len(scene.ends) <= MOST:  # with more of them nobody looks for circles
                known = both_know(scene, asked.answers(channel))
        elif channel.part == "values":
            style, scale = animation.values[channel.index].style, ends(scene)[channel.index]
            levels.append(Levels(channel.index, style, np.array(asked.column(channel), dtype=np.float64), *scale))
        elif channel.sort == "number":
            numbers[channel.part] = np.array(asked.column(channel), dtype=np.float64)
        else:
            texts[channel.part] = tuple(asked.column(channel))
    declared, baskets = animation.baskets, numbers["baskets"]
    speakers = np.zeros(len(baskets), dtype=bool)
    if declared is not None and len(baskets):
        down = np.zeros(scene.network.n, dtype=bool)
        holders = np.arange(run.n) if scene.renumber is None else scene.renumber
        down[holders[crashed & (holders >= 0)]] = True
        speakers = speaking(declared, round_of(scene), baskets, down)
    return Overlays(
        k, tuple(bands), tuple(marks), texts["watch"], texts["badge"], since,
        tuple(tokens), tuple(levels), orientation, texts["groups"], texts["glyphs"], baskets, speakers,
        numbers["winding"], known,
    )  # fmt: skip


def ends(scene: Scene) -> tuple[tuple[float, float], ...]:
    """The scales of the values of a run, found once."""
    return remember(scene.run, ("basic scales", id(scene)), lambda: (ranges_of(scene), scene))[0]


def used_variables(scene: Scene) -> frozenset[str]:
    """The variables that say something at some time in the run, found once."""
    return remember(scene.run, ("basic variables", id(scene)), lambda: (occurring(scene), scene))[0]


def sample_texts(scene: Scene) -> tuple[str, ...]:
    """Lines of text as they stand below processes in the run, the longest few: how much room they need."""
    return remember(scene.run, ("basic texts", id(scene)), lambda: (_sampled(scene), scene))[0]


def _sampled(scene: Scene) -> tuple[str, ...]:
    run = scene.run
    found = {""}
    for k in np.unique(np.linspace(0, run.length, SAMPLES).astype(int)).tolist():
        asked = _Asked(scene, k, run.states_at(k), np.zeros(run.n, dtype=bool))
        for channel in asked.channels:
            if channel.part == "watch" and channel.variables:
                found.update(asked.answers(channel).values())
    return tuple(sorted(found, key=len)[-8:])


class _Asked:
    """The channels of all processes at one position; a process is known by its number in the network."""

    def __init__(self, scene: Scene, k: int, states: NDArray[np.int16], crashed: Bools) -> None:
        run = scene.run
        self.channels = scene_channels(scene)
        self._look = Lookup(scene.network.index, scene.ports)
        self._run, self._k, self._n = run, k, scene.network.n
        self._states = [run.states[code] if 0 <= code < len(run.states) else "" for code in states.tolist()]
        self._crashed = crashed.tolist()
        self._holders = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
        self._columns: dict[str, list[Any]] = {}

    def answers(self, channel: Channel) -> dict[int, Any]:
        """Holder -> answer, for every process that the network knows."""
        for name in channel.variables:
            if name not in self._columns:
                self._columns[name] = self._run.variable_at(name, self._k)
        columns = [self._columns[name] for name in channel.variables]
        rows = zip(*columns, strict=True) if columns else ((),) * len(self._holders)
        people = zip(self._holders, rows, self._states, self._crashed, strict=True)
        return {p: channel.read(self._look, p, row, state, down) for p, row, state, down in people if p >= 0}

    def column(self, channel: Channel) -> list[Any]:
        """The answer for every process of the network."""
        answers = self.answers(channel)
        return [answers.get(p, channel.rest) for p in range(self._n)]


def _band(scene: Scene, number: int, answers: dict[int, int]) -> Band:
    pointer = scene.animation.pointers[number]
    pairs = [(p, q) for p, q in answers.items() if q >= 0]
    found = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    holder, other = found[:, 0], found[:, 1]
    source, target = (other, holder) if pointer.backwards else (holder, other)
    on_longest = np.zeros(len(source), dtype=bool)
    if pointer.style == "waiting":
        on_longest = longest(source, target, holder, scene.network.n)
    level = np.zeros(len(source), dtype=np.int32)
    return Band(number, pointer.style, source, target, on_longest, holder, level, pointer.selected)


def _marks(scene: Scene, number: int, answers: dict[int, tuple[int, ...]]) -> Band:
    marks = scene.animation.marks[number]
    rows = [(p, q, level if marks.levels else 0) for p, members in answers.items() for level, q in enumerate(members)]
    found = np.array(rows, dtype=np.int32).reshape(-1, 3)
    style = "mark" if marks.style == "dot" else marks.style
    none = np.zeros(len(found), dtype=bool)
    return Band(marks.slot, style, found[:, 0], found[:, 1], none, found[:, 0], found[:, 2], marks.selected)


def _doubted(band: Band, beliefs: dict[int, dict[str, str]], truths: dict[int, str]) -> Band:
    """The marks, with those that rest on something that is not so."""
    pairs = zip(band.holder.tolist(), band.target.tolist(), strict=True)
    wrong = [p in beliefs and beliefs[p].get(str(q)) != truths.get(q) for p, q in pairs]
    return replace(band, wrong=np.array(wrong, dtype=bool))


def orientation_of(scene: Scene, channel: Channel, answers: dict[int, Any]) -> NDArray[np.int8]:
    """The direction of every link (see :class:`Overlays`)."""
    found = np.zeros(scene.network.m, dtype=np.int8)
    if channel.sort == "set":
        for link, (a, b) in enumerate(scene.ends.tolist()):
            out, back = b in answers.get(a, ()), a in answers.get(b, ())
            found[link] = 2 if out and back else 1 if out else -1 if back else 0
        return found
    heights = {p: height_of(text) for p, text in answers.items()}
    for link, (a, b) in enumerate(scene.ends.tolist()):
        high, low = heights.get(a), heights.get(b)
        if high is not None and low is not None and high != low:
            found[link] = 1 if high > low else -1
    return found


def both_know(scene: Scene, answers: dict[int, Any]) -> Bools:
    """Which links both ends hold in a set."""
    ends = scene.ends.tolist()
    return np.array([b in answers.get(a, ()) and a in answers.get(b, ()) for a, b in ends], dtype=bool)


def height(bands: list[Band], n: int) -> int | None:
    """How many lines the longest chain of these pointers together has; ``None`` where they lead in a circle.

    A process may hold several pointers, one of each band.
    """
    source, target, holder = (
        np.concatenate([getattr(band, name) for band in bands]) for name in ("source", "target", "holder")
    )
    other = np.where(holder == source, target, source)
    if len(np.unique(holder)) == len(holder):
        up, jump, steps = _chains(other, holder, n)
        return None if (up[jump] != jump).any() else int(steps.max(initial=0))
    length = np.zeros(n, dtype=np.int64)  # lines of the longest chain that begins at a process
    for _ in range(n + 1):
        longer = length.copy()
        np.maximum.at(longer, holder, length[other] + 1)
        if (longer == length).all():
            return int(length.max(initial=0))
        length = longer
    return None


def longest(source: Ints, target: Ints, holder: Ints, n: int) -> Bools:
    """Which of the lines lie on the longest chain; one such chain if several are equally long.

    Every process holds at most one pointer, so the lines form chains that join, and at most some cycles, which
    count for nothing here.

    Args:
        source, target: the ends of the lines; ``holder`` is the end that holds the pointer.
        n: number of processes.
    """
    other = np.where(holder == source, target, source)
    line = np.full(n, -1, dtype=np.int64)
    line[holder] = np.arange(len(holder))
    up, jump, length = _chains(other, holder, n)
    length[up[jump] != jump] = 0  # the end was never reached: a cycle
    chosen = np.zeros(len(holder), dtype=bool)
    if len(holder) and length.max(initial=0) > 0:
        process = int(np.argmax(length))
        while up[process] != process:
            chosen[line[process]] = True
            process = int(up[process])
    return chosen


def _chains(other: Ints, holder: Ints, n: int) -> tuple[Any, Any, Any]:
    """Of every process: the one it points to (itself without a pointer), the end of its chain, and lines to it."""
    up = np.arange(n, dtype=np.int64)
    up[holder] = other
    # Pointer doubling: after round r every process has jumped 2**r lines, or stands at the end of its chain.
    jump, length = up.copy(), (up != np.arange(n)).astype(np.int64)
    for _ in range(max(n, 1).bit_length()):
        length = length + length[jump]
        jump = jump[jump]
    return up, jump, length
