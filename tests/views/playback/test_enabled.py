"""Enabled events as cards: their text, their order, and the reasons why some cannot be chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from lydian.engine.pending import pending
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.pieces.animation import Dress, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.network.played import taken_at
from lydian.views.playback.dealing import ORDERS, arranged, choosable, earliest, of_process, row_of_table
from lydian.views.playback.enabled import Card, Situation, cards, deed, explained, played, situation, spoken

NOW = Situation(names=("a", "b", "c"), states=("waiting", "asleep", "waiting"))


def event(kind: str, time: float = 1.0, process: str | None = "a", **more: Any) -> dict[str, Any]:
    choose = {"do": "deliver", "message": more.get("message", 0)} if kind == "receive" else {"do": "hurry"}
    found = {
        "kind": kind, "time": time, "process": process, "from": None, "label": "", "message": None, "fields": {},
        "action": None, "waits": False, "choose": None if kind in ("loss", "step", "fault") else choose,
    }  # fmt: skip
    return {**found, **more}


def titles(items: list[Card | str]) -> list[str]:
    return [item if isinstance(item, str) else item.title for item in items]


def stopped_at(steps: int, *taken: str) -> tuple[tuple[Card, ...], Situation]:
    """Return the cards of ECHO on two wings after a number of steps, with some processes controlled from the start."""
    simulator = Simulator(archive().experiment("echo-crash"), round_events=1)
    simulator.lingers = True
    for name in taken:
        what = Intervention(time=0.0, do="take_over", process=name)
        simulator.interact(what, 0, lambda answer: None)
    for _ in range(steps):
        simulator.round()
    timeline = Timeline(simulator.trace)
    now = situation(timeline, animation_for(timeline.trace), frozenset(taken))
    return cards(pending(simulator, 200)[0], now), now


def test_a_message_looks_like_its_contents() -> None:
    found, now = stopped_at(4)
    receives = [card for card in found if card.kind == "receive"]
    name = str(receives[0].event["label"])
    dressed = replace(now.animation, dresses=(Dress(name, "len(inner) == 0", kind=5, word="An empty one"),))
    again = {card.key: card for card in cards([card.event for card in found], replace(now, animation=dressed))}
    assert again.keys() == {card.key for card in found}
    for card in found:
        worn = card.kind in ("receive", "loss") and card.event["label"] == name
        look, label = (5, "An empty one") if worn else (card.look, card.label)
        assert (again[card.key].look, again[card.key].label) == (look, label)
    assert again[receives[0].key].title.startswith("An empty one ")


def test_a_message_shows_its_path_and_the_action_of_its_receiver() -> None:
    found, now = stopped_at(4)
    card = next(card for card in found if card.kind == "receive" and card.action == "adopt")
    assert card.title == f"{card.label} {card.event['from']} → {card.event['process']}"
    assert card.does == f"{now.animation.word('sleeping')}: adopt"
    assert card.meaning.startswith("It learns the news")
    assert choosable(card) and card.choice == {"do": "deliver", "message": card.message}
    assert played(card) == f"{card.label} from {card.event['from']}: adopt"
    assert deed(card) == f"{card.title} first"
    assert deed(card, by_process=True) == f"{card.event['process']} takes {card.label} from {card.event['from']}"
    assert "adopt" in spoken(card) and card.when in spoken(card)


def test_a_planned_fault_is_shown_and_cannot_be_chosen() -> None:
    found, _ = stopped_at(4)
    planned = [card for card in found if card.kind == "fault"]
    assert [card.title for card in planned] == ["9 crashes"]
    assert not choosable(planned[0]) and "planned by" in planned[0].reason and planned[0].does == ""


def test_reasons_why_an_event_cannot_be_chosen() -> None:
    now = replace(NOW, crashed=frozenset({1}))
    told = [
        event("loss", label="Ack", process="b", **{"from": "a"}),
        event("step"),
        event("receive", process="b", choose=None, **{"from": "a"}),
        event("receive", process="c", choose=None, waits=True, **{"from": "a"}),
    ]
    assert [card.reason for card in cards(told, now)] == [
        "It never arrives.",
        "It ends on its own.",
        "Process b has crashed.",
        "Process c is in the middle of a step.",
    ]
    assert cards(told, now)[3].when == "since 1.00"


def test_a_missing_cell_is_a_warning() -> None:
    card = cards([event("receive", label="Ack", **{"from": "b"})], NOW)[0]
    assert card.warning == "Its table has no action for Ack while it is waiting: the run would stop."
    card = cards([event("receive", label="Ack", **{"from": "b"})], replace(NOW, taken=frozenset({"a"})))[0]
    assert card.warning == "Its table has no action for Ack while it is waiting."


def test_fields_are_shown_and_escaped_in_tooltips() -> None:
    card = cards([event("command", label="Publish", fields={"topic": "<b>", "hops": 3})], NOW)[0]
    assert card.fields == "topic <b>, hops 3"
    assert "&lt;b&gt;" in explained(card) and "<b>," not in explained(card)
    assert card.title == "Publish at a"


def test_two_equal_timers_are_two_cards() -> None:
    found = cards([event("timer", label="Retry"), event("timer", label="Retry")], NOW)
    assert len({card.key for card in found}) == 2
    assert [card.key for card in cards([event("timer", label="Retry")], NOW)] == [found[0].key]


def test_the_earliest_event_is_not_a_waiting_one() -> None:
    found = cards([event("receive", 0.5, waits=True, message=1), event("receive", 2.0, message=2)], NOW)
    first = earliest(found)
    assert first is not None and first.message == 2
    assert earliest(found[:1]) is None


def test_orders_and_headings() -> None:
    told = [
        event("receive", 1.0, "c", message=1, label="Wave", **{"from": "a"}),
        event("timer", 2.0, "a", label="Retry"),
        event("receive", 3.0, "a", message=2, label="Ack", **{"from": "c"}),
        event("fault", 4.0, None, label="link_down"),
        event("receive", 5.0, "c", message=3, label="Wave", **{"from": "b"}),
    ]
    found = cards(told, replace(NOW, taken=frozenset({"c"})))
    now = replace(NOW, taken=frozenset({"c"}))
    assert titles(arranged(found, now)) == ["Wave a → c", "Retry at a", "Ack c → a", "A link goes down", "Wave b → c"]
    assert titles(arranged(found, now, "process")) == [
        "Process a · waiting", "Retry at a", "Ack c → a", "Process c · waiting · yours", "Wave a → c", "Wave b → c",
        "No process", "A link goes down",
    ]  # fmt: skip
    assert titles(arranged(found, now, "kind")) == [
        "Ack", "Ack c → a", "Wave", "Wave a → c", "Wave b → c", "Timers", "Retry at a", "Planned by the experiment",
        "A link goes down",
    ]  # fmt: skip
    assert titles(arranged(found, now, "kind", headings=False))[0] == "Ack c → a"
    assert titles(arranged(found, now, only={0})) == ["Retry at a", "Ack c → a"]


@given(
    some.lists(some.tuples(some.sampled_from(["receive", "timer", "loss", "fault"]), some.integers(0, 2))),
    some.sampled_from(list(ORDERS)),
)
def test_every_order_contains_each_card_once_and_ties_are_ordered_by_time(
    told: list[tuple[str, int]], order: str
) -> None:
    events = [event(kind, float(at), NOW.names[place], message=at) for at, (kind, place) in enumerate(told)]
    found = cards(events, NOW)
    listed = [item for item in arranged(found, NOW, order) if isinstance(item, Card)]
    assert sorted(card.key for card in listed) == sorted(card.key for card in found)
    for place in range(3):
        for kind in ("receive", "timer"):
            alike = [card.message for card in listed if card.place == place and card.kind == kind]
            assert alike == sorted(alike)


def test_the_cards_of_a_controlled_process_and_the_row_of_its_table() -> None:
    found, now = stopped_at(45, "7")
    place = now.names.index("7")
    items = of_process(found, place)
    assert "Arrived" in items
    door = items[items.index("Arrived") + 1]
    assert isinstance(door, Card) and door.waits and choosable(door) and door.event["process"] == "7"
    row = {cell.event: cell for cell in row_of_table(found, now, place)}
    assert now.states[place] == "sleeping"
    assert row["INIT"].action == "start" and not row["INIT"].cards
    assert row["Broadcast"].action == "adopt" and door in row["Broadcast"].cards
    assert row_of_table(found, replace(now, source=type(now.source)()), place) == ()


def test_controlled_processes_follow_from_the_record_alone() -> None:
    simulator = Simulator(
        Experiment(
            name="test",
            protocol="echo",
            network=Network("two", ("0", "1"), (Link("0", "1"),), ("0",), delay=parse("constant(1)")),
            faults=(
                Intervention(time=0.5, do="take_over", process="1"),
                Intervention(time=3.0, do="release", process="1"),
            ),
        )
    )
    simulator.run()
    timeline = Timeline(simulator.trace)
    told = [taken_at(timeline, timeline.count(t)) for t in (0.2, 0.5, 2.9, 3.0)]
    assert told == [frozenset(), {1}, {1}, frozenset()]
    assert taken_at(None, 3) == frozenset()
