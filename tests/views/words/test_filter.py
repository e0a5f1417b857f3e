"""Filters: their text, the selected events, and their errors."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.pieces.animation import Animation
from lydian.trace.events import KINDS, Event
from lydian.trace.timeline import Timeline
from lydian.views.words.conditions import NAMES, NUMBERS, All, Any_, Filter, Is, Not, Number, Word
from lydian.views.words.filter import FilterError, parse
from lydian.views.words.sentence import sentence
from lydian.views.words.words import brief
from tests.views.book import Book, echo

TIMELINE = Timeline(echo())
ASLEEP = Animation(words={"sleeping": "asleep", "acked": "acknowledged"})


def chosen(text: str, timeline: Timeline = TIMELINE) -> list[int]:
    return np.flatnonzero(parse(text, timeline, ASLEEP).select(timeline, ASLEEP)).tolist()


def where(test: object) -> list[int]:
    return [event.seq for event in TIMELINE.trace.events() if test(event)]  # type: ignore[operator]


def test_names() -> None:
    assert chosen("p=5") == chosen("process=5") == where(lambda e: e.process == "5") != []
    assert chosen("peer=3 and kind=receive") == where(lambda e: e.peer == "3" and e.kind == "receive") != []
    assert chosen("message=Ack") == chosen("label=ack") == where(lambda e: e.label == "Ack") != []
    assert chosen("message!=Ack") == where(lambda e: e.label != "Ack")
    assert chosen("state=acknowledged") == chosen("state=acked") == where(lambda e: e.state == "acked") != []


def test_numbers() -> None:
    assert chosen("t>3") == where(lambda e: e.time > 3) != []
    assert chosen("t<=5.5 lamport>10") == where(lambda e: e.time <= 5.5 and e.lamport > 10) != []
    assert chosen("seq=12..20") == list(range(12, 21))
    assert chosen("seq!=2..90") == [0, 1, 91, 92, 93]
    assert chosen("id=3") == where(lambda e: e.message == 3) != []
    assert chosen("id<3") == where(lambda e: e.message is not None and e.message < 3)
    written = f"{TIMELINE.time[40]:.4f}"
    assert 40 in chosen(f"t={written}")


def test_words_are_searched_in_the_sentence() -> None:
    assert chosen("DECIDES") == where(lambda e: e.kind == "decide") != []
    assert chosen('"now acknowledged"') == [
        seq for seq in range(94) if "now acknowledged" in sentence(TIMELINE, seq, ASLEEP)
    ]
    assert chosen("receives broadcast not ack") == [
        seq
        for seq in range(94)
        if all(word in sentence(TIMELINE, seq, ASLEEP).lower() for word in ("receives", "broadcast"))
        and "ack" not in sentence(TIMELINE, seq, ASLEEP).lower()
    ]


def test_and_binds_closer_than_or() -> None:
    a, b, c = Is("p", "5"), Is("kind", "send"), Number("t", ">", 3)
    assert parse("p=5 or kind=send and t>3") == Any_((a, All((b, c))))
    assert parse("(p=5 or kind=send) t>3") == All((Any_((a, b)), c))
    assert parse("not p=5 and NOT (kind==send OR t > 3)") == All((Not(a), Not(Any_((b, c)))))
    assert str(parse("(((p=5)) ) AND not(t>3.50)")) == "p=5 and not t>3.5"


@pytest.mark.parametrize(
    ("text", "start", "what"),
    [
        ("", 0, "the filter is empty; write, for example, p=5 and message=Ack"),
        ("p=5 and", 4, "something is missing after 'and'"),
        ("and p=5", 0, "a term such as p=5 is missing before 'and'"),
        ("(p=5", 0, "this ( is never closed"),
        ("p=5)", 3, "this ) has no ( before it"),
        ("()", 1, "a term such as p=5 is missing before ')'"),
        ('p=5 "ab', 4, "this quote is never closed"),
        ("!p", 0, "! has no meaning alone"),
        ('""', 0, "an empty text matches every sentence"),
        ("stat=waiting", 0, "there is no key 'stat' (did you mean 'state'?)"),
        ("colour=red", 0, "there is no key 'colour'; choose from p, process"),
        ("p=", 0, "a value is missing after p=; for example 5"),
        ("=5", 0, "a key is missing before =, as in p=5"),
        ("p>5", 1, "p must be compared with a name; write p=5 or p!=5, not >"),
        ("t>soon", 2, "t must be compared with a number, such as t>3 or t=3..8, not with 'soon'"),
        ("t>nan", 2, "t must be compared with a number"),
        ("t>3..5", 2, "a range such as 3..5 must follow = (write t=3..5)"),
        ("t=5..3", 2, "the range ends before it begins; write t=3..5"),
        ("kind=recieve", 5, "kind: unknown kind of event 'recieve' (did you mean 'receive'?)"),
        ("x kind=ack", 7, "kind: unknown kind of event 'ack'; write message=Ack"),
        ("p=77", 2, "p: there is no process '77' (did you mean '7'?)"),
        ("message=Ak", 8, "message: there is no message, timer, command or rule 'Ak' (did you mean 'Ack'?)"),
        ("state=asleeep", 6, "state: there is no state 'asleeep' (did you mean 'sleeping'?)"),
        ("state=zzz", 6, "state: there is no state 'zzz'; choose from sleeping, waiting"),
        ("(" * 60 + "x" + ")" * 60, 50, "a filter must not be nested more than 50 levels deep"),
        ("not " * 60 + "x", 200, "a filter must not be nested more than 50 levels deep"),
        ("x " * 6000, 10_000, "a filter has at most 10,000 characters"),
    ],
)
def test_errors_give_their_position(text: str, start: int, what: str) -> None:
    with pytest.raises(FilterError) as error:
        parse(text, TIMELINE, ASLEEP)
    assert error.value.what.startswith(what)
    assert error.value.start == start < max(error.value.end, 1)
    assert str(error.value).startswith(f"filter, character {start + 1}: ")


def test_without_an_execution_names_are_not_checked() -> None:
    assert parse("p=77 message=Whatever") == All((Is("p", "77"), Is("message", "Whatever")))
    assert not parse("p=77 or state=x").select(TIMELINE).any()
    assert parse("p!=77").select(TIMELINE).all()


def test_an_empty_trace() -> None:
    empty = Timeline(Book(("0",), links=[]).trace())
    assert len(parse("p=0 or x or t>3").select(empty)) == 0


words = st.text(min_size=1, max_size=8).filter(lambda text: text.strip())
numbers = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)


@st.composite
def number(draw: st.DrawFn) -> Number:
    key = draw(st.sampled_from(sorted(NUMBERS)))
    if draw(st.booleans()):
        low, high = sorted((draw(numbers), draw(numbers)))
        return Number(key, draw(st.sampled_from(("=", "!="))), low, high)
    return Number(key, draw(st.sampled_from(("=", "!=", "<", "<=", ">", ">="))), draw(numbers))


names = st.one_of(
    st.builds(Is, st.sampled_from(sorted(set(NAMES) - {"kind"})), words, st.booleans()),
    st.builds(Is, st.just("kind"), st.sampled_from(KINDS), st.booleans()),
)


def trees(leaves: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(All, st.lists(inner, min_size=2, max_size=3).map(tuple)),
            st.builds(Any_, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_leaves=8,
    )


@given(trees(st.one_of(st.builds(Word, words), names, number())))
def test_a_filter_is_reconstructed_from_its_text(wanted: Filter) -> None:
    assert parse(str(wanted)) == wanted


COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def slowly(wanted: Filter, event: Event) -> bool:
    """Evaluate a filter for one event, using the names rather than the codes."""
    match wanted:
        case Not(inner):
            return not slowly(inner, event)
        case All(parts):
            return all(slowly(part, event) for part in parts)
        case Any_(parts):
            return any(slowly(part, event) for part in parts)
        case Word(text):
            told = sentence(TIMELINE, event.seq, ASLEEP) + "\n" + brief(TIMELINE, event.seq, ASLEEP)
            return text.casefold() in told.casefold()
        case Is(key, value, other):
            name = getattr(event, {"p": "process", "message": "label"}.get(key, key))
            same = name is not None and (value.casefold() in (name.casefold(), ASLEEP.word(name)))
            return same != other
        case Number(key, sign, low, last):
            value = getattr(event, {"t": "time", "id": "message"}.get(key, key))
            if value is None:
                return sign == "!="
            if sign in ("=", "!="):
                inside = low - 1e-12 <= value <= (low if last is None else last) + 1e-12
                return inside == (sign == "=")
            return COMPARE[sign](value, low)
    raise AssertionError(wanted)


real = st.one_of(
    st.builds(Is, st.sampled_from(("p", "peer")), st.sampled_from(("0", "5", "11", "12")), st.booleans()),
    st.builds(Is, st.just("kind"), st.sampled_from(KINDS), st.booleans()),
    st.builds(Is, st.just("message"), st.sampled_from(("Ack", "broadcast", "No")), st.booleans()),
    st.builds(Is, st.just("state"), st.sampled_from(("waiting", "asleep", "ACKED")), st.booleans()),
    st.builds(
        Number, st.sampled_from(("t", "lamport", "seq", "chain", "id", "bits", "cause")),
        st.sampled_from(("<", "<=", ">", ">=")), st.integers(0, 40).map(lambda x: x + 0.5),
    ),
    st.builds(
        Number, st.sampled_from(("lamport", "seq", "chain", "id", "cause")), st.sampled_from(("=", "!=")),
        st.integers(0, 20), st.one_of(st.none(), st.integers(20, 40)),
    ),
    st.builds(Word, st.sampled_from(("ack", "Becomes", "from 3", "→ waiting", "nobody says this"))),
)  # fmt: skip


@given(trees(real), st.lists(st.integers(0, 93), unique=True).map(sorted))
def test_selecting_matches_testing_each_event(wanted: Filter, rows: list[int]) -> None:
    expected = np.array([slowly(wanted, event) for event in TIMELINE.trace.events()])
    assert wanted.select(TIMELINE, ASLEEP).tolist() == expected.tolist()
    some = np.array(rows, dtype=np.int64)
    assert wanted.among(TIMELINE, some, ASLEEP).tolist() == expected[some].tolist()


@given(trees(real))
def test_selecting_does_not_change_the_trace(wanted: Filter) -> None:
    before = TIMELINE.trace.rows.tobytes(), TIMELINE.kind.tobytes(), TIMELINE.time.tobytes()
    wanted.select(TIMELINE)
    assert (TIMELINE.trace.rows.tobytes(), TIMELINE.kind.tobytes(), TIMELINE.time.tobytes()) == before


@given(st.text(max_size=40))
def test_any_text_is_a_filter_or_an_error_with_a_position(text: str) -> None:
    try:
        parse(text, TIMELINE)
    except FilterError as error:
        place = error.start, error.end
    else:
        place = 0, 0
    assert 0 <= place[0] <= place[1] <= len(text)
