"""Systems in components under faults and load: 100 killed simulators, and how many components a barrier bears."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import statistics
import sys
import time

import pytest

from lydian.classroom.components.follow import Follower
from lydian.classroom.components.frames import Publish
from lydian.classroom.components.hub import Hub, Seat
from lydian.classroom.components.meeting import Meeting
from lydian.classroom.components.merge import merged, whole
from lydian.classroom.components.running import Crew
from lydian.classroom.components.system import System
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Stop
from tests.benchmarks.conftest import Report
from tests.classroom.test_components import check_messages, experiment
from tests.classroom.test_components_processes import PATIENCE, meeting, performed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

KILLS = int(os.environ.get("LYDIAN_KILLS", "100"))
#: The most events that happen in a component between two kills there.
MOST_EVENTS = 12


async def killed(place: Meeting, crew: Crew, seat: Seat, number: int) -> float:
    """Kill the acting replica of a component, hire another, and return the seconds until one goes on."""
    before, old, epoch = list(seat.log), seat.acting, seat.epoch
    since = time.monotonic()
    os.kill(crew.children[old].pid, signal.SIGKILL)
    await place.until(lambda: seat.epoch > epoch and seat.acting != old, PATIENCE)
    taken = time.monotonic() - since
    assert seat.log[: len(before)] == before
    component = seat.handovers[-1].component
    crew.hire(component, f"{component.lower()}-new-{number}")
    return taken


def test_a_hundred_kills_at_random_moments(report: Report) -> None:
    """Nothing published is lost or doubled, and the system is a run of the protocol in spite of all."""
    system = System.of(experiment("raft", "complete:5", stop=Stop(until=1e6), delay="uniform(0.5, 1.5)"), 2, pace=4.0)
    chance, taken, changed = random.Random(11), [], []

    async def work() -> Hub:
        async with meeting(system, 3) as (place, crew):
            hub, follower = place.hub, Follower(system)
            hub.watching.append(lambda frame: follower.heard(frame) if isinstance(frame, Publish) else None)
            await place.until(lambda: hub.begun, PATIENCE)
            for number in range(KILLS):
                seat = hub.seats["AB"[number % 2]]
                count = seat.events + chance.randint(0, MOST_EVENTS)
                await place.until(
                    lambda seat=seat, count=count: seat.events >= count
                    and len(seat.replicas) >= 2 and seat.acting in seat.replicas,
                    PATIENCE,
                )  # fmt: skip
                taken.append(await killed(place, crew, seat, number))
            events = sum(seat.events for seat in hub.seats.values())
            await place.until(lambda: sum(seat.events for seat in hub.seats.values()) > events + 20, PATIENCE)
            hub.stop()
            assert follower.shown == {name: seat.events for name, seat in hub.seats.items()}
            changed.extend(each for seat in hub.seats.values() for each in seat.handovers)
            return hub

    hub = asyncio.run(work())
    trace = merged(system, hub.logs)
    check_messages(trace)
    for seat in hub.seats.values():
        assert [each.index for each in seat.log] == list(range(len(seat.log)))
        assert [each.first for each in seat.log] == [sum(e.count for e in seat.log[:i]) for i in range(len(seat.log))]
    again = whole(system, hub.logs).trace
    assert [e for e in zip(again.rows.tolist(), trace.rows.tolist(), strict=False) if e[0] != e[1]] == []
    late = [each for each in taken if each >= 2.0]
    report.add(f"{KILLS} killed components: takeover, median", statistics.median(taken) * 1000, "ms", "under 2000")
    report.add(f"{KILLS} killed components: takeover, longest", max(taken) * 1000, "ms", "under 2000")
    report.add(f"{KILLS} killed components: believers found", sum(len(each.believers) for each in changed))
    report.add(f"{KILLS} killed components: events", len(trace))
    print(f"\ntakeover: median {statistics.median(taken):.2f} s, longest {max(taken):.2f} s, {len(trace)} events")
    assert len(taken) == KILLS and not late


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16])
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
