"""LYDIAN from Python: what a script or a notebook calls.

::

    import lydian

    run = lydian.run("echo", network="grid:5x5", seed=7)
    print(run.messages, run.ok)
    run.show("causality", at=6.6)

The functions below are also attributes of the package: ``lydian.run`` is :func:`run` here. Each loads what it needs
when it is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lydian.lab.execution import Run
    from lydian.lab.explored import Explored
    from lydian.lab.rows import Rows
    from lydian.model.interventions import Intervention

__all__ = ["explore", "open_run", "run", "runs", "sweep"]


def run(
    protocol: Any,
    /,
    network: Any = None,
    *,
    seed: int | None = None,
    delay: Any = None,
    initiators: str | Iterable[Any] | None = None,
    until: float | None = None,
    limit: int | None = None,
    faults: Iterable[Mapping[str, Any] | Intervention] = (),
    workload: Iterable[Mapping[str, Any] | Intervention] = (),
    breaks: str | Iterable[str] = (),
    roles: Mapping[str, Iterable[str] | str] | None = None,
    **parameters: Any,
) -> Run:
    """Run a protocol on a network, and return the execution with its result.

    The same arguments give the same execution as ``lydian run``, event by event. If the protocol fails, the run ends
    there with ``ok`` false and the reason in ``error``.

    Args:
        protocol: the class of a process, which may be declared in a cell of a notebook; the name of a protocol or of
            an experiment in the archive; the path of either; or an experiment.
        network: a name in the archive, a kind such as ``"grid:5x5"``, a path, a network, or a graph of networkx;
            without one, the network of the experiment, or the example network.
        seed: the seed of all random choices.
        delay: the delay of all links, such as ``"exponential(mean=1)"``, or a number.
        initiators: ``"all"``, or the names of the processes that start.
        until: stop at this simulated time.
        limit: stop after this many events.
        faults: what goes wrong, as in the file of an experiment: ``{"time": 2.5, "do": "crash", "process": "4"}``.
        workload: the commands of users, likewise: ``{"time": 0, "do": "command", "process": "0", "label": "Request"}``.
        breaks: assumptions of the protocol that the experiment breaks on purpose, or ``"all"``.
        roles: the processes that play each role, if the protocol has several: ``{"server": ["1"], "client": "*"}``.
        parameters: the parameters of the protocol; those named like an argument above go into ``parameters={...}``.

    Raises:
        LydianError: one sentence about what cannot be used.
    """
    from lydian.lab.execution import simulated
    from lydian.lab.experiments import Asked

    given = Asked(
        protocol, network, seed=seed, delay=delay, initiators=initiators, until=until, limit=limit, faults=faults,
        workload=workload, breaks=breaks, roles=roles, parameters=parameters,
    )  # fmt: skip
    with given.blamed():
        return simulated(given.experiment(), given.source)


def open_run(path: str | Path) -> Run:
    """Open a run that was saved by its method ``save``, by ``lydian run --trace`` or by the window.

    Raises:
        LydianError: the file cannot be read or is not a trace.
    """
    from lydian.lab.execution import Run
    from lydian.trace.parquet.file import load

    return Run(load(Path(path)))


def runs(
    protocol: Any,
    /,
    network: Any = None,
    *,
    seeds: int | Iterable[int] = 10,
    workers: int | None = None,
    seconds: float = 60.0,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Run a protocol many times in a pool of processes on this machine, and return one row for each run.

    A list is a setting that varies: with ``network=["ring:8", "ring:16"]`` and ``retries=[1, 2]``, every combination
    runs with every seed.

    Args:
        protocol: as for :func:`run`.
        network: as for :func:`run`, or a list of networks.
        seeds: the seeds, or their number.
        workers: the number of processes; by default one for each processor.
        seconds: the most real time for a single run; a run that takes longer becomes a row with its error.
        progress: whether to report the progress on standard error; by default on a terminal and in a notebook.
        options: all other arguments of :func:`run`; ``delay``, ``until``, ``limit`` and each parameter may be a list.

    Raises:
        LydianError: one sentence about what cannot be used.
    """
    from lydian.lab.rows import pooled

    return pooled(protocol, network, seeds, options, workers=workers, seconds=seconds, progress=progress)


def sweep(
    sweep: str | Path,
    /,
    *,
    master: str = "local[*]",
    output: str | Path | None = None,
    traces: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> Rows:
    """Run a sweep on Apache Spark, and return one row for each run.

    Args:
        sweep: the path of a sweep, or the name of one in the archive.
        master: the master of Spark: ``local[2]``, ``spark://...``, ``k8s://...`` or ``sc://...``.
        output: a new folder for the results; without one, they are kept as long as this program runs.
        traces: keep the trace of every run.
        resume: continue the batch in the folder.
        progress: whether to report the progress on standard error; by default on a terminal and in a notebook.

    Raises:
        LydianError: one sentence about what cannot be used, or what is not installed.
    """
    from lydian.lab.rows import swept

    return swept(sweep, master=master, output=output, traces=traces, resume=resume, progress=progress)


def explore(
    protocol: Any,
    /,
    network: Any = None,
    *,
    crashes: int | None = None,
    losses: int | None = None,
    late_starts: bool = False,
    patient: bool = False,
    all_orders: bool = False,
    depth: int | None = None,
    states: int = 1_000_000,
    seconds: float = 60.0,
    workers: int = 1,
    walk: int | None = None,
    priorities: int | None = None,
    seed: int | None = None,
    initiators: str | Iterable[Any] | None = None,
    faults: Sequence[Mapping[str, Any] | Intervention] = (),
    workload: Sequence[Mapping[str, Any] | Intervention] = (),
    breaks: str | Iterable[str] = (),
    roles: Mapping[str, Iterable[str] | str] | None = None,
    **parameters: Any,
) -> Explored:
    """Try every schedule of a small experiment, and return what was proved, refuted, or left open.

    With ``walk``, follow random schedules of an experiment of any size instead, which can refute but not prove.

    Args:
        protocol, network, initiators, faults, workload, breaks, roles, parameters: as for :func:`run`.
        crashes: the number of processes that may crash; by default as many as planned.
        losses: the number of messages that may be lost; by default as many as planned.
        late_starts: messages may reach an initiator before it starts.
        patient: timers expire only when no other event is enabled.
        all_orders: also try orders of events that make no difference (no partial-order reduction).
        depth: schedules of at most this many steps.
        states: at most this many configurations.
        seconds: at most this much real time.
        workers: the number of processes that search; the result does not depend on it.
        walk: the number of random schedules; ``None`` to try all schedules.
        priorities: draw priorities for bugs of this depth, instead of each move uniformly.
        seed: the seed of random schedules and of the random choices of processes.

    Raises:
        LydianError: one sentence about what cannot be used.
    """
    from lydian.lab.experiments import Asked
    from lydian.lab.explored import followed, searched

    given = Asked(
        protocol, network, seed=seed, initiators=initiators, faults=faults, workload=workload, breaks=breaks,
        roles=roles, parameters=parameters,
    )  # fmt: skip
    with given.blamed():
        if walk is not None:
            return followed(
                given, walk, priorities=priorities, seconds=seconds, crashes=crashes, losses=losses,
                late_starts=late_starts, patient=patient, depth=depth,
            )  # fmt: skip
        return searched(
            given, crashes=crashes, losses=losses, late_starts=late_starts, patient=patient, depth=depth, states=states,
            seconds=seconds, all_orders=all_orders, workers=workers,
        )  # fmt: skip
