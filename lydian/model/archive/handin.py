"""A hand-in: one file that contains an experiment with its protocol, its network and a run of it.

It is a ZIP archive whose name ends in ``.lydian``, and that has no folders:

=================== ====================================================================================
``experiment.toml`` the experiment; it names things of the archive as usual, and everything else by ``./FILE``
``NAME.py``         the text of the protocol, under its name; for a folder, all its files as one text
``NAME.json``       the network
``run.parquet``     the run: a trace
``run.html``        the run as a page that plays and shows the protocol's text, if the run is short enough
``hand-in.json``    ``{"format": 1, "branch": 0}``: the branch of the experiment to which the run belongs
=================== ====================================================================================

When it is opened, its files are put into a folder of the user, and nothing is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lydian.model.archive.shelves import user_folder
from lydian.model.errors import BadInput

__all__ = ["SUFFIX", "HandIn", "is_hand_in", "pack", "unpack"]

#: The file extension of hand-ins.
SUFFIX = ".lydian"
#: The largest number of files in a hand-in, and their largest total size in bytes when they are unpacked.
MOST_FILES, MOST_BYTES = 16, 1_000_000_000
_EXPERIMENT, _RUN, _ABOUT = "experiment.toml", "run.parquet", "hand-in.json"
_KNOWN = (".toml", ".py", ".json", ".parquet", ".html")


@dataclass(frozen=True)
class HandIn:
    """A hand-in that has been unpacked.

    Attributes:
        folder: the folder that now contains its files.
        branch: the branch of the experiment to which its run belongs, as the hand-in states.
    """

    folder: Path
    branch: int = 0

    @property
    def experiment(self) -> Path:
        """The file of the experiment, which names the other files in the folder."""
        return self.folder / _EXPERIMENT

    @property
    def run(self) -> Path:
        """The file of the trace."""
        return self.folder / _RUN


def is_hand_in(path: Path | str) -> bool:
    """Return True if a file is a hand-in, judging by its content."""
    try:
        path = Path(path)
        if not path.is_file():  # opening a pipe may block for ever
            return False
        with path.open("rb") as stream:
            if stream.read(4) != b"PK\x03\x04":
                return False
        with zipfile.ZipFile(path) as whole:
            return _EXPERIMENT in whole.namelist()
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return False


def pack(path: Path | str, experiment: str, files: Mapping[str, bytes | Path], branch: int = 0) -> None:
    """Write a hand-in, completely or not at all.

    Args:
        path: the path of the new file.
        experiment: the text of the experiment's file.
        files: the files that it names, ``run.parquet``, and optionally ``run.html``.
        branch: the branch of the experiment to which the run belongs.

    Raises:
        BadInput: the file cannot be written.
    """
    path, name = Path(path), ""
    if path.is_dir():
        raise BadInput("is a folder; a hand-in needs the name of a file", file=path)
    texts = {_EXPERIMENT: experiment, _ABOUT: json.dumps({"format": 1, "branch": branch})}
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(number, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as whole:
            for each, data in {**{key: text.encode("utf-8") for key, text in texts.items()}, **files}.items():
                if isinstance(data, Path):
                    whole.write(data, each, zipfile.ZIP_STORED)
                else:
                    whole.writestr(each, data)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
        name = ""
    except OSError as error:
        what = f"cannot be written ({(error.strerror or str(error)).lower()}); choose a file in a writable folder"
        raise BadInput(what, file=path) from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)


def unpack(path: Path | str) -> HandIn:
    """Put the files of a hand-in into a folder of the user, without running anything.

    The same hand-in is put into the same folder, unless a file there has been changed: then a new folder is used.

    Raises:
        BadInput: the file is not a hand-in, or its files cannot be written.
    """
    path = Path(path)
    try:
        files = _files(path)
        folder = _folder(path, files)
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            if not (folder / name).is_file():
                (folder / name).write_bytes(data)
        branch = json.loads(files.get(_ABOUT, b"{}")).get("branch", 0)
    except zipfile.BadZipFile:
        raise BadInput("is a damaged or incomplete ZIP archive; ask for the file again", file=path) from None
    except (OSError, ValueError, AttributeError, NotImplementedError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"cannot be unpacked ({reason[:1].lower()}{reason[1:]})", file=path) from None
    return HandIn(folder, branch if isinstance(branch, int) else 0)


def _files(path: Path) -> dict[str, bytes]:
    """Return the contents of the files in a hand-in, by name.

    Raises:
        BadInput: it contains files that a hand-in cannot contain, or too much data.
    """
    with zipfile.ZipFile(path) as whole:
        entries = whole.infolist()
        if _EXPERIMENT not in whole.namelist() or _RUN not in whole.namelist():
            raise BadInput(f"is not a hand-in; it must contain {_EXPERIMENT} and {_RUN}", file=path)
        if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
            what = f"is too large; a hand-in must have at most {MOST_FILES} files of {MOST_BYTES / 1e6:g} MB together"
            raise BadInput(what, file=path)
        for entry in entries:
            name = entry.filename
            if not re.fullmatch(r"[^\W_][\w .+-]*", name) or Path(name).suffix not in _KNOWN:
                what = f"contains {name!r}, but the files of a hand-in must end in {', '.join(_KNOWN)}"
                raise BadInput(what, file=path)
        return {entry.filename: whole.read(entry) for entry in entries}


def _folder(path: Path, files: Mapping[str, bytes]) -> Path:
    """Return the first folder for a hand-in that does not exist yet, or that contains it unchanged."""
    digest = hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest()[:8]
    home = user_folder()
    above = Path(tempfile.mkdtemp(prefix="lydian-")) if home is None else home / "hand-ins"
    stem = re.sub(r"[^\w.-]+", "-", path.stem)[:60].strip(".-") or "hand-in"
    names = (f"{stem}-{digest}", *(f"{stem}-{digest}-{i}" for i in range(2, 10_000)))
    return next(above / name for name in names if _same(above / name, files))


def _same(folder: Path, files: Mapping[str, bytes]) -> bool:
    return all(not (folder / name).exists() or (folder / name).read_bytes() == data for name, data in files.items())
