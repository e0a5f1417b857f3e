"""The host's server over real sockets on loopback: who gets in, and what does not get through."""

from __future__ import annotations

import asyncio
import json
import random
import string
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from lydian.classroom import frames, serve, server
from lydian.classroom.frames import Connect
from lydian.classroom.host import HostOfClass
from lydian.classroom.join import Joined, where
from lydian.classroom.server import Server
from lydian.engine import wire
from lydian.model.errors import BadInput, LydianError
from tests.classroom.acting import Someone, a_class, played


@asynccontextmanager
async def served(what: str = "lamport-mutex-users", **more: Any) -> AsyncIterator[tuple[HostOfClass, Someone, Server]]:
    """Serve a class on loopback."""
    async with a_class(what, **more) as (host, lead, _people):
        there = Server(host)
        await there.start()
        try:
            yield host, lead, there
        finally:
            await there.close()


async def until(condition: Callable[[], object]) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


async def taking_part(
    there: Server, name: str, wish: str = "seat"
) -> tuple[Joined, list[dict[str, Any]], asyncio.Task[None]]:
    heard: list[dict[str, Any]] = []
    it = Joined(Connect(there.url, "ring-4127", name, wish), lambda line: heard.append(json.loads(line)))
    task = asyncio.create_task(it.run())
    await until(lambda: it.welcome is not None or task.done())
    return it, heard, task


def test_people_take_part_over_sockets() -> None:
    async def work() -> None:
        async with served() as (host, lead, there):
            ana, heard, task = await taking_part(there, "Ana")
            wen, seen, watching = await taking_part(there, "Wen", "watch")
            await until(lambda: host.people.player("0"))
            await lead.lead("next")
            while not (heard and any(each["kind"] == "seat" and each["offers"] for each in heard)):
                await lead.lead("close")
                await lead.lead("next")
                await asyncio.sleep(0.01)
            seat = next(each for each in reversed(heard) if each["kind"] == "seat")
            ana.say(frames.Choose(3, host.round, seat["offers"][0]["id"]))
            await until(lambda: any(each["kind"] == "story" for each in heard))
            await until(lambda: ana.position == wen.position == len(host.log))
            runs = [[each for each in frames_ if each["kind"] in ("begun", "round")] for frames_ in (heard, seen)]
            assert runs[0] == runs[1]
            await lead.lead("end")
            await asyncio.wait_for(asyncio.gather(task, watching), 10)
            assert ana.over == "the class has ended"

    played(work)


def test_a_wrong_code_a_taken_name_and_a_foreign_page_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with served() as (host, _lead, there), aiohttp.ClientSession() as session:
            for code, name, why in (
                ("ring-0000", "Ana", "that is not the code of this class"),
                ("ring-4127", "\u202e", "a name needs a letter or a digit"),
            ):
                it = Joined(Connect(there.url, code, name), lambda _line: None)
                with pytest.raises(BadInput, match=why):
                    await asyncio.wait_for(it.run(), 10)
            for headers in ({"Origin": "http://elsewhere.example"}, {"Host": "elsewhere.example"}):
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(f"{there.url}ws", headers=headers)
                assert refused.value.status == 403
            async with session.get(there.url, headers={"Host": "elsewhere.example"}) as answer:
                assert answer.status == 421
            async with session.get(f"{there.url}class/..%2f..%2fetc%2fpasswd") as answer:
                assert answer.status == 404
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            for wish in ("host", "screen"):
                async with session.ws_connect(f"{there.url}ws") as channel:
                    await channel.send_str(wire.encode(frames.Join("ring-4127", "Eve", wish, "guess")).decode())
                    assert "only the host" in json.loads(await channel.receive_str())["text"]
            monkeypatch.setattr(server, "WRONG", 3)
            async with session.ws_connect(f"{there.url}ws") as channel:
                texts = []
                for _ in range(5):
                    await channel.send_str(wire.encode(frames.Join("ring-1111", "Eve")).decode())
                    texts.append(json.loads(await channel.receive_str())["text"])
            assert texts[-1] == "too many wrong codes came from here; wait half a minute"
            assert [each.role for each in host.people] == ["host"]

    played(work)


