"""A run as a hand-in: the trace goes into one file with what it is a run of (:mod:`lydian.model.handin`)."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.model.branches import ROOT
from lydian.model.errors import BadInput
from lydian.model.handin import pack, packed
from lydian.trace.events import Trace
from lydian.trace.file import save

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment

__all__ = ["hand_in"]


def hand_in(path: Path | str, experiment: Experiment, trace: Trace, branch: int = ROOT, page: str = "") -> None:
    """Write an experiment, what it names, and a run of it into one file, whole or not at all.

    Args:
        path: the file; its name should end in ``.lydian``.
        experiment: with all its branches.
        trace: the run.
        branch: which branch of the experiment the run is.
        page: the run as a page that plays; empty for a run that is too long.

    Raises:
        BadInput: what the experiment names cannot be read, or the file cannot be written.
    """
    inside, files = packed(experiment)
    source = next(data for name, data in files.items() if name.endswith(".py"))
    if trace.source.strip() and _lines(source.decode("utf-8-sig", "replace")) != _lines(trace.source):
        what = "the run was made of another text of the protocol; run the experiment again, then hand it in"
        raise BadInput(what, file=experiment.protocol)
    told = {**trace.experiment, "protocol": inside.protocol}
    if isinstance(inside.network, str):
        told["network"] = inside.network
    try:
        with tempfile.TemporaryDirectory(prefix="lydian-") as folder:
            run = Path(folder) / "run.parquet"
            save(replace(trace, experiment=told), run)
            pages = {"run.html": page.encode("utf-8", "replace")} if page else {}
            pack(path, inside, {**files, **pages, "run.parquet": run}, branch)
    except OSError as error:
        raise BadInput(f"cannot be written ({(error.strerror or str(error)).lower()})", file=path) from None


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").splitlines()
