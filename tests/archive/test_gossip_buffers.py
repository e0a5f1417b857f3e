"""Gossip with bounded buffers: lpbcast and the four tagged protocols obey their tables, and bugs are caught."""

from __future__ import annotations

from collections import Counter
from math import ceil, log2
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
TAGGED = ("FIFO", "ETT", "ETTB", "EP")


def run(protocol: str, n: int = 12, seed: int = 0, workload: Any = (), watched: bool = True, **words: Any) -> Result:
    network = from_spec(f"isolated:{n}")
    network = network.replace(initiators=network.processes)
    parameters = {"K": 3, "size": 6, "p": 0.08, "rounds": 30, "tail": 400, **words}
    experiment = Experiment(
        "t", protocol=protocol, network=network, seed=seed, parameters=parameters, workload=workload, check=watched,
        variables=False, stop=Stop(until=120.0),
    )  # fmt: skip
    result = Simulator(experiment.resolve(ARCHIVE)).run()
    assert result.error is None
    return result


def own(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = result.measures["own"]
    return found


def told(result: Result) -> Counter[tuple[str, str]]:
    """Map (process, event) to the number of its deliveries."""
    return Counter(
        (str(e.process), str((e.detail or {})["value"])) for e in result.trace.events() if e.kind == "deliver"
    )


def held(result: Result, start: str) -> Any:
    return next(check.holds for check in result.checks if check.name.startswith(start))


# ---------------------------------------------------------------------- an independent lpbcast


class Twin:
    """A second implementation of the sheet's table: from the messages of a run, it computes the due deliveries."""

    def __init__(self, b: int) -> None:
        self.b, self.history = b, list[str]()

    def message(self, events: list[str]) -> list[str]:
        new = [event for event in events if event not in self.history]
        self.history = (self.history + new)[-self.b :] if len(self.history) + len(new) > self.b else self.history + new
        return new

    def create(self, event: str) -> None:
        self.history = [*self.history, event][-self.b :]


@settings(max_examples=6, deadline=None)
@given(st.integers(1, 12), st.integers(2, 14), st.integers(0, 9999))
def test_lpbcast_delivers_events_missing_from_a_fifo_history_of_b_ids(b: int, n: int, seed: int) -> None:
    result = run("lpbcast", n, seed, b=b)
    twins = {str(p): Twin(b) for p in range(n)}
    fields: dict[int, list[str]] = {}
    due: dict[str, list[str]] = {}
    got: dict[str, list[str]] = {}
    for e in result.trace.events():
        p = str(e.process)
        if e.kind == "send":
            fields[int(e.message)] = list((e.detail or {})["fields"]["events"])
        elif e.kind == "receive":
            due.setdefault(p, []).extend(twins[p].message(fields[int(e.message)]))
        elif e.kind == "deliver":
            event = str((e.detail or {})["value"])
            if event.startswith(f"{p}.") and event not in got.get(p, []):  # its own event, for the first time
                twins[p].create(event)
                due.setdefault(p, []).append(event)
            got.setdefault(p, []).append(event)
    assert got == {p: events for p, events in due.items() if events}
    assert all(len(events) <= b + 2 for events in fields.values())
    assert held(result, "at the end of a round")
    assert held(result, "no process sends more")


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(("lpbcast", *TAGGED)), st.integers(1, 6), st.integers(0, 9999))
def test_measures_match_the_deliveries(name: str, b: int, seed: int) -> None:
    result = (
        run("lpbcast", seed=seed, b=b) if name == "lpbcast" else run("gossip-buffer", seed=seed, b=b, algorithm=name)
    )
    found, deliveries = own(result), told(result)
    events: dict[str, list[int]] = {}
    for (_, event), k in deliveries.items():
        events.setdefault(event, []).append(k)
    if not events:
        return
    assert found["judged"] == len(events)
    assert found["twice"] == sum(max(ks) > 1 for ks in events.values()) / len(events)
    assert found["extra"] == pytest.approx(sum(sum(ks) - len(ks) for ks in events.values()) / len(events))
    assert found["informed"] == pytest.approx(sum(len(ks) for ks in events.values()) / 12 / len(events))
    assert found["everybody"] == sum(len(ks) == 12 for ks in events.values()) / len(events)
    assert (found["twice"] == 0) == bool(held(result, "no process delivers"))


