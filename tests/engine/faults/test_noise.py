"""Links that duplicate and corrupt messages at a given rate, as others lose them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from lydian.engine.simulator import Simulator
from lydian.formats.networks.attributes import of_link, of_network
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, loads
from lydian.model.network import Link, Network, Timing
from lydian.model.network.netfile import from_dict, to_dict

COUNT = '''
"""One process sends many numbers to another."""
from lydian import *
UP, = states("up")
class Number(Message):
    value: int
class Count(Process):
    {needs}
    state = UP
    heard: list = []
    @on(UP, INIT)
    def start(self):
        for value in range(1000, 1400):
            self.send(Number(value), to="1")
    @on(UP, Number)
    def hear(self, m, q):
        self.heard = [*self.heard, m.value]
'''


@pytest.fixture
def heard(tmp_path: Any) -> Any:
    def run(network: Network, timing: Timing | None = None, *, overlay: bool = False) -> tuple[list[int], Any]:
        path = tmp_path / "count.py"
        path.write_text(COUNT.format(needs="needs = overlay" if overlay else "").lstrip(), encoding="utf-8")
        one = Experiment("t", protocol=str(path), network=network, timing=timing or Timing(), seed=5)
        simulator = Simulator(one)
        result = simulator.run()
        assert result.error is None
        return list(simulator.processes[1].heard), result  # type: ignore[attr-defined]

    return run


def pair(overlay: bool = False, link: dict[str, Any] | None = None, **more: Any) -> Network:
    links = () if overlay else (Link("0", "1", **(link or {})),)
    return Network("n", ("0", "1"), links, ("0",), delay=parse("uniform(0.5, 1.5)"), **more)


@pytest.mark.parametrize("overlay", [False, True])
def test_the_requested_share_of_messages_is_duplicated(heard: Any, overlay: bool) -> None:
    got, result = heard(pair(overlay, duplication=0.25), overlay=overlay)
    count = Counter(got)
    assert set(count) == set(range(1000, 1400)) and set(count.values()) == {1, 2}
    assert 70 <= sum(many == 2 for many in count.values()) <= 130
    assert result.measures["injected"] == len(got) - 400


@pytest.mark.parametrize("overlay", [False, True])
def test_the_requested_share_of_messages_is_corrupted(heard: Any, overlay: bool) -> None:
    got, result = heard(pair(overlay, corruption=0.25), overlay=overlay)
    assert len(got) == 400
    changed = [event for event in result.trace.events() if event.kind == "corrupt"]
    assert 70 <= len(changed) <= 130 and {event.label for event in changed} == {"Number"}
    assert all(event.detail["was"]["value"] != event.detail["fields"]["value"] for event in changed)


def test_in_fifo_order_a_copy_overtakes_nothing(heard: Any) -> None:
    got, _ = heard(pair(duplication=0.3, order="fifo"))
    assert [value for i, value in enumerate(got) if value not in got[:i]] == list(range(1000, 1400))


def test_links_have_their_own_shares_and_an_experiment_overrides_the_network(heard: Any) -> None:
    once, _ = heard(pair(link={"duplication": 0.0}, duplication=0.5))
    assert len(once) == 400
    thrice, _ = heard(pair(link={"corruption": 1.0}), Timing(duplication=1.0))
    assert len(thrice) == 800 and len(set(thrice) & set(range(1000, 1400))) >= 400


def test_delays_and_losses_of_a_run_are_unchanged(heard: Any) -> None:
    def sent(result: Any) -> list[tuple[float, int]]:
        rows = [e for e in result.trace.events() if e.kind in ("receive", "drop")]
        return sorted((e.time, e.message) for e in rows if e.message < 400)

    _, plain = heard(pair(loss=0.2))
    _, noisy = heard(pair(loss=0.2, duplication=0.3, corruption=0.3))
    assert sent(plain) == sent(noisy)
    still = archive().experiment("two-wings").with_(timing=Timing(duplication=0.0))
    assert still.to_dict()["timing"] == {"duplication": 0.0}


def test_the_shares_are_written_and_read_back(tmp_path: Any) -> None:
    network = pair(link={"duplication": 0.1, "corruption": 0.2}, duplication=0.3, corruption=0.4)
    assert from_dict(to_dict(network)) == network
    assert of_link(network.links[0]) == {"duplication": 0.1, "corruption": 0.2}
    assert (of_network(network)["duplication"], of_network(network)["corruption"]) == (0.3, 0.4)
    text = 'protocol = "lamport-clocks"\nnetwork = "ring:4"\n[timing]\nduplication = 0.1\ncorruption = 0.2\n'
    one = loads(text)
    assert (one.timing.duplication, one.timing.corruption) == (0.1, 0.2) and loads(one.to_toml()) == one


@pytest.mark.parametrize("rate", ["duplication", "corruption"])
def test_shares_break_reliable_links_and_are_at_most_one(rate: str) -> None:
    verb = {"duplication": "duplicates", "corruption": "corrupts"}[rate]
    with pytest.raises(BadInput, match=f"link 0-1 {verb} messages; set its {rate} to 0"):
        loads(f'protocol = "echo"\nnetwork = "ring:4"\n[timing]\n{rate} = 0.1\n').resolve()
    with pytest.raises(BadInput, match=f"timing.{rate}: must be a share of the messages from 0 to 1, not 2"):
        loads(f'protocol = "echo"\nnetwork = "ring:4"\n[timing]\n{rate} = 2\n')
