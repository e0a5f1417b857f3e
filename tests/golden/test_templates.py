"""One sentence for each template that a sentence about an event can follow, kept in ``templates.txt``.

A line is an experiment of the archive, the number of an event, and its explanation; the last event of a run is followed
by its closing sentence. ``python -m tests.golden.test_templates`` writes the table anew, to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.pieces.animation import animation_for
from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.words.ends import closing
from lydian.views.words.sentence import explain

TABLE = Path(__file__).with_name("templates.txt")
ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
#: Experiments with short runs: each family of protocols, faults, crashes, timers, guarded actions, layers, deadlocks.
SAMPLED = (
    "flooding-lost", "two-wings", "echo-crash", "tree-wave", "chang-roberts-forged", "bully", "bfs-async-lost",
    "ricart-agrawala-crash", "suzuki-kasami-lost-token", "chandy-misra-crash", "chandy-misra-haas",
    "chandy-misra-haas-phantom", "dijkstra-scholten", "chandy-lamport-forged", "lai-yang", "two-phase-commit",
    "paxos", "ben-or-liar", "ben-or-crash", "byzantine-generals", "king", "apples", "apples-mischief", "apples-act-3",
    "dijkstra-three-state", "causal-broadcast", "total-order-sequencer-crash", "balls-and-bins-lost", "luby",
    "content-routing-crash", "heartbeat", "polling-crash", "cole-vishkin", "voting-majority", "distance-vector",
)  # fmt: skip


#: Words by which the templates of event sentences differ.
VERBS = (
    "sends|delivers|decides|notes|sets|cancels|because|while|begins|A fault|starts with|only|more variables?|Nothing"
    "|a lie"
)


def run_of(name: str) -> Timeline:
    return Timeline(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run().trace)


def said(timeline: Timeline, seq: int) -> str:
    text = explain(timeline, seq, animation_for(timeline.trace))
    return f"{text} / {closing(timeline)}" if seq == timeline.length - 1 else text


def template(kind: str, text: str) -> str:
    """The words of a sentence that belong to its template: the kind of event, and the verbs of its effects."""
    found = re.findall(rf"\b({VERBS})\b", text)
    end = re.findall(r" / (\w+ \w+)", text)
    return " ".join([kind, *sorted(set(found)), *end])


def written() -> Iterator[str]:
    seen: dict[str, int] = {}
    for name in SAMPLED:
        timeline = run_of(name)
        for seq in range(timeline.length):
            text = said(timeline, seq)
            shape = template(KINDS[timeline.kind[seq]], text)
            if len(text) < 400 and shape not in seen:
                seen[shape] = seq
                yield f"{name} {seq} {text}\n"


def kept() -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        name, seq, text = line.split(" ", 2)
        found.setdefault(name, {})[int(seq)] = text
    return found


@pytest.mark.parametrize("name", kept() if TABLE.exists() else ())
def test_sentences_are_those_we_read(name: str) -> None:
    sentences = kept()[name]
    timeline = run_of(name)
    assert {seq: said(timeline, seq) for seq in sentences} == sentences


def test_timers_that_expire_together_share_a_verb() -> None:
    text = said(run_of("heartbeat-partition"), 0)
    names = [f"“Silence timeout” (q={q})" for q in range(1, 5)]
    assert f"it sets the timers {', '.join(names[:3])} and {names[3]} to expire at time 4, sends Heartbeat" in text
    assert text.endswith(", and sets the timer “Heartbeat period” to expire at time 2.")


if __name__ == "__main__":
    TABLE.write_text("".join(written()), encoding="utf-8")
