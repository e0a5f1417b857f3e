"""The data that is sent with a job: the sweep, the texts of its protocols and its networks, as JSON.

Files are read once, before the job begins. Editing a protocol during or after the job therefore has no effect on it,
and another machine needs nothing but LYDIAN itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lydian
from lydian.batch.sweep.fields import spoken
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.batch.sweep.published import by_labels
from lydian.batch.sweep.sweep import Sweep
from lydian.model.archive.archive import Archive
from lydian.model.archive.archive import archive as default
from lydian.model.delays import parse
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Network
from lydian.model.protocol.folder import read_source
from lydian.model.reading import at

if TYPE_CHECKING:
    from lydian.model.protocol.protocol import Protocol

__all__ = ["Packed", "PackedArchive", "pack"]


@dataclass(frozen=True)
class Packed:
    """A sweep with everything it names.

    Args:
        sweep: the sweep with its base experiment; the experiment's names refer to the entries below.
        protocols: name -> (stem of the file, its text).
        networks: name -> network in the layout of its file.
        version: the version of LYDIAN, which the other machines must have as well.
    """

    sweep: Sweep
    protocols: Mapping[str, tuple[str, str]]
    networks: Mapping[str, Mapping[str, Any]]
    version: str = lydian.__version__

    def to_json(self) -> str:
        """Return the packed sweep as text; equal packed sweeps give equal texts."""
        return json.dumps(
            {
                "version": self.version,
                "sweep": self.sweep.to_dict(),
                "protocols": {ref: list(pair) for ref, pair in self.protocols.items()},
                "networks": self.networks,
            },
            sort_keys=True,
        )

    @classmethod
    def from_json(cls, text: str) -> Packed:
        """Read the output of :meth:`to_json`."""
        data = json.loads(text)
        return cls(
            sweep_from(data["sweep"]),
            {ref: (stem, source) for ref, (stem, source) in data["protocols"].items()},
            data["networks"],
            data["version"],
        )

    @property
    def digest(self) -> str:
        """The digest that identifies a packed sweep."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]


class PackedArchive(Archive):
    """An archive that looks up names in the packed sweep first and then among the entries that need no file."""

    def __init__(self, luggage: Packed) -> None:
        super().__init__(None, Path())
        self.__dict__["_luggage"] = luggage
        self.__dict__["_protocols"] = {}
        self.__dict__["_networks"] = {}

    def protocol(self, ref: str | Path) -> Protocol:
        """Return a protocol as :meth:`Archive.protocol` does, loaded only once."""
        from lydian.model.protocol.protocol import protocol_from_source

        known: dict[str, Protocol] = self.__dict__["_protocols"]
        key = Path(ref).as_posix()
        if key not in known:
            stem, source = self.__dict__["_luggage"].protocols[key]
            known[key] = protocol_from_source(source, name=stem)
        return known[key]

    def network(self, ref: str | Path) -> Network:
        """Return a network as :meth:`Archive.network` does; the most recent few are kept."""
        known: dict[str, Network] = self.__dict__["_networks"]
        key = ref.as_posix() if isinstance(ref, Path) else ref
        if key not in known:
            while len(known) >= 8:
                known.pop(next(iter(known)))
            carried = self.__dict__["_luggage"].networks.get(key)
            if carried is None:
                from lydian.model.generators import from_spec

                known[key] = from_spec(key)
            else:
                from lydian.model.network.netfile import from_dict

                known[key] = from_dict(dict(carried))
        return known[key]

    def forget(self, protocol: Protocol) -> None:
        """Load this protocol again when it is next needed."""
        known: dict[str, Protocol] = self.__dict__["_protocols"]
        for key in [key for key, each in known.items() if each is protocol]:
            del known[key]


