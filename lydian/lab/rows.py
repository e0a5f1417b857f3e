"""The result of many runs: one row for each."""

from __future__ import annotations

import hashlib
import html
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.lab.execution import Run, simulated
from lydian.lab.experiments import FREE, Asked, network_of
from lydian.lab.source import scratch
from lydian.lab.tables import Tabular
from lydian.model.archive.archive import archive
from lydian.model.delays import as_distribution
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network

if TYPE_CHECKING:
    from lydian.batch.sweep.axes import Axis
    from lydian.batch.sweep.sweep import Sweep
    from lydian.lab.pictures import PlotPicture
    from lydian.lab.source import Source
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Rows", "pooled", "swept"]

#: The axis of the networks, whose names are in the column ``network``.
_ON = "on_network"
#: Argument -> the field of the experiment that varies.
_FIELDS = {"delay": "timing.delay", "until": "stop.until", "limit": "stop.events"}
#: The columns that a notebook shows, besides the settings that differ, and the number of rows.
_SHOWN, _MOST = ("messages", "events", "time", "chain", "violated", "stopped", "failure"), 20


class Rows(Tabular):
    """Many runs, in order; iterating yields each row as a dictionary.

    A table for other libraries (``pandas.DataFrame``, ``polars.DataFrame``, ``pyarrow.table`` of it).

    Attributes:
        varied: the columns of the settings that differ.
        folder: the folder with the results of a sweep on Spark; ``None`` for runs in a pool.
    """

    def __init__(
        self, table: Any, sweep: Sweep, varied: tuple[str, ...], folder: Path | None = None,
        source: Source | None = None,
    ) -> None:  # fmt: skip
        self._table, self._sweep, self._source = table, sweep, source
        self.varied, self.folder = varied, folder

    def table(self) -> Any:
        """Return the rows as a table of pyarrow."""
        return self._table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for chunk in self._table.to_batches(1_000):
            yield from chunk.to_pylist()

    @property
    def ok(self) -> bool:
        """Whether every run ended with a result that violates no property."""
        return all(not row["violated"] and row["failure"] is None for row in self)

    def run(self, number: int) -> Run:
        """Return the run of a row, counted from 0, executed again: the same events."""
        row = self._table.slice(range(len(self))[number], 1).to_pylist()[0]
        return simulated(self._experiment(row["run"]), self._source)

    def _experiment(self, number: int) -> Experiment:
        if self.folder is None:
            return self._sweep.experiment(number)
        from lydian.batch.folder import read_folder
        from lydian.batch.spark.surprise import experiment_of

        return experiment_of(read_folder(self.folder), number)

    def plot(
        self,
        y: str | None = None,
        x: str | None = None,
        *,
        by: str | None = None,
        kind: str | None = None,
        size: tuple[int, int] = (960, 600),
        theme: str | None = None,
    ) -> PlotPicture:
        """Return a plot of a measure; what is not named is chosen sensibly, as for ``lydian batch plot``.

        Args:
            y: the measure, such as ``messages`` or ``time``.
            x: the setting or number on the other axis, such as ``processes``.
            by: the setting with a curve for each value.
            kind: ``spread``, ``mean``, ``runs``, ``histogram``, ``density`` or ``ecdf``.
            size, theme: as for the pictures of a run.

        Raises:
            LydianError: there is no such column or kind.
        """
        from dataclasses import replace

        from lydian.lab.pictures import PlotPicture
        from lydian.views.plots.data import results_of
        from lydian.views.plots.options import DISTRIBUTIONS, KINDS, checked, sensible
        from lydian.views.plots.plots import plot_of
        from lydian.views.plots.read import formula_in

        if kind is not None and kind not in KINDS:
            raise BadInput(f"must be one of {', '.join(KINDS)}, not {shown(kind)}", place="kind")
        results = results_of(self._table, self._plotted(), formula_in(self._protocol_text()))
        wish = sensible(results)
        wish = replace(wish, y=y or wish.y, kind=kind or ("spread" if x and wish.kind in DISTRIBUTIONS else wish.kind))
        if x is not None:
            wish = replace(wish, x=x, by=wish.by if wish.by != x else "", over=wish.over if wish.over != x else "")
        if by is not None:
            wish = replace(wish, by=by, over=wish.over if wish.over != by else "")
        return PlotPicture(plot_of(results, checked(results, wish)), size, theme)

    def _plotted(self) -> Sweep:
        """Return the sweep without the axis of networks, whose names are an ordinary column."""
        return self._sweep.with_(vary=tuple(axis for axis in self._sweep.vary if axis.name != _ON))

    def _protocol_text(self) -> str:
        """Return the text of the protocol if all runs have the same one; its formula is drawn."""
        if any(axis.field == "protocol" for axis in self._sweep.vary) or self.folder is not None:
            return ""
        return archive().protocol(self._sweep.base.protocol_ref).source

    def _told(self) -> str:
        count = len(self)
        failed = sum(row["failure"] is not None for row in self)
        violated = sum(bool(row["violated"]) for row in self)
        parts = [f"{count:,} run{'' if count == 1 else 's'}"]
        parts += [f"{violated:,} violate{'s' if violated == 1 else ''} a property"] if violated else []
        parts += [f"{failed:,} failed"] if failed else []
        return ", ".join(parts)

    def __repr__(self) -> str:
        return f"<{self._told()}>"

    def _repr_html_(self) -> str:
        names = [name for name in ("seed", *self.varied, *_SHOWN) if name in self._table.column_names]
        part = self._table.select(names).slice(0, _MOST).to_pylist()
        names = [name for name in names if name != "failure" or any(row["failure"] for row in part)]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{_cell(row[name])}</td>" for name in names) + "</tr>" for row in part)
        more = f"<p>{self._told()}{f'; the first {_MOST} are shown' if len(self) > _MOST else ''}</p>"
        return f"{more}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))


