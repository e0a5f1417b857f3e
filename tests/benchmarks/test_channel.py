"""The channel compared with the same rounds in one process, and the delay before an interaction is visible."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from lydian.engine.client import Client
from lydian.engine.simulator import Simulator
from lydian.engine.wire import Answered, Pending, Result, Round
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from tests.benchmarks.conftest import Report


def echo_on(spec: str) -> Experiment:
    network = from_spec(spec).replace(delay=parse("exponential(mean=1)"))
    return Experiment(name="bench", protocol="echo", network=network, seed=1).with_(check=False)


def test_rounds_per_second(report: Report) -> None:
    """Measure the seconds from the first round to the last, with every event sent to the other end, in rounds of 1,000
    steps.
    """
    experiment = echo_on("gnm:1000,20000,seed=1")
    expected = 4 * 20_000 - 2 * 1_000 + 2

    def here() -> tuple[float, int]:
        simulator = Simulator(experiment, round_events=1000)
        start = time.perf_counter()
        with simulator.guard():
            rounds = 1
            while simulator.round():
                rounds += 1
        seconds = time.perf_counter() - start
        assert simulator.kernel.counts()[1] == expected
        return seconds, simulator.kernel.counts()[0]

    def there() -> tuple[float, int]:
        with Client.start(experiment, round_events=1000, pending=0) as client:
            while not client.waiting:
                client.until(Round, 60)
            start = time.perf_counter()
            client.pace(None)
            result = None
            told = start
            while result is None:
                frame = client.next(60)
                if isinstance(frame, Round):
                    told = time.perf_counter()
                elif isinstance(frame, Result):
                    result = frame.result
            assert result["messages"] == expected
            events = len(client.trace())
            assert result["events"] == events
            return told - start, events

    found: dict[str, list[tuple[float, int]]] = {"here": [], "there": []}
    variants: list[tuple[str, Callable[[], tuple[float, int]]]] = [("here", here), ("there", there)]
    for _ in range(3):
        for name, run in variants:
            found[name].append(run())
    events = {count for runs in found.values() for _, count in runs}
    assert len(events) == 1
    seconds = {name: statistics.median(each for each, _ in runs) for name, runs in found.items()}
    ratio = seconds["here"] / seconds["there"]
    report.add("rounds of 1,000 steps in one process", events.pop() / seconds["here"], "events/s")
    report.add("over the channel: ratio to one process", ratio, "", "at least 0.6")
    assert ratio >= 0.6


def test_an_interaction_is_visible_at_once(report: Report) -> None:
    """Measure the time from the request to the answer and the round frame with its effect, for 1,000 processes, while
    the run waits and while it continues.
    """
    experiment = echo_on("gnm:1000,5000,seed=1")
    times = []
    with Client.start(experiment, to=2) as client:
        client.until(Pending)
        before = len(client.trace())
        for i in range(60):
            start = time.perf_counter()
            assert client.ask({"do": "crash" if i % 2 == 0 else "recover", "process": str(7 + i // 2)}).accepted
            client.until(Round)
            times.append(time.perf_counter() - start)
        assert len(client.trace()) == before + 60
        waiting = statistics.quantiles(times, n=20)[-1] * 1000
        client.stop()
        client.finish()
    times.clear()
    for i in range(10):
        with Client.start(experiment.with_(seed=i), to=1, round_time=0.1, pending=0) as client:
            while not client.waiting:
                client.until(Round)
            client.pace(None)
            client.until(Round)
            start = time.perf_counter()
            number = client.interact({"do": "link_down", "link": list(_ends(experiment))})
            answer = client.until(Answered)
            assert (answer.id, answer.accepted or "ended" in answer.reason) == (number, True)
            client.until(Round) if answer.accepted else None
            times.append(time.perf_counter() - start)
            client.finish()
    running = statistics.quantiles(times, n=20)[-1] * 1000
    report.within("1,000 processes: interaction to effect, waiting, p95", waiting / 1000, "loop", 6)
    report.within("1,000 processes: interaction to effect, running, p95", running / 1000, "loop", 6)


def _ends(experiment: Experiment) -> tuple[str, str]:
    network = experiment.network
    assert not isinstance(network, str)
    return network.links[0].a, network.links[0].b