def pack(sweep: Sweep, archive: Archive | None = None) -> Packed:
    """Read everything that a sweep names.

    Raises:
        BadInput: something does not exist or cannot be used, or the name of a protocol is not known beforehand.
    """
    if archive is None:
        archive = default()
    packer = _Packer(sweep, archive)
    base = sweep.base
    base = base.with_(path=None, protocol=packer.protocol(base, None), network=packer.network(base, None))
    vary = []
    for number, axis in enumerate(sweep.vary):
        place = axis.place or f"vary[{number}]"
        values = axis.values
        if axis.field == "protocol":
            values = tuple(packer.protocol(sweep.base.with_(path=sweep.path), (place, value)) for value in values)
        elif axis.field == "network":
            values = tuple(packer.network(sweep.base.with_(path=sweep.path), (place, value)) for value in values)
        else:
            values = tuple(packer.delay(value, place) for value in values)
        labels = axis.labels or (tuple(map(str, axis.values)) if values != axis.values else ())
        if axis.sample is not None and axis.field in ("protocol", "network"):
            what = f"a {axis.field} that is chosen at random for each run must have a count"
            raise BadInput(what, file=sweep.path, place=place)
        if any(isinstance(value, Mapping) for value in values) and axis.field == "network":
            raise BadInput("a network must be a name, a file or a kind such as ring:8", file=sweep.path, place=place)
        vary.append(replace(axis, values=values, labels=labels, place=place))
    settled = sweep.with_(base=base, ref=None, vary=tuple(vary), published=by_labels(sweep.published, sweep.vary))
    return Packed(settled, packer.protocols, packer.networks)


class _Packer:
    def __init__(self, sweep: Sweep, archive: Archive) -> None:
        self.sweep, self.archive = sweep, archive
        self.protocols: dict[str, tuple[str, str]] = {}
        self.networks: dict[str, Mapping[str, Any]] = {}

    def protocol(self, experiment: Experiment, given: tuple[str, Any] | None) -> str:
        """Return the packed name of the experiment's protocol, or of another one."""
        if given is not None:
            place, value = given
            if not isinstance(value, str) or spoken(value):
                what = f'a protocol must be named by text without braces, such as "echo", not {shown(value)}'
                raise BadInput(what, file=self.sweep.path, place=place)
            experiment = experiment.with_(protocol=value)
        with at(self.sweep.path, "vary" if given is None else given[0]):
            path = self.archive.find("protocols", experiment.protocol_ref)
            # The protocol is only read here; it is loaded where its runs are executed.
            source = read_source(path).replace("\r\n", "\n")
        sha = hashlib.sha256(source.encode()).hexdigest()[:12]
        ref = f"protocols/{sha}/{path.stem}.py"
        self.protocols[ref] = (path.stem, source)
        return ref

    def network(self, experiment: Experiment, given: tuple[str, Any] | None) -> Any:
        """Return the packed name of the experiment's network, or of another one; a kind such as ``ring:8`` is
        unchanged.
        """
        from lydian.model.generators import KINDS
        from lydian.model.network.netfile import to_dict

        if given is not None:
            if not isinstance(given[1], str):
                return given[1]
            experiment = experiment.with_(network=given[1])
        named = experiment.network
        if isinstance(named, str) and given is None and any(axis.field == "network" for axis in self.sweep.vary):
            return named  # each run has a different one
        if isinstance(named, Network):
            network = named
        else:
            located = experiment._located(named, "networks")
            kind = isinstance(located, str) and (":" in located or located in KINDS)
            if spoken(named) or (kind and located not in self.archive.names("networks")):
                return named
            with at(self.sweep.path, None if given is None else given[0]):
                network = self.archive.network(located)
        data = to_dict(network)
        sha = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]
        ref = f"networks/{sha}/{_safe(network.name)}.json"
        self.networks[ref] = data
        return ref

    def delay(self, value: Any, place: str) -> Any:
        """Return a distribution with its numbers included if they are in a file."""
        if not isinstance(value, str) or "empirical" not in value or spoken(value):
            return value

        return str(parse(value, file=self.sweep.path, place=place))


def _safe(name: str) -> str:
    return "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in name)[:60] or "network"
