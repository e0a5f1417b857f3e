"""Assumptions of a protocol and timing, faults, churn and workload; an experiment must declare those that it breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydian.cli import main
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.editing.readiness import needs_of
from lydian.model.errors import BadInput
from lydian.model.experiment.assumptions import meant, strained
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.experiment.traffic import Churn
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network, Timing
from lydian.model.protocol.properties import no_crashes, one_initiator, reliable

CRASH = Intervention(1, "crash", process="2")
DROP = Intervention(1, "drop", link=("0", "1"))
CUT = Intervention(2, "link_down", link=("0", "1"))
WAKE = Intervention(1, "wake", process="2")


def echo(**more: Any) -> Experiment:
    return Experiment("test", protocol="echo", network="ring:4", **more)


@pytest.mark.parametrize(
    ("more", "name", "sentence"),
    [
        ({"timing": Timing(loss=0.3)}, "reliable", "link 0-1 loses messages; set its loss to 0"),
        ({"faults": (DROP,)}, "reliable", "a message is lost at 1"),
        ({"faults": (CUT,)}, "reliable", "link 0-1 goes down at 2"),
        ({"faults": (Intervention(1, "duplicate", label="Ack"),)}, "reliable", "a message is duplicated at 1"),
        ({"faults": (CRASH,)}, "no crashes", "process 2 crashes at 1"),
        ({"churn": (Churn.from_dict({"lifetime": 9}, None, "churn[0]"),)}, "no crashes", "its churn lets processes"),
        ({"workload": (WAKE,)}, "one initiator", "process 2 starts at 1 as well"),
    ],
    ids=["loss", "drop", "cut", "duplicate", "crash", "churn", "wake"],
)
def test_breaking_an_assumption_is_refused_unless_intended(more: Any, name: str, sentence: str) -> None:
    with pytest.raises(BadInput, match="Echo cannot run here: ") as caught:
        echo(**more).resolve()
    assert sentence in str(caught.value) and f'write breaks = ["{name}"]' in str(caught.value)
    for meant_so in (name, "all"):
        assert echo(**more, breaks=(meant_so,)).resolve().network.n == 4
    with pytest.raises(BadInput):
        echo(**more, breaks=("fifo",)).resolve()


def test_an_outage_breaks_the_assumption_of_reliable_links() -> None:
    links = (Link("0", "1", outages=((2.0, 3.0),)), Link("1", "2"))
    network = Network("n", ("0", "1", "2"), links, ("0",))
    with pytest.raises(BadInput, match="link 0-1 has an outage at 2"):
        Experiment("t", protocol="echo", network=network).resolve()


def test_messages_a_crashing_process_fails_to_send_belong_to_the_crash() -> None:
    network = archive().network("ring:4")
    crash = Intervention(1, "crash", process="0")
    assert echo(faults=(DROP, crash)).broken((reliable,), network) == []
    assert [each.name for each in echo(faults=(DROP, CRASH)).broken((reliable,), network)] == ["reliable"]


def test_live_interventions_are_always_allowed() -> None:
    result = Simulator(echo(interventions=(DROP, CRASH))).run()
    assert result.stopped == "quiescent"
    assert strained((reliable, no_crashes), CRASH, ["0"]) == "the protocol assumes that no process crashes"
    assert strained((reliable, one_initiator), WAKE, ["0"]) == "the protocol assumes that exactly one process starts"
    assert strained((reliable, one_initiator), WAKE, ["2"]) == ""


def test_an_overlay_needs_names_in_any_case() -> None:
    with pytest.raises(BadInput, match="give the processes their names") as caught:
        Experiment("t", protocol="lpbcast", network="anonymous-ring-6", breaks=("all",)).resolve()
    assert "on purpose" not in str(caught.value)


def test_a_fault_added_by_hand_is_intended_until_removed() -> None:
    network, needs = archive().network("ring:4"), (reliable, no_crashes)
    before = echo(timing=Timing(loss=0.0))
    after = before.with_(faults=(CRASH,))

    def named(was: Experiment, now: Experiment) -> tuple[str, ...]:
        return meant(now.breaks, was.broken(needs, network), now.broken(needs, network))

    assert named(before, after) == ("no crashes",)
    again = after.with_(breaks=("no crashes",))
    assert named(again, again.with_(faults=(CRASH, DROP))) == ("no crashes", "reliable")
    assert named(again, again.with_(faults=())) == ()


def test_breaks_is_written_and_read_back() -> None:
    one = echo(faults=(CRASH,), breaks=("no crashes",))
    assert from_dict(one.to_dict()) == one and one.to_dict()["breaks"] == ["no crashes"]
    assert from_dict({"protocol": "echo", "network": "ring:4", "breaks": "all"}).breaks == ("all",)
    assert "breaks" not in echo().to_dict()


@pytest.mark.parametrize(
    ("breaks", "sentence"),
    [
        (["relyable"], "breaks: unknown assumption 'relyable' (did you mean 'reliable'?)"),
        ([3], 'breaks: must be a list of assumptions such as ["reliable"], not [3]'),
        (True, 'breaks: must be a list of assumptions such as ["reliable"], not True'),
    ],
)
def test_a_wrong_name_is_an_error(breaks: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_dict({"protocol": "echo", "network": "ring:4", "breaks": breaks}).resolve()
    assert sentence in str(caught.value)


def test_assumptions_are_read_from_a_text_without_running_it() -> None:
    text = archive().protocol("echo").source
    assert {each.name for each in needs_of(text)} >= {"connected", "one initiator", "reliable", "no crashes"}


def test_each_experiment_of_the_archive_names_exactly_the_assumptions_it_breaks() -> None:
    for name in archive().names("experiments"):
        one = archive().experiment(name)
        if not (one.breaks or one.faults or one.churn or one.timing.loss):
            continue  # the other tests run it
        resolved = one.with_(traffic=(), mobility=None).resolve()
        found = {each.name for each in resolved.experiment.broken(resolved.protocol.needs, resolved.network)}
        assert set(resolved.experiment.breaks) == found, name


def test_the_option_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    text = 'protocol = "echo"\nnetwork = "ring:4"\n[timing]\nloss = 0.3\n'
    (tmp_path / "lossy.toml").write_text(text, encoding="utf-8")
    assert main(["run", "lossy.toml"]) == 2
    assert "use --break-assumptions" in capsys.readouterr().err
    assert main(["run", "lossy.toml", "--break-assumptions", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["measures"]["dropped"] > 0