def test_the_host_and_the_projector_prove_who_they_are() -> None:
    async def work() -> None:
        async with served() as (host, _lead, there):
            for wish, secret in (("host", there.secret), ("screen", there.screen)):
                it = Joined(Connect(there.url, "", "", wish, secret), lambda _line: None)
                task = asyncio.create_task(it.run())
                await until(lambda it=it: it.welcome is not None)  # type: ignore[misc]
                assert it.welcome is not None and it.welcome.role == wish and it.welcome.code == host.code
                assert it.welcome.address == f"127.0.0.1:{there.port}" and it.welcome.qr.startswith("<svg")
                it.leave()
                await asyncio.wait_for(task, 10)

    played(work)


def test_no_class_at_an_address_is_a_sentence() -> None:
    async def work() -> None:
        with pytest.raises(LydianError, match=r"there is no class at 127\.0\.0\.1:9"):
            await Joined(Connect("127.0.0.1:9"), lambda _line: None).run()
        with pytest.raises(BadInput, match="is not the address of a class"):
            where("ftp://x")

    played(work)


def garbage(random_: random.Random, known: list[str]) -> str | bytes:
    """Return something that no client of ours would send."""
    pick, choice = random_.choice, random_.randrange(15)
    if choice == 0:
        return bytes(random_.randrange(256) for _ in range(random_.randrange(200)))
    if choice == 1:
        return "".join(random_.choices(string.printable, k=random_.randrange(300)))
    if choice == 2:
        return "[" * random_.randrange(1, 5000)
    if choice == 3:
        return json.dumps({"kind": random_.choice(["lead", "host", "connect", "stop", "pace", "request", "result"]),
                           "id": 1, "do": random_.choice(sorted(frames.LEADS)), "what": {}})  # fmt: skip
    if choice == 4:
        return json.dumps(
            {
                "kind": "choose", "id": pick([1, -1, 2**70]), "round": pick([0, 1, 99, -5]),
                "offer": pick(["", "x", "m0", "rest", "\u0000"]), "value": pick([None, 1, "a", -(2**60)]),
            }
        )  # fmt: skip
    if choice == 5:
        what = {
            "do": pick(["crash", "deliver", "hurry", "take_over", "release", "corrupt", "edit", "scramble"]),
            "process": pick(["0", "1", "2", "nobody", ""]), "message": random_.randrange(50),
            "label": "Want", "variable": "queue", "value": {"x": [1] * 50},
        }  # fmt: skip
        return json.dumps({"kind": "interact", "id": 1, "seen": random_.randrange(-3, 99), "what": what})
    if choice == 6:
        return json.dumps({"kind": "reply", "question": random_.randrange(3), "value": pick([1, "1", 1e308, ""])})
    if choice == 7:
        return json.dumps({"kind": "join", "code": "ring-4127", "name": pick(["Ana", "x" * 900]), "wish": "host"})
    if choice == 8:
        return json.dumps({"kind": "hand", "up": random_.choice([True, 1, "yes", None])})
    if choice == 9:
        return '{"kind": "choose", "id": NaN, "round": Infinity}'
    if choice == 10 and known:
        return random_.choice(known)  # a replay
    if choice == 11 and known:
        text = random_.choice(known)
        at = random_.randrange(len(text) + 1)
        return text[:at] + random_.choice(['"', "}", "\n", "\u202e", ""]) + text[at + 1 :]
    if choice == 12:
        return "\n".join(['{"kind":"hand","up":true}'] * 50)
    if choice == 13:
        number = [0, 1.5, -41, 1e300, -(2**90), True, None, "1", [], {}]
        places = [pick(number) for _ in range(pick([0, 1, 2, 3, 3, 3, 4, 900]))]
        return json.dumps({"kind": "stand", "at": places, "look": [pick(number) for _ in range(pick([0, 1, 2, 2, 3]))]})
    return "x" * random_.choice([1, 16_000])


