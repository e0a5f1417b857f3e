"""What a run becomes for other programs: a page that plays, a movie, a trace in another format.

A movie is made frame by frame between the events of the window, which stays usable; it can be cancelled.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimerEvent

from lydian.app.canvas.cameras import TimeCamera
from lydian.model.errors import BadInput, LydianError
from lydian.views.animation import animation_for

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["TRACES", "Exports"]

#: Formats of traces for other programs: what the file chooser says, and the ending.
TRACES: Mapping[str, tuple[str, str]] = {
    "csv": ("Tables", ".csv"),
    "json": ("JSON", ".json"),
    "shiviz": ("ShiViz logs", ".log"),
    "perfetto": ("Perfetto traces", ".json"),
}
#: A movie is at most so large, each way.
LARGEST = 1920


class Exports(QObject):
    """Asks where and writes there; every problem is a sentence of the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self._film: Generator[float, None, None] | None = None
        self._path = Path()
        self._timer = 0
        window.status.cancelled.connect(self.cancel)

    @property
    def filming(self) -> bool:
        """Whether a movie is being written."""
        return self._film is not None

    def page(self) -> None:
        """Ask where, and save the run as a page that plays by itself."""
        documents, run = self.window.documents, self.window.session.shown
        path = documents.place_for_run("Save a page that plays", "Pages (*.html)", ".html", ".htm")
        if path is None or run is None:
            return

        def write() -> None:
            from lydian.model.reading import write_text
            from lydian.trace.timeline import Timeline
            from lydian.views.page import page

            write_text(path, page(run.timeline or Timeline(run.trace), animation_for(run.trace)))

        documents.written(write, path)

    def trace(self, kind: str) -> None:
        """Ask where, and save the run in one of :data:`TRACES`."""
        documents, run = self.window.documents, self.window.session.shown
        words, ending = TRACES[kind]
        path = documents.place_for_run(f"Save the trace as {words}", f"{words} (*{ending})", ending, ".txt")
        if path is None or run is None:
            return

        def write() -> None:
            from lydian.trace.export import export

            export(run.trace, path, kind)

        documents.written(write, path)

    # ------------------------------------------------------------------ movies

    def movie(self) -> None:
        """Ask where, and begin a movie of the views that are shown, at the speed that is set."""
        if self.filming:
            self.window.say(f"{self._path.name} is still being written; cancel it first to begin another movie.")
            return
        kinds = "Movies (*.mp4);;Animated pictures (*.gif)"
        path = self.window.documents.place_for_run("Save a movie", kinds, ".mp4", ".gif")
        if path is not None:
            self.film(path)

    def film(self, path: Path) -> None:
        """Begin a movie in that file; its progress stands in the status line."""
        from lydian.app.pictures.movie import filming

        window, head = self.window, self.window.playhead
        if head.timeline is None:
            return
        shown = [name for name, canvas in window.stage.canvases.items() if canvas.isVisible()] or ["basic"]
        options: dict[str, dict[str, Any]] = {}
        for name in shown:
            canvas = window.stage.canvases[name]
            options[name] = dict(canvas.options)
            if isinstance(canvas.camera, TimeCamera):
                options[name]["window"] = canvas.camera.whole
        low, high = head.span
        area = window.stage.size()
        scale = min(1.0, LARGEST / max(area.width(), area.height(), 1))
        size = (int(area.width() * scale) // 2 * 2, int(area.height() * scale) // 2 * 2)
        try:
            self._film = filming(
                head.timeline, head.animation, shown, path,
                speed=head.speed, start=low, end=high, size=size, theme=self.window.theme, selection=head.selection,
                options=options,
            )  # fmt: skip
        except BadInput as error:
            window.say(str(error))
            return
        self._path = path
        window.status.work(f"Writing {path.name}", 0.0)
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
            self.window.settings.folder = str(self._path.parent)
            self.window.say(f"Saved as {self._path}.", False)
        except (LydianError, OSError) as error:
            self._end()
            self.window.say(str(error))
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._end()
            self.window.say(f"The movie cannot be made: {error}")
        else:
            self.window.status.work(f"Writing {self._path.name}", share)

    def cancel(self) -> None:
        """Stop the movie; nothing is left of it."""
        if self.filming:
            self._end()
            self.window.say(f"{self._path.name} was cancelled; nothing is left of it.", False)

    def _end(self) -> None:
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        film, self._film = self._film, None
        if film is not None:
            film.close()
        self.window.status.work("", 1.0)
