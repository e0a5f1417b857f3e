"""Networks as JSON files: networkx's node-link layout with attributes of LYDIAN.

::

    {"directed": false, "multigraph": false,
     "graph": {"name": "pair", "delay": "exponential(mean=1)", "initiators": ["0"]},
     "nodes": [{"id": "0", "x": 0, "y": 0}, {"id": "1", "x": 100, "y": 0, "step": "constant(0.1)"}],
     "links": [{"source": "0", "target": "1", "delay": "uniform(1, 2)", "order": "fifo"}]}

A file written by networkx can be read as it is: ``edges`` may be used instead of ``links``, integers are accepted as
names, and attributes of other programs are skipped (unless one looks like a misspelt attribute of LYDIAN). In a network
with directed links, ``directed`` is true at the top level, and undirected links have ``"directed": false``.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from lydian.model.delays import Distribution, as_distribution
from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.jsonitems import Watch, watched_object
from lydian.model.network import Network
from lydian.model.network.links import RATES, Link, need_drift, need_order, need_share, need_weight
from lydian.model.network.stabilisation import Stabilisation
from lydian.model.reading import at, read_text, write_text

__all__ = ["from_dict", "load", "loads", "save", "to_dict"]

LARGEST = 64_000_000  # the largest size of a file in bytes

TOP = ("directed", "multigraph", "graph", "nodes", "links", "edges")
GRAPH = ("name", "about", "delay", "order", *RATES, "step", "initiators", "anonymous", "classes", "gst")
NODE = ("id", "x", "y", "step", "drift", "role")
LINK = ("source", "target", "directed", "class", "delay", "order", *RATES, "outages", "weight")

File = Path | str | None
_EVERY = 500  # processes or links between two calls of the watch


def load(path: Path | str) -> Network:
    """Return the network in a file; a network without a name gets that of the file.

    Raises:
        BadInput: the file cannot be read or does not contain a network; the error names the place.
    """
    path = Path(path)
    return loads(read_text(path, "a network", LARGEST), path)


def loads(text: str, file: File = None, *, watch: Watch | None = None, notes: list[str] | None = None) -> Network:
    """Return the network in a JSON text.

    Args:
        text: the text.
        file: the file that contains it, for errors and for files of numbers.
        watch: a function that is called every few milliseconds with the progress, 0 to 1; an exception that it raises
            ends the reading.
        notes: a list to which sentences are added about what was omitted from a file of another program (links from a
            process to itself, second links); without it, these are refused.
    """
    try:
        told = _part(watch, 0.0, 0.5)
        data = None if told is None else watched_object(text, told)
        if data is None:
            data = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise BadInput("the file ends in the middle of the network", file=file, place=place) from None
        what = f"this is not JSON ({error.msg[:1].lower()}{error.msg[1:]}); a network was expected here"
        raise BadInput(what, file=file, place=place) from None
    except RecursionError:
        raise BadInput("too many nested brackets; a network was expected here", file=file) from None
    except ValueError:  # a number of thousands of digits
        raise BadInput("a number in this file is too long; a network was expected here", file=file) from None
    return from_dict(data, file, watch=_part(watch, 0.5, 1.0), notes=notes)


def _part(watch: Watch | None, start: float, end: float) -> Watch | None:
    return None if watch is None else lambda share: watch(start + (end - start) * share)


def from_dict(data: Any, file: File = None, *, watch: Watch | None = None, notes: list[str] | None = None) -> Network:
    """Return the network in a dictionary of the node-link layout; ``watch`` and ``notes`` are as for :func:`loads`.

    Raises:
        BadInput: it is not a network; the error names the place, such as ``links[4].delay``.
    """
    if not isinstance(data, Mapping):
        raise BadInput(f"a network must be an object with 'nodes' and 'links', not {_kind(data)}", file=file)
    if "nodes" not in data:
        hint = did_you_mean("nodes", [key for key in data if isinstance(key, str)])
        raise BadInput(f'a network must have \'nodes\', a list of objects such as {{"id": "0"}}{hint}', file=file)
    _known(data, TOP, True, file, None)
    graph = _object(data.get("graph", {}), file, "graph")
    ours = any(key in graph for key in GRAPH if key != "name")
    _known(graph, GRAPH, ours, file, "graph")
    directed = _flag(data, "directed", False, file, None)
    _flag(data, "multigraph", False, file, None)
    changes = _graph(graph, file)
    nodes = _nodes(_list(data["nodes"], file, "nodes"), ours, file, _part(watch, 0.0, 0.3))
    if not nodes["processes"]:
        raise BadInput("a network must have at least one process", file=file, place="nodes")
    if "links" in data and "edges" in data:
        raise BadInput("a network must have 'links' or 'edges', not both", file=file)
    key = "edges" if "edges" in data else "links"
    spare = None if ours else notes
    items = _list(data.get(key, []), file, key)
    numbers = {name: number for number, name in enumerate(nodes["processes"])}
    links = _links(items, key, directed, numbers, ours, file, _part(watch, 0.3, 1.0), spare)
    default = Path(file).stem if file is not None else "network"
    with at(file):
        network = Network(**{"name": default, **changes, **nodes, "links": ()})
    network.__dict__["links"] = links  # all are checked already; a million more checks would take a second
    return network


def _graph(graph: Mapping[str, Any], file: File) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in ("name", "about"):
        if key in graph:
            if not isinstance(graph[key], str):
                raise BadInput(f"{key} must be text, not {shown(graph[key])}", file=file, place=f"graph.{key}")
            found[key] = graph[key]
    for key in ("delay", "step"):
        if graph.get(key) is not None:
            found[key] = as_distribution(graph[key], file=file, place=f"graph.{key}")
    for key, check in _CHECKS.items():
        if key in graph:
            with at(file, f"graph.{key}"):
                check(graph[key], f"the {key} of a network")
            found[key] = graph[key]
    if "anonymous" in graph:
        found["anonymous"] = _flag(graph, "anonymous", False, file, "graph")
    if "initiators" in graph:
        place = "graph.initiators"
        names = _list(graph["initiators"], file, place)
        found["initiators"] = tuple(_name(name, file, f"{place}[{i}]") for i, name in enumerate(names))
    if "classes" in graph:
        classes = _object(graph["classes"], file, "graph.classes")
        found["classes"] = {
            name: as_distribution(delay, file=file, place=f"graph.classes.{name}") for name, delay in classes.items()
        }
    if graph.get("gst") is not None:
        found["gst"] = Stabilisation.from_data(graph["gst"], file, "graph.gst")
    return found


def _nodes(nodes: Sequence[Any], ours: bool, file: File, watch: Watch | None) -> dict[str, Any]:
    steps: dict[str, Distribution] = {}
    drifts: dict[str, float] = {}
    roles: dict[str, str] = {}
    positions: dict[str, tuple[float, float]] = {}
    numbers: dict[str, int] = {}
    for i, node in enumerate(nodes):
        if watch is not None and i % _EVERY == 0:
            watch(i / len(nodes))
        place = f"nodes[{i}]"
        _known(_object(node, file, place), NODE, ours, file, place)
        if "id" not in node:
            raise BadInput('a process must have its name, as in {"id": "0"}', file=file, place=place)
        name = _name(node["id"], file, f"{place}.id")
        if name in numbers:
            what = f"two processes have the name {shown(name)}; the other is nodes[{numbers[name]}]"
            raise BadInput(what, file=file, place=place)
        numbers[name] = i
        if "x" in node or "y" in node:
            x, y = _coordinate(node, "x", file, place), _coordinate(node, "y", file, place)
            positions[name] = (x, y)
        if node.get("step") is not None:
            steps[name] = as_distribution(node["step"], file=file, place=f"{place}.step")
        if node.get("drift") is not None:
            with at(file, f"{place}.drift"):
                need_drift(node["drift"], f"the drift of the clock of process {name}")
            drifts[name] = float(node["drift"])
        if node.get("role") is not None:
            roles[name] = _name(node["role"], file, f"{place}.role")
    return {
        "processes": tuple(numbers), "positions": positions, "steps": steps, "drifts": drifts, "roles": roles,
    }  # fmt: skip


def _links(
    items: Sequence[Any],
    key: str,
    directed: bool,
    there: Mapping[str, int],
    ours: bool,
    file: File,
    watch: Watch | None,
    notes: list[str] | None,
) -> tuple[Link, ...]:
    links: list[Link] = []
    # Combined numbers of both ends -> number of the link; in parts, because growing a dictionary of a million takes
    # long.
    numbers: list[dict[int, int]] = [{} for _ in range(64)]
    selves = doubles = 0
    for i, item in enumerate(items):
        if watch is not None and i % _EVERY == 0:
            watch(i / len(items))
        place = f"{key}[{i}]"
        _known(_object(item, file, place), LINK, ours, file, place)
        ends: list[str] = []
        for end in ("source", "target"):
            if end not in item:
                raise BadInput(f"a link must have its {end}, the name of a process", file=file, place=place)
            name = _name(item[end], file, f"{place}.{end}")
            if name not in there:
                what = unknown_process(name, there)
                raise BadInput(what, file=file, place=f"{place}.{end}")
            ends.append(name)
        own = _own(item, file, place)
        one_way = _flag(item, "directed", directed, file, place)
        forth, back = (there[a] << 32 | there[b] for a, b in (ends, ends[::-1]))
        pairs = (forth,) if one_way else (forth, back)
        if notes is not None and (ends[0] == ends[1] or any(pair in numbers[pair >> 32 & 63] for pair in pairs)):
            selves += ends[0] == ends[1]
            doubles += ends[0] != ends[1]
            continue
        if own or ends[0] == ends[1]:
            with at(file, place):
                links.append(Link(ends[0], ends[1], directed=one_way, **own))
        else:
            links.append(Link(ends[0], ends[1], one_way))
        for pair in pairs:
            known = numbers[pair >> 32 & 63]
            if pair in known:
                a, b = ends if pair == forth else ends[::-1]
                what = f"a link from {a} to {b} already exists, {key}[{known[pair]}]; remove one of them"
                raise BadInput(what, file=file, place=place)
            known[pair] = i
    if notes is not None:
        notes += left_out(selves, doubles)
    return tuple(links)


def left_out(selves: int, doubles: int) -> list[str]:
    """Return sentences about links from a process to itself, and about second links between the same two processes."""
    said = []
    for many, one, more, which in (
        (selves, "a link", "links", "from a process to itself"),
        (doubles, "a further link", "further links", "between the same two processes"),
    ):
        if many:
            said.append(f"{one if many == 1 else f'{many:,} {more}'} {which} {'is' if many == 1 else 'are'} left out")
    return said


def _own(item: Mapping[str, Any], file: File, place: str) -> dict[str, Any]:
    """Read a link's own timing."""
    own: dict[str, Any] = {}
    if item.get("delay") is not None:
        own["delay"] = as_distribution(item["delay"], file=file, place=f"{place}.delay")
    for key, check in {**_CHECKS, "weight": need_weight}.items():
        if item.get(key) is not None:
            with at(file, f"{place}.{key}"):
                check(item[key], f"the {key} of a link")
            own[key] = item[key]
    if item.get("class") is not None:
        own["klass"] = _name(item["class"], file, f"{place}.class")
    if item.get("weight") is not None:
        with at(file, f"{place}.weight"):
            need_weight(item["weight"], "the weight of a link")
        own["weight"] = item["weight"]
    if item.get("outages") is not None:
        outages = _list(item["outages"], file, f"{place}.outages")
        own["outages"] = tuple(tuple(o) if isinstance(o, list) else o for o in outages)
    return own


