"""A separate program beside the window that runs protocols in the archive and draws a small picture of each.

It reads one request per line (JSON) and answers each with a line. Protocols run here and not in the window, which ends
this program if it does not answer.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError

__all__ = ["SIZE", "experiments_for", "main", "typical"]

#: The width and height of a picture, in units of the screen; a picture has twice as many pixels.
SIZE = (288, 180)
#: The canvas is this much larger than the picture, so that processes do not look too large in it.
_WIDER = 1.6
#: The number of events after which a run is stopped: it only serves as a preview.
EVENTS = 4_000
#: The networks that are tried for a protocol without an experiment, with their initiators.
_NETWORKS = (
    "two-wings", "ring-8", "one-way-ring-5", "complete-6", "tree-15", "wave-tree-12", "star-8",
    "anonymous-ring-6", "anonymous-one-way-ring-6", "line-5",
)  # fmt: skip


def main() -> int:
    """Answer requests until there are no more."""
    follow_parent()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Output of a protocol must not mix with the answers.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from lydian.app.pictures.render import ensure_application

    ensure_application()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            _answer(request)
            problem = ""
        except Exception as error:  # noqa: BLE001 - whatever a protocol does, the next one is drawn
            problem = str(error) or type(error).__name__
        out.write(json.dumps({"name": request["name"], "problem": problem}).encode() + b"\n")
        out.flush()
    return 0


def _answer(request: dict[str, Any]) -> None:
    from lydian.trace.parquet.reader import load
    from lydian.trace.timeline import Timeline

    run, picture = Path(request["run"]), Path(request["picture"])
    if not run.is_file():
        _run(request, run)
    timeline = Timeline(load(run))
    draw(timeline, request["look"], picture)


def _run(request: dict[str, Any], path: Path) -> None:
    """Run the experiment, or the protocol on the first network that suits it, and save the trace."""
    from lydian.engine.simulator import Simulator
    from lydian.model.archive.archive import archive
    from lydian.trace.parquet.file import save

    why: LydianError | None = None
    for experiment in experiments_for(request):
        try:
            simulator = Simulator(experiment.resolve(archive()))
        except LydianError as error:  # This network does not suit the protocol.
            why = why or error
            continue
        simulator.run()
        _beside(path, lambda part: save(simulator.trace, part))  # noqa: B023 - called at once
        return
    raise why or AssertionError


def experiments_for(request: dict[str, Any]) -> Any:
    """Return the requested experiment, shortened; or one for each network on which a protocol might run."""
    from lydian.model.experiment.experiment import Experiment, Stop, from_dict, read
    from lydian.model.network import Timing

    if request["experiment"] or request.get("given"):
        if request.get("given"):
            found = from_dict(json.loads(request["given"]))
            if request["experiment"]:
                found = found.beside(Path(request["experiment"]).parent)
        else:
            found = read(Path(request["experiment"]))
        events = min(found.stop.events, EVENTS)
        yield found.with_(stop=replace(found.stop, events=events), branches=(), check=False)
        return
    for order, everybody, network in itertools.product((None, "fifo"), (False, True), _NETWORKS):
        timing = Timing(order=order) if order else Timing()
        if everybody:
            from lydian.model.archive.archive import archive

            timing = replace(timing, initiators=tuple(archive().network(network).processes))
        yield Experiment(
            name=f"{request['name']} on {network}", protocol=request["protocol"], network=network, seed=1,
            timing=timing, stop=Stop(events=EVENTS), check=False,
        )  # fmt: skip


def typical(timeline: Any) -> float:
    """Return an interesting moment: messages in transit, processes in different states, past the beginning."""
    import numpy as np

    length = len(timeline.time)
    if not length:
        return 0.0
    best = (-1.0, 0.0)
    for share in np.linspace(0.2, 0.8, 25):
        k = max(1, int(length * share))
        before = float(timeline.time[k - 1])
        after = float(timeline.time[k]) if k < length else before
        t = before + 0.45 * (after - before)
        states = len(set(timeline.states_at(k).tolist()))
        flying = min(len(timeline.in_flight(k, t)), 6)
        best = max(best, (2.5 * states + flying, t))
    return best[1]


def draw(timeline: Any, look: str, path: Path) -> None:
    """Draw the network at a typical moment as a PNG file."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.painters.network.basic import BasicPainter
    from lydian.pieces.animation import animation_for
    from lydian.views.network import basic

    theme = Theme(look)
    wide, high = (side * _WIDER for side in SIZE)
    image = QImage(SIZE[0] * 2, SIZE[1] * 2, QImage.Format.Format_RGB32)
    image.fill(theme.color("surface.canvas"))
    frame = basic.frame(timeline, typical(timeline), animation=animation_for(timeline.trace))
    frame = replace(frame, legend=(), watch=())
    painter = QPainter(image)
    try:
        painter.scale(2 / _WIDER, 2 / _WIDER)
        BasicPainter(theme).paint(painter, QRectF(0, 0, wide, high), frame)
    finally:
        painter.end()

    def write(part: Path) -> None:
        if not image.save(str(part), "PNG"):  # type: ignore[call-overload]  # a text, whatever the stubs say
            raise OSError(f"{part} cannot be written")

    _beside(path, write)


def _beside(path: Path, write: Any) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
