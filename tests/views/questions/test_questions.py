"""Questions about runs, with answers compared with those of an oracle that reads the rows one by one."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.trace.events import ATTACHED, KINDS, OFF_LINE, Event, Trace
from lydian.trace.timeline import Timeline
from lydian.views.questions.ask import ask, kinds, series
from lydian.views.questions.question import CHOICE, NUMBER, SEVERAL, Choice, Question, check, from_dict
from lydian.views.questions.scene import Scene, capital
from tests.archive.ran import ROOT, once
from tests.trace.sample import traces

ARCHIVE = Archive(None, ROOT)
#: Protocols with networks on which their runs are short: messages, timers, guarded actions, equal and random delays.
RUNS = {
    "two-wings": ("grid:3x2", "complete:4", "ring:6"), "chang-roberts": ("ring:4", "ring:7"),
    "chandy-lamport": ("complete:3", "ring:4"), "chandy-misra": ("ring:5",), "bully": ("complete:4", "complete:6"),
    "two-phase-commit": ("complete:4",), "dijkstra-k-state": ("ring:5",), "ricart-agrawala": ("complete:3",),
    "bfs-async-equal-delays": ("grid:3x3", "complete:5"),
}  # fmt: skip
_OFF_LINE = {KINDS[code] for code in OFF_LINE}
_ATTACHED = {KINDS[code] for code in ATTACHED}


@cache
def run_of(name: str, network: str, seed: int) -> Timeline:
    experiment = ARCHIVE.experiment(name).moved(network).with_(seed=seed, name="", about="", path=None)
    experiment = experiment.with_(breaks=("all",), stop=replace(experiment.stop, events=1500))
    return Timeline(Simulator(experiment.resolve(ARCHIVE)).run().trace)


@st.composite
def runs(draw: Any) -> Timeline:
    name = draw(st.sampled_from(sorted(RUNS)))
    return run_of(name, draw(st.sampled_from(RUNS[name])), draw(st.integers(1, 6)))


class Oracle:
    """The answers by definition."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline, self.events = timeline, list(timeline.trace.events())
        self.graph, latest = nx.DiGraph(), dict[str, int]()
        self.graph.add_nodes_from(range(len(self.events)))
        self.chain, self.lamport = dict[int, int](), dict[int, int]()
        for event in self.events:
            before = [] if event.cause is None else [event.cause]
            if event.process is not None and event.kind not in _OFF_LINE:
                before += [latest[event.process]] if event.process in latest else []
                latest[event.process] = event.seq
            self.graph.add_edges_from((seq, event.seq) for seq in before)
            self.lamport[event.seq] = 1 + max((self.lamport[seq] for seq in before), default=0)
            carried = event.kind == "receive"
            self.chain[event.seq] = max(
                (self.chain[seq] + (carried and seq == event.cause) for seq in before), default=0
            )

    def next(self, question: Question) -> Event:
        """Return the first event after the part that may be shown that the evidence names."""
        return next(self.events[seq] for seq in question.evidence if self.events[seq].time > question.time)

    def happened(self, a: int, b: int) -> bool:
        return bool(nx.has_path(self.graph, a, b))

    # ------------------------------------------------------------------ the kinds

    def before(self, question: Question) -> tuple[int, ...]:
        first, last = question.about
        return (0,) if self.happened(first, last) else (1,)

    def concurrent(self, question: Question) -> tuple[int, ...]:
        (event,) = question.about
        return tuple(
            place for place, choice in enumerate(question.choices)
            if not self.happened(event, choice.event) and not self.happened(choice.event, event)
        )  # fmt: skip

    def clock(self, question: Question) -> tuple[int, ...]:
        return (self.lamport[self.next(question).seq],)

    def chain_(self, question: Question) -> tuple[int, ...]:
        return (self.chain[self.next(question).seq],)

    def state(self, question: Question) -> tuple[int, ...]:
        event = self.next(question)
        words = Scene(self.timeline).words
        assert event.state is not None
        return tuple(p for p, choice in enumerate(question.choices) if choice.text == words.word(event.state))

    def messages(self, question: Question) -> tuple[int, ...]:
        who = re.search(r"How many more messages will process (\S+) send", question.text)
        sends = [event for event in self.events if event.kind == "send"]
        if who:
            sends = [event for event in sends if event.process == who[1] and event.time > question.time]
        return (len(sends),)

    def cut(self, question: Question) -> tuple[int, ...]:
        inside = dict(zip(self.timeline.processes, question.cut, strict=True))
        sent = {event.message: event for event in self.events if event.kind == "send"}
        wrong = [
            event for event in self.events
            if event.kind == "receive" and event.seq <= inside[event.process or ""]
            and (send := sent[event.message]) and send.seq > inside[send.process or ""]
        ]  # fmt: skip
        assert len(wrong) <= 1
        if not wrong:
            return (0,)
        # Several messages of a kind may take the same way, so the whole message must fit.
        message = Scene(self.timeline).hop(wrong[0].seq)
        return tuple(place for place, choice in enumerate(question.choices) if f" {message} is" in choice.text)

    def reach(self, question: Question) -> tuple[int, ...]:
        (event,) = question.about
        later = {
            self.events[seq].process for seq in nx.descendants(self.graph, event)
            if self.events[seq].time <= question.time and self.events[seq].kind not in _OFF_LINE
        }  # fmt: skip
        return tuple(p for p, choice in enumerate(question.choices) if self.timeline.processes[choice.process] in later)

    def next_(self, question: Question) -> tuple[int, ...]:
        """Return the receipts of messages in transit; of several, the one whose message was sent first."""
        scene, flying = Scene(self.timeline), dict[int, Event]()
        for event in self.events:
            if event.time <= question.time and event.message is not None:
                flying |= {event.message: event} if event.kind == "send" else {}
                if event.kind in ("receive", "drop"):
                    flying.pop(event.message, None)
        arrivals = {e.message: e for e in self.events if e.kind == "receive"}
        sent: dict[str, float] = {}
        for message, send in flying.items():
            if message in arrivals:
                told = capital(scene.act(arrivals[message].seq))
                sent[told] = min(send.time, sent.get(told, send.time))
        there = {sent[choice.text]: place for place, choice in enumerate(question.choices) if choice.text in sent}
        possible = [choice for choice in question.choices if choice.text in sent]
        assert len(possible) == (len(question.choices) if "first" in question.text else 1)
        return (there[min(there)],)


