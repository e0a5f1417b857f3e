"""What stays crisp over a picture of densities, and the marks along the lines of processes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.frame import Selection
from lydian.views.time.axis import Rows, Window
from lydian.views.time.highlight import Highlight
from lydian.views.time.timescale import Scale

__all__ = ["crisp", "cuts", "spans", "tails"]

_NONE = np.zeros(0, dtype=np.int64)


def tails(timeline: Timeline, scale: Scale, messages: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where arrows begin: at their sends, or at their ends if the trace has none."""
    sends = timeline.sends[messages]
    return scale.events(np.where(sends >= 0, sends, timeline.receives[messages]))


def crisp(
    timeline: Timeline,
    scale: Scale,
    span: tuple[float, float],
    window: Window,
    selection: Selection,
    marks: Highlight | None,
    limit: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Messages and events that are drawn over a density picture: selected ones, the longest chain; not many."""
    message_parts = [np.array(sorted(selection.messages), dtype=np.int64)]
    event_parts = [_NONE]
    if marks is not None:
        message_parts.append(marks.messages)
        event_parts += [marks.chain, np.array([marks.event], dtype=np.int64)]
    else:
        for process in sorted(selection.processes):
            seqs = timeline.events_of(process)
            if scale.by_time:
                seqs = seqs[np.searchsorted(timeline.time[seqs], window[0]) :]
                seqs = seqs[: np.searchsorted(timeline.time[seqs], window[1], side="right")]
            seqs = seqs[-4 * limit :] if limit > 0 else seqs[:0]
            event_parts.append(seqs.astype(np.int64))
            carried = timeline.message[seqs]
            message_parts.append(carried[carried >= 0].astype(np.int64))
    if selection.event is not None:
        event_parts.append(np.array([selection.event], dtype=np.int64))
    messages = np.unique(np.concatenate(message_parts))
    begin, finish = tails(timeline, scale, messages), scale.events(timeline.receives[messages])
    messages = messages[(begin <= span[1]) & (finish >= span[0])]
    events = np.unique(np.concatenate(event_parts))
    place = scale.events(events)
    return messages[-limit:], events[(place >= span[0]) & (place <= span[1])][-4 * limit :]


def cuts(timeline: Timeline, scale: Scale, rows: Rows, marks: Highlight | None) -> NDArray[np.float64] | None:
    """Up to which place of each row the past goes, and from which on the future."""
    if marks is None or marks.cones is None:
        return None
    until, since = marks.cones.until[rows.processes], marks.cones.since[rows.processes]
    past, future = scale.events(until), scale.events(np.where(since < timeline.length, since, -1))
    past[until < 0] = -np.inf
    if not marks.wanted & 1:
        past[:] = -np.inf
    if not marks.wanted & 2:
        future[:] = np.inf
    return np.stack((past, future), axis=1)


def spans(
    timeline: Timeline, marks: Highlight | None, rows: Rows, scale: Scale, span: tuple[float, float]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """The pieces of process lines under a mark that touch the window: row, first and last event, mark."""
    if marks is None:
        return np.zeros(0, np.int32), _NONE, _NONE, np.zeros(0, np.uint8)
    row = rows.row[marks.span_process]
    begin, end = scale.events(marks.span_first), scale.events(marks.span_last)
    seen = (row >= 0) & (begin <= span[1]) & (end >= span[0])
    return row[seen], marks.span_first[seen], marks.span_last[seen], marks.span_bit[seen]
