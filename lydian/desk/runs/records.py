"""The experiment that a recorded run contains, and the record of a run without events."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from lydian.model.archive.shelves import called
from lydian.model.errors import LydianError
from lydian.model.network import Network
from lydian.model.network.netfile import from_dict, to_dict
from lydian.model.source.syntax import tree_of
from lydian.pieces.animation import NOT_RUN
from lydian.trace.events import ROW, Trace

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["about_source", "experiment_of", "names_of", "resting"]


def experiment_of(trace: Trace) -> Experiment | None:
    """Return the experiment in a trace, with the trace's network if it has one, or ``None`` if it cannot be read."""
    from lydian.model.experiment.experiment import from_dict as experiment_from

    if not trace.experiment:
        return None
    try:
        experiment: Experiment = experiment_from(dict(trace.experiment))
        if trace.network and not isinstance(experiment.network, str):
            experiment = experiment.with_(network=from_dict(dict(trace.network)))
    except LydianError:
        return None
    return experiment


def names_of(experiment: Experiment) -> tuple[str, str]:
    """Return the displayed names of an experiment's protocol and network: for a file, its name without the path."""
    network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
    return called(experiment.protocol, "protocols"), called(network, "networks")


def resting(network: Network, experiment: Experiment | None = None, source: str = "") -> Trace:
    """Return a trace without events, which the window shows until the first run is ready.

    Args:
        source: the protocol's text, from which its title is read.
    """
    title = _title(source)
    about = {} if experiment is None else {"about": experiment.about, "protocol": experiment.protocol}
    if experiment is not None:
        about["network"] = names_of(experiment)[1]
    return Trace(
        rows=np.empty(0, dtype=ROW),
        processes=tuple(network.processes),
        labels=(),
        states=(NOT_RUN,),
        experiment=about,
        network=to_dict(network),
        summary={"start": 0, **({"protocol_title": title} if title else {})},
    )


def _title(source: str) -> str:
    """Return the title of a protocol from its text: the class's ``title``, or else the title in the first line."""
    try:
        classes = [each for each in tree_of(source).body if isinstance(each, ast.ClassDef)]
    except (SyntaxError, ValueError):
        return ""
    for item in (item for each in classes for item in each.body if isinstance(item, ast.Assign)):
        if [ast.unparse(target) for target in item.targets] == ["title"] and isinstance(item.value, ast.Constant):
            return str(item.value.value)
    return about_source(source)[0]


@lru_cache(maxsize=256)
def about_source(source: str) -> tuple[str, str]:
    """Return the title and the first sentence of a protocol from its text, without running it; "" where unknown."""
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError):
        return "", ""
    doc = (ast.get_docstring(tree) or "").strip()
    first = " ".join(doc.split("\n\n", 1)[0].split())
    title, colon, rest = first.partition(":")
    return (title.strip(), rest.strip().rstrip(".")) if colon and len(title) < 40 else ("", first.rstrip("."))
