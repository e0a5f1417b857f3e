"""``lydian host`` and ``lydian join`` with a class: the program of the guide plays, and Ctrl+C saves the class."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from lydian.desk.guide.pages import text_of
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import read

LYDIAN = (sys.executable, "-m", "lydian")
Child = asyncio.subprocess.Process
#: What is done in a class, with its addresses, the host's connection, a function that starts a program, and the host.
Work = Callable[[dict[str, str], "Leading", Callable[..., Awaitable[Child]], Child], Awaitable[None]]


class Leading:
    """The host's connection to a class."""

    def __init__(self, channel: aiohttp.ClientWebSocketResponse) -> None:
        self._channel = channel
        self._number = 0
        self.room: dict[str, Any] = {}
        self.people: list[dict[str, Any]] = []
        self.events = 0

    async def until(self, condition: Callable[[], object], answer: int = 0) -> None:
        """Read until a condition holds and a request is answered."""
        async with asyncio.timeout(60):
            while answer or not condition():
                for line in (await self._channel.receive_str()).splitlines():
                    frame = json.loads(line)
                    if frame["kind"] == "room":
                        self.room = frame
                    elif frame["kind"] == "people":
                        self.people = frame["people"]
                    elif frame["kind"] == "round":
                        self.events = frame["first"] + frame["count"]
                    elif frame["kind"] == "answer" and frame["id"] == answer:
                        assert frame["accepted"], frame["reason"]
                        answer = 0

    async def lead(self, do: str, **what: Any) -> None:
        self._number += 1
        await self._channel.send_str(json.dumps({"kind": "lead", "id": self._number, "do": do, "what": what}))
        await self.until(lambda: True, self._number)


def in_a_class(folder: Path, work: Work, *options: str) -> None:
    """Host a class with a program, lead it, and end all programs that ``work`` has started."""

    async def act() -> None:
        children: list[Child] = []

        async def start(*words: str, **more: Any) -> Child:
            child = await asyncio.create_subprocess_exec(
                *words, cwd=folder, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more}
            )
            children.append(child)
            return child

        async with AsyncExitStack() as stack:
            stack.push_async_callback(lambda: _end(children))
            host = await start(*LYDIAN, "host", *options, "--json")
            assert host.stdout is not None
            at = json.loads(await asyncio.wait_for(host.stdout.readline(), 60))
            url, secret = at["host"].split("host#")
            session = await stack.enter_async_context(aiohttp.ClientSession())
            channel = await stack.enter_async_context(session.ws_connect(url.replace("http", "ws") + "ws"))
            await channel.send_str(json.dumps({"kind": "join", "wish": "host", "secret": secret}))
            await work(at, Leading(channel), start, host)

    asyncio.run(act())


async def _end(children: list[Child]) -> None:
    for child in children:
        if child.returncode is None:
            child.kill()
        await child.wait()


def test_the_program_of_the_guide_plays_and_what_it_did_replays_without_the_class(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python file=player\.py\n(.+?)```", text_of("classes"), re.DOTALL)
    (tmp_path / "player.py").write_text(program, encoding="utf-8")

    events: list[int] = []

    async def work(at: dict[str, str], host: Leading, start: Callable[..., Awaitable[Child]], _host: Child) -> None:
        players = [await start(sys.executable, "player.py", at["join"], "--name", f"Robot {k}") for k in (1, 2)]
        await host.until(lambda: sum(each["process"] is not None for each in host.people) == 2)
        await host.lead("begin")
        for number in (1, 2):
            await host.until(lambda number=number: (host.room["round"], host.room["phase"]) == (number, "between"))  # type: ignore[misc]
            if number == 1:
                await host.lead("next")
        await host.lead("save", file=str(tmp_path / "class.toml"))
        events.append(host.events)
        await host.lead("end")
        for each in players:
            out, _ = await asyncio.wait_for(each.communicate(), 60)
            assert each.returncode == 0
            assert [line.partition(b":")[0] for line in out.splitlines()] == [b"Round 1", b"Round 2"]

    in_a_class(tmp_path, work, "--game", "apples", "--players", "3")
    experiment = read(tmp_path / "class.toml")
    assert {each.author for each in experiment.interventions} >= {"Robot 1", "Robot 2"}
    assert len(Simulator(experiment).run().trace) == events[0] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_saves_the_class_and_an_input_that_ends_only_ends_playing(tmp_path: Path) -> None:
    async def work(at: dict[str, str], host: Leading, start: Callable[..., Awaitable[Child]], child: Child) -> None:
        await start(*LYDIAN, "join", at["join"], "--name", "Wen", "--watch")
        gone = await start(*LYDIAN, "join", at["join"], "--name", "Ana", stderr=subprocess.PIPE)
        assert await asyncio.wait_for(gone.communicate(), 60) and gone.returncode == 0
        statuses = {"Wen": "watching", "Ana": "away"}
        await host.until(lambda: statuses == {each["name"]: each["status"] for each in host.people})
        child.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(child.wait(), 60) == 0

    in_a_class(tmp_path, work, "echo", "--file", "echo.class")
    people = json.loads((tmp_path / "echo.class").read_text(encoding="utf-8"))["people"]
    assert {each["name"] for each in people} == {"Wen", "Ana"}
