"""The panels beside the table of the lecturer's page: points, where they were lost, groups that fail alike, pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from lydian.assignment.pages.comparing import compared
from lydian.assignment.pages.document import escaped, icon
from lydian.assignment.pages.drawing import thumbnail
from lydian.assignment.pages.playing import playing
from lydian.assignment.pages.shortrun import ShortRun
from lydian.assignment.pages.words import amount, failing, loses, points, said

__all__ = ["bins_of", "comparisons", "dock", "groups_that_fail_alike", "histogram", "large", "losses", "very_alike"]

Result = Mapping[str, Any]

#: The height of the tallest column of the histogram in pixels, and the largest number of columns.
TALL, MOST_BINS = 104, 24
_NOBODY = "Nothing has been handed in yet."


def dock(picture: str, title: str, about: str, body: str, look: str = "") -> str:
    """Return a panel with a bar.

    Args:
        picture: its icon.
        about: what the bar says after the title.
        body: HTML.
        look: more classes.
    """
    bar = f'{icon(picture, 16)}<h2>{title}</h2><span class="hint">{about}</span>'
    return f'<section class="dock {look}"><div class="bar">{bar}</div>{body}</section>'


def bins_of(results: Sequence[Result], most: float) -> tuple[list[int], float]:
    """Return how many hand-ins are in each column of the histogram, and how many points a column spans.

    The last column contains full marks.
    """
    widths = (
        (0.5, 1, 2, 5, 10, 20, 50, 100, 1000, max(most, 1)) if most <= 5 else (1, 2, 5, 10, 20, 50, 100, 1000, most)
    )
    width = next(width for width in widths if most / width <= MOST_BINS)
    count = max(1, -int(-most // width))
    bins = [0] * count
    for result in results:
        bins[min(count - 1, int(float(result["points"]) / width + 1e-9))] += 1
    return bins, width


def histogram(results: Sequence[Result], most: float) -> str:
    """Return the distribution of points; a click on a column filters."""
    bins, width = bins_of(results, most)
    top, every = max([*bins, 1]), 2 if len(bins) > 12 else 1
    columns = []
    for number, count in enumerate(bins):
        low, high = number * width, min((number + 1) * width, most)
        told = f"{amount(count, 'hand-in')} with {points(low)} to {points(high)} points"
        height = max(3, round(TALL * count / top))
        bar = f'<svg width="100%" height="{height}"><rect width="100%" height="100%" rx="2"/></svg>'
        inside = f"<b>{count:,}</b>{bar}" if count else "<b>&nbsp;</b>"
        label = points(low) if number % every == 0 else ""
        columns.append(
            f'<button type="button" class="bin" data-bin="{number}" title="{told}" aria-label="{told}" '
            f'aria-pressed="false"{"" if count else " disabled"}>{inside}<i>{label}</i></button>'
        )
    one = {1: "one point", 0.5: "half a point"}.get(width, f"{points(width)} points")
    body = f'<div class="histogram">{_mean(results, most)}{"".join(columns)}<i class="end">{points(most)}</i></div>'
    return dock("bars", "Points", f"of {points(most)}, {one} for each column", body)


def _mean(results: Sequence[Result], most: float) -> str:
    """Return the line of the mean in the histogram."""
    if not results or not most:
        return ""
    mean = fmean(float(result["points"]) for result in results)
    x = f"{100 * mean / most:.1f}%"
    side, gap = ("end", -5) if mean > most / 2 else ("start", 5)
    return (
        f'<svg class="mean" aria-hidden="true"><line x1="{x}" x2="{x}" y1="0" y2="100%"/>'
        f'<text x="{x}" dx="{gap}" y="10" text-anchor="{side}">mean {mean:.1f}</text></svg>'
    )


def losses(checks: Sequence[Result], results: Sequence[Result]) -> str:
    """Return how many hand-ins that ran lose points in each check, the most first; a click on one filters."""
    counts = {check["id"]: 0 for check in checks}
    marked = [result for result in results if result["state"] == "marked"]
    for result in marked:
        for check in result["checks"]:
            if check["id"] in counts and loses(check):
                counts[check["id"]] += 1
    rows = []
    for check in sorted(checks, key=lambda check: -counts[check["id"]]):
        count, title = counts[check["id"]], escaped(check["title"])
        if count:
            part = f'<rect class="part" width="{100 * count / len(results):.1f}%" height="12" rx="3"/>'
            bar = f'<svg width="100%" height="12"><rect class="all" width="100%" height="12" rx="3"/>{part}</svg>'
            rows.append(
                f'<button type="button" class="loss" data-lost="{escaped(check["id"])}" aria-pressed="false">'
                f'<span title="{title}">{title}</span>{bar}<b>{count:,}</b></button>'
            )
    none = "No points were lost in a check." if marked else "No hand-in was marked." if results else _NOBODY
    empty = f'<p class="none">{none}</p>'
    body = f'<div class="losses">{"".join(rows) or empty}</div>'
    return dock("cross", "Where points were lost", f"hand-ins of {len(results):,}, by check", body)


def groups_that_fail_alike(
    groups: Sequence[Result], runs: Sequence[ShortRun | None], checks: Sequence[Result], results: Sequence[Result]
) -> str:
    """Return the groups of hand-ins that fail alike, and how many are in none.

    Args:
        groups: with more than one hand-in each.
        runs: the runs of the first groups.
    """
    titles = {check["id"]: check["title"] for check in checks}
    cards = []
    for number, group in enumerate(groups):
        run = runs[number] if number < len(runs) else None
        title, size = escaped(titles.get(group["check"], group["check"])), _size(group)
        cards.append(
            f'<button type="button" class="group" data-group="{number}" aria-pressed="false" '
            f'title="Click to mark these rows; Enter shows only them"><b class="count">{len(group["ids"]):,}</b>'
            f"<span><b>{escaped(said(str(group['sentence'])).rstrip('.'))}</b><small>{title}: {size}</small></span>"
            f"{thumbnail(run) if run else ''}</button>"
        )
    empty = f'<p class="none">{"No two hand-ins fail alike." if results else _NOBODY}</p>'
    show = f'<button type="button" id="show-class">{icon("play", 14)}Show the class</button>' if any(runs) else ""
    foot = f'<div class="foot"><span>{_rest(groups, results) if results else ""}</span>{show}</div>'
    body = f'<div class="groups">{"".join(cards) or empty}</div>{foot}'
    return dock("layers", "Hand-ins that fail alike", "the same property, the same shortest run", body, "grow")


def _rest(groups: Sequence[Result], results: Sequence[Result]) -> str:
    together = {each for group in groups for each in group["ids"]}
    stopped = sum(result["state"] != "marked" for result in results)
    failed = [result for result in results if result["state"] == "marked" and any(map(failing, result["checks"]))]
    alone = sum(result["id"] not in together for result in failed)
    good = len(results) - len(failed) - stopped
    own = f"{alone:,} {'fails on its' if alone == 1 else 'fail on their'} own"
    return f"{own}, {stopped:,} did not run, {good:,} {'has' if good == 1 else 'have'} no failure"


def _size(group: Result) -> str:
    return f"{amount(group['processes'], 'process')}, {amount(group['events'], 'event')}"


def large(number: int, group: Result, run: ShortRun) -> str:
    """Return the run of a group as it is shown to a class: without names."""
    row = max(42, min(150, 420 // max(len(run.rows), 1)))
    head = f'<h2>{escaped(said(str(group["sentence"])))}</h2><p class="hint">{_size(group)}</p>'
    return f'<template id="run-{number}">{head}{playing(run, f"large{number}", 900, row)}</template>'


def very_alike(pairs: Sequence[Result]) -> str:
    """Return how many pairs are very alike; nothing if none is."""
    if not pairs:
        return ""
    said = "1 pair is very alike." if len(pairs) == 1 else f"{len(pairs):,} pairs are very alike."
    hint = '<span class="hint">Short programs from one skeleton are; it proves nothing.</span>'
    button = '<button type="button" id="compare">Compare</button>'
    foot = f'<div class="foot alone">{icon("compare", 17)}<span><b>{said}</b> {hint}</span>{button}</div>'
    return f'<section class="dock">{foot}</section>'


def comparisons(pairs: Sequence[Result], results: Sequence[Result], skeleton: Mapping[str, str]) -> str:
    """Return pairs with their files side by side, as templates that the dialog shows."""
    names = {result["id"]: str(result["student"]) for result in results}
    files: dict[str, Mapping[str, str]] = {result["id"]: result.get("files") or {} for result in results}
    parts = []
    for pair in pairs:
        a, b = str(pair["a"]), str(pair["b"])
        left, right = escaped(names.get(a, a)), escaped(names.get(b, b))
        both = compared(files.get(a, {}), files.get(b, {}), skeleton)
        none = '<p class="none">These hand-ins have no file in common.</p>'
        parts.append(
            f'<template class="pair" data-a="{left}" data-b="{right}" data-share="{100 * pair["share"]:.0f}">'
            f'<div class="heads"><h2>{left}</h2><h2>{right}</h2></div>{both or none}</template>'
        )
    return "".join(parts)
