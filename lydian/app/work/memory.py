"""What was worked on last: kept at every change, so that the next start, or one after a crash, goes on with it.

One small file beside the settings holds the experiment as it is, saved or not.  An experiment with unsaved changes
whose place another one takes goes into the folder ``unsaved`` there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from lydian.app.work.session import Session
from lydian.model.errors import LydianError
from lydian.model.reading import write_text

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment

__all__ = ["Last", "Memory"]

#: Milliseconds after which what was done to a run is kept.
LATER = 500
#: At most so many unsaved experiments are set aside; the oldest go.
MOST_ASIDE = 50


@dataclass(frozen=True)
class Last:
    """What was worked on.

    Attributes:
        experiment: the experiment as it was, ``None`` if a trace was looked at.
        file: the file of the experiment, or of the trace; it may be gone.
        modified: whether the experiment differs from its file.
    """

    experiment: Experiment | None
    file: Path | None
    modified: bool = False


class Memory(QObject):
    """Writes down what a session works on.

    Args:
        folder: where; it is made when it is needed.
    """

    #: An experiment with unsaved changes was set aside: its name, and the file.
    set_aside = Signal(str, object)
    #: A sentence: nothing can be kept.
    failed = Signal(str)

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session, self.folder = session, folder
        self.file = folder / "last.json"
        self._complained = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(LATER)
        self._later.timeout.connect(self.write)
        session.experiment_changed.connect(self._changed)
        session.undo.cleanChanged.connect(lambda _clean: self.write())
        session.leaving.connect(self._leaving)

    def _changed(self) -> None:
        """Another experiment is kept at once; while somebody interferes with a run, when his hands rest."""
        if self.session.live.on:
            self._later.start()
        else:
            self.write()

    def write(self) -> None:
        """Keep what is worked on now."""
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
                }
            else:
                return
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(self.file, json.dumps({"version": 1, **kept}, default=str))
        except (LydianError, OSError) as error:
            self._complain(error)

    def recall(self) -> Last | None:
        """What was worked on when the program was left; ``None`` if there is nothing that can be used."""
        from lydian.model.experiment import read
        from lydian.model.experimentfile import from_dict

        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            if "trace" in kept:
                trace = Path(kept["trace"])
                return Last(None, trace) if trace.is_file() else None
            file = None if kept["file"] is None else Path(kept["file"])
            place = None if kept["place"] is None else Path(kept["place"])
            if not kept["modified"] and file is not None and file.is_file():
                try:
                    return Last(read(file), file)
                except LydianError:
                    pass  # somebody else changed it: what was seen here is still known
            return Last(from_dict(kept["experiment"]).with_(path=place), file, bool(kept["modified"]))
        except (LydianError, OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put_aside(self, last: Last | None) -> Path | None:
        """Keep an experiment with unsaved changes in a file of its own before something else is opened."""
        if last is None or last.experiment is None or not last.modified:
            return None
        from lydian.model.experiment import save

        folder = self.folder / "unsaved"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stem = re.sub(r"[^\w.-]+", "-", last.experiment.name or last.experiment.protocol)[:60] or "experiment"
            taken = {entry.stem for entry in folder.iterdir()}
            name = next(n for n in (stem, *(f"{stem}-{i}" for i in range(2, 10_000))) if n not in taken)
            file = folder / f"{name}.toml"
            save(last.experiment, file)
            for old in sorted(folder.glob("*.toml"), key=lambda entry: entry.stat().st_mtime)[:-MOST_ASIDE]:
                old.unlink()
        except (LydianError, OSError) as error:
            self._complain(error)
            return None
        return file

    def _leaving(self) -> None:
        session = self.session
        if session.modified:
            assert session.experiment is not None
            file = self.put_aside(Last(session.experiment, session.path, True))
            if file is not None:
                self.set_aside.emit(session.experiment.name or session.experiment.protocol, file)

    def _complain(self, error: Exception) -> None:
        """Once: the program goes on without a memory."""
        if not self._complained:
            self._complained = True
            why = str(error) if isinstance(error, LydianError) else f"{self.folder}: {error}"
            self.failed.emit(f"What you do cannot be kept for the next start: {why}")