@settings(max_examples=4, deadline=None)
@given(st.sampled_from(("lpbcast", "FIFO", "ETT")), st.integers(0, 9999))
def test_with_unlimited_memory_no_process_delivers_or_forwards_twice(name: str, seed: int) -> None:
    words: dict[str, Any] = {"b": 1000, "seed": seed}
    result = run("lpbcast", **words) if name == "lpbcast" else run("gossip-buffer", algorithm=name, r=50, **words)
    assert set(told(result).values()) <= {1}
    sent = Counter(
        (str(e.process), event)
        for e in result.trace.events()
        if e.kind == "send"
        for event in told_events((e.detail or {})["fields"])
    )
    assert set(sent.values()) <= {3}


def told_events(fields: dict[str, Any]) -> list[str]:
    return list(fields["events"]) if "events" in fields else [event for event, _ in fields["copies"]]


def test_with_large_memory_and_many_hops_fifo_and_ett_equal_lpbcast() -> None:
    plain = told(run("lpbcast", b=1000, seed=3))
    assert told(run("gossip-buffer", algorithm="FIFO", b=1000, r=1000, seed=3)) == plain
    assert told(run("gossip-buffer", algorithm="ETT", b=1000, r=1000, seed=3)) == plain


# ---------------------------------------------------------------------- tags and potentials


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(TAGGED), st.integers(1, 8), st.integers(1, 7), st.integers(0, 9999))
def test_the_four_protocols_respect_their_bounds(algorithm: str, b: int, r: int, seed: int) -> None:
    result = run("gossip-buffer", seed=seed, algorithm=algorithm, b=b, r=r, most=7)
    assert [check.holds for check in result.checks if not check.name.startswith("no process delivers")] == [True] * 4
    assert result.stopped == "quiescent"
    if algorithm != "EP":
        assert (own(result)["longest"] or 0) <= r


def test_ep_begins_with_the_published_number_of_balls() -> None:
    publish = (Intervention(1.5, "command", process="0", label="Publish"),)
    result = run("gossip-buffer", 100, algorithm="EP", K=5, size=50, p=0.0, rounds=1, workload=publish)
    tags: dict[int, set[int]] = {}
    for e in result.trace.events():
        if e.kind == "send":
            tags.setdefault(int(e.time), set()).add(int((e.detail or {})["fields"]["copies"][0][1]))
    assert ceil(2 * 100 / 5 * log2(100)) - 1 == 265
    assert tags[2] == {265}
    assert tags[3] <= {52, 105}  # ceil(265 / 5) - 1, or twice that for a process drawn twice
    assert max(tags) < 14


@pytest.mark.parametrize("algorithm", ["FIFO", "ETT"])
def test_events_removed_from_the_buffer(algorithm: str) -> None:
    """An event created earlier that arrived later by a longer path is dropped by ETT and kept by FIFO."""
    source = (ROOT / "protocols" / "gossip-buffer.py").read_text(encoding="utf-8")
    scope: dict[str, Any] = {}
    exec(compile(source, "gossip-buffer.py", "exec"), scope)
    p, gossip = made(scope["GossipBuffer"], algorithm=algorithm, b=2, r=9, rounds=0), scope["Gossip"]
    p.hops([(gossip((("young", 1),)), "x"), (gossip((("old", 6),)), "y")])
    p.hops([(gossip((("new", 1),)), "x")])
    p.forget()
    assert set(p.buffer) == ({"old", "new"} if algorithm == "FIFO" else {"young", "new"})


def made(cls: Any, **words: Any) -> Any:
    class Engine:
        class rounds:  # noqa: N801
            number = 5

    p = object.__new__(cls)
    for name, variable in cls._declared.variables.items():
        initial = variable.initial
        setattr(p, name, initial.copy() if hasattr(initial, "copy") else initial)
    for name, parameter in cls._declared.parameters.items():
        setattr(p, name, words.get(name, parameter.default))
    p._engine, p._effects, p.me = Engine, [], "0"
    return p


