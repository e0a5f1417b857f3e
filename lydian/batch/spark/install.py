"""The installation of Spark with the first sweep, by pip into the environment of this program."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from importlib import invalidate_caches
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from threading import Lock

from lydian.model.childprocess import start
from lydian.model.errors import BadInput
from lydian.model.reading import Cancelled

__all__ = ["MEGABYTES", "Installation", "missing", "wanted"]

#: What Spark with its Java and pandas takes on disk, approximately.
MEGABYTES = 680
#: A line of pip that says what it does now.
_STEP = re.compile(r"\s*(Collecting|Downloading|Installing collected packages|Building)\b:?\s*(\S*)")


def missing() -> bool:
    """Return whether a part of Spark is not installed."""
    return any(find_spec(name) is None for name in ("pyspark", "pandas"))


def wanted() -> list[str]:
    """Return what pip must install: the requirements of the extra ``spark``."""
    try:
        known = requires("lydian") or []
    except PackageNotFoundError:
        known = []
    found = [each.partition(";")[0].strip() for each in known if re.search(r"extra == ['\"]spark['\"]", each)]
    return found or ["lydian[spark]"]


class Installation:
    """An installation of Spark, which can be stopped from another thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def run(self, tell: Callable[[str], None]) -> None:
        """Install Spark; report each package in a few words.

        Raises:
            BadInput: pip failed; the sentence contains its last line.
            Cancelled: the installation was stopped.
        """
        words = ("-m", "pip", "install", "--disable-pip-version-check", "--no-input", *wanted())
        last = "it did not start"
        with self._lock:
            if self._stopped:
                raise Cancelled
            self._child = start(*words, stderr=subprocess.STDOUT)
        with self._child as child:
            assert child.stdin is not None and child.stdout is not None
            child.stdin.close()
            for data in child.stdout:
                line = data.decode("utf-8", "replace")
                last = line.strip() or last
                if found := _STEP.match(line):
                    tell("installing ..." if found[1].startswith("Installing") else f"{found[1].lower()} {found[2]}")
        invalidate_caches()
        if self._stopped:
            raise Cancelled
        if child.returncode != 0:
            raise BadInput(f"Spark could not be installed: {last}")

    def stop(self) -> None:
        """End pip; what it has installed completely stays."""
        with self._lock:
            self._stopped = True
            if self._child is not None:
                self._child.terminate()
