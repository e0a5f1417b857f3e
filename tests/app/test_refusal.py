"""A run refused because of its network offers a button that fixes the experiment."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from lydian.desk.archivelist import ArchiveList
from lydian.desk.runs.refusal import help_for
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import RATES, Timing
from tests.app.conftest import Open


@pytest.mark.parametrize(
    ("protocol", "network", "button", "change"),
    [
        ("ben-or", "complete:5", "Make every process an initiator", {"initiators": "all"}),
        ("echo", "ring:5,starts=all", "Make 0 the only initiator", {"initiators": ("0",)}),
        ("chang-roberts", "ring:5", "Make the ring one-way", None),
        ("paxos", "ring:5", "", None),
    ],
)
def test_the_suggested_change_helps(protocol: str, network: str, button: str, change: dict[str, object] | None) -> None:
    experiment = Experiment("mine", protocol=protocol, network=network)
    found = help_for(experiment, ArchiveList(archive()))
    assert (found.text if found else "") == button
    if found is None:
        return
    mended = experiment.with_(**found.parts)
    if change is not None:
        assert mended.timing.initiators == change["initiators"]
        assert mended.network == network
    assert mended.resolve().network.n == 5


@pytest.mark.parametrize("rate", RATES)
def test_the_remedy_uses_the_settings_of_the_experiment(rate: str) -> None:
    timing = Timing(**{rate: 0.1})  # type: ignore[arg-type]
    experiment = Experiment("mine", protocol="echo", network="ring:5", timing=timing)
    found = help_for(experiment, ArchiveList(archive()))
    assert found is not None
    network = experiment.with_(**found.parts).resolve().network
    assert getattr(network, rate) == 0


def test_one_click_makes_every_process_an_initiator(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.session.change("another protocol", protocol="ben-or", network="complete:5", animation=None)
    qtbot.waitUntil(lambda: "do not start" in window.notice.text, timeout=20_000)
    assert window.notice.button.text() == "Make every process an initiator"
    window.notice.button.click()
    run = window.session
    qtbot.waitUntil(
        lambda: run.shown is not None and run.shown.trace.experiment["protocol"] == "ben-or", timeout=20_000
    )
    assert window.notice.text == ""
    assert len(run.shown.trace.network["graph"]["initiators"]) == 5


def test_from_the_protocol_the_button_opens_the_run_as_f5_does(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(Experiment("mine", protocol="echo", network="complete:5"))
    window.workspaces.show("protocol")
    desk = window.workspaces.protocols.made()
    assert desk.files.open(archive().find("protocols", "ben-or"))
    window.actions_by_name["run"].trigger()
    qtbot.waitUntil(lambda: window.notice.button.text() == "Make every process an initiator", timeout=20_000)
    assert window.workspaces.current == "protocol"
    window.notice.button.click()
    qtbot.waitUntil(lambda: window.workspaces.current == "run" and window.playhead.playing, timeout=20_000)


def test_a_refused_experiment_is_shown_at_rest_without_the_previous_run(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.session.change("another protocol", protocol="ben-or", network="complete:5", animation=None)
    qtbot.waitUntil(lambda: "do not start" in window.notice.text, timeout=20_000)
    timeline = window.playhead.timeline
    assert timeline is not None
    assert (timeline.n, timeline.length) == (5, 0)
