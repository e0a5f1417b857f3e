"""A host that only says what a test hands it, so that each state of the page can be shown."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from aiohttp import WSMsgType, web

from lydian.classroom import frames
from lydian.classroom.page import files
from lydian.classroom.server import HEADERS
from lydian.engine import wire
from lydian.model.archive.archive import archive
from lydian.trace.events import ROW, Kind

__all__ = ["RING", "Scripted", "begun", "people", "ring", "rounds", "scripted", "welcome"]

RING = ("Ana", "Ben", None, "Chiara", "Dina", "Emil", "Farid", "Greta", None, "Hugo")
_TOKENS = json.loads((archive().ours / "resources" / "tokens.json").read_text())["color"]


def look(slot: int, words: str) -> dict[str, Any]:
    """Return how a state is drawn."""
    both = [_TOKENS[theme]["state"][slot] for theme in ("light", "dark")]
    return {
        "shape": both[0]["shape"], "words": words, "glyph": both[0]["glyph"],
        "fill": [each["fill"] for each in both], "line": [each["outline"] for each in both],
    }  # fmt: skip


def message(kind: int, words: str) -> dict[str, Any]:
    both = [_TOKENS[theme]["message"][kind] for theme in ("light", "dark")]
    return {"head": both[0]["head"], "colour": [each["color"] for each in both], "words": words}


LOOKS = {
    "states": {"listening": look(0, "listens"), "speaking": look(6, "may speak"), "idle": look(0, "idle"),
               "wanting": look(4, "wants the resource"), "inside": look(6, "uses the resource")},
    "messages": {"Request": message(2, "Request"), "Reply": message(1, "Reply")},
}  # fmt: skip
QR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 33 33"><path fill="#fff" d="M0 0h33v33h-33z"/>'
    '<path stroke="#000" d="M2 2.5h7m3 0h4m4 0h2m2 0h7m-29 1h1m5 0h1m5 0h6m4 0h1m5 0h1m-29 1h1m1 0h3m1 0h1m3 0h8m2 0'
    "h1m1 0h3m1 0h1m-29 1h1m1 0h3m1 0h1m8 0h2m4 0h1m1 0h3m1 0h1m-29 1h1m1 0h3m1 0h1m3 0h3m2 0h4m2 0h1m1 0h3m1 0h1m-29 1"
    'h1m5 0h1m5 0h5m5 0h1m5 0h1m-29 1h7m2 0h1m2 0h1m2 0h1m2 0h1m2 0h7"/></svg>'
)


def ring(n: int) -> dict[str, Any]:
    """Return the fields of a welcome for a ring."""
    angles = [-np.pi / 2 + 2 * np.pi * k / n for k in range(n)]
    return {
        "processes": [str(k) for k in range(n)],
        "links": [[k, (k + 1) % n] for k in range(n)],
        "places": [[round(0.5 + 0.5 * float(np.cos(a)), 3), round(0.5 + 0.5 * float(np.sin(a)), 3)] for a in angles],
    }


def welcome(role: str = "player", process: str | None = "3", n: int = 10, **more: Any) -> frames.Welcome:
    """Return a welcome to the ring with the apples."""
    fields: dict[str, Any] = {
        "person": 5, "secret": "s" * 24, "name": "Chiara", "title": "Dijkstra’s ring with apples",
        "about": "The word passes around a ring, and finds its way again after any mischief.", "game": "apples",
        "acts": [["Pass the word", "Nothing goes wrong: rounds 1 to 3"],
                 ["Mischief", "Five apple counts changed after round 3"],
                 ["The cure", "Whoever speaks makes right equal to left"],
                 ["No leader", "The same again, with nobody special"]],
        "looks": LOOKS, **ring(n),
    }  # fmt: skip
    if role in ("host", "screen"):
        fields |= {"code": "ring-4127", "address": "192.168.4.20:8642", "qr": QR, "name": f"the {role}"}
    return frames.Welcome(**{**fields, "role": role, "process": process, **more})


FIGURE = {
    "title": "Who may speak", "unit": "processes", "goal": 1, "words": "exactly one may speak",
    "points": [[0, 1], [1, 1], [2, 1], [3, 8], [4, 7], [5, 6]],
}  # fmt: skip
STAGE = {
    "kind": "baskets", "right": [*range(1, 10), 0], "contents": [3, 3, 3, 7, 3, 7, 2, 2, 4, 2],
    "speaking": [3, 4, 5, 6, 8, 9], "leads": [0], "words": "36 apples in ten baskets",
}  # fmt: skip


def room(phase: str = "open", **more: Any) -> frames.RoomNow:
    """Return the sixth round of the ring with the apples."""
    fields: dict[str, Any] = {
        "round": 6, "mode": "sealed", "paused": False, "left": 23.0, "of": 45.0, "chosen": 6, "choosing": 8,
        "people": 24, "watching": 16, "free": 2, "act": 2, "figure": FIGURE, "stage": STAGE,
        "checks": [{"name": "Exactly one may speak", "kind": "always", "holds": False},
                   {"name": "One alone, in the end", "kind": "eventually", "holds": None},
                   {"name": "Somebody may always speak", "kind": "always", "holds": True}],
    }  # fmt: skip
    return frames.RoomNow(**{**fields, "phase": phase, **more})


def people(names: Iterable[str | None] = RING, watching: Iterable[str] = ()) -> frames.People:
    """Return who sits where; the third of them is choosing still, the eighth is away."""
    found: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        if name is not None:
            status = "choosing" if k == 3 else "away" if k == 7 else "chosen"
            found.append({"person": k + 1, "name": name, "role": "player", "process": str(k), "status": status,
                          "hand": False, "back": 4.0 if k == 7 else None})  # fmt: skip
    for k, name in enumerate(watching):
        found.append({"person": 100 + k, "name": name, "role": "observer", "process": None, "status": "watching",
                      "hand": name == "Noor", "back": None})  # fmt: skip
    return frames.People(found, ["Ana plays process 0.", "Emil plays process 5."])


def begun() -> wire.Begun:
    return wire.Begun({}, "", {}, {"start": "idle", "initial": {"x": 0, "clock": 0}})


def rounds(n: int = 6, count: int = 8) -> list[wire.Round]:
    """Return some rounds in which every process asks its right neighbour, which replies."""
    found: list[wire.Round] = []
    seq, mail = 0, 0
    for k in range(count):
        rows: list[tuple[Any, ...]] = []
        for p in range(n):
            q, t = (p + 1) % n, k + p * 0.1
            rows += [
                (t, p, -1, -1, k, k, -1, -1, k, -1, Kind.COMMAND, 1),
                (t, p, q, mail, k, k, seq, 8, k, 0, Kind.SEND, 255),
            ]
            mail += 1
            if k:
                old = mail - n - 1
                rows.append((t + 0.05, q, p, old, k, k, -1, 8, k, 0, Kind.RECEIVE, 2 if p == k % n else 0))
            seq += 3
        rows.sort(key=lambda row: row[0])
        data = np.array(rows, dtype=ROW).tobytes()
        first = sum(each.count for each in found)
        found.append(wire.Round(k, first, len(rows), float(k + 1), rows=base64.b64encode(data).decode(),
                                labels=["Request", "Reply"], states=["idle", "wanting", "inside"],
                                processes=[str(p) for p in range(n)]))  # fmt: skip
    return found


class Scripted:
    """The host.

    Attributes:
        heard: all frames of the pages.
        script: what is said to somebody who joins, by their wish.
        port: where it listens.
    """

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.script: dict[str, list[wire.Frame]] = {}
        self.doorway = frames.Doorway(True, "Dijkstra’s ring with apples", "", 17, 4)
        self.channels: list[web.WebSocketResponse] = []
        self.files = files()
        self.port = 0

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        channel = web.WebSocketResponse()
        await channel.prepare(request)
        self.channels.append(channel)
        async for each in channel:
            if each.type != WSMsgType.TEXT:
                break
            frame = json.loads(each.data)
            self.heard.append(frame)
            if frame["kind"] == "knock":
                await self.say(self.doorway, to=channel)
            elif frame["kind"] == "join":
                await self.say(*self.script.get(frame["wish"], []), to=channel)
            elif "id" in frame:
                await self.say(wire.Answered(frame["id"], True, "", 6), to=channel)
        self.channels.remove(channel)
        return channel

    async def say(self, *told: wire.Frame, to: web.WebSocketResponse | None = None) -> None:
        """Say something to one page or to all."""
        for channel in [to] if to is not None else [*self.channels]:
            await channel.send_str("".join(wire.encode(each).decode() for each in told))

    async def drop(self) -> None:
        """Break all connections."""
        for channel in [*self.channels]:
            await channel.close()

    async def file(self, request: web.Request) -> web.Response:
        kind, body = self.files[request.match_info.get("name", "index.html")]
        return web.Response(body=body, headers={"Content-Type": kind, **HEADERS})


@asynccontextmanager
async def scripted() -> AsyncIterator[Scripted]:
    """Serve the page with a scripted host."""
    host = Scripted()
    app = web.Application()
    app.router.add_get("/ws", host.socket)
    for path in ("/", "/screen", "/host", "/class/{name}"):
        app.router.add_get(path, host.file)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host.port = runner.addresses[0][1]
    try:
        yield host
    finally:
        await host.drop()
        await runner.cleanup()
