"""The command line; :func:`main` is what ``lydian`` calls."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; gives the exit code: 0 fine, 1 the protocol failed, 2 wrong usage or bad input."""
    from lydian.cli.entry import main as run

    return run(argv)
