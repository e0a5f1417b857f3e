"""Taking part in a class elsewhere: a connection that outlives short interruptions.

``python -m lydian.classroom.join`` does this for a window: it reads a ``connect`` request and then the person's frames
from standard input, and passes on what the host sends.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from lydian.classroom import frames
from lydian.classroom.frames import REQUESTS, Connect
from lydian.engine import wire
from lydian.engine.wire import Refused, accepted, decode
from lydian.language import tr
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import BadInput, LydianError, shown

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

__all__ = ["ENTRY", "Joined", "main", "where"]

#: The entry point of the process.
ENTRY = ("-m", "lydian.classroom.join")
#: The seconds between two attempts to connect again, at first and at most, and for how long they are made.
FIRST, MOST, LONGEST = 0.2, 3.0, 120.0
#: The largest message from a host: many rounds of a long run.
LARGEST = 64_000_000
_TYPES = accepted(REQUESTS)


def where(url: str) -> tuple[str, str]:
    """Return the address of the host's socket, and the code in the address if there is one.

    Raises:
        BadInput: it is no address of a host.
    """
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{shown(url)} is not the address of a class; one looks like http://192.168.4.20:8642/")
    code = parse_qs(parts.query).get("code", [""])[0]
    return f"{parts.scheme.replace('http', 'ws')}://{parts.netloc}/ws", code


class Joined:
    """A person's connection to a class.

    Args:
        request: where to connect, and as whom.
        hear: called with each line that the host sends.

    Attributes:
        welcome: the last ``welcome``; ``None`` before the first.
        position: how many frames of the run have arrived.
    """

    def __init__(self, request: Connect, hear: Callable[[bytes], None]) -> None:
        self.url, code = where(request.url)
        self.request = request
        self.code = request.code or code
        self.hear = hear
        self.welcome: frames.Welcome | None = None
        self.position = 0
        self.refused = ""
        self.over = ""
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._leaving = asyncio.Event()

    def say(self, frame: wire.Frame | bytes) -> None:
        """Send a frame, now or when there is a connection again."""
        self._outbox.put_nowait(frame if isinstance(frame, bytes) else wire.encode(frame))

    def leave(self) -> None:
        """Leave the class, at once if there is no connection."""
        self._leaving.set()
        self._outbox.put_nowait(None)

    async def run(self) -> None:
        """Take part until the class is over, the host refuses, or :meth:`leave`.

        Raises:
            BadInput: the host refuses; the text is its sentence.
            LydianError: there is no connection, or none again.
        """
        import aiohttp

        loop = asyncio.get_running_loop()
        pause, since = FIRST, loop.time()
        async with aiohttp.ClientSession() as session:
            while not self.over:
                try:
                    async with session.ws_connect(self.url, heartbeat=15.0, max_msg_size=LARGEST) as channel:
                        if await self._converse(channel):
                            return
                    pause, since = FIRST, loop.time()
                except (aiohttp.ClientError, OSError, TimeoutError) as error:
                    if isinstance(error, aiohttp.WSServerHandshakeError):
                        raise BadInput(f"{self.request.url} answers, but is not the address of a class") from None
                    if self.welcome is None or loop.time() - since > LONGEST:
                        raise LydianError(f"there is no class at {self.request.url}: {error}") from None
                if self.refused:
                    raise BadInput(self.refused)
                if not self.over:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._leaving.wait(), pause)
                        return
                    pause = min(2 * pause, MOST)

    async def _converse(self, channel: ClientWebSocketResponse) -> bool:
        """Exchange frames on one connection; return True if the person leaves."""
        known = self.welcome
        secret = known.secret if known is not None else self.request.secret
        join = frames.Join(
            self.code, self.request.name, self.request.wish, secret, self.position, self.request.process,
            "" if known is None else known.run,
        )  # fmt: skip
        await channel.send_str(wire.encode(join).decode())
        sending = asyncio.create_task(self._send(channel))
        reading = asyncio.create_task(self._read(channel))
        try:
            await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
            return sending.done() and sending.exception() is None and sending.result()
        finally:
            for task in (sending, reading):
                task.cancel()
            await asyncio.gather(sending, reading, return_exceptions=True)

    async def _send(self, channel: ClientWebSocketResponse) -> bool:
        while (line := await self._outbox.get()) is not None:
            await channel.send_str(line.decode("utf-8").rstrip())
        with suppress(ConnectionError):
            await channel.send_str(wire.encode(wire.Bye()).decode())
        return True

    async def _read(self, channel: ClientWebSocketResponse) -> None:
        import aiohttp

        async for message in channel:
            if message.type != aiohttp.WSMsgType.TEXT:
                continue
            for line in message.data.splitlines():
                self._heard(line)
                self.hear(line.encode("utf-8") + b"\n")
            if self.refused or self.over:
                return

    def _heard(self, line: str) -> None:
        start = line[:30]
        if start.startswith(('{"kind":"round"', '{"kind":"begun"', '{"kind":"dropped"')):
            self.position += 1
            return
        try:
            frame = frames.told(line)
        except Refused:
            return
        if isinstance(frame, frames.Welcome):
            if self.welcome is not None and self.welcome.run != frame.run:
                self.position = 0
            self.welcome = frame
        elif isinstance(frame, wire.Error) and self.welcome is None:
            self.refused = frame.text
        elif isinstance(frame, wire.Bye):
            self.over = frame.reason or tr("the class has ended")


async def _main() -> int:
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    loop = asyncio.get_running_loop()
    inbox: asyncio.Queue[bytes | None] = asyncio.Queue()

    def listen() -> None:
        with suppress(RuntimeError, OSError, ValueError):  # the loop is closed
            while line := source.readline(frames.MOST_BYTES):
                loop.call_soon_threadsafe(inbox.put_nowait, line)
            loop.call_soon_threadsafe(inbox.put_nowait, None)

    def say(data: bytes) -> None:
        out.write(data)
        out.flush()

    Aside(listen, "lydian-input").start()
    line = await inbox.get()
    if line is None:
        return 0
    try:
        request = decode(line, REQUESTS, _TYPES)
        if not isinstance(request, Connect):
            raise Refused("the first frame must be connect")
        joined = Joined(request, say)
    except LydianError as error:
        say(wire.encode(wire.Error(str(error), 2)))
        return 2

    async def pass_on() -> None:
        while (line := await inbox.get()) is not None:
            joined.say(line)
        joined.leave()

    passing = asyncio.create_task(pass_on())
    try:
        await joined.run()
    except LydianError as error:
        say(wire.encode(wire.Error(str(error), error.exit_code)))
        return error.exit_code
    finally:
        passing.cancel()
        await asyncio.gather(passing, return_exceptions=True)
    return 0


def main() -> int:
    """Serve the request on standard input; return the exit code."""
    try:
        return asyncio.run(_main())
    except (KeyboardInterrupt, BrokenPipeError):
        return 130


if __name__ == "__main__":
    follow_parent()
    code = main()
    sys.stderr.flush()
    os._exit(code)  # the reading thread may be in the middle of a line
