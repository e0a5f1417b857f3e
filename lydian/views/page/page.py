"""A page of HTML that plays a run without network access, for lecture notes and hand-ins.

The page is ``resources/templates/player.html`` with its style, its script and the run inserted. Its contents are
computed here by the same code that feeds the window (sentences, ends of messages, pointers, legend), so that the script
only has to replay and draw.

The run is JSON. Numbers by event, message or link are *columns*: ``{"i2": "..."}``, the little-endian bytes of a
numpy array of that type in base64. A process, state or label is a code, an index into ``names``, ``states`` or
``labels``; -1 means none.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import numpy as np

from lydian.language import language, tr, translated, trn
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.protocol.folder import files_of
from lydian.pieces.animation import Animation, animation_for
from lydian.pieces.carries import Sign, told_of
from lydian.pieces.channelchanges import changes_of
from lydian.pieces.channels import scene_channels
from lydian.pieces.messagelooks import worn_of
from lydian.pieces.piece import LegendItem, is_wide
from lydian.trace.events import KINDS, NO_STATE, Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.basicwords import messages_of
from lydian.views.network.flights import FADE, HELD, reached_by
from lydian.views.network.scene import Scene, scene_for
from lydian.views.others import communication
from lydian.views.page.controls import words_of
from lydian.views.page.pieces import scripts_of, told_of_pieces
from lydian.views.page.whole import coloured, hash_of, json_of, resource, storable, variables
from lydian.views.page.whole import script as script_of
from lydian.views.page.words import checks, facts, marked, marks, protocol_of, subtitle
from lydian.views.time.axis import rows_of
from lydian.views.time.spacetime import scene as spacetime_scene
from lydian.views.words.sentence import closing, opening, sentence
from lydian.views.world.places import flattened
from lydian.views.world.solids import told_of_solids
from lydian.views.world.world import bottom_of, laid_out

__all__ = ["MOST_EVENTS", "column", "page", "run_data"]


def code(trace: Trace) -> str:
    """Return the text of a run's protocol as a part of a page that can be opened; empty if the trace does not hold
    it.
    """
    source = trace.source.replace("\r\n", "\n").replace("\0", "").rstrip("\n")
    if not source.strip():
        return ""
    named = str(trace.experiment.get("protocol") or trace.summary.get("protocol") or "").replace("\\", "/")
    name = PurePosixPath(named).name or "protocol"
    name = name if name.endswith(".py") or files_of(source) else f"{name}.py"
    lines = storable("\n".join(f"<li>{line}</li>" for line in coloured(source.split("\n"))))
    title = html.escape(tr("The protocol: {file}", file=name))
    about = f'<details id="code">\n  <summary>{title}</summary>\n'
    return f"{about}  <ol>{lines}</ol>\n</details>\n\n"


#: A page with more events would be too large for e-mail and slow to open.
MOST_EVENTS = 200_000
#: The script, in the order of its parts; those of a run's pieces of animation follow.
PIECES = "player.pieces.js"
SCRIPTS = (
    "player.run.js", "player.shapes.js", PIECES, "player.network.js", "player.time.js", "player.space.js",
    "player.world.js", "player.js",
)  # fmt: skip
#: The number of processes above which a page does not show the network in space.
MOST_IN_SPACE = 1_000


def page(timeline: Timeline, animation: Animation | None = None) -> str:
    """Return the whole page as text.

    Args:
        timeline: the execution.
        animation: its looks; the protocol's own by default.

    Raises:
        BadInput: the run has more than :data:`MOST_EVENTS` events.
    """
    data = run_data(timeline, animation)
    tokens = json.loads(resource("tokens.json"))
    colors = tokens["color"]
    unused = ("syntax",) if "baskets" in data.get("pieces", {}) else ("syntax", "play")
    data["looks"] = {
        "themes": {name: {k: v for k, v in colors[name].items() if k not in unused} for name in ("light", "dark")},
        "line": tokens["line"],
        "node": tokens["node"],
        "type": tokens["type"]["px"],
        "step": tokens["motion"]["step"]["ms"],
        "reach": {name: tokens["reach"][name] for name in ("light", "dark")},
    }
    themes = (
        ":root{" + variables(_plain(colors["light"])) + "}\n"
        ":root[data-theme=dark]{" + variables(_plain(colors["dark"])) + "}\n"
    )
    style = themes + resource("templates/player.css")
    # In one block, none of its names can collide with the browser's.
    at = SCRIPTS.index(PIECES) + 1
    names = [*SCRIPTS[:at], *scripts_of(data.get("pieces", {})), *SCRIPTS[at:]]
    script = '\n"use strict";\n{\n' + "\n".join(script_of(Path("templates") / name) for name in names) + "}\n"
    data["words"] = words_of(script)
    parts = {
        "language": language(),
        "title": html.escape(storable(data["title"])),
        "style": style,
        "script": script,
        "style-hash": hash_of(style),
        "script-hash": hash_of(script),
        "data": json_of(data),
        "code": code(timeline.trace),
        "link": link(timeline.trace),
    }
    # In one pass, inserted text is not searched again.
    return re.sub(
        r"\{\{(?:tr:(.+?)|([a-z-]+))\}\}",
        lambda hole: html.escape(translated(hole[1])) if hole[1] else parts[hole[2]],
        resource("templates/player.html"),
    )


def link(trace: Trace) -> str:
    """Return a link that opens the run in the program, if its experiment is one of the archive, apart from its seed."""
    told = trace.experiment
    name, seed = told.get("name"), told.get("seed")
    shelf = archive()
    if not isinstance(name, str) or not isinstance(seed, int) or name not in shelf.names("experiments"):
        return ""
    if shelf.experiment(name).with_(seed=seed).to_dict() != dict(told):
        return ""
    address = html.escape(f"lydian://{quote(name)}?seed={seed}")
    return f'<p><a href="{address}">{html.escape(tr("Open this run in LYDIAN"))}</a></p>'


def run_data(timeline: Timeline, animation: Animation | None = None) -> dict[str, Any]:
    """Return the page's data of the run, ready for JSON.

    Raises:
        BadInput: the run has more than :data:`MOST_EVENTS` events.
    """
    if timeline.length > MOST_EVENTS:
        raise BadInput(
            trn(
                "the run has {count:,} event but a page must have at most {most:,}; "
                "run it with --limit or --until, or open the trace in the window",
                "the run has {count:,} events but a page must have at most {most:,}; "
                "run it with --limit or --until, or open the trace in the window",
                timeline.length,
                most=MOST_EVENTS,
            )
        )
    animation = animation_for(timeline.trace) if animation is None else animation
    scene = scene_for(timeline, None, animation)
    last = basic.frame(timeline, timeline.end, animation=animation)
    network = scene.network
    names = (*timeline.processes, *(name for name in network.processes if name not in set(timeline.processes)))
    index = {name: code for code, name in enumerate(names)}
    texts, numbers = _Texts(), list[float]()
    changes = changes_of(scene, index, texts.code, numbers)
    about = basic.frame(timeline, -np.inf, animation=animation).title
    return {
        "format": 1,
        "title": tr(
            "{protocol} on {network}",
            protocol=protocol_of(timeline) or tr("A run"),
            network=network.name or tr("a network"),
        ),
        "about": about,
        "titles": {"network": last.title, **_communication(timeline, animation)},
        "opening": opening(timeline),
        "closing": closing(timeline),
        "facts": facts(timeline),
        "subtitle": subtitle(timeline),
        "checks": checks(timeline),
        "marks": marks(timeline),
        "end": timeline.end,
        "names": names,
        "rows": timeline.n,
        "oneWay": timeline.one_way_events.tolist(),
        "start": timeline.start_state,
        **({"starts": timeline.start_states.tolist()} if "roles" in timeline.trace.summary else {}),
        "kinds": KINDS,
        "states": [{"slot": animation.slot(name), "word": animation.word(name)} for name in timeline.states],
        "labels": [
            {"kind": animation.kind(name), "word": animation.label(name), "letter": animation.letters.get(name, "")}
            for name in timeline.labels
        ],
        **_worn(timeline, animation),
        "legend": _legend(scene, last),
        "channels": [{"sort": each.sort, "part": each.part, "index": each.index} for each in scene_channels(scene)],
        **told_of_pieces(scene, index, texts.code, column),
        "processes": _processes(scene, names),
        **_space(scene, names),
        "links": _links(scene, index),
        "events": _events(timeline, animation, texts),
        "messages": _messages(scene, timeline, animation, index),
        "steps": dict(zip(("from", "to", "process"), map(column, scene.steps[:3]), strict=True)),
        "changes": {name: column(values) for name, values in changes.items()},
        "numbers": numbers,
        "texts": texts.all,
        "fade": FADE,
        "held": HELD,
    }


def column(values: Any) -> dict[str, str]:
    """Return numbers as little-endian bytes in base64, under the name of their type; integers as short as possible."""
    array = np.asarray(values)
    if array.dtype.kind != "f":
        low, high = int(array.min(initial=0)), int(array.max(initial=0))
        array = array.astype(next(t for t in ("i1", "i2", "i4") if np.iinfo(t).min <= low and high <= np.iinfo(t).max))
    name = f"{array.dtype.kind}{array.dtype.itemsize}"
    return {name: base64.b64encode(np.ascontiguousarray(array, dtype=f"<{name}").tobytes()).decode("ascii")}


class _Texts:
    """Every text once, by number; number 0 is the empty one."""

    def __init__(self) -> None:
        self.all: list[str] = [""]
        self._codes = {"": 0}

    def code(self, text: str) -> int:
        if text not in self._codes:
            self._codes[text] = len(self.all)
            self.all.append(text)
        return self._codes[text]


# ---------------------------------------------------------------------- parts of the run


def _processes(scene: Scene, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the positions of processes, NaN for one that the network does not contain, and which are initiators."""
    place = {name: tuple(at) for name, at in zip(scene.names, scene.positions.tolist(), strict=True)}
    at = np.array([place.get(name, (np.nan, np.nan)) for name in names], dtype=np.float64).reshape(-1, 2)
    starts = set(scene.network.initiators)
    return {
        "x": column(at[:, 0]),
        "y": column(at[:, 1]),
        "initiator": column([name in starts for name in names]),
    }


