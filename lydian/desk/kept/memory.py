"""The user's latest work, kept at every change so that the next start can resume it, even after a crash.

One small file in the folder of the window contains the experiment as it is, saved or not. If another experiment
replaces one with unsaved changes, the latter is saved to the folder ``unsaved`` beside the settings.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.desk.kept.folder import KeptFolder
from lydian.desk.runs.session import Session
from lydian.desk.signal import Signal
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.branches import ROOT
from lydian.model.experiment.experiment import Experiment, from_dict, read, save
from lydian.model.reading import write_text

__all__ = ["FILE", "Last", "Memory"]

#: The name of the file, in the folder of each window, that records the work in progress.
FILE = "last.json"
#: The milliseconds after which changes to a run are kept.
LATER = 500
#: The maximum number of unsaved experiments that are set aside; older ones are deleted.
MOST_ASIDE = 50


@dataclass(frozen=True)
class Last:
    """The work that was in progress.

    Attributes:
        experiment: the experiment as it was, ``None`` if a trace was open.
        file: the file of the experiment or of the trace; it may no longer exist.
        modified: whether the experiment differs from its file.
        branch: the run of the experiment that was shown.
    """

    experiment: Experiment | None
    file: Path | None
    modified: bool = False
    branch: int = ROOT


class Memory:
    """The record of the work in a session.

    Args:
        kept: the folders of this window and of closed windows.

    Attributes:
        set_aside: emitted when an experiment with unsaved changes was set aside, with its name and the file.
        recovered: likewise, for an experiment that a closed window left.
        stranded: emitted when an experiment is about to be replaced but cannot be set aside, with the experiment (a
            :class:`Last`) and the reason.
        failed: emitted with a sentence when the work cannot be kept.
    """

    def __init__(self, session: Session, kept: KeptFolder) -> None:
        self.set_aside, self.recovered, self.stranded, self.failed = Signal(), Signal(), Signal(), Signal()
        self.session, self.kept = session, kept
        self._recalled: Path | None = None
        self._complained = False
        self._later = session.loop.timer(self.write)
        session.experiment_changed.connect(self._changed)
        session.run_ready.connect(lambda _run, _play: self._later.start(LATER))  # the branch may have changed
        session.undo.clean_changed.connect(lambda _clean: self.write())
        session.leaving.connect(self._leaving)

    def _changed(self) -> None:
        """Keep the changed experiment at once, or, during a live run, after a short pause."""
        if self.session.live.on:
            self._later.start(LATER)
        else:
            self.write()

    def write(self) -> None:
        """Keep the current work."""
        self._later.stop()
        session, experiment = self.session, self.session.experiment
        try:
            if session.trace_file is not None and not session.modified:
                kept: dict[str, Any] = {"trace": str(session.trace_file.absolute())}
            elif experiment is not None:
                place = experiment.path if experiment.path is not None else session.path
                kept = {
                    "experiment": experiment.to_dict(),
                    "place": None if place is None else str(place.absolute()),
                    "file": None if session.path is None else str(session.path.absolute()),
                    "modified": session.modified,
                    "branch": session.live.branch,
                }
            else:
                return
            write_text(self.kept.place(FILE), json.dumps({"version": 1, **kept}, default=str))
        except (LydianError, OSError) as error:
            self._complain(error)
            return
        if self._recalled is not None:
            self.kept.forget(self._recalled)
            self._recalled = None

    def recall(self) -> Last | None:
        """Return the work that was in progress when the program was closed; return ``None`` if there is none.

        Unsaved work of other closed windows is set aside.
        """
        latest: Last | None = None
        for file in self.kept.left(FILE):
            last = self._read(file)
            if latest is None and last is not None:
                latest, self._recalled = last, file
            elif self.recover(last):
                self.kept.forget(file)
        return latest

    def recover(self, last: Last | None) -> bool:
        """Set aside the unsaved work that a window left; return False if it cannot be written."""
        if last is None or last.experiment is None or not last.modified:
            return True
        aside = self.put_aside(last)
        if aside is not None:
            self.recovered.emit(last.experiment.name or last.experiment.protocol, aside)
        return aside is not None

    @staticmethod
    def _read(memory: Path) -> Last | None:
        try:
            kept = json.loads(memory.read_text(encoding="utf-8"))
            if "trace" in kept:
                trace = Path(kept["trace"])
                return Last(None, trace) if trace.is_file() else None
            file = None if kept["file"] is None else Path(kept["file"])
            place = None if kept["place"] is None else Path(kept["place"])
            branch = kept.get("branch", ROOT)
            branch = branch if isinstance(branch, int) else ROOT
            if not kept["modified"] and file is not None and file.is_file():
                try:
                    return Last(read(file), file, branch=branch)
                except LydianError:
                    pass  # the file was damaged from outside: use the copy of the experiment
            return Last(from_dict(kept["experiment"]).with_(path=place), file, bool(kept["modified"]), branch)
        except (LydianError, OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put_aside(self, last: Last | None) -> Path | None:
        """Save an experiment with unsaved changes to a file of its own before something else is opened."""
        try:
            return self._written_aside(last)
        except (LydianError, OSError) as error:
            self._complain(error)
            return None

    def _written_aside(self, last: Last | None) -> Path | None:
        if last is None or last.experiment is None or not last.modified:
            return None

        folder = self.kept.home / "unsaved"
        folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w.-]+", "-", last.experiment.name or last.experiment.protocol)[:60] or "experiment"
        taken = {entry.stem for entry in folder.iterdir()}
        name = next(n for n in (stem, *(f"{stem}-{i}" for i in range(2, 10_000))) if n not in taken)
        file = folder / f"{name}.toml"
        save(last.experiment, file)
        for old in sorted(folder.glob("*.toml"), key=lambda entry: entry.stat().st_mtime)[:-MOST_ASIDE]:
            old.unlink()
        return file

    def _leaving(self) -> None:
        session = self.session
        if not session.modified:
            return
        assert session.experiment is not None
        last = Last(session.experiment, session.path, True)
        try:
            file = self._written_aside(last)
        except (LydianError, OSError) as error:
            self.stranded.emit(last, self._why(error))
        else:
            self.set_aside.emit(session.experiment.name or session.experiment.protocol, file)

    def _why(self, error: Exception) -> str:
        if isinstance(error, OSError):
            return f"{error.filename or self.kept.home}: {error.strerror or error}"
        return str(error)

    def _complain(self, error: Exception) -> None:
        """Report the failure once; the program continues without keeping the work."""
        if not self._complained:
            self._complained = True
            self.failed.emit(tr("Your work cannot be kept for the next start: {reason}", reason=self._why(error)))
