"""Processes that move: links are up exactly while their ends are in range, and the seed determines the movement."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Stop, loads
from lydian.model.experiment.mobility import Mobility
from lydian.model.generators import from_spec
from lydian.model.network import Link

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = Archive(None, ROOT)
TEXT = """
protocol = "flooding"
network = "grid:3x3"
[mobility]
reach = 120
speed = "uniform(2, 6)"
until = 60.0
"""


def walk(reach: float = 150.0, **more: Any) -> Mobility:
    told = {"speed": parse("uniform(5, 20)"), "until": 60.0, "pause": parse("exponential(mean=4)"), **more}
    return Mobility(reach, **told)


@settings(max_examples=8, deadline=None)
@given(st.integers(2, 9), st.integers(0, 1000), st.floats(20, 400), st.booleans())
def test_a_link_is_up_exactly_while_its_ends_are_in_range(n: int, seed: int, reach: float, rests: bool) -> None:
    network = from_spec(f"isolated:{n}")
    mobility = walk(reach, begin=3.0, pause=parse("exponential(mean=4)") if rests else None)
    paths = mobility.paths(network, seed)
    moved, changes = mobility.over(network, seed)
    up = {(link.a, link.b) for link in moved.links}
    assert [each.time for each in changes] == sorted(each.time for each in changes)
    times = np.sort(np.random.default_rng(seed).uniform(0.01, 70, 40))
    waiting = list(changes)
    for t in times.tolist():
        while waiting and waiting[0].time <= t:
            each = waiting.pop(0)
            (up.add if each.do == "link_up" else up.discard)(each.link)  # type: ignore[arg-type]
        at = paths.at(t)
        for i in range(n):
            for j in range(i + 1, n):
                away = float(np.hypot(*(at[i] - at[j])))
                if abs(away - reach) > 1e-6:
                    assert ((str(i), str(j)) in up) is (away <= reach)


def test_moving_processes_stay_in_the_box_and_within_their_speed() -> None:
    network = ARCHIVE.network("grid-4x5")
    paths = walk().paths(network, 7)
    places = np.array([paths.at(t) for t in np.linspace(0, 60, 601)])
    low, high = network.coordinates.min(axis=0), network.coordinates.max(axis=0)
    assert (places >= low - 1e-9).all() and (places <= high + 1e-9).all()
    speeds = np.hypot(*np.diff(places, axis=0).transpose(2, 0, 1)) / 0.1
    assert 5 <= speeds.max() <= 20 + 1e-6
    assert (speeds < 1e-9).any()  # some process rests
    assert np.array_equal(paths.at(60), paths.at(1e6)) and paths.end == 60


def test_the_named_movement_and_the_seed_determine_the_path() -> None:
    network = from_spec("grid:3x3")
    paths = walk(processes=("4", "8")).paths(network, 1)
    still = [i for i, name in enumerate(network.processes) if name not in ("4", "8")]
    assert np.array_equal(paths.at(0)[still], paths.at(59)[still])
    assert not np.array_equal(paths.at(0)[4], paths.at(59)[4])
    assert np.array_equal(walk().paths(network, 1).at(30), walk().paths(network, 1).at(30))
    assert not np.array_equal(walk().paths(network, 1).at(30), walk().paths(network, 2).at(30))


def test_links_keep_the_settings_of_the_network() -> None:
    network = from_spec("line:3")
    slow = network.replace(links=(Link("0", "1", delay=parse("constant(9)")), network.links[1]))
    moved, _ = walk(2000.0).over(slow, 0)
    assert moved.m == 3
    assert moved.link_between("0", "1").delay == parse("constant(9)")  # type: ignore[union-attr]


def test_settings_in_a_file_are_read_and_written_back() -> None:
    experiment = loads(TEXT)
    assert experiment.mobility == Mobility(120.0, parse("uniform(2, 6)"), 60.0)
    walking = ARCHIVE.experiment("mobile-dag-walk")
    assert loads(walking.to_toml()) == walking.with_(path=None)
    resolved = experiment.resolve(ARCHIVE)
    assert {each.do for each in resolved.drawn} == {"link_up", "link_down"}
    assert all(math.isfinite(each.time) for each in resolved.drawn)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("reach = 120\n", "reach is missing; write, for example, reach = 180.0"),
        ("reach = -1", "must be a distance greater than 0, not -1"),
        ('speed = "fast"', "speed"),
        ("speed = 0", "must be greater than 0 on average"),
        ("until = 0.0", "must be later than the beginning at 0, not 0"),
        ("processes = 3", 'must be a list of processes such as ["3", "4"], not 3'),
        ('processes = ["x"]', "unknown process 'x' of network grid-3x3"),
        ('met = "Wanted"', "unknown command 'Wanted' of protocol flooding"),
        ("color = 1", "color"),
    ],
)
def test_errors_name_their_place(wrong: str, right: str) -> None:
    key = wrong.split(" ")[0]
    lines = [line for line in TEXT.splitlines() if not line.startswith(key)]
    text = "\n".join(lines if wrong.endswith("\n") else [*lines, wrong])
    with pytest.raises(BadInput) as error:
        loads(text).resolve(ARCHIVE)
    assert right in str(error.value) and "mobility" in str(error.value)


def test_one_way_links_are_refused() -> None:
    network = from_spec("line:3")
    one_way = network.replace(links=(Link("0", "1", directed=True), network.links[1]))
    with pytest.raises(BadInput, match="both ways"):
        walk().over(one_way, 0)


def test_both_ends_are_notified_after_the_link_changes() -> None:
    experiment = Experiment(
        "t", protocol="mobile-dag", network="grid-4x5", mobility=walk(met="Meet", lost="Lost"), stop=Stop(until=60.0)
    )
    drawn = experiment.resolve(ARCHIVE).drawn
    for k, each in enumerate(drawn):
        if each.do in ("link_up", "link_down"):
            first, second = drawn[k + 1 : k + 3]
            assert (first.process, second.process) == each.link
            assert first.label == second.label == {"link_up": "Meet", "link_down": "Lost"}[each.do]
            assert (first.fields["neighbour"], second.fields["neighbour"]) == each.link[::-1]  # type: ignore[index]
