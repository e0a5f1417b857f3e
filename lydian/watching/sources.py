"""The sources of events of a running system: a pipe, a file that grows, or a port on this computer.

Each source runs in a thread and hands on text. A port is open on the loopback interface only; requests for another
host's name, and those of pages of browsers, are refused.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from lydian.model.childprocess import Aside
from lydian.model.errors import BadInput, shown

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["GrowingFile", "Pipe", "Port", "Source", "source_of"]

#: The bytes that are read at once, and the largest body of a request.
PIECE, BODY = 1 << 16, 16_000_000
#: Seconds between two looks at a file that has not grown.
TURN = 0.1
_ADDRESS = re.compile(r"(?:(?:https?|wss?):(?://(?P<host>\[[^\]]*\]|[^:/]*))?)?:?(?P<port>\d{1,5})?/?")
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Source:
    """A source of text; ``put`` is called with each piece, and ``over`` once, with the reason if there is a problem.

    Attributes:
        name: its name in titles.
        where: a sentence that says where it listens, known after :meth:`start`; empty for a pipe or a file.
    """

    name, where = "log", ""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def start(self, put: Callable[[str], None], over: Callable[[str], None]) -> None:
        """Begin to hand on text.

        Raises:
            BadInput: the source cannot be used.
        """
        Aside(lambda: over(self._all(put)), "lydian-source").start()

    def stop(self) -> None:
        """Hand on nothing more."""
        self._ended.set()

    def _all(self, put: Callable[[str], None]) -> str:
        raise NotImplementedError


class Pipe(Source):
    """The lines on a stream, until its end."""

    name = "standard input"

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream

    def _all(self, put: Callable[[str], None]) -> str:
        for line in iter(self._stream.readline, b""):
            if self._ended.is_set():
                break
            put(line.decode("utf-8", "replace"))
        return ""


class GrowingFile(Source):
    """The lines of a file, and those that are appended; a file that is replaced or cut is read from its start."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.name = path, path.name

    def start(self, put: Callable[[str], None], over: Callable[[str], None]) -> None:
        if not self.path.exists():
            raise BadInput("there is no such file; give a log that exists, - or http:8088", file=self.path)
        if self.path.is_dir():
            raise BadInput("this is a folder; a log was expected here", file=self.path)
        super().start(put, over)

    def _all(self, put: Callable[[str], None]) -> str:
        import codecs

        try:
            while not self._ended.is_set():
                decoder = codecs.getincrementaldecoder("utf-8")("replace")
                with self.path.open("rb") as stream:
                    while not self._ended.is_set():
                        data = stream.read(PIECE)
                        if data:
                            put(decoder.decode(data).replace("\r\n", "\n"))
                        elif self._replaced(stream):
                            break
                        else:
                            self._ended.wait(TURN)
        except OSError as error:
            return f"{self.path}: cannot be read: {(error.strerror or str(error)).lower()}"
        return ""

    def _replaced(self, stream: IO[bytes]) -> bool:
        import os

        try:
            now, then = self.path.stat(), os.fstat(stream.fileno())
        except FileNotFoundError:
            return False  # it may be created again in a moment
        return (now.st_ino, now.st_dev) != (then.st_ino, then.st_dev) or now.st_size < stream.tell()


class Port(Source):
    """Lines that other programs on this computer send: bodies of POST, or messages of a WebSocket.

    ``POST /`` and the WebSocket ``/ws`` take lines of any format; ``POST /v1/traces`` takes OTLP as JSON, as exporters
    of OpenTelemetry send it.
    """

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port, self.name = port, f"port {port}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Event | None = None
        self._put: Callable[[str], None] = lambda _text: None

    def start(self, put: Callable[[str], None], over: Callable[[str], None]) -> None:
        self._put = put
        ready, problem = threading.Event(), list[str]()

        def listen() -> None:
            try:
                asyncio.run(self._listen(ready))
            except OSError as error:
                problem.append(error.strerror or str(error))
            finally:
                ready.set()
                over("")

        Aside(listen, "lydian-port").start()
        ready.wait()
        if problem:
            raise BadInput(f"port {self.port} cannot be used: {problem[0]}; choose another one, or 0 for any")

    def stop(self) -> None:
        super().stop()
        if self._loop is not None and self._task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.set)

    async def _listen(self, ready: threading.Event) -> None:
        from aiohttp import web

        app = web.Application(client_max_size=BODY)
        app.router.add_post("/", self._lines)
        app.router.add_post("/v1/traces", self._spans)
        app.router.add_get("/ws", self._socket)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0, handle_signals=False)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", self.port, reuse_address=True)
            await site.start()
            server = site._server
            assert isinstance(server, asyncio.Server)
            self.port = server.sockets[0].getsockname()[1]
            self.name = f"port {self.port}"
            self.where = f"http://127.0.0.1:{self.port}/"
            self._loop, self._task = asyncio.get_running_loop(), asyncio.Event()
            ready.set()
            if not self._ended.is_set():
                await self._task.wait()
        finally:
            await runner.cleanup()

    def _refused(self, request: web.Request) -> bool:
        host = request.headers.get("Host", "").rpartition(":")[0] or request.headers.get("Host", "")
        return host not in _LOOPBACK or "Origin" in request.headers

    async def _lines(self, request: web.Request) -> web.Response:
        return self._taken(request, await request.text())

    async def _spans(self, request: web.Request) -> web.Response:
        from aiohttp import web

        try:
            text = json.dumps(json.loads(await request.text()))
        except (ValueError, RecursionError):
            return web.Response(status=400, text="The body must be OTLP as JSON; set the exporter to http/json.\n")
        return self._taken(request, text)

    def _taken(self, request: web.Request, text: str) -> web.Response:
        from aiohttp import web

        if self._refused(request):
            return web.Response(status=403, text="Only programs on this computer can send events, not pages.\n")
        self._put(text.rstrip("\n") + "\n")
        return web.json_response({})

    async def _socket(self, request: web.Request) -> Any:
        from aiohttp import WSMsgType, web

        if self._refused(request):
            return web.Response(status=403, text="Only programs on this computer can send events, not pages.\n")
        socket = web.WebSocketResponse(max_msg_size=BODY)
        await socket.prepare(request)
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                self._put(message.data.rstrip("\n") + "\n")
        return socket


def source_of(text: str, stream: IO[bytes] | None = None) -> Source:
    """Return the source that a text describes: ``-``, an address such as ``http:8088``, or a file.

    Raises:
        BadInput: the address is not on this computer, or the port is not a port.
    """
    if text == "-" and stream is not None:
        return Pipe(stream)
    if not re.match(r"(https?|wss?):|:\d", text):
        return GrowingFile(Path(text))
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise BadInput(f"{shown(text)} is not an address; write http:8088 or http://127.0.0.1:8088")
    host = found["host"]
    if host and host not in _LOOPBACK:
        raise BadInput(
            f"{host} is not only this computer, and LYDIAN listens on this computer only; write http://127.0.0.1:8088"
        )
    port = int(found["port"] or 0)
    if port > 65535:
        raise BadInput(f"{port} is not a port; it must be from 0 to 65535, where 0 means any")
    return Port(port)
