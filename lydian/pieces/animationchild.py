"""Animations that did not come with this program, each read in a process of its own.

An animation is a Python file that says how a protocol is drawn.  Whatever else it does, an endless loop or the end of
its program, it does in a child process; what comes back is what it declares, as plain data.

``python -m lydian.pieces.animationchild`` reads a list of a path, of seconds and of a run of which something is to be
derived, or null, and answers, each a line of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from lydian.model.childprocess import follow_parent, start
from lydian.model.errors import BadInput
from lydian.pieces.derived import Derived, Worker

__all__ = ["decoded", "encoded", "read_apart"]

#: Seconds that the file may take, and those that its process may take in all.
SECONDS, PATIENCE = 2.0, 15.0


def read_apart(path: Path) -> Any:
    """The animation that a file declares, found out in a process of its own.

    Raises:
        BadInput: the file cannot be read, fails, hangs, ends its process, or declares what cannot be drawn.
    """
    return decoded(_asked(path)["found"])


def _asked(path: Path, run: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer of a process that reads an animation, and derives something of a run if it is given one."""
    child = start("-m", "lydian.pieces.animationchild")
    try:
        out, _ = child.communicate(json.dumps([str(path.absolute()), SECONDS, run]).encode() + b"\n", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise BadInput("the animation does not come to an end; is there an endless loop?", file=path) from None
    try:
        told = json.loads(out)
    except ValueError:
        code = child.returncode
        what = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise BadInput(f"the animation ends its program ({what}); such a file only declares", file=path) from None
    if "what" in told:
        raise BadInput(told["what"], file=path, place=told["place"])
    return dict(told)


def derive_apart(
    path: str, names: list[str], about: dict[str, Any], rows: list[Any]
) -> tuple[list[dict[str, Any]], list[tuple[int, dict[str, Any]]]]:
    """What the functions of an animation derive (see :class:`~lydian.pieces.derived.Worker`), in another process.

    Returns:
        The derived values of each process before the first event; and event by event those that it changes.

    Raises:
        BadInput: as for :func:`read_apart`.
    """
    told = _asked(Path(path), {"names": names, "about": about, "rows": rows})
    return told["first"], [(seq, changed) for seq, changed in told["changes"]]


def encoded(value: Any) -> Any:
    """What an animation declares as data that JSON can hold; of a function only its name."""
    if isinstance(value, Derived):
        return {"class": "Derived", "fields": {"name": value.name, "several": value.several, "path": value.path}}
    if is_dataclass(value) and not isinstance(value, type):
        told = {each.name: encoded(getattr(value, each.name)) for each in fields(value) if each.init}
        return {"class": type(value).__name__, "fields": told}
    if isinstance(value, dict):
        return {"pairs": [[encoded(key), encoded(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return [encoded(item) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise BadInput(f"{value!r:.60} is no plain data; an animation declares texts, numbers, tuples and dicts")


def decoded(told: Any) -> Any:
    """What :func:`encoded` made data of; sequences are tuples.

    Raises:
        BadInput: it is no such data, or declares what cannot be drawn.
    """
    from lydian.pieces import animation

    if isinstance(told, list):
        return tuple(decoded(each) for each in told)
    if not isinstance(told, dict):
        return told
    if "pairs" in told:
        return {decoded(key): decoded(item) for key, item in told["pairs"]}
    cls = getattr(animation, told["class"], None)
    if not is_dataclass(cls):
        raise BadInput(f"{told['class']!r} is nothing that an animation declares")
    made: Any = cls
    return made(**{name: decoded(item) for name, item in told["fields"].items()})


def _answer(path: Path, seconds: float, run: dict[str, Any] | None) -> dict[str, Any]:
    from lydian.engine.serve import bounded
    from lydian.model.limits import OutOfTime, time_limit, usual_memory
    from lydian.pieces.animation import load_animation

    try:
        with bounded(seconds, usual_memory()), time_limit(seconds, str(path)), contextlib.redirect_stdout(sys.stderr):
            animation = load_animation(path)
            return {"found": encoded(animation)} if run is None else _derived(animation.derived, run)
    except BadInput as error:
        return {"what": error.what, "place": error.place}
    except OutOfTime:
        return {"what": f"the animation ran for {seconds:g} s; is there an endless loop?", "place": None}
    except (SystemExit, KeyboardInterrupt):
        return {"what": "the animation ends its program; such a file only declares", "place": None}


def _derived(known: tuple[Derived, ...], run: dict[str, Any]) -> dict[str, Any]:
    worker = Worker([each for each in known if each.name in run["names"]], run["about"])
    first = [dict(each) for each in worker.first]
    return {"first": first, "changes": [[row[0], changed] for row in run["rows"] if (changed := worker.step(row))]}


def main() -> None:
    """Answer one request."""
    from lydian.engine.serve import channels

    follow_parent()
    source, out = channels()
    path, seconds, run = json.loads(source.readline())
    text = json.dumps(_answer(Path(path), seconds, run))
    out.write(text.encode())
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
