"""One process step by step."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.pieces.animation import Animation
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.others import step
from lydian.views.others.step import StepFrame, events_title, summary
from lydian.views.selection import Hit, Selection
from lydian.views.words.source import formula_text, read
from tests.views.book import SOURCE, Book, echo

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 1},
    messages={"Broadcast": 0, "Ack": 1},
)


@cache
def timeline() -> Timeline:
    return Timeline(echo())


def at(t: float, process: int | None = None, *, of: Timeline | None = None, **options: object) -> StepFrame:
    chosen = Selection() if process is None else Selection(processes=frozenset({process}))
    chosen = options.pop("selection", chosen)
    return step.frame(timeline() if of is None else of, t, chosen, animation=LOOK, **options)


def moment(process: int, kind: int, nth: int = 0) -> float:
    """Return the time of the nth event of this kind at a process."""
    events = timeline().events_of(process)
    return float(timeline().time[[seq for seq in events if timeline().kind[seq] == kind][nth]])


def test_before_any_event() -> None:
    frame = at(0.0, 5)
    assert (frame.name, frame.word, frame.slot, frame.current) == ("5", "sleeping", 0, -1)
    assert frame.situation == "no events yet"
    assert [(v.name, v.value, v.note) for v in frame.variables] == [
        ("parent", "none", "unchanged since the start"),
        ("pending", "empty", "unchanged since the start"),
        ("clock", "0", "Lamport time"),
    ]
    assert [(last.name, last.text) for last in frame.lasts] == [
        ("Last received", "nothing yet"),
        ("Last sent", "nothing yet"),
    ]
    assert frame.previous == -1
    assert frame.following == int(timeline().events_of(5)[0])
    assert not any(row.past or row.current for row in frame.rows)


def test_at_the_first_receive() -> None:
    t = moment(5, Kind.RECEIVE)
    frame = at(t, 5)
    assert (frame.word, frame.slot, frame.current) == ("waiting", 2, 0)
    assert frame.situation == "parent 3 · pending 6, 8"
    parent, pending, clock = frame.variables
    assert (parent.value, parent.changed, parent.note) == ("3", True, "just changed")
    assert pending.value == "{6, 8}"
    assert clock.value == str(int(timeline().lamport[parent.seq]))
    assert frame.lasts[0].text == f"Broadcast from 3 at {t:.2f}"
    assert frame.lasts[2].text == "forward(), line 29"
    assert frame.rows[0].text == "receives Broadcast from 3 → waiting"
    assert frame.rows[0].current


def test_messages_sent_by_an_action_belong_to_it() -> None:
    frame = at(moment(5, Kind.SEND), 5)
    assert frame.current > 0
    assert frame.variables[0].note == "just changed", "the sends are part of the same step"
    assert frame.lasts[1].text.startswith("Broadcast to 8 at ")
    assert frame.lasts[2].text == "forward(), line 29"


def test_a_change_fades() -> None:
    frame = at(timeline().end, 5)
    parent = frame.variables[0]
    assert parent.note == f"since {parent.since:.2f}"
    assert not parent.changed
    assert (frame.word, frame.slot) == ("acked", 3)


def test_a_change_is_old_when_another_process_acts() -> None:
    last = timeline().events_of(5)[-2:]
    t = float(timeline().time[last[0]])
    assert at(t, 5).variables[1].changed
    assert at(float(timeline().time[last[1]]), 5).variables[1].changed
    after = at(float(timeline().time[last[1] + 1]), 5).variables[1]
    assert not after.changed
    assert after.note == f"since {t:.2f}"


def test_code_of_the_action() -> None:
    start = at(0.4, 0)
    assert start.lasts[-1].text == "start(), line 25"
    assert start.initiator
    assert at(moment(5, Kind.RECEIVE, 1), 5).lasts[-1].text in ("again(), line 33", "collect(), line 37")


@given(t=st.floats(0, 15), process=st.integers(0, 11))
def test_the_list_is_cut_at_the_current_event(t: float, process: int) -> None:
    frame = at(t, process)
    events = timeline().events_of(process)
    k = timeline().count(t)
    assert frame.count == len(events)
    assert [row.seq for row in frame.rows] == events.tolist()
    assert [row.past or row.current for row in frame.rows] == [bool(seq < k) for seq in events]
    assert sum(row.current for row in frame.rows) == (frame.current >= 0)
    assert [row.lamport for row in frame.rows] == sorted(row.lamport for row in frame.rows)
    assert frame.previous < k or frame.previous == -1
    assert frame.following >= k or frame.following == -1


def test_choice_of_the_process() -> None:
    k = timeline().count(5.0)
    current = int(timeline().process[k - 1])
    assert at(5.0).process == current
    assert not at(5.0).chosen
    assert at(5.0, 7).process == 7
    assert at(5.0, 7).chosen
    event = int(timeline().events_of(9)[2])
    assert at(5.0, selection=Selection(event=event)).process == 9
    assert step.frame(timeline(), 5.0, Selection(processes=frozenset({7})), animation=LOOK, process=4).process == 4
    assert at(0.0).process == 0
    several = Selection(processes=frozenset({8, 3, 6}))
    assert at(5.0, selection=several).process == 3
    assert at(5.0, 99).process == current


def test_selected_and_hovered_events_are_marked() -> None:
    event = int(timeline().events_of(5)[1])
    frame = at(9.0, 5, selection=Selection(processes=frozenset({5}), event=event), hover=Hit("event", event))
    assert [row.seq for row in frame.rows if row.selected] == [event]
    assert [row.seq for row in frame.rows if row.hover] == [event]


def test_scrolling_stays_in_range() -> None:
    assert at(5.0, 5, offset=3).offset == 3
    assert at(5.0, 5, offset=-3).offset == 0
    assert at(5.0, 5, offset=999).offset == at(5.0, 5).count - 1


def test_a_long_history_is_shown_in_part() -> None:
    b = Book(("0", "1"), links=[("0", "1")])
    for i in range(400):
        b.send(float(i), "0", "1", "Ack")
    of = Timeline(b.trace())
    frame = at(200.0, 0, of=of)
    assert (frame.count, frame.current) == (400, 200)
    assert frame.rows[0].place <= 150 <= 200 < frame.rows[-1].place < 399
    far = at(200.0, 0, of=of, offset=390)
    assert far.rows[-1].place == 399
    assert events_title(frame) == "Its events (400)"


def test_crashed_and_without_any_event() -> None:
    b = Book(("0", "1"), links=[("0", "1")])
    b.write(0, "init", "0", state="initiating")
    b.write(1, "crash", "0")
    of = Timeline(b.trace())
    frame = at(2.0, 0, of=of)
    assert frame.crashed
    assert frame.situation.startswith("crashed")
    assert [row.fault for row in frame.rows] == [False, True]
    assert frame.title == "0: initiating, crashed · event 2 of 2"
    quiet = at(2.0, 1, of=of)
    assert (quiet.count, events_title(quiet)) == (0, "It has no events")
    assert summary(quiet) == "Process 1, sleeping, no events yet, 0 events."


def test_no_processes() -> None:
    frame = at(0.0, of=Timeline(Book((), links=[]).trace()))
    assert frame.process == -1
    assert summary(frame) == "The network has no process."


def test_the_source_is_read_and_never_executed() -> None:
    evil = SOURCE + "\nraise SystemExit('run')\n"
    source = read(evil)
    assert source.sets == {"pending"}
    assert source.formula == "4*m - 2*n + 2"
    assert source.action("acked", "Broadcast") == source.action("waiting", "Broadcast")
    found = source.action("sleeping", "Ack")
    assert found is not None
    assert (found.function, found.line) == ("collect", 37)
    assert source.action("waiting", "INIT") is None
    assert read("class (").actions == ()
    assert read("\0").actions == ()


def test_alternative_styles_of_protocols() -> None:
    source = read(
        "A, B = states('a', 'b')\n"
        "class P(Process):\n"
        "    seen = set()\n"
        "    inside: 'set[int]'\n"
        "    k = parameter(3, minimum=1)\n"
        "    @on('a', (Ask, Tell))\n"
        "    def both(self, m): pass\n"
        "    @on(ANY, Tell)\n"
        "    def tell(self, m): pass\n"
        "    @when(lambda self: True)\n"
        "    def move(self): pass\n"
    )
    assert source.sets == {"seen", "inside"}
    assert dict(source.parameters) == {"k": 3}
    assert [getattr(source.action(s, e), "function", None) for s, e in
            (("a", "Ask"), ("b", "Ask"), ("a", "Tell"), ("b", "Tell"), ("b", "move"))] == [
        "both", None, "both", "tell", "move"]  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "text"),
    [("4*m - 2*n + 2", "4m − 2n + 2"), ("n*m", "n·m"), ("2*(n-1)**2", "2(n−1)²"), ("<= n*log2(n)", "≤ n·log2(n)")],
)
def test_formulas_in_mathematical_notation(formula: str, text: str) -> None:
    assert formula_text(formula) == text
