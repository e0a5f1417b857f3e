"""The menu of the files that were opened or saved last, kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from lydian.desk.settings import Settings
from lydian.language import tr

__all__ = ["MOST", "Recent"]

#: The maximum number of remembered files.
MOST = 10
_RECORD = "recent_files"


class Recent:
    """A menu of the latest files, filled each time it is shown; missing files are grey and marked.

    Args:
        menu: the menu.
        settings: the settings that keep the list.
        library: the folder of files that come with the program, which are listed in the archive instead.
        open_file: opens a file.
    """

    def __init__(self, menu: QMenu, settings: Settings, library: Path, open_file: Callable[[Path], object]) -> None:
        self.menu, self.settings, self.library, self._open = menu, settings, library.resolve(), open_file
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self.fill)
        self.fill()

    def files(self) -> list[Path]:
        """Return the files, latest first, including missing ones."""
        names = self.settings.record(_RECORD).get("files", [])
        return [Path(name) for name in names if isinstance(name, str)][:MOST] if isinstance(names, list) else []

    def remember(self, path: Path) -> None:
        """Add a file at the head of the list."""
        path = path.absolute()
        if self.library not in path.resolve().parents:
            self._set([path, *(each for each in self.files() if each != path)])

    def fill(self) -> None:
        """Rebuild the entries."""
        self.menu.clear()
        files = self.files()
        for number, path in enumerate(files, 1):
            there = path.exists()
            name = path.name.replace("&", "&&")
            words = (
                f"&{number % 10}  {name}" if there else tr("&{number}  {file} (missing)", number=number % 10, file=name)
            )
            action = self.menu.addAction(words, partial(self._open, path))
            action.setToolTip(str(path))
            action.setEnabled(there)
        if files:
            self.menu.addSeparator()
            self.menu.addAction(tr("&Clear list"), lambda: self._set([]))
        else:
            self.menu.addAction(tr("No recent files")).setEnabled(False)

    def _set(self, files: list[Path]) -> None:
        self.settings.set_record(_RECORD, {"files": [str(path) for path in files[:MOST]]})