# ---------------------------------------------------------------------- in a pool


def pooled(
    protocol: Any, networks: Any, seeds: int | Iterable[int], options: Mapping[str, Any], *, workers: int | None,
    seconds: float, progress: bool | None,
) -> Rows:  # fmt: skip
    """Run all combinations of the settings with all seeds, and return the rows."""
    from lydian.batch.pool import swept as executed
    from lydian.batch.rows import part_schema
    from lydian.batch.sweep.sweep import Limits, Sweep
    from lydian.trace.parquet.arrow import pa

    several = list(networks) if isinstance(networks, list | tuple) else [networks]
    if not several:
        raise BadInput("must have at least one network, not an empty list", place="network")
    settled = [each if each is None else network_of(each) for each in several]
    varied = {name: value for name, value in options.items() if isinstance(value, list)}
    if "delay" in varied:
        varied["delay"] = [str(as_distribution(each, place=f"delay[{i}]")) for i, each in enumerate(varied["delay"])]
    fixed = {name: options[name] for name in FREE if name in options and not (name in _FIELDS and name in varied)}
    parameters = {name: value for name, value in options.items() if name not in (*FREE, "parameters")}
    parameters |= options.get("parameters", {})
    given = Asked(protocol, settled[0], **fixed)
    with given.blamed():
        base = given.experiment(*settled[1:])
        known = archive().protocol(base.protocol_ref).parameters
        plain = {n: v for n, v in parameters.items() if not _varies(v, known.get(n))}
        first = {n: v[0] for n, v in parameters.items() if n not in plain and v}
        base = given.with_parameters(base, {**plain, **first})
        axes = [
            *([_axis(_ON, "network", [_text(each) for each in settled], [_name(each) for each in settled])]
              if len(settled) > 1 else []),
            *(_axis(name, field, varied[name]) for name, field in _FIELDS.items() if name in varied),
            *(_axis(name, f'parameters."{name}"', parameters[name]) for name in parameters if name not in plain),
        ]  # fmt: skip
        base.resolve()  # an error in the experiment is reported once, and not by every run
        sweep = Sweep(base.name, base, vary=tuple(axes), seeds=_seeds(seeds), limits=Limits(seconds=seconds))
        found = []
        with _Told(sweep.count, progress) as told:
            for row in executed(sweep, workers=workers):
                found.append(row | {"network": row.get("network") or row.get(_ON)})
                told.count(len(found))
    if given.source is not None:
        for row in found:
            row["error"] = None if row.get("error") is None else given.source.sentence(row["error"])
    found.sort(key=lambda row: int(row["run"]))
    table = pa.Table.from_pylist(found, schema=part_schema(sweep))
    names = tuple(axis.name for axis in axes)
    if _ON in names:
        table, names = table.drop_columns(_ON), ("network", *names[1:])
    return Rows(table, sweep, names, source=given.source)


def _varies(value: Any, parameter: Any) -> bool:
    """Return True if a list is a setting that varies, rather than the value of a parameter that is itself a list."""
    return isinstance(value, list) and not isinstance(getattr(parameter, "default", None), list | tuple | set)


