"""The words of the basic view: its title and its legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.baskets import SPEAKING
from lydian.pieces.circles import MOST, NO_CIRCLES, Circles
from lydian.pieces.dresses import looks_in, worn_of
from lydian.pieces.overlays import Band, Overlays, ends, height, used_variables
from lydian.pieces.sectors import occurring_pieces
from lydian.views.network.flights import Flights
from lydian.views.network.liars import ever_liars, liars_at
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import goes_on
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["LegendItem", "legend_of", "messages_of", "size_of", "title_of"]

#: What the legend calls links that lead in a circle, and circles round which values do not sum up to 0.
CYCLE, WOUND = "lead in a circle", "winds: the sum is not 0"
#: More states than a trace can have.
NO_STATES = 256


@dataclass(frozen=True)
class LegendItem:
    """One entry of the legend.

    Args:
        sort: ``"state"``, ``"message"``, ``"crashed"``, ``"lost"``, ``"pointer"``, ``"mark"``, ``"orientation"``,
            ``"cycle"``, ``"winding"``, ``"token"``, ``"value"``, ``"group"``, ``"glyph"``, ``"speaker"``, ``"basket"``,
            ``"queue"``, ``"sector"`` or ``"flag"``.
        number: slot of a state, kind of a message; for what an animation declares its index there.
        word: what it is called.
        count: how many there are now; None for what is not counted.
        most: the largest count there can be, so that the legend need not change its size.
        widest: the longest word that can stand here.
    """

    sort: str
    number: int
    word: str
    count: int | None = None
    most: int = 0
    widest: str = ""


def size_of(scene: Scene) -> str:
    size = f"{plural(scene.network.n, 'process')}, {plural(scene.network.m, 'link')}"
    return f"{scene.network.name}, {size}" if scene.network.name else size


def title_of(scene: Scene, k: int, flights: Flights, bands: tuple[Band, ...]) -> str:
    """The view in one line; at the end of the execution, if it has come to one, what it took."""
    run = scene.run
    protocol = run.trace.summary.get("protocol_title") or ""
    about = f"{protocol} on {size_of(scene)}" if protocol else size_of(scene)
    if k == 0 or not run.length:
        return about
    if k < run.length or not _over(run):
        return f"{about} · {plural(len(flights), 'message')} under way"
    sent = run.sent_at(k).sum(axis=0)
    kinds = ", ".join(f"{int(sent[code]):,} {scene.animation.label(run.labels[code])}" for code in scene.seen_labels)
    parts = [f"{plural(int(sent.sum()), 'message')}" + (f" ({kinds})" if kinds else "")]
    deep = _depth(scene, bands)
    if deep is not None:
        parts.append(f"tree {deep} deep")
    return " · ".join([about, *parts, f"time {run.end:.2f}"])


def _over(run: Timeline) -> bool:
    """Whether nothing more is to come: the run has ended, or is a live one in which nothing can happen."""
    rest = run.trace.summary.get("rest")
    resting = isinstance(rest, Mapping) and "checks" in rest
    return resting or not (goes_on(run) or run.trace.summary.get("beginning"))


def _depth(scene: Scene, bands: tuple[Band, ...]) -> int | None:
    """How deep the tree is that pointers draw; those that still wait belong to it, if it is the same variable."""
    pointers = scene.animation.pointers
    found = [band for band in bands if band.style in ("tree", "waited") and len(band.source)]
    named = {pointers[band.number].variable for band in found}
    found += [band for band in bands if band.style == "waiting" and pointers[band.number].variable in named]
    return height(found, scene.network.n) if found else None


def legend_of(
    scene: Scene,
    states: NDArray[np.int16],
    crashed: Bools,
    flights: Flights,
    overlays: Overlays,
    circles: Circles = NO_CIRCLES,
) -> tuple[LegendItem, ...]:
    """What occurs in this run, with how much of it there is now."""
    run, animation = scene.run, scene.animation
    told = ~crashed
    if len(overlays.speaking) and scene.renumber is None:
        told = told & ~overlays.speaking
    counts = np.bincount(states[told], minlength=NO_STATES)
    by_slot: dict[int, list[int]] = {}
    for code in scene.seen_states:
        by_slot.setdefault(animation.slot(run.states[code]), []).append(code)
    items = []
    for slot, codes in sorted(by_slot.items()):
        words = [animation.word(run.states[code]) for code in codes]
        now = [word for word, code in zip(words, codes, strict=True) if counts[code]]
        word = ", ".join(now) or words[0]
        total = int(sum(counts[code] for code in codes))
        items.append(LegendItem("state", slot, word, total, run.n, max(words, key=len)))
    if scene.ever_crashed:
        items.append(LegendItem("crashed", 0, "crashed", int(crashed.sum()), run.n, "crashed"))
    if ever_liars(run):
        items.append(LegendItem("liar", 0, "Byzantine", len(liars_at(run, overlays.k)), run.n, "Byzantine"))
    flying = np.bincount(run.message_label[flights.id], minlength=len(run.labels) + 1)
    worn, most = worn_of(run, animation), max(99, run.m_messages)
    for kind, word, parts in messages_of(scene):
        count = 0
        for code, places in parts:
            if worn is None or places is None:
                count += int(flying[code])
            else:
                mine = flights.id[run.message_label[flights.id] == code]
                count += int(np.isin(worn.code[mine], places).sum())
        items.append(LegendItem("message", kind, word, count, most, word))
    if len(scene.drops):
        lost = int(np.searchsorted(scene.drops, overlays.k))
        items.append(LegendItem("lost", 0, "lost", lost, len(scene.drops), "lost"))
    items += _declared(scene, int(overlays.speaking.sum()), circles)
    return tuple(items)


def messages_of(scene: Scene) -> list[tuple[int, str, list[tuple[int, list[int] | None]]]]:
    """The looks of messages that occur in a run: kind, word, and the classes with what their messages wear.

    None stands for all messages of a class.  All that have a kind in common which has a word are one.
    """
    kinds = scene.animation.kinds
    found: list[tuple[int, str, list[tuple[int, list[int] | None]]]] = []
    for code in scene.seen_labels:
        looks = looks_in(scene.run, scene.animation, code)
        for kind, word, places in looks:
            part = (code, places if len(looks) > 1 else None)
            same = next((parts for each, _, parts in found if each == kind), None) if kind in kinds else None
            if same is None:
                found.append((kind, kinds.get(kind, word), [part]))
            else:
                same.append(part)
    return found


def _whose(word: str, selected: bool) -> str:
    return f"{word} of the selected process" if selected else word


def _declared(scene: Scene, speakers: int, circles: Circles) -> Iterator[LegendItem]:  # noqa: C901 - one branch a kind of declaration
    """What the animation declares, as far as it occurs in the run."""
    run, animation = scene.run, scene.animation
    for number, queue in enumerate(animation.queues):
        if queue.variable in run.variable_names:
            word = queue.word or queue.variable
            yield LegendItem("queue", number, word, None, 0, word)
    if animation.countdown is not None and animation.countdown.timer in run.labels:
        word = animation.countdown.word or animation.label(animation.countdown.timer)
        yield LegendItem("countdown", 0, word, None, 0, word)
    for number in occurring_pieces(scene, "sectors"):
        word = animation.sectors[number].word or "answers for"
        yield LegendItem("sector", number, word, None, 0, word)
    for number in occurring_pieces(scene, "flags"):
        word = animation.flags[number].word or "key"
        yield LegendItem("flag", number, word, None, 0, word)
    if not scene.animation_needs_variables:
        return
    used, seen = used_variables(scene), {run.states[code] for code in scene.seen_states}

    def occurs(variable: str, states: tuple[str, ...] = ()) -> bool:
        return (not variable or variable in used) and (not states or not seen.isdisjoint(states))

    def entry(sort: str, number: int, word: str) -> LegendItem:
        return LegendItem(sort, number, word, None, 0, word)

    for number, pointer in enumerate(animation.pointers):
        if occurs(pointer.variable, pointer.while_states):
            yield entry("pointer", number, _whose(pointer.word or pointer.variable, pointer.selected))
    for number, mark in enumerate(animation.marks):
        if occurs(mark.variable, mark.while_states):
            yield entry("mark", number, _whose(mark.word or mark.variable, mark.selected))
    if animation.orientation is not None and occurs(animation.orientation.variable):
        declared = animation.orientation
        yield entry("orientation", 0, declared.word or declared.variable)
        if declared.cycles and scene.network.m <= MOST:
            yield LegendItem("cycle", 0, CYCLE, len(circles.parts), 9, CYCLE)
        if declared.winding and scene.network.m <= MOST:
            yield LegendItem("winding", 0, WOUND, len(circles.wound), 9, WOUND)
    labels = {run.labels[code] for code in scene.seen_labels}
    for number, token in enumerate(animation.tokens):
        sits = occurs(token.variable, token.while_states) and bool(token.variable or token.while_states)
        if sits or not labels.isdisjoint(token.messages):
            yield entry("token", number, token.word)
    for number, value in enumerate(animation.values):
        if value.style != "text" and value.variable in run.variable_names:
            low, high = ends(scene)[number]
            yield entry("value", number, f"{value.word or value.variable} {low:g}–{high:g}")
    if animation.groups is not None and occurs(animation.groups.variable):
        yield entry("group", 0, animation.groups.word or animation.groups.variable)
    baskets = animation.baskets
    if baskets is not None and baskets.variable in run.variable_names:
        if baskets.leader or baskets.others:
            yield LegendItem("speaker", SPEAKING, baskets.says, speakers, run.n, baskets.says)
        if baskets.style == "apples":
            yield entry("basket", 0, baskets.word or baskets.variable)
    for number, glyph in enumerate(animation.glyphs):
        if glyph.word and occurs(glyph.variable, glyph.while_states):
            yield entry("glyph", number, glyph.word)
