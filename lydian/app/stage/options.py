"""The options of each view: the menus of the docks, and pictures of the views."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QImage

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.painters.time.axis import COLUMN
from lydian.app.panels.dock import Dock
from lydian.app.stage.shots import shot_of
from lydian.app.work.documents import Documents
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.views.registry import Choice

__all__ = ["Options"]


class Options:
    """The options of all views by the names of their docks; a further view of a kind has its own."""

    def __init__(self, playhead: Playhead, camera: TimeCamera, documents: Documents) -> None:
        """Start without views.

        Args:
            playhead: the play head of the run on the screen.
            camera: the stretch of time that all views share, except further ones of a kind.
            documents: asks for the file of a picture.
        """
        self._playhead, self._camera, self._documents = playhead, camera, documents
        self._ticks: dict[tuple[str, str], dict[Any, QAction]] = {}
        self._canvases: dict[str, Canvas] = {}

    def fill_menu(self, dock: Dock, canvas: Canvas) -> None:
        """Add the options of a view and the commands for its picture to the menu of its dock."""
        self._canvases[dock.name] = canvas
        for choice in canvas.spec.choices:
            menu = dock.add_submenu(choice.title)
            group = QActionGroup(menu)
            for number, (value, words) in enumerate(choice.values.items()):
                action = menu.addAction(words)
                action.setCheckable(True)
                action.setChecked(number == 0)
                group.addAction(action)
                self._ticks.setdefault((dock.name, choice.name), {})[value] = action
                action.triggered.connect(self._chooser(dock.name, choice, value))
        dock.add_gap()
        commands: list[tuple[str, Callable[[], object]]] = [
            (tr("Save picture…"), lambda: self.save_picture(canvas)),
            (tr("Copy picture"), lambda: self.copy_picture(canvas)),
            (tr("Copy as SVG"), lambda: self.copy_svg(canvas)),
        ]
        if canvas.camera is not None:
            commands.insert(0, (tr("Fit all"), canvas.fit))
        for words, what in commands:
            action = QAction(words, dock)
            action.triggered.connect(lambda _checked=False, what=what: what())
            dock.add_to_menu(action)
        dock.add_gap()

    def forget(self, name: str) -> None:
        """Forget a view that no longer exists."""
        self._canvases.pop(name, None)
        self._ticks = {key: ticks for key, ticks in self._ticks.items() if key[0] != name}

    def _chooser(self, name: str, choice: Choice, value: Any) -> Callable[..., None]:
        return lambda _checked=False: self.choose(name, choice, value)

    def choose(self, name: str, choice: Choice, value: Any) -> None:
        """Set an option of a view, or of all views that share it; a further view of a kind shares none."""
        own = self._further(name)
        for other, canvas in self._canvases.items():
            together = choice.shared and not own and not self._further(other)
            if other == name or (together and choice in canvas.spec.choices):
                self._ticks[other, choice.name][value].setChecked(True)
                canvas.set_option(choice.name, value)
        camera = self._canvases[name].camera if own else self._camera
        if isinstance(camera, TimeCamera) and choice.name == "axis":
            camera.set_axis(str(value))
        elif isinstance(camera, TimeCamera) and choice.name == "column":
            camera.set_margin(COLUMN if value else 0.0)

    def _further(self, name: str) -> bool:
        """Return whether a view is a further one of its kind."""
        return self._canvases[name].spec.name != name

    # ------------------------------------------------------------------ memory

    def chosen(self, name: str) -> dict[str, Any]:
        """Return the options of a view that differ from the defaults, by their names."""
        canvas = self._canvases[name]
        return {
            choice.name: canvas.options[choice.name]
            for choice in canvas.spec.choices
            if choice.name in canvas.options and canvas.options[choice.name] != next(iter(choice.values))
        }

    def give_back(self, name: str, chosen: object) -> None:
        """Restore options that :meth:`chosen` returned, leaving out those that the view no longer has."""
        if not isinstance(chosen, Mapping):
            return
        for choice in self._canvases[name].spec.choices:
            for value in choice.values:
                # 1 and True are equal, but only one of them is a valid value
                if choice.name in chosen and value == chosen[choice.name] and type(value) is type(chosen[choice.name]):
                    self.choose(name, choice, value)

    # ------------------------------------------------------------------ pictures

    def save_picture(self, canvas: Canvas) -> None:
        """Ask for a file and save a view as PNG, SVG or PDF."""
        if self._playhead.timeline is not None:
            self._documents.save_picture(canvas.spec.title, lambda path, scale: self.write_picture(canvas, path, scale))

    def write_picture(self, canvas: Canvas, path: Path, scale: float = 2.0) -> None:
        """Write the current view as a picture file."""
        data = self.picture(canvas, path.suffix.lower(), scale)
        from lydian.app.pictures.picturefile import beside

        with beside(path, "picture") as part:
            part.write_bytes(data)

    def picture(self, canvas: Canvas, ending: str, scale: float = 2.0) -> bytes:
        """Return the bytes of a picture file of the current view with its title bar."""
        from lydian.app.pictures.render import encoded

        head = self._playhead
        assert head.timeline is not None
        return encoded(
            head.timeline, head.animation, [shot_of(canvas)], head.t, ending,
            size=(canvas.width(), canvas.height() + 34), theme=canvas.theme, scale=scale, selection=head.selection,
        )  # fmt: skip

    def copy_picture(self, canvas: Canvas) -> None:
        """Copy a view to the clipboard as a picture with its title bar."""
        if self._playhead.timeline is not None:
            QGuiApplication.clipboard().setImage(QImage.fromData(self.picture(canvas, ".png")))
            self._documents.said.emit(tr("Copied a picture of {view}.", view=canvas.spec.title), False)

    def copy_svg(self, canvas: Canvas) -> None:
        """Copy a view to the clipboard as SVG, for drawing programs and for text editors."""
        if self._playhead.timeline is not None:
            data = self.picture(canvas, ".svg")
            mime = QMimeData()
            mime.setData("image/svg+xml", data)
            mime.setText(data.decode("utf-8"))
            QGuiApplication.clipboard().setMimeData(mime)
            self._documents.said.emit(tr("Copied {view} as SVG.", view=canvas.spec.title), False)
