"""A program that reads an animation from outside LYDIAN, in a process of its own.

``python -m lydian.pieces.animationchild`` reads one line of JSON: a list of a path, a number of seconds, and a run from
which variables are to be derived, or null. It answers with one line of JSON (:func:`lydian.pieces.derived.asked` calls
it).
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from lydian.engine.serve import bounded, channels
from lydian.model.childprocess import follow_parent
from lydian.model.errors import BadInput
from lydian.model.limits import OutOfTime, time_limit, usual_memory
from lydian.pieces.animation import encoded, load_animation
from lydian.pieces.derived import Derived, Worker


def _answer(path: Path, seconds: float, run: dict[str, Any] | None) -> dict[str, Any]:
    try:
        with bounded(seconds, usual_memory()), time_limit(seconds, str(path)), contextlib.redirect_stdout(sys.stderr):
            animation = load_animation(path)
            return {"found": encoded(animation)} if run is None else _derived(animation.derived, run)
    except BadInput as error:
        return {"what": error.what, "place": error.place}
    except OutOfTime:
        return {"what": f"the animation ran for {seconds:g} s; is there an endless loop?", "place": None}
    except (SystemExit, KeyboardInterrupt):
        return {"what": "the animation exits its program; it must contain only declarations", "place": None}


def _derived(known: tuple[Derived, ...], run: dict[str, Any]) -> dict[str, Any]:
    worker = Worker([each for each in known if each.name in run["names"]], run["about"])
    first = [dict(each) for each in worker.first]
    return {"first": first, "changes": [[row[0], changed] for row in run["rows"] if (changed := worker.step(row))]}


def main() -> None:
    """Answer one request."""
    follow_parent()
    source, out = channels()
    path, seconds, run = json.loads(source.readline())
    text = json.dumps(_answer(Path(path), seconds, run))
    out.write(text.encode())
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
