"""One run: its result, its events as tables, its pictures, and the page that plays it."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from lydian.lab.source import Source
from lydian.lab.tables import Tabular
from lydian.trace.events import ROW, Event, Trace, counted

if TYPE_CHECKING:
    from lydian.lab.page import Page
    from lydian.lab.pictures import Picture
    from lydian.model.experiment.experiment import Experiment, Resolved
    from lydian.trace.timeline import Timeline

__all__ = ["Check", "Events", "Run", "simulated"]

#: The largest network that is drawn without being asked for.
MOST = 200
_MARKS = {True: "✓", False: "✗", None: "○"}


class Check(dict[str, Any]):
    """The verdict on a property: ``name``, ``kind``, ``holds`` (``None`` if open) and ``at``, the deciding event."""

    @property
    def name(self) -> str:
        return str(self["name"])

    @property
    def kind(self) -> str:
        return str(self["kind"])

    @property
    def holds(self) -> bool | None:
        holds: bool | None = self["holds"]
        return holds

    @property
    def at(self) -> int | None:
        at: int | None = self["at"]
        return at


class Run(Tabular):
    """One execution with its result.

    A run is a table for other libraries (``pandas.DataFrame``, ``polars.DataFrame``, ``pyarrow.table`` of it): one row
    for each event, with the columns of a trace file. In a notebook it appears as a picture with its numbers.
    """

    def __init__(self, trace: Trace, error: str | None = None) -> None:
        self.trace = trace
        self._error = error

    # ------------------------------------------------------------------ the result

    @property
    def ok(self) -> bool:
        """Whether no property is violated and the protocol did not fail."""
        return self.error is None and all(check.holds is not False for check in self.checks)

    @cached_property
    def measures(self) -> dict[str, Any]:
        """The measures of the run: costs in total, by kind of message and by process, and waiting times."""
        from lydian.trace.measures import measures

        return measures(self.trace)

    @property
    def messages(self) -> int:
        """The number of messages that were sent."""
        return int(self.measures["messages"])

    @property
    def time(self) -> float:
        """The simulated time of the last event."""
        return float(self.trace.column("time")[-1]) if len(self.trace) else 0.0

    @property
    def chain(self) -> int:
        """The number of messages on the longest causal chain."""
        return int(self.trace.column("chain").max(initial=0))

    @property
    def checks(self) -> list[Check]:
        """The verdicts on the properties."""
        return [Check(each) for each in self.trace.summary.get("checks") or ()]

    @property
    def decided(self) -> dict[str, Any]:
        """The decision of each process that decided."""
        return dict(self.trace.summary.get("decided") or {})

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the execution; two executions with the same one are equal, event by event."""
        return self.trace.fingerprint()

    @property
    def stopped(self) -> str | None:
        """How the run ended: ``quiescent``, ``until``, ``limit``, ``violation`` or ``error``; ``None`` if unknown."""
        stopped: str | None = self.trace.summary.get("stopped")
        return stopped

    @property
    def error(self) -> str | None:
        """Why the protocol failed, in a sentence; ``None`` if it did not."""
        error: str | None = self._error or self.trace.summary.get("error")
        return error

    @property
    def protocol(self) -> str:
        """The name of the protocol."""
        return str(self.trace.summary.get("protocol") or "")

    @property
    def network(self) -> str:
        """The name of the network."""
        return str(self.trace.network.get("graph", {}).get("name") or "")

    @property
    def seed(self) -> int:
        """The seed."""
        return int(self.trace.experiment.get("seed") or 0)

    @property
    def experiment(self) -> dict[str, Any]:
        """The experiment, in the layout of its file."""
        return dict(self.trace.experiment)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, under the names that ``lydian run --json`` prints."""
        return {
            "protocol": self.protocol, "network": self.network, "seed": self.seed, "events": self.measures["events"],
            "messages": self.messages, "time": self.time, "chain": self.chain, "stopped": self.stopped,
            "fingerprint": self.fingerprint, "checks": [dict(each) for each in self.checks], "measures": self.measures,
            "decided": self.decided, "error": self.error,
        }  # fmt: skip

    # ------------------------------------------------------------------ the events

    def table(self) -> Any:
        """Return the trace as a table of pyarrow, one row for each event."""
        return _table(self.trace)

    def events(self, where: str | None = None) -> Events:
        """Return the events, or those that a filter selects: ``"p=5 and message=Ack"``, ``"t>3 and kind=receive"``.

        Raises:
            LydianError: the filter cannot be read; the sentence names the place in it.
        """
        import numpy as np

        if where is None:
            return Events(self.trace, np.arange(len(self.trace)))
        from lydian.pieces.animation import animation_for
        from lydian.views.words.filter import parse

        animation = animation_for(self.trace)
        chosen = parse(where, self.timeline, animation)
        return Events(self.trace, np.flatnonzero(chosen.select(self.timeline, animation)))

    @cached_property
    def timeline(self) -> Timeline:
        """The execution, ready for questions about any moment."""
        from lydian.trace.timeline import Timeline

        return Timeline(self.trace)

    def __len__(self) -> int:
        """Return the number of events."""
        return counted(self.trace.column("kind"))

    def __bool__(self) -> bool:
        return True

    # ------------------------------------------------------------------ pictures and files

    def show(
        self,
        view: str = "basic",
        at: float | str | None = None,
        *,
        size: tuple[int, int] = (960, 600),
        theme: str | None = None,
    ) -> Picture:
        """Return a picture of one view at one time; a notebook shows it, and ``save`` writes it as SVG.

        Args:
            view: ``basic`` (the network), ``communication``, ``causality``, ``step``, ``occupation``, ``knowledge``,
                ``world``; several with commas between.
            at: simulated time, a share of the run (``"40%"``), or a condition for the first time it is met, such as
                ``"5 is waiting"``; without one, the end.
            size: width and height in pixels.
            theme: ``light``, ``dark`` or ``contrast``; without one, a notebook shows its own.

        Raises:
            LydianError: there is no such view, time or theme.
        """
        from lydian.lab.pictures import Picture

        return Picture(self.timeline, view, at, size, theme)

    def play(self, *, height: int = 640) -> Page:
        """Return the page that plays the run; a notebook shows it, and ``save`` writes it as a file for any browser.

        Raises:
            LydianError: the run has too many events for a page.
        """
        from lydian.lab.page import Page

        return Page(self.timeline, height)

    def save(self, path: str | Path) -> Path:
        """Write the trace as a Parquet file, which :func:`lydian.open_run` and the window open; return its path.

        Raises:
            LydianError: the file cannot be written.
        """
        from lydian.trace.parquet.file import save

        save(self.trace, Path(path))
        return Path(path)

    # ------------------------------------------------------------------ how it appears

    def __repr__(self) -> str:
        return f"<Run of {self._title()}: {self._outcome()}>"

    def _title(self) -> str:
        on = f" on {self.network}" if self.network else ""
        return f"{self.protocol or 'a protocol'}{on}, seed {self.seed}"

    def _outcome(self) -> str:
        events = len(self)
        parts = [
            f"{events:,} event{'' if events == 1 else 's'}",
            f"{self.messages:,} message{'' if self.messages == 1 else 's'}",
            f"time {self.time:.4g}",
        ]
        failed = [check.name for check in self.checks if check.holds is False]
        if self.error is not None:
            parts.append(f"failed: {self.error}")
        elif failed:
            parts.append(f"violated: {', '.join(failed)}")
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        facts = [
            ("messages", f"{self.messages:,}"), ("events", f"{len(self):,}"), ("time", f"{self.time:.4g}"),
            ("chain", f"{self.chain:,}"), ("stopped", self.stopped or ""), ("fingerprint", self.fingerprint[:12]),
        ]  # fmt: skip
        head = "".join(f"<th>{html.escape(name)}</th>" for name, _ in facts)
        body = "".join(f"<td>{html.escape(value)}</td>" for _, value in facts)
        parts = [
            f"<p><b>{html.escape(self._title())}</b></p>",
            f"<table><thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>",
        ]
        parts += [f"<div>{_MARKS[check.holds]} {html.escape(check.name)}</div>" for check in self.checks]
        if self.error is not None:
            parts.append(f"<div>✗ {html.escape(self.error)}</div>")
        if self.trace.network and len(self.trace.processes) <= MOST:
            parts.append(self.show(size=(720, 450))._repr_html_())
        return "".join(parts)


class Events(Tabular, Sequence[Event]):
    """Some events of a run, in order; also a table for other libraries."""

    def __init__(self, trace: Trace, rows: Any) -> None:
        self._trace, self._rows = trace, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Events: ...
    def __getitem__(self, index: int | slice) -> Event | Events:
        if isinstance(index, slice):
            return Events(self._trace, self._rows[index])
        return self._trace.event(int(self._rows[index]))

    def __iter__(self) -> Iterator[Event]:
        return (self._trace.event(int(seq)) for seq in self._rows)

    def table(self) -> Any:
        """Return the events as a table of pyarrow."""
        return _table(self._trace).take(self._rows)

    def __repr__(self) -> str:
        return f"<{len(self):,} event{'' if len(self) == 1 else 's'}>"


def _table(trace: Trace) -> Any:
    import numpy as np

    from lydian.trace.columns import batch
    from lydian.trace.details import detail_texts

    rows = trace.rows
    if not isinstance(rows, np.ndarray):  # a trace from a file has columns
        whole = np.empty(len(rows), dtype=ROW)
        for name in ROW.names or ():
            whole[name] = rows[name]
        rows = whole
    details: list[str | None] = [None] * len(rows)
    for seq, text in detail_texts(trace):
        details[seq] = text if '"grown"' not in text else _whole(trace, seq)
    return batch(rows, 0, trace.processes, trace.labels, trace.states, details)


def _whole(trace: Trace, seq: int) -> str:
    """Return the detail of an event as JSON, with whole values of variables whose changes were recorded."""
    from lydian.trace.parquet.recorder import to_json

    return to_json(trace.detail(seq))


def simulated(experiment: Experiment | Resolved, source: Source | None = None) -> Run:
    """Run an experiment in this process, within the bounds of ``lydian run``, and return the run."""
    from lydian.engine.simulator import Simulator, run_bounded
    from lydian.model.limits import usual_memory

    result = run_bounded(Simulator(experiment), usual_memory())
    trace, error = result.trace, result.error
    if source is None or error is None:
        return Run(trace)
    trace = replace(trace, summary={**trace.summary, "error": source.brief(error)})
    return Run(trace, source.sentence(error))
