"""The contents of the archive as panels list them (names, first sentences, networks); no protocol is run."""

from __future__ import annotations

from pathlib import Path

from lydian.desk.runs.records import about_source
from lydian.language import tr
from lydian.model.archive.archive import Archive, archive
from lydian.model.archive.shelves import located
from lydian.model.errors import LydianError
from lydian.model.network import Network
from lydian.model.protocol.folder import read_source
from lydian.views.words.words import plural

__all__ = ["ArchiveList"]


class ArchiveList:
    """The archive as the panels see it. Whatever has been read is kept until the program ends."""

    def __init__(self, shelves: Archive | None = None) -> None:
        self.archive = archive() if shelves is None else shelves
        self._networks: dict[tuple[str, Path | None], Network | None] = {}
        self._abouts: dict[str, str] = {}

    def protocols(self) -> list[tuple[str, str]]:
        """Return the name and the first sentence of every protocol."""
        return [(name, about_source(self.source(name))[1]) for name in self.archive.names("protocols")]

    def networks(self) -> list[tuple[str, str]]:
        """Return every network in the archive with its size, followed by specifications for generators."""
        found = []
        for name in self.archive.names("networks"):
            network = self.known_network(name)
            found.append(
                (
                    name,
                    tr("cannot be read")
                    if network is None
                    else tr(
                        "{processes}, {links}", processes=plural(network.n, "process"), links=plural(network.m, "link")
                    ),
                )
            )
        from lydian.model.generators import KINDS

        return found + [(each.offered, each.words) for each in KINDS.values() if each.offered]

    def source(self, ref: str, path: Path | None = None) -> str:
        """Return the text of a protocol; return an empty string if it cannot be read."""
        try:
            file = self.archive.find("protocols", located(ref, "protocols", path))
            return read_source(file) if file.is_dir() else file.read_text(encoding="utf-8", errors="replace")
        except (LydianError, OSError):
            return ""

    def network(self, ref: str | Network, path: Path | None = None) -> Network:
        """Return a network, given its name, path or specification.

        Raises:
            BadInput: the network does not exist or cannot be used.
        """
        return self.archive.network(located(ref, "networks", path)) if isinstance(ref, str) else ref

    def keep(self, ref: str, network: Network, path: Path | None = None) -> None:
        """Keep the network that was just read from a file."""
        self._networks[ref, None] = self._networks[ref, path] = network

    def known_network(self, ref: str | Network, path: Path | None = None) -> Network | None:
        """Return the network as :meth:`network` does; return ``None`` if it cannot be used."""
        if not isinstance(ref, str):
            return ref
        key = (ref, path)
        if key not in self._networks:
            try:
                self._networks[key] = self.network(ref, path)
            except (LydianError, OSError, ImportError):
                self._networks[key] = None
        return self._networks[key]