def _space(scene: Scene, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what the network in space needs: places, the diameter of a process, the floor, and the solids of states;
    nothing for a network that is too large.
    """
    if not 0 < len(scene.names) <= MOST_IN_SPACE:
        return {}
    places, body = laid_out(scene, "shape", flattened(scene.positions, like=scene.positions))
    place = dict(zip(scene.names, places.tolist(), strict=True))
    at = np.array([place.get(name, (np.nan,) * 3) for name in names], dtype=np.float32).reshape(-1, 3)
    found = {"x": column(at[:, 0]), "y": column(at[:, 1]), "z": column(at[:, 2])}
    return {
        "space": {**found, "body": round(body, 4), "bottom": round(bottom_of(places), 4), "solids": told_of_solids()}
    }


def _links(scene: Scene, index: Mapping[str, int]) -> dict[str, Any]:
    ends = [(index[link.a], index[link.b]) for link in scene.network.links]
    table = np.array(ends, dtype=np.int64).reshape(-1, 2)
    return {
        "a": column(table[:, 0]),
        "b": column(table[:, 1]),
        "directed": column(scene.directed),
        "factor": column(scene.factors.astype(np.float32)),
        **({"weight": list(scene.weights)} if scene.weights else {}),
    }


def _events(timeline: Timeline, animation: Animation, texts: _Texts) -> dict[str, Any]:
    state = timeline.state.astype(np.int64)
    sentences = [marked(sentence(timeline, seq, animation, rich=True)) for seq in range(timeline.length)]
    return {
        "time": column(timeline.time),
        "kind": column(timeline.kind),
        "process": column(timeline.process),
        "peer": column(timeline.peer),
        "label": column(timeline.label),
        "state": column(np.where(state == NO_STATE, -1, state)),
        "lamport": column(timeline.lamport),
        "chain": column(np.maximum.accumulate(timeline.chain) if timeline.length else timeline.chain),
        "bits": column(timeline.bits),
        "message": column(timeline.message),
        "text": column([texts.code(text) for text in sentences]),
    }


def _messages(scene: Scene, timeline: Timeline, animation: Animation, index: Mapping[str, int]) -> dict[str, Any]:
    """Return the messages that were sent, in order of sending; ``row`` is where a line of the space-time diagram
    ends.
    """
    known = (timeline.sends >= 0) & (timeline.message_source >= 0) & (timeline.message_target >= 0)
    ids = np.flatnonzero(known)
    ids = ids[np.argsort(timeline.sends[ids], kind="stable")]
    if scene.renumber is not None:
        placed = scene.renumber >= 0
        drawn = placed[timeline.message_source[ids]] & placed[timeline.message_target[ids]]
        reached, unsure = np.full(len(ids), np.inf), np.ones(len(ids), dtype=bool)
        reached[drawn], unsure[drawn] = reached_by(scene, ids[drawn])
    else:
        reached, unsure = reached_by(scene, ids)
    rows = np.zeros(timeline.m_messages)
    whole = (min(0.0, float(timeline.time[0])) if timeline.length else 0.0, timeline.end + 1.0)
    diagram = spacetime_scene(
        timeline, whole, animation=animation, rows=rows_of(timeline), limit=max(MOST_EVENTS, timeline.length)
    )
    rows[diagram.message] = diagram.end_row
    worn = worn_of(timeline, animation)
    return {
        "id": column(ids),
        **({} if worn is None else {"worn": column(worn.code[ids])}),
        "send": column(timeline.sends[ids]),
        "end": column(timeline.receives[ids]),
        "source": column(timeline.message_source[ids]),
        "target": column(timeline.message_target[ids]),
        "label": column(timeline.message_label[ids]),
        "reached": column(reached),
        "arrived": column(timeline.message_arrived[ids]),
        "unsure": column(unsure),
        "lost": column(timeline.lost[ids]),
        "row": column(rows[ids].astype(np.float32)),
    }


def _legend(scene: Scene, last: basic.BasicFrame) -> list[dict[str, Any]]:
    """Return the entries of the legend, with the codes of the states or labels that each counts."""
    messages = iter(messages_of(scene))
    entries = []
    for item in last.legend:
        codes: list[int] = []
        parts: list[tuple[int, list[int] | None]] = []
        if item.sort == "state":
            codes = [c for c in scene.seen_states if scene.animation.slot(scene.run.states[c]) == item.number]
        elif item.sort == "message":
            _, _, parts = next(messages)
            codes = [code for code, _ in parts]
        entries.append(
            {"sort": item.sort, "number": item.number, "word": item.word, "widest": item.widest, "most": item.most,
             "codes": codes, "counted": item.count is not None, **({"parts": parts} if parts else {}),
             **({"wide": True} if is_wide(item.sort) else {}), **_look(item)}
        )  # fmt: skip
    return entries


def _look(item: LegendItem) -> dict[str, Any]:
    """Return what an entry of the legend shows of what messages carry."""
    sign = item.look
    if not isinstance(sign, Sign):
        return {"plain": True} if sign else {}
    width = 15 if len(sign.letter + sign.true_letter) < 2 else 36 if sign.true_letter else 26
    return {"look": told_of(sign), "signWidth": width}


def _worn(timeline: Timeline, animation: Animation) -> dict[str, Any]:
    """Return the looks of messages that differ from those of their class."""
    worn = worn_of(timeline, animation)
    if worn is None:
        return {}
    looks = [
        {"kind": worn.kind(i, animation), "word": worn.word(i, animation), "letter": worn.letter(i, animation)}
        for i in range(len(worn.looks))
    ]
    return {"worn": looks}


def _communication(timeline: Timeline, animation: Animation) -> dict[str, Any]:
    """Return the text after the running total in the title, the theory, and whether the future is shown."""
    last = communication.frame(timeline, timeline.end, animation=animation)
    known = timeline.trace.summary.get("stopped") is not None
    return {"communication": last.title.partition(" · ")[2], "theory": last.about, "known": known}


# ---------------------------------------------------------------------- the file


def _plain(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return the colours that the style sheet can use."""
    return {name: value for name, value in tree.items() if name != "play"}
