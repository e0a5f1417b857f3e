"""What an experiment sets of a network's timing, as far as it concerns what is shown.  No Qt."""

from __future__ import annotations

from lydian.app.editor.board import Board
from lydian.app.editor.edits import plain
from lydian.model.delays import Distribution
from lydian.model.editing.links import Pair
from lydian.model.errors import BadInput
from lydian.model.network import RATES, Timing

__all__ = ["network_part", "selection_part", "told"]


def network_part(timing: Timing, board: Board) -> Timing:
    """What it sets for the network as a whole, and for classes."""
    return Timing(
        delay=timing.delay,
        order=timing.order,
        **{rate: getattr(timing, rate) for rate in RATES},
        step=timing.step,
        classes=timing.classes,
        initiators=timing.initiators,
    )


def selection_part(timing: Timing, board: Board) -> Timing:
    """What it sets for the chosen links and processes, or for what they take over from the network or a class."""
    links, names = board.chosen_links(), board.chosen_processes()
    pairs = {(link.a, link.b) for link in links}
    classes = {link.klass for link in links if link.delay is None}
    inherit = any(link.delay is None and link.klass not in {*board.network.classes, *timing.classes} for link in links)
    return Timing(
        delay=timing.delay if inherit else None,
        order=timing.order if any(link.order is None for link in links) else None,
        **{rate: getattr(timing, rate) for rate in RATES if any(getattr(link, rate) is None for link in links)},
        step=timing.step if any(name not in board.network.steps for name in names) else None,
        links={text: law for text, law in timing.links.items() if _pair(board, text) in pairs},
        classes={name: law for name, law in timing.classes.items() if name in classes},
        steps={name: law for name, law in timing.steps.items() if name in names},
        drifts={name: drift for name, drift in timing.drifts.items() if name in names},
    )


def told(timing: Timing) -> str:
    """What a timing sets, in sentences, one a line; empty for nothing."""
    lines: list[str] = []

    def law(what: str, value: Distribution | None) -> None:
        if value is not None:
            lines.append(f"The experiment sets {what}: {value.short}")

    law("the delay", timing.delay)
    for name, value in timing.classes.items():
        law(f"the delay of {name}", value)
    for text, value in timing.links.items():
        law(f"the delay of {text}", value)
    if timing.order is not None:
        words = {"fifo": "first in, first out", "unordered": "any"}[timing.order]
        lines.append(f"The experiment sets the order of messages: {words}")
    shares = ((rate, getattr(timing, rate)) for rate in RATES)
    lines += [f"The experiment sets the {rate}: {plain(share):g} %" for rate, share in shares if share is not None]
    law("the time for a step", timing.step)
    for name, value in timing.steps.items():
        law(f"the time for a step of {name}", value)
    for name, drift in timing.drifts.items():
        lines.append(f"The experiment sets the clock of {name}: {plain(drift - 1):+g} %")
    if timing.initiators is not None:
        lines.append(f"The experiment sets who starts: {_starting(timing)}")
    return "\n".join(lines)


def _starting(timing: Timing) -> str:
    if timing.initiators == "all":
        return "every process"
    return ", ".join(timing.initiators or ()) or "no process"


def _pair(board: Board, text: str) -> Pair | None:
    """The link that an experiment names, by its processes as the network has them."""
    network = board.network
    try:
        a, b = network.parse_link(text)
    except BadInput:
        return None
    link = network.link_between(a, b)
    return None if link is None else (link.a, link.b)