def to_dict(network: Network) -> dict[str, Any]:
    """Return the network in the node-link layout, ready for ``json.dumps``; :func:`from_dict` gives an equal one.

    Default values are omitted, except for the delay.
    """
    graph: dict[str, Any] = {"name": network.name, "delay": str(network.delay)}
    if network.about:
        graph["about"] = network.about
    if network.order != "unordered":
        graph["order"] = network.order
    graph |= {rate: getattr(network, rate) for rate in RATES if getattr(network, rate)}
    if network.step is not None:
        graph["step"] = str(network.step)
    if network.initiators:
        graph["initiators"] = list(network.initiators)
    if network.anonymous:
        graph["anonymous"] = True
    if network.classes:
        graph["classes"] = {name: str(delay) for name, delay in network.classes.items()}
    if network.gst is not None:
        graph["gst"] = network.gst.to_data()
    return {
        "directed": network.directed,
        "multigraph": False,
        "graph": graph,
        "nodes": [_node(network, name) for name in network.processes],
        "links": [_link(link, network.directed) for link in network.links],
    }


def _node(network: Network, name: str) -> dict[str, Any]:
    node: dict[str, Any] = {"id": name}
    if name in network.positions:
        x, y = network.positions[name]
        node["x"], node["y"] = _brief(x), _brief(y)
    if name in network.steps:
        node["step"] = str(network.steps[name])
    if name in network.drifts:
        node["drift"] = network.drifts[name]
    if name in network.roles:
        node["role"] = network.roles[name]
    return node


