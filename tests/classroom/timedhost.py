"""The process that hosts a class, noting when its log gets each frame: ``python -m tests.classroom.timedhost``.

At the signal ``SIGUSR1`` it writes the moments, by ``time.monotonic``, to the file in the variable ``TIMES``. With the
variable ``SECRET``, the host's and the projector's pages are opened with it. With ``FAST``, rounds in turns follow one
another without a pause. With ``PROFILE``, the process is profiled into that file.
"""

from __future__ import annotations

import asyncio
import cProfile
import os
import signal
import sys
import time
from array import array
from functools import partial
from pathlib import Path
from typing import Any

from lydian.classroom import serve, server
from lydian.classroom.host import HostOfClass
from lydian.classroom.log import Log

_times: array[float] = array("d")
_add, _live = Log.add, HostOfClass.live


def _noted(self: Log, line: bytes) -> None:
    _times.append(time.monotonic())
    _add(self, line)


async def _hasten(self: HostOfClass) -> None:
    living = asyncio.create_task(_live(self))
    while not self.over.is_set():
        await self.turn()
        await asyncio.sleep(0 if self.phase == "open" and self.mode == "turns" else 0.05)
    await living


def _write(*_: Any) -> None:
    file = Path(os.environ["TIMES"])
    new = file.with_suffix(".new")
    new.write_bytes(_times.tobytes())
    os.replace(new, file)


if __name__ == "__main__":
    Log.add = _noted  # type: ignore[method-assign]
    if "SECRET" in os.environ:
        secret = os.environ["SECRET"]
        server.Server = partial(server.Server, secret=secret, screen=secret)  # type: ignore[misc,assignment]
    if "FAST" in os.environ:
        HostOfClass.live = _hasten  # type: ignore[method-assign]
    signal.signal(signal.SIGUSR1, _write)
    if "PROFILE" in os.environ:
        profile = cProfile.Profile()
        profile.enable()
        code = serve.main()
        profile.disable()
        profile.dump_stats(os.environ["PROFILE"])
    else:
        code = serve.main()
    sys.stderr.flush()
    os._exit(code)
