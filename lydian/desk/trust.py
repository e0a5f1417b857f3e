"""Whose code a window may run without asking.

An experiment's file is data, but it names a protocol, and to run it is to execute that.  The library's protocols, those
in the user's own folder and what was written in the window run at once.  Any other file waits until somebody has said
that it may run; that is remembered for the file, and for its text wherever it is found.  A protocol that is a folder
counts as one file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lydian.model.archive.shelves import looks_like_path
from lydian.model.errors import LydianError
from lydian.model.protocol.folder import is_there, read_source

if TYPE_CHECKING:
    from lydian.model.archive.archive import Archive
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Trust"]

_KEY = "may run"
#: Files that are remembered, the latest last.
_MOST = 500


class Kept(Protocol):
    """Where it is remembered: :class:`lydian.app.work.settings.Settings`."""

    def record(self, key: str) -> dict[str, Any]: ...

    def set_record(self, key: str, record: dict[str, Any]) -> None: ...


class Trust:
    """Whose code may run.

    Args:
        kept: where it is remembered what was accepted.
        archive: its files, which are installed or the user's own, need no word.
    """

    def __init__(self, kept: Kept, archive: Archive) -> None:
        self._kept, self._archive = kept, archive

    def strange(self, experiment: Experiment) -> list[Path]:
        """The files of code that an experiment names and nobody has accepted; those that do not exist are left out."""
        found = [self._found("protocols", experiment.protocol_ref)]
        if experiment.animation is not None and looks_like_path(experiment.animation, "animations") is not None:
            found.append(self._found("animations", experiment._located(experiment.animation, "animations")))
        return [path for path in dict.fromkeys(found) if path is not None and not self.trusts(path)]

    def trusts(self, path: Path) -> bool:
        """Whether a file of code may run."""
        path = path.resolve()
        user = self._archive.user  # what was handed in lies in the user's folder as well, on no shelf of the archive
        own = [] if user is None else [user / shelf for shelf in ("protocols", "animations")]
        roots = [self._archive.ours, *self._archive.others, *own]
        if any(root.resolve() in path.parents for root in roots):
            return True
        known = self._kept.record(_KEY)
        return str(path) in known or _digest(path) in known.values()

    def accept(self, paths: Iterable[Path]) -> None:
        """These files may run from now on."""
        known = self._kept.record(_KEY)
        for path in paths:
            known.pop(str(path.resolve()), None)
            known[str(path.resolve())] = _digest(path)
        self._kept.set_record(_KEY, dict(list(known.items())[-_MOST:]))

    def _found(self, shelf: str, ref: str | Path) -> Path | None:
        try:
            path = self._archive.find(shelf, ref).resolve()
            return path if is_there(path) else None
        except (LydianError, OSError):
            return None


def _digest(path: Path) -> str:
    try:
        text = read_source(path).encode("utf-8") if path.is_dir() else path.read_bytes()
        return hashlib.sha256(text).hexdigest()
    except (LydianError, OSError):
        return ""
