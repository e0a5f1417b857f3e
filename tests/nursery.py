"""Children of the tests, forked from one process that has loaded what they need.

A simulator loads numpy, pyarrow and the engine before it does anything, which takes 0.3 s of processor time, and the
tests start some thousand simulators. On Linux most of them are instead forked from a process that has loaded
everything (a *template*). The program then starts :mod:`tests.relay`, which passes on its channels and its environment
and ends as the fork does.

There are differences from a real start: the modules are loaded already, the parent of the simulator is the template,
and its process number is not the one that ``processId()`` returns. The tests of the modules in :data:`REAL` concern
such matters and start their children as users do.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

__all__ = ["REAL", "Nursery", "shared"]

#: The programs into which the template can be forked.
FORKED = (
    "lydian.engine.serve",
    "lydian.engine.explorer.serve",
    "lydian.engine.shorten.serve",
    "lydian.assignment.serve",
    "lydian.assignment.worker",
    "lydian.engine.adversary.serve",
    "lydian.engine.witness.serve",
    "lydian.pieces.animationchild",
    "lydian.batch.child",
    "tests.app.sweepfake",
)
#: Test modules that start their children as users do.
REAL = (
    "tests.app.test_survival",
    "tests.assignment.test_worker",
    "tests.engine.test_explorer_serve",
    "tests.engine.test_serve",
    "tests.engine.test_survival",
    "tests.model.test_childprocess",
    "tests.model.test_limits",
)


class Nursery:
    """The tests' side: it starts the template with the first child, and has forks of it killed."""

    def __init__(self) -> None:
        self._template: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._address = ""

    def _start(self) -> None:
        from lydian.model.childprocess import environment

        listening = socket.socket(socket.AF_UNIX)
        listening.bind("")  # Linux chooses a name that is not a file and disappears with the template however it ends
        listening.listen(64)
        self._address = listening.getsockname()[1:].decode("ascii")
        self._control, theirs = socket.socketpair()
        with listening, theirs:
            numbers = (listening.fileno(), theirs.fileno())
            self._template = subprocess.Popen(
                [sys.executable, "-P", __file__, *map(str, numbers)],
                env=environment(), pass_fds=numbers, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        atexit.register(self.close)

    def command(self, *entry: str) -> list[str]:
        """Replace :func:`lydian.model.childprocess.command`."""
        real = [sys.executable, "-P", *entry]
        if len(entry) < 2 or entry[0] != "-m" or entry[1] not in FORKED:
            return real
        with self._lock:
            if self._template is None:
                self._start()
        return [sys.executable, "-I", "-S", str(Path(__file__).with_name("relay.py")), self._address, *real]

    def kill(self, relay: int) -> None:
        """Kill the fork behind a relay, and return when it has ended; the relay then ends in the same way."""
        with self._lock:
            if self._template is not None and relay:
                with contextlib.suppress(OSError):
                    self._control.sendall(relay.to_bytes(4, "big"))
                    self._control.recv(1)

    def close(self) -> None:
        """End the template together with its forks."""
        if self._template is not None:
            self._control.close()
            self._template.wait()
            self._template = None

    def serve(self, patch: Any) -> None:
        """Start the program's children from here until the patch is undone."""
        from lydian.model import childprocess

        nursery = self

        class Popen(subprocess.Popen):  # type: ignore[type-arg]
            def send_signal(self, number: int) -> None:
                if number == signal.SIGKILL and self.returncode is None:
                    nursery.kill(self.pid)
                super().send_signal(number)

        patch.setattr(childprocess, "command", self.command)
        patch.setattr(childprocess, "subprocess", SimpleNamespace(Popen=Popen, PIPE=subprocess.PIPE))
        if "PySide6.QtCore" in sys.modules:
            from PySide6.QtCore import QProcess

            from lydian.app.work import loop

            def kill(process: loop.Child) -> None:
                self.kill(process.processId())
                QProcess.kill(process)

            patch.setattr(loop, "command", self.command)
            patch.setattr(loop.Child, "kill", kill, raising=False)


#: The environment of this test process.
shared = Nursery()


class Template:
    """The other side: a process with one thread that has loaded everything, and its forks.

    Args:
        listening: where relays request forks.
        control: where the tests request the end of a fork; when it is closed, everything ends.
    """

    def __init__(self, listening: socket.socket, control: socket.socket) -> None:
        self._listening = listening
        self._control = control
        self._relays: dict[int, tuple[socket.socket, int]] = {}  # number of a fork -> its relay, and the relay's number
        self._wake, woken = socket.socketpair()
        woken.setblocking(False)
        self._wake.setblocking(False)
        self._woken = woken
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
        self._selector = selectors.DefaultSelector()
        for each in (listening, control, self._wake):
            self._selector.register(each, selectors.EVENT_READ)

    def run(self) -> None:
        """Fork on request until the tests have ended."""
        self._listening.setblocking(False)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listening:
                    self._accept()
                elif key.fileobj is self._wake:
                    with contextlib.suppress(BlockingIOError):
                        self._wake.recv(4096)
                    self._reap()
                elif key.fileobj is self._control:
                    if not self._kill():
                        return
                elif key.data in self._relays:  # the relay was ended, so its fork must end too
                    os.kill(key.data, signal.SIGKILL)
                    self._selector.unregister(key.fileobj)

    def end(self) -> None:
        """Kill the remaining forks."""
        for fork in self._relays:
            os.kill(fork, signal.SIGKILL)

    def _accept(self) -> None:
        while True:
            try:
                relay, _ = self._listening.accept()
            except BlockingIOError:
                return
            try:
                self._fork(relay)
            except (OSError, ValueError):
                relay.close()

    def _fork(self, relay: socket.socket) -> None:
        relay.setblocking(True)
        left = int.from_bytes(_exactly(relay, 4), "big")
        first, channels, _, _ = socket.recv_fds(relay, 1, 3)
        try:
            said = (first + _exactly(relay, left - 1)).decode("utf-8", "surrogateescape").split("\0")
            number, folder, count = int(said[0]), said[1], int(said[2])
            entry = said[3 + 4 : 3 + count]  # after: python -P -m MODULE
            environment = dict(each.split("=", 1) for each in said[3 + count :])
            module = said[3 + 3]
            if _pythons(environment) != _pythons(os.environ) or not Path(folder).is_dir():
                relay.sendall(b"x")
                relay.close()
                return
            relay.sendall(b"f")
            fork = os.fork()
            if fork == 0:
                self._become(module, entry, folder, environment, channels)
            self._relays[fork] = relay, number
            self._selector.register(relay, selectors.EVENT_READ, fork)
        finally:
            for each in channels:
                os.close(each)

    def _become(
        self, module: str, words: list[str], folder: str, environment: dict[str, str], channels: list[int]
    ) -> None:
        """In the fork: become the requested program, and end with it."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._selector.close()
            for each in (self._listening, self._control, self._wake, self._woken):
                each.close()
            for relay, _ in self._relays.values():
                relay.close()
            for number, each in enumerate(channels):
                os.dup2(each, number)
                os.close(each)
            os.environ.clear()
            os.environ.update(environment)
            os.chdir(folder)
            sys.argv = ["-m", *words]
            sys.modules.pop(module, None)
            gc.enable()
            import runpy

            runpy.run_module(module, run_name="__main__", alter_sys=True)
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else int(error.code is not None)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _reap(self) -> None:
        for fork in [*self._relays]:
            number, status = os.waitpid(fork, os.WNOHANG)
            if number:
                self._ended(fork, status)

    def _ended(self, fork: int, status: int) -> None:
        relay, _ = self._relays.pop(fork)
        with contextlib.suppress(KeyError):
            self._selector.unregister(relay)
        with contextlib.suppress(OSError):
            relay.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
        relay.close()

    def _kill(self) -> bool:
        """Kill the requested fork; return False if the tests are over."""
        said = self._control.recv(4)
        if not said:
            return False
        self._accept()  # it may be among the most recent requests
        wanted = int.from_bytes(said, "big")
        for fork, (_, number) in [*self._relays.items()]:
            if number == wanted:
                os.kill(fork, signal.SIGKILL)
                self._ended(fork, os.waitpid(fork, 0)[1])
        self._control.sendall(b"k")
        return True


def _exactly(source: socket.socket, count: int) -> bytes:
    said = b""
    while len(said) < count:
        more = source.recv(count - len(said))
        if not more:
            raise ValueError("it went before it had said all")
        said += more
    return said


def _pythons(environment: Any) -> dict[str, str]:
    """Return the settings that Python reads when it starts; a fork cannot differ from its template in them.

    A folder that a path contains twice counts once.
    """
    return {
        name: os.pathsep.join(dict.fromkeys(value.split(os.pathsep)))
        for name, value in environment.items()
        if name.startswith("PYTHON")
    }


def main() -> None:
    """Load everything, then fork."""
    from lydian.model.childprocess import follow_parent

    numbers = [int(each) for each in sys.argv[1:]]
    follow_parent()
    import importlib

    for name in (*FORKED, "lydian.trace.parquet.arrow", "lydian.model.archive.archive", "networkx"):
        importlib.import_module(name)
    from lydian.model.archive.archive import archive

    archive().protocol("echo")  # which most windows of the tests run
    gc.collect()
    gc.freeze()
    gc.disable()
    template = Template(*(socket.socket(fileno=each) for each in numbers))
    try:
        template.run()
    finally:
        template.end()


if __name__ == "__main__":
    main()
