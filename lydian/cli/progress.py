"""The progress of a long run on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

__all__ = ["Progress"]

#: Seconds before progress is first shown, and between updates.
_PATIENCE, _TICK = 1.0, 0.2


class Progress:
    """Progress of a long run, shown on a terminal only.

    Args:
        tell: returns the text to be shown.
    """

    def __init__(self, tell: Callable[[], str]) -> None:
        self._text = tell
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> None:
        if self._wanted:
            import threading

            from lydian.model.childprocess import Aside

            self._done = threading.Event()
            self._thread = Aside(self._tell, "lydian-progress")
            self._thread.start()

    def __exit__(self, *exception: object) -> None:
        if self._wanted:
            self._done.set()
            self._thread.join()

    def _tell(self) -> None:
        told, wait = False, _PATIENCE
        while not self._done.wait(wait):
            print(f"\r\x1b[K  {self._text()} ... (Ctrl+C stops)", end="", file=sys.stderr, flush=True)
            told, wait = True, _TICK
        if told:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
