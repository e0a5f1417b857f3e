"""Experiments of others rest until their code is accepted, and opening a data file runs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lydian.desk.trust import Trust
from lydian.model.archive.archive import Archive, archive
from lydian.model.experiment.experiment import Experiment
from tests.app.conftest import Open, rest
from tests.protocolfolder import FILES, made

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

ROOT = Path(__file__).resolve().parents[2]


class Memory(dict):
    """A store of settings without a file."""

    def record(self, key: str) -> dict:
        return dict(self.get(key, {}))

    def set_record(self, key: str, record: dict) -> None:
        self[key] = record


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """Provide an experiment whose protocol leaves a mark when executed."""
    text = (ROOT / "protocols" / "echo.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(f"{text}\nopen({str(tmp_path / 'executed')!r}, 'w').close()\n", encoding="utf-8")
    (tmp_path / "odd.toml").write_text('protocol = "./mine.py"\nnetwork = "line:3"\n')
    return tmp_path / "odd.toml"


def test_accepting_a_folder_covers_its_files(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    experiment = Experiment("x", protocol=str(folder), network="line:2")
    trust = Trust(Memory(), archive())
    assert trust.strange(experiment) == [folder]
    trust.accept([folder])
    assert trust.strange(experiment) == []
    copy = made(tmp_path / "copy")
    assert trust.trusts(copy)
    (copy / "messages.py").write_text(FILES["messages.py"] + "x = 1\n", encoding="utf-8")
    assert not trust.trusts(copy)


def test_the_archive_and_accepted_code_may_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = 1\n")
    (tmp_path / "looks.py").write_text("y = 2\n")
    experiment = Experiment("x", protocol="mine.py", network="line:2", animation="looks.py", path=tmp_path / "x.toml")
    memory = Memory()
    trust = Trust(memory, archive())
    assert trust.strange(Experiment("x", protocol="echo", network="line:2")) == []
    assert trust.strange(experiment) == [tmp_path / "mine.py", tmp_path / "looks.py"]
    home = tmp_path / "home"
    ours = Trust(memory, Archive(home, archive().ours))
    for place, good in (("protocols", True), ("animations", True), ("hand-ins/x", False)):
        (home / place).mkdir(parents=True)
        (home / place / "own.py").write_text(f"# {place}")
        assert ours.trusts(home / place / "own.py") is good
    trust.accept([tmp_path / "mine.py"])
    assert Trust(memory, archive()).strange(experiment) == [tmp_path / "looks.py"]
    (tmp_path / "copy.py").write_text("x = 1\n")
    assert trust.trusts(tmp_path / "copy.py")  # the same text in another file
    (tmp_path / "copy.py").write_text("x = 3\n")
    assert not trust.trusts(tmp_path / "copy.py")
    (tmp_path / "mine.py").write_text("x = 4\n")
    assert trust.trusts(tmp_path / "mine.py")  # the user is editing this file


@pytest.mark.slow
def test_an_experiment_rests_until_its_code_is_accepted(open_window: Open, strangers: Path, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    mark, notice, question = strangers.with_name("executed"), window.notice, "This experiment runs code from mine.py"
    assert window.documents.open(strangers)
    assert notice.text == f"{question}, in {strangers.parent}."
    assert (notice.look.isVisible(), notice.button.text(), window.session.worker.busy) == (True, "Run", False)
    assert window.session.shown is None
    window.session.live.switch(True)  # it does not run live either
    window.session.run()
    window.documents.open_example()  # another experiment withdraws the question
    assert notice.text == ""
    rest(window, qtbot)
    assert window.documents.open(strangers)
    notice.look.click()
    assert window.workspaces.current == "protocol"
    assert "executed" in window.workspaces.protocols.made().document.source
    assert notice.text.startswith(question)
    sweep = strangers.with_name("many.toml")
    vary = '[[vary]]\nfield = "network"\nvalues = ["line:2", "line:3"]\n'
    sweep.write_text(f'experiment = "./odd.toml"\nseeds = 3\n\n{vary}')
    assert window.documents.open(sweep)
    sweeping = window.workspaces.sweeps.made()
    assert sweeping.strange == ["mine.py"]
    assert not sweeping.estimating.busy
    assert sweeping.form.costs.text() == "The sweep runs code from mine.py, so it is not tried before you press Start."
    window.workspaces.show("run")
    assert not mark.exists()
    notice.button.click()
    rest(window, qtbot)
    assert mark.exists()
    assert notice.text == ""
    mark.unlink()
    window.documents.open_example()
    assert window.documents.open(strangers)  # the answer is remembered
    assert notice.text == ""
    qtbot.waitUntil(mark.exists, timeout=20_000)
    rest(window, qtbot)


@pytest.mark.slow
def test_the_question_precedes_the_notice_in_the_bar(open_window: Open, strangers: Path, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    notice, question = window.notice, "This experiment runs code from mine.py"
    window.desk.notices.say("animations/loop.py does not end.")
    assert window.documents.open(strangers)
    assert (notice.text.startswith(question), notice.button.text()) == (True, "Run")
    window.desk.notices.say("Something else went wrong.")
    window.actions_by_name["run"].trigger()  # this asks again
    assert notice.text.startswith(question)
    window.documents.open_example()  # neither the question nor the earlier error concerns this experiment
    assert notice.text == ""
    rest(window, qtbot)
    window.desk.notices.say("It is not so.")
    window.documents.open_example()
    assert notice.text == ""
    rest(window, qtbot)
    window.desk.notices.offer("What was typed was kept.", "Go on writing", lambda: None)
    window.panel.set_seed(99)
    rest(window, qtbot)
    assert window.documents.open(strangers)
    assert notice.text.startswith(question)
    notice.button.click()
    assert "had unsaved changes" in notice.text  # after the answer the notice returns, and then the offer
    window.desk.notices.close()
    assert notice.text == "What was typed was kept."
    rest(window, qtbot)
