"""Publish/subscribe on mobile DAGs with many topics: subscribing joins a layer, and unsubscribing leaves it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.experiment.traffic import Traffic
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.pieces.animation import animation_for
from lydian.pieces.derived import with_derived
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
NAME = "mobile-dag-topics"
FEW = settings(max_examples=6, deadline=None)
CIRCLE = "no layer contains a directed cycle"
WINDING = "val rises as often as it falls around any cycle in any layer"


def run(network: Network | str, seed: int = 0, protocol: str = NAME, **more: Any) -> tuple[Any, Result]:
    network = from_spec(network).with_timing(Timing(order="fifo")) if isinstance(network, str) else network
    more["parameters"] = {"duty": 0, "retry": 3.0, **more.get("parameters", {})}
    more.setdefault("stop", Stop(until=80.0))
    simulator = Simulator(Experiment("t", protocol=protocol, network=network, seed=seed, **more).resolve(ARCHIVE))
    result = simulator.run()
    assert result.error is None
    return simulator, result


def ask(time: float, who: str, label: str, topic: int = 1, **fields: Any) -> Intervention:
    return Intervention(time, "command", process=who, label=label, fields={"topic": topic, **fields})


def failed(result: Result) -> set[str]:
    """Return the properties that do not hold; the message count is known only without churn."""
    return {check.name.split(",")[0] for check in result.checks if check.holds is False and check.kind != "messages"}


def spread(result: Result) -> bool | None:
    return next(check.holds for check in result.checks if check.kind == "eventually")


def links(simulator: Any, topic: int) -> dict[str, set[str]]:
    """Map each member of a layer to the processes to which it has a link there."""
    return {p._name: set(p.N[topic]) for p in simulator.processes if topic in p.topics_of}


# ---------------------------------------------------------------------- churn everywhere

TOPICS = 2
CHURN = st.lists(
    st.tuples(
        st.floats(0, 60).map(lambda time: round(time, 2)),
        st.integers(0, 6),
        st.sampled_from(("Subscribe", "Subscribe", "Unsubscribe", "Publish")),
        st.integers(1, TOPICS),
    ),
    max_size=30,
)


def test_a_process_that_unsubscribes_before_any_message_stays_outside() -> None:
    away = ask(0.0, "1", "Unsubscribe")
    simulator, result = run("line:2", parameters={"topics": 2, "interest": 1.0, "mode": "safe"}, workload=(away,))
    assert failed(result) == set()
    assert 1 not in simulator.processes[1].topics_of and 2 in simulator.processes[1].topics_of


@FEW
@given(
    connected_networks(most=7, orders=("fifo",)),
    st.integers(0, 1000),
    st.sampled_from(("safe", "heights")),
    st.sampled_from((0.0, 0.5, 1.0)),
    CHURN,
)
def test_under_churn_every_layer_keeps_its_properties(
    network: Network, seed: int, mode: str, interest: float, churn: list[tuple[float, int, str, int]]
) -> None:
    churn = sorted((time, who % network.n, label, topic) for time, who, label, topic in churn)
    workload = tuple(ask(time, network.processes[who], label, topic) for time, who, label, topic in churn)
    parameters = {"topics": TOPICS, "interest": interest, "mode": mode}
    simulator, result = run(network, seed, parameters=parameters, workload=workload, stop=Stop(until=120.0))
    assert failed(result) == set() and (spread(result) is True or not result.messages)  # alone, it proves nothing
    wanted = {(who, topic): label == "Subscribe" for _, who, label, topic in churn if label != "Publish"}
    for (who, topic), inside in wanted.items():
        p = simulator.processes[who]
        waits = p.input[topic] and not p.N[topic]  # alone with its publications, it waits for a listener
        assert (topic in p.topics_of) is inside or waits
    for topic in range(1, TOPICS + 1):
        near = links(simulator, topic)
        for me, mine in near.items():
            p = simulator.processes[network.index[me]]
            assert mine <= near.keys() & set(p.neighbours)  # only between neighbours that are both members
            assert all(me in near[q] or me in p.asked[topic] or p.frozen[topic] for q in mine)
            assert all(p.lid[topic] != simulator.processes[network.index[q]].lid[topic] for q in mine)


# ---------------------------------------------------------------------- layers are independent


def gave_way(result: Result, topics: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Return each message about giving way in one of these layers: time, sender, receiver and val."""
    timeline, found = Timeline(result.trace), []
    news = result.trace.labels.index("News")
    for k in range(timeline.length):
        if timeline.kind[k] == Kind.SEND and timeline.label[k] == news:
            fields = (result.trace.detail(k) or {})["fields"]
            if fields["topic"] in topics:
                who, whom = (timeline.processes[each[k]] for each in (timeline.process, timeline.peer))
                found.append((float(timeline.time[k]), who, whom, fields["topic"], fields["val"]))
    return found


