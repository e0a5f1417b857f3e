"""The unsaved work of one window, in a folder of its own beside the settings, so that a crash does not take it.

Each window writes into its own folder below ``kept`` and holds a lock there as long as it is open; the system releases
the lock when the program ends in whatever way.  A folder without a living window holds what that window left: the next
start offers it, and nothing but an answer to the offer deletes it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["KeptFolder"]

_LOCK = "window.lock"
#: Takes a lock with a file and returns what releases it; ``None`` if a program that runs has it.
Lock = Callable[[Path], Callable[[], object] | None]


class KeptFolder:
    """Where one window keeps unsaved work, and what windows that have ended left.

    Args:
        home: the folder of the settings; earlier versions of the program kept such files directly in it.
        lock: takes the lock of a folder.
    """

    def __init__(self, home: Path, lock: Lock) -> None:
        self.home = home
        self._own: Path | None = None
        self._take_lock = lock
        self._locks: dict[Path, Callable[[], object]] = {}

    def place(self, name: str) -> Path:
        """Return where this window keeps a file of that name; its folder is made at the first call.

        Where it cannot be made, writing to the place fails with the reason.
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
        """Return the files of that name left by windows that have ended, the latest first.

        No other window is offered them as long as this one is open.
        """
        found = [file for file in (self.home / name,) if file.is_file()]
        others = (file for file in self.home.glob(f"kept/window-*/{name}") if file.parent != self._own)
        found.extend(file for file in others if file.is_file() and self._lock(file.parent))
        return sorted(found, key=_age)

    def take(self, file: Path) -> Path:
        """Make a file that another window left this window's own.

        Raises:
            OSError: it cannot be moved; it stays where it is.
        """
        return self._leave(file, file.replace(self.place(file.name)))

    def forget(self, file: Path) -> None:
        """Delete a file, and its folder if nothing is left in it."""
        try:
            file.unlink(missing_ok=True)
        except OSError:
            return
        self._leave(file, file)

    def close(self) -> None:
        """Let the next start have what is still here."""
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
            pass  # something is kept there


def _only_lock(folder: Path) -> bool:
    return all(entry.name == _LOCK for entry in folder.iterdir())


def _age(file: Path) -> float:
    try:
        return -file.stat().st_mtime
    except OSError:
        return 0.0
