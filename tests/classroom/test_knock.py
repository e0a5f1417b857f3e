"""Before joining: what a code and a name would lead to, and that a code cannot be found by trying."""

from __future__ import annotations

import json

import aiohttp
import pytest

from lydian.classroom import frames, server
from lydian.engine import wire
from tests.classroom.acting import joined, played
from tests.classroom.test_server import served


async def asked(channel: aiohttp.ClientWebSocketResponse, code: str, name: str = "") -> frames.Doorway | wire.Error:
    await channel.send_str(wire.encode(frames.Knock(code, name)).decode())
    found = frames.told(await channel.receive_str())
    assert isinstance(found, frames.Doorway | wire.Error)
    return found


def test_somebody_with_the_code_hears_what_they_would_be_called() -> None:
    async def work() -> None:
        async with served() as (host, lead, there), aiohttp.ClientSession() as session:
            await joined(host, "Ana")
            async with session.ws_connect(f"{there.url}ws") as channel:
                found = await asked(channel, " RING-4127 ")
                assert isinstance(found, frames.Doorway) and found.known and found.title
                assert (found.people, found.free, found.door, found.name, found.reason) == (1, 5, True, "", "")
                for name, called, reason in (
                    ("Ben", "Ben", ""),
                    (" B\u202een ", "Ben", ""),
                    ("ana", "ana", "that name is taken: ana 2?"),
                    ("x" * 17, "x" * 17, "a name has at most 16 letters, not 17"),
                ):
                    found = await asked(channel, "ring-4127", name)
                    assert isinstance(found, frames.Doorway) and (found.name, found.reason) == (called, reason)
                await lead.lead("door", open=False)
                found = await asked(channel, "ring-4127")
                assert isinstance(found, frames.Doorway) and not found.door
                await lead.lead("door", open=True)
                await channel.send_str(wire.encode(frames.Join("ring-4127", "Ben", "watch")).decode())
                welcome = frames.told((await channel.receive_str()).splitlines()[0])
                assert isinstance(welcome, frames.Welcome) and welcome.name == "Ben"

    played(work)


def test_who_tries_codes_learns_nothing_and_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        monkeypatch.setattr(server, "WRONG", 3)
        async with served() as (_host, _lead, there), aiohttp.ClientSession() as session:
            async with session.ws_connect(f"{there.url}ws") as channel:
                for _ in range(3):
                    assert await asked(channel, "ring-1111", "Eve") == frames.Doorway(False)
                found = await asked(channel, "ring-4127", "Eve")
                assert isinstance(found, wire.Error) and found.text.startswith("too many wrong codes came from here")
            there._until.clear()
            async with session.ws_connect(f"{there.url}ws") as channel:
                for _ in range(server.KNOCKS):
                    assert isinstance(await asked(channel, "ring-4127"), frames.Doorway)
                assert json.dumps((await channel.receive()).data) == str(aiohttp.WSCloseCode.POLICY_VIOLATION.value)

    played(work)
