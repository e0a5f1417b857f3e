"""Runs of the agreement protocols with failures in the middle of a broadcast."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


def everybody(n: int) -> Network:
    """Return a complete network in which all processes start."""
    network = from_spec(f"complete:{n}")
    return network.replace(initiators=network.processes)


def simulated(protocol: str | Path, n: int, **words: Any) -> tuple[Simulator, Result]:
    simulator = Simulator(Experiment("t", protocol=str(protocol), network=everybody(n), **words).resolve(ARCHIVE))
    return simulator, simulator.run()


def broken_off(p: str, reached: Iterable[str], n: int, time: float) -> list[Intervention]:
    """Crash process p while it sends at this time, so that only these processes are reached."""
    others = [q for q in everybody(n).processes if q != p and q not in reached]
    lost = [Intervention(time, "drop", link=(p, q)) for q in others]
    return [*lost, Intervention(time + 0.1, "crash", process=p)]


def broken(result: Result) -> list[str]:
    """Return the sentences that did not hold, except the formula."""
    return [check.name for check in result.checks if check.holds is not True and check.kind != "messages"]


def mutant(name: str, right: str, wrong: str, folder: Path) -> Path:
    """Return the protocol with a planted bug."""
    source = (ROOT / "protocols" / f"{name}.py").read_text(encoding="utf-8")
    assert right in source
    path = folder / f"{name}.py"
    path.write_text(source.replace(right, wrong), encoding="utf-8")
    return path
