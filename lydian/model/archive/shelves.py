"""The shelves of the archive: the folders of protocols, networks, experiments and animations, the user's own first.

The user's folder is ``$LYDIAN_HOME``, or ``lydian`` in the standard folder for data of the platform. The folder of
LYDIAN itself is inside the installed package (``lydian/_archive``), or beside it in a clone. The folders of other
installed packages (:mod:`lydian.plugins`) come between the two.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, cast

from lydian.model.errors import MOST_NAMES, BadInput, ProtocolError, did_you_mean, shown
from lydian.model.names import natural
from lydian.model.protocol.folder import is_folder, is_there, read_source, root_of, stamp
from lydian.plugins import folders, ours

if TYPE_CHECKING:
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = [
    "SUFFIXES", "Shelves", "called", "located", "looks_like_path", "our_folder", "shelves", "user_folder", "written",
]  # fmt: skip

#: Shelf of the archive -> the extension of its files.
SUFFIXES = {
    "protocols": ".py", "networks": ".json", "experiments": ".toml", "animations": ".py", "lessons": ".md",
    "goals": ".toml",
}  # fmt: skip
#: Shelf -> the command that lists it.
_LISTS = {
    "protocols": "lydian archive", "networks": "lydian archive", "experiments": "lydian archive",
    "lessons": "lydian lesson",
}  # fmt: skip


@dataclass(frozen=True)
class Shelves:
    """The root folders of the archive, which all have the same layout.

    Args:
        user: the user's folder, or ``None``; it need not exist.
        ours: the folder that comes with LYDIAN.
        others: the folders of other packages.

    A shelf is ``protocols``, ``networks``, ``experiments``, ``animations``, ``lessons`` or ``goals``; its folder is in
    the root folder or in ``resources`` there.
    """

    user: Path | None
    ours: Path
    others: tuple[Path, ...] = ()

    @property
    def roots(self) -> tuple[Path, ...]:
        """The root folders in the order in which they are searched."""
        return (*([] if self.user is None else [self.user]), *self.others, self.ours)

    def installed(self, path: Path) -> bool:
        """Return True if a file came with LYDIAN or another package, so that the user must not change it."""
        return any(root.resolve() in path.resolve().parents for root in (*self.others, self.ours))

    def names(self, shelf: str) -> list[str]:
        """Return the names of everything on a shelf in natural order ("grid-5" before "grid-10"), each name once."""
        suffix = SUFFIXES[shelf]
        found = {
            entry.name.removesuffix(suffix)
            for folder in self._folders(shelf)
            for entry in _entries(folder)
            if not entry.name.startswith((".", "_"))
            and (entry.is_file() if entry.name.endswith(suffix) else shelf == "protocols" and is_folder(Path(entry)))
        }
        return sorted(found, key=natural)

    def find(self, shelf: str, ref: str | Path) -> Path:
        """Return the file that a name or a path refers to, or the folder if the protocol is a folder.

        A text that contains a folder or ends in the extension of the shelf is a path. Any other text is a name, or a
        path if there is no such name and the file exists.

        Raises:
            BadInput: there is no such file; the error lists the names.
        """
        path = looks_like_path(ref, shelf)
        if path is not None:
            return root_of(path) if shelf == "protocols" else path
        name = str(ref)
        candidate = self.named(shelf, name)
        if candidate is not None:
            return candidate
        if name and _is_on(shelf, Path(name)):
            return Path(name)
        raise self._unknown(shelf, name)

    def named(self, shelf: str, name: str) -> Path | None:
        """Return the file of this name on a shelf, or ``None``."""
        if not name:
            return None
        for folder in self._folders(shelf):
            if (path := folder / (name + SUFFIXES[shelf])).is_file():
                return path
            if shelf == "protocols" and is_folder(folder / name):
                return folder / name
        return None

    def protocol(self, ref: str | Path) -> Protocol:
        """Return the protocol of this name or path.

        Raises:
            BadInput: there is no such protocol.
            ProtocolError: its file cannot be used.
        """
        from lydian.model.protocol.protocol import load_protocol

        path = self.find("protocols", ref)
        fits = path.suffix.lower() == ".py" or path.is_dir()
        if fits and path.parent in (self.ours / "protocols", self.ours / "resources" / "protocols"):
            now = stamp(path)
            if now is not None:
                return _loaded(path, now)  # safe: protocols in the archive keep no state in it
        read_source(path)
        if not fits:
            raise ProtocolError("a protocol must be a Python file whose name ends in .py", file=path)
        return load_protocol(path)

    def network(self, ref: str | Path) -> Network:
        """Return the network of this name, path or specification (``grid:5x5``; ``ring`` alone has its default size).

        A path may lead to a file of another program that ``lydian.formats.networks`` can read.

        Raises:
            BadInput: there is no such network, or it cannot be used.
        """
        if isinstance(ref, str) and looks_like_path(ref, "networks") is None:
            from lydian.model.generators import KINDS, from_spec

            if ":" in ref or (not self._holds("networks", ref) and ref in KINDS):
                return from_spec(ref)
        path = self.find("networks", ref)
        if path.suffix.lower() not in ("", ".json"):
            return cast("Network", ours("lydian.formats.networks:read")(path).network)
        from lydian.model.network.netfile import load

        return load(path)

    def _holds(self, shelf: str, name: str) -> bool:
        """Return True if a name is one of :meth:`names`, without listing all of them."""
        return not name.startswith((".", "_")) and self.named(shelf, name) is not None

    def animation_path(self, name: str) -> Path | None:
        """Return the file of the animation of this name, or ``None``."""
        path = looks_like_path(name, "animations")
        if path is not None:
            return path
        candidates = (folder / f"{name}.py" for folder in self._folders("animations"))
        return next((path for path in candidates if path.is_file()), None)

    def _folders(self, shelf: str) -> list[Path]:
        both = [folder for root in self.roots for folder in (root / shelf, root / "resources" / shelf)]
        return [folder for folder in both if folder.is_dir()]

    def _unknown(self, shelf: str, name: str) -> BadInput:
        kind, names = shelf[:-1], self.names(shelf)
        if len(names) > MOST_NAMES and shelf in _LISTS:
            there = f"the command {_LISTS[shelf]} lists all {len(names)}"
        else:
            some = ", ".join(names[:MOST_NAMES]) + (" ..." if len(names) > MOST_NAMES else "")
            there = f"choose from {some}" if names else "the archive has none"
        example = f"or give a path such as ./{name or kind}{SUFFIXES[shelf]}"
        if shelf == "networks":
            example = f"{example} or a kind such as ring:8"
        hint = did_you_mean(name, names, self.names("protocols") if shelf == "experiments" else ())
        return BadInput(f"unknown {kind} {shown(name)} in the archive{hint}; {there}, {example}")


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)


@lru_cache(maxsize=128)
def _loaded(path: Path, _stamp: object) -> Protocol:
    """Return the protocol in a file, which is read again only if the file has changed."""
    from lydian.model.protocol.protocol import load_protocol

    return load_protocol(path)


def shelves() -> Shelves:
    """Return the shelves of this installation and this user."""
    return Shelves(user_folder(), our_folder(), folders())


def our_folder() -> Path:
    """Return the folder of the protocols, networks and resources of this installation: in the wheel, or beside the
    package."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "_archive"
    return inside if inside.is_dir() else package.parent


