"""Messages: declared fields, frozen, compared by value, with a size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian import Message, Timer
from lydian.model.protocol.message import KIND_BITS, bits_of_value, plain_copy


class Ack(Message):
    pass


class Token(Message):
    number: int
    holder: str | None = None


class Route(Token):
    path: tuple[str, ...] = ()
    seen: set[int] = set()  # noqa: RUF012 - fields are declared so


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def test_fields_are_given_by_position_name_or_default() -> None:
    assert repr(Token(3)) == "Token(number=3, holder=None)"
    assert Route(1, path=("a",)) == Route(number=1, holder=None, path=("a",), seen=set())
    assert Ack() == Ack()
    assert Token(1) != Token(2)
    assert hash(Token(1)) == hash(Token(1))
    assert Route._fields == ("number", "holder", "path", "seen")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Token("x"), "Token.number is declared as int, but got 'x' (str)"),
        (lambda: Token(1, 2), "Token.holder is declared as str | None, but got 2 (int)"),
        (lambda: Token(), "missing 1 required positional argument: 'number'"),
        (lambda: setattr(Token(1), "number", 2), "a Token cannot be changed; create a new one with another 'number'"),
        (lambda: setattr(Token(1), "numbr", 2), "Token has no field 'numbr'"),
        (lambda: plain_copy(object()), "cannot be copied into a message"),
        (lambda: plain_copy(x for x in "ab"), "cannot be copied into a message"),
    ],
)
def test_refused_messages(make: object, sentence: str) -> None:
    with pytest.raises((TypeError, AttributeError)) as raised:
        make()  # type: ignore[operator]
    assert sentence in str(raised.value)


def test_a_field_cannot_be_named_by_a_reserved_word() -> None:
    with pytest.raises(TypeError, match="a field cannot be called 'bits'"):
        type("Bad", (Message,), {"__annotations__": {"bits": "int"}})


def test_sizes_in_bits() -> None:
    assert Ack().bits == KIND_BITS
    assert Token(7).bits == KIND_BITS + 32 + 1
    assert Token(2**40, "ab").bits == KIND_BITS + 48 + 16
    assert Route(1, path=("a", "bc")).bits == KIND_BITS + 32 + 1 + (16 + 8 + 16) + 16
    assert bits_of_value({"a": True}) == 16 + 8 + 1


@given(plain)
def test_copies_are_equal_and_share_nothing_mutable(value: object) -> None:
    copy = plain_copy(value)
    assert copy == value
    if isinstance(value, (list, dict)):
        assert copy is not value


def test_default_collections_are_not_shared() -> None:
    class Bag(Timer):
        items: list[int] = []  # noqa: RUF012

    first, second = Bag(), Bag()
    first.items.append(1)
    assert second.items == []


def test_immutable_values_are_sent_unchanged() -> None:
    class Gossip(Message):
        copies: tuple[tuple[str, int], ...]

    class Mixed(Message):
        items: tuple[object, ...]

    for copies in ((), (("a", 1), ("b", 2))):
        m = Gossip(copies)
        assert m._copied() is m
    inside = ["a"]
    for items in ((inside,), (("a", inside),), (("a",), "b", inside)):
        copied = Mixed(items)._copied()
        inside.append("later")
        assert "later" not in str(copied.items)
        inside.pop()
    assert bits_of_value("ä") == 16
