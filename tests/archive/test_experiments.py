"""The experiments and networks of the archive match their descriptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from tests.archive.ran import outcome, sparing

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
#: Experiments that break an assumption by parameters or timing rather than faults.
BROKEN = {
    "apples-act-3-stuck",
    "balls-and-bins-epidemic",
    "balls-and-bins-lost",
    "balls-and-bins-short",
    "gossip-buffer-fifo",
    "gossip-buffer-many-hops",
    "lpbcast-burst",
    "lpbcast-edge",
    "lpbcast-shrinking",
    "lpbcast-small",
    "bully-slow",
    "causal-broadcast-none",
    "causal-delivery-printed",
    "content-routing-flicker",
    "content-routing-naive",
    "content-routing-narrow",
    "content-routing-phases",
    "content-routing-silent",
    "cole-vishkin-short",
    "fault-omission-flooding-line",
    "fault-omission-mutex",
    "floodset-early-slow",
    "floodset-slow",
    "heartbeat-fixed",
    "heartbeat-never",
    "itai-rodeh-size-repeats",
    "itai-rodeh-wrong-size",
    "stabilising-colouring-synchronous",
    "merlin-segall-few",
    "mobile-dag-forgetful",
    "mobile-dag-join-paper",
    "mobile-dag-starving",
    "mobile-dag-two-values",
    "mobile-dag-walk-paper",
    "role-dht-clockwise",
    "role-dht-links",
    "role-dht-printed",
    "role-dht-shifted",
    "voting-majority-wrong-size",
    "fifo-broadcast-none",
    "chandra-toueg-impatient",
    "weight-throwing-underflow",
    "abd-no-write-back",
    "atomic-snapshot-one-collect",
    "compare-and-swap-consensus-two-accesses",
    "peterson-three",
    "primary-backup-no-wait",
    "regular-from-safe-rewrites",
    "test-and-set-consensus-three",
    "swim-hasty",
    "longest-chain-fast",
    "longest-chain-private",
    "rana-unstamped",
    "averaging-slow",
    "berkeley-gamma",
    "cristian-drift",
    "cristian-fast",
    "ntp-drift",
    "view-synchrony-no-flush",
    "anti-entropy-few",
    "pn-counter-one-table",
    "g-counter-sum",
}


def test_the_archive_has_enough_networks_and_experiments() -> None:
    assert len(ARCHIVE.names("networks")) >= 12
    assert len(ARCHIVE.names("experiments")) >= 6


@pytest.mark.parametrize("name", ARCHIVE.names("networks"))
def test_a_network_is_named_described_and_drawn(name: str) -> None:
    network = ARCHIVE.network(name)
    assert network.about
    assert set(network.positions) == set(network.processes)
    places = sorted(network.positions.values())
    near = min(
        ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for i, a in enumerate(places) for b in places[i + 1 : i + 40]
    )
    assert near > 25


@pytest.mark.parametrize("name", sparing(ARCHIVE.names("experiments")))
def test_an_experiment_runs_and_is_described(name: str) -> None:
    experiment = ARCHIVE.experiment(name)
    assert experiment.about.endswith((".", "?"))
    ran = outcome(name)  # the same run as that of tests/golden
    assert ran.error is None
    broken = experiment.faults != () or name in BROKEN
    assert broken or ran.exit_code == 0


def test_the_first_experiment_is_that_of_the_pictures() -> None:
    result = Simulator(ARCHIVE.experiment("two-wings").resolve(ARCHIVE)).run()
    assert (result.messages, result.stopped, result.exit_code) == (46, "quiescent", 0)
