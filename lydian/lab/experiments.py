"""The experiment that the arguments of a call describe."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.lab.source import Source, kept, source_of
from lydian.model.archive.archive import EXAMPLE, archive
from lydian.model.delays import as_distribution
from lydian.model.errors import BadInput, LydianError, did_you_mean, shown
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Network
from lydian.model.network.netfile import GRAPH, LINK, NODE, from_dict
from lydian.model.protocol.folder import holds_python
from lydian.model.protocol.process import Process
from lydian.model.protocol.roles import check_roles

if TYPE_CHECKING:
    from networkx import Graph

__all__ = ["FREE", "Asked", "network_of"]

#: The arguments of a run, besides the protocol, the network and the seed, that no parameter can have as its name.
FREE = ("delay", "initiators", "until", "limit", "faults", "workload", "breaks", "roles")


class Asked:
    """The arguments of a call.

    Attributes:
        source: where the class of the protocol is declared, if a class was given that is not a protocol file.
    """

    def __init__(
        self,
        protocol: Any,
        network: Any = None,
        *,
        seed: int | None = None,
        delay: Any = None,
        initiators: Any = None,
        until: float | None = None,
        limit: int | None = None,
        faults: Iterable[Any] = (),
        workload: Iterable[Any] = (),
        breaks: str | Iterable[str] = (),
        roles: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self.source: Source | None = None
        self._protocol, self._network = protocol, network
        self._until, self._limit = until, limit
        self._seed, self._delay, self._initiators = seed, delay, initiators
        self._lists = {"faults": tuple(faults), "workload": tuple(workload)}
        self._breaks = (breaks,) if isinstance(breaks, str) else tuple(breaks)
        self._roles = roles
        inner = dict(parameters or {})
        more = inner.pop("parameters", {})
        if not isinstance(more, Mapping):
            what = f'must be names with values, such as {{"retries": 3}}, not {shown(more)}'
            raise BadInput(what, place="parameters")
        self._parameters = {**inner, **more}

    @contextlib.contextmanager
    def blamed(self) -> Iterator[None]:
        """Let errors in a class name the cell or the file in which it is declared."""
        try:
            yield
        except LydianError as error:
            if self.source is None or (told := self.source.told(error)) is None:
                raise
            raise told from None

    def experiment(self, *others: str | Network | None) -> Experiment:
        """Return the experiment.

        Args:
            others: further networks to which it must fit.

        Raises:
            BadInput: an argument cannot be used.
        """
        found = self._base()
        if self._network is not None:
            there = network_of(self._network)
            # What an experiment says about its own network need not fit another one.
            if self._named():
                for each in (*(other for other in others if other is not None), there):
                    found = found.moved(each)
                found = found.with_(written=False)
            found = found.with_(network=there)
        changes: dict[str, Any] = {}
        if self._seed is not None:
            changes["seed"] = _whole(self._seed, "seed")
        if self._roles is not None:
            changes["roles"] = check_roles(self._roles)
        timing = found.timing
        if self._delay is not None:
            timing = replace(timing, delay=as_distribution(self._delay, place="delay"), gst=None)
        if self._initiators is not None:
            timing = replace(timing, initiators=_names(self._initiators))
        if timing != found.timing:
            changes["timing"] = timing
        stop = found.stop
        if self._until is not None:
            stop = replace(stop, until=self._until)
        if self._limit is not None:
            stop = replace(stop, events=_whole(self._limit, "limit"))
        if stop != found.stop:
            changes["stop"] = stop
        for name, items in self._lists.items():
            if items:
                changes[name] = (*getattr(found, name), *(_timed(each, f"{name}[{i}]") for i, each in enumerate(items)))
        if self._breaks:
            changes["breaks"] = (*found.breaks, *self._breaks)
        return self.with_parameters(found.with_(**changes), self._parameters)

    def with_parameters(self, found: Experiment, parameters: Mapping[str, Any]) -> Experiment:
        """Return an experiment with these parameters.

        Raises:
            BadInput: there is no such parameter.
        """
        if not parameters:
            return found
        known = archive().protocol(found.protocol_ref).parameters
        for name in parameters:
            if name not in known and (near := did_you_mean(name, ("network", "seed", *FREE))):
                raise BadInput(f"unknown argument '{name}'{near}")
        return found.with_(parameters={**found.parameters, **parameters})

    def _named(self) -> bool:
        """Return True if the base is an experiment rather than a protocol on the example network."""
        return isinstance(self._protocol, Experiment) or (self.source is None and not _is_file(self._protocol))

    def _base(self) -> Experiment:
        protocol = self._protocol
        if isinstance(protocol, Experiment):
            return protocol
        if isinstance(protocol, type):
            if not issubclass(protocol, Process):
                raise BadInput(f"{protocol.__name__} is not a protocol; it must be a class such as Echo(Process)")
            found = source_of(protocol)
            if isinstance(found, Path):
                self._protocol = found
                return _of_file(found)
            self.source = found
            return _of_file(kept(found))
        if not isinstance(protocol, str | PathLike):
            raise BadInput(f"a protocol must be a class, a name or a path, not {shown(protocol)}")
        if _is_file(protocol):
            return _of_file(Path(protocol))
        return archive().experiment(protocol if isinstance(protocol, str) else Path(protocol))


def _is_file(protocol: Any) -> bool:
    """Return True if a name or path leads to a protocol file or folder rather than to an experiment."""
    if not isinstance(protocol, str | PathLike):
        return False
    path = Path(protocol)
    return path.suffix == ".py" or holds_python(path)


def _of_file(path: Path) -> Experiment:
    """Return the experiment of a protocol file on the example network; what it names is beside the file."""
    whole = path.absolute()
    return Experiment(whole.stem, protocol=f"./{whole.name}", network=EXAMPLE).beside(whole.parent)


def _whole(value: Any, place: str) -> int:
    """Return a whole number, which may be one of numpy's."""
    import operator

    try:
        return operator.index(value)
    except TypeError:
        raise BadInput(f"must be a whole number, not {shown(value)}", place=place) from None


