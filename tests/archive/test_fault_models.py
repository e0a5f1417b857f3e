"""Each fault model has two archive experiments: one that an algorithm tolerates, and one that it does not."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.interventions import HOWS, Intervention

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
NAMES = [name for name in ARCHIVE.names("experiments") if name.startswith("fault-")]
MODELS = ("crash", "omission", "timing", "partition", "byzantine")


@cache
def ran(name: str) -> tuple[Simulator, Result]:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    return simulator, simulator.run()


def found(name: str) -> list[Any]:
    return list(ran(name)[0].processes)


@pytest.mark.parametrize("name", NAMES)
def test_the_run_ends_as_described(name: str) -> None:
    """The first word of ``about`` is the verdict."""
    about = ARCHIVE.experiment(name).about
    _, result = ran(name)
    assert re.match(r"(Tolerated|Not tolerated): ", about)
    assert result.error is None
    assert bool(result.violated) is about.startswith("Not")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("fault-omission-flooding-line",)])
def test_without_the_fault_the_properties_hold(name: str) -> None:
    """The fault is the cause: the same run without it satisfies the properties."""
    experiment = ARCHIVE.experiment(name)
    plain: Any = {**vars(experiment.timing), "loss": None}
    honest = experiment.with_(faults=(), timing=type(experiment.timing)(**plain))
    result = Simulator(honest.resolve(ARCHIVE)).run()
    assert not result.violated
    assert result.error is None


@pytest.mark.parametrize("model", MODELS)
def test_every_model_has_both_kinds_of_experiments(model: str) -> None:
    verdicts = {bool(ran(name)[1].violated) for name in NAMES if name.startswith(f"fault-{model}-")}
    assert verdicts == {False, True}


def test_the_guide_page_names_all_models() -> None:
    page = (ROOT / "resources" / "guide" / "fault-models.md").read_text()
    assert set(re.findall(r"lydian:run/(fault-[\w-]+)", page)) == set(NAMES)
    for how in HOWS:
        assert f'`"{how}"`' in page


# ---------------------------------------------------------------------- content of the descriptions


def test_crash() -> None:
    assert [p.leader for p in found("fault-crash-bully")] == ["3", "3", "3", "3", "4", "5"]
    waits = {p.me: p.pending for p in found("fault-crash-collect")}
    assert [me for me, pending in waits.items() if "6" in pending] == ["3", "5", "8", "9"]
    assert all(p.leader is None for p in found("fault-crash-collect"))


def test_omission() -> None:
    simulator, result = ran("fault-omission-mutex")
    lost = [(e.label, e.peer, e.process) for e in simulator.trace.events() if e.kind == "drop"]
    assert lost == [("Release", "5", "1")]
    assert {p.me: p.entered for p in found("fault-omission-mutex")} == {**dict.fromkeys("01234", 0), "5": 1}
    assert "every request is served" in {check.name for check in result.violated}
    _, flooded = ran("fault-omission-flooding")
    assert 0.1 < flooded.measures["dropped"] / flooded.messages < 0.35
    simulator, _ = ran("fault-omission-voting")
    assert not any(e.kind == "send" and e.process == "2" for e in simulator.trace.events())
    assert len({p.leader for p in found("fault-omission-voting")}) == 1


def test_timing() -> None:
    assert {p.me: p.leader for p in found("fault-timing-bully")} == {
        "0": "4", "1": "4", "2": "5", "3": "5", "4": "5", "5": "5",
    }  # fmt: skip
    honest = ARCHIVE.experiment("fault-timing-sequencer").with_(faults=())
    assert ran("fault-timing-sequencer")[1].time > 2 * Simulator(honest.resolve(ARCHIVE)).run().time


def test_partition() -> None:
    assert [p.leader for p in found("fault-partition-bully")] == ["2", "2", "2", "5", "5", "5"]
    leads = [(e.time, e.process) for e in ran("fault-partition-voting")[0].trace.events() if e.state == "leader"]
    before = {who for time, who in leads if time < 60}
    assert before <= {"3", "4", "5", "6", "7"}
    assert before
    assert len({p.leader for p in found("fault-partition-voting")}) == 1


def test_byzantine() -> None:
    heard = {p.me: p.leader for p in found("fault-byzantine-collect")}
    assert {me for me, leader in heard.items() if leader != "11"} == {"9", "11"}
    assert not any(p.state == "leader" for p in found("fault-byzantine-lelann"))
    simulator, result = ran("fault-byzantine-voting")
    assert "a term has at most one leader" in {check.name for check in result.violated}
    assert sum("babbled" in (e.detail or {}) for e in simulator.trace.events()) > 20


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 9999), silent=st.sets(st.integers(1, 15), max_size=3))
def test_no_three_silent_processes_stop_flooding_on_a_hypercube(seed: int, silent: set[int]) -> None:
    """A hypercube of dimension four stays connected without any three processes."""
    faults = [Intervention(0.0, "byzantine", process=str(p), how="mute") for p in sorted(silent)]
    experiment = ARCHIVE.experiment("fault-byzantine-flooding").with_(faults=tuple(faults), seed=seed)
    assert not Simulator(experiment.resolve(ARCHIVE)).run().violated
