"""Components in processes of their own, over real sockets: they run, are killed, are stopped and go on."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lydian.classroom.components.follow import Follower
from lydian.classroom.components.frames import Enter, Handover, Publish, Steer, heard
from lydian.classroom.components.meeting import Meeting
from lydian.classroom.components.merge import merged, whole
from lydian.classroom.components.record import Record, replay
from lydian.classroom.components.running import Crew, Failed, run
from lydian.classroom.components.system import System
from lydian.classroom.components.take import take
from lydian.engine.simulator import Simulator
from lydian.engine.wire import Answered, Error, encode
from lydian.model.errors import BadInput
from tests.classroom.test_components import check_messages, experiment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

#: The seconds that a busy machine may need.
PATIENCE = 120.0


@asynccontextmanager
async def meeting(system: System, replicas: int) -> AsyncIterator[tuple[Meeting, Crew]]:
    """Start a meeting point and the processes of its replicas."""
    place = Meeting(system, replicas=replicas)
    await place.start()
    crew = Crew(place)
    try:
        for name in system.names:
            for number in range(replicas):
                crew.hire(name, f"{name.lower()}-{number + 1}")
        yield place, crew
    finally:
        await place.close()
        await asyncio.to_thread(crew.close)


def performed(work: Callable[[], Awaitable[Any]]) -> Any:
    return asyncio.run(asyncio.wait_for(work(), 3 * PATIENCE))  # type: ignore[arg-type]


@pytest.mark.parametrize("barrier", [True, False])
def test_components_in_processes_of_their_own(tmp_path: Path, barrier: bool) -> None:
    made = experiment("ricart-agrawala", "complete:6")
    record = run(made, 2, barrier=barrier, pace=20.0, timeout=PATIENCE)
    check_messages(record.trace)
    if barrier:
        assert record.trace.fingerprint() == Simulator(made).run().fingerprint
    result = record.result()
    assert result is not None and not result.violated and result.stopped == "quiescent"
    record.save(tmp_path / "run.json")
    assert replay(tmp_path / "run.json").fingerprint() == record.trace.fingerprint()


def test_an_acting_component_is_killed_and_a_replica_goes_on() -> None:
    system = System.of(experiment("ricart-agrawala", "complete:6"), 2, pace=6.0)
    chance = random.Random(5)

    async def work() -> None:
        async with meeting(system, 3) as (place, crew):
            hub = place.hub
            await place.until(lambda: hub.begun, PATIENCE)
            for component in ("A", "B"):
                seat = hub.seats[component]
                count = seat.events + chance.randint(1, 8)
                await place.until(lambda seat=seat, count=count: seat.events >= count or hub.over, PATIENCE)
                assert not hub.over
                before, old = list(seat.log), seat.acting
                os.kill(crew.children[old].pid, signal.SIGKILL)
                await place.until(lambda seat=seat, old=old: seat.acting != old, PATIENCE)
                assert seat.log[: len(before)] == before
                assert seat.handovers[-1].old == old and seat.handovers[-1].number == seat.events
            await place.until(lambda: hub.over, PATIENCE)

            trace = merged(system, hub.logs)
            check_messages(trace)
            again = whole(system, hub.logs)
            assert again.trace.fingerprint() == trace.fingerprint()
            assert all(each.holds is not False for each in again.checks())

    performed(work)


def test_a_stopped_component_gives_way_when_it_goes_on() -> None:
    system = System.of(experiment("echo", "grid:5x5"), 2, pace=4.0)

    async def work() -> None:
        async with meeting(system, 2) as (place, crew):
            hub, told = place.hub, []
            hub.watching.append(lambda frame: told.append(frame) if isinstance(frame, Handover) else None)
            await place.until(lambda: hub.seats["A"].events > 5, PATIENCE)
            seat, old = hub.seats["A"], hub.seats["A"].acting
            os.kill(crew.children[old].pid, signal.SIGSTOP)
            try:
                await place.until(lambda: seat.acting != old, PATIENCE)
                events = seat.events
                await place.until(lambda: seat.events > events, PATIENCE)
            finally:
                os.kill(crew.children[old].pid, signal.SIGCONT)
            await place.until(lambda: hub.over, PATIENCE)
            (change,) = [each for each in told if each.component == "A" and each.old == old and not each.believers]
            assert change.new == seat.acting and change.silent >= 0.4
            check_messages(merged(system, hub.logs))

    performed(work)


def test_an_interface_follows_and_another_steers_over_a_socket() -> None:
    system = System.of(experiment("echo", "grid:4x4", breaks=("no crashes",)), 2, pace=6.0)

    async def work() -> None:
        import aiohttp

        async with (
            meeting(system, 1) as (place, _), aiohttp.ClientSession() as session,
            session.ws_connect(place.url) as follow, session.ws_connect(place.url) as steer,
        ):  # fmt: skip
            await follow.send_str(encode(Enter("follow", place.secret)).decode())
            await steer.send_str(encode(Enter("steer", place.secret, "Ben", "B")).decode())
            await place.until(lambda: place.hub.begun, PATIENCE)
            victim = system.groups["B"][-1]
            await steer.send_str(encode(Steer("B", 9, {"do": "crash", "process": victim})).decode())
            follower = Follower(system)
            async for message in follow:
                for line in message.data.splitlines():
                    frame = heard(line)
                    if isinstance(frame, Publish):
                        follower.heard(frame)
                if place.hub.over and follower.shown == {n: s.events for n, s in place.hub.seats.items()}:
                    break
            answers = []
            async for message in steer:
                answers += [heard(line) for line in message.data.splitlines()]
                if any(isinstance(each, Answered) for each in answers):
                    break
            assert [each.accepted for each in answers if isinstance(each, Answered)] == [True]
            assert follower.trace().fingerprint() == merged(system, place.hub.logs).fingerprint()
            assert [each["author"] for each in Record.of(place.hub).interventions] == ["Ben"]

    performed(work)


def test_garbage_on_the_socket_is_answered_and_ignored() -> None:
    system = System.of(experiment("echo", "grid:3x3"), 1, pace=1.0)

    async def work() -> None:
        import aiohttp

        place = Meeting(system)
        await place.start()
        try:
            async with aiohttp.ClientSession() as session:
                async with session.ws_connect(place.url) as socket:
                    for junk in ("hello", "{}", '{"kind":"publish"}', "[1]", json.dumps({"kind": "enter"})):
                        await socket.send_str(junk)
                        assert isinstance(heard((await socket.receive()).data), Error)
                    await socket.send_bytes(b"\xff\xfe")
                    assert isinstance(heard((await socket.receive()).data), Error)
                with pytest.raises(aiohttp.WSServerHandshakeError):
                    await session.ws_connect(place.url, headers={"Origin": "http://example.org"})
            with pytest.raises(BadInput, match="secret is wrong"):
                await take(place.url, "guess", "x")
            with pytest.raises(BadInput, match="no component Z"):
                await take(place.url, place.secret, "x", "Z")
            with pytest.raises(BadInput, match="is not the address of a system in components"):
                await take(place.url.removesuffix("components"), place.secret, "x")
            for wrong in ("nonsense", "http://127.0.0.1:1/", "ws://", "ws://127.0.0.1:99999/", "ws://[/"):
                with pytest.raises(BadInput, match="is not the address"):
                    await take(wrong, place.secret, "x")
            assert all(not seat.replicas for seat in place.hub.seats.values())
        finally:
            await place.close()
        with pytest.raises(BadInput, match="there is no system in components at"):
            await take(place.url, place.secret, "x")

    performed(work)


def test_a_replica_that_is_interrupted_leaves_and_the_next_goes_on_at_once() -> None:
    system = System.of(experiment("echo", "grid:3x3"), 1, pace=0.01)

    async def work() -> None:
        place = Meeting(system, replicas=2)
        await place.start()
        replicas = {name: asyncio.create_task(take(place.url, place.secret, name)) for name in ("one", "two")}
        try:
            seat = place.hub.seats["A"]
            await place.until(lambda: len(seat.delays) == 2, PATIENCE)
            old = seat.acting
            replicas[old].cancel()
            await place.until(lambda: seat.acting != old, PATIENCE)
            assert seat.handovers[-1].reason == f"{old} has left" and list(seat.replicas) == [seat.acting]
        finally:
            await place.close()
            await asyncio.gather(*replicas.values(), return_exceptions=True)

    performed(work)


def test_a_lost_connection_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose a connection of which the meeting point does not notice the end, so that the name seems to be taken."""
    system = System.of(experiment("echo", "grid:3x3"), 1, pace=0.01)
    said: list[str] = []

    async def work() -> None:
        place = Meeting(system)
        await place.start()
        hub, seat = place.hub, place.hub.seats["A"]
        replica = asyncio.create_task(take(place.url, place.secret, "one", said=said.append))
        try:
            await place.until(lambda: "one" in seat.delays, PATIENCE)
            first, left = seat.replicas["one"], hub.left
            monkeypatch.setattr(hub, "left", lambda line, now: None if line is first else left(line, now))
            line: Any = first
            await line.socket.close()
            await place.until(lambda: seat.replicas.get("one") not in (None, first), PATIENCE)
            await place.until(lambda: "one" in seat.delays, PATIENCE)
            hub.stop()
            assert (await replica).over
        finally:
            await place.close()
            await asyncio.gather(replica, return_exceptions=True)

    performed(work)
    assert set(said) <= {"a replica of component A is called one already; choose another name"}


