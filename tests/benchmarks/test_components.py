"""Systems in components under faults and load: 100 killed simulators, and how many components a barrier bears."""

from __future__ import annotations

import os
import random
import signal
import statistics
import sys
import time
from collections.abc import Callable

import pytest

from lydian.classroom.components.follow import Follower
from lydian.classroom.components.frames import Publish
from lydian.classroom.components.hub import Hub, Seat
from lydian.classroom.components.meeting import Meeting
from lydian.classroom.components.merge import merged
from lydian.classroom.components.record import Record
from lydian.classroom.components.running import Crew
from lydian.classroom.components.system import System
from lydian.engine.simulator import Simulator
from tests.benchmarks.conftest import Report
from tests.classroom.test_components import check_messages, experiment
from tests.classroom.test_components_processes import PATIENCE, meeting, performed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

KILLS = int(os.environ.get("LYDIAN_KILLS", "100"))
#: The most events that happen in a component between two kills there.
MOST_EVENTS = 12


async def awaited(place: Meeting, crew: Crew, seat: Seat, holds: Callable[[], bool]) -> None:
    """Wait until a condition holds; if it does not, tell what became of the replicas."""
    try:
        await place.until(holds, PATIENCE / 4)
    except TimeoutError:
        told = {name: (crew.children[name].poll(), crew.said(name)) for name in crew.children if name in seat.last}
        pytest.fail(f"{seat.acting} acts in epoch {seat.epoch}; {sorted(seat.replicas)} are here; {told}")


def ready(seat: Seat, count: int) -> bool:
    """Return True if a component has published some events, and a replica besides the one that acts has loaded it."""
    loaded = [name for name in seat.replicas if name in seat.delays]
    return seat.events >= count and len(loaded) >= 2 and seat.acting in loaded


async def killed(place: Meeting, crew: Crew, seat: Seat, number: int) -> float | None:
    """Kill the acting replica of a component, hire another, and return the seconds until one goes on.

    ``None`` if the system came to rest at the same moment.
    """
    before, old, epoch = list(seat.log), seat.acting, seat.epoch
    since = time.monotonic()
    os.kill(crew.children[old].pid, signal.SIGKILL)
    await awaited(place, crew, seat, lambda: place.hub.over or (seat.epoch > epoch and seat.acting != old))
    if seat.epoch == epoch:
        return None
    taken = time.monotonic() - since
    assert seat.log[: len(before)] == before
    component = seat.handovers[-1].component
    crew.hire(component, f"{component.lower()}-new-{number}")
    return taken


def test_a_hundred_kills_at_random_moments(report: Report) -> None:
    """Nothing published is lost or doubled, and each run is one of the protocol in spite of all."""
    chance = random.Random(11)
    taken: list[float] = []
    events = believers = runs = 0
    while len(taken) < KILLS:
        made = experiment("raft", "complete:5", seed=runs, delay="uniform(0.5, 1.5)")
        system = System.of(made, 2, pace=3.0)
        hub = performed(lambda system=system: with_kills(system, chance, taken))
        runs += 1
        trace = merged(system, hub.logs)
        check_messages(trace)
        for seat in hub.seats.values():
            assert [each.index for each in seat.log] == list(range(len(seat.log)))
            counts = [each.count for each in seat.log]
            assert [each.first for each in seat.log] == [sum(counts[:at]) for at in range(len(counts))]
            believers += sum(len(each.believers) for each in seat.handovers)
        result = Record.of(hub).result()
        assert result is not None and not result.violated
        assert result.stopped == "quiescent" or len(taken) >= KILLS
        events += len(trace)
    median, longest = statistics.median(taken), max(taken)
    report.add(f"{KILLS} killed components: takeover, median", median * 1000, "ms", "under 2000")
    report.add(f"{KILLS} killed components: takeover, longest", longest * 1000, "ms", "under 2000")
    report.add(f"{KILLS} killed components: believers found", believers)
    report.add(f"{KILLS} killed components: events", events)
    print(f"\n{len(taken)} kills in {runs} runs: median {median:.2f} s, longest {longest:.2f} s, {events} events")
    print("the longest:", ", ".join(f"{each:.2f}" for each in sorted(taken)[-8:]), "s")
    assert longest < 2.0


async def with_kills(system: System, chance: random.Random, taken: list[float]) -> Hub:
    """Run a system, and kill acting replicas at random moments until it is at rest or there were enough kills."""
    async with meeting(system, 3) as (place, crew):
        hub, follower = place.hub, Follower(system)
        hub.watching.append(lambda frame: follower.heard(frame) if isinstance(frame, Publish) else None)
        await place.until(lambda: hub.begun, PATIENCE)
        while len(taken) < KILLS and not hub.over:
            seat = hub.seats["AB"[len(taken) % 2]]
            count = seat.events + chance.randint(0, MOST_EVENTS)
            await awaited(place, crew, seat, lambda seat=seat, count=count: hub.over or ready(seat, count))
            if hub.over:
                break
            seconds = await killed(place, crew, seat, len(taken))
            if seconds is not None:
                taken.append(seconds)
        events = sum(seat.events for seat in hub.seats.values()) + MOST_EVENTS
        await place.until(
            lambda: hub.over or sum(seat.events for seat in hub.seats.values()) > events, PATIENCE
        )  # fmt: skip
        hub.stop()
        assert follower.shown == {name: seat.events for name, seat in hub.seats.items()}
        return hub


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16, 32])
def test_how_many_components_a_barrier_bears(report: Report, count: int) -> None:
    """The rounds per second with a barrier, each component in a process of its own."""
    system = System.of(experiment("echo", "ring:96"), count, barrier=True)
    ordinary = Simulator(system.resolved).run().fingerprint

    async def work() -> tuple[float, Hub]:
        async with meeting(system, 1) as (place, _):
            await place.until(lambda: place.hub.begun, PATIENCE)
            since = time.monotonic()
            await place.until(lambda: place.hub.over, PATIENCE)
            return time.monotonic() - since, place.hub

    seconds, hub = performed(work)
    assert merged(system, hub.logs).fingerprint() == ordinary
    rate = hub.round / seconds
    report.add(f"barrier, {count} components: rounds a second", rate)
    print(f"\n{count} components: {hub.round} rounds in {seconds:.2f} s, {rate:.0f} a second")
