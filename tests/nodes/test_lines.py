"""The lines between programs have the delays of a simulated run, and are cut by partitions."""

from __future__ import annotations

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.nodes.lines import Lines


def lines(spec="ring:4,delay=exponential(mean=3)", seed=5):
    return Lines(from_spec(spec), seed, lambda: 0.0)


def test_delays_are_those_of_a_simulated_run_with_the_same_seed():
    trace = Simulator(Experiment("t", protocol="echo", network="ring:4,delay=exponential(mean=3)", seed=5)).run().trace
    mine = lines()
    arrivals = {}
    for each in trace.events():
        if each.kind == "send":
            arrivals[each.message] = mine.between(each.process, each.peer).arrival(each.time)
        elif each.kind == "receive":
            assert each.time == pytest.approx(arrivals[each.message])
    assert arrivals


def test_a_fifo_line_keeps_the_order():
    line = lines("ring:4,delay=exponential(mean=3),order=fifo").between("0", "1")
    arrivals = [line.arrival(float(now)) for now in range(50)]
    assert arrivals == sorted(arrivals)


def test_a_share_of_the_messages_is_lost_but_none_to_a_process_itself():
    some = lines("ring:4,loss=0.3")
    lose = some.between("0", "1").lose
    assert 200 < sum(lose() for _ in range(1000)) < 400
    assert some.between("0", "2").lose is not None  # without a link
    assert some.between("0", "0").lose is None
    assert lines("ring:4").between("0", "1").lose is None


def test_partitions_overlap_and_end_one_by_one():
    some = lines("ring:4")
    first, second = some.wall([["0", "1"], ["2", "3"]]), some.wall([["0"], ["1", "2", "3"]])
    assert some.separate([first]) == [(("1", "2"), True), (("3", "0"), True)]
    assert some.separate([first, second]) == [(("0", "1"), True)]
    assert some.separate([second]) == [(("1", "2"), False)]
    assert some.between("0", "2").down  # a line without a link, made after the partition
    assert not some.between("0", "lin-kv").down
    some.separate([])
    assert not some.down(("0", "1"))


def test_a_cut_and_a_partition_are_independent():
    some = lines("ring:4")
    some.of(("0", "1"), one_way=True)[0].cut = True
    assert not some.down(("0", "1"))  # the other direction is up
    some.of(("0", "1"))[1].cut = True
    some.separate([some.wall([["0"], ["1"]])])
    assert some.separate([]) == [(("1", "2"), False), (("3", "0"), False)]
    assert some.down(("0", "1"))


def test_a_new_delay_is_drawn_from_then_on():
    some = lines("ring:4")
    some.retime(("0", "1"), parse("constant(80)"))
    assert [each.draw() for each in some.of(("0", "1"))] == [80.0, 80.0]
    assert some.between("1", "2").draw() < 2
