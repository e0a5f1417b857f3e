"""A class of 300 phones on one run: how soon everybody sees an event, what it costs, and what faults do to it.

The host, its simulator, the phones and the browsers are processes of their own and share two processors. The time to a
phone is that from the moment at which the host's log gets a frame to the moment at which the phone has decoded it, both
by the clock of the computer. The time to a browser ends after the next frame that the browser has drawn once the page
contains the events; its clock is compared with that of the computer before.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest
from numpy.typing import NDArray

from lydian.classroom import classfile, frames, server
from lydian.engine import wire
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from tests.benchmarks.conftest import Report
from tests.benchmarks.yardstick import measured
from tests.classroom.browser import CHROMIUM, Browser, Tab, browsing
from tests.classroom.crowd import (
    CODE,
    Hosted,
    Phones,
    children,
    hosted,
    memory,
    phones,
    processor,
    two_processors,
    until,
)
from tests.classroom.test_server import garbage, served, taking_part
from tests.classroom.test_server import until as until_here

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

COUNT = 300
#: Rounds a second, and the seconds for which they are measured.
RATE, SECONDS = 20, float(os.environ.get("LYDIAN_SECONDS", "20"))
#: The rounds of the long lesson; an hour of 20 rounds a second has 72,000.
ROUNDS = int(os.environ.get("LYDIAN_ROUNDS", "6000"))
#: Hostile frames.
HOSTILE = 10_000
SECRET = "only-for-this-test"
#: Notes when a page has drawn the events up to each position.
_DRAWN = """
(async () => {
  const { position, watch } = await import("/class/room.js");
  window.drawn = [];
  let last = 0, asked = false;
  watch(() => {
    if (asked || position() === last) return;
    asked = true;
    const reached = position();
    requestAnimationFrame(() => setTimeout(() => {
      asked = false; last = reached; window.drawn.push([reached, performance.timeOrigin + performance.now()]);
    }));
  });
})()
"""


def philosophers(seed: int = 1) -> Experiment:
    network = from_spec("grid:15x20").replace(
        order="fifo", initiators=tuple(map(str, range(COUNT))), delay=parse("exponential(mean=1)")
    )
    experiment = Experiment("class", protocol="chandy-misra", network=network, seed=seed)
    return experiment.with_(check=False, parameters={"entries": 1_000_000})


def carried_out(work: Coroutine[Any, Any, None], seconds: float = 600.0) -> None:
    with two_processors():
        asyncio.run(asyncio.wait_for(work, seconds))


async def begun(host: Hosted, there: Phones, *, mode: str = "turns", pace: float = 1.0, tick: float = 1 / RATE) -> None:
    """Wait until all phones have a seat, and open a round."""
    await there.until(lambda at: at["seated"] == there.count, 240)
    assert (await host.lead("mode", mode=mode, seconds=0, pace=pace, tick=tick))["accepted"]
    assert (await host.lead("next"))["accepted"]


async def everything_arrived(host: Hosted, there: Phones) -> list[dict[str, Any]]:
    """Stop the run, wait until all phones are at its end, and return what they have seen; nothing may be missing."""
    await there.ask("pause", seconds=-1)
    assert (await host.lead("pause"))["accepted"]
    told: list[dict[str, Any]] = []
    async with asyncio.timeout(60):
        while not told or {each["events"] for each in told} != {host.events}:
            await asyncio.sleep(0.1)
            told = (await there.ask("told"))["phones"]
    assert [each["problems"] for each in told if each["problems"]] == []
    assert len({each["digest"] for each in told}) == 1
    return told


async def delays(host: Hosted, there: Phones, first: int, last: int, folder: Path) -> tuple[Any, Any]:
    """Return the milliseconds from the log to each phone, (phones, frames), and those from a choice to its answer."""
    added = (await host.times())[first:last]
    await there.ask("times", file=str(folder / "times.npz"))
    found = np.load(folder / "times.npz")
    names = [each for each in found.files if each != "waits"]
    return np.array([found[each][first:last] - added for each in names]) * 1000, found["waits"] * 1000


async def page(browser: Browser, url: str, join: str = "") -> tuple[Tab, float]:
    """Open a page of the class; return it, and the milliseconds by which its clock is ahead of ``time.monotonic``."""
    tab = await browser.tab(url, 1280, 720, calm=False)
    if join:
        await tab.until("document.querySelector('#name')")
        await tab.type("#name", join)
        await tab.click("Watch")
        await tab.click("Join")
    await tab.until("window.lydian && lydian.room.run", 60)
    await tab.value(_DRAWN)
    ahead, closest = 0.0, 1e9
    for _ in range(20):
        before = time.monotonic()
        there = await tab.value("performance.timeOrigin + performance.now()")
        after = time.monotonic()
        if after - before < closest:
            ahead, closest = there - 500 * (before + after), after - before
    return tab, ahead


async def drawn(tab: Tab, ahead: float, added: NDArray[np.float64], first: int) -> NDArray[np.float64]:
    """Return the milliseconds from the log to the drawn frame for each frame of the run from a position on."""
    found: list[float] = []
    known = first
    for reached, moment in await tab.value("window.drawn"):
        upto = min(reached, len(added))
        found += [moment - ahead - 1000 * added[k] for k in range(known, upto)]
        known = max(known, upto)
    return np.array(found)


def three(values: Any) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    return float(np.percentile(values, 50)), float(np.percentile(values, 95))


async def watched(
    report: Report, name: str, host: Hosted, there: Phones, tabs: list[tuple[str, Tab, float]], folder: Path
) -> None:
    """Let people choose for a while, and report how soon everybody sees what happens, and what that costs."""
    await there.ask("pause", seconds=2.0)
    await asyncio.sleep(2)
    pids = {"host": host.pid, "simulator": children(host.pid)[0], "phones": there.child.pid}
    first, since, lesson = host.rounds, time.monotonic(), host.longest
    used = {name: processor(pid) for name, pid in pids.items()}
    await asyncio.sleep(SECONDS)
    last, seconds, lesson = host.rounds, time.monotonic() - since, host.longest - lesson
    used = {name: (processor(pid) - used[name]) / lesson for name, pid in pids.items()}
    added = (await host.times())[:last]
    to_phones, waits = await delays(host, there, first, last, folder)
    calmest = min(three(to_phones[:, k : k + RATE])[1] for k in range(0, last - first - RATE, RATE))
    report.add(f"{name}: processes that want a processor", os.getloadavg()[0])
    report.add(f"{name}: frames of the run a second", (last - first) / seconds)
    report.add(f"{name}: choices answered", len(waits))
    report.add(f"{name}: event to phone, p50", three(to_phones)[0], "ms")
    report.add(f"{name}: event to phone, p95", three(to_phones)[1], "ms", "below 150")
    report.add(f"{name}: event to phone, p95 of the calmest {RATE} frames", calmest, "ms", "below 150")
    report.add(f"{name}: choice to answer, p95", three(waits)[1], "ms")
    for what, share in used.items():
        report.add(f"{name}: processor of the {what} for a second of the lesson", 1000 * share, "ms")
    for what, tab, ahead in tabs:
        found = await drawn(tab, ahead, added, first)
        report.add(f"{name}: event to drawn frame, {what}, p50", three(found)[0], "ms")
        report.add(f"{name}: event to drawn frame, {what}, p95", three(found)[1], "ms", "below 150")
        reached = await tab.value("import('/class/room.js').then((m) => m.position())")
        assert reached >= last


def test_three_hundred_phones_and_three_browsers(report: Report, tmp_path: Path) -> None:
    """Everybody sees every event, in time; 30 % of the phones vanish, come back and are themselves again."""

    async def work() -> None:
        async with AsyncExitStack() as stack:
            host = await stack.enter_async_context(hosted(philosophers(), tmp_path, SECRET=SECRET))
            there = await stack.enter_async_context(phones(host.url, COUNT, pause=-1))
            name = f"class, {COUNT} phones"
            since, used = time.monotonic(), processor(host.pid)
            await there.until(lambda at: at["seated"] == there.count, 240)
            report.add(f"{name}: until all have a seat", time.monotonic() - since, "s")
            report.add(f"{name}: processor of the host until all have a seat", processor(host.pid) - used, "s")
            await begun(host, there)
            await watched(report, name, host, there, [], tmp_path)
            if CHROMIUM is not None:
                await there.ask("pause", seconds=-1)
                async with browsing() as browser:
                    tabs = [
                        ("projector", *await page(browser, f"{host.url}screen#{SECRET}")),
                        ("host", *await page(browser, f"{host.url}host#{SECRET}")),
                        ("watcher", *await page(browser, f"{host.url}?code={CODE}", "Watcher")),
                    ]
                    rows = "document.querySelector('.who').parentElement"  # the host's list stays where it is scrolled
                    await tabs[1][1].value(f"{rows}.scrollTop = 500")
                    await watched(report, f"{name}, three browsers", host, there, tabs, tmp_path)
                    assert await tabs[1][1].value(f"{rows}.scrollTop") == 500
                    for _, tab, _ in tabs:
                        assert await tab.wrong() == []
            told = await everything_arrived(host, there)
            report.add(f"{name}: bytes sent for an event", host.bytes / host.events, "bytes")
            report.add(f"{name}: memory of the host", memory(host.pid), "MB")
            assert all(each["position"] == host.rounds for each in told)  # no round is lost
            await vanished(host, there, told)

    carried_out(work())


async def vanished(host: Hosted, there: Phones, told: list[dict[str, Any]]) -> None:
    """Let 30 % of the phones vanish and come back; they get all events from the start, and nobody is told anything."""
    gone = COUNT * 3 // 10
    words = list(host.latest["people"]["log"])
    await there.ask("vanish", count=gone)

    def away() -> int:
        people = host.latest["people"]["people"]
        return sum(each["status"] == "away" and each["role"] == "player" for each in people)

    await until(lambda: away() == gone)
    await host.lead("resume")
    await there.ask("pause", seconds=2.0)
    before = host.rounds
    await until(lambda: host.rounds > before + RATE)
    await there.ask("back")
    await there.until(lambda at: at["here"] == COUNT)
    again = await everything_arrived(host, there)
    for earlier, later in zip(told, again, strict=True):
        assert later["process"] == earlier["process"]
        assert {tuple(each) for each in later["welcomes"]} == {tuple(each) for each in earlier["welcomes"]}
    people = host.latest["people"]["people"]
    assert len([each for each in people if each["role"] == "player"]) == COUNT
    since = [each for each in host.latest["people"]["log"] if each not in words]
    assert set(since) <= {"The class goes on.", "The class is paused."}


def test_sealed_rounds_in_which_all_choose(report: Report, tmp_path: Path) -> None:
    async def work() -> None:
        async with hosted(philosophers(), tmp_path) as host, phones(host.url, COUNT, pause=-1) as there:
            await begun(host, there, mode="sealed")
            await there.ask("pause", seconds=0.01)
            taken = []
            for number in range(1, 11):
                since = time.monotonic()
                await until(lambda number=number: host.latest["room"]["phase"] == "between"
                            and host.latest["room"]["round"] == number)  # fmt: skip
                taken.append(time.monotonic() - since)
                if number < 10:
                    assert (await host.lead("next"))["accepted"]
            told = await everything_arrived(host, there)
            assert sum(each["accepted"] for each in told) > COUNT
            assert not any(each["refused"] for each in told)
            middle = 1000 * float(np.median(taken))
            report.add(f"class, {COUNT} phones: a sealed round, from opening to its result", middle, "ms")

    carried_out(work())


def test_the_memory_of_the_host_does_not_grow(report: Report, tmp_path: Path) -> None:
    """Rounds follow one another without a pause; only the record of the moves that people make may grow."""

    async def work() -> None:
        async with hosted(philosophers(), tmp_path, FAST="1") as host, phones(host.url, 20, pause=-1) as there:
            await begun(host, there, pace=0.01, tick=5.0)
            await there.ask("pause", seconds=0.5)
            start = host.rounds
            samples: list[tuple[int, int, float, float]] = []
            simulator = children(host.pid)[0]
            for part in range(1, 11):
                await until(lambda part=part: host.rounds - start >= ROUNDS * part / 10, 3600)
                samples.append((host.rounds - start, host.events, memory(host.pid), memory(simulator)))
            print(*samples, sep="\n")
            told = await everything_arrived(host, there)
            assert all(each["position"] == host.rounds for each in told)
            rounds, events = samples[-1][0] - samples[4][0], samples[-1][1] - samples[4][1]
            choices = sum(each["accepted"] for each in told) * rounds / samples[-1][0]
            grown = (samples[-1][2] - samples[4][2]) * 2**20
            report.add("class, long lesson: rounds", samples[-1][0])
            report.add("class, long lesson: events", samples[-1][1])
            report.add("class, long lesson: memory of the host", samples[-1][2], "MB")
            report.add("class, long lesson: growth of the host", grown / rounds, "bytes a round")
            report.add("class, long lesson: growth of the host by moves", grown / choices, "bytes a choice")
            report.add(
                "class, long lesson: growth of the simulator", (samples[-1][3] - samples[4][3]) * 2**20 / events,
                "bytes an event",
            )  # fmt: skip
            report.add("class, long lesson: log", host.bytes / host.events, "bytes an event")
            # The moves are the record of the class, about 500 bytes each, and the log has the place of each frame, 8
            # bytes. Nothing else may grow, apart from the gaps that the allocator leaves between them.
            assert grown <= 1000 * choices + 64 * rounds + 2**20

    carried_out(work(), 7200)


def hostile(random_: random.Random, known: list[str]) -> str | bytes:
    """Return a frame that is meant to do harm."""
    pick = random_.choice
    kind = random_.randrange(10)
    if kind < 5:
        return garbage(random_, known)
    if kind == 5:  # somebody else's name, or a secret that may be theirs
        secret = pick(["guess", "", "x" * 24, "\ud800"])
        wish, code = pick([("seat", "ring-0000"), ("seat", ""), ("host", "ring-4127"), ("screen", "ring-4127")])
        join = {"kind": "join", "code": code, "name": "Ana", "wish": wish, "secret": secret}
        return json.dumps({**join, "position": pick([0, 10**9, -1])})
    if kind == 6:  # other rounds and types
        offer, value = pick(["m1", 7, {}, "rest"]), pick([None, [], {}, 1e999, "x" * 5000])
        number, round_ = pick([1, 2.5, None, "1"]), pick([0, 2, 10**30, "1", [1]])
        return json.dumps({"kind": "choose", "id": number, "round": round_, "offer": offer, "value": value})
    if kind == 7:  # deep nesting
        depth = random_.randrange(1, 3000)
        return '{"kind":"lead","id":1,"do":"mischief","what":' + '{"a":' * depth + "1" + "}" * depth + "}"
    if kind == 8:  # huge
        return json.dumps({"kind": "reply", "question": 1, "value": "x" * pick([10_000, 17_000, 60_000])})
    return json.dumps({"kind": pick(["knock", "hand", "reply", "bye"]), "code": pick([1, "", CODE]), "up": []})


def test_ten_thousand_hostile_frames(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same class with and without hostile company has the same run."""
    monkeypatch.setattr(server, "RATE", 1e6)  # the frames must get through
    monkeypatch.setattr(server, "BURST", 10**6)
    monkeypatch.setattr(server, "WRONG", 10**6)
    monkeypatch.setattr(server, "JOINING", 1.0)
    monkeypatch.setattr(server, "SENDING", 2.0)
    counts = Counter[str]()
    hear = frames.heard

    def heard_by_the_host(line: bytes | str) -> wire.Frame:
        counts["heard"] += 1
        try:
            return hear(line)
        except wire.Refused:
            counts["refused"] += 1
            raise

    monkeypatch.setattr(frames, "heard", heard_by_the_host)

    async def run(count: int, choosing: bool = True) -> str:
        random_ = random.Random(7)
        counts.clear()
        async with served() as (host, lead, there), aiohttp.ClientSession() as session:
            good, heard, task = await taking_part(there, "Ana")
            await until_here(lambda: host.people.player("0"))
            attack = asyncio.create_task(attacked(session, there, random_, counts, count))
            for number in range(12):
                await lead.lead("next")
                offers = host._views[good.welcome.person].offers if good.welcome is not None else ()
                if offers and choosing:
                    good.say(frames.Choose(number, host.round, offers[0].id))
                    await until_here(lambda: host.phase == "between")
                else:
                    await lead.lead("close")
                share = count * (number + 1) // 12
                await until(lambda share=share: counts["heard"] >= share or attack.done(), 300)
            await attack
            await until_here(lambda: good.position == len(host.log))
            assert [each for each in heard if each["kind"] == "error"] == []
            assert not task.done()
            assert [each.role for each in host.people if each.role in ("host", "screen")] == ["host"]
            assert [each.name for each in host.people if each.process is not None] == ["Ana"]
            good.leave()
            await asyncio.wait_for(task, 10)
            await until_here(lambda: not there._open)
            await host.running.end()
            assert host.running.result is not None
            return str(host.running.result["fingerprint"])

    async def work() -> None:
        quiet = await run(0)
        assert await run(0, choosing=False) != quiet
        since = time.monotonic()
        assert await run(HOSTILE) == quiet
        assert counts["heard"] >= HOSTILE
        report.add("class: hostile frames", counts["heard"])
        report.add("class: hostile frames refused as such", counts["refused"])
        report.add("class: hostile frames a second", counts["heard"] / (time.monotonic() - since))

    carried_out(work())


