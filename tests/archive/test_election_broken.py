"""Leader election with a broken assumption or a bug, both of which must have visible effects."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


def run(experiment: Experiment) -> Result:
    return Simulator(experiment.resolve(ARCHIVE)).run()


def ring_of(names: list[str], starters: list[str], *, one_way: bool = True, delay: str = "constant(1)") -> Network:
    links = tuple(Link(a, b, directed=one_way) for a, b in zip(names, names[1:] + names[:1], strict=True))
    return Network("ring", tuple(names), links, tuple(starters), delay=parse(delay), order="fifo")


FAILS = {
    "lelann-lost": "no candidate is higher than the leader",
    "chang-roberts-forged": "at least one process is not beaten",
    "hirschberg-sinclair-cut": "there is a leader, and all other processes know that they are not",
    "peterson-election-lost": "every process knows the winner, the highest that started, and it is the leader",
    "itai-rodeh-size-repeats": "every process knows the number of processes",
    "franklin-lost": "every process knows the winner, the highest that started, and it is the leader",
    "dolev-klawe-rodeh-lost": "every process knows the winner, the highest that started, and it is the leader",
    "itai-rodeh-wrong-size": "there is at most one leader",
    "echo-election-crash": "all processes know the same leader, which was a candidate",
    "echo-collect-max-lost": "every process knows the leader",
    "voting-tally-crash": "all processes know the same leader, which has the most votes",
    "voting-majority-wrong-size": "a term has at most one leader",
    "bully-slow": "there is at most one leader alive",
    "afek-gafni-lost": "every process knows the leader",
}


@pytest.mark.parametrize("name", FAILS)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = run(ARCHIVE.experiment(name))
    assert result.exit_code == 1
    assert next(c for c in result.checks if c.name == FAILS[name]).holds is False


MIXED = ring_of(list("527183640"), list("527183640"), delay="uniform(0.5, 1.5)")
TWO_WAY = ring_of(list("527183640"), list("527183640"), one_way=False, delay="uniform(0.5, 1.5)")
GRAPH = from_spec("gnm:10,18,seed=2").replace(initiators=("2", "5", "9"))
COMPLETE = from_spec("complete:8").replace(initiators=tuple("01234567"))
SLOW = parse("exponential(mean=1)")
PAIR = Network("pair", ("1", "2"), (Link("1", "2"),), ("1", "2"), delay=SLOW)
CHAIN = Network("chain", ("0", "1", "9"), (Link("0", "1"), Link("1", "9")), ("1", "9"), delay=SLOW)
HALVES = ring_of(list("01234567"), ["0", "1"], one_way=False)
LOST_AND_ON = "            self.state = LOST\n            self.pass_on(m)\n"
PASSED_ON = "            self.state = LOST\n        if m.id != self.me:\n            self.pass_on(m)\n"
#: Description: protocol, the original text, its replacement, where it fails, parameters.
BUGS = {
    "it passes on lower identifiers": ("chang-roberts", LOST_AND_ON, PASSED_ON, MIXED, {}),
    "texts are compared, not numbers": (
        "chang-roberts", "natural(m.id) > natural(self.me)", "m.id > self.me",
        ring_of(["2", "10", "3"], ["2", "10", "3"]), {},
    ),
    "it forgets a competitor": ("lelann", "self.seen.add(m.id)", "self.seen = {m.id}", MIXED, {}),
    "a probe turns round too early": ("hirschberg-sinclair", "if m.hops < 2**m.phase", "if m.hops < 1", TWO_WAY, {}),
    "the lower one beats": (
        "hirschberg-sinclair", "natural(m.id) > natural(self.me)", "natural(m.id) < natural(self.me)", TWO_WAY, {},
    ),
    "it forgets what it has kept": ("franklin", "in self.kept.items():", "in ():", TWO_WAY, {}),
    "the lower side decides": ("franklin", "highest = max(", "highest = min(", TWO_WAY, {}),
    "rounds are mixed up": ("franklin", "self.kept[m.round, q]", "self.kept[self.round, q]", TWO_WAY, {}),
    "odd and even phases are alike": ("peterson-election", "self.phase % 2 == 0 and ", "", MIXED, {}),
    "it keeps its own identifier": ("peterson-election", "            self.ci = m.id\n", "", MIXED, {}),
    "a returned token raises the estimate": (
        "itai-rodeh-size", "elif m.est > self.est or m.id != self.id:", "else:", MIXED.replace(anonymous=True), {},
    ),
    "a token makes a step too many": (
        "itai-rodeh-size", "if m.hops < m.est:", "if m.hops <= m.est:", MIXED.replace(anonymous=True), {},
    ),
    "it compares with one side only": ("dolev-klawe-rodeh", " and natural(self.acn) > natural(m.id)", "", MIXED, {}),
    "an equal draw stays unique": (
        "itai-rodeh", "m.hops + 1, False)", "m.hops + 1, m.unique)", MIXED.replace(anonymous=True), {"size": 9},
    ),
    "lower waves are acknowledged as duplicates": ("echo-election", "elif m.id == self.best:", "elif True:", PAIR, {}),
    "an old acknowledgement counts": ("echo-election", "if m.id == self.best and q in", "if q in", CHAIN, {}),
    "an answer forgets the higher one": (
        "echo-collect-max", "max(self.best, m.id, key=natural)", "m.id", GRAPH.replace(initiators=("2",)), {},
    ),
    "it answers before it votes": (
        "voting-tally", "        self.vote = m.c\n        self.asked(m, q)\n",
        "        self.asked(m, q)\n        self.vote = m.c\n", GRAPH, {},
    ),
    "half is taken for a majority": (
        "voting-majority", "2 * len(self.votes[t]) > self.size", "2 * len(self.votes[t]) >= self.size",
        HALVES, {"size": 8},
    ),
    "it votes twice in a term": ("voting-majority", " and m.term not in self.voted", "", HALVES, {"size": 8}),
    "it takes the lead when answered": (
        "bully", "        self.set_timer(NoCoordinator(), after=2 * self.timeout)\n",
        "        self.take_the_lead()\n", COMPLETE, {},
    ),
    "an owner is not asked": ("afek-gafni", "        if self.owner is None:\n", "        if True:\n", COMPLETE, {}),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, network, parameters = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    codes = []
    for seed in range(12):
        experiment = Experiment("t", protocol=str(path), network=network, seed=seed, parameters=parameters)
        codes.append(run(experiment.with_(stop=Stop(events=5000))).exit_code)
        if codes[-1] == 1:
            break
    assert 1 in codes
