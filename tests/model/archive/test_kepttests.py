"""Runs kept beside a protocol: written, read back, judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.model.archive.archive import archive
from lydian.model.archive.kepttests import add_test, file_of_tests, judged, kept, loads, read_tests, write_tests
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network, Timing
from lydian.model.protocol.tryout import LIMIT, tryouts


def test_a_run_is_written_beside_the_protocol_and_read_back(tmp_path: Path) -> None:
    protocol = tmp_path / "mine.py"
    network = Network("drawn", ("a", "b"), (Link("a", "b"),), initiators=("a",))
    experiment = Experiment(
        "x", protocol="elsewhere.py", network=network, seed=6, timing=Timing(order="fifo"),
        faults=(Intervention(time=1.0, do="crash", process="b"),), breaks=("all",),
    )  # fmt: skip
    assert read_tests(protocol) == () and file_of_tests(protocol) == tmp_path / "mine.tests.toml"
    written = add_test(protocol, kept(experiment, protocol, "Ack from 3", 'It "failed" once.', messages=4))
    (read,) = read_tests(protocol)
    assert read == written and read.about == 'It "failed" once.' and read.messages == 4 and read.stopped is None
    assert read.experiment.network == network and read.experiment.seed == 6 and read.experiment.faults
    assert read.experiment.protocol_ref == protocol
    assert "lydian check mine.py" in file_of_tests(protocol).read_text(encoding="utf-8")


def test_the_same_run_replaces_itself_and_another_gets_a_number(tmp_path: Path) -> None:
    protocol = tmp_path / "mine.py"
    one = Experiment("x", protocol="mine.py", network="ring:5", seed=1)
    add_test(protocol, kept(one, protocol, "first", "old"))
    assert add_test(protocol, kept(one, protocol, "second", "new")).name == "first"
    assert add_test(protocol, kept(one.with_(seed=2), protocol, "first")).name == "first (2)"
    assert [(each.name, each.about) for each in read_tests(protocol)] == [("first", "new"), ("first (2)", "")]
    write_tests(protocol, ())
    assert not file_of_tests(protocol).exists()


def test_a_network_file_is_found_from_the_new_folder(tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    experiment = Experiment("x", network="nets/n.json", path=tmp_path / "x.toml")
    protocol = tmp_path / "deep" / "mine.py"
    test = kept(experiment, protocol, "x")
    assert test.experiment.network == "../nets/n.json"
    assert kept(experiment.with_(network="grid:3x3"), protocol, "x").experiment.network == "grid:3x3"
    assert kept(experiment.with_(network="two-wings"), protocol, "x").experiment.network == "two-wings"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[test]]\nname = 'x'", "experiment is missing"),
        ("[[test]]\n[test.experiment]\nnetwork = 'ring:5'", "name is missing"),
        ("[[test]]\nname = 'x'\n[test.experiment]\nnetwork = 'ring:5'\nprotocol = 'echo'", "leave it out"),
        (
            "[[test]]\nname = 'x'\n[test.experiment]\nnetwork = 'ring:5'\nsed = 1",
            "test[0].experiment: unknown key 'sed'",
        ),
        ("[[test]]\nname = 'x'\n[test.experiment]\nnetwork = 'ring:5'\n[test.must]\nstopped = 'no'", "must be one of"),
        ("[[tests]]", "unknown key 'tests'"),
        ("[[test]", "not valid TOML"),
    ],
)
def test_errors_in_the_file_name_their_place(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        loads(text, tmp_path / "mine.py", tmp_path / "mine.tests.toml")
    assert sentence in str(caught.value) and "mine.tests.toml" in str(caught.value)


def test_two_runs_with_the_same_name_are_refused(tmp_path: Path) -> None:
    one = "[[test]]\nname = 'x'\n[test.experiment]\nnetwork = 'ring:5'\n"
    with pytest.raises(BadInput, match="two runs are called 'x'"):
        loads(one + one, tmp_path / "mine.py")


def test_how_a_run_is_judged(tmp_path: Path) -> None:
    experiment = Experiment("x", network="ring:5")
    test = kept(experiment, tmp_path / "mine.py", "x", messages=4, stopped="quiescent")
    good = {"messages": 4, "stopped": "quiescent", "time": 1.5, "checks": [{"name": "a", "holds": True}], "error": None}
    assert judged(test, good) == judged(test, good, None) and judged(test, good).good
    assert judged(test, good).sentence == "4 messages, time 1.50"
    for change, words in (
        ({"messages": 5}, "it took 5 messages, not 4"),
        ({"stopped": "limit"}, "it ended as limit, not as quiescent"),
        ({"checks": [{"name": "nobody waits", "holds": False}]}, "nobody waits: does not hold"),
        ({"error": "line 5: no"}, "line 5: no"),
    ):
        verdict = judged(test, good | change)
        assert not verdict.good and verdict.sentence == words
    assert judged(test, {}, "it cannot run here").sentence == "it cannot run here"


@pytest.mark.parametrize("name", archive().names("protocols"))
def test_each_protocol_of_the_archive_has_three_suitable_networks(name: str) -> None:
    needs = [need.name for need in archive().protocol(name).needs]
    found = tryouts(Experiment("x", protocol=name, network="two-wings"), needs)
    assert len({each.title for each in found}) == 3
    for each in found:
        each.experiment.resolve()


@pytest.mark.parametrize(
    ("needs", "kinds"),
    [
        ((), ["ring", "randomtree", "gnm"]),
        (("ring", "named"), ["ring", "ring", "ring"]),
        (("connected", "tree"), ["line", "tree", "randomtree"]),
        (("complete",), ["complete", "complete", "complete"]),
    ],
)
def test_three_suitable_networks(needs: tuple[str, ...], kinds: list[str]) -> None:
    start = Experiment(
        "x", protocol="echo", network="two-wings", seed=4, faults=(Intervention(1.0, "crash", "4"),), breaks=("all",)
    )
    found = tryouts(start, needs)
    assert [str(each.experiment.network).partition(":")[0] for each in found] == kinds
    networks = [archive().network(str(each.experiment.network)) for each in found]
    assert len({(network.n, network.m) for network in networks}) == 3
    for each, network in zip(found, networks, strict=True):
        assert network.n <= 13 and network.initiators and each.experiment.faults == ()
        assert each.experiment.stop.events == LIMIT and each.experiment.seed == 4 and each.title
