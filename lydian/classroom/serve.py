"""The process that hosts a class for a window: ``python -m lydian.classroom.serve``.

It reads a ``host`` request and then the host's frames from standard input, one on each line, and sends to standard
output what the host may see.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.classroom import frames
from lydian.classroom.frames import REQUESTS, Host
from lydian.classroom.host import HostOfClass, Listener
from lydian.classroom.naming import BadName, code_for, proper_code
from lydian.engine import wire
from lydian.engine.wire import Refused, accepted, decode
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import from_dict

if TYPE_CHECKING:
    from lydian.classroom.server import Server

__all__ = ["ENTRY", "made", "main"]

#: The entry point of the process.
ENTRY = ("-m", "lydian.classroom.serve")
_TYPES = accepted(REQUESTS)


async def made(request: Host) -> HostOfClass:
    """Return the class that is requested, with its simulator started.

    Raises:
        LydianError: it cannot be hosted.
    """
    clock = asyncio.get_running_loop().time
    try:
        code = proper_code(request.code) if request.code else ""
    except BadName as error:
        raise BadInput(str(error)) from None
    file = Path(request.file) if request.file else None
    if request.resume:
        if file is None:
            raise BadInput("a class to resume needs its file")
        return await HostOfClass.resumed(file, clock=clock, code=code)
    if request.experiment:
        experiment = from_dict(request.experiment)
        experiment = experiment if request.folder is None else experiment.beside(request.folder)
    else:
        from lydian.classroom.games import GAMES
        from lydian.model.archive.archive import archive

        if request.game not in GAMES or not request.game:
            raise BadInput("a class needs an experiment or a game")
        experiment = archive().experiment(GAMES[request.game].experiment)
        experiment = GAMES[request.game].adapted(experiment, experiment.resolve().network.n)
    code = code or code_for(request.game or Path(experiment.protocol).stem)
    host = HostOfClass(experiment, request.game, code, clock=clock, file=file)
    await host.start()
    return host


async def served(request: Host, inbox: asyncio.Queue[bytes | None], say: Callable[[bytes], None]) -> int:
    """Host a class until it is over; return the exit code."""
    try:
        host = await made(request)
        try:
            server = await _listening(host, request)
        except LydianError:
            await host.close()
            raise
    except LydianError as error:
        say(wire.encode(wire.Error(str(error), error.exit_code)))
        return error.exit_code
    listener = host.join(frames.Join(), trusted="host")
    living = asyncio.create_task(host.live())
    writing = asyncio.create_task(_write(host, listener, say))
    try:
        await _read(host, listener, inbox, request.stay)
        await living
    finally:
        host.over.set()
        host.save()
        host.part()
        writing.cancel()
        await asyncio.gather(living, writing, return_exceptions=True)
        if listener.queue:
            say(listener.take(host.log, 1 << 20))
        await server.close()
        await host.close()
    return 0


async def _listening(host: HostOfClass, request: Host) -> Server:
    """Return the server of a class, which listens; a class that goes on takes another port if its own is in use.

    Raises:
        BadInput: it cannot listen.
    """
    from lydian.classroom.server import Server

    for port in (request.port, 0):
        server = Server(host, request.lan, port, request.certificate, request.key)
        try:
            await server.start()
        except BadInput:
            if not request.resume or port == 0:
                raise
        else:
            break
    return server


async def _read(host: HostOfClass, listener: Listener, inbox: asyncio.Queue[bytes | None], stay: bool) -> None:
    """Act on the host's frames until the input or the class ends."""
    over = asyncio.create_task(host.over.wait())
    try:
        while not host.over.is_set():
            getting = asyncio.create_task(inbox.get())
            await asyncio.wait({getting, over}, return_when=asyncio.FIRST_COMPLETED)
            if not getting.done():
                getting.cancel()
                return
            line = getting.result()
            if line is None:
                if not stay:
                    host.over.set()
                return
            try:
                frame = decode(line, frames.FROM_CLASS, _FROM_CLASS)
            except Refused as error:
                listener.put(wire.Error(str(error)))
            else:
                await host.hear(listener, frame)
    finally:
        over.cancel()


async def _write(host: HostOfClass, listener: Listener, say: Callable[[bytes], None]) -> None:
    while True:
        await listener.wake.wait()
        data = listener.take(host.log, 1 << 20)
        if data:
            try:
                say(data)
            except OSError:  # the window has gone
                listener.person.here = 0
                return
        await asyncio.sleep(0)


_FROM_CLASS = accepted(frames.FROM_CLASS)


async def _main() -> int:
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    loop = asyncio.get_running_loop()
    inbox: asyncio.Queue[bytes | None] = asyncio.Queue()

    def listen() -> None:
        with suppress(RuntimeError, OSError, ValueError):  # the loop is closed
            while line := source.readline(wire.MOST_BYTES):
                loop.call_soon_threadsafe(inbox.put_nowait, line)
            loop.call_soon_threadsafe(inbox.put_nowait, None)

    def say(data: bytes) -> None:
        out.write(data)
        out.flush()

    Aside(listen, "lydian-input").start()
    with suppress(NotImplementedError, ValueError):
        task = asyncio.current_task()
        assert task is not None
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    while (line := await inbox.get()) is not None:
        try:
            request = decode(line, REQUESTS, _TYPES)
        except Refused as error:
            say(wire.encode(wire.Error(str(error), 2)))
            return 2
        if isinstance(request, Host):
            if not request.stay:
                follow_parent()
            return await served(request, inbox, say)
        say(wire.encode(wire.Error("the first frame must be host", 2)))
        return 2
    return 0


def main() -> int:
    """Serve the request on standard input; return the exit code."""
    try:
        return asyncio.run(_main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # the reading thread may be in the middle of a line
