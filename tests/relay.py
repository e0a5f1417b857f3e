"""A stand-in for a child process: it asks :mod:`tests.nursery` to fork one on these channels, and ends when it ends.

It is run as ``python -I -S relay.py NAME COMMAND...``, with the name of the nursery's socket, and takes a twentieth of
the time that the child would take to load its modules. If the nursery cannot fork a program, the program is executed
in place of this process.
"""

import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket

where, *command = sys.argv[1:]
folder = os.getcwd()  # noqa: PTH109 - pathlib takes longer to load than all else here
parts = [str(os.getpid()), folder, str(len(command)), *command, *(f"{k}={v}" for k, v in os.environ.items())]
said = "\0".join(parts).encode("utf-8", "surrogateescape")
answer = b""
try:
    nursery = socket(AF_UNIX, SOCK_STREAM)
    nursery.connect("\0" + where)
    nursery.sendall(len(said).to_bytes(4, "big"))
    channels = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    nursery.sendmsg([said[:1]], [(SOL_SOCKET, SCM_RIGHTS, channels)])
    nursery.sendall(said[1:])
    answer = nursery.recv(1)
except OSError:
    pass
if answer != b"f":
    os.execv(command[0], command)
for number in (0, 1, 2):
    os.close(number)
ended = nursery.recv(4)
code = int.from_bytes(ended, "big", signed=True) if ended else 1
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
