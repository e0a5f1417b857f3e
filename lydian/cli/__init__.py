"""The command line; the program ``lydian`` calls :func:`main`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code: 0 for success, 1 if the protocol failed, 2 for wrong usage or bad input.

    Args:
        argv: the words after ``lydian``; ``None`` for those of this program.
    """
    if argv is None:
        _begin_again()
    from lydian.cli.entry import main as run

    return run(argv)


def _begin_again() -> None:
    """Restart with fixed hashes, Python's safe path, and numerical libraries limited to one core.

    Python orders the texts in a set differently in each process unless ``PYTHONHASHSEED`` is set when it starts; a
    protocol that sends to each member of a set would then execute differently each time. Without the safe path,
    ``python -m lydian`` would execute a file ``random.py`` in the current folder instead of Python's module.
    """
    from lydian.model.childprocess import ONE_THREAD

    for name, number in ONE_THREAD.items():
        os.environ.setdefault(name, number)  # before numpy is loaded
    safe = sys.flags.safe_path or sys.orig_argv[1:2] != ["-m"]
    if (os.environ.get("PYTHONHASHSEED") == "0" and safe) or not sys.executable:
        return
    os.environ["PYTHONHASHSEED"] = "0"  # inherited by the processes that this one starts
    os.environ["PYTHONSAFEPATH"] = "1"
    if not safe:  # the package may have been found in the current folder
        from lydian.model.childprocess import environment

        os.environ["PYTHONPATH"] = environment()["PYTHONPATH"]
    command = [sys.executable, *sys.orig_argv[1:]]
    if os.name == "nt":  # on Windows, exec would return to the shell before the program has ended
        import subprocess

        sys.exit(subprocess.call(command))
    sys.stdout.flush()
    os.execv(command[0], command)