@settings(max_examples=25)
@example(run_of("chang-roberts", "ring:4", 1), "cut", 2690)  # two choices differ in the number of a message only
@given(runs(), st.sampled_from(sorted(kinds())), st.integers(1, 10_000))
def test_answers_are_those_of_an_oracle(timeline: Timeline, kind: str, seed: int) -> None:
    question = ask(timeline, kind, seed)
    if question is None:
        return
    oracle = Oracle(timeline)
    right = getattr(oracle, {"chain": "chain_", "next": "next_"}.get(kind, kind))(question)
    assert question.right == right, question
    assert all(timeline.time[seq] <= question.time for seq in question.about)
    texts = [choice.text for choice in question.choices]
    assert len(set(texts)) == len(texts)
    assert question.why and "\n" not in question.why and "  " not in question.why
    assert all(0 <= seq < timeline.length for seq in question.evidence)


@settings(max_examples=25)
@given(runs(), st.sampled_from(sorted(kinds())), st.integers(1, 50))
def test_what_is_asked_about_the_future_has_not_happened_yet(timeline: Timeline, kind: str, seed: int) -> None:
    question = ask(timeline, kind, seed)
    if question is None or kind not in ("next", "clock", "chain", "state"):
        return
    assert timeline.time[max(question.evidence)] > question.time
    k = timeline.count(question.time)
    assert k < timeline.length and timeline.time[k] > question.time


@settings(max_examples=40)
@given(traces(most=40), st.sampled_from(sorted(kinds())), st.integers(1, 9))
def test_any_trace_can_be_asked_about(trace: Trace, kind: str, seed: int) -> None:
    question = ask(Timeline(trace), kind, seed)
    assert question is None or check(question, _as_given(question)).right


def test_each_kind_is_asked_about_some_run() -> None:
    asked = {kind for name, networks in RUNS.items() for kind in kinds() if ask(run_of(name, networks[0], 1), kind, 1)}
    assert asked == set(kinds())


# ---------------------------------------------------------------------- the same for all kinds


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return run_of("two-wings", "grid:3x2", 1)


def test_the_same_run_kind_and_seed_give_the_same_question(timeline: Timeline) -> None:
    again = Timeline(once(ARCHIVE.experiment("two-wings"))[1].trace)
    assert ask(timeline, "concurrent", 5) == ask(Timeline(timeline.trace), "concurrent", 5)
    assert ask(timeline, "concurrent", 5) != ask(timeline, "concurrent", 6)
    assert ask(timeline, "concurrent", 5) != ask(again, "concurrent", 5)