@FEW
@given(
    connected_networks(most=6, orders=("fifo",)), st.integers(0, 1000), st.sampled_from(("safe", "paper", "heights")),
    CHURN,
)  # fmt: skip
def test_joining_and_leaving_one_layer_does_not_affect_the_others(
    network: Network, seed: int, mode: str, churn: list[tuple[float, int, str, int]]
) -> None:
    """All are awake and delays are constant: otherwise one more message on a link would change the delays after it."""
    one = parse("constant(1)")
    plain = tuple(replace(link, delay=None) for link in network.links)
    network = network.replace(links=plain, delay=one, step=None)
    workload = tuple(
        ask(8.0 + time, network.processes[who % network.n], label) for time, who, label, _ in sorted(churn)
    )
    parameters = {"topics": 3, "interest": 0.7, "mode": mode}
    _, quiet = run(network, seed, parameters=parameters, stop=Stop(until=70.0))
    _, restless = run(network, seed, parameters=parameters, workload=workload, stop=Stop(until=70.0))
    assert gave_way(restless, (2, 3)) == gave_way(quiet, (2, 3))


#: Which processes join two layers, leave them, and publish there.
RESTLESS = tuple(
    Traffic(label, parse(f"exponential(mean={mean})"), until=80.0, fields={"topic": "choice(1, 2)"})
    for label, mean in {"Publish": 5, "Subscribe": 3, "Unsubscribe": 4}.items()
)


@pytest.mark.slow
def test_joins_as_printed_stop_one_layer_and_not_the_other() -> None:
    network = from_spec("gnm:10,16,seed=5").with_timing(Timing(order="fifo", delay=parse("uniform(0.2, 1.8)")))
    broken = {}
    for mode in ("paper", "safe", "heights"):
        parameters = {"mode": mode, "topics": 2, "interest": 0.7}
        _, result = run(network, 5, parameters=parameters, traffic=RESTLESS, stop=Stop(until=140.0))
        broken[mode] = failed(result)
        last = [max(turn[0] for turn in gave_way(result, (topic,))) for topic in (1, 2)]
        assert max(last) > 135.0 and (min(last) > 135.0 or mode == "paper")
    assert broken == {"paper": {CIRCLE, WINDING}, "safe": set(), "heights": set()}


# ---------------------------------------------------------------------- small cases


def test_the_first_process_in_a_layer_has_the_value_0_and_others_join_it() -> None:
    news = ask(70.0, "0", "Publish", content="late")
    workload = (ask(5.0, "0", "Subscribe"), ask(20.0, "1", "Subscribe"), ask(40.0, "2", "Subscribe"), news)
    simulator, result = run("line:3", parameters={"interest": 0.0}, workload=workload, stop=Stop(until=100.0))
    assert failed(result) == set()
    assert links(simulator, 1) == {"0": {"1"}, "1": {"0", "2"}, "2": {"1"}} and links(simulator, 2) == {}
    first, second, third = simulator.processes
    assert first.lid[1] == 1 and second.lid[1] == 2 and third.lid[1] == 3
    assert len({p.turns[1] > 3 for p in simulator.processes}) == 1
    (item,) = first.mine
    assert all(item in p.seen for p in simulator.processes)
    assert result.measures["own"] == {"joins": 3, "reached": None}


@pytest.mark.parametrize("seed", range(4))
def test_two_neighbours_that_subscribe_together_find_each_other(seed: int) -> None:
    workload = (ask(5.0, "0", "Subscribe"), ask(5.0, "1", "Subscribe"))
    simulator, result = run("line:2", seed, parameters={"interest": 0.0}, workload=workload)
    assert failed(result) == set()
    assert links(simulator, 1) == {"0": {"1"}, "1": {"0"}}


@pytest.mark.parametrize("seed", range(4))
def test_an_isolated_member_joins_the_members_a_newcomer_did_not_link(seed: int) -> None:
    workload = (ask(5.0, "0", "Subscribe"), ask(5.0, "2", "Subscribe"), ask(20.0, "1", "Subscribe"))
    simulator, result = run("line:3", seed, parameters={"interest": 0.0}, workload=workload)
    assert failed(result) == set()
    assert links(simulator, 1) == {"0": {"1"}, "1": {"0", "2"}, "2": {"1"}}


def test_a_leaving_process_first_passes_on_its_knowledge() -> None:
    workload = (ask(10.0, "1", "Publish", content="late"), ask(10.0, "1", "Unsubscribe"))
    simulator, result = run("line:4", workload=workload)
    assert failed(result) == set()
    assert links(simulator, 1) == {"0": set(), "2": {"3"}, "3": {"2"}}
    assert links(simulator, 2) == {"0": {"1"}, "1": {"0", "2"}, "2": {"1", "3"}, "3": {"2"}}
    (item,) = simulator.processes[1].mine
    assert all(item in p.seen for p in simulator.processes)


