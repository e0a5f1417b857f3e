"""The effects of a click with each tool."""

from __future__ import annotations

from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.gestures.base import Hit, Surface, Touch, snap
from lydian.language import tr
from lydian.model.editing.links import Pair, set_link
from lydian.model.editing.processes import add_process
from lydian.model.network import Network

__all__ = ["add_outage", "choose", "fail", "put_process"]

#: The time for which a link is up before each added outage, and the length of an added outage.
UP, DOWN = 2.0, 1.0


def choose(board: Board, hit: Hit | None, touch: Touch) -> None:
    """Select the clicked process or link; Ctrl or Shift adds it to the selection or removes it."""
    more = touch.ctrl or touch.shift
    if hit is None:
        if not more:
            board.choose(Chosen())
        return
    chosen = Chosen(frozenset({hit.name})) if hit.pair is None else Chosen(links=frozenset({hit.pair}))
    board.choose(chosen, toggle=more)


def put_process(surface: Surface, touch: Touch) -> str | None:
    """Add a process at the place to which the pointer snaps, and return its name."""
    place = snap(surface, touch, touch.x, touch.y)
    board = surface.board
    after, name = add_process(board.network, (place.x, place.y))
    if not board.do(tr("Add process {process}", process=name), lambda _network: after):
        return None
    board.choose_processes([name])
    return name


def fail(board: Board, pair: Pair) -> bool:
    """Add an outage of one unit of time to a link, after its other outages."""
    return board.do(
        tr("Add an outage of link {process}-{neighbour}", process=pair[0], neighbour=pair[1]),
        lambda network: add_outage(network, pair),
        choose=Chosen(links=frozenset({pair})),
    )


def add_outage(network: Network, pair: Pair) -> Network:
    """Return the network with one more outage of a link, after its other outages."""
    outages = next(link.outages for link in network.links if (link.a, link.b) == pair)
    start = max((end for _, end in outages), default=0.0) + UP
    return set_link(network, [pair], outages=(*outages, (start, start + DOWN)))
