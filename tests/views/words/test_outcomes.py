"""Sentences about the outcome of an action, derived from its effects."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lydian.model.archive.archive import Archive
from lydian.pieces.animation import Animation, animation_for
from lydian.pieces.watch import filled
from lydian.trace.timeline import Timeline
from lydian.views.words.reasons import names_in, why
from lydian.views.words.source import read
from tests.views.book import Book

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = Archive(None, ROOT)
SOURCE = '''"""Say."""
from lydian import ANY, Message, Process, on, states

IDLE, BUSY = states("idle", "busy")


class Ask(Message):
    pass


class Reply(Message):
    pass


class Say(Process):
    state = IDLE
    best: int = 0
    waits: set[str] = set()

    @on(ANY, Ask)
    def asked(self, m, q):
        """It answers, or keeps its answer.

        sends Reply and while idle: It is free, so it answers {peer} at once.
        sends Reply: It answers although it is busy.
        becomes busy: It gets busy.
        changes best: The best is {best} now,
            and {waits:process waits|processes wait}.
        nothing: Nothing comes of it.

        What follows belongs to none of these.
        """
        if self.best:
            self.send(Reply(), to=q)

    @on(ANY, Reply)
    def told(self, m, q):
        """It is told the best, or not."""
        if self.best:
            self.best = 1
'''


def run() -> Timeline:
    b = Book(("1", "2"), labels=("Ask", "Reply"), states=("idle", "busy"), source=SOURCE)
    b.write(0, "receive", "1", "2", label="Ask")
    b.send(0, "1", "2", "Reply", 0)
    b.write(1, "receive", "1", "2", label="Ask", state="busy")
    b.write(2, "receive", "1", "2", label="Ask")
    b.send(2, "1", "2", "Reply", 3)
    b.write(3, "receive", "1", "2", label="Ask", changed={"best": 4, "waits": ["2"]})
    b.write(4, "receive", "1", "2", label="Ask")
    b.write(5, "receive", "1", "2", label="Reply")
    return Timeline(b.trace())


def test_the_first_true_outcome_is_shown() -> None:
    told = [why(run(), seq, Animation()) for seq in (0, 2, 3, 5, 6)]
    assert told == [
        "It is free, so it answers 2 at once.",
        "It gets busy.",
        "It answers although it is busy.",
        "The best is 4 now, and 1 process waits.",
        "Nothing comes of it.",
    ]


def test_a_docstring_that_covers_an_if_explains_nothing() -> None:
    assert why(run(), 7, Animation()) == ""
    phrases = Animation(phrases={("busy", "Reply"): "An animation may say what it means."})
    assert why(run(), 7, phrases) == "An animation may say what it means."


HELPERS = """
class Base(Process):
    def spread(self, m, to):
        for r in to:
            self.send(m, to=r)

    def keep(self, m):
        self.best = m

    def higher(self):
        if self.best:
            return 1
        return 2


class Say(Base):
    @on(ANY, Ask)
    def asked(self, m, q):
        '''It says so.'''
        BODY

    def perhaps(self):
        if self.best:
            self.send(Reply(), to=self.me)

    def early(self):
        if self.best:
            return
        self.deliver(1)

    def again(self):
        self.again()
        self.keep(1)


def outside(process, m):
    while process.best:
        process.best -= 1
