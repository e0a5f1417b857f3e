"""What the variables of the processes add to the basic view: pointers, chains of waits, watched values, marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
from lydian.views.animation import Pointer, Watch
from lydian.views.axis import remember
from lydian.views.scene import Bools, Floats, Ints, Scene

__all__ = ["TEXTS_SHOWN", "Band", "Overlays", "longest", "no_overlays", "overlays_at"]

#: In more processes than this there is no room for a text at each.
TEXTS_SHOWN = 250


@dataclass(frozen=True)
class Band:
    """Lines of one pointer, or marks of one set.

    Args:
        number: index of the pointer in the animation, or slot of the marks.
        style: the pointer's style, ``"mark"`` for marks.
        source, target: from which process to which; chevrons and arrows point to the target.
        longest: whether a line is on the longest chain.
        holder: the end that holds the pointer or the set.
    """

    number: int
    style: str
    source: Ints
    target: Ints
    longest: Bools
    holder: Ints


@dataclass(frozen=True)
class Overlays:
    """What does not change between two events.  Arrays and texts are per process of the network."""

    k: int
    bands: tuple[Band, ...]
    marks: tuple[Band, ...]
    watch: tuple[str, ...]
    badges: tuple[str, ...]
    crashed_since: Floats


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
    names = [run.states[code] if 0 <= code < len(run.states) else "" for code in range(256)]
    values = _Values(scene, k)
    bands = []
    for number, pointer in enumerate(animation.pointers):
        if values.knows(pointer.variable):
            bands.append(_band(scene, number, pointer, values.pointed(pointer.variable), states, names))
    marks = []
    for mark in animation.marks:
        if values.knows(mark.variable):
            source, target = values.members(mark.variable)
            marks.append(Band(mark.slot, "mark", source, target, np.zeros(len(source), dtype=bool), source))
    watch: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()
    if run.n <= TEXTS_SHOWN:
        if isinstance(animation.watch, Watch):
            watch = _watch(animation.watch, values, [names[code] for code in states.tolist()], crashed)
        if animation.badge is not None and values.knows(animation.badge):
            badges = tuple(_size(value) for value in values.of(animation.badge))
    if scene.renumber is not None:
        watch, badges = _moved(scene, watch), _moved(scene, badges)
    since = np.full(run.n, np.nan)
    for process in np.flatnonzero(crashed).tolist():
        since[process] = run.time[run.last_of_kind(process, k, (Kind.CRASH,))]
    return Overlays(k, tuple(bands), tuple(marks), watch, badges, since)


class _Values:
    """The variables of all processes at one position, each asked for once."""

    def __init__(self, scene: Scene, k: int) -> None:
        self._scene, self._k = scene, k
        self._known = frozenset(scene.run.variable_names) if scene.animation_needs_variables else frozenset()
        self._values: dict[str, list[Any]] = {}

    def knows(self, name: str) -> bool:
        return name in self._known

    def of(self, name: str) -> list[Any]:
        if name not in self._values:
            self._values[name] = self._scene.run.variable_at(name, self._k)
        return self._values[name]

    def pointed(self, name: str) -> Ints:
        """The process each one's variable names, as a number in the network; -1 for none."""
        index = self._scene.network.index
        return np.array([_number(index, value) for value in self.of(name)], dtype=np.int32)

    def members(self, name: str) -> tuple[Ints, Ints]:
        """Holder and member of every entry of a variable that holds processes."""
        index = self._scene.network.index
        pairs = [
            (holder, _number(index, member))
            for holder, value in zip(self._holders, self.of(name), strict=True)
            for member in (value if isinstance(value, list | tuple) else ())
        ]
        found = np.array([pair for pair in pairs if min(pair) >= 0], dtype=np.int32).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    @property
    def _holders(self) -> list[int]:
        renumber = self._scene.renumber
        return list(range(self._scene.run.n)) if renumber is None else renumber.tolist()


def _band(
    scene: Scene, number: int, pointer: Pointer, pointed: Ints, states: NDArray[np.int16], names: list[str]
) -> Band:
    holder = np.arange(len(pointed), dtype=np.int32) if scene.renumber is None else scene.renumber
    drawn = (pointed >= 0) & (holder >= 0) & (pointed != holder)
    if pointer.while_states:
        drawn &= np.isin(states, [code for code, name in enumerate(names) if name in pointer.while_states])
    source, target = holder[drawn], pointed[drawn]
    if pointer.backwards:
        source, target = target, source
    on_longest = np.zeros(len(source), dtype=bool)
    if pointer.style == "waiting":
        on_longest = longest(source, target, holder[drawn], scene.network.n)
    return Band(number, pointer.style, source, target, on_longest, holder[drawn])


def height(bands: list[Band], n: int) -> int:
    """How many lines the longest chain of these pointers together has."""
    source, target, holder = (
        np.concatenate([getattr(band, name) for band in bands]) for name in ("source", "target", "holder")
    )
    return int(longest(source, target, holder, n).sum())


def longest(source: Ints, target: Ints, holder: Ints, n: int) -> Bools:
    """Which of the lines lie on the longest chain; one such chain if several are equally long.

    Every process holds at most one pointer, so the lines form chains that join, and at most some cycles, which
    count for nothing here.

    Args:
        source, target: the ends of the lines; ``holder`` is the end that holds the pointer.
        n: number of processes.
    """
    other = np.where(holder == source, target, source)
    up = np.arange(n, dtype=np.int64)
    up[holder] = other
    line = np.full(n, -1, dtype=np.int64)
    line[holder] = np.arange(len(holder))
    # Pointer doubling: after round r every process has jumped 2**r lines, or stands at the end of its chain.
    jump, length = up.copy(), (up != np.arange(n)).astype(np.int64)
    for _ in range(max(n, 1).bit_length()):
        length = length + length[jump]
        jump = jump[jump]
    length[up[jump] != jump] = 0  # the end was never reached: a cycle
    chosen = np.zeros(len(holder), dtype=bool)
    if len(holder) and length.max(initial=0) > 0:
        process = int(np.argmax(length))
        while up[process] != process:
            chosen[line[process]] = True
            process = int(up[process])
    return chosen


def _watch(watch: Watch, values: _Values, states: list[str], crashed: Bools) -> tuple[str, ...]:
    needed = watch.variables
    if not all(values.knows(name) for name in needed):
        return ()
    columns = [values.of(name) for name in needed]
    lines = []
    for process, state in enumerate(states):
        shown = not crashed[process] and (not watch.while_states or state in watch.while_states)
        lines.append(watch.line({name: c[process] for name, c in zip(needed, columns, strict=True)}) if shown else "")
    return tuple(lines)


def _size(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if value else ""
    return str(len(value)) if hasattr(value, "__len__") and len(value) else ""


def _moved(scene: Scene, texts: tuple[str, ...]) -> tuple[str, ...]:
    if not texts or scene.renumber is None:
        return texts
    moved = [""] * scene.network.n
    for number, text in zip(scene.renumber.tolist(), texts, strict=True):
        if number >= 0:
            moved[number] = text
    return tuple(moved)


def _number(index: dict[str, int], value: Any) -> int:
    if isinstance(value, str):
        return index.get(value, -1)
    return -1 if value is None or isinstance(value, bool | list | dict) else index.get(str(value), -1)
