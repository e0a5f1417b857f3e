"""Incremental reading of a batch's results while it runs; parts already read are kept."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.batch.folder import Folder, read_folder
from lydian.batch.rows import part_schema
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.source.syntax import tree_of
from lydian.views.plots.data import Results, results_of

__all__ = ["Reader", "formula_in"]


@dataclass(frozen=True, eq=False)
class Read:
    """The data read so far: the Arrow table in ascending order of run, and the same as columns."""

    table: Any
    results: Results


class Reader:
    """A reader of a batch's folder, which needs neither Spark nor Java.

    Args:
        path: the folder.

    Raises:
        BadInput: it does not contain a batch.
    """

    def __init__(self, path: Path | str) -> None:
        self.folder: Folder = read_folder(path)
        self._parts: dict[int, Any] = {}
        experiment = self.folder.sweep.base
        found = self.folder.luggage.protocols.get(Path(experiment.protocol).as_posix())
        self.formula = "" if found is None else formula_in(found[1])

    def read(self) -> Read:
        """Return the results so far.

        Raises:
            BadInput: a part cannot be read.
        """
        from lydian.trace.parquet.arrow import pa, pq

        done = self.folder.done()
        for part in done:
            if part not in self._parts:
                file = self.folder.file(part)
                try:
                    self._parts[part] = pq.read_table(file)
                except (OSError, pa.ArrowException) as error:
                    raise BadInput(
                        tr("cannot be read ({reason})", reason=" ".join(str(error).split())[:120]), file=file
                    ) from None
        tables = [self._parts[part] for part in done]
        sweep = self.folder.sweep
        table = pa.concat_tables(tables).sort_by("run") if tables else part_schema(sweep).empty_table()
        return Read(table, results_of(table, sweep, self.formula))


def formula_in(source: str) -> str:
    """Return the formula for the number of messages that a protocol's text declares, or "" if there is none.

    The text is not executed.
    """
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for line in node.body:
                named = isinstance(line, ast.Assign) and any(
                    isinstance(target, ast.Name) and target.id == "messages" for target in line.targets
                )
                if named and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str):  # type: ignore[attr-defined]
                    return line.value.value  # type: ignore[attr-defined]
    return ""
