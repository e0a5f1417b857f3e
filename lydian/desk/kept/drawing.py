"""An unfinished drawing of a network, kept in a file beside the settings so that it survives a crash.

At its next start, the program offers to resume it. A drawing that is replaced by another one is saved to the folder
``unsaved`` there, as a network that can be opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydian.model.errors import LydianError
from lydian.model.network import Network, netfile
from lydian.model.reading import write_text

__all__ = ["FILE", "Kept", "put_aside", "read", "write"]

#: The name of the file in the folder of its window.
FILE = "drawing.json"
#: The maximum number of drawings that are set aside; older ones are deleted.
MOST_ASIDE = 50
#: The number of processes or links that are written as text at once; other threads can run in between.
PIECE = 500


@dataclass(frozen=True)
class Kept:
    """An unfinished drawing.

    Attributes:
        network: the network as it was last drawn.
        path: the file that it came from, if any.
    """

    network: Network
    path: Path | None = None


def write(
    file: Path, network: Network, path: Path | None = None, report: Callable[[float], None] = lambda _share: None
) -> None:
    """Keep a drawing; ``report`` is called with the share that is done, and may raise an exception to stop.

    Raises:
        LydianError: the file cannot be written.
        OSError: its folder cannot be created.
    """
    whole = netfile.to_dict(network)
    nodes, links = whole.pop("nodes"), whole.pop("links")
    head = json.dumps({"version": 1, "file": None if path is None else str(path), "network": whole})
    parts = [f"{head[:-2]}, "]  # without the closing braces of the network and of the record
    total = max(len(nodes) + len(links), 1)
    done = 0
    for number, (name, items) in enumerate((("nodes", nodes), ("links", links))):
        parts.append(f"{', ' if number else ''}{json.dumps(name)}: [")
        for start in range(0, len(items), PIECE):
            piece = items[start : start + PIECE]
            parts.append((", " if start else "") + json.dumps(piece)[1:-1])
            done += len(piece)
            report(0.9 * done / total)
        parts.append("]")
    parts.append("}}")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, "".join(parts))


def read(file: Path) -> Kept | None:
    """Return the drawing that was kept; return ``None`` if the file contains no usable drawing."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        network = netfile.from_dict(kept["network"]) if kept["network"]["nodes"] else None
        path = kept.get("file")
        return None if network is None else Kept(network, Path(path) if isinstance(path, str) else None)
    except (LydianError, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def put_aside(network: Network, folder: Path) -> Path:
    """Write a drawing as a network to a new file in a folder, and return the file.

    Raises:
        LydianError: it cannot be written.
        OSError: the folder cannot be created or read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.-]+", "-", network.name).strip(".-")[:60] or "network"
    taken = {entry.name for entry in folder.iterdir()}
    name = next(n for n in (f"{stem}.json", *(f"{stem}-{i}.json" for i in range(2, 10_000))) if n not in taken)
    file = folder / name
    write_text(file, netfile.dumps(network))
    for old in sorted(folder.glob("*.json"), key=lambda entry: entry.stat().st_mtime)[:-MOST_ASIDE]:
        old.unlink()
    return file
