"""The start of a program: this file limits its own process, ties it to LYDIAN's, and becomes the program.

It is run as a program (it uses only the standard library) with the numbers of its parent, of the bytes of data and of
the processes that are permitted (0: no limit), and the command.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys


def main(parent: int, memory: int, processes: int, command: list[str]) -> None:
    """Become the program.

    Raises:
        SystemExit: it cannot be started; the reason is on standard error.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG, which survives exec
        if os.getppid() != parent:
            raise SystemExit(1)
    if sys.platform != "win32":
        import resource

        bounds = ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_DATA, memory), (resource.RLIMIT_NPROC, processes))
        for kind, most in bounds:
            _, hard = resource.getrlimit(kind)
            if most or kind == resource.RLIMIT_CORE:
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.setrlimit(kind, (most, hard))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        raise SystemExit(f"{command[0]} cannot be started: {(error.strerror or str(error)).lower()}") from None


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
