"""A comparison of an execution with theory: the protocol's formula beside the number of messages sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lydian.language import tr, trn
from lydian.model.errors import BadInput
from lydian.model.lang.formula import Formula
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.expressions import links_of
from lydian.views.words.phrases import tally
from lydian.views.words.source import formula_text, read
from lydian.views.words.words import grouped, plural

__all__ = ["BOUNDS", "Expected", "bounded", "expected_total", "theory"]

#: A relation in a formula with its number, in words.
BOUNDS = {
    "<=": tr("at most {number}"), "<": tr("fewer than {number}"), ">=": tr("at least {number}"),
    ">": tr("more than {number}"),
}  # fmt: skip


@dataclass(frozen=True)
class Expected:
    """The number of messages that a formula expects: its text, its relation to the number, and the number on this
    network.
    """

    text: str
    relation: str
    value: float

    @property
    def body(self) -> str:
        """The formula without its relation, for sentences that express the relation in words."""
        return self.text.lstrip("≤≥<> ")

    def __str__(self) -> str:
        value = grouped(self.value)
        if self.relation != "=":
            return f"{self.text} = {value}"
        return f"{self.text} = {value}" if len(self.text) <= 24 else value


def bounded(relation: str, number: str) -> str:
    """Return a number with its relation in words: ``at most 46``; with "=" the number alone."""
    return BOUNDS[relation].format(number=number) if relation in BOUNDS else number


def expected_total(timeline: Timeline) -> Expected | None:
    """Return the protocol's formula for the number of messages on this network.

    ``None`` if there is none, and while only the beginning of a run may be seen.
    """
    trace = timeline.trace
    if trace.summary.get("beginning"):
        return None
    source = read(trace.source)
    text = trace.summary.get("formula") or source.formula
    links = links_of(trace.network)
    if not text or links is None:
        return None
    configured = [each.get("parameters") for each in (trace.experiment, trace.summary)]
    given = {name: value for each in configured if isinstance(each, Mapping) for name, value in each.items()}
    names = {
        **source.parameters,
        **given,
        "n": len(trace.processes),
        "m": len(links),
    }
    try:
        formula = Formula(str(text))
        return Expected(formula_text(formula.branch(names)), formula.relation, formula.value(names))
    except BadInput:
        return None


def theory(timeline: Timeline) -> str:
    """Return a sentence that compares the formula with the number of messages sent; "" if there is no formula."""
    expected = expected_total(timeline)
    if expected is None:
        return ""
    sent = int(np.count_nonzero(timeline.kind == Kind.SEND))
    links = links_of(timeline.trace.network) or []
    value = (
        tr("{number:,.6g}", number=expected.value)
        if expected.value < 1e6
        else tr("{number:,.0f}", number=expected.value)
    )
    expects = trn(
        "The formula {formula} expects {number} message for {processes} and {links}",
        "The formula {formula} expects {number} messages for {processes} and {links}",
        tally(expected.value),
        formula=expected.body,
        number=bounded(expected.relation, value),
        processes=plural(len(timeline.processes), "process"),
        links=plural(len(links), "link"),
    )
    if timeline.trace.summary.get("stopped") is None:
        return f"{expects}."
    if expected.relation == "=" and abs(expected.value - sent) < 1e-6:
        return tr("{sentence}: exactly what was sent.", sentence=expects)
    return trn("{sentence}; {count:,} was sent.", "{sentence}; {count:,} were sent.", sent, sentence=expects)
