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

__all__ = [
    "MOST_BYTES", "Trial", "first_experiment", "guide_page", "in_order", "read_trial", "trials_of", "what_to_see",
]  # fmt: skip

MOST_BYTES = 500_000
_LINK = re.compile(r"\]\(lydian:(?:run|open)/([^)\s]+)\)")
_LINKED = re.compile(r"\[([^\]]+)\]\([^)\s]*\)")
_NAMES = rf"{_LINKED.pattern}(?:(?:, | and |, and ){_LINKED.pattern})*"
#: The introduction of a paragraph of the guide about experiments, in contrast to the questions for the class.
_ABOUT = re.compile(r"^\*\*[^*]+\*\*\s*(?=\S)")
#: Names alone in parentheses, and the words that lead to an experiment: "In [raft-crash](...) a leader crashes".
_ASIDE = re.compile(rf"\s*\({_NAMES}\)")
_LEADS = re.compile(
    rf"^(?:(?:open|in|with|at|on|as in|and|but|and in|but in) {_NAMES}[:,]?|{_NAMES}:)\s*", re.IGNORECASE
)
_SUBJECT = re.compile(rf"^{_LINKED.pattern} (?!and\b|with\b|or\b)")
_FAILS = re.compile(r"^\*\*(?:Where it fails|Where it breaks|What breaks it)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Trial:
    """An experiment as it is listed for a protocol.

    Attributes:
        broken: whether it violates an assumption: the page of the guide lists it among the failures or, if the page
            does not mention it, it has faults.
        watch: what one should see in it, in the words of the guide; "" if the guide does not mention it.
    """

    name: str
    path: Path
    about: str
    network: str
    broken: bool = False
    watch: str = ""


def first_experiment(name: str, shelves: Shelves) -> Path | None:
    """Return the experiment that shows a protocol best (the first that violates no assumption), or ``None``."""
    return next((each.path for each in trials_of(name, shelves) if not each.broken), None)


def trials_of(name: str, shelves: Shelves) -> tuple[Trial, ...]:
    """Return the experiments of a protocol in the order of the guide, first those that violate no assumption.

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
    return in_order(trials, guide_page(name, shelves)[1])


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
    """Return the page of the guide about a protocol in the archive, and its text; ``None`` and "" if there is none."""
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
    seen = what_to_see(page)
    told = [
        replace(trial, broken=trial.name in failing if trial.name in linked else faulty, watch=seen.get(trial.name, ""))
        for trial, faulty in trials
    ]
    order = {name: number for number, name in enumerate(linked)}
    return tuple(sorted(told, key=lambda each: (each.broken, order.get(each.name, len(order)), natural(each.name))))


def what_to_see(page: str) -> dict[str, str]:
    """Return what the page of a protocol says about each experiment that it links to, by the name of the experiment.

    It is the part of a sentence with the link, without the words that only lead to it ("In [raft-crash](...) a leader
    crashes"); after a sentence that says nothing else ("Open [two-wings](...)."), it is the next one.
    """
    found: dict[str, str] = {}
    for line in page.splitlines():
        text = _ABOUT.sub("", line)
        if text == line:
            continue
        parts = re.split(r"(?<=[.;?!])\s+", text)
        for at, part in enumerate(parts):
            names = _LINK.findall(part)
            said = _plain(part)
            if names and not said and at + 1 < len(parts) and not _LINK.search(parts[at + 1]):
                said = _plain(parts[at + 1])
            for name in names:
                if said and not found.get(name):
                    found[name] = said
    return found


def _plain(part: str) -> str:
    """Return a part of a sentence as a sentence of its own, without marks and links; "" if too little is left."""
    left = _LEADS.sub("", _ASIDE.sub("", part.strip()).strip("()"))
    text = re.sub(r"[*`]", "", _LINKED.sub(r"\1", _SUBJECT.sub("it ", left))).strip(" ;:,.")
    text = re.sub(r"^(?:and|but|or|while)\s+", "", text)
    if text.startswith("(") or text.count("(") != text.count(")"):
        return ""
    said = text if text.endswith("?") else f"{text}."
    return f"{said[:1].upper()}{said[1:]}" if len(text.split()) > 2 else ""
