"""A place that was found in a trace, as a sentence."""

from __future__ import annotations

from lydian.language import tr, trn
from lydian.trace.finding import Found
from lydian.views.words.words import joined

__all__ = ["found_words"]

#: The largest number of processes that are named.
NAMED = 6


def found_words(found: Found) -> str:
    """Return what happens there, with the time that it takes."""
    who, label, took = found.processes, found.label, f"{found.length:.4g}"
    if found.shape == "request-reply":
        return tr("{a} asks {b} ({message}) and gets the reply after {time}", a=who[0], b=who[1], message=label,
                  time=took)  # fmt: skip
    if found.shape == "broadcast":
        return tr("{a} sends {message} to {others}, within {time}", a=who[0], message=label, others=_some(who[1:]),
                  time=took)  # fmt: skip
    if found.shape == "gather":
        return tr("{a} gathers {message} from {others}, within {time}", a=who[-1], message=label,
                  others=_some(who[:-1]), time=took)  # fmt: skip
    if found.shape == "concurrent-writes":
        return tr("{a} and {b} write concurrently ({message}), {time} apart", a=who[0], b=who[1], message=label,
                  time=took)  # fmt: skip
    return tr("{a} waits {time} for {message} from {b}", a=who[0], b=who[1], message=label, time=took)


def _some(names: tuple[str, ...]) -> str:
    if len(names) <= NAMED:
        return joined(list(names))
    return trn("{count} process", "{count} processes", len(names))
