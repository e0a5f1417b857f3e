"""A session controlled by simulated time: the requests of the window when it plays live and when it goes back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.engine.wire import FLYING, Frame, Pace, Pending, Refused, Request, Round, Stop
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.network import Network
from lydian.trace.events import Kind
from tests.engine.test_feedback import LINE, Talk
from tests.strategies import connected_networks

ECHO = Experiment("line", protocol="echo", network=LINE, seed=1)


def waiting(talk: Talk) -> Round:
    return [each for each in talk.said if isinstance(each, Round)][-1]


@settings(max_examples=25, deadline=None)
@given(connected_networks(), st.lists(st.floats(0.01, 3.0), min_size=1, max_size=12), st.integers(0, 99))
def test_a_passive_observer_sees_the_same_run(network: Network, strides: list[float], seed: int) -> None:
    experiment = Experiment("any", protocol="echo", network=network, seed=seed)
    marks = np.cumsum(strides).tolist()

    def turn(talk: Talk, pending: Pending) -> list[Frame]:
        now = waiting(talk)
        assert now.next is None or now.next >= now.time
        return [Pace(until=marks.pop(0)) if marks and pending.total else Pace(linger=False)]

    talk = Talk(experiment, turn, round_events=1, linger=True, flying=True)
    assert talk.trace().fingerprint() == Simulator(experiment).run().fingerprint


def test_the_clock_stops_at_the_given_time_and_interventions_happen_then() -> None:
    seen: list[tuple[float, int]] = []
    script = [Pace(until=1.5), "crash", Pace(until=2.25), "drop", Pace(linger=False)]

    def turn(talk: Talk, pending: Pending) -> list[Frame]:
        seen.append((waiting(talk).time, waiting(talk).steps))
        step = script.pop(0)
        if step == "crash":
            return [talk.do(pending, do="crash", process="3")]
        if step == "drop":
            return [talk.do(pending, do="drop", message=pending.events[0]["message"]), script.pop(0)]  # type: ignore[list-item]
        return [step]  # type: ignore[list-item]

    talk = Talk(ECHO, turn, round_events=1, linger=True, flying=True)
    crash, drop = (answer.intervention for answer in talk.answers)
    assert crash is not None
    assert drop is not None
    assert crash["time"] == 1.5
    assert drop["time"] == 2.25
    assert [time for time, _ in seen] == [0.0, 1.5, 1.5, 2.25]
    rows = talk.trace().rows
    assert rows["time"][rows["kind"] == Kind.CRASH].tolist() == [1.5]
    assert rows["time"][rows["kind"] == Kind.DROP].tolist() == [2.25]
    assert talk.replays()


@settings(max_examples=25, deadline=None)
@given(connected_networks(), st.floats(0.0, 4.0), st.floats(0.0, 3.0), st.randoms(use_true_random=False))
def test_going_back_to_a_step_gives_the_events_up_to_it(network, first, more, chance) -> None:  # type: ignore[no-untyped-def]
    """Intervene twice, then go back to just before the second time: the same rows, and the same pending events."""
    experiment = Experiment("any", protocol="echo", network=network, seed=3)
    moments: list[tuple[int, float, int, list[dict[str, object]]]] = []

    def turn(talk: Talk, pending: Pending) -> list[Frame]:
        now = waiting(talk)
        turns = len(moments)
        moments.append((len(talk.trace().rows), now.time, now.steps, pending.events))
        can = [each["choose"] for each in pending.events if each["choose"]]
        onwards = [Pace(until=first), Pace(until=first + more), Pace(linger=False)][turns]
        return [talk.do(pending, **chance.choice(can)), onwards] if turns and can else [onwards]

    talk = Talk(experiment, turn, round_events=1, linger=True)
    rows, answers = talk.trace().rows, talk.answers
    assert talk.replays()
    if len(answers) < 2 or not answers[1].accepted:
        return  # it was refused: the link keeps the order, or nothing was left to choose
    done = [each.intervention for each in answers if each.intervention is not None]
    at = done[-1]
    back = from_dict({**experiment.to_dict(), "interventions": done[:-1]})
    length, time, steps, events = moments[2]

    def look(again: Talk, pending: Pending) -> list[Frame]:
        assert pending.events == events
        return [Stop()]

    again = Talk(back, look, round_events=1, linger=True, until=at["time"], steps=at["after"])
    before = again.trace().rows[:length]
    same = [name for name in rows.dtype.names or () if name != "round"]
    assert before[same].tolist() == rows[:length][same].tolist()
    told = next(each for each in again.said if isinstance(each, Round) and each.waiting)
    assert (told.time, told.steps) == (time, steps)


def test_arrival_times_of_messages_in_transit_are_reported() -> None:
    found: list[list[tuple[int, float]]] = []

    def turn(talk: Talk, pending: Pending) -> list[Frame]:
        found.append(waiting(talk).arrivals().tolist())
        return [Pace(until=1.5) if len(found) == 1 else Stop()]

    talk = Talk(ECHO, turn, round_events=1, linger=True, flying=True)
    assert found == [[], [(1, 2.0)]]
    assert waiting(talk).arrivals().dtype == FLYING
    with pytest.raises(Refused, match="12 bytes"):
        Round(0, 0, 0, 0.0, flying="AAAA").arrivals()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Request({}, until=3.0), "until of a request is only for rounds of events"),
        (lambda: Request({}, round_events=1, until=3.0, to=4), "a request must have to or until, not both"),
        (lambda: Request({}, round_events=1, until=-3.0), "until of a request must be at least 0"),
        (lambda: Pace(2, until=3.0), "a pace must have to or until, not both"),
        (lambda: Pace(2, steps=3), "a pace must have to or steps, not both"),
    ],
)
def test_contradictory_requests_are_refused(make, sentence: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Refused, match=sentence):
        make()


def test_rounds_of_time_do_not_support_this_pace() -> None:
    turns: list[int] = []

    def turn(_talk: Talk, _pending: Pending) -> list[Frame]:
        turns.append(1)
        return [Pace(until=2.0), Stop()]

    talk = Talk(ECHO, turn, linger=True)
    assert any("rounds of events" in str(getattr(each, "text", "")) for each in talk.said)
    assert len(turns) == 1
