"""The shortening of a run in a separate process: ``python -m lydian.engine.shorten.serve``.

Input and output consist of the frames of :mod:`lydian.engine.wire`: a ``shorten`` is read, ``progress`` is written for
each shorter run, and a ``result`` at the end. ``stop`` ends the work, and the shortest run so far is the result.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import BinaryIO

from lydian.engine.serve import answered, bounded, channels
from lydian.engine.simulator import ACTION_SECONDS
from lydian.engine.wire import Bye, Error, Frame, Progress, Result, Shorten
from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import from_dict

__all__ = ["main"]


def answer(wanted: Shorten, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    """Shorten a run, and report the progress and the result."""
    from lydian.engine.shorten.shorten import shorten

    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True

    stoppable(stop)
    try:
        experiment = from_dict(wanted.experiment)
        if wanted.folder is not None:
            experiment = experiment.beside(wanted.folder)
        with bounded(ACTION_SECONDS, None):
            found = shorten(
                experiment, wanted.property, seconds=wanted.seconds,
                progress=lambda size: say(Progress(asdict(size))), stopped=lambda: stopped,
            )  # fmt: skip
        told = {name: asdict(getattr(found, name)) for name in ("failing", "before", "after")}
        say(Result({**told, "runs": found.runs, "complete": found.complete}, experiment=found.experiment.to_dict()))
    except LydianError as error:
        say(Error(str(error), error.exit_code))
    except MemoryError:
        say(Error("There is not enough memory to shorten this run.", 1))
    say(Bye())


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer one request and return the exit code."""
    return answered(source, out, Shorten, answer)


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
