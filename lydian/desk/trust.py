"""The files of code that a window may run without asking.

An experiment's file is data, but it names a protocol, and running the experiment executes the protocol's code. The
protocols from the archive, those in the user's own folder, and those written in the window run at once. Any other file
waits until the user accepts it; the answer is remembered for the file, and for its text wherever it is found. A
protocol that is a folder counts as one file.
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
#: The number of files that are remembered, the most recent ones last.
_MOST = 500


class Kept(Protocol):
    """The store of accepted files: :class:`lydian.app.work.settings.Settings`."""

    def record(self, key: str) -> dict[str, Any]: ...

    def set_record(self, key: str, record: dict[str, Any]) -> None: ...


class Trust:
    """The record of code that may run.

    Args:
        kept: the store of the files that the user has accepted.
        archive: the archive, whose files are installed or the user's own and need no permission.
    """

    def __init__(self, kept: Kept, archive: Archive) -> None:
        self._kept, self._archive = kept, archive

    def strange(self, experiment: Experiment) -> list[Path]:
        """Return the files of code that an experiment names and the user has not accepted; skip missing files."""
        found = [self._found("protocols", experiment.protocol_ref)]
        if experiment.animation is not None and looks_like_path(experiment.animation, "animations") is not None:
            found.append(self._found("animations", experiment._located(experiment.animation, "animations")))
        return [path for path in dict.fromkeys(found) if path is not None and not self.trusts(path)]

    def trusts(self, path: Path) -> bool:
        """Return True if a file of code may run."""
        path = path.resolve()
        user = self._archive.user  # the user's folder also contains hand-ins, which are not part of the archive
        own = [] if user is None else [user / shelf for shelf in ("protocols", "animations")]
        roots = [self._archive.ours, *self._archive.others, *own]
        if any(root.resolve() in path.parents for root in roots):
            return True
        known = self._kept.record(_KEY)
        return str(path) in known or _digest(path) in known.values()

    def accept(self, paths: Iterable[Path]) -> None:
        """Allow files of code to run from now on."""
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
