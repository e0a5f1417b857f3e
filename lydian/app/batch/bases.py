"""The experiment that a sweep varies: which there are, what of it can be varied, and where its results go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from lydian.app.batch.choices import Choice, choices
from lydian.app.batch.files import KINDS
from lydian.app.batch.formpanel import AT_HAND
from lydian.desk.declared import declared
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.app.batch.workspace import SweepWorkspace

__all__ = ["base_folder", "bases", "offers", "set_base"]

FILE = "A file…"


def base_folder(w: SweepWorkspace) -> Path:
    """Where results go if nobody says: beside the sweep's file, or into a folder of the user's."""
    path = w.document.path
    if path is not None and not w.shelf.archive.installed(path):
        return path.parent
    user = w.shelf.archive.user
    return (user if user is not None else Path(w.settings.folder)).absolute() / "results"


def offers(w: SweepWorkspace) -> list[Choice]:
    """What of the experiment can be varied."""
    try:
        experiment = w.files.experiment()
    except (LydianError, OSError):
        return []
    known = declared(w.shelf.source(experiment.protocol, experiment.path))
    network = w.shelf.known_network(experiment.network, experiment.path)
    return choices(experiment, known, network, w.shelf.archive.names("networks"))


def bases(w: SweepWorkspace) -> list[tuple[str, str]]:
    """The experiments that can be varied, each with a remark."""
    at_hand = w.session.experiment
    named = [] if at_hand is None else [(AT_HAND, at_hand.name)]
    return [*named, *((name, "") for name in w.shelf.archive.names("experiments")), (FILE, "an experiment")]


def set_base(w: SweepWorkspace, ref: str) -> None:
    """Vary another experiment: its name or path, nothing for the one at hand."""
    if ref == FILE:
        name, _kind = QFileDialog.getOpenFileName(
            w, "The experiment to vary", w.settings.folder, KINDS.replace("Sweeps", "Experiments")
        )
        if not name:
            return
        ref = name
    try:
        if ref:
            w.shelf.archive.experiment(Path(ref).absolute() if ref.endswith(".toml") else ref)
    except (LydianError, OSError) as error:
        w.say(str(error), True)
        return
    base = str(Path(ref).absolute()) if ref.endswith(".toml") else ref
    w.document.change("base experiment", base=base or None)
