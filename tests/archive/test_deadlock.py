"""Deadlock detection by Bracha and Toueg: the result is that of the definition, for any requests and delays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Network
from tests.archive.ran import once

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=20, deadline=None)
NAME = "bracha-toueg-deadlock"


def network(n: int) -> Network:
    net = from_spec(f"complete:{n}")
    return net.replace(initiators=net.processes, order="unordered", delay=parse("uniform(0, 2.9)"))


def detected(n: int, graph: str, protocol: str = NAME, **words: Any) -> Result:
    experiment = Experiment("t", protocol=protocol, network=network(n), parameters={"graph": graph}, **words)
    return Simulator(experiment.resolve(ARCHIVE)).run()


#: Requests and the result for process 0.
CASES = {
    "5: 1 of 4": "free",
    "0: 1 of 1": "free",
    "0: 1 of 1; 1: 1 of 0": "deadlock",
    "0: 2 of 1 2; 1: 1 of 0": "deadlock",
    "0: 1 of 1 2; 1: 1 of 0": "free",
    "0: 1 of 1; 1: 1 of 2; 2: 1 of 3; 3: 1 of 1": "deadlock",
    "0: 1 of 1; 1: 1 of 2; 2: 1 of 3; 3: 1 of 1 4": "free",
    "0: 1 of 1 2; 1: 2 of 2 3; 2: 1 of 0 4; 4: 1 of 1": "deadlock",
    "0: 1 of 1 2; 1: 2 of 2 3; 2: 1 of 0 4; 4: 1 of 1 5": "free",
}


@pytest.mark.parametrize("graph", CASES)
def test_the_result_is_that_of_the_definition(graph: str) -> None:
    result = detected(6, graph)
    assert result.exit_code == 0
    assert result.decided == {"0": CASES[graph]}


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, str]:
    n = draw(st.integers(2, 7))
    entries = []
    for p in range(n):
        asked = sorted(draw(st.sets(st.integers(0, n - 1), max_size=3)) - {p})
        if asked:
            entries.append(f"{p}: {draw(st.integers(1, len(asked)))} of {' '.join(map(str, asked))}")
    assume(entries)
    return n, "; ".join(entries)


@FEW
@given(graphs(), st.integers(0, 99))
def test_any_requests(case: tuple[int, str], seed: int) -> None:
    n, graph = case
    result = detected(n, graph, seed=seed)
    requests = sum(len(each.partition(" of ")[2].split()) for each in graph.split(";"))
    assert result.exit_code == 0
    assert requests <= result.messages <= 5 * requests


#: Experiment -> a sentence that is violated because of its broken assumption.
BROKEN = {
    "bracha-toueg-deadlock-late": "a process that announces a deadlock cannot go on",
    "bracha-toueg-deadlock-lost": "the process that began the detection learns the result",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert result.exit_code == 1
    assert any(BROKEN[name] in check.name for check in result.violated)


#: Description -> the right text, the wrong text.
BUGS = {
    "a grant is answered at once": ("            self.granter = q\n            self.grant()\n",
                                    "            self.send(Ack(), to=q)\n            self.grant()\n"),
    "one grant is enough": ("        self.needed -= 1\n", "        self.needed = 0\n"),
    "a notification is answered at once": ("            self.notifier = q\n            self.notify()\n",
                                           "            self.send(Done(), to=q)\n            self.notify()\n"),
    "only one process is granted": (
        "        self.acks = len(self.asked_by)\n",
        "        self.asked_by = self.asked_by[:1]\n        self.acks = len(self.asked_by)\n",
    ),
    "grants do not wait": ("(self.acks == 0 or self.quota > 0)", "True"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(NAME).source
    assert source.count(right) == 1
    path = tmp_path / f"{NAME}.py"
    path.write_text(source.replace(right, wrong))
    cases = [*CASES, "0: 2 of 1 2; 1: 1 of 3; 2: 1 of 1", "0: 2 of 1 2; 1: 1 of 2; 2: 1 of 3"]
    assert any(detected(6, graph, str(path), seed=seed).exit_code != 0 for graph in cases for seed in range(8))
