"""The parts of an experiment that can be varied, each with initial values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lydian.app.sweep.form.form import Drawn, Row
from lydian.app.sweep.form.values import text_of, texts_of
from lydian.batch.sweep.drawn import drawn_kinds
from lydian.language import tr, trc
from lydian.model.generators import KINDS
from lydian.model.network import Network
from lydian.model.protocol.process import Parameter

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Choice", "choices", "title_of"]

LAWS = ("constant(1)", "uniform(0.5, 1.5)", "exponential(mean=1)", "pareto(mean=1, a=1.5)")
LAW_NAMES = ("constant", "uniform", "exponential", "Pareto")
#: The number of links that are offered individually.
MOST_LINKS = 60
_TITLES = {
    "network": tr("Network"),
    "timing.delay": tr("Delay of messages"),
    "timing.loss": tr("Loss of messages"),
    "timing.duplication": tr("Duplicated messages"),
    "timing.corruption": tr("Corrupted messages"),
    "timing.order": tr("Order of messages"),
    "timing.step": tr("Time per step"),
    "timing.initiators": tr("Initiators"),
    "protocol": tr("Protocol"),
    "stop.until": tr("End of the run"),
    "stop.events": tr("Limit of events"),
    "daemon.kind": tr("Daemon"),
    "start.any": tr("Arbitrary initial states"),
    "daemon": tr("Daemon"),
    "start": trc("initial configuration", "Start"),
}


@dataclass(frozen=True)
class Choice:
    """A part of the experiment that can be varied.

    Attributes:
        title: its name in words.
        field: its name in the file; ``seeds`` for the repetitions.
        about: a short explanation.
        rows, drawn: the rows and faults that are added to the form.
    """

    title: str
    field: str
    about: str = ""
    rows: tuple[Row, ...] = ()
    drawn: tuple[Drawn, ...] = ()


def title_of(field: str) -> str:
    """Return the name of a field in words."""
    if field in _TITLES:
        return _TITLES[field]
    if match := re.fullmatch(r'timing\.links\."?([^"]+)"?', field):
        return tr("Delay of link {link}", link=match[1])
    if match := re.fullmatch(r'timing\.processes\."?([^"]+)"?', field):
        return tr("Step of process {process}", process=match[1])
    if match := re.fullmatch(r"(faults|workload)\[(\d+)\]\.(\w+)", field):
        number, key = int(match[2]) + 1, match[3]
        if match[1] == "faults":
            return tr("Fault {number}: {key}", number=number, key=key)
        return tr("Command {number}: {key}", number=number, key=key)
    if field.startswith("parameters."):
        word = field.removeprefix("parameters.").strip('"').replace("_", " ")
        return word[:1].upper() + word[1:]
    return field


def choices(
    experiment: Experiment, known: Mapping[str, Parameter], network: Network | None, networks: Sequence[str] = ()
) -> list[Choice]:
    """Return the parts of this experiment that can be varied, the most common ones first.

    Args:
        known: the parameters that its protocol declares.
        network: its network, if it can be read.
        networks: names of networks to offer.
    """
    found = [*_networks(experiment, network, networks), *_timing(experiment)]
    found += [_parameter(name, one, experiment.parameters) for name, one in known.items()]
    found += [
        _one(f"parameters.{name}", texts_of([value]), tr("a parameter"))
        for name, value in experiment.parameters.items() if name not in known
    ]  # fmt: skip
    found += _faults(experiment)
    found.append(Choice(tr("Seed"), "seeds", tr("number of runs of each combination")))
    found += [*_ends(experiment, network), *_links(experiment, network)]
    return found


def _one(field: str, values: str, about: str = "", labels: Sequence[str] = ()) -> Choice:
    return Choice(title_of(field), field, about, (Row(field=field, values=values, labels=", ".join(labels)),))


def _networks(experiment: Experiment, network: Network | None, names: Sequence[str]) -> Iterator[Choice]:
    now = experiment.network if isinstance(experiment.network, str) else ""
    template, numbers = _template(now)
    size = Row(name="n", values=texts_of(numbers), labels="")
    kind = template.partition(":")[0]
    label = {"gnm": "random"}.get(kind, kind)
    yield Choice(
        tr("Number of processes"), "n", tr("networks of several sizes: {template}", template=template),
        (size, Row(field="network", values=template, labels=label)),
    )  # fmt: skip
    three = ["ring:{n}", "tree:{n}", "gnm:{n},{2*n},seed={seed}"]
    yield Choice(
        tr("Number of processes and kind of network"),
        "n, network",
        tr("rings, trees and random networks of several sizes"),
        (size, Row(field="network", values=texts_of(three), labels="ring, tree, random")),
    )
    some = [now] if now and "{" not in now else []
    some += [name for name in names if name not in some][: 3 - len(some)]
    yield _one("network", texts_of(some or ["ring:8", "tree:15"]), tr("names, files, or kinds such as ring:8"))


def _template(now: str) -> tuple[str, list[int]]:
    """Return a kind of network with its size left open, like the current one, and initial sizes."""
    name, _, size = now.partition(":")
    kind = KINDS.get(name)
    if kind is not None and [each.name for each in kind.parameters[:1]] == ["n"] and size.isdecimal():
        return f"{name}:{{n}}", [8, 16, 32, 64]
    if kind is not None and kind.times and re.fullmatch(r"\d+x\d+", size):
        return f"{name}:{{n}}x{{n}}", [4, 6, 8, 10]
    return "gnm:{n},{2*n},seed={seed}", [8, 16, 32, 64]


def _timing(experiment: Experiment) -> Iterator[Choice]:
    yield _one("timing.delay", texts_of(LAWS), tr("distributions of the delay, all with the same mean"), LAW_NAMES)
    yield _one("timing.loss", "0, 0.05, 0.1, 0.2", tr("share of messages that are lost"))
    yield _one("timing.duplication", "0, 0.05, 0.1, 0.2", tr("share of messages that are delivered twice"))
    yield _one("timing.corruption", "0, 0.01, 0.05, 0.1", tr("share of messages that are corrupted in transit"))
    yield _one("timing.order", "unordered, fifo", tr("whether messages may overtake each other"))
    yield _one("timing.step", "constant(0), constant(0.1), constant(0.5)", tr("time that a process takes for a step"))
    for ends in experiment.timing.links:
        yield _one(
            f'timing.links."{ends}"',
            "constant(1), constant(5), constant(20)",
            tr("delay of this link"),
        )


def _parameter(name: str, one: Parameter, values: Mapping[str, Any]) -> Choice:
    now = values.get(name, one.default)
    about = one.help or tr("a parameter of the protocol")
    if one.choices is not None:
        return _one(f"parameters.{name}", texts_of(list(one.choices)), about)
    if isinstance(now, bool):
        return _one(f"parameters.{name}", "false, true", about)
    if isinstance(now, int | float):
        several = _around(now, one.minimum, one.maximum)
        return _one(f"parameters.{name}", texts_of(several), about)
    return _one(f"parameters.{name}", "" if now is None else text_of(now), about)


def _around(now: float, low: float | None, high: float | None) -> list[Any]:
    """Return a number and some near it that are allowed."""
    whole = isinstance(now, int)
    near = [now, now + 1, now + 2] if whole and abs(now) < 4 else [now / 2, now, now * 2]
    near = [round(value) if whole else value for value in near]
    low, high = (-float("inf") if low is None else low), (float("inf") if high is None else high)
    return list(dict.fromkeys(value for value in near if low <= value <= high)) or [now]


def _faults(experiment: Experiment) -> Iterator[Choice]:
    for kind in drawn_kinds():
        if kind.varied is not None:
            name, title, among, time = kind.varied
            yield Choice(
                title, name, tr("number of faults, drawn anew for each run"), (Row(name=name, values="0, 1, 2, 4"),),
                (Drawn(kind.name, f"{{{name}}}", among=among, time=time),),
            )  # fmt: skip
    for number, fault in enumerate(experiment.faults):
        where = fault.process if fault.process is not None else "-".join(fault.link or ())
        about = f"{fault.do.replace('_', ' ')} {where}".strip()
        yield _one(
            f"faults[{number}].time",
            texts_of(sorted({fault.time, fault.time / 2, fault.time * 2})),
            about,
        )
        if fault.process is not None:
            yield _one(f"faults[{number}].process", json_text(fault.process), about)


def json_text(name: str) -> str:
    """Return the name of a process, which may look like a number, as a text."""
    return f'"{name}"' if not isinstance(name, str) or name.strip().isdigit() else text_of(name)


def _ends(experiment: Experiment, network: Network | None) -> Iterator[Choice]:
    yield _one("stop.until", "10, 100", tr("simulated time at which the run ends"))
    yield _one("protocol", experiment.protocol or "echo", tr("names or files of protocols"))
    if network is not None and network.n:
        sets = [[network.processes[0]], list(network.processes[:2])]
        yield _one("timing.initiators", texts_of(sets), tr("processes that start"))
    yield _one("daemon.kind", "central, distributed, synchronous", tr("scheduler of guarded actions"))
    yield _one("start.any", "false, true", tr("whether processes start in arbitrary states"))


def _links(experiment: Experiment, network: Network | None) -> Iterator[Choice]:
    for link in () if network is None else network.links[:MOST_LINKS]:
        ends = f"{link.a}-{link.b}"
        if ends not in experiment.timing.links:
            yield _one(
                f'timing.links."{ends}"',
                "constant(1), constant(5), constant(20)",
                tr("step time of this process"),
            )
