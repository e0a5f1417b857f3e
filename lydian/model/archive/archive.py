"""The archive: its shelves, and experiments by name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydian.model.archive.shelves import Shelves, looks_like_path, shelves
from lydian.model.archive.trials import first_experiment
from lydian.model.experiment.experiment import Experiment, read

__all__ = ["EXAMPLE", "Archive", "archive"]

#: The experiment shown at the first start; a protocol without an experiment uses its network.
EXAMPLE = "two-wings"


@dataclass(frozen=True)
class Archive(Shelves):
    """The shelves of the archive, with access to experiments that are ready to run."""

    def experiment(self, ref: str | Path) -> Experiment:
        """Return the experiment of this name or path; for the name of a protocol, return its first experiment.

        A protocol without an experiment runs on the network of the example experiment.

        Raises:
            BadInput: there is no such experiment, or it cannot be used.
        """
        if isinstance(ref, str) and self.is_protocol(ref):
            found = first_experiment(ref, self)
            return Experiment(ref, protocol=ref, network=EXAMPLE) if found is None else read(found)
        return read(self.find("experiments", ref))

    def is_protocol(self, ref: str) -> bool:
        """Return True if a name given for an experiment is the name of a protocol and not of an experiment."""
        if looks_like_path(ref, "experiments") is not None or self._holds("experiments", ref):
            return False
        return self._holds("protocols", ref) and not Path(ref).is_file()


def archive() -> Archive:
    """Return the archive of this installation and this user."""
    there = shelves()
    return Archive(there.user, there.ours, there.others)
