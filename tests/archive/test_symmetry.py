"""Breaking symmetry: Luby's independent set and Cole-Vishkin's colouring compared with proved bounds."""

from __future__ import annotations

from math import ceil, log2
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.batch.sweep.file import load
from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
LUBY, COLE = "luby", "cole-vishkin"
FEW = settings(max_examples=20, deadline=None)


def run(protocol: str, network: Network, seed: int = 0, **parameters: int) -> tuple[Simulator, Result]:
    experiment = Experiment("t", protocol=protocol, network=network, parameters=parameters, seed=seed)
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def violated(result: Result) -> set[str]:
    return {check.name for check in result.checks if check.holds is not True}


# ------------------------------------------------------------------------------------------------------------- Luby


@FEW
@given(connected_networks(most=12), st.sampled_from([3, 1000]), st.integers(0, 99), st.data())
def test_the_set_is_independent_and_maximal(network: Network, sides: int, seed: int, data: st.DataObject) -> None:
    starters = data.draw(st.lists(st.sampled_from(network.processes), min_size=1, unique=True))
    _, result = run(LUBY, network.replace(initiators=tuple(starters)), seed, sides=sides)
    chosen = {p for p, state in result.decided.items() if state == "in"}
    graph = network.graph()
    assert set(result.decided) == set(network.processes)
    assert not graph.subgraph(chosen).edges
    assert nx.is_dominating_set(graph, chosen)
    assert violated(result) == set()


@FEW
@given(connected_networks(most=8, anonymous=True), st.integers(0, 99))
def test_names_are_not_needed(network: Network, seed: int) -> None:
    assert violated(run(LUBY, network, seed)[1]) == set()


@pytest.mark.parametrize("spec", ["ring:24", "gnm:20,60,seed=5", "complete:12"])
def test_the_mean_number_of_phases_is_within_the_proved_bound(spec: str) -> None:
    network = from_spec(spec)
    phases = []
    for seed in range(12):
        simulator, result = run(LUBY, network, seed)
        phases.append(max(p.phase for p in simulator.processes))
        assert result.messages <= 6 * network.m * phases[-1]
    assert sum(phases) / len(phases) <= log2(network.m) + 2
    # it is a matter of chance, but one process has the highest value of all
    assert (len(set(phases)) > 1) == (spec != "complete:12")


def test_equal_dice_never_end() -> None:
    simulator = Simulator(ARCHIVE.experiment("luby-one-side").resolve(ARCHIVE))
    result = simulator.run()
    assert result.stopped == "until"
    assert not result.decided
    assert min(p.phase for p in simulator.processes) > 10


@pytest.mark.parametrize("spec", ["line:2", "line:3"])
def test_luby_holds_in_every_schedule(spec: str) -> None:
    network = from_spec(spec).replace(order="unordered")
    result = Explorer(Experiment("t", protocol=LUBY, network=network, seed=1)).run()
    assert result.complete
    assert [each for each in result.findings if each.holds is not True] == []


def test_the_sweep_counts_phases() -> None:
    sweep = load(ROOT / "resources" / "experiments" / "sweeps" / "luby-phases.toml")
    assert {each.data["protocol"] for each in sweep.runs} == {LUBY}


# ------------------------------------------------------------------------------------------------------ Cole-Vishkin


def one_way(names: list[int], starters: tuple[str, ...] | None = None) -> Network:
    ring = [str(name) for name in names]
    links = tuple(Link(a, b, directed=True) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))
    return Network("ring", tuple(ring), links, starters or tuple(ring))


def rounds(bits: int) -> int:
    """Compute the rounds from numbers of colours rather than bits: K colours become 2 * ceil(log2 K), until there are
    6.
    """
    colours, count = 2**bits, 0
    while colours > 6:
        colours, count = 2 * ceil(log2(colours)), count + 1
    return count + 6


def synchronous(names: list[int], bits: int) -> list[int]:
    """Compute the colours with a common clock on words of bits, from the right."""
    colours = [name % 2**bits for name in names]
    for r in range(rounds(bits)):
        before = [colours[i - 1] for i in range(len(colours))]
        rest = r - (rounds(bits) - 6)
        if rest < 0:
            words = [(f"{a:0{bits}b}"[::-1], f"{b:0{bits}b}"[::-1]) for a, b in zip(colours, before, strict=True)]
            places = [next(k for k in range(bits) if a[k] != b[k]) for a, b in words]
            colours = [2 * k + int(a[k]) for k, (a, _) in zip(places, words, strict=True)]
        elif rest % 2 == 0:
            colours = before
        else:
            after = [*colours[1:], colours[0]]
            goes = 5 - rest // 2
            free = [min({0, 1, 2} - {a, b}) for a, b in zip(before, after, strict=True)]
            colours = [f if c == goes else c for c, f in zip(colours, free, strict=True)]
    return colours