#: What a link may have of its own, and the function that returns all of it.
_OWN = ("class", "delay", "order", *RATES, "weight")
_values = operator.attrgetter("klass", *_OWN[1:])


def _link(link: Link, directed: bool) -> dict[str, Any]:
    item: dict[str, Any] = {"source": link.a, "target": link.b}
    if link.directed != directed:
        item["directed"] = link.directed
    for key, value in zip(_OWN, _values(link), strict=True):
        if value is not None:
            item[key] = str(value) if key == "delay" else value
    if link.outages:
        item["outages"] = [list(outage) for outage in link.outages]
    return item


def save(network: Network, path: Path | str) -> None:
    """Write the network to a file, completely or not at all.

    Raises:
        BadInput: the folder is missing or cannot be written to; an existing file then stays unchanged.
    """
    write_text(path, dumps(network))


def dumps(network: Network) -> str:
    """Return the text of the file: one line for each process and each link, so that a changed one shows as one line."""
    data = to_dict(network)
    head = [f'"{key}": {json.dumps(data[key])}' for key in ("directed", "multigraph")]
    graph = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data["graph"].items()]
    parts = [", ".join(head), '"graph": {\n' + ",\n".join(graph) + "\n}"]
    for key in ("nodes", "links"):
        lines = ",\n".join("  " + json.dumps(item, ensure_ascii=False) for item in data[key])
        parts.append(f'"{key}": [\n{lines}\n]' if lines else f'"{key}": []')
    return "{" + ",\n".join(parts) + "}\n"