def _axis(name: str, field: str, values: list[Any], labels: list[str] | None = None) -> Axis:
    from lydian.batch.sweep.axes import RESERVED, Axis

    if not values:
        raise BadInput("must have at least one value, not an empty list", place=name)
    values = [getattr(each, "item", lambda each=each: each)() for each in values]  # numbers of numpy
    if labels is not None and len(set(labels)) < len(labels):
        labels = [f"{label}-{i}" if labels.count(label) > 1 else label for i, label in enumerate(labels)]
    return Axis(
        f"{name}_given" if name in RESERVED else name, field, tuple(values), () if labels is None else tuple(labels)
    )


def _text(network: str | Network | None) -> str:
    """Return a network as text for a sweep: its name, or the path of a file that holds it."""
    if isinstance(network, str):
        return network
    if network is None:
        raise BadInput("a list of networks must not contain None", place="network")
    from lydian.model.network.netfile import save, to_dict

    folder = scratch() / hashlib.sha256(json.dumps(to_dict(network), sort_keys=True).encode()).hexdigest()[:12]
    folder.mkdir(exist_ok=True)
    save(network, folder / "network.json")
    return str(folder / "network.json")


def _name(network: str | Network | None) -> str:
    return network.name if isinstance(network, Network) else archive().network(network or "").name


def _seeds(seeds: int | Iterable[int]) -> range | tuple[int, ...]:
    if isinstance(seeds, int) and not isinstance(seeds, bool):
        found: range | tuple[int, ...] = range(max(seeds, 0))
    elif isinstance(seeds, range):
        found = seeds
    else:
        try:
            found = tuple(index(each) for each in seeds)  # type: ignore[union-attr]
        except TypeError:
            what = f"must be a number of runs, or a list of seeds, not {shown(seeds)}"
            raise BadInput(what, place="seeds") from None
    if not found or min(found) < 0 or len(set(found)) < len(found):
        raise BadInput(f"must be different whole numbers from 0 on, at least one, not {shown(seeds)}", place="seeds")
    return found


class _Told:
    """The progress: in a notebook as a line that vanishes, elsewhere on standard error; only where somebody watches,
    unless it was asked for.
    """

    def __init__(self, of: int, wanted: bool | None) -> None:
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        self._page = sys.modules["IPython"].display if shell is not None and "ipykernel" in sys.modules else None
        self._wanted = (sys.stderr.isatty() or self._page is not None) if wanted is None else wanted
        self.of, self._since, self._told = of, time.monotonic(), False
        self._line: Any = None

    def count(self, done: int) -> None:
        """Report a number of finished runs, at most five times a second and not in the first second."""
        now = time.monotonic()
        if now - self._since > (0.2 if self._told else 1.0):
            self.say(f"{done:,} of {self.of:,} runs ...")
            self._since = now

    def say(self, text: str) -> None:
        """Show a text in place of the last one."""
        if not self._wanted:
            return
        self._told = True
        if self._page is None:
            sys.stderr.write(f"\r{text:<60}\r" if not text else f"\r{text:<60}")
            sys.stderr.flush()
        elif self._line is None:
            self._line = self._page.display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._line.update({"text/plain": text}, raw=True)

    def __enter__(self) -> _Told:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._told:
            self.say("")


# ---------------------------------------------------------------------- on Spark


def swept(
    sweep: str | Path, *, master: str, output: str | Path | None, traces: bool, resume: bool, progress: bool | None
) -> Rows:
    """Run a sweep on Spark, and return the rows of its folder."""
    from lydian.batch.spark.job import Job
    from lydian.batch.spark.job import Progress as JobProgress
    from lydian.batch.spark.session import check_master, needed
    from lydian.batch.sweep.shipped import find_sweep

    check_master(master)
    needed(master)
    found = find_sweep(str(sweep))
    folder = Path(output) if output is not None else Path(tempfile.mkdtemp(prefix="sweep-", dir=scratch())) / "results"
    with _Told(found.count, progress) as told:

        def tell(now: JobProgress) -> None:
            told.say("starting Spark ..." if now.state in ("trying", "starting") else f"{now.done:,} of {now.total:,}")

        job = Job(found, folder, master=master, traces=traces or found.traces, resume=resume, tell=tell)
        try:
            ended = job.run()
        finally:
            job.close()
    varied = tuple(axis.name for axis in found.vary)
    return Rows(ended.folder.table().sort_by("run"), found, varied, folder)
