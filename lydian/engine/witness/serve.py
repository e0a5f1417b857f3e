"""The search for witnesses in a separate process: ``python -m lydian.engine.witness.serve``.

Input and output consist of the frames of :mod:`lydian.engine.wire`: a ``witness`` is read, ``progress`` is written
during the work, a ``partial`` for each assumption, and a ``result`` at the end. ``stop`` ends the work; the assumption
that is being tried then stays open.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import BinaryIO

from lydian.engine.serve import answered, bounded, channels
from lydian.engine.simulator import ACTION_SECONDS
from lydian.engine.wire import Bye, Error, Frame, Partial, Progress, Result, Witness
from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import from_dict

__all__ = ["main"]


def answer(wanted: Witness, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    """Try the assumptions, and report the progress, each answer and the result."""
    from lydian.engine.witness.search import Relying

    stopped = False
    relying: Relying | None = None

    def stop() -> None:
        nonlocal stopped
        stopped = True
        if relying is not None:
            relying.stop()

    stoppable(stop)
    try:
        experiment = from_dict(wanted.experiment)
        if wanted.folder is not None:
            experiment = experiment.beside(wanted.folder)
        with bounded(ACTION_SECONDS, None):
            relying = Relying(experiment, seconds=wanted.seconds, progress=lambda at: say(Progress(asdict(at))))
            for name in [each.name for each in relying.needs] if wanted.needs is None else wanted.needs:
                if stopped:
                    break
                say(Partial(relying.look(str(name)).to_dict()))
            if not stopped:
                relying.control()
        processes, configurations = relying.controlled
        say(Result({"timing": relying.timing, "processes": processes, "configurations": configurations}))
    except LydianError as error:
        say(Error(str(error), error.exit_code))
    except MemoryError:
        say(Error("There is not enough memory to try this assumption.", 1))
    say(Bye())


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer one request and return the exit code."""
    return answered(source, out, Witness, answer)


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
