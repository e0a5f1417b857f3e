"""The language of the archive: the predicates of all states, and samples of the sentences about runs.

Both are kept as text in ``tests/golden``; ``python -m tests.archive.test_sentences`` rewrites them for review.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lydian.model.archive.archive import Archive
from lydian.model.protocol.marks import is_predicate, states
from lydian.pieces.animation import animation_for
from lydian.trace.timeline import Timeline
from lydian.views.words.reasons import steps
from lydian.views.words.sentence import explain, sentence
from lydian.views.words.source import read
from lydian.views.words.words import now, still
from tests.archive.ran import of_each_protocol, once

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
PROTOCOLS = ARCHIVE.names("protocols")
GOLDEN = ROOT / "tests" / "golden"
#: Experiments with reviewed sentences: the first event of each message in each state, and of each outcome.
SAMPLED = (
    "two-wings", "byzantine-generals", "ricart-agrawala", "raft", "echo-election", "two-phase-commit", "paxos",
    "chang-roberts", "maekawa", "lamport-mutex", "bully", "tree-wave", "flooding-lost", "dijkstra-scholten",
)  # fmt: skip
#: Patterns that no sentence may contain: two verbs in a row, a missing verb, a pair shown as a list.
WRONG = re.compile(
    r"\b\w+\(\[|\b(is (is|has|does|wants|waits|knows|asks|sends|holds|listens)\b"
    r"|(while it|it now|it still) (in|the|a|an|not|no)\b|becomes (in|not|no)\b"
    r"|\b(\w+) \4\b(?! \d)|\bis now (wants|waits|has)\b|\.\.(?!\.)| ,|\b1 (?:\w+ )?(?:answers|messages|votes) are\b)"
)


def predicates() -> str:
    """Return a line for each state of the archive: its predicate after "while it", and as a new fact."""
    lines = []
    for name in PROTOCOLS:
        protocol = ARCHIVE.protocol(name)
        for state in protocol.states if len(protocol.states) > 1 else ():
            reads = protocol.predicates.get(state) or f"is {state}"
            lines.append(f"{name:26} {state:14} while it {reads}; it {now(reads)}; it {still(reads)}")
    return "\n".join(lines) + "\n"


def samples(name: str) -> list[str]:
    """Return the sentences about the first event of each kind, message and state of an experiment."""
    timeline = Timeline(once(ARCHIVE.experiment(name))[1].trace)
    animation = animation_for(timeline.trace)
    seen, said = set(), []
    for seq in steps(timeline).tolist():
        key = tuple(int(column[seq]) for column in (timeline.kind, timeline.label, timeline.state))
        if key not in seen:
            seen.add(key)
            said += [explain(timeline, seq, animation), f"    {sentence(timeline, seq, animation)}"]
    return said


def every_sample() -> str:
    return "".join(f"# {name}\n" + "\n".join(samples(name)) + "\n\n" for name in SAMPLED)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_states_of_a_protocol_have_predicates(name: str) -> None:
    protocol = ARCHIVE.protocol(name)
    told = read(protocol.source)
    for state in protocol.states:
        reads = protocol.predicates.get(state) or f"is {state}"
        assert is_predicate(reads), f"{state}: {reads}"
        assert told.predicate(state) == reads, "the views read the text as the model does"
        for text in (f"while it {reads}", f"It {now(reads)}", f"It {still(reads)}"):
            assert not WRONG.search(text), text
    label = animation_for(name)
    assert all(label.word(state).strip() for state in protocol.states)


def test_predicates_match_the_reviewed_list() -> None:
    assert predicates().splitlines() == (GOLDEN / "predicates.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SAMPLED)
def test_sentences_match_the_reviewed_list(name: str) -> None:
    kept = (GOLDEN / "sentences.txt").read_text(encoding="utf-8").partition(f"# {name}\n")[2].partition("\n\n")[0]
    said = samples(name)
    assert [text for text in said if WRONG.search(text)] == []
    assert said == kept.splitlines()


def each_experiment() -> list[Any]:
    """Return all experiments of the archive; `make test-all` alone runs those other than the first of each protocol."""
    first = set(of_each_protocol().values())
    names = ARCHIVE.names("experiments")
    return [name if name in first else pytest.param(name, marks=pytest.mark.exhaustive) for name in names]


@pytest.mark.parametrize("name", each_experiment())
def test_descriptions_of_runs_are_sentences(name: str) -> None:
    assert [text for text in samples(name) if WRONG.search(text)] == []


@pytest.mark.parametrize(
    ("reads", "what"),
    [
        ({"wanted": "the resource"}, "reads must give 'wanted' a predicate that begins with its verb"),
        ({"wanted": ""}, "a predicate that begins with its verb"),
        ({"wantd": "wants it"}, "reads names the unknown state 'wantd'.*'wanted'"),
    ],
)
def test_invalid_predicates(reads: dict[str, str], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        states("idle", "wanted", reads=reads)


def test_a_predicate_with_now_and_still() -> None:
    told = {"is waiting": ("is now waiting", "is still waiting"), "wants it": ("now wants it", "still wants it"),
            "has voted": ("has now voted", "has already voted"),
            "has a table": ("now has a table", "still has a table"),
            "will decide": ("will now decide", "will still decide")}  # fmt: skip
    assert {each: (now(each), still(each)) for each in told} == told


if __name__ == "__main__":
    (GOLDEN / "predicates.txt").write_text(predicates(), encoding="utf-8")
    (GOLDEN / "sentences.txt").write_text(every_sample(), encoding="utf-8")
