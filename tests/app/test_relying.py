"""What it relies on: a switch is a step of undo, and the witness of an assumption opens as a run."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.panels.relies import ReliesPanel
from lydian.desk.runs.relying import assumptions, switched, undeclared
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.protocol.folder import read_source
from lydian.model.protocol.properties import fifo, reliable
from tests.app.conftest import Open, rest

LONG = 30_000


def test_an_assumption_is_switched_off_and_its_witness_opened(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("echo-complete")
    rest(window, qtbot)
    before = window.session.experiment
    window.actions_by_name["view_relies"].trigger()
    relying = window.relying
    assert [row.name.text() for row in relying.panel.rows.values()][:2] == [
        "The network is connected", "Links carry messages both ways",
    ]  # fmt: skip
    row = relying.panel.rows["reliable"]
    row.switch.click()
    assert window.session.experiment.breaks == ("reliable",) and window.session.undo.undo_text
    assert relying.witnesses.busy
    qtbot.waitUntil(lambda: not relying.witnesses.busy, timeout=LONG)
    rest(window, qtbot)
    assert "needed:" in row.told.text() and not row.open.isHidden()
    assert "With all of them on" in relying.panel.proved.text() and not relying.panel.free.isHidden()
    row.open.click()
    rest(window, qtbot)
    result = window.session.shown.result
    assert [each["name"] for each in result["checks"] if each["holds"] is False] == [
        "the initiator learns that every process has the news"
    ]
    window.desk.notices.shown.act()
    window.session.undo.undo()
    rest(window, qtbot)
    assert window.session.experiment == before and row.switch.isChecked()
    window.panel.set_protocol("flooding")
    rest(window, qtbot)
    assert not relying.witnesses.found


def test_a_locked_witness_stays_closed(qtbot: QtBot) -> None:
    panel = ReliesPanel(Theme())
    qtbot.addWidget(panel)
    panel.load((fifo, reliable), "")
    panel.lock({"fifo"})
    answer = {"verdict": "needed", "kind": "always", "name": "x", "steps": 3}
    panel.refresh((), (), {"fifo": answer, "reliable": answer}, {}, {}, (), "")
    opened: list[str] = []
    panel.witness_wanted.connect(opened.append)
    for row in panel.rows.values():
        row.open.click()
    assert opened == ["reliable"] and panel.rows["fifo"].open.text() == "Once you win"
    panel.lock(())
    panel.rows["fifo"].open.click()
    assert opened == ["reliable", "fifo"]


def test_switching_changes_what_breaks_and_the_order_of_messages() -> None:
    source = read_source(archive().find("protocols", "lamport-mutex"))
    needs = assumptions(source)
    assert needs[-1].name == "bounded delay" and undeclared(source) == ("bounded delay",)
    experiment = Experiment("x", protocol="lamport-mutex", network="complete:3")
    off = switched(experiment, needs, fifo, False)
    assert (off["breaks"], off["timing"].order) == (("fifo",), "unordered")
    on = switched(experiment.with_(**off), needs, fifo, True)
    assert (on["breaks"], on["timing"].order) == ((), "fifo")
    everything = experiment.with_(breaks=("all",))
    assert "fifo" not in switched(everything, needs, fifo, True)["breaks"]
    assert "reliable" in switched(everything, needs, fifo, True)["breaks"]
