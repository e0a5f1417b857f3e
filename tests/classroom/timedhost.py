"""The process that hosts a class, noting when its log gets each frame: ``python -m tests.classroom.timedhost``.

At the signal ``SIGUSR1`` it writes the moments, by ``time.monotonic``, to the file in the variable ``TIMES``. With the
variable ``PROFILE``, it is profiled into that file until it ends.
"""

from __future__ import annotations

import cProfile
import os
import signal
import sys
import time
from array import array
from pathlib import Path
from typing import Any

from lydian.classroom import serve
from lydian.classroom.log import Log

_times: array[float] = array("d")
_add = Log.add


def _noted(self: Log, line: bytes) -> None:
    _times.append(time.monotonic())
    _add(self, line)


def _write(*_: Any) -> None:
    file = Path(os.environ["TIMES"])
    new = file.with_suffix(".new")
    new.write_bytes(_times.tobytes())
    os.replace(new, file)


if __name__ == "__main__":
    Log.add = _noted  # type: ignore[method-assign]
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
