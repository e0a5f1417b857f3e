"""A search of all schedules, or of random ones, in a separate process: ``python -m lydian.engine.explorer.serve``.

Input and output consist of the frames of :mod:`lydian.engine.wire`: a ``search`` is read, ``progress`` is written
during the search and a ``result`` at its end. ``stop`` ends the search, and the findings so far are reported. The
process ends with its input, since this means that the program that requested the search has ended.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import BinaryIO

from lydian.engine.serve import answered, bounded, channels
from lydian.engine.simulator import ACTION_SECONDS
from lydian.engine.wire import Bye, Error, Frame, Progress, Result, Search
from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import from_dict

__all__ = ["main", "search"]

#: The default bound on the number of configurations.
STATES = 1_000_000


def search(wanted: Search, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    """Search all schedules, and report the progress and the result.

    Args:
        wanted: the request.
        say: a function that sends a frame.
        stoppable: a function that is called before the search begins, with a function that ends it.
    """
    try:
        _search(wanted, say, stoppable)
    except LydianError as error:
        say(Error(str(error), error.exit_code))
    except MemoryError:
        say(Error("There is not enough memory for this search; choose a smaller network or bound the search.", 1))
    say(Bye())


def _search(wanted: Search, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    from lydian.engine.explorer.search import Explorer
    from lydian.engine.explorer.walk import DEPTH, Walk
    from lydian.engine.explorer.walks import Walks

    def report(at: object) -> None:
        say(Progress(vars(at).copy()))

    experiment = from_dict(wanted.experiment)
    if wanted.folder is not None:  # names of files are relative to it, as in an experiment file
        experiment = experiment.beside(wanted.folder)
    with bounded(ACTION_SECONDS, None):
        search: Explorer | Walks
        if wanted.walk is not None:
            walk = Walk(
                seed=experiment.seed,
                depth=DEPTH if wanted.depth is None else wanted.depth,
                crashes=wanted.crashes,
                losses=wanted.losses,
                late_starts=wanted.late_starts,
                patient=wanted.patient,
                priorities=wanted.priorities,
            )
            search = Walks(experiment, wanted.walk, walk, seconds=wanted.seconds, progress=report)
        else:
            search = Explorer(
                experiment,
                crashes=wanted.crashes,
                losses=wanted.losses,
                late_starts=wanted.late_starts,
                patient=wanted.patient,
                reduced=True,
                depth=wanted.depth,
                states=wanted.states or STATES,
                seconds=wanted.seconds,
                memory=wanted.memory,
                workers=wanted.workers,
                progress=report,
            )
        stoppable(search.cancel)
        result = search.run()
    examples = [
        None if each.counterexample is None else each.counterexample.experiment.to_dict() for each in result.findings
    ]
    say(Result(result.to_dict(), examples=examples))


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer one request and return the exit code."""
    return answered(source, out, Search, search)


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
