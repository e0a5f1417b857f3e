"""Branches: identical to the parent until they depart, and the same whenever they are run again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.experiment.branches import ROOT, Branches, add
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.trace.difference import difference
from lydian.trace.events import Trace
from tests.strategies import connected_networks, faults

LABELS = ("Broadcast", "Ack")


def run(experiment: Experiment) -> Trace:
    return Simulator(experiment.resolve()).run().trace


@st.composite
def trees(draw: st.DrawFn) -> Branches:
    """Generate an experiment on a random network with faults and interventions, and branches of branches."""
    network = draw(connected_networks(most=7, losses=(0.0, 0.1)))
    experiment = Experiment(
        "random",
        protocol="echo",
        breaks=("all",),
        network=network,
        seed=draw(st.integers(0, 1000)),
        faults=draw(faults(network, LABELS, most=2)),
        interventions=draw(faults(network, LABELS, most=2)),
        workload=tuple(Intervention(2.0, "wake", process=name) for name in network.processes[-1:]),
        stop=Stop(events=400),
    )
    tree = Branches(experiment)
    for _ in range(draw(st.integers(1, 3))):
        parent = draw(st.sampled_from([id for id, _ in tree.walk()]))
        at = draw(st.floats(0, 8).map(lambda t: round(t, 3)))
        own = [each for each in draw(faults(network, LABELS, most=2)) if each.time >= at]
        tree, _ = add(tree, parent, own, at)
    return tree


@pytest.mark.slow
@settings(deadline=None)
@given(trees())
def test_a_branch_equals_its_parent_until_it_departs(tree):
    runs = {id: run(tree.path(id)) for id, _ in tree.walk()}
    for branch in tree.branches:
        ours, theirs = runs[branch.id], runs[branch.parent]
        assert run(tree.path(branch.id)).fingerprint() == ours.fingerprint()  # each time it is run again
        there = difference(theirs, ours)
        assert there is None or there.time >= branch.at
        before = int(np.searchsorted(theirs.column("time"), branch.at))
        assert int(np.searchsorted(ours.column("time"), branch.at)) == before
        cut = [Trace(t.rows[:before], t.processes, t.labels, t.states, t.detail_of) for t in (ours, theirs)]
        assert cut[0].fingerprint() == cut[1].fingerprint()
        assert difference(*cut) is None


@settings(max_examples=30, deadline=None)
@given(trees())
def test_any_two_runs_agree_as_long_as_the_tree_states(tree):
    ids = [id for id, _ in tree.walk()]
    runs = {id: run(tree.path(id)) for id in ids}
    for one in ids:
        for other in ids:
            shared, there = tree.shared_until(one, other), difference(runs[one], runs[other])
            assert there is None or (shared is not None and there.time >= shared)


@settings(max_examples=30, deadline=None)
@given(connected_networks(most=6), st.floats(0, 5).map(lambda t: round(t, 2)), st.data())
def test_the_difference_begins_with_the_intervention(network, time, data):
    """A crash is an event, so the branch differs exactly there."""
    name = data.draw(st.sampled_from(network.processes))
    tree = Branches(Experiment("random", protocol="echo", network=network, seed=5, breaks=("all",)))
    tree, id = add(tree, ROOT, [Intervention(time, "crash", process=name)])
    ours, theirs = run(tree.path(ROOT)), run(tree.path(id))
    there = difference(ours, theirs)
    assert there is not None
    assert there.b is not None
    assert (there.b.kind, there.b.process, there.b.time) == ("crash", name, time)
    assert there.processes[0].time == time
    assert name in {each.process for each in there.processes}
