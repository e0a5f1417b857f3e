"""The host's server: the page for browsers, and the socket on which everybody speaks with the host.

What comes from the network is not trusted. A connection that does not join within a few seconds, sends too much or too
often, or does not read, is closed; a frame that cannot be used is answered and ignored. Browsers of other pages are
refused by their ``Origin``, and requests for another host's name by their ``Host``. Nothing that is received is ever
executed, and the protocol's text is not sent.
"""

from __future__ import annotations

import asyncio
import hmac
import io
import secrets
import socket
import ssl
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address

from aiohttp import WSCloseCode, WSMsgType, web

from lydian.classroom import frames
from lydian.classroom.host import HostOfClass, Listener, Removed
from lydian.engine import wire
from lydian.engine.wire import Refused
from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["Server", "addresses"]

#: The seconds in which a connection must join, and in which a message must be taken.
JOINING, SENDING = 10.0, 30.0
#: The seconds in which all must take the last message at the end of a class, and close their connections.
PARTING, CLOSING = 3.0, 1.0
#: Frames that somebody may send at once, and per second over a longer time.
BURST, RATE = 40, 10.0
#: How many frames beyond the rate are ignored before the connection is closed.
PATIENCE = 200
#: Wrong codes from one address before it has to wait, and the seconds that it waits.
WRONG, WAIT = 20, 30.0
#: The frames that a connection may send before it joins.
KNOCKS = 60
#: The most connections in all, and from one address.
MOST, MOST_EACH = 1200, 1000
#: The bytes of the run that are sent in one message.
PIECE = 262_144
#: The headers of every answer: nothing from elsewhere is loaded, and no other page may contain this one.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}


def addresses() -> list[str]:
    """Return the addresses of this computer on its networks, the one used for others first."""
    found = []
    for kind, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(kind, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))  # sends nothing; it only chooses the interface
            found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)]
    return [each for each in dict.fromkeys(found) if not ip_address(each.split("%")[0]).is_loopback]


@dataclass
class _Allowance:
    """How much somebody may still send."""

    left: float = BURST
    at: float = 0.0
    beyond: int = 0

    def spend(self, now: float) -> bool:
        """Return whether a frame is within the rate."""
        self.left = min(BURST, self.left + (now - self.at) * RATE)
        self.at = now
        if self.left < 1:
            self.beyond += 1
            return False
        self.left -= 1
        return True


