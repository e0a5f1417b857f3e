"""Balls and bins: the number of balls as defined, every process reached as the theorems state, and bugs that are
caught.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Timing

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
SOURCE = (ROOT / "protocols" / "balls-and-bins.py").read_text(encoding="utf-8")
FORWARDS = ("received", "new", "known")


def run(n: int, seed: int = 0, protocol: str = "balls-and-bins", watched: bool = True, **words: Any) -> Result:
    kept = {key: words.pop(key) for key in ("timing", "workload") if key in words}
    experiment = Experiment(
        "t", protocol=protocol, network=from_spec(f"isolated:{n}"), seed=seed, parameters=words, variables=False,
        check=watched, **kept,
    )  # fmt: skip
    result = Simulator(experiment.resolve(ARCHIVE)).run()
    assert result.error is None
    return result


def own(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = result.measures["own"]
    return found


def sent(result: Result) -> dict[int, list[str]]:
    """Map each round to the receivers of its balls, in the order in which they were thrown."""
    found: dict[int, list[str]] = {}
    for e in result.trace.events():
        if e.kind == "send":
            found.setdefault(int(e.time), []).append(str(e.peer))
    return found


def received(result: Result) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for e in result.trace.events():
        if e.kind == "receive":
            found.setdefault(int(e.time), set()).add(str(e.process))
    return found


@settings(max_examples=8, deadline=None)
@given(st.integers(2, 30), st.integers(1, 6), st.integers(1, 6), st.integers(0, 9999))
def test_each_receiver_throws_k_balls_in_a_round_and_none_after_round_r(n: int, k: int, r: int, seed: int) -> None:
    result = run(n, seed, K=k, r=r)
    m, hit = sent(result), received(result)
    assert len(m[1]) == k
    for i in range(2, r + 2):
        assert len(m.get(i, [])) == (k * len(hit[i]) if i <= r else 0)
    assert all(check.holds for check in result.checks if not check.name.startswith("every process"))
    informed = {"0"}.union(*hit.values())
    assert own(result)["informed"] == len(informed) / n
    assert own(result)["missed"] == n - len(informed)
    assert own(result)["balls over n log n"] == pytest.approx(result.messages / (n * math.log2(n)))


@settings(max_examples=6, deadline=None)
@given(st.sampled_from(FORWARDS), st.integers(2, 20), st.integers(0, 9999), st.integers(0, 5))
def test_no_process_throws_at_itself_or_delivers_twice_and_partners_come_from_the_view(
    forwards: str, n: int, seed: int, size: int
) -> None:
    result = run(n, seed, forwards=forwards, size=size, r=6)
    partners: dict[str, set[str]] = {}
    told: list[tuple[str, str]] = []
    for e in result.trace.events():
        if e.kind == "send":
            partners.setdefault(str(e.process), set()).add(str(e.peer))
        elif e.kind == "deliver":
            told.append((str(e.process), str(e.detail)))
    assert all(p not in seen and (not size or len(seen) <= size) for p, seen in partners.items())
    assert len(told) == len(set(told))
    if forwards == "new":
        assert result.messages == 5 * len({p for p, _ in told if p in partners})


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 9999), st.integers(10, 60), st.integers(20, 120))
def test_m_balls_leave_the_undrawn_bins_empty(seed: int, n: int, m: int) -> None:
    result = run(n, seed, K=m, r=1)
    assert own(result)["empty"] == n - 1 - len(set(sent(result)[1]))


def test_the_mean_number_of_empty_bins_matches_the_formula() -> None:
    bins, m = 500, 1000
    empty = [own(run(bins + 1, seed, K=m, r=1, watched=False))["empty"] for seed in range(3)]
    # the variance of an occupancy is less than its mean
    assert abs(sum(empty) / 3 - bins * (1 - 1 / bins) ** m) < 4 * math.sqrt(bins * math.exp(-m / bins) / 3)


def test_the_coupon_collector_needs_n_h_n_balls() -> None:
    bins = 20
    needed: list[int] = []
    seen: set[str] = set()
    start = 0
    for i, q in enumerate(sent(run(bins + 1, 1, K=10_000, r=1, watched=False))[1], 1):
        seen.add(q)
        if len(seen) == bins:  # each has one: start again
            needed.append(i - start)
            seen, start = set(), i
    deviation = bins * math.pi / math.sqrt(6 * len(needed))
    assert len(needed) > 100
    assert abs(sum(needed) / len(needed) - bins * sum(1 / i for i in range(1, bins + 1))) < 4 * deviation


def test_growth_loads_and_rounds_are_within_the_theorems() -> None:
    n = 100
    found = own(run(n, K=17, r=6, watched=False))  # K = ceil(2 e ln n / ln ln n)
    assert found["everybody"] == 1
    assert found["rounds"] <= math.log2(n)
    assert found["load"] <= math.e * math.log(n) / math.log(math.log(n))
    assert found["growth"] >= 2
    assert own(run(200, K=12, r=6, watched=False))["small load"] <= 6


def test_an_epidemic_leaves_a_few_out_and_balls_do_not() -> None:
    words: dict[str, Any] = {"K": 3, "r": 12, "watched": False}
    assert own(run(500, **words))["missed"] == 0
    # s = exp(-K (1 - s)) is the share that an epidemic misses in the end
    share = 0.1
    for _ in range(50):
        share = math.exp(-3 * (1 - share))
    assert abs(own(run(500, forwards="new", **words))["missed"] - 500 * share) < 4 * math.sqrt(500 * share)


def test_pushing_to_one_takes_about_log_n_and_ln_n() -> None:
    rounds = [own(run(100, seed, forwards="known", K=1, r=40, watched=False))["rounds"] for seed in range(3)]
    assert abs(sum(rounds) / 3 - (math.log2(100) + math.log(100))) < 3


def test_a_larger_r_compensates_for_lost_balls() -> None:
    def missed(r: int) -> int:
        return sum(int(own(run(60, s, K=4, r=r, timing=Timing(loss=0.3), watched=False))["missed"]) for s in range(2))

    assert missed(3) > 10
    assert missed(12) == 0


def test_several_events_share_messages() -> None:
    work = tuple(
        Intervention(t, "command", process=str(p), label="Publish") for t, p in ((1.5, 3), (1.5, 7), (3.25, 3))
    )
    result = run(20, 5, K=4, r=8, workload=work)
    assert [check.holds for check in result.checks] == [True] * 4
    assert own(result)["everybody"] == 1
    assert result.messages < 4 * 20 * 8 * 2


BUGS = {
    "it stops a round late": ("if tag < self.r and", "if tag <= self.r and"),
    "a ball for each copy": (
        "k=self.K)\n        while",
        "k=self.K * max(1, len(self.caught))\n        )\n        while",
    ),
    "it forwards the first time only": ('(new or self.forwards != "new")', "new"),
    "it forgets to count a hop": ("self.told[event] = tag + 1", "self.told[event] = max(tag, 1)"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    assert right in SOURCE
    path = tmp_path / "balls-and-bins.py"
    path.write_text(SOURCE.replace(right, wrong), encoding="utf-8")
    experiment = Experiment("t", protocol=str(path), network=from_spec("isolated:12"), parameters={"K": 3, "r": 5})
    result = Simulator(experiment.with_(stop=type(experiment.stop)(until=30.0)).resolve(ARCHIVE)).run()
    assert any(check.holds is False for check in result.checks)
