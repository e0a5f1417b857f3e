"""Movies made in the window: the form, and the recording, frame by frame between the window's events."""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimerEvent, QUrl
from PySide6.QtGui import QDesktopServices

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.panels.movieform import MovieForm
from lydian.app.pictures.movieoptions import MovieWish
from lydian.app.pictures.shot import Shot
from lydian.app.stage.shots import shot_of
from lydian.app.window.importing import give_room
from lydian.language import tr
from lydian.model.errors import BadInput, LydianError
from lydian.views.world.flights import Flight

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.app.work.documents import Documents
    from lydian.desk.desk import Desk

__all__ = ["Films"]

#: The file filters of the two kinds of movie.
KINDS = {".mp4": tr("Movies (*.mp4)"), ".gif": tr("Animated pictures (*.gif)")}


class Films(QObject):
    """The recorder of movies, one at a time, with its progress in the status line."""

    def __init__(self, desk: Desk, stage: Stage, documents: Documents, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage, self.documents = desk, stage, documents
        stage.add_dock(
            "movie", tr("Movie"), "play", lambda: self.form,
            about=tr("Choose the contents, speed and size of a movie of the run. You can continue to work while it is "
                     "being recorded."),
        )  # fmt: skip
        self._film: Generator[float, None, None] | None = None
        self._path = Path()
        self._timer = 0

    @cached_property
    def form(self) -> MovieForm:
        """The form for a movie, created on first use."""
        stage, settings = self.stage, self.desk.settings
        form = MovieForm(self.desk.playhead, stage.theme, lambda: [c.spec.name for c in stage.views_shown()])
        form.flight = self.flight
        form.wanted.connect(self.begin)
        form.changed.connect(lambda wish: settings.set_record("movie", wish.record()))
        form.say(MovieWish.of(settings.record("movie")))
        return form

    def flight(self) -> Flight | None:
        """Return the guided flight of the experiment, if it has one."""
        experiment = self.desk.session.experiment
        return Flight(experiment.flight) if experiment is not None and experiment.flight else None

    @property
    def filming(self) -> bool:
        """Whether a movie is being written."""
        return self._film is not None

    def show(self) -> None:
        """Show the form."""
        shown = self.stage.views_shown()
        self.stage.show_view("movie", True)
        give_room(self.stage, "movie")
        if not any(canvas.isVisible() for canvas in shown):  # the form must not cover all views of the movie
            self.stage.show_view(shown[0].spec.name, True)
        self.form.refresh()
        self.form.go.setFocus()

    def begin(self, wish: MovieWish) -> None:
        """Ask for a file and begin a movie."""
        if self.filming:
            self.desk.notices.say(
                tr("{file} is still being written; cancel it first to begin another movie.", file=self._path.name)
            )
            return
        other = next(kind for kind in KINDS if kind != wish.kind)
        path = self.documents.place_for_run(tr("Save a movie"), f"{KINDS[wish.kind]};;{KINDS[other]}", wish.kind, other)
        if path is not None:
            self.film(path, wish)

    def shots(self, wish: MovieWish) -> list[Shot]:
        """Return the views of a movie with their options, whether or not they are visible in the window."""
        stage = self.stage
        shown = stage.views_shown()
        chosen = shown if not wish.views else [
            next((canvas for canvas in shown if canvas.spec.name == name), stage.canvases[name]) for name in wish.views
        ]  # fmt: skip
        shots = []
        for canvas in chosen:
            shot = shot_of(canvas, moving=True)
            if isinstance(canvas.camera, TimeCamera) and not canvas.camera.chosen:
                shot = Shot(shot.view, {**shot.options, "window": canvas.camera.whole}, shot.camera)
            shots.append(shot)
        return shots

    def film(self, path: Path, wish: MovieWish) -> None:
        """Begin a movie in the given file."""
        from lydian.app.pictures.movie import filming

        desk, theme, head = self.desk, self.stage.theme, self.desk.playhead
        if head.timeline is None:
            return
        theme = theme if wish.theme == "now" else theme.but(name=wish.theme)
        loop = head.span
        low, high = wish.times(head.end, loop)
        try:
            self._film = filming(
                head.timeline, head.animation, self.shots(wish), path,
                speed=wish.units(head.end, loop, head.speed), fps=wish.fps or None, start=low, end=high,
                size=wish.size, theme=theme.but(eye="", still=False), letters=wish.letters or None,
                selection=head.selection, sound=wish.sound and path.suffix.lower() == ".mp4",
                flight=self.flight() if wish.span == "flight" else None,
            )  # fmt: skip
        except BadInput as error:
            desk.notices.say(str(error))
            return
        self._path = path
        self.form.set_busy(True)
        desk.notices.work(tr("Writing {file}", file=path.name), 0.0)
        self._timer = self.startTimer(0)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._timer and self._film is not None:
            self.step()

    def step(self) -> None:
        """Paint one more frame."""
        assert self._film is not None
        try:
            share = next(self._film)
        except StopIteration:
            self._end()
            self._ready()
        except (LydianError, OSError) as error:
            self._end()
            self.desk.notices.say(str(error))
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._end()
            self.desk.notices.say(tr("The movie cannot be recorded: {reason}", reason=error))
        else:
            self.desk.notices.work(tr("Writing {file}", file=self._path.name), share)

    def _ready(self) -> None:
        path, desk = self._path, self.desk
        desk.settings.folder = str(path.parent)
        desk.notices.say(tr("Saved as {file}.", file=path), False)
        desk.notices.show(
            tr("The movie {file} is ready.", file=path.name),
            problem=False,
            button=tr("Show file"),
            act=lambda: show_file(path),
        )

    def cancel(self) -> None:
        """Cancel the movie and delete the unfinished file."""
        if self.filming:
            self._end()
            self.desk.notices.say(
                tr("The movie {file} was cancelled and the unfinished file deleted.", file=self._path.name), False
            )

    def _end(self) -> None:
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        film, self._film = self._film, None
        if film is not None:
            film.close()
        self.form.set_busy(False)
        self.desk.notices.work("", 1.0)


def show_file(path: Path) -> None:
    """Show a file's folder in the desktop's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
