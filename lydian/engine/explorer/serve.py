"""All schedules, searched in a process of its own: ``python -m lydian.engine.explorer.serve``.

Both channels carry lines of JSON.  The first line in asks for a search::

    {"experiment": {...}, "folder": "/where/its/files/are" or null, "crashes": 1, "losses": 0, "late_starts": false,
     "patient": false, "depth": null, "states": 1000000, "seconds": 60, "memory": null}

Everything but the experiment may be left out, and means what it means to
:class:`~lydian.engine.explorer.search.Explorer`.
While the search goes on, ``{"stop": true}`` ends it, and what was found until then is told.  The end of the input ends
the process: whoever wanted to know is gone.  Out come, in between and at last::

    {"progress": {"configurations": 5000, "waiting": 1200, "edges": 9000, "depth": 7}}
    {"result": {...}, "examples": [{...}, null]}     what ``lydian explore --json`` prints; an experiment a finding
    {"error": "..."}
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, TextIO

from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import BadInput, LydianError, shown

__all__ = ["main", "search"]

#: Configurations at most, if the request does not say.
STATES = 1_000_000
#: Whole numbers of a request, and the least of each.
_WHOLE = {"crashes": 0, "losses": 0, "depth": 0, "states": 1, "memory": 1}


def search(request: Any, more: Iterable[str], out: TextIO) -> None:
    """Search, and tell how far it is and what was found.

    Args:
        request: the first line, read.
        more: further lines; they are read in a thread.
        out: where lines go.
    """

    def say(**what: Any) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    try:
        _search(request, more, say)
    except LydianError as error:
        say(error=str(error))
    except MemoryError:
        say(error="There is not enough memory for this search; take a smaller network, or bound it.")


def _search(request: Any, more: Iterable[str], say: Any) -> None:
    from lydian.engine.explorer.search import Explorer
    from lydian.engine.serve import bounded
    from lydian.engine.simulator import ACTION_SECONDS
    from lydian.model.experimentfile import from_dict

    if not isinstance(request, dict):
        raise BadInput(f"a request is an object with an experiment, not {shown(request)}")
    experiment = from_dict(request.get("experiment"))
    folder = request.get("folder")
    if folder is not None:  # names of files are relative to it, as in an experiment file that lies there
        experiment = experiment.beside(folder)
    bounds = {name: _whole(request, name, least) for name, least in _WHOLE.items()}
    bounds["states"] = bounds["states"] or STATES
    seconds = request.get("seconds")
    if seconds is not None and not (type(seconds) in (int, float) and 0 < seconds < float("inf")):
        raise BadInput(f"seconds of a request is a number above 0, not {shown(seconds)}")
    with bounded(ACTION_SECONDS, None):
        explorer = Explorer(
            experiment,
            late_starts=bool(request.get("late_starts")),
            patient=bool(request.get("patient")),
            seconds=seconds,
            progress=lambda at: say(progress=asdict(at)),
            **bounds,
        )

    def listen() -> None:
        for line in more:
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                if isinstance(said, dict) and said.get("stop"):
                    explorer.cancel()
        os._exit(1)

    Aside(listen, "lydian-listen").start()
    with bounded(ACTION_SECONDS, None):
        result = explorer.run()
    examples = [
        None if each.counterexample is None else each.counterexample.experiment.to_dict() for each in result.findings
    ]
    say(result=result.to_dict(), examples=examples)


def _whole(request: dict[str, Any], name: str, least: int) -> int | None:
    value = request.get(name)
    if value is not None and not (type(value) is int and value >= least):
        raise BadInput(f"{name} of a request is a whole number from {least} on, not {shown(value)}")
    return value


def main() -> None:
    """Answer one request."""
    out = sys.stdout
    line = sys.stdin.readline()
    if not line:
        return
    try:
        request = json.loads(line)
    except ValueError:
        request = None
    with contextlib.redirect_stdout(sys.stderr):  # a protocol may print
        search(request, sys.stdin, out)
    out.flush()
    os._exit(0)  # the thread that listens waits for a line that need not come


if __name__ == "__main__":
    follow_parent()
    main()
