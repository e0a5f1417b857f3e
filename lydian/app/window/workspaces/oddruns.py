"""Runs of a sweep in the Run workspace, rebuilt from their records, with a bookmark where each leaves its group."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lydian.app.work.background import Background, Report
from lydian.desk.runs.run import Run
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.trace.timeline import Timeline

if TYPE_CHECKING:
    from lydian.app.sweep.results.results import ResultsPanel
    from lydian.batch.folder import Folder
    from lydian.batch.spark.surprise import Strange
    from lydian.desk.desk import Desk
    from lydian.views.others.oddmoment import OddMoment

__all__ = ["OddRuns"]

#: The maximum length of a bookmark's name.
_LONGEST = 80


@dataclass(frozen=True)
class _Found:
    """The experiment of a run, the strange thing about it, and its recorded fingerprint."""

    experiment: Experiment
    folder: str
    run: int
    strange: Strange | None
    fingerprint: str | None


class OddRuns(QObject):
    """The commands that open runs of sweeps."""

    #: The run is on the screen, at its bookmarked moment.
    shown = Signal(int)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self.desk = desk
        self._awaited: _Found | None = None
        self.background = Background(self)
        self.background.done.connect(self._begin)
        self.background.failed.connect(lambda sentence: desk.notices.say(sentence, True))
        self._listening = False

    def attach(self, panel: ResultsPanel) -> None:
        """Open the runs that a results panel requests, and show its notices."""
        panel.run_wanted.connect(lambda folder, run: self.open(folder, run, panel.strange_of(run)))
        panel.said.connect(self.desk.notices.say)

    def open(self, folder: Path | str, run: int, strange: Strange | None = None) -> None:
        """Show a run of the batch in a folder.

        Args:
            run: the number of the run.
            strange: the strange thing about it; by default, the entry in ``strangest.json``.
        """
        from lydian.batch.folder import read_folder
        from lydian.batch.spark.surprise import experiment_of

        path = Path(folder)
        if not self._listening:  # connected last, so that the screen has the run first
            self._listening = True
            self.desk.session.run_ready.connect(self._arrived)

        def work(_report: Report) -> _Found:
            read = read_folder(path)
            odd = strange if strange is not None else _remembered(read, run)
            return _Found(experiment_of(read, run), path.name, run, odd, _fingerprint(read, run))

        self.background.start(work)

    def close(self) -> None:
        """End the thread."""
        self.background.close()

    def _begin(self, found: _Found) -> None:
        desk = self.desk
        if not desk.workspaces.show("run"):
            return
        self._awaited = None  # signals of the previous run must be ignored
        desk.screen.resume = None
        desk.session.start(found.experiment)
        self._awaited = found

    def _arrived(self, run: Run, _play: bool) -> None:
        """Go to the moment of the awaited run, unless the user has turned to something else."""
        found = self._awaited
        if found is None or run.experiment is None or run.experiment.name != found.experiment.name:
            return
        self._awaited = None
        desk, timeline = self.desk, self.desk.playhead.timeline
        if timeline is None:
            return
        words = tr("Run {run:,} of {folder}", run=found.run, folder=found.folder)
        moment = self._moment(timeline, found)
        if moment is not None and desk.playhead.at_start:
            desk.playhead.pause()
            self._bookmark(moment)
            desk.playhead.seek(moment.time)
        if found.fingerprint is not None and run.result.get("fingerprint") not in (None, found.fingerprint):
            sentence = tr(
                "Run {run:,} of {folder} differs from the execution in the sweep, which another version of LYDIAN "
                "produced.",
                run=found.run,
                folder=found.folder,
            )
            desk.notices.say(sentence, True)
        else:
            desk.notices.say(f"{words}{f': {moment.words}' if moment is not None else ''}.", False)
        self.shown.emit(found.run)

    def _moment(self, timeline: Timeline, found: _Found) -> OddMoment | None:
        from lydian.views.others.oddmoment import OddMoment, odd_moment

        if found.strange is not None:
            return odd_moment(timeline, found.strange)
        for check in timeline.trace.summary.get("checks") or ():
            if check.get("holds") is False and isinstance(check.get("at"), int) and timeline.length:
                seq = min(max(int(check["at"]), 0), timeline.length - 1)
                return OddMoment(
                    seq, float(timeline.time[seq]), tr('violates "{property}"', property=check.get("name"))
                )
        return None

    def _bookmark(self, moment: OddMoment) -> None:
        marks = self.desk.waypoints
        name = moment.words if len(moment.words) <= _LONGEST else f"{moment.words[: _LONGEST - 1]}…"
        if name not in self.desk.playhead.bookmarks:
            try:
                marks.add(moment.time, name)
            except LydianError as error:
                self.desk.notices.say(str(error), True)


def _remembered(folder: Folder, run: int) -> Strange | None:
    """Return the entry of ``strangest.json`` about a run."""
    from lydian.batch.spark.surprise import Strange

    try:
        entries = json.loads((folder.path / "strangest.json").read_text(encoding="utf-8"))
        return next((Strange(**entry) for entry in entries if entry.get("run") == run), None)
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _fingerprint(folder: Folder, run: int) -> str | None:
    """Return the fingerprint of a run in the sweep, or ``None`` if it has not finished."""
    from lydian.trace.parquet.arrow import pq

    for part in folder.done():
        if run in folder.members(part):
            rows: Any = pq.read_table(folder.file(part), columns=["run", "fingerprint"]).to_pylist()
            return next((row["fingerprint"] for row in rows if row["run"] == run), None)
    return None