def _names(value: Any) -> Any:
    if value == "all":
        return "all"
    return tuple(called(each) for each in ([value] if isinstance(value, str | int) else value))


def _timed(value: Any, place: str) -> Intervention:
    return value if isinstance(value, Intervention) else Intervention.from_dict(value, None, place)


# ---------------------------------------------------------------------- networks


def network_of(given: Any) -> str | Network:
    """Return a network that an experiment can hold: a name in the archive or a kind as it is, anything else loaded.

    Raises:
        BadInput: it cannot be used as a network.
    """
    if isinstance(given, Network):
        return given
    if isinstance(given, str) and (":" in given or given in archive().names("networks")) and "/" not in given:
        archive().network(given)  # an error in it is found here
        return given
    if isinstance(given, str | PathLike):
        return archive().network(given if isinstance(given, str) else Path(given))
    if callable(getattr(given, "is_multigraph", None)) and hasattr(given, "adj"):
        return _of_graph(given)
    raise BadInput(f"a network must be a name, a path, a network or a graph of networkx, not {shown(given)}")


def called(node: Any) -> str:
    """Return the name of the process for a node of a graph: its text, and ``2,3`` for the node ``(2, 3)``."""
    return ",".join(map(str, node)) if isinstance(node, tuple) else str(node)


def _of_graph(graph: Graph[Any]) -> Network:
    """Return the network of a graph of networkx, with the attributes that LYDIAN's files have, such as x, y, delay."""
    about = {key: value for key, value in graph.graph.items() if key in GRAPH}
    if isinstance(about.get("initiators"), Iterable) and not isinstance(about["initiators"], str):
        about["initiators"] = [called(each) for each in about["initiators"]]
    about["name"] = str(graph.graph.get("name") or "graph")
    nodes = []
    for node, values in graph.nodes(data=True):
        own = {key: _plain(value) for key, value in values.items() if key in NODE}
        if "pos" in values and "x" not in own:  # as for drawing with networkx: y points upwards
            own["x"], own["y"] = float(values["pos"][0]), -float(values["pos"][1])
        nodes.append({**own, "id": called(node)})
    _spread(nodes)
    if "initiators" not in about and nodes:
        starting = [called(node) for node, values in graph.nodes(data=True) if values.get("initiator")]
        about["initiators"] = starting or [nodes[0]["id"]]
    links = [
        {"source": called(a), "target": called(b)}
        | {key: _plain(value) for key, value in values.items() if key in LINK and key not in ("source", "target")}
        for a, b, values in graph.edges(data=True)
    ]
    try:
        return from_dict({"directed": graph.is_directed(), "graph": about, "nodes": nodes, "links": links})
    except BadInput as error:
        raise BadInput(error.what, place=f"graph, {error.place}" if error.place else "graph") from None


#: Positions within this extent are in units of their own, as networkx's layouts return them; and the distance that two
#: neighbours then have on the average.
_UNIT, _APART = 10.0, 150.0


def _spread(nodes: list[dict[str, Any]]) -> None:
    """Enlarge positions that are in units of their own."""
    placed = [each for each in nodes if "x" in each and "y" in each]
    if not placed:
        return
    extent = max(max(each[axis] for each in placed) - min(each[axis] for each in placed) for axis in ("x", "y"))
    if 0 < extent < _UNIT:
        factor = _APART * max(len(placed) ** 0.5, 2.0) / extent
        for each in placed:
            each["x"], each["y"] = round(factor * each["x"], 2), round(factor * each["y"], 2)


def _plain(value: Any) -> Any:
    """Return a number of numpy as one of Python."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "ndim", None) == 0 else value
