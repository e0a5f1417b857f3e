"""The gesture that draws a link from a process to another, or to an empty place, where a process is added."""

from __future__ import annotations

from lydian.app.network.board.board import Chosen
from lydian.app.network.gestures.base import Gesture, Overlay, Surface, Tip, Touch, snap
from lydian.language import tr
from lydian.model.editing.links import Pair, add_link
from lydian.model.editing.processes import add_process
from lydian.model.network import Network
from lydian.views.network.snapping import Guide

__all__ = ["DrawLink", "joined"]


class DrawLink(Gesture):
    """A gesture that draws a link from a process; with Shift the link is one-way.

    Args:
        name: the process where the link begins.
        lasting: whether the gesture was begun by a click or a key, and continues until the next click.
    """

    cursor = "cross"

    def __init__(self, surface: Surface, name: str, *, lasting: bool = False) -> None:
        super().__init__(surface)
        self.name = name
        self.lasting = lasting
        self._target: str | None = None

    @property
    def target(self) -> str | None:
        """The process at which the link would end now."""
        return self._target

    def start(self, touch: Touch) -> None:
        self.move(touch)

    def move(self, touch: Touch) -> None:
        hit = self.surface.hit(touch.sx, touch.sy)
        target = hit.name if hit is not None and hit.kind in ("process", "rim") else None
        self._show(touch, target)

    def aim(self, target: str, *, directed: bool = False) -> None:
        """Aim the link at a process by the keyboard."""
        x, y = _place(self.board.network, target)
        self._show(Touch(x, y, shift=directed), target, keys=True)

    def _show(self, touch: Touch, target: str | None, *, keys: bool = False) -> None:
        network = self.board.network
        begin = _place(network, self.name)
        end, new = (touch.x, touch.y), None
        guides: tuple[Guide, ...] = ()
        arrow = "→" if touch.shift else "–"
        how = tr("Enter to add, Esc to cancel") if keys else tr("release to add, Esc to cancel")
        if self.lasting and not keys:
            how = tr("click to add, Esc to cancel")
        if target == self.name:
            title, how = tr("Link from {process}", process=self.name), tr("drag to another process")
        elif target is not None:
            end = _place(network, target)
            title = tr("New link {link}", link=f"{self.name}{arrow}{target}")
            old = network.link_between(self.name, target)
            if old is not None and (touch.shift or not old.directed):
                title = tr("{process} already has a link to {neighbour}", process=self.name, neighbour=target)
                how = tr("nothing to add")
            elif network.link_between(target, self.name) is not None:
                title = tr("Make link {process}–{neighbour} two-way", process=target, neighbour=self.name)
        else:
            place = snap(self.surface, touch, touch.x, touch.y)
            end = new = (place.x, place.y)
            guides = place.guides
            title = tr("New process, linked to {process}", process=self.name)
        self._target = target if target != self.name else None
        tip = Tip(title, how, (touch.x, touch.y))
        self.overlay = Overlay(
            line=(begin, end), directed=touch.shift, target=self._target, new=new, guides=guides, tip=tip
        )

    def finish(self, touch: Touch) -> None:
        self.move(touch)
        self.join(self._target, directed=touch.shift)

    def join(self, target: str | None, *, directed: bool = False) -> None:
        """Add the link, or the process and the link, that the preview shows."""
        board, name = self.board, self.name
        if target is not None:
            arrow = "->" if directed else "-"
            if board.do(
                tr("Add link {link}", link=f"{name}{arrow}{target}"),
                lambda network: add_link(network, name, target, directed),
            ):
                board.choose(Chosen(links=frozenset(_pair(board.network, name, target))))
        elif self.overlay.new is not None:
            at = self.overlay.new
            made: list[str] = []

            def edit(network: Network) -> Network:
                grown, new = joined(network, name, at, directed)
                made.append(new)
                return grown

            if board.do(tr("Add a process with a link to {process}", process=name), edit):
                board.choose_processes(made)


def joined(network: Network, name: str, at: tuple[float, float], directed: bool = False) -> tuple[Network, str]:
    """Add a process at a place with a link from another; return the network and the name of the new process."""
    grown, new = add_process(network, at)
    return add_link(grown, name, new, directed), new


def _place(network: Network, name: str) -> tuple[float, float]:
    x, y = network.coordinates[network.index[name]].tolist()
    return x, y


def _pair(network: Network, a: str, b: str) -> list[Pair]:
    """Return the pair of the link between two processes as the network has it, or none."""
    found = (network.link_between(a, b), network.link_between(b, a))
    return [(link.a, link.b) for link in found if link is not None][:1]
