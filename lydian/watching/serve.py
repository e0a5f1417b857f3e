"""A watched system in a process of its own: ``python -m lydian.watching.serve``.

It answers a ``watch`` with the frames of a run, so that a window shows a watched system like a simulator: ``begun``,
``round`` with the new events, and at the end a ``result``. A round whose ``first`` is less than the number of events so
far replaces the events from there on, because a message is recognised only when its receiver appears.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from lydian.engine.serve import answered, channels
from lydian.engine.wire import MOST_ROWS, Begun, Bye, Error, Frame, Partial, Progress, Result, Round, Watch, packed
from lydian.formats.logs.growing import MOST
from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError
from lydian.trace.details import detail_texts
from lydian.trace.events import Trace
from lydian.watching.sources import source_of
from lydian.watching.watch import Seen, watch

__all__ = ["main"]


def main(wanted: Watch, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    """Watch a source, and report its events."""
    try:
        _watch(wanted, say, stoppable)
    except LydianError as error:
        say(Error(str(error), error.exit_code))
    say(Bye())


def _watch(wanted: Watch, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    from lydian.engine.observing import read_spec

    spec = None if wanted.check is None else read_spec(wanted.check)
    source = source_of(wanted.source)
    stoppable(source.stop)
    last: Trace | None = None
    begun = False
    arriving = watch(
        source, form=wanted.form, regex=wanted.regex, spec=spec, most=wanted.most or MOST,
        listening=lambda where: say(Progress({"where": where})),
    )  # fmt: skip
    for number, seen in enumerate(arriving):
        if not begun or last is None or last.network != seen.trace.network:
            begun = True
            say(Begun(dict(seen.trace.network), "", dict(seen.trace.versions), _summary(seen.trace)))
        _tell(seen, last, number, say)
        last = seen.trace
        if seen.problems:
            say(Partial({"problems": [[each.line, each.why] for each in seen.problems]}))
    if last is not None and wanted.trace is not None:
        from lydian.trace.parquet.file import save

        save(last, Path(wanted.trace))
    checks = [] if last is None else list(last.summary.get("checks", []))
    say(Result({"stopped": "quiescent", "checks": checks, "events": 0 if last is None else len(last)}))


def _summary(trace: Trace) -> dict[str, object]:
    return {key: value for key, value in trace.summary.items() if key not in ("stopped", "checks")}


def _tell(seen: Seen, last: Trace | None, number: int, say: Callable[[Frame], None]) -> None:
    """Send the events from the first one that has changed."""
    trace = seen.trace
    texts = list(detail_texts(trace, seen.same))
    for begin in range(seen.same, max(len(trace), seen.same + 1), MOST_ROWS):
        rows = trace.rows[begin : begin + MOST_ROWS]
        end = begin + len(rows)
        say(
            Round(
                number, begin, len(rows), float(trace.rows["time"][-1]) if len(trace) else 0.0,
                rows=packed(rows), details=[pair for pair in texts if begin <= pair[0] < end],
                labels=list(trace.labels), states=list(trace.states), processes=list(trace.processes),
                checks=list(trace.summary.get("checks", [])) or None, steps=number,
            )
        )  # fmt: skip


if __name__ == "__main__":
    follow_parent()
    heard, said = channels()
    code = answered(heard, said, Watch, main)
    said.flush()
    os._exit(code)  # the reading threads may be in the middle of a line
