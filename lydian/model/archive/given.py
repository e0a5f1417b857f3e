"""An archive whose only protocol is already loaded, so that experiments with it do not depend on its file."""

from __future__ import annotations

from pathlib import Path

from lydian.model.archive.shelves import Shelves, shelves
from lydian.model.protocol.protocol import Protocol

__all__ = ["Given"]


class Given(Shelves):
    """An archive in which every protocol is the given one; networks come from the archive."""

    def __init__(self, protocol: Protocol) -> None:
        there = shelves()
        super().__init__(there.user, there.ours, there.others)
        self.use(protocol)

    def use(self, protocol: Protocol) -> None:
        """Give another protocol from now on."""
        self.__dict__["_protocol"] = protocol

    def protocol(self, ref: str | Path) -> Protocol:
        """Return the protocol, whatever the name."""
        found: Protocol = self.__dict__["_protocol"]
        return found
