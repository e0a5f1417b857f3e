"""What the drawing board shows, in words: for a screen reader."""

from __future__ import annotations

from lydian.app.editor.board import Board
from lydian.views.words.words import plural

__all__ = ["words"]

#: So many names are read out.
SOME = 8


def words(board: Board) -> str:
    """ "Network metro: 14 processes, 20 links. Process 4 is chosen: initiator, links to 1, 3." """
    network, chosen = board.network, board.chosen
    if not network.n:
        return "The board is empty: press P and Enter to put a process, or choose a picture at the left."
    text = f"Network {network.name}: {plural(network.n, 'process')}, {plural(network.m, 'link')}."
    processes = board.chosen_processes()
    if len(processes) == 1 and not chosen.links:
        name = processes[0]
        what = ["initiator"] if name in network.initiators else []
        others = network.neighbours(name)
        more = f" and {len(others) - SOME} more" if len(others) > SOME else ""
        what.append(f"links to {', '.join(others[:SOME])}{more}" if others else "no links")
        return f"{text} Process {name} is chosen: {', '.join(what)}."
    if len(chosen.links) == 1 and not processes:
        a, b = next(iter(chosen.links))
        link = network.link_between(a, b)
        if link is not None:
            way = "one way" if link.directed else "both ways"
            mean = network.delay_of(link).mean
            return f"{text} Link {a}-{b} is chosen: {way}, mean delay {mean:.3g}."
    if chosen:
        parts = [
            plural(len(some), noun) for some, noun in ((processes, "process"), (chosen.links, "link")) if len(some)
        ]
        return f"{text} {' and '.join(parts)} chosen."
    return f"{text} Nothing is chosen."
