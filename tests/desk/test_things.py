"""Everything with a name: what is found first, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.desk import things
from lydian.desk.archivelist import ArchiveList
from lydian.desk.kept.sweeps import Kept
from lydian.desk.things import Thing, Things
from lydian.model.archive.catalogue import Reader
from lydian.model.archive.trials import what_to_see


@pytest.fixture(scope="module")
def known() -> Things:
    shelf = ArchiveList()
    return things.read(shelf, Reader(shelf.archive), [Kept("raft by delay", Path("/somewhere"), 3, 4)])


def first(known: Things, query: str) -> Thing:
    return known.all[known.index.search(query).found[0][0]]


@pytest.mark.parametrize(
    ("query", "kind", "key"),
    [
        ("raft partition", "experiment", "raft-partition"),
        ("raft partiton", "experiment", "raft-partition"),
        ("paxos", "protocol", "paxos"),
        ("skip ring crash", "experiment", "skip-ring-crash"),
        ("a silent process", "lesson", "echo-crash"),
        ("tree 15", "network", "tree-15"),
        ("hypercube", "network", "hypercube:4"),
        ("lamport clock", "page", "glossary#lamport-clock"),
        ("by delay", "sweep", "/somewhere"),
    ],
)
def test_everything_is_found_by_its_name(known: Things, query: str, kind: str, key: str) -> None:
    thing = first(known, query)
    assert (thing.kind, thing.key) == (kind, key)
    assert known.named(kind, key) is thing


def test_every_kind_has_a_title_and_experiments_say_what_to_watch_for(known: Things) -> None:
    assert {each.kind for each in known.all} | {"assignment"} == set(things.KINDS)
    assert all(each.title for each in known.all)
    raft = first(known, "raft partition")
    assert raft.title == "Raft: partition" and raft.about.startswith("Leader 0 and 1")
    assert raft.facts == (
        ("Protocol", "Raft"), ("Network", "complete:5, every two processes are linked"),
        ("Watch for", "There are two leaders for some time, of different terms."),
    )  # fmt: skip
    watched = [each for each in known.all if each.kind == "experiment" and each.trial and each.trial.watch]
    assert len(watched) > 250


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("**What to look for.** In [a](lydian:run/a) a leader crashes; in [b](lydian:run/b) two do.",
         {"a": "A leader crashes."}),  # the rest is too short
        ("**What to look for.** Open [a](lydian:run/a). The *red* links are a tree.",
         {"a": "The red links are a tree."}),
        ("**Where it fails.** [a](lydian:run/a): one of three lies.", {"a": "One of three lies."}),
        ("**Where it fails.** [a](lydian:run/a) reproduces figure 8.", {"a": "It reproduces figure 8."}),
        ("**Where it fails.** In [a](lydian:run/a) and [b](lydian:run/b) the chain is red.",
         {"a": "The chain is red.", "b": "The chain is red."}),
        ("**Where it fails.** A larger r is sufficient ([a](lydian:run/a)).", {"a": "A larger r is sufficient."}),
        ("1. Open [a](lydian:run/a). What is the value?", {}),
        ("**Two questions for the class**", {}),
    ],
)  # fmt: skip
def test_what_to_see_is_read_from_the_guide(line: str, seen: dict[str, str]) -> None:
    assert what_to_see(line) == seen
