"""How the page and the projector draw processes and messages: the animation's choices with the program's colours."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np

from lydian.model.archive.shelves import looks_like_path
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.network import Network
from lydian.pieces.animation import Animation, animation_for
from lydian.views.page.whole import resource
from lydian.views.world.world import bottom_of, resting

__all__ = ["animation_of", "drawn_as", "in_space", "look", "looks", "places"]

#: The number of processes above which a page does not show the network in space.
MOST_IN_SPACE = 1_000


def drawn_as(experiment: Experiment) -> str:
    """Return the name of the animation of a run that others draw; "" if it is in a file of the host."""
    name = experiment.animation or experiment.protocol
    return "" if looks_like_path(name, "animations") or looks_like_path(name, "protocols") else name


def animation_of(resolved: Resolved) -> Animation:
    """Return the animation of a run that has not begun."""
    name = resolved.experiment.animation or resolved.experiment.protocol
    found = animation_for(name, None if resolved.experiment.path is None else resolved.experiment.path.parent)
    protocol = resolved.protocol
    return found.completed(protocol.states, [each.__name__ for each in protocol.messages], protocol.predicates)


def look(animation: Animation, state: str) -> dict[str, Any]:
    """Return how a process in a state is drawn; colours are pairs, light and dark."""
    color = json.loads(resource("tokens.json"))["color"]
    slot = animation.slot(state) % len(color["light"]["state"])
    both = [color[theme]["state"][slot] for theme in ("light", "dark")]
    return {
        "shape": both[0]["shape"], "slot": slot, "glyph": both[0]["glyph"], "words": animation.word(state),
        "fill": [each["fill"] for each in both], "line": [each["outline"] for each in both],
        "ink": [each["label"] for each in both],
    }  # fmt: skip


def looks(animation: Animation, states: list[str], labels: list[str]) -> dict[str, Any]:
    """Return how everything is drawn, as in :class:`~lydian.classroom.frames.Welcome`."""
    color = json.loads(resource("tokens.json"))["color"]
    messages = {}
    for label in labels:
        kind = animation.kind(label) % len(color["light"]["message"])
        both = [color[theme]["message"][kind] for theme in ("light", "dark")]
        messages[label] = {
            "head": both[0]["head"], "dash": both[0]["dash"], "colour": [each["color"] for each in both],
            "words": animation.label(label),
        }  # fmt: skip
    return {"states": {state: look(animation, state) for state in states}, "messages": messages}


@functools.lru_cache(maxsize=8)
def in_space(network: Network) -> dict[str, Any]:
    """Return the network in space, as in :class:`~lydian.classroom.frames.Welcome`; nothing if it is too large."""
    if not 0 < network.n <= MOST_IN_SPACE:
        return {}
    points, body = resting(network, "shape")
    return {
        "places": np.round(points, 3).tolist(), "body": round(body, 4), "bottom": round(bottom_of(points), 4),
    }  # fmt: skip


def places(resolved: Resolved) -> list[list[float]]:
    """Return the place of each process, from 0 to 1, y downwards."""
    points = np.asarray(resolved.network.coordinates, dtype=np.float64).reshape(-1, 2)
    if not len(points):
        return []
    low, high = points.min(axis=0), points.max(axis=0)
    span = float(max((high - low).max(), 1e-9))
    middle = (points - (low + high) / 2) / span + 0.5
    return [[round(float(x), 4), round(float(y), 4)] for x, y in middle]
