"""Phones of a class without browsers: ``python -m tests.classroom.phones URL CODE COUNT FIRST``.

Each phone behaves as the page of a class does. It opens a WebSocket, knocks, joins for a seat, takes in every frame,
chooses when it is offered something, and makes its connection again when that is lost, with its secret. The moment at
which it has decoded a frame of the run is taken with ``time.monotonic``, which is one clock for all processes.

The process reads orders from standard input and answers each on standard output, one object in JSON on a line.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import random
import sys
import time
from array import array
from contextlib import suppress
from typing import Any

import aiohttp
import numpy as np

__all__ = ["Phone"]

#: The kinds of frame that belong to the run.
RUN = ("begun", "round", "dropped")


class Phone:
    """One phone.

    Attributes:
        pause: the mean seconds between an offer and the choice; 0 to choose at once, below 0 to choose nothing.
        times: when each frame of the run had been decoded.
        events: how many events of the run have arrived.
        problems: what must not happen: a frame that is missing, an error, another identity.
    """

    def __init__(self, url: str, code: str, number: int, pause: float) -> None:
        self.url, self.code, self.pause = url, code, pause
        self.name = f"Phone {number}"
        self.random = random.Random(number)
        self.problems: list[str] = []
        self.welcomes: list[tuple[int, str, str | None]] = []
        self.secret: str | None = None
        self.run = ""
        self.room: dict[str, Any] = {}
        self.seat: dict[str, Any] = {}
        self.chosen = self.accepted = self.refused = self.stories = 0
        self.waits: array[float] = array("d")  # between a choice and its answer
        self.away = False
        self.fresh = False  # whether the run is asked for from the start when connecting again
        self._restart()
        self._channel: aiohttp.ClientWebSocketResponse | None = None
        self._back = asyncio.Event()
        self._asked: dict[int, float] = {}
        self._offers: dict[int, str] = {}
        self.confirmed: list[str] = []  # the offers whose choice was accepted
        self._sealed = -1
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def _restart(self) -> None:
        self.position, self.events = 0, 0
        self.times: array[float] = array("d")
        self.digest = hashlib.sha256()

    async def live(self, session: aiohttp.ClientSession) -> None:
        """Take part until the process ends."""
        while True:
            with suppress(aiohttp.ClientError, ConnectionError):
                async with session.ws_connect(self.url, heartbeat=None, max_msg_size=0) as channel:
                    self._channel = channel
                    await self._converse(channel)
            self._channel = None
            self._asked.clear()
            if self.away:
                await self._back.wait()
            else:
                await asyncio.sleep(0.4 * (0.75 + self.random.random() / 2))

    async def _converse(self, channel: aiohttp.ClientWebSocketResponse) -> None:
        if self.secret is None:
            await channel.send_str(json.dumps({"kind": "knock", "code": self.code, "name": self.name}))
            doorway = json.loads(await channel.receive_str())
            if not doorway.get("known"):
                self.problems.append(f"knock: {doorway}")
        if self.fresh:
            self._restart()
        run = self.run if self.position else ""
        join = {"kind": "join", "code": self.code, "name": self.name, "wish": "seat", "position": self.position,
                "run": run}  # fmt: skip
        await channel.send_str(json.dumps({**join, **({"secret": self.secret} if self.secret else {})}))
        async for message in channel:
            if message.type != aiohttp.WSMsgType.TEXT:
                continue
            for line in message.data.split("\n"):
                if line:
                    self._take(json.loads(line))

    def _take(self, frame: dict[str, Any]) -> None:
        kind = frame["kind"]
        if kind in RUN:
            self._run(kind, frame)
        elif kind == "welcome":
            self.secret = frame["secret"]
            if self.run != frame["run"] and self.position:
                self._restart()
            self.run = frame["run"]
            self.welcomes.append((frame["person"], frame["secret"], frame["process"]))
        elif kind == "room":
            self.room = frame
            self._consider()
        elif kind == "seat":
            self.seat = frame
            self._consider()
        elif kind == "story":
            self.stories += 1
        elif kind == "answer":
            self.waits.append(time.monotonic() - self._asked.pop(frame["id"]))
            if frame["accepted"]:
                self.accepted += 1
                self.confirmed.append(self._offers.pop(frame["id"]))
            else:
                self.refused += 1
            self._consider()
        elif kind == "error":
            self.problems.append(frame["text"])

    def _run(self, kind: str, frame: dict[str, Any]) -> None:
        self.position += 1
        if kind == "round":
            rows = base64.b64decode(frame["rows"])
            if frame["first"] != self.events:
                self.problems.append(f"event {frame['first']} came after {self.events} events")
            self.events += frame["count"]
            self.digest.update(rows)
        elif kind == "dropped":
            self.problems.append("events were dropped")
        self.times.append(time.monotonic())

    def _consider(self) -> None:
        """Choose something after a while, if there is anything to choose."""
        room, seat = self.room, self.seat
        if self.pause < 0 or self._asked or self._timer is not None or room.get("phase") != "open" or room["paused"]:
            return
        if not seat.get("offers") or (room["mode"] == "sealed" and (self._sealed == seat["round"] or seat["chosen"])):
            return
        pause = self.random.expovariate(1 / self.pause) if self.pause else 0.0
        self._timer = asyncio.get_running_loop().call_later(pause, self._choose)

    def _choose(self) -> None:
        self._timer = None
        offers = [each for each in self.seat.get("offers", []) if each["id"] != "rest"]
        if not offers or self._channel is None or self._asked or self.room.get("phase") != "open":
            return
        offer = self.random.choice(offers)
        asked = offer["value"]
        value = None if asked is None else asked["choices"][0][0] if "choices" in asked else asked["start"]
        self.chosen += 1
        number = self.chosen
        self._sealed = self.seat["round"]
        self._offers[number] = offer["id"]
        self._asked[number] = time.monotonic()
        choice = {"kind": "choose", "id": number, "round": self.seat["round"], "offer": offer["id"], "value": value}
        task = asyncio.create_task(self._send(choice))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, frame: dict[str, Any]) -> None:
        channel = self._channel
        with suppress(ConnectionError, aiohttp.ClientError):
            if channel is not None and not channel.closed:
                await channel.send_str(json.dumps(frame))

    def vanish(self) -> None:
        """Lose the connection without a word."""
        self.away, self.fresh = True, True
        self._back.clear()
        if self._channel is not None and (transport := self._channel._writer.transport) is not None:
            transport.abort()

    def come_back(self) -> None:
        """Connect again, as after a page was loaded anew: the run is asked for from the start."""
        self.away = False
        self._back.set()

    def told(self) -> dict[str, Any]:
        """Return what the phone has seen."""
        return {
            "name": self.name, "position": self.position, "events": self.events, "digest": self.digest.hexdigest(),
            "welcomes": self.welcomes, "problems": self.problems[:5], "chosen": self.chosen, "stories": self.stories,
            "accepted": self.accepted, "refused": self.refused, "round": self.room.get("round"),
            "process": self.seat.get("process"), "confirmed": self.confirmed,
        }  # fmt: skip


async def _main(url: str, code: str, count: int, first: int, pause: float) -> None:
    loop = asyncio.get_running_loop()
    phones = [Phone(url, code, first + k, pause) for k in range(count)]
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        living = [asyncio.create_task(each.live(session)) for each in phones]
        while line := await reader.readline():
            order = json.loads(line)
            do = order["do"]
            answer: dict[str, Any] = {}
            if do == "pause":
                for each in phones:
                    each.pause = order["seconds"]
                    each._consider()
            elif do == "vanish":
                for each in phones[: order["count"]]:
                    each.vanish()
            elif do == "back":
                for each in phones:
                    each.come_back()
            elif do == "at":  # how far the phones are
                answer = {
                    "least": min(each.position for each in phones),
                    "seated": sum(bool(each.seat) for each in phones),
                    "rounds": min(each.room.get("round", -1) for each in phones),
                    "here": sum(each._channel is not None for each in phones),
                }
            elif do == "times":
                waits = np.concatenate([np.frombuffer(each.waits) for each in phones])
                np.savez(order["file"], waits=waits, **{each.name: np.frombuffer(each.times) for each in phones})
                for each in phones:
                    each.waits = array("d")
            elif do == "told":
                answer = {"phones": [each.told() for each in phones]}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
        for task in living:
            task.cancel()
        await asyncio.gather(*living, return_exceptions=True)


if __name__ == "__main__":
    _url, _code, _count, _first, _pause = sys.argv[1:]
    asyncio.run(_main(_url, _code, int(_count), int(_first), float(_pause)))