def user_folder() -> Path | None:
    """Return the user's own folder: ``$LYDIAN_HOME``, or ``lydian`` in the platform's folder for data."""
    chosen = os.environ.get("LYDIAN_HOME")
    if chosen:
        return Path(chosen)
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Application Support"
        else:
            base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    except RuntimeError:  # the home folder is unknown
        return None
    return base / "lydian"


def looks_like_path(ref: str | Path, shelf: str) -> Path | None:
    """Return ``ref`` as a path if it names a folder or has the extension of this shelf; otherwise return ``None``."""
    if isinstance(ref, Path):
        return ref
    if "\0" in ref:
        raise BadInput(f"{shown(ref)} is neither a name nor a path")
    return Path(ref) if ref.endswith(SUFFIXES[shelf]) or "/" in ref or os.sep in ref else None


def located(ref: str, shelf: str, place: Path | None) -> str | Path:
    """Return what an experiment in the file ``place`` refers to, in a form that :meth:`Shelves.find` accepts.

    A relative path starts from the folder of the experiment's file. If the file does not exist there, or a name is
    not in the archive, it is looked up beside the experiment, so that a folder that contains an experiment with its
    protocol and its network can be moved and passed on.

    Args:
        ref: a name, a path, or the specification of a network.
        shelf: the kind of thing: one of the keys of :data:`SUFFIXES`.
        place: the experiment's file; without one, relative paths start from the current folder.
    """
    path = looks_like_path(ref, shelf)
    if place is None or (path is None and shelf == "networks" and ":" in ref):
        return ref if path is None else path
    found = place.parent / (f"{ref}{SUFFIXES[shelf]}" if path is None else path)
    if path is None:
        if shelf == "protocols" and not found.is_file():
            found = place.parent / ref
        return found if _is_on(shelf, found) and shelves().named(shelf, ref) is None else ref
    beside = place.parent / _last(path)
    return beside if not _is_on(shelf, found) and _is_on(shelf, beside) else found


def _is_on(shelf: str, path: Path) -> bool:
    """Return True if a path leads to a file or folder that a shelf can contain."""
    return is_there(path) if shelf == "protocols" else path.is_file()


def _last(path: Path) -> str:
    """Return the last part of a path, which may have been written on Windows."""
    return PureWindowsPath(path).name


def written(ref: str, shelf: str, place: Path | None, target: Path) -> str:
    """Return the reference for an experiment that moves from the file ``place`` to ``target``.

    A file in the archive is referred to by its name, any other file by its path from the folder of ``target``, so that
    the file contains nothing about this computer; only a file on another drive needs its absolute path.
    """
    found = located(ref, shelf, place) if ref else ref
    if isinstance(found, str):
        return found
    if os.sep == "/" and PureWindowsPath(ref).drive and not found.exists():  # it does not exist here and is kept
        return ref
    shelved = shelves().named(shelf, found.stem)
    if shelved is not None and found.exists() and shelved.resolve() == found.resolve():
        return found.stem
    try:
        relative = Path(os.path.relpath(found, target.parent)).as_posix()
    except ValueError:  # it is on another drive
        return found.absolute().as_posix()
    return relative if "/" in relative else f"./{relative}"


def called(ref: str, shelf: str) -> str:
    """Return the displayed name of a thing that an experiment refers to: a name as it is, a file without its folder."""
    path = looks_like_path(ref, shelf)
    return ref if path is None else Path(_last(path)).stem