def test_hostile_frames_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of every wrong sort arrive from an observer, a player and strangers: the run stays as it is."""
    monkeypatch.setattr(server, "RATE", 1e6)  # the rate is tested apart
    monkeypatch.setattr(server, "BURST", 10**6)

    async def work() -> None:
        random_ = random.Random(11)
        async with served() as (host, lead, there), aiohttp.ClientSession() as session:
            good, heard, task = await taking_part(there, "Ana")
            await until(lambda: host.people.player("0"))
            await lead.lead("next")
            await until(lambda: host.running.present.count)  # the simulator has noted that process 0 has a player
            before = (host.running.present.count, list(host._done), host.round, host.phase)
            proper = (frames.Hand(True), frames.Choose(1, 1, "m0"), frames.Reply(1, 2))
            known = [wire.encode(each).decode() for each in proper]
            sent = 0
            while sent < 2000:
                async with session.ws_connect(f"{there.url}ws") as channel:
                    inside = random_.random() < 0.7
                    if inside:
                        name = f"E{random_.randrange(10**6)}"
                        await channel.send_str(wire.encode(frames.Join("ring-4127", name, "watch")).decode())
                    with suppress(ConnectionError, aiohttp.ClientError):
                        for _ in range(random_.randrange(1, 60)):
                            thing = garbage(random_, known)
                            sent += 1
                            if isinstance(thing, bytes):
                                await channel.send_bytes(thing)
                            else:
                                await channel.send_str(thing)
                            if channel.closed:
                                break
            there._until.clear()  # the strangers' wrong codes came from this address, too
            assert (host.running.present.count, host._done, host.round, host.phase) == before
            assert not any(each.role in ("host", "screen") for each in host.people if each is not lead.listener.person)
            heard.clear()
            await lead.lead("close")
            await until(lambda: any(each["kind"] == "room" and each["phase"] == "between" for each in heard))
            good.leave()
            await asyncio.wait_for(task, 10)
            await until(lambda: not there._open)

    played(work)


def test_who_sends_too_much_is_put_out_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 20)

    async def work() -> None:
        async with served() as (_host, _lead, there), aiohttp.ClientSession() as session:
            good, _heard, task = await taking_part(there, "Ana")
            async with session.ws_connect(f"{there.url}ws") as channel:
                await channel.send_str(wire.encode(frames.Join("ring-4127", "Eve", "watch")).decode())
                texts = []
                with suppress(ConnectionError, aiohttp.ClientError):
                    for _ in range(300):
                        await channel.send_str('{"kind":"hand","up":true}')
                async for message in channel:
                    texts += [json.loads(line).get("text") for line in str(message.data).splitlines()]
            assert "too many messages at once; the rest are not read" in texts
            assert not task.done()
            good.say(frames.Hand(True))
            good.leave()
            await asyncio.wait_for(task, 10)

    played(work)


def test_half_open_connections_and_slow_readers_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "JOINING", 0.2)
    monkeypatch.setattr(server, "SENDING", 0.5)

    async def work() -> None:
        async with served("raft") as (host, lead, there):
            silent = [await asyncio.open_connection("127.0.0.1", there.port) for _ in range(20)]
            async with aiohttp.ClientSession() as session:
                mute = await session.ws_connect(f"{there.url}ws")  # never joins
                deaf = await session.ws_connect(f"{there.url}ws", max_msg_size=1)
                await deaf.send_str(wire.encode(frames.Join("ring-4127", "Deaf", "watch")).decode())
                await until(lambda: any(each.name == "Deaf" for each in host.people))  # and reads nothing
                good, heard, task = await taking_part(there, "Ana", "watch")
                await lead.lead("mode", mode="turns", pace=50.0)
                await lead.lead("next")
                for _ in range(20):
                    await host.turn()
                await until(lambda: good.position == len(host.log))
                closed = await mute.receive()
                assert closed.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING)
                good.leave()
                await asyncio.wait_for(task, 10)
                assert not any(each["kind"] == "error" for each in heard)
            for _reader, writer in silent:
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()

    played(work)


def test_a_phone_that_loses_its_connection_comes_back_by_itself() -> None:
    async def work() -> None:
        async with served() as (host, lead, there):
            ana, heard, task = await taking_part(there, "Ana")
            await until(lambda: host.people.player("0"))
            await lead.lead("next")
            await lead.lead("close")
            await until(lambda: ana.position == len(host.log))
            for each in [*there._sockets]:
                assert each._req is not None and each._req.transport is not None
                each._req.transport.abort()
            await lead.lead("next")
            await lead.lead("close")
            await until(lambda: ana.position == len(host.log))
            person = ana.welcome.person if ana.welcome is not None else 0
            assert host.people.player("0") is host.people[person]
            firsts = [each["first"] for each in heard if each["kind"] == "round" and each["count"]]
            assert firsts == sorted(set(firsts))  # nothing twice
            ana.leave()
            await asyncio.wait_for(task, 10)

    played(work)


@pytest.mark.parametrize("ended", [True, False])
def test_everybody_hears_that_a_class_is_over(ended: bool) -> None:
    async def work() -> None:
        async with served() as (host, _lead, there):
            all_ = [await taking_part(there, f"P{k}", "watch") for k in range(6)]
            if ended:
                await host._do_end()
            await there.close()  # at once, before anything was sent
            await asyncio.wait_for(asyncio.gather(*(task for _, _, task in all_)), 10)
            assert {it.over for it, _, _ in all_} == {"the class has ended"}
            assert all(heard[-1]["kind"] == "bye" and not heard[-1]["removed"] for _, heard, _ in all_)

    played(work)


def test_an_interrupted_class_is_waited_for_until_its_participant_leaves(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(file=tmp_path / "ring.class") as (_host, _lead, there):
            ana, heard, task = await taking_part(there, "Ana")
            await there.close()
            await until(lambda: not there._writing)
            assert "bye" not in [each["kind"] for each in heard]
            assert not task.done() and not ana.over
            ana.leave()
            await asyncio.wait_for(task, 10)

    played(work)


def test_a_removed_person_is_told_so_again_until_they_are_let_in() -> None:
    async def work() -> None:
        async with served() as (host, lead, there):
            ana, heard, task = await taking_part(there, "Ana", "watch")
            assert ana.welcome is not None
            number, secret = ana.welcome.person, ana.welcome.secret
            await lead.lead("remove", person=number)
            await asyncio.wait_for(task, 10)
            again: list[dict[str, Any]] = []
            request = Connect(there.url, "ring-4127", "Ana", "watch", secret)
            await asyncio.wait_for(Joined(request, lambda line: again.append(json.loads(line))).run(), 10)
            assert [heard[-1], again[-1]] == 2 * [
                {"kind": "bye", "reason": "the host has ended your participation", "removed": True}
            ]
            await lead.lead("admit", person=number)
            back = Joined(request, lambda _line: None)
            coming = asyncio.create_task(back.run())
            await until(lambda: back.welcome is not None and back.welcome.person == number)
            back.leave()
            await asyncio.wait_for(coming, 10)
            assert host.people[number].here == 0

    played(work)


def test_a_port_in_use_is_a_sentence() -> None:
    async def work() -> None:
        async with served() as (host, _lead, there):
            with pytest.raises(BadInput, match=f"port {there.port} cannot be used"):
                await Server(host, port=there.port).start()
            with pytest.raises(BadInput, match="cannot be used as a certificate"):
                await Server(host, certificate="/nowhere.pem").start()

    played(work)


def test_a_class_that_goes_on_takes_another_port_if_its_own_is_in_use() -> None:
    async def work() -> None:
        async with served() as (host, _leader, first):
            wanted = frames.Host(resume=True, port=first.port)
            second = await serve._listening(host, wanted)
            assert second.port not in (0, first.port)
            await second.close()
            with pytest.raises(BadInput, match="cannot be used"):
                await serve._listening(host, replace(wanted, resume=False))

    played(work)


def test_it_listens_on_loopback_unless_the_host_says_otherwise() -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays") as (host, _lead, _people):
            for lan, wanted in ((False, "127.0.0.1"), (True, "0.0.0.0")):
                there = Server(host, lan=lan)
                await there.start()
                try:
                    assert there._runner is not None
                    assert [address[0] for address in there._runner.addresses] == [wanted]
                finally:
                    await there.close()

    played(work)
