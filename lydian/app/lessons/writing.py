"""The writing of a lesson: a file from a template in the user's folder, opened in the desktop's editor, and watched."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.lesson.lesson import template
from lydian.model.reading import write_text

__all__ = ["Writing"]

#: Milliseconds to wait after a change, because editors write a file in several steps.
SETTLED = 120


class Writing(QObject):
    """A watcher of one file, which also notices editors that replace the file."""

    #: Emitted when the file has a new text.
    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self._stamp = (0, 0)
        self._watcher: QFileSystemWatcher | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED)
        self._timer.timeout.connect(self.look)

    def begin(self, folder: Path) -> Path:
        """Create a file from the template, and open it in an editor.

        Raises:
            BadInput: the file cannot be written.
        """
        return self.put(self.place(folder, "my-lesson"), template())

    def place(self, folder: Path, name: str) -> Path:
        """Return the path of a new lesson of this name, or of this name with a number, in a folder that exists.

        Raises:
            BadInput: the folder cannot be created.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(
                tr("the folder cannot be created ({reason})", reason=error.strerror or error), file=folder
            ) from None
        names = (f"{name}.md", *(f"{name}-{number}.md" for number in range(2, 1000)))
        return next((folder / each for each in names if not (folder / each).exists()), folder / names[-1])

    def put(self, path: Path, text: str) -> Path:
        """Write a lesson, and open it in an editor.

        Raises:
            BadInput: the file cannot be written.
        """
        write_text(path, text)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
        return path

    def watch(self, path: Path | None) -> None:
        """Watch this file from now on; ``None`` watches none."""
        self.end()
        self.path = path
        if path is None:
            return
        self._stamp = _stamp(path)
        self._watcher = QFileSystemWatcher([str(path), str(path.parent)], self)
        self._watcher.fileChanged.connect(lambda _file: self._timer.start())
        self._watcher.directoryChanged.connect(lambda _folder: self._timer.start())

    def look(self) -> None:
        """Emit the signal if the text of the file has changed."""
        path = self.path
        if path is None or self._watcher is None:
            return
        # the file was replaced by another of the same name
        if path.exists() and str(path) not in self._watcher.files():
            self._watcher.addPath(str(path))
        stamp = _stamp(path)
        if stamp != self._stamp and stamp != (0, 0):
            self._stamp = stamp
            self.changed.emit(path)

    def end(self) -> None:
        """Stop watching."""
        self._timer.stop()
        self.path = None
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.blockSignals(True)
            watcher.deleteLater()


def _stamp(path: Path) -> tuple[int, int]:
    try:
        told = path.stat()
    except OSError:
        return 0, 0
    return told.st_mtime_ns, told.st_size