def test_a_sink_ends_its_turn_before_it_leaves() -> None:
    simulator, _ = run("line:2", parameters={"topics": 1, "hold": 6.0}, stop=Stop(until=4.0))
    (sink,) = (p._name for p in simulator.processes if p.state == "sink")
    workload = (ask(4.0, sink, "Unsubscribe"),)
    simulator, result = run("line:2", parameters={"topics": 1, "hold": 6.0}, workload=workload, stop=Stop(until=20.0))
    assert failed(result) == set()
    assert [turn[1] for turn in gave_way(result, (1,))] == [sink]
    assert sink not in links(simulator, 1)


@pytest.mark.parametrize("wait", [0.0, 0.4, 1.2, 2.5, 8.0])
def test_the_last_request_of_the_user_holds(wait: float) -> None:
    """This holds also during joining and leaving: a process joins again once it is out, and leaves once it is in."""
    there = (ask(10.0, "1", "Unsubscribe"), ask(10.0 + wait, "1", "Subscribe"))
    simulator, result = run("ring:4", workload=there)
    assert failed(result) == set()
    assert "1" in links(simulator, 1)
    away = (*there, ask(30.0, "1", "Unsubscribe"), ask(50.0, "1", "Subscribe"), ask(50.0 + wait, "1", "Unsubscribe"))
    simulator, result = run("ring:4", workload=away, stop=Stop(until=100.0))
    assert failed(result) == set()
    assert "1" not in links(simulator, 1) and not any("1" in near for near in links(simulator, 1).values())


def test_unknown_and_empty_topics_have_no_effect() -> None:
    workload = (ask(5.0, "0", "Subscribe", 7), ask(6.0, "0", "Unsubscribe", 7), ask(7.0, "0", "Publish", 7))
    simulator, result = run("ring:4", workload=workload)
    assert failed(result) == set()
    assert not any(7 in p.topics_of | p.joining | p.going for p in simulator.processes)


def test_a_process_that_subscribes_before_any_message_wakes_up() -> None:
    """The neighbours of 3 are told that it is not interested, and later that it is."""
    workload = (ask(0.1, "3", "Subscribe"), ask(0.1, "3", "Subscribe", 2))
    simulator, result = run("ring:6", parameters={"interest": 0.0}, workload=workload)
    assert failed(result) == set()
    assert links(simulator, 1) == {"3": set()}


def slow_link(protocol: str = NAME) -> Result:
    """0 and 1 are in the layer but do not know it for a long time; meanwhile 2 asks both."""
    network = from_spec("ring:3").with_timing(Timing(order="fifo"))
    links = tuple(replace(each, delay=parse("constant(30)") if {each.a, each.b} == {"0", "1"} else None)
                  for each in network.links)  # fmt: skip
    parameters = {"topics": 1, "interest": 0.5}
    network = network.replace(links=links, delay=parse("constant(1)"))
    simulator, result = run(network, 9, protocol, parameters=parameters, workload=(ask(5.0, "2", "Subscribe"),))
    assert {p._name for p in simulator.processes if 1 in p.stayed} == {"0", "1"}
    return result


def test_a_process_without_the_full_member_list_asks_no_other(tmp_path: Path) -> None:
    """It may have an unknown link, and it chose a new val if it believed itself alone."""
    assert failed(slow_link()) == set()
    source = ARCHIVE.protocol(NAME).source
    right = "waits = self.unknown[t] or self.asked[t] or t in self.holding"
    assert source.count(right) == 1
    path = tmp_path / f"{NAME}.py"
    path.write_text(source.replace(right, "waits = self.asked[t] or t in self.holding"))
    assert WINDING in failed(slow_link(str(path)))


@pytest.mark.parametrize(
    ("spec", "seed", "interest", "commands", "duty"),
    [
        ("line:2", 1, 1.0, (("1", "Unsubscribe"),), 2),
        ("line:3", 1, 1.0, (("1", "Unsubscribe"),), 2),
        ("line:2", 1, 1.0, (("1", "Unsubscribe"), ("1", "Subscribe")), 2),
        ("line:2", 3, 0.5, (("1", "Subscribe"),), 2),
        ("line:2", 3, 0.5, (("1", "Subscribe"), ("1", "Unsubscribe")), 2),
        ("line:3", 9, 0.5, (("2", "Subscribe"),), 4),
    ],
)
def test_a_layer_keeps_its_properties_in_every_order_of_events(
    spec: str, seed: int, interest: float, commands: tuple[tuple[str, str], ...], duty: int
) -> None:
    network = from_spec(spec).with_timing(Timing(order="fifo"))
    workload = tuple(ask(0.0, who, label) for who, label in commands)
    parameters = {"topics": 1, "interest": interest, "duty": duty}
    experiment = Experiment("t", protocol=NAME, network=network, seed=seed, parameters=parameters, workload=workload)
    found = Explorer(experiment).run()
    assert found.complete
    assert [
        each.name for each in found.findings if each.holds is not True and not each.name.startswith("messages")
    ] == []


