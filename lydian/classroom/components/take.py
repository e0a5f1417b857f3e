"""One replica of a component as a program: ``python -m lydian.classroom.components.take``.

Its standard input contains one line, an object in JSON with the ``url`` and the ``secret`` of the system, the ``name``
of the replica and, if wanted, the ``component``. It executes the protocol that the meeting point sends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from lydian.classroom.components.frames import MOST_BYTES, Bye, Enter, Handover, Leave, heard
from lydian.classroom.components.part import Part
from lydian.classroom.components.replicas import BEAT, Replica
from lydian.engine.serve import bounded
from lydian.engine.wire import Error, Frame, Refused, encode
from lydian.model.childprocess import follow_parent
from lydian.model.errors import BadInput, LydianError, shown

__all__ = ["main", "take"]

#: The seconds between two looks at the clock, and after which a lost connection is tried again.
TICK, AGAIN = 0.02, 0.2
#: The seconds for which a lost connection is tried again.
PATIENCE = 30.0
#: The seconds without progress after which the protocol's action counts as endless.
_SECONDS = 2.0


class Lost(LydianError):
    """An error raised when a replica cannot go on: its connection is lost, or its protocol is not deterministic."""

    exit_code = 1


async def take(
    url: str,
    secret: str,
    name: str,
    component: str = "",
    *,
    steer: Callable[[Part], Iterable[Mapping[str, object]]] | None = None,
    said: Callable[[str], None] = lambda text: None,
) -> Replica:
    """Take part in a system as a replica until it is over.

    Args:
        url, secret: what the host shows.
        name: the name of the replica.
        component: the component; "" for the one with the fewest replicas.
        steer: as in :class:`Replica`.
        said: receives a sentence about what happens.

    Raises:
        BadInput: there is no meeting point at this address, or it refuses the replica.
        Lost: the connection is lost and cannot be restored, or the replica does not repeat what was published.
    """
    import aiohttp

    _check_address(url)
    out: asyncio.Queue[Frame] = asyncio.Queue()
    replica = Replica(name, out.put_nowait, steer)
    lost, heard_at = time.monotonic(), replica.heard_at
    async with aiohttp.ClientSession() as session:
        while not replica.over:
            try:
                async with session.ws_connect(url, max_msg_size=MOST_BYTES, heartbeat=20.0) as socket:
                    await _talk(socket, replica, out, secret, component or replica.component, said)
            except aiohttp.WSServerHandshakeError:
                raise BadInput(f"{url} answers, but is not the address of a system in components") from None
            except (TimeoutError, aiohttp.ClientError, OSError) as error:
                if replica.part is None:
                    raise BadInput(f"there is no system in components at {url}: {error}") from None
            if replica.problem is not None:
                raise Lost(replica.problem)
            if replica.heard_at > heard_at:
                lost, heard_at = time.monotonic(), replica.heard_at
            if not replica.over:
                if time.monotonic() - lost > PATIENCE:
                    raise Lost(f"the connection to {url} is lost")
                await asyncio.sleep(AGAIN)
    return replica


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("ws", "wss") and parts.hostname and parts.port != 0
    except ValueError:
        right = False
    if not right:
        example = "ws://192.168.4.20:40123/components"
        raise BadInput(f"{shown(url)} is not the address of a system in components; one looks like {example}")


async def _talk(
    socket: Any, replica: Replica, out: asyncio.Queue[Frame], secret: str, component: str, said: Callable[[str], None]
) -> None:
    """Take part on one connection until it ends."""
    from aiohttp import WSMsgType

    while not out.empty():
        out.get_nowait()
    enter = Enter("part", secret, replica.name, component)
    replica.enter_again(lambda: out.put_nowait(enter))
    await socket.send_str(encode(enter).decode())
    box: deque[str | bytes | None] = deque()
    came = asyncio.Event()

    async def listen() -> None:
        async for message in socket:
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                box.extend(message.data.splitlines())
                came.set()
                _early(message.data, replica)
        box.append(None)
        came.set()

    listening = asyncio.create_task(listen())
    entered = False
    try:
        while not replica.over and replica.problem is None:
            came.clear()
            while box:
                data = box.popleft()
                if data is None:
                    return
                if not (entered := _heard(data, replica, said, entered)):
                    return
                if time.monotonic() - replica.beaten > BEAT:
                    break  # much to read must not make it look silent
            replica.tick(time.monotonic())
            while not out.empty():
                await socket.send_str(encode(out.get_nowait()).decode())
            if box:
                await asyncio.sleep(0)
                continue
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(came.wait(), TICK)
    except asyncio.CancelledError:
        if entered:  # so that another replica goes on at once
            with contextlib.suppress(OSError):
                await socket.send_str(encode(Leave(replica.component, replica.name)).decode())
        raise
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


def _early(data: str | bytes, replica: Replica) -> None:
    """Let a replica that has much to repeat learn at once that another one acts, so that it watches that one."""
    if '"handover"' not in (data if isinstance(data, str) else data.decode("utf-8", "replace")):
        return
    for line in data.splitlines():
        with contextlib.suppress(Refused):
            frame = heard(line)
            if isinstance(frame, Handover) and frame.new != replica.name:
                replica.heard(frame, time.monotonic())


def _heard(data: str | bytes, replica: Replica, said: Callable[[str], None], entered: bool) -> bool:
    """Handle what the meeting point has sent; return whether it has admitted the replica.

    Raises:
        BadInput: it refuses the replica, which has not been admitted before either.
    """
    try:
        frame = heard(data)
    except Refused as error:
        said(str(error))
        return entered
    if isinstance(frame, Bye):
        replica.over = frame.reason != "closed"
        return entered
    if isinstance(frame, Error):
        if not entered and replica.part is None:
            raise BadInput(frame.text)
        said(frame.text)
        return entered
    replica.heard(frame, time.monotonic())
    return True


def main(line: str) -> int:
    """Take part as the line on the standard input says; return the exit code."""
    try:
        wanted = json.loads(line)
        url, secret, name = str(wanted["url"]), str(wanted["secret"]), str(wanted["name"])
        component = str(wanted.get("component", ""))
    except (KeyError, TypeError, ValueError):
        sys.stderr.write("the input must be an object with url, secret and name\n")
        return 2
    try:
        with bounded(_SECONDS, None):
            asyncio.run(take(url, secret, name, component, said=lambda text: _note(text)))
    except LydianError as error:
        _note(str(error))
        return error.exit_code
    return 0


def _note(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    follow_parent()
    sys.exit(main(sys.stdin.readline()))
