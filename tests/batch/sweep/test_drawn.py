"""Faults drawn from the seed alone in a given number; more faults include the targets of fewer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from tests.batch.conftest import sweep_of

RING = {"protocol": "echo", "network": "ring:8"}


def faults_of(faults, *, count=0, seed=0):
    sweep = sweep_of(experiment=RING, vary=[{"name": "k", "values": [count]}], faults=faults, seeds=[seed])
    return sweep.experiment(0).faults


@given(st.integers(0, 7), st.integers(0, 1000))
def test_more_faults_include_the_targets_of_fewer(count, seed):
    crash = [{"do": "crash", "count": "{k}", "time": "uniform(0, 5)"}]
    few, many = (faults_of(crash, count=k, seed=seed) for k in (count, count + 1))
    assert len(few) == count
    assert {each.process for each in few} < {each.process for each in many}
    assert all(0 <= each.time <= 5 for each in many)


def test_initiators_can_be_spared():
    found = faults_of([{"do": "crash", "fraction": 1, "among": "others"}])
    initiators = archive().network("ring:8").initiators
    assert len(found) == 7
    assert not {each.process for each in found} & set(initiators)


def test_a_crash_that_lasts_ends_with_a_recovery():
    crash, recover = faults_of([{"do": "crash", "count": 1, "time": 2, "lasts": 3}])
    assert (crash.do, crash.time, recover.do, recover.time) == ("crash", 2.0, "recover", 5.0)
    assert crash.process == recover.process


def test_links_go_down():
    (found,) = faults_of([{"do": "link_down", "count": 1}])
    assert found.link is not None


def test_scrambled_processes_get_independent_states():
    found = faults_of([{"do": "scramble", "count": 3}])
    assert len({each.seed for each in found}) == 3


def test_more_faults_than_targets():
    with pytest.raises(BadInput, match=r"faults\[0\].count: must be at most 8, the number of processes, not 9"):
        faults_of([{"do": "crash", "count": "{k}"}], count=9)


def test_entries_draw_independently():
    one, two = faults_of([{"do": "crash", "count": 1, "time": "uniform(0, 5)"}] * 2, seed=5)
    assert one.time != two.time