def test_a_series_contains_no_question_twice_and_all_kinds(timeline: Timeline) -> None:
    found = [question for question, _ in zip(series(timeline, 3), range(40), strict=False)]
    assert len({_whole(question) for question in found}) == 40
    assert {question.kind for question in found[: len(kinds())]} == {each for each in kinds() if ask(timeline, each, 1)}
    assert [question.text for question, _ in zip(series(timeline, 3), range(5), strict=False)] == [
        question.text for question in found[:5]
    ]
    same = [question for question, _ in zip(series(timeline, 3, ["next"]), range(5), strict=False)]
    assert {question.kind for question in same} == {"next"} and len({_whole(question) for question in same}) == 5


def test_a_series_ends_where_a_run_has_no_more_questions() -> None:
    short = Timeline(Simulator(ARCHIVE.experiment("two-wings").moved("line:2").resolve(ARCHIVE)).run().trace)
    found = list(series(short, 1))
    assert 2 < len(found) < 60 and len({_whole(question) for question in found}) == len(found)


def _whole(question: Question) -> tuple[str, ...]:
    return question.text, *sorted(choice.text for choice in question.choices)


def test_an_unknown_kind_is_refused_with_a_hint(timeline: Timeline) -> None:
    with pytest.raises(BadInput, match=r"unknown kind of question 'concurent' \(did you mean 'concurrent'\?\)"):
        ask(timeline, "concurent")


def _as_given(question: Question) -> object:
    """Return the right answer as one types it."""
    if question.form == NUMBER:
        return str(question.right[0])
    given = [question.choices[place].text for place in question.right]
    return given if question.form == SEVERAL else given[0]


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_question_survives_json_with_and_without_its_answer(kind: str) -> None:
    found = (ask(run_of(name, networks[0], 1), kind, 2) for name, networks in RUNS.items())
    question = next(each for each in found if each is not None)
    assert from_dict(json.loads(json.dumps(question.to_dict()))) == question
    asked = question.to_dict(answer=False)
    assert not {"right", "why", "evidence"} & set(asked)
    with pytest.raises(BadInput, match="does not contain its answer"):
        check(from_dict(asked), 1)


def test_what_is_not_a_question_is_refused() -> None:
    with pytest.raises(BadInput, match="this is not a question about a run"):
        from_dict({"kind": "clock"})


# ---------------------------------------------------------------------- answers


def _question(form: str, right: tuple[int, ...], *choices: str, processes: bool = False) -> Question:
    made = tuple(Choice(text, process=place if processes else -1) for place, text in enumerate(choices))
    return Question("some", 1, "", "What?", 1.0, form, right, "Because.", made)


def test_a_number_is_judged_in_every_notation() -> None:
    question = _question(NUMBER, (12,))
    assert all(check(question, answer).right for answer in (12, 12.0, "12", " 12 ", "12.0"))
    assert check(question, 13).sentence == "Not quite. The answer is 12."
    refused: tuple[object, ...] = ("", "twelve", 12.5, True)
    for bad in refused:
        with pytest.raises(BadInput, match="number"):
            check(question, bad)


def test_a_choice_is_given_by_its_number_its_text_or_yes_and_no() -> None:
    question = _question(CHOICE, (1,), "Yes", "No")
    assert all(check(question, answer).right for answer in (2, "2", "No", " no ", False))
    assert not any(check(question, answer).right for answer in (1, "yes", True))
    assert check(question, 1).sentence == "Not quite. The answer is No."
    for bad in (0, 3, "perhaps", ""):
        with pytest.raises(BadInput, match="not one of the 2 choices"):
            check(question, bad)


def test_a_long_choice_is_cited_by_its_number() -> None:
    question = _question(CHOICE, (0,), "Process 3 receives Acknowledgement from 5 at time 6.2", "Process 4 starts")
    assert check(question, 2).sentence == "Not quite. The answer is number 1."


def test_several_processes_are_given_by_name_in_any_order() -> None:
    question = _question(SEVERAL, (0, 2), "3", "1", "2", processes=True)
    right: tuple[object, ...] = ("3, 2", "2,3", ["2", "3"], [1, 3])
    wrong: tuple[object, ...] = ("3", "1, 2, 3", "", [])
    assert all(check(question, answer).right for answer in right)
    assert not any(check(question, answer).right for answer in wrong)
    assert check(question, "1").sentence == "Not quite. The answer is 3 and 2."
