"""Leader election on tiny networks: every schedule is searched, so properties are proved and extremes are exact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


def one_way(names: str, order: str = "fifo") -> Network:
    """Return a one-way ring in which all processes start."""
    links = tuple(Link(a, b, directed=True) for a, b in zip(names, names[1:] + names[:1], strict=True))
    return Network("ring", tuple(names), links, tuple(names), order=order)


def started(spec: str, *initiators: str) -> Network:
    network = from_spec(spec)
    return network.replace(initiators=initiators or network.processes)


def explored(protocol: str, network: Network, **options: Any) -> Exploration:
    parameters = {"size": network.n} if options.pop("sized", False) else {}
    experiment = Experiment("t", protocol=protocol, network=network, parameters=parameters)
    return Explorer(experiment.resolve(ARCHIVE), **options).run()


LATE: dict[str, Any] = {"late_starts": True}
#: Protocol, network, options of the search, fewest and most messages of any schedule (``None``: no independent value).
SEARCHED: list[tuple[str, Network, dict[str, Any], tuple[int | None, int | None]]] = [
    ("lelann", one_way("20134"), {}, (25, 25)),
    ("lelann", one_way("2013"), LATE, (4, 16)),  # the others may be asleep when the first token passes
    ("chang-roberts", one_way("2013", "unordered"), {}, (9, 9)),
    ("chang-roberts", one_way("2013", "unordered"), LATE, (4, 9)),
    ("dolev-klawe-rodeh", one_way("2013"), {}, (16, 16)),
    ("dolev-klawe-rodeh", one_way("2013"), LATE, (8, None)),
    ("hirschberg-sinclair", started("ring:3"), LATE, (None, None)),
    ("hirschberg-sinclair", started("ring:4", "0", "2"), {}, (None, None)),
    ("franklin", started("ring:3"), LATE, (9, 15)),
    ("franklin", started("ring:4", "0", "2"), {}, (20, 20)),
    ("peterson-election", one_way("2013"), {}, (16, 16)),
    ("peterson-election", one_way("2013"), LATE, (8, 16)),
    ("itai-rodeh", one_way("012").replace(anonymous=True), {"sized": True}, (None, None)),
    ("itai-rodeh-size", one_way("012").replace(anonymous=True), {}, (None, 15)),
    ("itai-rodeh-size", one_way("01").replace(anonymous=True), LATE, (4, 4)),
    ("echo-election", started("ring:3", "0", "2"), LATE, (12, None)),  # 6m - 3n + 3 if there is only one candidate
    ("echo-election", started("line:4"), LATE, (9, None)),
    ("echo-collect-max", started("ring:4", "0"), {}, (15, 15)),
    ("voting-tally", started("ring:3", "0", "2"), {}, (2 * 8 + 4, 2 * 8 + 4)),
    ("voting-tally", started("line:3", "0", "2"), LATE, (6, 10)),
    ("voting-majority", started("line:3", "0", "2"), {"sized": True, "patient": True}, (7, 7)),
    ("bully", started("complete:3"), {**LATE, "patient": True}, (8, 10)),
    ("bully", started("complete:4", "0"), {"patient": True}, (15, None)),
    ("afek-gafni", started("complete:3"), LATE, (4, None)),
    ("afek-gafni", started("complete:4"), {}, (None, None)),
]


@pytest.mark.parametrize(
    ("protocol", "network", "options", "messages"), SEARCHED, ids=[f"{p}-{net.n}-{len(o)}" for p, net, o, _ in SEARCHED]
)
def test_every_schedule_elects_a_leader(
    protocol: str, network: Network, options: dict[str, Any], messages: tuple[int | None, int | None]
) -> None:
    result = explored(protocol, network, **options)
    assert result.complete
    assert [each for each in result.findings if each.holds is not True] == []
    for found, expected in zip(result.messages, messages, strict=True):
        assert expected is None or found == expected


def test_no_crash_harms_the_safety_of_majorities() -> None:
    result = explored("voting-majority", started("complete:3", "0"), sized=True, patient=True, crashes=1, states=20_000)
    broken = [each.name for each in result.findings if each.holds is False]
    assert result.complete
    # If the only candidate crashes, no process tries again; safety is never violated.
    assert broken == ["all processes alive know the leader of the highest decided term"]


def altered(tmp_path: Path, protocol: str, right: str, wrong: str) -> str:
    source = ARCHIVE.protocol(protocol).source
    assert source.count(right) == 1
    path = tmp_path / f"{protocol}.py"
    path.write_text(source.replace(right, wrong))
    return str(path)


@pytest.mark.parametrize("protocol", ["lelann", "dolev-klawe-rodeh"])
def test_without_fifo_links_it_fails(protocol: str, tmp_path: Path) -> None:
    path = altered(tmp_path, protocol, "named, fifo, some_initiator", "named, some_initiator")
    result = explored(path, one_way("2013", "unordered"))
    assert any(each.holds is False and each.counterexample for each in result.findings)


def test_acknowledging_lower_waves_lets_two_waves_complete(tmp_path: Path) -> None:
    """This is the sheet's seeded bug; the search finds the schedule that students have to construct."""
    path = altered(tmp_path, "echo-election", "elif m.id == self.best:", "elif True:")
    result = explored(path, started("line:3", "0", "2"))
    finding = next(f for f in result.findings if f.name == "the wave of a leader contains every process")
    assert finding.holds is False and finding.counterexample is not None
    assert finding.counterexample.replayed and len(finding.counterexample.steps) < 12
