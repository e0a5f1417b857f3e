"""Partitions as a single fault, on links and in overlays, and links that are cut in one direction."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, loads
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.views.words.faultwords import told

TALK = '''
"""Each process says hello to some others, again and again."""
from lydian import *
UP, = states("up")
class Hello(Message):
    pass
class Again(Timer):
    pass
class Talk(Process):
    {needs}
    state = UP
    heard: list = []
    @on(UP, INIT)
    def start(self):
        self.set_timer(Again(), after=1.0)
    @on(UP, Again)
    def again(self, m):
        for q in {others}:
            self.send(Hello(), to=q)
        if self.clock < 9.5:
            self.set_timer(Again(), after=1.0)
    @on(UP, Hello)
    def hear(self, m, q):
        self.heard = [*self.heard, (round(self.clock, 3), q)]
'''
NAMES = ("0", "1", "2", "3")
PART = {"do": "partition", "groups": [["0", "1"], ["2", "3"]]}


def network(*links: Link) -> Network:
    return Network("n", NAMES, links, NAMES, delay=parse("constant(0.25)"))


SQUARE = network(Link("0", "1"), Link("1", "2"), Link("2", "3"), Link("3", "0"))


@pytest.fixture
def talk(tmp_path: Any) -> Any:
    def heard(*faults: Intervention, overlay: bool = False) -> tuple[dict[str, list[tuple[float, str]]], Any]:
        path = tmp_path / "talk.py"
        others = "tuple(str(q) for q in range(4) if str(q) != self.me)" if overlay else "self.neighbours"
        path.write_text(TALK.format(needs="needs = overlay" if overlay else "", others=others), encoding="utf-8")
        where = network() if overlay else SQUARE
        simulator = Simulator(Experiment("t", protocol=str(path), network=where, faults=faults))
        result = simulator.run()
        assert result.error is None
        return {p._name: list(p.heard) for p in simulator.processes}, result  # type: ignore[attr-defined]

    return heard


def pairs(heard: dict[str, list[tuple[float, str]]], since: float, until: float) -> set[tuple[str, str]]:
    return {(q, p) for p, some in heard.items() for time, q in some if since <= time < until}


INSIDE = {("0", "1"), ("1", "0"), ("2", "3"), ("3", "2")}


def test_no_message_passes_between_groups_during_a_partition(talk: Any) -> None:
    heard, result = talk(Intervention.from_dict({"time": 2.5, **PART, "until": 6.5}))
    every = {(a, b) for link in SQUARE.links for a, b in ((link.a, link.b), (link.b, link.a))}
    assert pairs(heard, 0, 2.5) == every == pairs(heard, 7, 20)
    assert pairs(heard, 2.5, 7) == INSIDE
    rows = [(e.kind, e.time, {e.process, e.peer}) for e in result.trace.events() if e.kind.startswith("link")]
    ends = [{"1", "2"}, {"3", "0"}]
    assert rows == [("link_down", 2.5, each) for each in ends] + [("link_up", 6.5, each) for each in ends]


def test_healing_a_partition_leaves_other_cut_links(talk: Any) -> None:
    heard, _ = talk(
        Intervention(2.5, "link_down", link=("1", "2")),
        Intervention.from_dict({"time": 2.6, **PART}),
        Intervention(6.5, "heal"),
    )
    assert pairs(heard, 7, 20) - INSIDE == {("0", "3"), ("3", "0")}


def test_two_partitions_overlap(talk: Any) -> None:
    heard, _ = talk(
        Intervention(1.5, "partition", groups=(("0",),), until=7.5),
        Intervention.from_dict({"time": 2.5, **PART, "until": 4.5}),
    )
    assert pairs(heard, 2.6, 4.5) == {("2", "3"), ("3", "2")}
    assert pairs(heard, 5, 7.5) == {("1", "2"), ("2", "1"), ("2", "3"), ("3", "2")}
    assert len(pairs(heard, 8, 20)) == 8


def test_an_overlay_is_partitioned_without_links(talk: Any) -> None:
    heard, result = talk(Intervention.from_dict({"time": 2.5, **PART, "until": 6.5}), overlay=True)
    assert len(pairs(heard, 0, 2.5)) == len(pairs(heard, 7, 20)) == 12
    assert pairs(heard, 2.5, 7) == INSIDE
    notes = [event.detail["text"] for event in result.trace.events() if event.kind == "note"]
    assert notes == ["cut off from each other: 0, 1 | 2, 3", "the partition is over"]


def test_messages_in_transit_between_the_groups_are_lost(talk: Any) -> None:
    for overlay in (False, True):
        _, result = talk(Intervention.from_dict({"time": 2.1, **PART}), overlay=overlay)
        lost = [e for e in result.trace.events() if e.kind == "drop" and e.time == 2.1]
        assert len(lost) == (8 if overlay else 4) and {e.detail["reason"] for e in lost} == {"link down"}


def test_a_link_is_cut_in_one_direction(talk: Any) -> None:
    heard, result = talk(
        Intervention(2.5, "link_down", link=("1", "2"), one_way=True),
        Intervention(6.5, "link_up", link=("1", "2"), one_way=True),
    )
    assert ("1", "2") not in pairs(heard, 2.5, 7) and ("2", "1") in pairs(heard, 2.5, 7)
    assert ("1", "2") in pairs(heard, 7, 20)
    (down,) = [e for e in result.trace.events() if e.kind == "link_down"]
    assert (down.process, down.peer, down.detail) == ("1", "2", {"one_way": True})


def test_partitions_that_cut_nothing_and_healing_without_one_are_refused(talk: Any, tmp_path: Any) -> None:
    talk()
    simulator = Simulator(Experiment("t", protocol=str(tmp_path / "talk.py"), network=SQUARE), round_length=1.0)
    said: list[Any] = []
    for do in ({"do": "heal"}, PART, PART, {"do": "heal"}):
        simulator.interact(Intervention.from_dict({"time": 0, **do}), 0, said.append)
        simulator.round()
    assert [each.accepted for each in said] == [False, True, False, True]
    assert said[0].reason == "the network is not partitioned"
    assert said[2].reason == "these groups are already cut off from each other"
    again = Simulator(simulator.recorded).run()
    while simulator.round():
        pass
    assert again.fingerprint == simulator.result().fingerprint


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("", "faults[0]: partition needs groups; write, for example, groups = [[0, 1], [2, 3, 4]]"),
        ("groups = [[]]", "faults[0].groups: a group has no process"),
        ("groups = [[0], [0, 1]]", "faults[0].groups: process '0' is in two groups"),
        ("groups = [0, 1]", "faults[0].groups: must be lists of processes such as [[0, 1], [2, 3, 4]], not [0, 1]"),
        ("groups = [[0, 9]]", "faults[0].groups: unknown process '9' of network"),
        ("groups = [[0]]\nuntil = 1", "faults[0].until: must be a time later than 2, not 1"),
    ],
)
def test_a_wrong_partition_is_an_error(lines: str, sentence: str) -> None:
    text = f'protocol = "lamport-clocks"\nnetwork = "ring:4"\n[[faults]]\ntime = 2\ndo = "partition"\n{lines}\n'
    with pytest.raises(BadInput) as caught:
        loads(text).resolve()
    assert sentence in str(caught.value)


def test_the_record_survives_saving_and_has_a_description() -> None:
    part = Intervention.from_dict({"time": 2, **PART, "until": 3})
    one = Experiment("t", protocol="lamport-clocks", network="ring:4", faults=(part,))
    assert loads(one.to_toml()).faults == (part,)
    assert told(part) == "0, 1 | 2, 3 cut off until 3.0"
    assert told(Intervention(1, "link_down", link=("1", "2"), one_way=True)) == (
        "Link from 1 to 2 cut, in this direction only"
    )