async def attacked(
    session: aiohttp.ClientSession, there: server.Server, random_: random.Random, counts: Counter[str], count: int
) -> None:
    """Send hostile frames from strangers and watchers; leave connections half open, and read nothing on some."""
    left_open: list[Any] = []
    known = [wire.encode(each).decode() for each in (frames.Hand(True), frames.Choose(1, 1, "m0"), frames.Reply(1, 2))]
    while counts["heard"] < count:
        if len(left_open) < 40:
            _reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
            begins = (b"", b"GET /ws HTTP/1.1\r\nHost: x", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n")
            writer.write(random_.choice(begins))
            left_open.append(writer)
        channel = await session.ws_connect(f"{there.url}ws")
        with suppress(ConnectionError, aiohttp.ClientError):
            if random_.random() < 0.7:
                name = f"E{random_.randrange(10**6)}"
                await channel.send_str(wire.encode(frames.Join("ring-4127", name, "watch")).decode())
            for _ in range(random_.randrange(1, 60)):
                thing = hostile(random_, known)
                await (channel.send_bytes(thing) if isinstance(thing, bytes) else channel.send_str(thing))
                if channel.closed:
                    break
        if random_.random() < 0.2 and len(left_open) < 80:
            left_open.append(channel)  # it reads nothing
        else:
            await channel.close()
    for each in left_open:
        each.close() if isinstance(each, asyncio.StreamWriter) else await each.close()


@pytest.mark.parametrize("mode", ["turns", "sealed"])
def test_a_killed_host_is_resumed_from_its_file(report: Report, tmp_path: Path, mode: str) -> None:
    """Nothing that a phone was told is lost: neither who it is, nor a move, nor a sealed choice, nor an event."""
    file = tmp_path / "kept.class"

    async def work() -> None:
        async with hosted(philosophers(), tmp_path, file=file) as host:
            port = int(host.latest["welcome"]["address"].rsplit(":", 1)[1])
            async with phones(host.url, COUNT, pause=-1) as there:
                await begun(host, there, mode=mode)
                await there.ask("pause", seconds=1.0)
                wanted = 300 if mode == "turns" else 200
                accepted = 0
                async with asyncio.timeout(120):
                    while accepted < wanted:
                        told = (await there.ask("told"))["phones"]
                        accepted = sum(each["accepted"] for each in told)
                since = time.monotonic()
                await host.kill()
                await there.ask("pause", seconds=-1)
                told = (await there.ask("told"))["phones"]
                confirmed = {each for one in told for each in one["confirmed"]}
                saved = classfile.read(file)
                secrets = {each["secret"]: each["process"] for each in saved["people"]}
                assert all(secrets[one["welcomes"][-1][1]] == one["process"] for one in told)
                if mode == "turns":
                    made = {f"m{each['message']}" for each in saved["experiment"]["interventions"] if "message" in each}
                else:
                    made = {offer for offer, _ in saved["sealed"].values()}
                assert {each for each in confirmed if each.startswith("m")} <= made
                async with hosted(None, tmp_path, file=file, port=port) as again:
                    await there.until(lambda at: at["here"] == COUNT, 120)
                    report.add(
                        f"class, {COUNT} phones: killed host, all phones back, {mode}", time.monotonic() - since, "s"
                    )  # fmt: skip
                    room = again.latest["room"]
                    assert (room["phase"], room["paused"]) == ("open", True)
                    assert (await again.lead("resume"))["accepted"]
                    if mode == "turns":
                        await until(lambda: again.longest > host.longest)
                    else:
                        assert (await again.lead("close"))["accepted"]
                    after = await everything_arrived(again, there)
                    shared = min(len(host.record), len(again.record))
                    assert again.record[:shared] == host.record[:shared]
                    assert len(again.record) >= len(host.record)
                    assert [one["process"] for one in after] == [one["process"] for one in told]

    carried_out(work())


def test_a_moment_of_a_class_costs_little(report: Report, tmp_path: Path) -> None:
    """The processor time of the host for each frame that it sends to a phone, against the yardstick."""

    async def work() -> None:
        async with hosted(philosophers(), tmp_path) as host, phones(host.url, COUNT, pause=-1) as there:
            await begun(host, there)
            first, before = host.rounds, processor(host.pid)
            await until(lambda: host.rounds >= first + 200)
            spent, sent = processor(host.pid) - before, (host.rounds - first) * COUNT
            await everything_arrived(host, there)
            report.add("class: processor of the host for a frame to a phone", 1e6 * spent / sent, "µs")
            ratio = 1000 * spent / sent / measured("loop", time.process_time)
            report.add("class: 1,000 frames to phones, to the yardstick 'loop'", ratio, "", "at most 8")
            assert ratio <= 8

    carried_out(work())
