"""The cached pictures and runs of the archive, and the names of their files.

A name depends on everything that the run and its picture depend on, so cached files never become wrong; the least
recently used ones are deleted when there are too many.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from lydian import __version__
from lydian.model.archive.archive import Archive
from lydian.model.archive.catalogue import Entry
from lydian.model.archive.trials import Trial
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment, to_dict

__all__ = ["MOST", "Wish", "folder", "keep_used", "prune", "wish_for", "wish_for_experiment"]

#: The number of files that are kept.
MOST = 600
#: A number to change when pictures are drawn differently.
_FORM = "1"


@dataclass(frozen=True)
class Wish:
    """A protocol or an experiment whose run and picture are wanted as files.

    Attributes:
        experiment: the experiment's file, ``None`` if any network that suits the protocol will do.
        given: the experiment itself as JSON, if it has no file of its own; names of files in it are relative to the
            folder of ``experiment``.
        look: name of the theme.
        run, picture: the files.
    """

    name: str
    protocol: Path
    experiment: Path | None
    look: str
    run: Path
    picture: Path
    given: str = ""

    @property
    def there(self) -> bool:
        """Whether both files exist."""
        return self.run.is_file() and self.picture.is_file()


def folder() -> Path:
    """Return the user's cache folder; a temporary folder if that is not writable."""
    home = os.environ.get("LYDIAN_HOME")
    if home:
        place = Path(home) / "cache" / "archive"
    else:
        kind = QStandardPaths.StandardLocation.GenericCacheLocation
        place = Path(QStandardPaths.writableLocation(kind) or tempfile.gettempdir()) / "lydian" / "archive"
    try:
        place.mkdir(parents=True, exist_ok=True)
        if os.access(place, os.W_OK):
            return place
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="lydian-archive-"))


def wish_for(entry: Entry, look: str, place: Path, shelves: Archive, trial: Trial | None = None) -> Wish:
    """Return the wish for an entry, after reading the files that it depends on.

    Args:
        trial: the experiment of the run and the picture; by default the one that shows the protocol best.
    """
    first = trial or entry.first or next(iter(entry.experiments), None)
    return _wish(
        entry.name, entry.name, entry.path, None if first is None else first.path,
        "" if first is None else first.network, "", look, place, shelves,
    )  # fmt: skip


def wish_for_experiment(name: str, experiment: Experiment, look: str, place: Path, shelves: Archive) -> Wish | None:
    """Return the wish for an experiment that need not have a file; ``None`` if its protocol is missing.

    Args:
        name: the name of the files of the wish.
    """
    try:
        protocol = shelves.find("protocols", experiment.protocol)
    except LydianError:
        return None
    network = experiment.network if isinstance(experiment.network, str) else ""
    stem, given = Path(experiment.protocol).stem, json.dumps(to_dict(experiment))
    return _wish(name, stem, protocol, experiment.path, network, given, look, place, shelves)


def _wish(
    name: str, animation: str, protocol: Path, experiment: Path | None, network: str, given: str, look: str,
    place: Path, shelves: Archive,
) -> Wish:  # fmt: skip
    files = [protocol, None if given else experiment]
    if network and ":" not in network and "/" not in network:
        files += [root / "networks" / f"{network}.json" for root in shelves.roots]
    run = _digest([_FORM, __version__, name, *([given] if given else [])], files)
    drawn = _digest([run, look], [root / "animations" / f"{animation}.py" for root in shelves.roots])
    return Wish(name, protocol, experiment, look, place / f"{name}-{run}.parquet", place / f"{name}-{drawn}.png", given)


def keep_used(wishes: Iterable[Wish]) -> None:
    """Mark the files of these wishes as used now, so that they are not deleted first."""
    for wish in wishes:
        for file in (wish.run, wish.picture):
            with contextlib.suppress(OSError):
                os.utime(file)


def prune(place: Path) -> None:
    """Delete all but the most recently used files."""
    try:
        files = sorted(
            (file for file in place.iterdir() if file.suffix in (".png", ".parquet")),
            key=lambda file: file.stat().st_mtime,
        )
        for file in files[: max(len(files) - MOST, 0)]:
            file.unlink(missing_ok=True)
    except OSError:
        return


def _digest(parts: list[str], files: list[Path | None]) -> str:
    found = hashlib.sha256("\0".join(parts).encode())
    for file in files:
        try:
            found.update(b"\0" + (b"" if file is None else file.read_bytes()))
        except OSError:
            found.update(b"\0")
    return found.hexdigest()[:20]
