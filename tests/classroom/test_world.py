"""The people in the world of a class: their places are told to those who are there, under their names in the class."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.classroom import frames
from lydian.classroom.frames import FARTHEST
from lydian.classroom.people import People
from lydian.classroom.world import CALM, MOST, World
from lydian.engine.wire import Refused
from lydian.views.world.places import places_of
from tests.classroom.acting import a_class, played

HERE = frames.Stand([0.5, 0.25, 3.0], [0.1, -0.2])


def figures(who: Any) -> list[dict[str, Any]]:
    return who.last("figures")["people"]


def test_those_in_the_world_see_each_other() -> None:
    async def work() -> None:
        async with a_class("echo-complete", players=2) as (host, lead, (ana, ben)):
            await host.beat()
            await ana.say(HERE)
            await ben.say(frames.Stand([1, 2, 3], [0, 0]))
            await lead.say(frames.Stand([0, 0, 4], [0, 0]))
            host.clock.now += CALM
            await host.beat()
            told = {each["name"]: each for each in figures(ana)}
            assert set(told) == {"P1", "P2", "the host"} and figures(ben) == figures(lead) == figures(ana)
            assert told["P1"]["at"] == HERE.at and told["P1"]["look"] == HERE.look
            assert told["P1"]["process"] == ana.process
            await ben.say(frames.Stand())
            host.clock.now += CALM
            await host.beat()
            assert {each["name"] for each in figures(ana)} == {"P1", "the host"}
            assert len(ben.all("figures")) == 1, "nobody who has left the world hears of the others"
            host.leave(lead.listener)
            host.clock.now += CALM
            await host.beat()
            assert [each["name"] for each in figures(ana)] == ["P1"]

    played(work)


def test_places_are_told_at_most_four_times_a_second_and_only_when_somebody_moves() -> None:
    async def work() -> None:
        async with a_class("echo-complete", players=1) as (host, _lead, (ana,)):
            for step in range(40):
                await ana.say(frames.Stand([step / 100, 0, 3], [0, 0]))
                host.clock.now += CALM / 4
                await host.beat()
            assert len(ana.all("figures")) == 10
            for _ in range(8):
                host.clock.now += CALM
                await ana.say(frames.Stand([39 / 100, 0, 3], [0, 0]))
                await host.beat()
            assert len(ana.all("figures")) == 11

    played(work)


def test_nobody_is_shown_while_names_are_hidden() -> None:
    async def work() -> None:
        async with a_class("echo-complete", players=2) as (host, lead, (ana, ben)):
            for each in (ana, ben):
                await each.say(HERE)
            await lead.lead("hide", on=True)
            host.clock.now += CALM
            await host.beat()
            assert figures(ana) == []
            assert "P2" not in json.dumps(ana.all("figures"))
            await lead.lead("hide", on=False)
            host.clock.now += CALM
            await host.beat()
            assert {each["name"] for each in figures(ana)} == {"P1", "P2"}
            await lead.lead("remove", person=ben.listener.person.number)
            host.clock.now += CALM
            await host.beat()
            assert [each["name"] for each in figures(ana)] == ["P1"]

    played(work)


NUMBERS = st.one_of(st.floats(), st.integers(), st.booleans(), st.none(), st.text(max_size=3), st.lists(st.integers()))


@settings(max_examples=200)
@given(at=st.lists(NUMBERS, max_size=4), look=st.lists(NUMBERS, max_size=3))
def test_a_place_is_three_small_numbers_and_a_look_two(at: list[Any], look: list[Any]) -> None:
    def small(values: list[Any], count: int, most: float) -> bool:
        return len(values) == count and all(type(each) in (int, float) and abs(each) <= most for each in values)

    if not at:
        assert frames.Stand(at, look) == frames.Stand()
    elif small(at, 3, FARTHEST) and small(look, 2, math.tau):
        found = frames.Stand(at, look)
        assert all(type(each) is float for each in (*found.at, *found.look))
        assert found.at == pytest.approx(at, abs=0.01) and found.look == pytest.approx(look, abs=0.01)
    else:
        with pytest.raises(Refused):
            frames.Stand(at, look)


def test_the_welcome_contains_the_network_in_space() -> None:
    async def work() -> None:
        async with a_class("echo-complete", players=1) as (host, _lead, (ana,)):
            space = ana.last("welcome")["space"]
            places = places_of(host.resolved.network, "shape")
            assert space["places"] == pytest.approx(places, abs=0.001)
            assert 0 < space["body"] < 1 and space["bottom"] < places[:, 1].min()

    played(work)


def test_a_crowd_is_limited() -> None:
    people, world = People(), World()
    for number in range(MOST + 20):
        world.stand(people.add(f"N{number}", "observer"), HERE)
    assert len(world.told(people, 0.0).people) == MOST
