"""Hand-ins of runs: one file with the trace and the files that produced it (:mod:`lydian.model.archive.handin`)."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path

from lydian.model.archive.handin import pack
from lydian.model.archive.shelves import our_folder, shelves
from lydian.model.errors import BadInput
from lydian.model.experiment.branches import ROOT
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Network, netfile
from lydian.model.protocol.folder import read_source
from lydian.trace.events import Trace
from lydian.trace.parquet.file import save

__all__ = ["hand_in", "packed"]


def hand_in(path: Path | str, experiment: Experiment, trace: Trace, branch: int = ROOT, page: str = "") -> None:
    """Write an experiment, the files that it names, and a run of it into one file, either completely or not at all.

    Args:
        path: the file; its name should end in ``.lydian``.
        experiment: with all its branches.
        trace: the run.
        branch: which branch of the experiment the run is.
        page: the run as a page that plays; empty for a run that is too long.

    Raises:
        BadInput: a file that the experiment names cannot be read, or the hand-in cannot be written.
    """
    inside, files = packed(experiment)
    source = next(data for name, data in files.items() if name.endswith(".py"))
    if trace.source.strip() and _lines(source.decode("utf-8-sig", "replace")) != _lines(trace.source):
        what = "the protocol has changed since the run; run the experiment again, then hand it in"
        raise BadInput(what, file=experiment.protocol)
    told = {**trace.experiment, "protocol": inside.protocol}
    if isinstance(inside.network, str):
        told["network"] = inside.network
    try:
        with tempfile.TemporaryDirectory(prefix="lydian-") as folder:
            run = Path(folder) / "run.parquet"
            save(replace(trace, experiment=told), run)
            pages = {"run.html": page.encode("utf-8", "replace")} if page else {}
            pack(path, inside.to_toml(), {**files, **pages, "run.parquet": run}, branch)
    except OSError as error:
        raise BadInput(f"cannot be written ({(error.strerror or str(error)).lower()})", file=path) from None


def packed(experiment: Experiment) -> tuple[Experiment, dict[str, bytes]]:
    """Return the experiment as a hand-in contains it, and the files that it then names.

    Raises:
        BadInput: a file that the experiment names cannot be read.
    """
    source = shelves().find("protocols", experiment.protocol_ref)
    protocol, given = f"{source.stem}.py", experiment.network
    network = given if isinstance(given, Network) else shelves().network(experiment._located(given, "networks"))
    name = re.sub(r"[^\w.-]+", "-", network.name).strip(".-")[:60] or "network"
    file = f"{name}.json" if name != "hand-in" else "network.json"
    try:
        text = read_source(source).encode("utf-8") if source.is_dir() else source.read_bytes()
        files = {protocol: text, file: netfile.dumps(network).encode("utf-8")}
    except OSError as error:
        raise BadInput(f"cannot be read ({(error.strerror or str(error)).lower()})", file=source) from None
    ours = our_folder().resolve()
    changes: dict[str, object] = {} if ours in source.resolve().parents else {"protocol": f"./{protocol}"}
    if isinstance(given, str):
        found = experiment._located(given, "networks")
        shelved = None if isinstance(found, Path) else shelves().named("networks", found)
        named = isinstance(found, str) and (shelved is None or ours in shelved.resolve().parents)
        changes |= {} if named else {"network": f"./{file}"}
    return experiment.with_(**changes, path=None), files


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").splitlines()
