"""Exports of a run for other programs: a page that plays, a movie, a picture, a trace in another format.

A short run is written at once, a long one in a thread, with progress and Cancel in the status line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lydian.app.stage.shots import shot_of
from lydian.app.window.films import Films, show_file
from lydian.app.work.background import Background, Report
from lydian.desk.runs.reading import TURN
from lydian.formats.traces import FORMATS, export, in_language
from lydian.language import tr
from lydian.model.archive.handin import SUFFIX
from lydian.pieces.animation import animation_for

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.app.work.documents import Documents
    from lydian.desk.desk import Desk
    from lydian.desk.runs.run import Run
    from lydian.model.experiment.experiment import Experiment
    from lydian.pieces.animation import Animation
    from lydian.trace.events import Trace

__all__ = ["Exports"]

#: The number of events up to which a run is written without a thread, in less than a tenth of a second.
SHORT = 2_000


class Exports(QObject):
    """The commands that ask for a file and write it; problems are reported as notices."""

    def __init__(self, desk: Desk, stage: Stage, documents: Documents, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage, self.documents = desk, stage, documents
        self.films = Films(desk, stage, documents, self)
        self._path = Path()
        self._turn = sys.getswitchinterval()
        self.background = Background(self)
        self.background.progress.connect(
            lambda share: desk.notices.work(tr("Writing {file}", file=self._path.name), share)
        )
        self.background.done.connect(lambda _nothing: self._written())
        self.background.failed.connect(lambda sentence: desk.notices.say(sentence))
        self.background.ended.connect(self._ended)
        desk.notices.cancelled.connect(self.cancel)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        traces = {f"export_{kind}": partial(self.trace, kind) for kind in FORMATS}
        return {"pictures": self.pictures, "hand_in": self.hand_in, "export_movie": self.movie,
                "export_sound": self.sound, **traces}  # fmt: skip

    @property
    def filming(self) -> bool:
        """Whether a movie is being written."""
        return self.films.filming

    @property
    def busy(self) -> bool:
        """Whether a page or a trace is being written in a thread."""
        return self.background.busy

    def trace(self, kind: str) -> None:
        """Ask for a file and save the run in one of :data:`lydian.formats.traces.FORMATS`."""
        to = in_language(FORMATS[kind])
        usual = to.endings[0]
        path = self._place(tr("Save {file}", file=to.words), f"{to.files} (*{usual})", *to.endings, ".txt")
        run = self.desk.session.shown
        if path is not None and run is not None:
            self._write(run.trace, path, lambda report: export(run.trace, path, kind, report))

    def hand_in(self) -> None:
        """Ask for a file and save the experiment, the files that it names and the current run in it."""
        session = self.desk.session
        run, experiment = session.shown, session.experiment
        if experiment is None:
            self.desk.notices.say(tr("This run was recorded without its experiment and cannot be handed in."))
            return
        if session.live.alive or session.worker.busy:
            self.desk.notices.say(tr("The run has not finished; stop it, then hand it in."))
            return
        path = self._place(tr("Hand in"), tr("Hand-ins ({pattern})", pattern=f"*{SUFFIX}"), SUFFIX)
        if path is not None and run is not None:
            if experiment.path is None:
                experiment = experiment.with_(path=session.path)
            self._write(run.trace, path, lambda report: _hand_in(run, experiment, path, report))

    def _place(self, title: str, kinds: str, *endings: str) -> Path | None:
        if self.busy:
            self.desk.notices.say(
                tr("{file} is still being written; cancel it first to write another file.", file=self._path.name)
            )
            return None
        return self.documents.place_for_run(title, kinds, *endings)

    def _write(self, trace: Trace, path: Path, work: Callable[[Report], object]) -> None:
        """Write a file, in a thread if that takes a while."""
        if len(trace) <= SHORT:
            self.documents.written(lambda: work(Report(lambda _share: None)), path)
            return
        self._path = path
        self.desk.notices.work(tr("Writing {file}", file=path.name), 0.0)
        sys.setswitchinterval(TURN)
        self.background.start(work)

    def _written(self) -> None:
        path, desk = self._path, self.desk
        desk.settings.folder = str(path.parent)
        desk.notices.say(tr("Saved as {file}.", file=path), False)
        desk.notices.show(
            tr("{file} is ready.", file=path.name), problem=False, button=tr("Show file"), act=lambda: show_file(path)
        )

    def _ended(self) -> None:
        sys.setswitchinterval(self._turn)
        self.desk.notices.work("", 1.0)

    # ------------------------------------------------------------------ pictures and movies

    def pictures(self) -> None:
        """Ask for a file and save all visible views as one picture, at their size in the window."""
        if self.desk.playhead.timeline is None:
            self.desk.notices.say(tr("There is no run to save yet."))
            return
        self.documents.save_picture(tr("All views"), self.write_pictures, view=False)

    def write_pictures(self, path: Path, scale: float = 2.0) -> None:
        """Write all visible views to one picture file."""
        from lydian.app.pictures.render import render_shots

        stage, head = self.stage, self.desk.playhead
        shots = [shot_of(canvas) for canvas in stage.views_shown()]
        assert head.timeline is not None
        size = (stage.width(), stage.height())
        render_shots(
            head.timeline, head.animation, shots, head.t, path,
            size=size, theme=stage.theme.but(eye=""), scale=scale, selection=head.selection,
        )  # fmt: skip

    def movie(self) -> None:
        """Show the form for a movie."""
        self.films.show()

    def sound(self) -> None:
        """Ask for a file and save the sound of the run at the speed at which it is played."""
        head, run = self.desk.playhead, self.desk.session.shown
        path = self._place(tr("Save the sound"), tr("Sounds (*.wav)"), ".wav")
        if path is not None and run is not None:
            looks, speed = head.animation, head.speed
            self._write(run.trace, path, lambda report: _sound(run.trace, looks, speed, path, report))

    # ------------------------------------------------------------------ the end

    def cancel(self) -> None:
        """Cancel the export and delete the unfinished file."""
        self.films.cancel()
        if self.busy:
            self.background.cancel()
            self.desk.notices.say(
                tr("The export was cancelled and the unfinished file {file} deleted.", file=self._path.name), False
            )

    def close(self) -> None:
        """End the thread and delete an unfinished file."""
        self.cancel()
        self.background.close()


def _sound(trace: Trace, looks: Animation | None, speed: float, path: Path, report: Report) -> None:
    from lydian.sound.recording import write_wav
    from lydian.trace.timeline import Timeline

    write_wav(path, Timeline(trace), animation=looks, speed=speed, progress=report)


def _hand_in(run: Run, experiment: Experiment, path: Path, report: Report) -> None:
    from lydian.trace.handin import hand_in
    from lydian.trace.timeline import Timeline
    from lydian.views.page.page import MOST_EVENTS, page

    short = len(run.trace) <= MOST_EVENTS
    text = page(Timeline(run.trace), animation_for(run.trace)) if short else ""
    report(0.7)  # a cancelled export must not leave a file
    hand_in(path, experiment, run.trace, run.branch, text)
