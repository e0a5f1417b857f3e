"""The file of the open protocol: opening, saving, copying from the library, and watching for changes.

A protocol that is a folder is one text here, with a line above each of its files (:mod:`lydian.model.protocol.folder`).

A change by another editor is noticed at once. If both sides have changed, neither text is lost: the user chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.protocol.document import ProtocolDocument
from lydian.desk.archivelist import ArchiveList
from lydian.desk.kept import text as kepttext
from lydian.desk.settings import Settings
from lydian.desk.trust import Trust
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.protocol.folder import MOST_BYTES, files_of, is_there, read_source, root_of, write_source

__all__ = ["KEEP", "ProtocolFiles"]

#: How many milliseconds after an edit the text is kept for the next start.
KEEP = 1000
#: How many milliseconds to wait after a sign of a change, because editors write in several steps.
SETTLE = 80
#: The number of recent files that are remembered.
MOST_RECENT = 12


class ProtocolFiles(QObject):
    """The file operations on the text."""

    #: Emitted with a sentence, whether it is a problem, the label of a button and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted when another text has been loaded.
    opened = Signal()
    #: Emitted when another program has changed the file and the text has been updated.
    reloaded = Signal()
    #: Emitted with the text in the file when both the file and the text have changed.
    conflict = Signal(str)
    #: Emitted with the original when a protocol from the library has been copied.
    copied = Signal(object)
    #: Emitted when the text has been written to its file.
    written = Signal()

    def __init__(self, document: ProtocolDocument, shelf: ArchiveList, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.document, self.shelf, self.settings, self.window = document, shelf, settings, parent
        self.originals: dict[str, str] = dict(settings.record("protocol_originals"))
        self.disk: str | None = None  # the last known text of the file
        self._copying = False
        self._settle = self._timer(SETTLE, self.look)
        self.watcher = QFileSystemWatcher(self)
        self.watcher.fileChanged.connect(lambda _path: self._settle.start())
        self.watcher.directoryChanged.connect(lambda _path: self._settle.start())
        self._keep = self._timer(KEEP, self.keep)
        document.edited.connect(self._edited)

    def _timer(self, milliseconds: int, do: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(do)
        return timer

    # ------------------------------------------------------------------ opening

    @property
    def folder(self) -> Path:
        """The folder of the user's own protocols."""
        user = self.shelf.archive.user
        return (user if user is not None else Path(self.settings.folder)) / "protocols"

    def is_library(self, path: Path) -> bool:
        """Return True if a file came with LYDIAN or another package and so must not be changed."""
        return self.shelf.archive.installed(path)

    def choose(self) -> None:
        """Ask for a protocol file and open it."""
        start = self.document.path.parent if self.document.path is not None else self.folder
        start = start if start.is_dir() else Path(self.settings.folder)
        name, _kind = QFileDialog.getOpenFileName(
            self.window, tr("Open a protocol"), str(start), tr("Protocols (*.py);;All files (*)")
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a protocol and set the unsaved text aside; report an error and return False if that is not possible."""
        path = root_of(path.absolute())
        if path == self.document.path:
            return True
        try:
            text = read_source(path)
        except LydianError as error:
            self._say(str(error))
            return False
        if not self.put_aside():
            return False
        self.put(text, path)
        return True

    def put(self, text: str, path: Path | None) -> None:
        """Load a text together with the file that contains exactly this text."""
        self.disk = None if path is None else text
        self.document.load(text, path, read_only=path is not None and self.is_library(path))
        self._watch()
        self._forget()
        if path is not None:
            self._remember(path)
        self.opened.emit()

    def new(self, source: str, name: str) -> bool:
        """Load a new protocol from the wizard and give it a file in the user's folder."""
        if not self.put_aside():
            return False
        path = self._free(name, source)
        self.document.load(source, path)
        self.disk = None
        good = self._write(path)
        self._watch()
        self.opened.emit()
        return good

    def go_on(self, kept: kepttext.KeptText, file: Path | None = None) -> None:
        """Restore a text that was not saved, and set the current text aside if it is unsaved.

        Args:
            kept: the text.
            file: the file in which another window kept it; from now on it belongs to this window.
        """
        if not self.put_aside():
            return
        before = ""
        if kept.path is not None and is_there(kept.path):
            try:
                before = read_source(kept.path)
            except LydianError:
                before = ""
        self.put(before or kept.text, kept.path)
        if before:
            self.document.replace(kept.text, "")
        else:
            self.disk = None
            self.document.text.setModified(True)
        if file is not None and self.keep():
            self.settings.kept.forget(file)
        self._edited()

    # ------------------------------------------------------------------ saving

    def save(self) -> bool:
        """Write the text to its file, or to a new one in the user's folder."""
        document = self.document
        if document.read_only:
            return True
        if document.path is None:
            document.move(self._free(document.name, document.source))
            self._watch()
        assert document.path is not None
        there = self._there()
        if there is not None and self.disk is not None and there != self.disk and there != document.for_file():
            self.conflict.emit(there)
            return False
        return self._write(document.path)

    def save_as(self) -> bool:
        """Ask for a file and save the text to it."""
        document = self.document
        start = document.path if document.path is not None else self._free(document.name, document.source)
        if self.document.read_only:
            start = self.folder / start.name
        name, _kind = QFileDialog.getSaveFileName(
            self.window, tr("Save the protocol"), str(start), tr("Protocols (*.py)")
        )
        return bool(name) and self.save_to(Path(name).with_suffix(".py"))

    def save_to(self, path: Path) -> bool:
        """Save the text to a file, which becomes the file of the text."""
        path = path.absolute()
        if self.is_library(path):
            self._say(tr("{file} belongs to the library, which must not be changed; choose another folder.", file=path))
            return False
        if not self._write(path):
            return False
        self.document.move(path)
        self._watch()
        return True

    def rename(self, name: str) -> bool:
        """Rename the file within its folder, together with its kept runs."""
        from lydian.model.archive.kepttests import file_of_tests

        old = self.document.path
        stem = name.strip().removesuffix(".py")
        suffix = ".py" if old is None or not old.is_dir() else ""
        if old is None or self.document.read_only or not stem or stem == old.stem:
            return False
        if any(sign in stem for sign in '/\\:*?"<>|\0') or stem.startswith("."):
            self._say(
                tr('The file name {file} must not begin with a full stop or contain / \\ : * ? " < > or |.', file=stem)
            )
            return False
        new = old.with_name(f"{stem}{suffix}")
        if new.exists():
            self._say(
                tr("A file {file} already exists in {folder}; choose another name.", file=new.name, folder=new.parent)
            )
            return False
        try:
            if old.exists():
                old.rename(new)
            if file_of_tests(old).is_file():
                file_of_tests(old).rename(file_of_tests(new))
        except OSError as error:
            self._say(tr("{file} cannot be renamed: {reason}", file=old, reason=error.strerror or error))
            return False
        self.document.move(new)
        self._watch()
        self._remember(new)
        self._say(tr("Renamed to {file}.", file=new.name), False)
        return True

    def _write(self, path: Path) -> bool:
        text = self.document.for_file()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_source(path, text)
        except (LydianError, OSError) as error:
            self.said.emit(f"{error}", True, tr("Save elsewhere…"), self.save_as)
            return False
        self.disk = text
        if path.is_dir():
            self._follow(path, text)
        self.document.saved()
        self._watch()
        self._forget()
        self._remember(path)
        Trust(self.settings, self.shelf.archive).accept([path])  # the user's own protocols may run
        self.written.emit()
        return True

    def _follow(self, folder: Path, text: str) -> None:
        """Update the text after a save to a folder, since the order of its files follows their imports."""
        try:
            self.disk = read_source(folder)
        except LydianError:
            return
        if files_of(self.disk).keys() >= files_of(text).keys():  # a new file may not yet be imported
            self.document.replace(self.disk, "")

    def _free(self, name: str, source: str) -> Path:
        """Return an unused path in the user's folder, for a file, or for a folder if the text is one."""
        stem = Path(name).stem or "protocol"
        names = (self.folder / each for each in (stem, *(f"{stem}_{i}" for i in range(2, 10_000))))
        free = next(each for each in names if not each.exists() and not each.with_name(f"{each.name}.py").exists())
        return free if files_of(source) else free.with_name(f"{free.name}.py")

    # ------------------------------------------------------------------ copies of the library

    def _edited(self) -> None:
        if self.document.read_only and not self._copying:
            self.make_copy()
        if not self._keep.isActive():  # the text is kept even if the user types without a pause
            self._keep.start()

    def make_copy(self) -> None:
        """Copy the text to a file in the user's folder; the file from the library stays unchanged."""
        original = self.document.path
        if original is None or not self.document.read_only:
            return
        self._copying = True
        try:
            path = self._free(f"my_{original.stem.removeprefix('my_')}", self.document.source)
            self.document.move(path)
            self.disk = None
            self.originals[str(path)] = str(original)
            self.settings.set_record("protocol_originals", dict(list(self.originals.items())[-200:]))
            self._write(path)
        finally:
            self._copying = False
        self.copied.emit(original)

    @property
    def original(self) -> Path | None:
        """The library's protocol of which this one is a copy."""
        found = self.originals.get(str(self.document.path)) if self.document.path is not None else None
        return Path(found) if found is not None and is_there(Path(found)) else None

    # ------------------------------------------------------------------ other editors

    def _watch(self) -> None:
        """Watch the file and its folder, because many editors replace the file by a new one."""
        path = self.document.path
        files = [] if path is None or not path.is_dir() else sorted(path.glob("*.py"))
        wanted = [] if path is None else [str(each) for each in (path, path.parent, *files) if each.exists()]
        now = [*self.watcher.files(), *self.watcher.directories()]
        if gone := [each for each in now if each not in wanted]:
            self.watcher.removePaths(gone)
        if new := [each for each in wanted if each not in now]:
            self.watcher.addPaths(new)

    def _there(self) -> str | None:
        """Return the current text of the file, or ``None`` if it cannot be read."""
        path = self.document.path
        if path is None:
            return None
        try:
            if path.is_dir():
                return read_source(path)
            if path.stat().st_size > MOST_BYTES:
                return None
            with path.open(encoding="utf-8-sig", newline="") as stream:
                return stream.read()
        except (LydianError, OSError, ValueError):
            return None

    def look(self) -> None:
        """Check whether another program has changed the file."""
        self._watch()
        there, document = self._there(), self.document
        if there is None or there == self.disk:
            return
        if there == document.for_file():
            self.disk = there
            document.saved()
            self._forget()
        elif not document.modified or document.read_only:
            self.take(there)
        else:
            self.conflict.emit(there)

    def take(self, theirs: str) -> None:
        """Replace the text by that of the file; Undo restores the old text."""
        self.disk = theirs
        self._copying = True  # a change of the library's own file makes no copy
        try:
            self.document.replace(theirs, "")
        finally:
            self._copying = False
        self.document.saved()
        self._forget()
        self.reloaded.emit()

    def keep_mine(self, theirs: str) -> bool:
        """Set the text of the file aside and write the current text to the file."""
        path = self.document.path
        if path is None:
            return False
        try:
            kepttext.put_aside(kepttext.KeptText(theirs, path, path.name), self._aside)
        except (LydianError, OSError) as error:
            self._say(tr("The text of the file could not be set aside, so nothing was written: {reason}", reason=error))
            return False
        self.disk = theirs
        return self._write(path)

    # ------------------------------------------------------------------ keeping unsaved text

    @property
    def keep_file(self) -> Path:
        """The file in which unsaved text is kept."""
        return self.settings.kept.place(kepttext.FILE)

    @property
    def _aside(self) -> Path:
        return self.settings.file.parent / "unsaved"

    def _kept(self) -> kepttext.KeptText:
        return kepttext.KeptText(self.document.for_file(), self.document.path, self.document.name)

    def keep(self) -> bool:
        """Write unsaved text to a file beside the settings; return False if it cannot be written."""
        self._keep.stop()
        if not self.document.modified or not self.document.source.strip():
            self._forget()
            return True
        try:
            kepttext.write(self.keep_file, self._kept())
        except (LydianError, OSError) as error:
            self._say(tr("The unsaved text cannot be kept for the next start of LYDIAN: {reason}", reason=error))
            return False
        return True

    def _forget(self) -> None:
        self._keep.stop()
        kepttext.forget(self.keep_file)

    def put_aside(self) -> bool:
        """Set unsaved text aside, from where it can be restored, before another text is loaded.

        Returns:
            False, after reporting the error, if the text cannot be written and so must stay open.
        """
        if not self.document.modified or not self.document.source.strip():
            return True
        kept = self._kept()
        try:
            file = kepttext.put_aside(kept, self._aside)
        except (LydianError, OSError) as error:
            why = f"{self._aside}: {error.strerror or error}" if isinstance(error, OSError) else error
            self._say(
                tr(
                    "{file} is not saved and cannot be set aside ({reason}), so it stays open; save it first.",
                    file=kept.name,
                    reason=why,
                )
            )
            return False
        words = tr("{protocol} was not saved; its text is kept in {file}.", protocol=kept.name, file=file)
        self.said.emit(words, False, tr("Reopen"), lambda: self.go_on(kept))
        return True

    # ------------------------------------------------------------------ recent files

    def recent(self) -> list[Path]:
        """Return the protocols opened recently, the latest first, without those that no longer exist."""
        names = self.settings.record("protocol_recent").get("files", [])
        paths = [Path(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []
        return [path for path in paths if is_there(path)]

    def _remember(self, path: Path) -> None:
        names = [str(path), *(str(each) for each in self.recent() if each != path)]
        self.settings.set_record("protocol_recent", {"files": names[:MOST_RECENT]})

    # ------------------------------------------------------------------ closing

    def close(self) -> None:
        """Keep unsaved text and end every timer and watcher."""
        self.keep()
        self._settle.stop()
        if paths := [*self.watcher.files(), *self.watcher.directories()]:
            self.watcher.removePaths(paths)

    def _say(self, sentence: str, problem: bool = True) -> None:
        self.said.emit(sentence, problem, "", None)
