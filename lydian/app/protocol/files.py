"""The file of the protocol on the desk: opened, saved, copied from the library, and watched while it is open.

A protocol that is a folder is one text here, with a line above each of its files (:mod:`lydian.model.protocol.folder`).

Whoever saves it in another editor is heard at once.  If both sides changed, nobody's text is lost: the user chooses.
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
from lydian.model.errors import LydianError
from lydian.model.protocol.folder import MOST_BYTES, files_of, is_there, read_source, root_of, write_source

__all__ = ["KEEP", "ProtocolFiles"]

#: Milliseconds after an edit at which the text is kept for a next start.
KEEP = 1000
#: Milliseconds that are waited after a sign of a change: editors write in several steps.
SETTLE = 80
#: So many files are remembered.
MOST_RECENT = 12


class ProtocolFiles(QObject):
    """Where the text comes from and goes to."""

    #: A sentence, whether it is a problem, what a button says, and what it does (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Another text is on the desk.
    opened = Signal()
    #: The file was changed by somebody else, and the text follows it.
    reloaded = Signal()
    #: The file and the text have both changed: the text in the file.
    conflict = Signal(str)
    #: A copy of a library's protocol was made: the original.
    copied = Signal(object)
    #: The text was written to its file.
    written = Signal()

    def __init__(self, document: ProtocolDocument, shelf: ArchiveList, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.document, self.shelf, self.settings, self.window = document, shelf, settings, parent
        self.originals: dict[str, str] = dict(settings.record("protocol_originals"))
        self.disk: str | None = None  # the text in the file, as we know it
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
        """Where protocols of the user's own lie."""
        user = self.shelf.archive.user
        return (user if user is not None else Path(self.settings.folder)) / "protocols"

    def is_library(self, path: Path) -> bool:
        """Whether a file came with the program or another package, so that it stays as it is."""
        return self.shelf.archive.installed(path)

    def choose(self) -> None:
        """Ask for a protocol, and open it."""
        start = self.document.path.parent if self.document.path is not None else self.folder
        start = start if start.is_dir() else Path(self.settings.folder)
        name, _kind = QFileDialog.getOpenFileName(
            self.window, "Open a protocol", str(start), "Protocols (*.py);;All files (*)"
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Put a protocol on the desk; what was there unsaved is set aside.  False, and a sentence, if it cannot be."""
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
        """A text, and the file that holds exactly it."""
        self.disk = None if path is None else text
        self.document.load(text, path, read_only=path is not None and self.is_library(path))
        self._watch()
        self._forget()
        if path is not None:
            self._remember(path)
        self.opened.emit()

    def new(self, source: str, name: str) -> bool:
        """What the wizard has written gets a file in the user's folder, and comes to the desk."""
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
        """Bring back a text that was not saved; what is on the desk unsaved is set aside.

        Args:
            kept: the text.
            file: where another window left it; it is this window's own from now on.
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
        """Write the text to its file; without one it gets one in the user's folder."""
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
        """Ask where, and save it there."""
        document = self.document
        start = document.path if document.path is not None else self._free(document.name, document.source)
        if self.document.read_only:
            start = self.folder / start.name
        name, _kind = QFileDialog.getSaveFileName(self.window, "Save the protocol", str(start), "Protocols (*.py)")
        return bool(name) and self.save_to(Path(name).with_suffix(".py"))

    def save_to(self, path: Path) -> bool:
        """Save the text in a file that is its own from now on."""
        path = path.absolute()
        if self.is_library(path):
            self._say(f"{path} belongs to the library, which stays as it is; choose another folder.")
            return False
        if not self._write(path):
            return False
        self.document.move(path)
        self._watch()
        return True

    def rename(self, name: str) -> bool:
        """Give the file another name in its folder; its kept runs go along."""
        from lydian.model.archive.kepttests import file_of_tests

        old = self.document.path
        stem = name.strip().removesuffix(".py")
        suffix = ".py" if old is None or not old.is_dir() else ""
        if old is None or self.document.read_only or not stem or stem == old.stem:
            return False
        if any(sign in stem for sign in '/\\:*?"<>|\0') or stem.startswith("."):
            self._say(f'A file cannot be called {stem}: leave out / \\ : * ? " < > and |.')
            return False
        new = old.with_name(f"{stem}{suffix}")
        if new.exists():
            self._say(f"There is a {new.name} in {new.parent} already; choose another name.")
            return False
        try:
            if old.exists():
                old.rename(new)
            if file_of_tests(old).is_file():
                file_of_tests(old).rename(file_of_tests(new))
        except OSError as error:
            self._say(f"{old} cannot be renamed: {error.strerror or error}")
            return False
        self.document.move(new)
        self._watch()
        self._remember(new)
        self._say(f"It is called {new.name} now.", False)
        return True

    def _write(self, path: Path) -> bool:
        text = self.document.for_file()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_source(path, text)
        except (LydianError, OSError) as error:
            self.said.emit(f"{error}", True, "Save elsewhere…", self.save_as)
            return False
        self.disk = text
        if path.is_dir():
            self._follow(path, text)
        self.document.saved()
        self._watch()
        self._forget()
        self._remember(path)
        Trust(self.settings, self.shelf.archive).accept([path])  # what one writes oneself may run
        self.written.emit()
        return True

    def _follow(self, folder: Path, text: str) -> None:
        """What was written into the files of a folder, in the order in which they import each other now."""
        try:
            self.disk = read_source(folder)
        except LydianError:
            return
        if files_of(self.disk).keys() >= files_of(text).keys():  # a new file may not be imported yet
            self.document.replace(self.disk, "")

    def _free(self, name: str, source: str) -> Path:
        """A name in the user's folder that nothing has yet, for a file, or for a folder if the text is one."""
        stem = Path(name).stem or "protocol"
        names = (self.folder / each for each in (stem, *(f"{stem}_{i}" for i in range(2, 10_000))))
        free = next(each for each in names if not each.exists() and not each.with_name(f"{each.name}.py").exists())
        return free if files_of(source) else free.with_name(f"{free.name}.py")

    # ------------------------------------------------------------------ copies of the library

    def _edited(self) -> None:
        if self.document.read_only and not self._copying:
            self.make_copy()
        if not self._keep.isActive():  # who types without a pause is not to wait for one
            self._keep.start()

    def make_copy(self) -> None:
        """The text becomes the user's own, in a file of his folder; the library keeps its own."""
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
        """The library's protocol that this one is a copy of."""
        found = self.originals.get(str(self.document.path)) if self.document.path is not None else None
        return Path(found) if found is not None and is_there(Path(found)) else None

    # ------------------------------------------------------------------ other editors

    def _watch(self) -> None:
        """Listen to the file, and to its folder: many editors put a new file in its place."""
        path = self.document.path
        files = [] if path is None or not path.is_dir() else sorted(path.glob("*.py"))
        wanted = [] if path is None else [str(each) for each in (path, path.parent, *files) if each.exists()]
        now = [*self.watcher.files(), *self.watcher.directories()]
        if gone := [each for each in now if each not in wanted]:
            self.watcher.removePaths(gone)
        if new := [each for each in wanted if each not in now]:
            self.watcher.addPaths(new)

    def _there(self) -> str | None:
        """The text in the file now, ``None`` if it cannot be read."""
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
        """Look whether somebody else has changed the file."""
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
        """The text of the file takes the place of ours, which is one step back away."""
        self.disk = theirs
        self._copying = True  # what the library itself changes makes no copy
        try:
            self.document.replace(theirs, "")
        finally:
            self._copying = False
        self.document.saved()
        self._forget()
        self.reloaded.emit()

    def keep_mine(self, theirs: str) -> bool:
        """Our text takes the place of that of the file, which is set aside first."""
        path = self.document.path
        if path is None:
            return False
        try:
            kepttext.put_aside(kepttext.KeptText(theirs, path, path.name), self._aside)
        except (LydianError, OSError) as error:
            self._say(f"The text of the file could not be set aside, so nothing was written: {error}")
            return False
        self.disk = theirs
        return self._write(path)

    # ------------------------------------------------------------------ nothing that was typed is lost

    @property
    def keep_file(self) -> Path:
        """Where unsaved text is kept."""
        return self.settings.kept.place(kepttext.FILE)

    @property
    def _aside(self) -> Path:
        return self.settings.file.parent / "unsaved"

    def _kept(self) -> kepttext.KeptText:
        return kepttext.KeptText(self.document.for_file(), self.document.path, self.document.name)

    def keep(self) -> bool:
        """Write unsaved text down beside the settings; return False if it cannot be written."""
        self._keep.stop()
        if not self.document.modified or not self.document.source.strip():
            self._forget()
            return True
        try:
            kepttext.write(self.keep_file, self._kept())
        except (LydianError, OSError) as error:
            self._say(f"What you type cannot be kept for the next start: {error}")
            return False
        return True

    def _forget(self) -> None:
        self._keep.stop()
        kepttext.forget(self.keep_file)

    def put_aside(self) -> bool:
        """Another text comes to the desk: what is not saved is set aside, and can be had back.

        Returns:
            False, and a sentence, if it cannot be written: then it has to stay on the desk.
        """
        if not self.document.modified or not self.document.source.strip():
            return True
        kept = self._kept()
        try:
            file = kepttext.put_aside(kept, self._aside)
        except (LydianError, OSError) as error:
            why = f"{self._aside}: {error.strerror or error}" if isinstance(error, OSError) else error
            self._say(f"{kept.name} is not saved and cannot be set aside ({why}), so it stays here; save it first.")
            return False
        words = f"{kept.name} was not saved; its text is kept in {file}."
        self.said.emit(words, False, "Go back to it", lambda: self.go_on(kept))
        return True

    # ------------------------------------------------------------------ recent files

    def recent(self) -> list[Path]:
        """The protocols that were on the desk, the latest first; those that are gone are left out."""
        names = self.settings.record("protocol_recent").get("files", [])
        paths = [Path(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []
        return [path for path in paths if is_there(path)]

    def _remember(self, path: Path) -> None:
        names = [str(path), *(str(each) for each in self.recent() if each != path)]
        self.settings.set_record("protocol_recent", {"files": names[:MOST_RECENT]})

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """Keep what is not saved; leave no timer and no watcher."""
        self.keep()
        self._settle.stop()
        if paths := [*self.watcher.files(), *self.watcher.directories()]:
            self.watcher.removePaths(paths)

    def _say(self, sentence: str, problem: bool = True) -> None:
        self.said.emit(sentence, problem, "", None)
