"""A line of totals of messages and bits, with the number that theory expects."""

from __future__ import annotations

import re

from lydian.trace.timeline import Timeline
from lydian.views.words.expressions import links_of
from lydian.views.words.theory import Expected
from lydian.views.words.words import plural

__all__ = ["BOUNDS", "expects", "put_in", "title_of"]

#: The words for a relation in a formula, before its number.
BOUNDS = {"<=": "at most ", "<": "fewer than ", ">=": "at least ", ">": "more than "}


def title_of(
    what: str, total: int, whole: int | None, largest: int, constant: int | None, expected: Expected | None
) -> str:
    """Return the totals at a moment in one line; ``largest`` message in bits, ``constant`` if all have that size."""
    word = {"sent": "sent so far", "received": "received so far", "bits": "bits sent so far"}[what]
    parts = [f"{word}: {total:,}" + ("" if whole is None else f" of {whole:,}")]
    if largest > 0:
        size = plural(largest, "bit")
        parts.append(f"largest message {size} everywhere" if constant is not None else f"largest message {size}")
    if what == "sent" and expected is not None:
        parts.append(f"formula {expected}")
    return " · ".join(parts)


def expects(timeline: Timeline, expected: Expected | None, sent: int) -> tuple[str, ...]:
    """Return the formula with the numbers of this network and the messages sent so far, in shorter and shorter
    versions.
    """
    if expected is None:
        return ()
    n, m = len(timeline.processes), len(links_of(timeline.trace.network) or [])
    value = f"{expected.value:,.0f}" if expected.value == round(expected.value) else f"{expected.value:,.1f}"
    word = BOUNDS.get(expected.relation, "")
    part = f" ({100 * sent / expected.value:,.0f} %)" if expected.value > 0 else ""
    filled = put_in(expected.body, n, m)
    middle = f" = {filled}" if filled not in (expected.body, value) else ""
    formula = f"{word}{expected.body}"
    return (
        f"theory: {formula}{middle} = {value} · {sent:,} sent{part}",
        f"theory: {formula}{middle} = {value}",
        f"theory: {formula} = {value}",
        f"theory: {word}{value}",
    )


def put_in(formula: str, n: int, m: int) -> str:
    """Return a formula with the numbers of processes and links in place of n and m: ``4m`` becomes ``4·17``."""
    numbers = {"n": str(n), "m": str(m)}
    return re.sub(
        r"(?<![A-Za-z_])(\d*)([nm])(?![A-Za-z_(])",
        lambda found: (f"{found[1]}·" if found[1] else "") + numbers[found[2]],
        formula,
    )
