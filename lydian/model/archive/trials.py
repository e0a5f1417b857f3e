"""The experiments of a protocol as the archive lists them, without reading them completely."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from lydian.language import tr
from lydian.model.archive.shelves import Shelves
from lydian.model.errors import LydianError
from lydian.model.names import natural
from lydian.model.reading import read_text

__all__ = ["MOST_BYTES", "Trial", "first_experiment", "guide_page", "in_order", "read_trial"]

MOST_BYTES = 500_000
_LINK = re.compile(r"\]\(lydian:(?:run|open)/([^)\s]+)\)")
_FAILS = re.compile(r"^\*\*(?:Where it fails|Where it breaks|What breaks it)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Trial:
    """An experiment as it is listed for a protocol.

    Attributes:
        broken: whether it violates an assumption: the page of the guide lists it among the failures or, if the page
            does not mention it, it has faults.
    """

    name: str
    path: Path
    about: str
    network: str
    broken: bool = False


def first_experiment(name: str, shelves: Shelves) -> Path | None:
    """Return the experiment that shows a protocol best (the first that violates no assumption), or ``None``.

    Only the experiments whose text names the protocol are read, so this takes no longer than reading a few files.
    """
    trials = []
    for each in shelves.names("experiments"):
        path = shelves.find("experiments", each)
        try:
            text = path.read_bytes()
        except OSError:
            continue
        if name.encode() in text and (found := read_trial(each, path)) is not None and found[0] == name:
            trials.append(found[1:])
    told = in_order(trials, guide_page(name, shelves)[1])
    return next((each.path for each in told if not each.broken), None)


def read_trial(name: str, path: Path) -> tuple[str, Trial, bool] | None:
    """Return the protocol of an experiment, the experiment, and whether it has faults; ``None`` if it is unreadable."""
    try:
        data = tomllib.loads(read_text(path, "an experiment", MOST_BYTES))
    except (LydianError, tomllib.TOMLDecodeError, RecursionError):
        return None
    protocol, network = data.get("protocol"), data.get("network")
    if not isinstance(protocol, str):
        return None
    about = data.get("about")
    words = network if isinstance(network, str) else tr("a network of its own")
    protocol = Path(protocol).stem if protocol.endswith(".py") else protocol
    trial = Trial(name, path, about if isinstance(about, str) else "", words)
    return protocol, trial, bool(data.get("faults") or data.get("interventions"))


def guide_page(name: str, shelves: Shelves) -> tuple[Path | None, str]:
    """Return the page of the guide about a protocol of the archive, and its text; ``None`` and "" if there is none."""
    page = shelves.ours / "resources" / "guide" / "archive" / f"{name}.md"
    try:
        text = read_text(page, "a page of the guide", MOST_BYTES) if page.is_file() else ""
    except LydianError:
        text = ""
    return (page if text else None), text


def in_order(trials: Iterable[tuple[Trial, bool]], page: str) -> tuple[Trial, ...]:
    """Return experiments in the order of the guide, first those that violate no assumption.

    Args:
        trials: pairs of an experiment of the protocol and whether it has faults.
        page: the text of the protocol's page of the guide.
    """
    linked = list(dict.fromkeys(_LINK.findall(page)))
    failing = {name for line in page.splitlines() if _FAILS.match(line) for name in _LINK.findall(line)}
    told = [
        replace(trial, broken=trial.name in failing if trial.name in linked else faulty) for trial, faulty in trials
    ]
    order = {name: number for number, name in enumerate(linked)}
    return tuple(sorted(told, key=lambda each: (each.broken, order.get(each.name, len(order)), natural(each.name))))
