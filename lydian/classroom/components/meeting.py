"""The meeting point of a system as a server: components, followers and steerers connect by WebSocket.

It listens on this computer only, unless a host is given. Browsers cannot connect, as a page from elsewhere could
otherwise use one: a connection with an origin is refused.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lydian.classroom.components.frames import MOST_BYTES, Bye
from lydian.classroom.components.hub import Hub
from lydian.classroom.components.system import System
from lydian.engine.wire import Frame, encode

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["PATH", "Meeting"]

#: The path of the WebSocket.
PATH = "/components"
#: The number of bytes that wait for a slow reader before its connection is closed.
MOST_WAITING = 256_000_000


def _address() -> str:
    """Return the address of this computer in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


class _Line:
    """A connection, with what is to be sent on it."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.waiting = 0

    async def write(self) -> None:
        while (data := await self.queue.get()) is not None:
            self.waiting -= len(data)
            await self.socket.send_str(data.decode())
        await self.socket.close()


class Meeting:
    """The server of a meeting point.

    Args:
        system: the system.
        replicas: the number of replicas of each component that must be here before the system begins.
        secret: the secret of the system; ``None`` to make one.
        host, port: the address; port 0 for any free one.

    Attributes:
        hub: what it knows.
        url: the address for the components, once it has started.
    """

    def __init__(
        self, system: System, *, replicas: int = 1, secret: str | None = None, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.secret = secret or secrets.token_urlsafe(18)
        self.hub = Hub(system, self.secret, self._say, self._close, replicas=replicas)
        self.host, self.port, self.url = host, port, ""
        self._runner: Any = None
        self._changed = asyncio.Event()
        self._lines: set[_Line] = set()

    async def start(self) -> None:
        """Begin to listen."""
        from aiohttp import web

        app = web.Application()
        app.router.add_get(PATH, self._connected)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.host, self.port)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        self.url = f"ws://{f'[{self.host}]' if ':' in self.host else self.host}:{port}{PATH}"

    @property
    def reachable(self) -> str:
        """The address for other computers, if it listens on all of this one's; otherwise :attr:`url`."""
        return self.url.replace("0.0.0.0", _address(), 1)

    async def close(self) -> None:
        """End all connections."""
        self.hub.stop()
        for line in list(self._lines):
            line.queue.put_nowait(None)
        if self._runner is not None:
            await self._runner.cleanup()

    async def until(self, holds: Callable[[], object], timeout: float = 60.0) -> None:
        """Wait until a condition holds, which is examined whenever a frame has come.

        Raises:
            TimeoutError: it does not hold in time.
        """
        end = time.monotonic() + timeout
        while not holds():
            self._changed.clear()
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                await asyncio.wait_for(self._changed.wait(), min(left, 0.25))
            except TimeoutError:
                pass

    def touch(self) -> None:
        """Let :meth:`until` examine its condition."""
        self._changed.set()

    async def _connected(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import WSMsgType, web

        if request.headers.get("Origin") is not None:
            raise web.HTTPForbidden(text="components are programs; a page cannot connect here")
        socket = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=20.0)
        await socket.prepare(request)
        line = _Line(socket)
        self._lines.add(line)
        writer = asyncio.create_task(line.write())
        try:
            async for message in socket:
                if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    for data in message.data.splitlines():
                        self.hub.heard(line, data, time.monotonic())
                    self._changed.set()
        finally:
            self.hub.left(line, time.monotonic())
            self._lines.discard(line)
            self._changed.set()
            line.queue.put_nowait(None)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        return socket

    def _say(self, connection: Any, frame: Frame) -> None:
        data = encode(frame)
        connection.waiting += len(data)
        if connection.waiting > MOST_WAITING:
            self._close(connection)
            return
        connection.queue.put_nowait(data)

    def _close(self, connection: Any) -> None:
        connection.queue.put_nowait(encode(Bye("closed")))
        connection.queue.put_nowait(None)
