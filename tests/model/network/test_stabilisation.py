"""The global stabilisation time: before it, messages may take any time; after it, no message violates the bound."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, from_dict, loads
from lydian.model.network import Network, Timing
from lydian.model.network.netfile import from_dict as network_from
from lydian.model.network.netfile import to_dict
from lydian.model.network.stabilisation import Stabilisation
from lydian.trace.timeline import Timeline

BOUNDED = ("constant(1)", "uniform(0.5, 1.5)", "empirical(0.2, 3)", "mix(0.5: constant(1), 0.5: uniform(2, 4))")
ANY = (*BOUNDED, "exponential(mean=10)", "pareto(mean=8, a=1.2)", "constant(1000)")


@given(
    at=st.floats(0, 60), before=st.sampled_from(ANY), after=st.sampled_from(BOUNDED), seed=st.integers(0, 2**31),
    order=st.sampled_from(("fifo", "unordered")), protocol=st.sampled_from(("heartbeat", "echo", "polling")),
    twice=st.sampled_from((0.0, 0.3)),
)  # fmt: skip
def test_no_message_violates_the_bound(
    at: float, before: str, after: str, seed: int, order: str, protocol: str, twice: float
) -> None:
    gst = Stabilisation(at, parse(before), parse(after))
    timing = Timing(gst=gst, order=order, duplication=twice)
    parameters = {"beats": 12} if protocol == "heartbeat" else {}
    experiment = Experiment(
        "x", protocol=protocol, network="complete:4", seed=seed, timing=timing, breaks=("all",), parameters=parameters
    )
    timeline = Timeline(Simulator(experiment.resolve(), check=False, limit=3_000).run().trace)
    there = np.isfinite(timeline.message_arrived)
    sent, arrived = timeline.message_sent[there], timeline.message_arrived[there]
    assert np.all(arrived <= np.maximum(sent, at) + parse(after).maximum + 1e-6)


def test_the_delays_after_it_do_not_depend_on_those_before() -> None:
    def run(before: str) -> dict[float, float]:
        timing = Timing(gst=Stabilisation(0.0, parse(before), parse("uniform(0.5, 1.5)")))
        experiment = Experiment("x", protocol="echo", network="ring:6", timing=timing)
        timeline = Timeline(Simulator(experiment.resolve()).run().trace)
        return dict(zip(timeline.message_sent, timeline.message_arrived, strict=True))

    assert run("constant(1)") == run("exponential(mean=50)")


def test_it_is_written_and_read_in_experiments_and_networks() -> None:
    text = """
        name = "x"
        protocol = "echo"
        network = "ring:4"
        [timing.gst]
        at = 20
        before = "exponential(mean=10)"
        after = "uniform(0.5, 1.5)"
    """
    experiment = loads(text)
    assert experiment.timing.gst == Stabilisation(20.0, parse("exponential(mean=10)"), parse("uniform(0.5, 1.5)"))
    assert from_dict(experiment.to_dict()) == experiment
    network = experiment.resolve().network
    assert network.gst == Stabilisation(20.0, parse("exponential(mean=10)")) and network.delay.maximum == 1.5
    assert network_from(to_dict(network)) == network


@pytest.mark.parametrize(
    ("gst", "words"),
    [
        ("{ at = 5 }", "timing.gst.before: is missing"),
        ('{ before = "constant(1)" }', "timing.gst.at: is missing"),
        ('{ at = -1, before = "constant(1)" }', "timing.gst.at"),
        ('{ at = 5, before = "constant(1)", after = "exponential(mean=1)" }', "has no upper bound"),
        ("{ at = 5, before = true }", "must be a distribution"),
        ("7", "must be a table such as"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(gst: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        loads(f'protocol = "echo"\nnetwork = "ring:4"\n[timing]\ngst = {gst}')


def test_a_delay_of_a_link_needs_a_bound_too_and_one_delay_is_enough() -> None:
    gst = Stabilisation(5.0, parse("constant(9)"))
    with pytest.raises(BadInput, match="has no upper bound"):
        Network("x", ("0", "1"), (), delay=parse("exponential(mean=1)"), gst=gst)
    both = Timing(delay=parse("constant(1)"), gst=Stabilisation(5.0, parse("constant(9)"), parse("constant(2)")))
    with pytest.raises(BadInput, match="given twice"):
        Network("x", ("0", "1"), ()).with_timing(both)


@pytest.mark.parametrize("text", ANY)
def test_the_largest_draw_is_the_bound(text: str) -> None:
    law = parse(text)
    draws = law.draws(np.arange(50, dtype=np.uint64), 0, 20)
    assert draws.max() <= law.maximum
    assert math.isfinite(law.maximum) == (text in BOUNDED or text == "constant(1000)")
