"""An account of a run, step by step: every event with its time, its reason and its effects."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydian.pieces.animation import Animation
    from lydian.trace.timeline import Timeline

__all__ = ["account"]

_WIDTH = 110


def account(timeline: Timeline, animation: Animation, seqs: Iterable[int] | None = None) -> Iterator[str]:
    """Yield the explanations of events, each a paragraph that begins with the event's number and time.

    Args:
        seqs: the events; by default all, with the effects of an action explained together with the action.
    """
    from lydian.views.words.reasons import steps
    from lydian.views.words.sentence import explain

    digits, clock = max(len(str(len(timeline.trace) - 1)), 3), len(f"{timeline.end:.4f}")
    space = " " * (digits + clock + 4)
    for seq in steps(timeline).tolist() if seqs is None else seqs:
        head = f"{seq:>{digits}}  {float(timeline.time[seq]):>{clock}.4f}  "
        text = " ".join(explain(timeline, seq, animation).split())
        yield textwrap.fill(
            text, _WIDTH, initial_indent=head, subsequent_indent=space, break_long_words=False, break_on_hyphens=False
        )
