"""The unsaved work of one window, in a folder of its own beside the settings, so that it survives a crash.

Each window writes to its own folder below ``kept`` and holds a lock there while it is open; the system releases the
lock however the program ends. A folder without a lock contains the work that a closed window left: the program offers
it at its next start, and only an answer to the offer deletes it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["KeptFolder"]

_LOCK = "window.lock"
#: Locks a file and returns a function that releases the lock, or ``None`` if a running program holds the lock.
Lock = Callable[[Path], Callable[[], object] | None]


class KeptFolder:
    """The folder for the unsaved work of one window, with access to the folders that closed windows left.

    Args:
        home: the folder of the settings; earlier versions of the program kept such files directly in it.
        lock: locks a folder.
    """

    def __init__(self, home: Path, lock: Lock) -> None:
        self.home = home
        self._own: Path | None = None
        self._take_lock = lock
        self._locks: dict[Path, Callable[[], object]] = {}

    def place(self, name: str) -> Path:
        """Return the path at which this window keeps a file of that name; create the folder at the first call.

        If the folder cannot be created, writing to the path fails with the reason.
        """
        if self._own is None or self._own not in self._locks:
            above = self.home / "kept"
            try:
                above.mkdir(parents=True, exist_ok=True)
                self._own = Path(tempfile.mkdtemp(prefix="window-", dir=above))
            except OSError:
                return above / name
            self._lock(self._own)
        return self._own / name

    def left(self, name: str) -> list[Path]:
        """Return the files of that name that closed windows left, the latest first.

        No other window is offered them while this one is open.
        """
        found = [file for file in (self.home / name,) if file.is_file()]
        others = (file for file in self.home.glob(f"kept/window-*/{name}") if file.parent != self._own)
        found.extend(file for file in others if file.is_file() and self._lock(file.parent))
        return sorted(found, key=_age)

    def take(self, file: Path) -> Path:
        """Move a file that another window left to this window's folder.

        Raises:
            OSError: the file cannot be moved and stays where it is.
        """
        return self._leave(file, file.replace(self.place(file.name)))

    def forget(self, file: Path) -> None:
        """Delete a file, and its folder if that is then empty."""
        try:
            file.unlink(missing_ok=True)
        except OSError:
            return
        self._leave(file, file)

    def close(self) -> None:
        """Release the locks, so that the next start offers the files that remain."""
        for folder in list(self._locks):
            self._release(folder)

    def _leave(self, file: Path, now: Path) -> Path:
        if file.parent != self._own and file.parent in self._locks and _only_lock(file.parent):
            self._release(file.parent)
        return now

    def _lock(self, folder: Path) -> bool:
        if folder in self._locks:
            return True
        release = self._take_lock(folder / _LOCK)
        if release is None:
            return False
        self._locks[folder] = release
        return True

    def _release(self, folder: Path) -> None:
        self._locks.pop(folder)()
        try:
            folder.rmdir()
        except OSError:
            pass  # the folder is not empty


def _only_lock(folder: Path) -> bool:
    return all(entry.name == _LOCK for entry in folder.iterdir())


def _age(file: Path) -> float:
    try:
        return -file.stat().st_mtime
    except OSError:
        return 0.0
