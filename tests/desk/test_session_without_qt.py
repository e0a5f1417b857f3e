"""A whole session with Qt's import blocked: a run, going back, a branch, a network that is drawn, a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from lydian.desk.keptfolder import KeptFolder
from lydian.desk.live import Acted
from lydian.desk.memory import Memory
from lydian.desk.playhead import Playhead
from lydian.desk.session import Run, Session
from lydian.model.archive import archive
from lydian.model.branches import ROOT
from lydian.model.editing.document import Document
from lydian.model.editing.processes import add_process, delete
from lydian.model.experiment import read, save
from lydian.trace.difference import difference
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.desk.inprocess import InProcess

BLOCKED = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ImportError(name + " is blocked here")
sys.meta_path.insert(0, NoQt())
from pathlib import Path
from tests.desk.test_session_without_qt import whole_session
print(whole_session(Path(sys.argv[1])))
"""


def test_a_whole_session_runs_where_qt_cannot_be_imported(python_env: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, str(tmp_path)], env=python_env, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "it was saved and read again\n"


class Desk:
    """What a window would put together."""

    def __init__(self, home: Path) -> None:
        self.loop, self.head = InProcess(), Playhead()
        self.session = Session(self.loop)
        self.session.live.follow(self.head)
        self.memory = Memory(self.session, KeptFolder(home, lambda _file: lambda: None))
        self.said: list[str] = []
        self.acts: list[Acted] = []
        self.session.said.connect(lambda sentence, _problem: self.said.append(sentence) if sentence else None)
        self.session.live.acted.connect(self.acts.append)
        self.session.run_ready.connect(self.show)
        self.session.run_grown.connect(lambda run, first, _play: self.show(run, again=not first))

    def show(self, run: Run | None, _play: bool = False, again: bool = False) -> None:
        assert run is not None
        timeline = run.timeline or Timeline(run.trace)
        if again or run.continues:
            self.head.extend(timeline)
        else:
            self.head.load(timeline)

    def rest(self) -> Run:
        """Wait until the run under way is over."""
        self.loop.until(lambda: not self.session.worker.busy and self.session.shown is not None)
        assert self.session.shown is not None
        return self.session.shown

    def act(self, **what: Any) -> Acted:
        count = len(self.acts)
        self.session.live.act(what)
        self.loop.until(lambda: len(self.acts) > count)
        return self.acts[-1]


def whole_session(folder: Path) -> str:
    """Do what somebody does in the window."""
    desk = Desk(folder / "home")
    session, head, live, loop = desk.session, desk.head, desk.session.live, desk.loop

    # open an experiment, look at its run
    session.start(archive().experiment("two-wings"))
    first = desk.rest()
    assert first.result["stopped"] == "quiescent" and first.problem is None
    head.seek(2.0)
    head.play()
    head.advance(1.5)
    assert head.t == 3.5 and head.playing
    head.pause()
    head.step(1)
    assert head.t > 3.5

    # interfere in the past of it: that begins a branch
    head.seek(3.0)
    acted = desk.act(do="crash", process="5")
    assert acted.accepted and acted.interventions[0].time == head.t
    assert live.on and live.alive and live.branch != ROOT and session.undo.undo_text == "crash 5"
    assert not desk.act(do="crash", process="5").accepted  # it has crashed already
    head.play()
    while not live.quiet:
        head.advance(0.2)
        loop.until(lambda: live.waiting)
    live.stop()
    loop.until(lambda: not live.alive)
    other = session.shown
    assert other is not None and other.branch == live.branch and sum(other.trace.column("kind") == Kind.CRASH) == 1

    # compare the two, go back to the first, and to the branch again
    parted = difference(first.trace, other.trace)
    assert parted is not None and parted.time >= 3.0 and "5" in [each.process for each in parted.processes]
    branch = live.branch
    live.go(ROOT)
    assert desk.rest().trace.fingerprint() == first.trace.fingerprint()
    live.go(branch)
    loop.until(lambda: session.shown is not None and session.shown.branch == branch and not session.worker.busy)
    assert session.shown is not None and difference(session.shown.trace, other.trace) is None

    # draw another network, with a step too many, and run on it
    assert session.experiment is not None
    network = archive().network(session.experiment.network)
    drawn = Document(network)
    drawn.do("Delete process 5", delete(drawn.network, ["5"]))
    drawn.do("Add a process", add_process(drawn.network, (0.0, 0.0))[0])
    drawn.undo()
    assert drawn.redo_text == "Add a process" and "5" not in drawn.network.processes
    session.change("network drawn", network=drawn.network, faults=(), interventions=(), branches=())
    second = desk.rest()
    assert second.trace.processes == drawn.network.processes and session.undo.undo_text == "network drawn"
    session.change("seed 5", seed=5)
    desk.rest()
    session.undo.undo()
    assert desk.rest().trace.fingerprint() == second.trace.fingerprint() and session.modified

    # save, and read it again
    file = folder / "drawn.toml"
    session.saved(save(session.experiment.with_(name="drawn"), file), file)
    assert session.undo.clean and not session.modified
    trace = folder / "drawn.parquet"
    session.save_trace(trace)
    session.start(read(file), file)
    assert desk.rest().trace.fingerprint() == second.trace.fingerprint()
    session.open_trace(trace)
    assert session.shown is not None and session.shown.trace.fingerprint() == second.trace.fingerprint()
    last = Memory(session, desk.memory.kept)._read(desk.memory.kept.place("last.json"))
    assert last is not None and last.file == trace

    session.close()
    loop.close()
    assert desk.said == []
    return "it was saved and read again"
