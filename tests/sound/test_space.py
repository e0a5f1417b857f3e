"""Where a tone is heard: delay and loudness between the ears, distance, front and back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.sound.space import Ears, Listener, in_space
from lydian.sound.voices import RATE, tone
from tests.sound.made import lag, level

SIT = Listener.before(0, 0, 400, 200)
STAND = Listener.within(100, 100, 50)


def heard(listener: Listener, x: float, y: float, z: float = 0.0) -> np.ndarray:
    return in_space(tone("receive", 2), listener.hears((x, y, z)))


def test_a_process_on_the_left_is_louder_and_earlier_in_the_left_ear() -> None:
    left, right, middle = heard(SIT, 0, 100), heard(SIT, 400, 100), heard(SIT, 200, 100)
    assert level(left[:, 0]) > 1.5 * level(left[:, 1])
    assert level(right[:, 1]) > 1.5 * level(right[:, 0])
    assert level(middle[:, 0]) == pytest.approx(level(middle[:, 1]))
    assert 12 <= lag(left) <= 29  # at most 0.66 ms
    assert lag(right) == -lag(left)
    assert lag(middle) == 0


def test_the_delay_is_that_of_a_spherical_head() -> None:
    assert Ears(math.pi / 2, False, 1).delay == pytest.approx(0.000656, abs=1e-6)
    assert 29 <= abs(lag(heard(STAND, 1000, 100))) <= 36  # 0.000656 s are 29 samples; the shadow's filter adds some


def test_the_head_shadows_high_tones_in_the_far_ear() -> None:
    """Brightness is the share of the power above 1,500 Hz."""
    stereo = in_space(tone("crowd"), STAND.hears((200, 100, 0)))

    def bright(mono: np.ndarray) -> float:
        power = np.abs(np.fft.rfft(mono)) ** 2
        edge = round(1500 / RATE * len(mono))
        return float(power[edge:].sum() / power.sum())

    assert bright(stereo[:, 0]) < 0.6 * bright(stereo[:, 1])


def test_loudness_falls_with_the_distance() -> None:
    levels = [level(heard(STAND, 100, 100 - away)) for away in (0, 50, 150, 450)]
    assert levels == sorted(levels, reverse=True)
    assert levels[1] == pytest.approx(levels[0] / 2, rel=0.01)
    assert levels[3] == pytest.approx(levels[0] / 10, rel=0.01)


def test_what_is_behind_is_softer_and_duller() -> None:
    ahead, behind = STAND.hears((100, 50, 0)), STAND.hears((100, 150, 0))
    assert (ahead.behind, behind.behind) == (False, True)
    assert level(in_space(tone("tick"), behind)) < 0.9 * level(in_space(tone("tick"), ahead))


@pytest.mark.parametrize(
    ("x", "y", "degrees"), [(100, 0, 0), (200, 0, 45), (200, 100, 90), (100, 200, 180), (0, 100, 270)]
)
def test_directions_are_clockwise_from_the_top_of_the_screen(x: float, y: float, degrees: float) -> None:
    assert STAND.direction((x, y, 0)) == pytest.approx(degrees)


@given(
    x=st.floats(-1e4, 1e4), y=st.floats(-1e4, 1e4), z=st.floats(-1e4, 1e4), turn=st.floats(0, 6.3),
)  # fmt: skip
def test_a_listener_in_space_hears_what_a_turned_one_hears_at_the_turned_place(
    x: float, y: float, z: float, turn: float
) -> None:
    """Turning the listener and the source together about the vertical changes nothing."""

    def turned(point: tuple[float, float, float]) -> tuple[float, float, float]:
        a, b, c = point
        return (a * math.cos(turn) + c * math.sin(turn), b, c * math.cos(turn) - a * math.sin(turn))

    one = Listener((0, 0, 0), (0, 0, 1), (0, -1, 0), 10)
    other = Listener((0, 0, 0), turned((0, 0, 1)), (0, -1, 0), 10)
    a, b = one.hears((x, y, z)), other.hears(turned((x, y, z)))
    assert a.loud == pytest.approx(b.loud)
    assert math.sin(a.angle) == pytest.approx(math.sin(b.angle), abs=1e-6)
    assert sum(gain * gain for gain in a.gains) <= 2 * a.loud**2 * (1 + 1e-9)


def test_what_has_no_place_is_heard_in_the_middle() -> None:
    assert SIT.hears(None) == Ears(0.0, False, 1.0)
    assert SIT.hears(SIT.position).angle == 0
