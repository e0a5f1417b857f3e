"""A line of totals of messages and bits, with the number that theory expects."""

from __future__ import annotations

import re

from lydian.language import tr, trn
from lydian.trace.timeline import Timeline
from lydian.views.words.expressions import links_of
from lydian.views.words.theory import Expected, bounded
from lydian.views.words.words import grouped

__all__ = ["expects", "put_in", "title_of"]


def title_of(
    what: str, total: int, whole: int | None, largest: int, constant: int | None, expected: Expected | None
) -> str:
    """Return the totals at a moment in one line; ``largest`` message in bits, ``constant`` if all have that size."""
    alone, part = {
        "sent": (tr("sent so far: {count:,}"), tr("sent so far: {count:,} of {total:,}")),
        "received": (tr("received so far: {count:,}"), tr("received so far: {count:,} of {total:,}")),
        "bits": (tr("bits sent so far: {count:,}"), tr("bits sent so far: {count:,} of {total:,}")),
        "accesses": (tr("accesses so far: {count:,}"), tr("accesses so far: {count:,} of {total:,}")),
    }[what]
    parts = [alone.format(count=total) if whole is None else part.format(count=total, total=whole)]
    if what == "accesses":
        return parts[0]
    if largest > 0 and constant is None:
        parts.append(trn("largest message {count:,} bit", "largest message {count:,} bits", largest))
    elif largest > 0:
        parts.append(
            trn("largest message {count:,} bit everywhere", "largest message {count:,} bits everywhere", largest)
        )
    if what == "sent" and expected is not None:
        parts.append(tr("formula {formula}", formula=expected))
    return " · ".join(parts)


def expects(timeline: Timeline, expected: Expected | None, sent: int) -> tuple[str, ...]:
    """Return the formula with the numbers of this network and the messages sent so far, in shorter and shorter
    versions.
    """
    if expected is None:
        return ()
    n, m = len(timeline.processes), len(links_of(timeline.trace.network) or [])
    value = grouped(expected.value)
    formula, filled = bounded(expected.relation, expected.body), put_in(expected.body, n, m)
    whole = f"{formula} = {filled} = {value}" if filled not in (expected.body, value) else f"{formula} = {value}"
    if expected.value > 0:
        share = 100 * sent / expected.value
        first = tr("theory: {formula} · {count:,} sent ({share:,.0f} %)", formula=whole, count=sent, share=share)
    else:
        first = tr("theory: {formula} · {count:,} sent", formula=whole, count=sent)
    shorter = (whole, f"{formula} = {value}", bounded(expected.relation, value))
    return (first, *(tr("theory: {formula}", formula=each) for each in shorter))


def put_in(formula: str, n: int, m: int) -> str:
    """Return a formula with the numbers of processes and links in place of n and m: ``4m`` becomes ``4·17``."""
    numbers = {"n": str(n), "m": str(m)}
    return re.sub(
        r"(?<![A-Za-z_])(\d*)([nm])(?![A-Za-z_(])",
        lambda found: (f"{found[1]}·" if found[1] else "") + numbers[found[2]],
        formula,
    )
