"""What a file is: an experiment, a network, a trace or a protocol, by its content and not by its name."""

from __future__ import annotations

import re
from pathlib import Path

from lydian.model.errors import BadInput
from lydian.model.reading import read_text

__all__ = ["KINDS", "kind_of"]

#: What a file may be.
KINDS = ("experiment", "network", "trace", "protocol")
_MOST_BYTES = 64_000_000
#: A line of Python that takes something from us; the same words in a sentence about it are none.
_IMPORTS = re.compile(r"^[ \t]*(from[ \t]+lydian[\w.]*[ \t]+import\b|import[ \t]+lydian\b)", re.MULTILINE)


def kind_of(path: Path) -> str:
    """``experiment``, ``network``, ``trace`` or ``protocol``, by the content of the file.

    Raises:
        BadInput: it is missing, empty, binary, or nothing of these.
    """
    try:
        if path.is_file():
            with path.open("rb") as stream:
                if stream.read(4) == b"PAR1":
                    return "trace"
    except OSError:
        pass  # read_text says what is wrong
    text = read_text(path, "an experiment, a network, a trace or a protocol", _MOST_BYTES)
    words = text.lstrip()
    suffix = path.suffix.lower()
    if words.startswith("{"):
        return "network"
    if suffix == ".py" or _IMPORTS.search(text):
        return "protocol"
    if suffix == ".toml" or any(line.split("=")[0].strip() == "protocol" for line in text.splitlines()):
        return "experiment"
    if suffix == ".json":
        return "network"
    raise BadInput(
        "this is neither an experiment (TOML with protocol = ...), nor a network (JSON), a trace (Parquet) "
        "or a protocol (Python with from lydian import ...)",
        file=path,
    )
