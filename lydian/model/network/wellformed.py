"""What has to be true of a network; each function raises BadInput with what is wrong and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network.links import RATES, need_distribution, need_drift, need_order, need_share

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["check_links", "check_positions", "check_processes", "check_timing"]

LONGEST_NAME = 100  # characters of the name of a process


def check_processes(network: Network) -> None:
    if not isinstance(network.name, str) or not isinstance(network.about, str):
        raise BadInput(f"name and about of a network are text, not {shown((network.name, network.about))}")
    seen: set[str] = set()
    for name in network.processes:
        if not isinstance(name, str) or not name or not name.isprintable() or len(name) > LONGEST_NAME:
            raise BadInput(f"the name of a process is text of 1 to {LONGEST_NAME} characters, not {shown(name)}")
        if name in seen:
            raise BadInput(f"two processes have the name {shown(name)}")
        seen.add(name)
    for name in network.initiators:
        _known(network, name, "initiators")
    if len(set(network.initiators)) < len(network.initiators):
        raise BadInput(f"a process stands twice among the initiators {shown(network.initiators)}")
    check_positions(network)


def check_positions(network: Network) -> None:
    for name, point in network.positions.items():
        _known(network, name, "positions")
        network.positions[name] = _point(name, point)  # type: ignore[index]  # our own copy


def _known(network: Network, name: object, what: str) -> None:
    if name not in network.index:
        raise BadInput(f"{what} name process {shown(name)}, which is not there{did_you_mean(name, network.processes)}")


def _point(name: str, point: object) -> tuple[float, float]:
    try:
        x, y = (float(number) for number in point)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"the position of process {name} is two numbers, not {shown(point)}") from None
    if not (abs(x) <= 1e9 and abs(y) <= 1e9):  # also false for NaN
        raise BadInput(f"the position of process {name} is two numbers up to 1e9, not {shown((x, y))}")
    return x, y


def check_links(network: Network) -> None:
    index, n = network.index, network.n
    seen: set[int] = set()
    for link in network.links:
        i, j = index.get(link.a), index.get(link.b)
        if i is None or j is None:
            _known(network, link.a if i is None else link.b, f"link {link}: its ends")
            continue
        if i * n + j in seen or (not link.directed and j * n + i in seen):
            raise BadInput(f"there are two links from {link.a} to {link.b}; one is enough")
        seen.add(i * n + j)
        if not link.directed:
            seen.add(j * n + i)


def check_timing(network: Network) -> None:
    need_distribution(network.delay, "the delay of a network")
    need_order(network.order, "the order of a network")
    for rate in RATES:
        need_share(getattr(network, rate), f"the {rate} of a network")
    for name, delay in network.classes.items():
        need_distribution(delay, f"the delay of the class of links {shown(name)}")
    if network.step is not None:
        need_distribution(network.step, "the length of a step")
    for name, step in network.steps.items():
        _known(network, name, "lengths of steps")
        need_distribution(step, f"the length of a step of process {name}")
    for name, drift in network.drifts.items():
        _known(network, name, "drifts of clocks")
        need_drift(drift, f"the drift of the clock of process {name}")
