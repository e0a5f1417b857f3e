"""Long lists, sets and dictionaries are recorded as differences and read back as the original values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.engine.state.snapshots import LEAST, Recorded, difference, kept_as
from lydian.model.delays import Constant
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Link, Network
from lydian.trace.details import changes_in, detail_texts
from lydian.trace.difference import difference as difference_of_runs
from lydian.trace.differences import Differences
from lydian.trace.parquet.file import load, save
from lydian.trace.parquet.recorder import to_json
from lydian.trace.timeline import Timeline

HISTORY = """
from lydian import *
IDLE, DONE = states("idle", "done")
class Tick(Message):
    count: int = 0
class P(Process):
    state = IDLE
    log: list[int] = []
    count: int = 0
    seen: set[int] = set()
    last: dict[str, int] = {}
    @on(IDLE, INIT)
    def start(self):
        self.send(Tick(), to=self.neighbours[0])
    @on(IDLE, Tick)
    def tick(self, m, q):
        self.log.append(m.count)
        self.count = m.count
        self.seen.add(m.count)
        self.last[str(m.count % 90)] = m.count
        if m.count % 50 == 49:
            self.log[0] = -m.count
            self.seen.discard(m.count // 2)
        if m.count < 300:
            self.send(Tick(m.count + 1), to=q)
"""


def started(value: Any) -> Any:
    """Return a value with so many items that it is recorded as differences."""
    return {
        list: lambda: list(range(2 * LEAST)), tuple: lambda: tuple(range(2 * LEAST)),
        set: lambda: set(range(2 * LEAST)), dict: lambda: {f"k{i}": i for i in range(2 * LEAST)},
    }[value]()  # fmt: skip


def change(value: Any, what: str, number: int) -> None:
    """Change a list, a set or a dictionary in one of several ways."""
    if isinstance(value, list):
        {
            "more": lambda: value.append(number), "several": lambda: value.extend([number, [number]]),
            "less": lambda: value and value.pop(),
            "other": lambda: value and value.__setitem__(number % len(value), -1),
            "none": lambda: None, "all": value.clear,
        }[what]()  # fmt: skip
    elif isinstance(value, set):
        {
            "more": lambda: value.add(number), "several": lambda: value.update({number, f"s{number}", (1, number)}),
            "less": lambda: value.discard(number % 80), "other": lambda: value.symmetric_difference_update({number, 3}),
            "none": lambda: None, "all": value.clear,
        }[what]()  # fmt: skip
    else:
        {
            "more": lambda: value.update({f"k{number}": number}),
            "several": lambda: value.update({"a": [number], "b": 1}),
            "less": lambda: value.pop(f"k{number % 80}", None), "other": lambda: value.update(k3=number),
            "none": lambda: None, "all": value.clear,
        }[what]()  # fmt: skip


WAYS = st.sampled_from(["more", "more", "more", "several", "less", "other", "none", "all"])


@given(st.sampled_from([list, tuple, set, dict]), st.lists(st.tuples(WAYS, st.integers(0, 200)), max_size=80))
def test_any_change_is_read_back_unchanged(kind: type, steps: list[tuple[str, int]]) -> None:
    now = started(kind)
    kept, text = kept_as(now)
    record: dict[int, dict[str, Any]] = {0: {"changed": {"v": json.loads(text)}}}
    expected = {0: json.loads(text)}
    recorded = Recorded([0])
    for seq, (way, number) in enumerate(steps, 1):
        if kind is tuple:
            items = list(now)
            change(items, way, number)
            now = tuple(items)
        else:
            change(now, way, number)
        if now == kept:
            continue
        found = difference(kept, now, recorded)
        if found is None:
            kept, text = kept_as(now)
            record[seq] = {"changed": {"v": json.loads(text)}}
            recorded = Recorded([seq], kept is now)
        else:
            kept, text = found
            record[seq] = {"grown": {"v": json.loads(text)}}
            recorded.where = [seq]
        assert kept == now
        expected[seq] = json.loads(to_json(now))
    whole = Differences(record.get)
    for seq in (*expected, *reversed(expected)):
        value = whole.value("v", seq)
        assert value == expected[seq]
        assert list(value) == list(expected[seq])


def ran(folder: Path) -> Simulator:
    file = folder / "history.py"
    file.write_text(HISTORY)
    network = Network("pair", ("0", "1"), (Link("0", "1"),), delay=Constant(1.0), initiators=("0",))
    simulator = Simulator(Experiment(name="test", protocol=str(file), network=network))
    simulator.run()
    assert simulator.error is None
    return simulator


def test_a_growing_history_is_recorded_by_additions_and_read_back_whole(tmp_path: Path) -> None:
    simulator = ran(tmp_path)
    trace = simulator.trace
    texts = dict(detail_texts(trace))
    grown = [seq for seq, text in texts.items() if '"grown"' in text]
    assert len(grown) > 150
    assert sum(map(len, texts.values())) < 70_000  # whole values would take some 300,000
    save(trace, tmp_path / "history.parquet")
    for read in (trace, load(tmp_path / "history.parquet")):
        timeline = Timeline(read)
        logs: dict[int, list[int]] = {0: [], 1: []}
        for seq in range(timeline.length):
            if read.event(seq).kind != "receive":
                continue
            p, log = int(timeline.process[seq]), logs[int(timeline.process[seq])]
            count = sum(map(len, logs.values()))
            log.append(count)
            if count % 50 == 49:
                log[0] = -count
            variables = timeline.variables(p, seq + 1)
            assert variables["log"] == (log, seq)
            assert variables["count"][0] == count
            assert variables["last"][0][str(count % 90)] == count
            assert changes_in(read, seq, texts[seq])["log"] == log
        for p in (0, 1):
            assert timeline.variable_at("log", timeline.length)[p] == simulator.processes[p].log
            assert sorted(timeline.variable_at("seen", timeline.length)[p]) == sorted(simulator.processes[p].seen)
            assert timeline.variable_at("last", timeline.length)[p] == simulator.processes[p].last


def test_a_growing_tuple_is_recorded_by_its_additions(tmp_path: Path) -> None:
    file = tmp_path / "tuples.py"
    text = HISTORY.replace("log: list[int] = []", "log: tuple[int, ...] = ()").replace("seen: set[int] = set()", "")
    text = text.replace("self.log.append(m.count)", "self.log += (m.count,)").replace("self.seen.add(m.count)", "pass")
    text = text.replace("self.log[0] = -m.count", "pass").replace("self.seen.discard(m.count // 2)", "pass")
    file.write_text(text)
    network = Network("pair", ("0", "1"), (Link("0", "1"),), delay=Constant(1.0), initiators=("0",))
    simulator = Simulator(Experiment(name="test", protocol=str(file), network=network))
    simulator.run()
    assert simulator.error is None and len(simulator.processes[0].log) > 100
    lines = [text for _, text in detail_texts(simulator.trace) if '"append"' in text]
    assert len(lines) > 150 and sum(map(len, lines)) < 30_000
    timeline = Timeline(simulator.trace)
    for p in (0, 1):
        assert timeline.variable_at("log", timeline.length)[p] == list(simulator.processes[p].log)


def test_an_unchanged_history_is_not_recorded(tmp_path: Path) -> None:
    assert difference_of_runs(ran(tmp_path).trace, ran(tmp_path).trace) is None
