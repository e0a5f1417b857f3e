"""Suggestions for what to try after a run: three of them, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydian.authoring.ending import Ending
from lydian.desk.runs.undisturbed import disturbed
from lydian.language import tr
from lydian.model.archive.shelves import called
from lydian.model.archive.trials import Trial
from lydian.model.experiment.experiment import Experiment

__all__ = ["Suggestion", "seen", "suggestions"]

#: The number of suggestions.
MOST = 3


@dataclass(frozen=True)
class Suggestion:
    """Something to try: the experiment to run, or else the command to carry out."""

    title: str
    text: str
    experiment: str = ""
    command: str = ""


def seen(experiment: Experiment | None, trials: Sequence[Trial]) -> str:
    """Return what one should have seen in a run, in the words of the guide or of the experiment; "" if unknown."""
    if experiment is None:
        return ""
    watch = next((each.watch for each in trials if each.name == experiment.name), "")
    return watch or experiment.about


def suggestions(ending: Ending, experiment: Experiment | None, trials: Sequence[Trial]) -> tuple[Suggestion, ...]:
    """Return what to try next.

    After an end as it should be, these are the experiments of the same protocol that fail, and then the others. After
    another end it is the same run without its faults, and then the experiments that work.

    Args:
        trials: the experiments of the protocol.
    """
    if experiment is None:
        return ()
    found = []
    if not ending.good and disturbed(experiment):
        text = tr("The same seed and the same delays: see what should have happened.")
        found.append(Suggestion(tr("No faults"), text, command="without_faults"))
    others = [each for each in trials if each.name != experiment.name]
    others.sort(key=lambda each: each.broken != ending.good)
    protocol = called(experiment.protocol, "protocols")
    found += [Suggestion(_title(each, protocol), _first(each.about), each.name) for each in others]
    if len(found) < MOST and ending.good:
        text = tr("One process crashes in the middle of the run: what then?")
        found.append(Suggestion(tr("Crash a process"), text, command="break_something"))
    if len(found) < MOST:
        text = tr("Another seed: is the end the same?")
        found.append(Suggestion(tr("Other delays"), text, command="other_chances"))
    if len(found) < MOST:
        text = tr("The same protocol where each process has two neighbours.")
        found.append(Suggestion(tr("On a ring"), text, command="try_ring"))
    return tuple(found[:MOST])


def _title(trial: Trial, protocol: str) -> str:
    """Return the name of an experiment as words, without that of its protocol: ``Lost ack`` for ``echo-lost-ack``."""
    if trial.name == protocol:
        return tr("The first run")
    name = trial.name.removeprefix(f"{protocol}-").replace("-", " ")
    return f"{name[:1].upper()}{name[1:]}"


def _first(text: str) -> str:
    """Return the first sentence of a text."""
    first, stop, _rest = text.partition(". ")
    return f"{first}." if stop else first
