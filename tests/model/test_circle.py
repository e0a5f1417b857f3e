"""Arithmetic on a circle, and hashes that are the same everywhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lydian.circle import apart, between, distance, fnv1a, identifier, mixed, up_to

SIZE = 32
place = st.integers(0, SIZE - 1)


@given(place, place, place)
def test_between_means_met_on_the_way(x: int, a: int, b: int) -> None:
    way = [(a + i) % SIZE for i in range(1, distance(a, b, SIZE) or SIZE)]
    assert between(x, a, b) is (x in way)
    assert up_to(x, a, b) is (x in [*way, b])


def test_a_place_and_itself_enclose_the_whole_circle() -> None:
    assert not between(3, 3, 3) and between(4, 3, 3) and between(2, 3, 3) and up_to(3, 3, 3)
    assert between((1, "b"), (1, "a"), (2, "a")) and not between((3, "b"), (1, "a"), (2, "a"))


@given(place, place)
def test_distances(a: int, b: int) -> None:
    assert (a + distance(a, b, SIZE)) % SIZE == b
    assert apart(a, b, SIZE) == apart(b, a, SIZE) == min(distance(a, b, SIZE), distance(b, a, SIZE))


def test_published_values_of_the_hashes() -> None:
    """The values come from the tables of FNV-1a and MurmurHash3's finaliser."""
    assert fnv1a("") == 0xCBF29CE484222325 and fnv1a("a") == 0xAF63DC4C8601EC8C
    assert fnv1a("foobar") == fnv1a(b"foobar") == 0x85944171F73967E8
    assert fnv1a("a", 32) == 0xE40C292C and fnv1a("foobar", 32) == 0xBF9CF968
    assert mixed(1) == 0xB456BCFC34C2CB2C and mixed(1, 32) == 0x514E28B7 and mixed(0) == mixed(0, 32) == 0


def test_identifiers_are_spread_over_the_circle() -> None:
    names = [str(i) for i in range(2000)]
    places = [identifier(name, 3) for name in names]
    assert {places.count(i) // 50 for i in range(8)} <= {4, 5}
    assert len({identifier(name, 64) for name in names}) == len(names)
    assert identifier("7", 16) != identifier("7", 16, salt=1)
    assert identifier("7", 8) == identifier("7", 16) >> 8