@FEW
@given(st.lists(st.integers(0, 2**20 - 1), min_size=3, max_size=12, unique=True), st.integers(0, 99), st.data())
def test_the_colours_equal_those_of_a_synchronous_ring(names: list[int], seed: int, data: st.DataObject) -> None:
    bits = data.draw(st.integers(max(3, max(names).bit_length()), 24))
    starter = str(data.draw(st.sampled_from(names)))
    network = one_way(names, (starter,)).replace(order=data.draw(st.sampled_from(["fifo", "unordered"])))
    simulator, result = run(COLE, network, seed, bits=bits)
    expected = synchronous(names, bits)
    assert [result.decided[str(name)] for name in names] == expected
    assert all(a != b for a, b in zip(expected, [*expected[1:], expected[0]], strict=True))
    assert violated(result) == set()
    assert {p.round for p in simulator.processes} == {rounds(bits)}
    assert result.messages == len(names) * rounds(bits)


@pytest.mark.parametrize(
    ("bits", "expected"), [(3, 7), (4, 8), (5, 9), (8, 9), (9, 10), (16, 10), (17, 10), (64, 10), (128, 10)]
)
def test_the_number_of_rounds_is_exact(bits: int, expected: int) -> None:
    _, result = run(COLE, one_way([5, 3, 6, 1]), bits=bits)
    assert expected == rounds(bits)
    assert result.messages == 4 * expected
    assert violated(result) == set()


def test_the_length_of_the_ring_does_not_matter() -> None:
    times = []
    for n in (10, 100):
        network = one_way([(i * 617) % 1021 for i in range(n)])
        simulator, result = run(COLE, network, bits=10)
        assert violated(result) == set()
        times.append(max(p.round for p in simulator.processes))
    assert times == [10, 10]


@pytest.mark.parametrize(("names", "word"), [(["1", "b", "2"], "not a whole"), (["1", "01", "2"], "same number")])
def test_names_are_numbers(names: list[str], word: str) -> None:
    links = tuple(Link(a, b, directed=True) for a, b in zip(names, [*names[1:], names[0]], strict=True))
    with pytest.raises(BadInput, match=word):
        run(COLE, Network("ring", tuple(names), links, tuple(names)))


def test_cole_vishkin_holds_in_every_schedule() -> None:
    network = one_way([1, 2, 3], ("1",)).replace(order="unordered")
    result = Explorer(Experiment("t", protocol=COLE, network=network, parameters={"bits": 3})).run()
    assert result.complete
    assert [each for each in result.findings if each.holds is not True] == []


# -------------------------------------------------------------------------------------------------- broken assumptions

BROKEN = {
    "luby-forged": {"no two neighbours are in the set"},
    "luby-crash": {"each process is in or out", "the set is maximal: no process could join it"},
    "cole-vishkin-lost": {"each process has one of three colours"},
    "cole-vishkin-short": {"neighbours in the same round have different colours", "neighbours have different colours"},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    found = violated(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run())
    assert found >= BROKEN[name]


def test_beyond_a_lost_colour_each_process_gets_one_round_further() -> None:
    simulator = Simulator(ARCHIVE.experiment("cole-vishkin-lost").resolve(ARCHIVE))
    simulator.run()
    seen = {p._name: p.round for p in simulator.processes}
    queue = [seen[p] for p in ("443", "444", "1000", "512", "7", "263")]
    assert queue == list(range(queue[0], queue[0] + 6))


BUGS = {
    "it wins with an equal number": (LUBY, "self.number > self.draws[q]", "self.number >= self.draws[q]", "no two"),
    "losers do not notice winners": (LUBY, "if self.verdicts[q]}", "if False}", "each process is in or out"),
    "everybody leaves after a phase": (LUBY, "if winners:", "if True:", "each process that is out"),
    "it does not wait for all draws": (
        LUBY,
        "self.state == DRAWING and self.live <= set(self.draws)",
        "self.state == DRAWING and (self.live & set(self.draws))",
        "error",
    ),
    "it forgets the bit itself": (COLE, "2 * i + (self.colour >> i) % 2", "2 * i", "neighbours"),
    "it takes the highest differing bit": (
        COLE,
        "return max((number & -number).bit_length() - 1, 0)",
        "return max(number.bit_length() - 1, 0) // 2",
        "neighbours",
    ),
    "it forgets its successor": (COLE, "{x, self.before}", "{x}", "neighbours"),
    "it shifts once too little": (COLE, "            self.take(x)\n", "            pass\n", "neighbours"),
    "one round less": (COLE, "while bits > 3:", "while bits > 4:", "messages"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, sentence = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong), encoding="utf-8")
    found: list[str] = []
    for seed in range(6):
        if name == LUBY:
            _, result = run(str(path), from_spec("gnm:12,26,seed=4"), seed, sides=6)
        else:
            names = [(i * 617 + seed * 101) % 1021 for i in range(40)]
            _, result = run(str(path), one_way(names), seed)
        found += [check.name if check.kind != "messages" else "messages" for check in result.checks if not check.holds]
        found += ["error"] if result.error else []
    assert any(each.startswith(sentence) for each in found)


def test_the_decisive_cells() -> None:
    luby, cole = ARCHIVE.protocol(LUBY).table, ARCHIVE.protocol(COLE).table
    assert [luby.cells[s, "Draw"].action for s in ("sleeping", "drawing", "in")] == ["wake", "drawn", "unexpected"]
    assert [luby.cells[s, "Verdict"].action for s in ("comparing", "out")] == ["judged", "decided"]
    assert [cole.cells[s, "Colour"].action for s in ("sleeping", "reducing", "zero")] == ["wake", "hear", "unexpected"]
