"""Frames on the channel, and invalid input."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine import wire
from lydian.engine.wire import (
    Answered,
    Bye,
    Error,
    Frame,
    Hello,
    Interact,
    Pace,
    Pending,
    Refused,
    Request,
    Round,
    Stop,
)

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), PLAIN, max_size=3)
COUNTS = st.integers(0, 2**40)
FRAMES = st.one_of(
    st.builds(Hello, COUNTS, st.text()),
    st.builds(Request, OBJECTS, to=st.none() | COUNTS, linger=st.booleans(), round_time=st.floats(0.01, 1e6)),
    st.builds(Pace, st.none() | COUNTS, st.none() | st.booleans()),
    st.builds(Interact, COUNTS, COUNTS, OBJECTS),
    st.builds(Stop),
    st.builds(Pending, COUNTS, COUNTS, st.lists(OBJECTS, max_size=2)),
    st.builds(Answered, COUNTS, st.booleans(), st.text(), COUNTS, st.none() | OBJECTS),
    st.builds(Error, st.text(), st.none() | COUNTS),
    st.builds(Bye, st.text()),
)


@given(FRAMES)
def test_encoding_and_decoding_are_inverse(frame: Frame) -> None:
    line = wire.encode(frame)
    assert line.count(b"\n") == 1
    assert wire.decode(line) == frame


@given(st.binary(max_size=60) | PLAIN.map(lambda value: json.dumps(value).encode()))
def test_any_other_input_is_refused_with_an_error(line: bytes) -> None:
    with pytest.raises(Refused) as refused:
        wire.decode(line)
    assert len(str(refused.value)) > 10
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"gibberish", "a frame must be a line of JSON; this one begins 'gibberish'"),
        (b"\xff\xfe", "text in UTF-8"),
        (b"[1]", "a frame must be an object with a kind, not [1]"),
        (b"{}", "unknown frame of kind None; choose from hello"),
        (b'{"kind": "interct"}', "did you mean 'interact'?"),
        (b'{"kind": "interact", "id": 1, "seen": 2}', "interact needs what"),
        (b'{"kind": "interact", "id": true, "seen": 2, "what": {}}', "id of interact must be a whole number, not True"),
        (b'{"kind": "pace", "to": 1.5}', "to of pace must be a whole number or null, not 1.5"),
        (b'{"kind": "pace", "two": 1}', "unknown field 'two' of pace"),
        (b'{"kind": "request", "experiment": {}, "seconds": NaN}', "NaN is not a JSON number"),
        (b'{"kind": "request", "experiment": {}, "seconds": 1e999}', "seconds of request must be a finite number"),
        (b'{"kind": "request", "experiment": {}, "round_events": 0}', "round_events of a request must be at least 1"),
        (b'{"kind": "request", "experiment": {}, "to": -1}', "to of a request must be at least 0, not -1"),
        (b'{"kind": "bye", "reason": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_error_messages(line: bytes, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        wire.decode(line)
    assert sentence in str(refused.value)


def test_a_stream_continues_after_an_invalid_frame() -> None:
    stop = wire.encode(Stop())
    stream = io.BytesIO(stop + b"nonsense\n\n" + b"x" * 500 + b"\n" + stop + b'{"kind": "st')
    heard = list(wire.frames(stream, most=100))
    assert [heard[0], heard[3]] == [Stop(), Stop()]
    assert [str(each)[:36] for each in heard if isinstance(each, Refused)] == [
        "a frame must be a line of JSON; this",
        "a frame must have at most 100 bytes;",
        "the last frame was cut off",
    ]


def test_numbers_without_a_json_form_become_texts() -> None:
    frame = wire.Result({"time": float("inf"), "measures": [float("nan")]}, {})
    told = wire.decode(wire.encode(frame))
    assert isinstance(told, wire.Result)
    assert told.result == {"time": "inf", "measures": ["nan"]}


def test_invalid_rows() -> None:
    for rows, sentence in (("???", "the rows of a round must be base64"), ("AAAA", "a round of 1 events has 44")):
        with pytest.raises(Refused, match=sentence):
            Round(0, 0, 1, 0.0, rows=rows).events()