def test_a_replica_that_ends_before_the_run_begins_is_named() -> None:
    crew = Crew.hire

    def broken(self: Crew, component: str, name: str) -> None:
        crew(self, "Z" if name == "b-1" else component, name)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Failed, match=r"b-1 ended before the run began: .*Z"):
        patch.setattr(Crew, "hire", broken)
        run(experiment("echo", "grid:3x3"), 2, timeout=PATIENCE)


def test_a_protocol_that_fails_ends_the_run_with_its_error() -> None:
    source = Path(__file__).with_name("failing.py")
    record = run(experiment(str(source), "line:4"), 2, pace=50.0, timeout=PATIENCE)
    errors = [each for log in record.logs.values() for each in log if each.error]
    assert "boom" in errors[0].error


def test_a_component_without_replicas_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    crews: list[Crew] = []
    hire = Crew.hire

    def hired(crew: Crew, component: str, name: str) -> None:
        crews.append(crew)
        hire(crew, component, name)

    monkeypatch.setattr(Crew, "hire", hired)

    def kill(place: Meeting) -> None:
        async def later() -> None:
            await place.until(lambda: place.hub.begun, PATIENCE)
            for child in crews[0].children.values():
                os.kill(child.pid, signal.SIGKILL)

        place.later = asyncio.ensure_future(later())  # type: ignore[attr-defined]

    with pytest.raises(Failed, match="has no replica left"):
        run(experiment("echo", "grid:4x4"), 2, pace=0.05, timeout=PATIENCE, told=kill)