def test_a_limit_keeps_the_events_with_the_most_hops_left() -> None:
    for algorithm in ("ETTB", "EP"):
        result = run("gossip-buffer", algorithm=algorithm, b=30, r=6, limit=2, p=0.3, rounds=12)
        copies = [(e.detail or {})["fields"]["copies"] for e in result.trace.events() if e.kind == "send"]
        assert max(map(len, copies)) == 2
        tags = [[tag for _, tag in each] for each in copies if len(each) == 2]
        assert all(tag == sorted(tag, reverse=algorithm == "EP") for tag in tags)


# ---------------------------------------------------------------------- published results on a small scale


@pytest.mark.slow
def test_a_memory_for_16_is_safe_and_one_for_6_is_not() -> None:
    words: dict[str, Any] = {"n": 100, "K": 5, "size": 50, "p": 0.01, "tells": False, "watched": False}
    safe = own(run("lpbcast", b=16, rounds=50, **words))
    assert safe["twice"] == 0
    assert safe["in 8 rounds"] > 0.9
    assert 0.97 < safe["informed"] < 1
    critical = own(run("lpbcast", b=6, rounds=90, warm_up=40, settle=20, **words))
    assert critical["extra"] > 100
    assert critical["twice"] > 0.2
    assert critical["in 2 rounds"] > 0.1


def test_balls_inform_all_processes_where_an_epidemic_misses_some() -> None:
    words: dict[str, Any] = {"n": 100, "K": 5, "size": 50, "p": 0.01, "tells": False, "watched": False, "rounds": 40}
    some = own(run("gossip-buffer", algorithm="ETT", b=20, r=10, **words))
    assert some["everybody"] < 0.75
    most = own(run("gossip-buffer", algorithm="ETTB", b=20, r=6, **words))
    assert most["everybody"] > 0.95
    assert most["wasted"] > some["wasted"]


def test_memory_can_shrink_during_a_run() -> None:
    work = tuple(Intervention(20.5, "command", process=str(p), label="Resize", fields={"b": 2}) for p in range(12))
    assert own(run("lpbcast", b=12, seed=2))["twice"] == 0
    result = run("lpbcast", b=12, seed=2, workload=work)
    assert own(result)["twice"] > 0
    assert held(result, "at the end of a round")


def test_a_new_reception_renews_the_potential_only_on_request() -> None:
    """The event that arrived first, and arrives again with balls left, is forgotten first, or kept."""
    words = {"algorithm": "EP", "b": 8, "K": 5, "size": 50, "p": 0.02, "rounds": 60, "tells": False, "watched": False}
    kept, renewed = (own(run("gossip-buffer", 60, seed=2, renew=renew, **words)) for renew in (False, True))
    assert kept["extra"] > renewed["extra"] > 0


# ---------------------------------------------------------------------- bugs

BUGS = {
    "the history is never cut": ("lpbcast", "if len(history) > self.room:", "if False:"),
    "what is sent is never cut": ("lpbcast", "while len(events) > self.room:", "while False:"),
    "the newest are forgotten": ("lpbcast", "[*history][: len(history) - self.room]", "[*history][self.room :]"),
    "it stops a hop late": ("gossip-buffer", "if tag < r and", "if tag <= r and"),
    "hops are not counted": ("gossip-buffer", "message.append((event, tag + 1))", "message.append((event, 1))"),
    "the buffer is never cut": ("gossip-buffer", "while len(buffer) > self.b:", "while False:"),
    "balls are not shared out": ("gossip-buffer", "t = -(-tags // self.K) - 1", "t = tags - 1"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = (ROOT / "protocols" / f"{name}.py").read_text(encoding="utf-8")
    assert right in source
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong), encoding="utf-8")
    words: dict[str, Any] = {"b": 3 if "sent" in bug else 8, "rounds": 25}
    if name == "gossip-buffer":
        words |= {"algorithm": "EP" if "balls" in bug else "ETTB", "r": 4}
    broken = {check.name for check in run(str(path), seed=1, **words).checks if check.holds is False}
    sound = {check.name for check in run(name, seed=1, **words).checks if check.holds is False}
    assert broken - sound