"""


@pytest.mark.parametrize(
    ("body", "branches"),
    [
        ("self.keep(m)", False),
        ("self.keep(self.higher())", False),
        ("self.again()", False),
        ("for r in sorted(self.neighbours): self.send(m, to=r)", False),
        ("for r in ('1', '2'): self.send(m, to=r)", False),
        ("if self.best: self.keep(m)", True),
        ("for r in self.waits: self.send(m, to=r)", True),
        ("self.state = BUSY if self.best else IDLE", True),
        ("self.best and self.keep(m)", True),
        ("self.spread(m, self.waits)", True),
        ("super().spread(m, self.waits)", True),
        ("self.perhaps()", True),
        ("self.early()", True),
        ("outside(self, m)", True),
        ("for r in self.neighbours: r in self.waits and self.waits.discard(r)", True),
    ],
)
def test_a_decision_may_be_in_a_helper(body: str, branches: bool) -> None:
    (action,) = read(HELPERS.replace("BODY", body)).actions
    assert action.branches is branches


def test_a_sentence_that_is_always_true_is_unconditional() -> None:
    source = HELPERS.replace("BODY", "self.perhaps()").replace("so.", "so.\n\n        always:\n        ")
    (action,) = read(source).actions
    assert action.outcomes == (("always", "It says so."),)


def test_an_outcome_takes_precedence_over_a_phrase() -> None:
    assert why(run(), 2, Animation(phrases={("idle", "Ask"): "Something else."})) == "It gets busy."


def test_unrecorded_facts_are_not_guessed() -> None:
    b = Book(("1", "2"), labels=("Ask", "Reply"), states=("idle", "busy"), source=SOURCE)
    b.write(0, "receive", "1", "2", label="Ask")
    trace = b.trace(initial={})
    assert why(Timeline(trace), 0, Animation()) == "", "no variable was recorded"


@pytest.mark.parametrize("name", ARCHIVE.names("protocols"))
def test_outcomes_of_the_archive_name_existing_things(name: str) -> None:
    protocol = ARCHIVE.protocol(name)
    states = {*protocol.states, *(state for own in protocol.layers.values() for state in own)}
    known = {
        "sends": {"nothing", *(each.__name__ for each in protocol.messages)},
        "becomes": states, "while": states, "changes": set(protocol.variables),
        "sets": {each.__name__ for each in protocol.timers},
        "says": {field for fields in read(protocol.source).fields.values() for field in fields},
    }  # fmt: skip
    for action in read(protocol.source).actions:
        for condition, sentence in action.outcomes:
            assert re.fullmatch(r"[A-Z{“].*[.!?]", sentence), sentence
            for verb, names in names_in(condition):
                names = {re.split(r"[(=]", name)[0] for name in names}
                assert names <= known.get(verb, set()), f"{action.function}: {condition}"
            holes = set(re.findall(r"\{(\w+)", sentence))
            assert holes <= {"peer", *protocol.variables}, f"{action.function}: {sentence}"


@pytest.mark.parametrize("name", ARCHIVE.names("protocols"))
def test_composed_sentences_are_right_for_one_and_for_zero(name: str) -> None:
    """``1 answers are missing`` cannot occur."""
    texts = [*animation_for(name).phrases.values()]
    texts += [each for action in read(ARCHIVE.protocol(name).source).actions for _, each in action.outcomes]
    nouns = r"(acknowledgement|answer|entrie|event|process|vote|round|link|post|channel|layer|promise|wave|step|piece)s"
    for text in texts:
        holes = set(re.findall(r"\{\s*(\w+)", text))
        one = filled(text, {**{hole: ["a"] for hole in holes}, "peer": "5"}, "none")
        assert not re.search(rf"\b1 (more )?{nouns}\b", one) and " are are " not in one, one
        numbers = filled(re.sub(r":len\}", "}", text), {**dict.fromkeys(holes, 1), "peer": "p"}, "none")
        assert not re.search(rf"\b1 (more )?{nouns}\b|\b1 \w+ are\b", numbers), numbers
        assert "{" not in one


def test_variables_of_layers_and_negative_numbers_can_be_named() -> None:
    source = SOURCE.replace(
        "        changes best: The best is {best} now,\n            and {waits:process waits|processes wait}.\n",
        "        changes ring.next: Behind it is {ring.next} now.\n        says finger=-1: It is asked for itself.\n",
    )
    b = Book(("1", "2"), labels=("Ask", "Reply"), states=("idle", "busy"), source=source)
    b.write(0, "receive", "1", "2", label="Ask", changed={"ring.next": "2"})
    b.send(1, "2", "1", "Ask", 0, fields={"finger": -1})
    b.write(2, "receive", "1", "2", label="Ask", message=1)
    timeline = Timeline(b.trace())
    assert why(timeline, 0, {}) == "Behind it is 2 now."
    assert ("says finger=-1", "It is asked for itself.") in read(source).actions[0].outcomes