# ---------------------------------------------------------------------- drawings


def drawn(simulator: Simulator, variable: str) -> list[Any]:
    """Return what the animation derives for each process at the end of a run."""
    run = with_derived(Timeline(simulator.trace), animation_for(NAME).derived)
    return run.variable_at(variable, run.length)


@pytest.mark.slow
def test_the_displayed_layer_shows_its_links_and_those_being_formed() -> None:
    """Process 5 has asked 0, 3 and 8 for links in the layer of topic 1; later it has two of them."""
    experiment = ARCHIVE.experiment("mobile-dag-topics-joins")
    simulator = Simulator(experiment.with_(stop=Stop(until=73.0)).resolve(ARCHIVE))
    simulator.run()
    keeps = drawn(simulator, "keeps")
    five = [drawn(simulator, name)[5] for name in ("near", "wants", "keeps", "level")]
    assert five == [[], ["0", "3", "8"], [], None]
    assert [p._name for p, some in zip(simulator.processes, keeps, strict=True) if some == ["5"]] == ["0", "3", "8"]
    simulator = Simulator(experiment.with_(stop=Stop(until=80.0)).resolve(ARCHIVE))
    simulator.run()
    near, out, level = (drawn(simulator, name) for name in ("near", "out", "level"))
    assert (near[5], drawn(simulator, "wants")[5]) == (["0", "8"], ["3"])
    for number, p in enumerate(simulator.processes):
        assert set(near[number]) == set(p.N[1])
        assert set(out[number]) == {q for q in p.N[1] if not p.leads((p.val[1], p.lid[1]), (p.cv[1, q], p.cl[1, q]))}
        assert level[number] == (p.val[1] if 1 in p.topics_of else None)


def test_another_layer_can_be_displayed() -> None:
    experiment = ARCHIVE.experiment("mobile-dag-topics-joins")
    parameters = {**experiment.parameters, "shown": 3}
    simulator = Simulator(experiment.with_(parameters=parameters, stop=Stop(until=100.0)).resolve(ARCHIVE))
    simulator.run()
    near, level = drawn(simulator, "near"), drawn(simulator, "level")
    assert any(near)
    for number, p in enumerate(simulator.processes):
        assert set(near[number]) == set(p.N[3]) and (level[number] is not None) is (3 in p.topics_of)


# ---------------------------------------------------------------------- planted bugs

BUGS = {
    "it does not keep its val for who asks": (
        "waits = self.unknown[t] or self.asked[t] or self.frozen[t]", "waits = self.unknown[t] or self.asked[t]",
    ),
    "any link is safe": ('if self.mode != "safe" or q in via:', "if True:"),
    "who is outside agrees": ("elif t not in self.topics_of or (self.N[t]", "elif (self.N[t]"),
    "it leaves with news": ("not waits and not self.input[t]:", "not waits:"),
    "it forgets whom it could not ask": ("if not m.again:", "if True:"),
    "it forgets to say that its link is down": ("self.send(LinkDown(t), to=q)\n            self.f", "self.f"),
    "items of all layers go to one": ("self.input[t].append(item)", "self.input[1].append(item)"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(NAME).source
    assert source.count(right) == 1
    path = tmp_path / f"{NAME}.py"
    path.write_text(source.replace(right, wrong))
    network = from_spec("gnm:10,16").with_timing(Timing(order="fifo", delay=parse("uniform(0.2, 1.8)")))
    caught, seed = False, 0
    while not caught and seed < 4:
        parameters = {"topics": 2, "interest": 0.4}
        experiment = Experiment(
            "t", protocol=str(path), network=network, seed=seed, traffic=RESTLESS, stop=Stop(until=110.0),
            parameters={"duty": 0, "retry": 3.0, **parameters},
        )  # fmt: skip
        result = Simulator(experiment.resolve(ARCHIVE)).run()
        caught = result.error is not None or failed(result) != set() or spread(result) is not True
        seed += 1
    assert caught


@pytest.mark.parametrize("at", [11.1, 14.6, 15.6, 18.6, 22.1])
def test_a_process_whose_last_neighbour_leaves_can_leave_too(at: float) -> None:
    network = from_spec("line:2").with_timing(Timing(order="fifo", delay=parse("constant(1)")))
    both = tuple(ask(at, who, "Unsubscribe") for who in "01")
    simulator, _ = run(network, workload=both, parameters={"topics": 1, "hold": 3.0})
    assert [set(p.topics_of) for p in simulator.processes] == [set(), set()]
    assert not any(p.going or p.holding for p in simulator.processes)