@dataclass
class Server:
    """The server of one class.

    Attributes:
        host: the class.
        lan: whether the server listens on all networks of this computer rather than only on itself.
        port: the port, which is known after :meth:`start`.
        secret: what proves that a connection is the host's own, and ``screen`` the projector's.
        sends: how many messages have been sent, for measurements.
    """

    host: HostOfClass
    lan: bool = False
    port: int = 0
    certificate: str = ""
    key: str = ""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    screen: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    sends: int = 0
    _runner: web.AppRunner | None = None
    _names: frozenset[str] = frozenset()
    _wrong: Counter[str] = field(default_factory=Counter)
    _until: dict[str, float] = field(default_factory=dict)
    _open: Counter[str] = field(default_factory=Counter)
    _files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    _sockets: dict[web.WebSocketResponse, asyncio.WriteTransport] = field(default_factory=dict)
    _sending: dict[web.WebSocketResponse, float] = field(default_factory=dict)  # since when
    _writing: dict[Listener, asyncio.Task[None]] = field(default_factory=dict)
    _watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen.

        Raises:
            BadInput: the port is in use, or the certificate cannot be used.
        """
        from lydian.classroom.page import files

        self._files = files()
        app = web.Application(client_max_size=4096)
        app.on_response_prepare.append(_with_headers)
        app.router.add_get("/ws", self._socket)
        app.router.add_get("/", self._page)
        app.router.add_get("/screen", self._page)
        app.router.add_get("/host", self._page)
        app.router.add_get("/class/{name}", self._file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0, handle_signals=False)
        await self._runner.setup()
        where = "0.0.0.0" if self.lan else "127.0.0.1"
        try:
            site = web.TCPSite(self._runner, where, self.port, ssl_context=self._tls(), reuse_address=True)
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            raise BadInput(f"port {self.port} cannot be used: {error.strerror or error}") from None
        self._watching = asyncio.create_task(self._watch())
        server = site._server
        assert isinstance(server, asyncio.Server)
        self.port = server.sockets[0].getsockname()[1]
        mine = addresses() if self.lan else []
        names = {"127.0.0.1", "localhost", "[::1]", socket.gethostname(), *mine} if self.lan else {
            "127.0.0.1", "localhost", "[::1]"
        }  # fmt: skip
        self._names = frozenset(each.lower() for each in names)
        self.host.address = f"{mine[0] if mine else '127.0.0.1'}:{self.port}"
        self.host.qr = self._qr()

    @property
    def url(self) -> str:
        """The address with which people join."""
        return f"{'https' if self.certificate else 'http'}://{self.host.address}/"

    def _qr(self) -> str:
        import segno

        code = segno.make(f"{self.url}?code={self.host.code}", error="m", micro=False)
        picture = io.BytesIO()
        code.save(picture, kind="svg", border=2, dark="#000", light="#fff", xmldecl=False, omitsize=True, nl=False)
        return picture.getvalue().decode()

    def _tls(self) -> ssl.SSLContext | None:
        if not self.certificate:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.certificate, self.key or None)
        except (OSError, ssl.SSLError) as error:
            raise BadInput(f"cannot be used as a certificate: {error}", file=self.certificate) from None
        return context

    async def close(self) -> None:
        """Stop listening, and close the connections when everybody has been told that the class is over, if it is."""
        if self._runner is not None:
            for site in [*self._runner.sites]:
                await site.stop()
        self.host.part()
        if parting := [task for listener, task in self._writing.items() if listener.closed]:
            await asyncio.wait(parting, timeout=PARTING)
        if closing := [asyncio.create_task(each.close(code=WSCloseCode.GOING_AWAY)) for each in self._sockets]:
            await asyncio.wait(closing, timeout=CLOSING)
            for each in closing:
                each.cancel()
            await asyncio.gather(*closing, return_exceptions=True)
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    # ------------------------------------------------------------------ the page

    async def _page(self, request: web.Request) -> web.Response:
        if not self._named(request):
            return web.Response(status=421, text="This is not the address of the class.")
        return self._answer("index.html")

    async def _file(self, request: web.Request) -> web.Response:
        return self._answer(request.match_info["name"])

    def _answer(self, name: str) -> web.Response:
        found = self._files.get(name)
        if found is None:
            return web.Response(status=404, text="There is no such file.")
        kind, body = found
        return web.Response(body=body, headers={"Content-Type": kind})

    def _named(self, request: web.Request) -> bool:
        """Return whether the request is for this host and not for another name that leads here."""
        name = (request.headers.get("Host") or "").lower()
        bare = name.rsplit(":", 1)[0] if not name.endswith("]") else name
        return bare in self._names

    def _from_here(self, request: web.Request) -> bool:
        """Return whether a browser's request comes from the page of this class; programs send no origin."""
        origin = request.headers.get("Origin")
        if origin is None:
            return True
        return origin.lower().split("://", 1)[-1] == (request.headers.get("Host") or "").lower()

    # ------------------------------------------------------------------ the socket

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        where = request.remote or ""
        if not self._named(request) or not self._from_here(request):
            return web.Response(status=403, text="This page is not the page of the class.")
        if sum(self._open.values()) >= MOST or self._open[where] >= MOST_EACH:
            return web.Response(status=503, text="Too many connections.")
        channel = web.WebSocketResponse(max_msg_size=frames.MOST_BYTES, heartbeat=15.0, compress=False, timeout=2.0)
        await channel.prepare(request)
        self._open[where] += 1
        assert isinstance(request.transport, asyncio.WriteTransport)
        self._sockets[channel] = request.transport
        try:
            listener = await self._admit(channel, where)
            if listener is not None:
                await self._converse(channel, listener)
        finally:
            del self._sockets[channel]
            self._open[where] -= 1
            if not self._open[where]:
                del self._open[where]
        return channel

    async def _admit(self, channel: web.WebSocketResponse, where: str) -> Listener | None:
        """Read the request to join; return ``None`` if it is refused, after the answer."""
        tries = 5
        try:
            for _try in range(KNOCKS):
                if not tries:
                    break
                text = await self._next(channel, JOINING)
                if text is None:
                    return None
                tries -= 1
                try:
                    frame = frames.heard(text)
                    if isinstance(frame, frames.Knock):
                        await self._send(channel, wire.encode(self._doorway(frame, where)))
                        tries += 1
                        continue
                    return self._joined(frame, where)
                except Removed as error:
                    await self._send(channel, wire.encode(frames.Parting(str(error), removed=True)))
                    break
                except Refused as error:
                    await self._send(channel, wire.encode(wire.Error(str(error))))
        except (TimeoutError, ConnectionError):
            pass
        with suppress(Exception):
            await channel.close(code=WSCloseCode.POLICY_VIOLATION, message=b"no join")
        return None

    def _doorway(self, frame: frames.Knock, where: str) -> frames.Doorway:
        """Return what somebody with this code and name would find."""
        self._patient(where)
        if not _same(frame.code.strip().lower(), self.host.code):
            self._wrong_code(where)
            return frames.Doorway(False)
        return self.host.doorway(frame.name)

    def _patient(self, where: str) -> None:
        """Refuse somebody who has to wait."""
        if self._until.get(where, 0.0) > asyncio.get_running_loop().time():
            raise Refused(tr("too many wrong codes came from here; wait half a minute"))

    def _wrong_code(self, where: str) -> None:
        self._wrong[where] += 1
        if self._wrong[where] >= WRONG:
            del self._wrong[where]
            self._until[where] = asyncio.get_running_loop().time() + WAIT

    def _joined(self, frame: wire.Frame, where: str) -> Listener:
        if not isinstance(frame, frames.Join):
            raise Refused(tr("the first frame must be join"))
        self._patient(where)
        trusted = ""
        if frame.wish in ("host", "screen"):
            proof = self.secret if frame.wish == "host" else self.screen
            if _same(frame.secret or "", proof) or (frame.wish == "screen" and _same(frame.secret or "", self.secret)):
                trusted = frame.wish
        elif not _same(frame.code.strip().lower(), self.host.code) and not (
            frame.secret and self.host.people.known(frame.secret)
        ):
            self._wrong_code(where)
            raise Refused(tr("that is not the code of this class"))
        return self.host.join(frame, trusted=trusted)

    async def _next(self, channel: web.WebSocketResponse, seconds: float | None = None) -> str | bytes | None:
        message = await channel.receive(seconds)
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            return message.data  # type: ignore[no-any-return]
        return None

    async def _converse(self, channel: web.WebSocketResponse, listener: Listener) -> None:
        """Read and write until the connection ends."""
        self._writing[listener] = writing = asyncio.create_task(self._write(channel, listener))
        allowance = _Allowance(at=asyncio.get_running_loop().time())
        try:
            while (text := await self._next(channel)) is not None:
                if not allowance.spend(asyncio.get_running_loop().time()):
                    if allowance.beyond == 1:
                        listener.put(wire.Error(tr("too many messages at once; the rest are not read")))
                    if allowance.beyond > PATIENCE:
                        break
                    await asyncio.sleep(0.05)
                    continue
                for line in [*text.splitlines()][:20]:
                    try:
                        frame = frames.heard(line)
                    except Refused as error:
                        listener.put(wire.Error(str(error)))
                        continue
                    await self.host.hear(listener, frame)
        finally:
            self.host.leave(listener)
            del self._writing[listener]
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            with suppress(Exception):
                await channel.close()

    async def _write(self, channel: web.WebSocketResponse, listener: Listener) -> None:
        """Send what there is for a person, at the pace at which they read."""
        with suppress(ConnectionError, TimeoutError):
            while not channel.closed:
                await listener.wake.wait()
                data = listener.take(self.host.log, PIECE)
                if data:
                    await self._send(channel, data)
                if listener.closed and not listener.queue:
                    break
        with suppress(Exception):
            await asyncio.wait_for(channel.close(), CLOSING)

    async def _send(self, channel: web.WebSocketResponse, data: bytes) -> None:
        self.sends += 1
        self._sending[channel] = asyncio.get_running_loop().time()
        try:
            await channel.send_frame(data, WSMsgType.TEXT)
        finally:
            del self._sending[channel]

    async def _watch(self) -> None:
        """Cut off those who do not take a message; one timer for all costs less than one for each message."""
        while True:
            await asyncio.sleep(SENDING / 4)
            earliest = asyncio.get_running_loop().time() - SENDING
            for channel, since in self._sending.items():
                transport = self._sockets.get(channel)
                if since < earliest and transport is not None:
                    transport.abort()


async def _with_headers(_request: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())
