"""Texts of the network view: its title and its legend."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.pieces.carries import carried_of
from lydian.pieces.channels import Asked, used_variables
from lydian.pieces.messagelooks import looks_in, worn_of
from lydian.pieces.piece import LegendItem, Occurring, every
from lydian.pieces.pointers import bands_of, height
from lydian.views.network.flights import Flights
from lydian.views.network.liars import ever_liars, liars_at
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import goes_on
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["LegendItem", "legend_of", "messages_of", "size_of", "title_of"]

#: More states than a trace can have.
NO_STATES = 256


def size_of(scene: Scene) -> str:
    size = plural(scene.network.n, "process")
    if scene.discs is not None:
        size += f", {plural(len(scene.discs.radius), 'cluster')}"
    size += f", {plural(scene.network.m, 'link')}"
    return f"{scene.network.name}, {size}" if scene.network.name else size


def title_of(scene: Scene, k: int, flights: Flights, asked: Asked) -> str:
    """Return the title of the view; once the execution has ended, it contains the totals."""
    run = scene.run
    protocol = run.trace.summary.get("protocol_title") or ""
    about = tr("{protocol} on {network}", protocol=protocol, network=size_of(scene)) if protocol else size_of(scene)
    if k == 0 or not run.length:
        return about
    silent = not len(scene.seen_labels) and bool(run.trace.summary.get("shared"))
    if silent and (k < run.length or not _over(run)):
        return about
    if k < run.length or not _over(run):
        return f"{about} · " + trn("{count:,} message in transit", "{count:,} messages in transit", len(flights))
    sent = run.sent_at(k).sum(axis=0)
    kinds = ", ".join(f"{int(sent[code]):,} {scene.animation.label(run.labels[code])}" for code in scene.seen_labels)
    parts = [] if silent else [f"{plural(int(sent.sum()), 'message')}" + (f" ({kinds})" if kinds else "")]
    deep = _depth(asked)
    if deep is not None:
        parts.append(tr("tree {depth} deep", depth=deep))
    return " · ".join([about, *parts, tr("time {time:.2f}", time=run.end)])


def _over(run: Timeline) -> bool:
    """Return True if no more events follow: the run has ended, or is a live run in which nothing can happen."""
    rest = run.trace.summary.get("rest")
    resting = isinstance(rest, Mapping) and "checks" in rest
    return resting or not (goes_on(run) or run.trace.summary.get("beginning"))


def _depth(asked: Asked) -> int | None:
    """Return the depth of the tree drawn by pointers; processes that still wait belong to it if they use the same
    variable.
    """
    bands = bands_of(asked)
    found = [band for band in bands if band.declared.style in ("tree", "waited") and len(band.source)]
    named = {band.declared.variable for band in found}
    found += [band for band in bands if band.declared.style == "waiting" and band.declared.variable in named]
    return height(found, asked.scene.network.n) if found else None


def legend_of(
    scene: Scene,
    k: int,
    states: NDArray[np.int16],
    crashed: Bools,
    flights: Flights,
    pieces: Mapping[str, Any],
) -> tuple[LegendItem, ...]:
    """Return the entries of the legend for this run, with their current numbers."""
    run, animation = scene.run, scene.animation
    told = ~crashed
    if "baskets" in pieces and len(pieces["baskets"].speaking) and scene.renumber is None:
        told = told & ~pieces["baskets"].speaking
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
        word = trc("processes", "crashed")
        items.append(LegendItem("crashed", 0, word, int(crashed.sum()), run.n, word))
    if ever_liars(run):
        word = trc("processes", "Byzantine")
        items.append(LegendItem("liar", 0, word, len(liars_at(run, k)), run.n, word))
    flying = np.bincount(run.message_label[flights.id], minlength=len(run.labels) + 1)
    worn, most = worn_of(run, animation), max(99, run.m_messages)
    carried = carried_of(run, animation)
    for kind, word, parts in messages_of(scene):
        count = 0
        for code, places in parts:
            if worn is None or places is None:
                count += int(flying[code])
            else:
                mine = flights.id[run.message_label[flights.id] == code]
                count += int(np.isin(worn.code[mine], places).sum())
        classes = [run.labels[code] for code, _ in parts]
        carries = carried is not None and all(carried.of_class(name) >= 0 for name in classes)
        items.append(LegendItem("message", kind, word, count, most, word, carries or None))
    if len(scene.drops):
        lost = int(np.searchsorted(scene.drops, k))
        word = trc("messages", "lost")
        items.append(LegendItem("lost", 0, word, lost, len(scene.drops), word))
    seen = Occurring(scene, pieces, partial(used_variables, scene))
    for piece, number, declared in every(animation.pieces):
        items += piece.legend(seen, number, declared) if piece.legend is not None else ()
    return tuple(items)


def messages_of(scene: Scene) -> list[tuple[int, str, list[tuple[int, list[int] | None]]]]:
    """Return the looks of messages that occur in a run: kind, word, and the classes with the looks of their messages.

    None stands for all messages of a class. Messages whose kind has a word share one entry.
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
