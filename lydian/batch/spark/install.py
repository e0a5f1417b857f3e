"""The installation of Spark with the first sweep, by pip into the environment of this program."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

from lydian.model.errors import BadInput

__all__ = ["MEGABYTES", "install", "missing", "wanted"]

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


def install(tell: Callable[[str], None]) -> None:
    """Install Spark; report each package in a few words.

    Raises:
        BadInput: pip failed; the sentence contains its last line.
    """
    words = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *wanted()]
    last, pipe = "it did not start", subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=subprocess.STDOUT, text=True, errors="replace") as child:
        assert child.stdout is not None
        for line in child.stdout:
            last = line.strip() or last
            if found := _STEP.match(line):
                tell("installing ..." if found[1].startswith("Installing") else f"{found[1].lower()} {found[2]}")
    if child.returncode != 0:
        raise BadInput(f"Spark could not be installed: {last}")
