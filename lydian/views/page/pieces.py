"""The data and scripts of an animation's pieces for the page that plays a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lydian.pieces.piece import Teller, every, fields, pieces, rest_of
from lydian.views.network.scene import Scene
from lydian.views.network.walking import walking_at

__all__ = ["scripts_of", "told_of_pieces"]

#: The scripts on which those of all pieces depend, and those of all pieces beside the network.
PIECE, PANELS = "player.piece.js", "player.panels.js"


def told_of_pieces(
    scene: Scene, index: Mapping[str, int], text: Callable[[str], int], column: Callable[[Any], dict[str, str]]
) -> dict[str, Any]:
    """Return the page's data of pieces, by field, under the name ``pieces``; nothing if there are none.

    Args:
        index: name of a process -> its code.
        text: gives a number to a text.
        column: packs numbers.
    """
    tell = Teller(scene, np.array([index[name] for name in scene.names], dtype=np.int64), text, column)
    found: dict[str, Any] = {}
    for piece, _, declared in every(scene.animation.pieces):
        part = piece.page(tell, declared) if piece.page is not None and piece.script else None
        if part is not None and rest_of(piece.field) is None:
            found[piece.field] = {"piece": piece.name, **part}
        elif part is not None:
            found.setdefault(piece.field, []).append({"piece": piece.name, **part})
    if "places" not in found and (walks := _walks(tell)):
        found["places"] = {"piece": fields()["places"][0].name, **walks}
    return {"pieces": found} if found else {}


def scripts_of(told: Mapping[str, Any]) -> list[str]:
    """Return the scripts that draw the page's data of pieces, in the order of the pieces."""
    parts = [part for each in told.values() for part in (each if isinstance(each, list) else [each])]
    names = {part["piece"] for part in parts}
    drawn = [piece for piece in pieces() if piece.name in names and piece.script]
    first = [*([PIECE] if drawn else []), *([PANELS] if any(piece.panel for piece in drawn) else [])]
    return [*first, *dict.fromkeys(piece.script for piece in drawn)]


def _walks(tell: Teller) -> dict[str, Any]:
    """Return the paths of moving processes: each walk has a duration of its own (``long``) and an even speed."""
    scene, codes, column = tell.scene, tell.codes, tell.column
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
