"""Local clocks that are fast or slow: the time that a process reads, and when its timers expire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, from_dict, to_dict
from lydian.model.network import Network, Timing

ALARM = '''"""Alarm: a process wakes itself every time unit of its own clock."""
from lydian import INIT, Process, Timer, on, states

(WAKING,) = states("waking")


class Bell(Timer):
    """The time has come."""


class Alarm(Process):
    state = WAKING
    rung: int = 0

    @on(WAKING, INIT)
    def start(self):
        self.set_timer(Bell(), after=1)

    @on(WAKING, Bell)
    def ring(self):
        self.rung += 1
        self.note(f"{self.clock:.6f}")
        if self.rung < 5:
            self.set_timer(Bell(), after=1)
'''


def ring(drifts: dict[str, float], tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, float, str]]:
    file = tmp_path_factory.mktemp("alarm") / "alarm.py"
    file.write_text(ALARM)
    network = Network("two", ("a", "b"), (), initiators=("a", "b"), drifts=drifts)
    simulator = Simulator(Experiment(name="test", protocol=str(file), network=network))
    simulator.run()
    assert simulator.error is None
    return [
        (event.process, event.time, event.detail["text"]) for event in simulator.trace.events() if event.kind == "note"
    ]


@given(drift=st.floats(0.1, 10))
def test_a_fast_clock_expires_early_and_shows_its_own_time(
    drift: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rung = ring({"a": drift}, tmp_path_factory)
    assert [text for p, _, text in rung if p == "a"] == [f"{k:.6f}" for k in range(1, 6)]
    assert [t for p, t, _ in rung if p == "a"] == pytest.approx([k / drift for k in range(1, 6)])
    assert [t for p, t, _ in rung if p == "b"] == [1, 2, 3, 4, 5]


def test_an_experiment_may_set_the_drift() -> None:
    data = {"protocol": "echo", "network": "ring:4", "timing": {"drifts": {"2": 1.05}}}
    experiment = from_dict(data)
    assert experiment.timing == Timing(drifts={"2": 1.05})
    assert to_dict(experiment)["timing"] == {"drifts": {"2": 1.05}}
    assert experiment.resolve().network.drifts == {"2": 1.05}
    with pytest.raises(BadInput, match=r"timing\.drifts\.2: the drift of the clock of process 2 must be a number"):
        from_dict({**data, "timing": {"drifts": {"2": 0}}})


def test_a_protocol_without_clocks_is_unaffected_by_drift() -> None:
    plain = Simulator(Experiment(name="test", protocol="echo", network="ring:5")).run()
    drifting = Simulator(
        Experiment(name="test", protocol="echo", network="ring:5", timing=Timing(drifts={"3": 2.0}))
    ).run()
    assert plain.fingerprint == drifting.fingerprint