# ---------------------------------------------------------------------- small things

_CHECKS: dict[str, Callable[[object, str], None]] = {"order": need_order, **dict.fromkeys(RATES, need_share)}


def _brief(value: float) -> float:
    return int(value) if value == int(value) and (value or str(value) == "0.0") else value


def _kind(value: object) -> str:
    words = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return words.get(type(value), f"the number {shown(value)}")


def _object(value: Any, file: File, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput(f"must be an object in braces, not {shown(value)}", file=file, place=place)
    return value


def _list(value: Any, file: File, place: str) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise BadInput(f"must be a list in square brackets, not {shown(value)}", file=file, place=place)
    return value


def _flag(data: Mapping[str, Any], key: str, default: bool, file: File, place: str | None) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        where = f"{place}.{key}" if place else key
        raise BadInput(f"must be true or false, not {shown(value)}", file=file, place=where)
    return value


def _name(value: Any, file: File, place: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise BadInput(f"a name must be text or a whole number, not {shown(value)}", file=file, place=place)
    return value


def _coordinate(node: Mapping[str, Any], key: str, file: File, place: str) -> float:
    value = node.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1e9:
        what = f"must be a number up to 1e9, not {shown(value)}" if key in node else f"{key} is missing"
        raise BadInput(what, file=file, place=f"{place}.{key}")
    return float(value)


def _known(data: Mapping[str, Any], known: Iterable[str], strict: bool, file: File, place: str | None) -> None:
    """Refuse unknown attributes; in a file of another program, refuse only those that look misspelt."""
    for key in data:
        if key in known:
            continue
        if hint := _nearest(key, tuple(known)) or (strict and f"; choose from {', '.join(known)}"):
            raise BadInput(f"unknown attribute {shown(key)}{hint}", file=file, place=place)


@lru_cache(maxsize=1_000)
def _nearest(key: str, known: tuple[str, ...]) -> str:
    """Return the hint for an attribute from a cache, because a million links may have the same one."""
    return did_you_mean(key, known)
