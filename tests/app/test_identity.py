"""An experiment is an example until its protocol or its network changes; then it is the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lydian.app.work.loop import Loop
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.experiment.branches import Branches
from lydian.model.experiment.experiment import save
from lydian.model.network import Timing
from tests.app.conftest import Open, rest

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def session(qapp: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """Provide a session on the example that makes no runs."""
    made = Session(Loop())
    monkeypatch.setattr(made, "run", lambda **_how: None)
    example = archive().experiment("two-wings")
    made.start(example, example.path)
    yield made
    made.close()


def test_another_network_begins_a_new_experiment(session: Session, tmp_path: Path) -> None:
    example, about, path = session.experiment.name, session.experiment.about, session.path
    assert about
    session.change("network ring:5", network="ring:5", timing=Timing(), faults=(), branches=())
    assert (session.experiment.name, session.experiment.about, session.path) == ("echo-ring-5", "", None)
    session.change("protocol", protocol=str(tmp_path / "mine.py"))
    assert session.experiment.name == "mine-ring-5" and Branches.of(session.experiment).name(0) == "mine-ring-5"
    session.undo.undo()
    session.undo.undo()
    assert (session.experiment.name, session.experiment.about, session.path) == (example, about, path)


def test_a_user_experiment_keeps_its_name_and_file(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    now = session.experiment.with_(name="mine", about="My own words.")
    session.saved(save(now, file), file)
    session.change("network ring:5", network="ring:5", timing=Timing(), faults=(), branches=())
    assert (session.experiment.name, session.experiment.about, session.path) == ("mine", "My own words.", file)
    session.change("protocol", anew=True, protocol="flooding")
    assert (session.experiment.name, session.experiment.about, session.path) == ("flooding-ring-5", "", None)
    session.undo.undo()
    assert (session.experiment.name, session.path) == ("mine", file)


def test_earlier_runs_adopt_the_name_of_the_saved_experiment(session: Session, tmp_path: Path) -> None:
    trace = Simulator(session.experiment.resolve()).run().trace
    session.runs.append(Run(session.experiment, trace, None, {"stopped": "quiescent"}))
    session.change("seed 7", seed=7)
    session.runs.append(Run(session.experiment, trace, None, {"stopped": "quiescent"}))
    moved = save(session.experiment.with_(name="mine"), tmp_path / "mine.toml")
    session.saved(moved, tmp_path / "mine.toml")
    assert {run.experiment.name for run in session.runs} == {"mine"} and session.same(session.runs[1], 0)
    session.undo.undo()
    assert session.path == tmp_path / "mine.toml" and session.experiment.name == "mine"


def test_experiments_with_the_same_parts_have_distinct_titles(open_window: Open) -> None:
    titles = []
    for name in ("two-wings", "echo-crash"):
        window = open_window()
        assert window.documents.open(window.shelf.archive.find("experiments", name))
        titles.append(window.windowTitle())
    assert titles == ["Echo on two-wings, seed 291 — LYDIAN[*]", "Echo on two-wings, seed 291 — echo-crash — LYDIAN[*]"]
    window.session.withhold()
    window.front.say_title()
    assert "crash" not in window.windowTitle(), "a lesson tells nothing before it was seen"


def test_saving_names_the_experiment_and_its_titles(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    (tmp_path / "mine.py").write_text(
        window.shelf.archive.find("protocols", "echo").read_text(encoding="utf-8"), encoding="utf-8"
    )
    assert window.documents.open(tmp_path / "mine.py")
    assert window.windowTitle().startswith("Mine on two-wings, seed ")
    assert window.session.name.startswith("mine-two-wings, seed ")
    assert window.documents.save_to(tmp_path / "exercise.toml")
    assert window.session.experiment.name == "exercise" and str(tmp_path) not in window.windowTitle()
    assert window.windowTitle().endswith(" — exercise — LYDIAN[*]")
    text = (tmp_path / "exercise.toml").read_text(encoding="utf-8")
    assert 'name = "exercise"' in text and 'protocol = "./mine.py"' in text and "about" not in text
    rest(window, qtbot)
    window.workspaces.show("network")
    editor = window.workspaces.editor
    assert editor is not None and editor.files.save_to(tmp_path / "lab.json")
    assert editor.board.network.name == "lab" and window.windowTitle().startswith("lab ")
