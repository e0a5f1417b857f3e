"""A whole session with Qt's import blocked: a run, going back, a branch, a drawn network, a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from lydian.desk.archivelist import ArchiveList
from lydian.desk.desk import Desk
from lydian.desk.kept.memory import Memory
from lydian.desk.live.live import Acted
from lydian.desk.runs.run import Run
from lydian.desk.runs.telling import Telling
from lydian.desk.settings import Settings
from lydian.model.archive.archive import archive
from lydian.model.editing.processes import add_process, delete
from lydian.model.editing.undo import Document
from lydian.model.experiment.branches import ROOT
from lydian.model.experiment.experiment import read, save
from lydian.trace.difference import difference
from lydian.trace.events import Kind
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


def test_a_whole_session_runs_without_qt(python_env: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, str(tmp_path)], env=python_env, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "it was saved and read again\n"


class Values(dict[str, object]):
    """Settings that are stored nowhere."""

    def value(self, key: str, default: object = None, /) -> object:
        return self.get(key, default)

    def setValue(self, key: str, value: object, /) -> None:
        self[key] = value

    def remove(self, key: str, /) -> None:
        self.pop(key, None)


class Somebody:
    """A user at a desk without a window."""

    def __init__(self, home: Path) -> None:
        self.loop = InProcess()
        settings = Settings(home / "settings.ini", Values(), lambda _file: lambda: None)
        self.desk = Desk(self.loop, settings, ArchiveList())
        self.session = self.desk.session
        self.session.bounds = {}  # the simulator is in this process, whose memory must not be bounded
        self.acts: list[Acted] = []
        self.session.live.acted.connect(self.acts.append)
        nothing = lambda *_what: None  # noqa: E731
        self.telling = Telling(self.desk, nothing, nothing, tuple, nothing)

    def rest(self) -> Run:
        """Wait until the current run is over."""
        self.loop.until(lambda: not self.session.worker.busy and self.session.shown is not None)
        assert self.session.shown is not None
        return self.session.shown

    def act(self, **what: Any) -> Acted:
        count = len(self.acts)
        self.session.live.act(what)
        self.loop.until(lambda: len(self.acts) > count)
        return self.acts[-1]


def whole_session(folder: Path) -> str:
    """Perform the actions of a user in the window."""
    one = Somebody(folder / "home")
    desk, session, live, loop = one.desk, one.session, one.session.live, one.loop
    head = desk.playhead
    desk.commands.add({"stop": session.stop, "play": head.toggle, "undo": session.undo.undo})

    # open an experiment, inspect its run
    session.start(archive().experiment("two-wings"))
    first = one.rest()
    assert first.result["stopped"] == "quiescent" and first.problem is None
    assert desk.run_title == "Echo on two-wings, seed 291 — LYDIAN"
    assert desk.commands.why_not("stop") == "Nothing is running" and not desk.commands.do("stop")
    head.seek(2.0)
    assert desk.commands.do("play")
    head.advance(1.5)
    assert head.t == 3.5 and head.playing
    head.pause()
    head.step(1)
    assert head.t > 3.5

    # intervene in its past, which begins a branch
    head.seek(3.0)
    acted = one.act(do="crash", process="5")
    assert acted.accepted and acted.interventions[0].time == head.t
    assert live.on and live.alive and live.branch != ROOT and session.undo.undo_text == "crash 5"
    assert not one.act(do="crash", process="5").accepted  # it has already crashed
    head.play()
    while not live.quiet:
        head.advance(0.2)
        loop.until(lambda: live.waiting)
    live.stop()
    loop.until(lambda: not live.alive)
    other = session.shown
    assert other is not None and other.branch == live.branch and sum(other.trace.column("kind") == Kind.CRASH) == 1

    # compare the two, go back to the first, and return to the branch
    parted = difference(first.trace, other.trace)
    assert parted is not None and parted.time >= 3.0 and "5" in [each.process for each in parted.processes]
    branch = live.branch
    live.go(ROOT)
    assert one.rest().trace.fingerprint() == first.trace.fingerprint()
    live.go(branch)
    loop.until(lambda: session.shown is not None and session.shown.branch == branch and not session.worker.busy)
    assert session.shown is not None and difference(session.shown.trace, other.trace) is None

    # draw another network, with one step too many, and run on it
    assert session.experiment is not None
    network = archive().network(session.experiment.network)
    drawn = Document(network)
    drawn.do("Delete process 5", delete(drawn.network, ["5"]))
    drawn.do("Add a process", add_process(drawn.network, (0.0, 0.0))[0])
    drawn.undo()
    assert drawn.redo_text == "Add a process" and "5" not in drawn.network.processes
    session.change("network drawn", network=drawn.network, faults=(), interventions=(), branches=())
    second = one.rest()
    assert second.trace.processes == drawn.network.processes and session.undo.undo_text == "network drawn"
    session.change("seed 5", seed=5)
    one.rest()
    desk.commands.do("undo")
    assert one.rest().trace.fingerprint() == second.trace.fingerprint() and session.modified

    # save, and load again
    file = folder / "drawn.toml"
    session.saved(save(session.experiment.with_(name="drawn"), file), file)
    assert session.undo.clean and not session.modified
    trace = folder / "drawn.parquet"
    session.save_trace(trace)
    session.start(read(file), file)
    assert one.rest().trace.fingerprint() == second.trace.fingerprint()
    session.open_trace(trace)
    assert session.shown is not None and session.shown.trace.fingerprint() == second.trace.fingerprint()
    last = Memory(session, desk.memory.kept)._read(desk.memory.kept.place("last.json"))
    assert last is not None and last.file == trace

    # an error is reported together with a remedy
    assert desk.notices.text == ""
    session.change("another protocol", protocol="ben-or", network="complete:5", animation=None)
    loop.until(lambda: "do not start" in desk.notices.text)
    assert desk.notices.shown is not None and desk.notices.shown.button == "Make every process an initiator"
    desk.notices.accept()
    assert desk.notices.text == ""
    loop.until(lambda: head.timeline is not None and head.timeline.trace.experiment["protocol"] == "ben-or")
    assert len(one.rest().trace.network["graph"]["initiators"]) == 5
    desk.close()
    loop.close()
    return "it was saved and read again"
