"""A game against an algorithm in a separate process: ``python -m lydian.engine.adversary.serve``.

Input and output consist of the frames of :mod:`lydian.engine.wire`: a ``play`` is read, and a ``partial`` with the run
before the first step is written. Each ``look`` is answered by a ``partial`` with the position, also during the search,
when the distances are still unknown. ``progress`` is written during the search, and a ``partial`` with what is known at
its end. ``stop`` ends the search; the process ends with its input.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from lydian.engine.explorer.result import Progress as Searched
from lydian.engine.serve import bounded, channels, requested
from lydian.engine.simulator import ACTION_SECONDS
from lydian.engine.wire import Bye, Error, Frame, Look, Partial, Play, Progress, Refused, Stop, encode, frames
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import LydianError
from lydian.model.goal.goal import from_table

__all__ = ["main", "play"]

Inbox = queue.Queue[Frame | Refused | None]


def play(wanted: Play, inbox: Inbox, say: Callable[[Frame], None]) -> int:
    """Search, and answer questions about positions until the input ends; return the exit code."""
    try:
        with bounded(ACTION_SECONDS, None):
            _play(wanted, inbox, say)
    except LydianError as error:
        say(Error(str(error), error.exit_code))
        return error.exit_code
    except MemoryError:
        say(Error("There is not enough memory for this game; choose a smaller network.", 1))
        return 1
    say(Bye())
    return 0


def _play(wanted: Play, inbox: Inbox, say: Callable[[Frame], None]) -> None:
    from lydian.engine.adversary.game import Game

    file = None if wanted.folder is None else Path(wanted.folder) / f"{wanted.name}.toml"
    goal = from_table(wanted.goal, wanted.name, file)
    over = False
    asked: list[int] | None = None

    def answer(frame: Frame | Refused | None) -> None:
        nonlocal over, asked
        if frame is None or isinstance(frame, Bye):
            over = True
            game.cancel()
        elif isinstance(frame, Stop):
            game.cancel()
        elif isinstance(frame, Look):
            asked = [int(each) for each in frame.path]
            say(Partial({"position": game.look(asked).to_dict()}))
        elif isinstance(frame, Refused):
            say(Error(str(frame)))

    def tell(at: Searched) -> None:
        say(Progress(asdict(at)))
        while not inbox.empty():
            answer(inbox.get())
        if asked is not None and not over:
            say(Partial({"position": game.look(asked).to_dict()}))  # the bound has improved

    game = Game(goal, states=wanted.states, seconds=wanted.seconds, memory=wanted.memory, progress=tell)
    say(Partial({"ready": game.experiment.to_dict()}))
    say(Partial({"position": game.look(()).to_dict()}))
    known = game.search()
    say(Partial({"known": known.to_dict()}))
    if asked is not None and not over:
        say(Partial({"position": game.look(asked).to_dict()}))
    while not over:
        answer(inbox.get())


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Play one game and return the exit code."""

    def say(frame: Frame) -> None:
        out.write(encode(frame))
        out.flush()

    heard = frames(source)
    request, code = requested(heard, say, Play)
    if request is None:
        return code
    inbox: Inbox = queue.Queue()

    def listen() -> None:
        for frame in heard:
            inbox.put(frame)
        inbox.put(None)

    Aside(listen, "lydian-listen").start()
    return play(request, inbox, say)


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
