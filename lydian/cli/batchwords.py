"""The texts of ``lydian batch``: estimate, progress, summary and the strangest runs."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from lydian.cli.words import coloured, grid, mark, number, plural

if TYPE_CHECKING:
    from lydian.batch.estimate import Estimate
    from lydian.batch.folder import Folder
    from lydian.batch.replay import Replayed
    from lydian.batch.spark.job import JobEnd, Progress
    from lydian.batch.sweep.sweep import Sweep

__all__ = ["ProgressLine", "count", "estimated", "outcome", "told_replay", "told_summary"]

_MOST_GROUPS = 24
_STATES = {"trying": "trying a few runs ...", "starting": "starting Spark ..."}


def count(value: int) -> str:
    """Return a whole number as :func:`~lydian.cli.words.plural` writes it: ``1600``, ``12 000``."""
    return f"{value:,}".replace(",", " " if value >= 10_000 else "")


def estimated(sweep: Sweep, plan: Estimate, cores: int | None, traces: bool) -> str:
    """Describe the estimated cost of a sweep in a few lines."""
    from lydian.views.words.words import duration, size

    lines = [coloured(sweep.name, "1") + (f"  {sweep.about}" if sweep.about else ""), ""]
    axes = [f"{axis.name} ({len(axis)})" if axis.sample is None else f"{axis.name} (drawn)" for axis in sweep.vary]
    of = f", {plural(plan.groups, 'group')} of {count(plan.runs // plan.groups)}" if plan.groups > 1 else ""
    lines.append(f"  runs   {count(plan.runs)}{of}")
    lines.append(f"  vary   {', '.join([*axes, plural(len(sweep.seeds), 'seed')])}")
    on = f" on {plural(cores, 'core')}" if cores else " of one core"
    wall = plan.wall(cores) if cores else plan.seconds
    one = f"{plan.quickest * 1000:.3g} to {plan.slowest * 1000:.3g} ms per run"
    lines.append(f"  time   about {duration(wall)}{on}, plus the time to start Spark ({one}, {len(plan.trials)} tried)")
    lines.append(f"  disk   about {size(plan.bytes)}{'' if traces else ' without traces'}")
    failed = [row for row in plan.trials if row.get("failure")]
    lines += [f"  {mark(False)} run {row['run']} fails: {row['error']}" for row in failed[:3]]
    return "\n".join(lines)


def outcome(ended: JobEnd) -> str:
    """Describe the outcome of a job in one line."""
    from lydian.views.words.words import duration

    progress = ended.progress
    fresh = progress.done - progress.before
    parts = [plural(progress.done, "run")]
    if progress.before:
        parts.append(f"{count(progress.before)} of them from earlier jobs")
    if fresh and progress.rate:
        parts.append(f"{number(progress.rate)} per second")
    parts.append(duration(ended.seconds))
    parts.append(f"{count(progress.failed)} failed" if progress.failed else "none failed")
    if progress.violated:
        parts.append(f"{count(progress.violated)} violate a property")
    return f"{mark(not (progress.failed or progress.violated))} {ended.folder.sweep.name}: {', '.join(parts)}"


def told_summary(folder: Folder, found: Mapping[str, Any], where: str) -> str:
    """Return statistics, fits, formula, failures and the strangest runs as text."""
    titles = {axis.name: axis.title for axis in folder.sweep.vary}
    blocks = [_statistics(found["statistics"], titles)]
    if found["fits"]:
        blocks.append(_fits(found["fits"]))
    if found["formula"]:
        blocks.append(_formula(found["formula"]))
    if "published" in found:
        blocks.append(_published(folder))
    if found["failures"]:
        blocks.append(_failures(found["failures"]))
    blocks.append(_strange(titles, found["strangest"], where))
    return "\n\n".join(block for block in blocks if block)


def told_replay(found: Sequence[Replayed]) -> str:
    """Return the verdicts of the properties on the kept traces as text."""
    if not found:
        return "No trace can be checked."
    counts: dict[str, list[int]] = {}
    for each in found:
        for check in each.checks:
            counts.setdefault(check["name"], [0, 0, 0])[{True: 0, False: 1, None: 2}[check["holds"]]] += 1
    lines = [f"{plural(len(found), 'trace')} judged", ""]
    for name, (holds, broken, open_) in counts.items():
        more = f", open in {count(open_)}" if open_ else ""
        against = f", violated in {count(broken)}" if broken else ""
        lines.append(f"  {mark(not broken)} {name}: holds in {count(holds)}{against}{more}")
    wrong = [each for each in found if each.violated or each.error][:5]
    lines += [f"    run {e.run}: {e.error or 'violates ' + ', '.join(e.violated)}  ({e.file})" for e in wrong]
    return "\n".join(lines)


def _statistics(rows: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    if not rows:
        return "No run produced a result."
    names = list(rows[0]["values"])
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    groups: dict[tuple[Any, ...], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row["values"].values()), {})[row["measure"]] = row
    table = [[*(titles.get(name, name) for name in names), "runs", *measures]]
    for values, found in list(groups.items())[:_MOST_GROUPS]:
        count = max(row["count"] for row in found.values())
        table.append([*map(_cell, values), str(count), *(_spread(found.get(measure)) for measure in measures)])
    more = len(groups) - _MOST_GROUPS
    rest = f"\n  ... and {plural(more, 'group')} more (--json shows all)" if more > 0 else ""
    return f"{grid(table)}{rest}\n  mean ± half of its 95 % interval, [2.5 to 97.5 % of the runs]"


def _spread(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    if row["least"] == row["most"]:
        return number(row["mean"])
    return (
        f"{number(row['mean'])} ± {number(row['high'] - row['mean'])} [{number(row['q025'])} to {number(row['q975'])}]"
    )


def _fits(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for row in rows:
        power = f"{row['against']}^{row['exponent']:.3f}"
        interval = f"exponent {row['low']:.3f} to {row['high']:.3f}"
        lines.append(
            f"  {row['measure']} ≈ {number(row['factor'])} · {power}  ({interval}, R² {row['r2']:.3f}){_values(row)}"
        )
    return "\n".join(lines)


def _formula(rows: Sequence[Mapping[str, Any]]) -> str:
    judged, kept = sum(row["judged"] for row in rows), sum(row["kept"] for row in rows)
    if not judged:
        return ""
    of = f"{count(kept)} of {plural(judged, 'undisturbed run')}"
    return f"  {mark(kept == judged)} messages as the formula expects in {of}"


def _published(folder: Folder) -> str:
    from lydian.views.plots.data import results_of
    from lydian.views.plots.published import HEAD, table_of_published

    rows = table_of_published(results_of(folder.table().sort_by("run"), folder.sweep))
    used = [i for i in range(len(HEAD)) if any(row[i] for row in rows)]
    table = [[HEAD[i].lower() for i in used], *([_short(row[i], 40) for i in used] for row in rows)]
    return f"  Published, and the mean of the runs here\n{grid(table)}"


def _failures(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [f"  {plural(sum(row['count'] for row in rows), 'run')} failed:"]
    lines += [f"    {row['count']:>6,}  {row['failure']}: {row['error']}" for row in rows[:5]]
    return "\n".join(lines)


def _strange(titles: Mapping[str, str], rows: Sequence[Mapping[str, Any]], where: str) -> str:
    if not rows:
        return "  No run stands out from its group."
    table = [["", "why it stands out", *titles.values(), "seed", "run"]]
    for row in rows:
        cells = (_cell(row["values"][name]) for name in titles)
        table += [[str(row["rank"]), _short(row["why"]), *cells, str(row["seed"]), str(row["run"])]]
    return f"  Strangest runs\n{grid(table)}\n  to open one: lydian open {where}#1    or: lydian run {where}#1"


def _values(row: Mapping[str, Any]) -> str:
    return "".join(f"  {name} {_cell(value)}" for name, value in row["values"].items())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value) if math.isfinite(value) else ""
    return _short(str(value), 40)


def _short(text: str, most: int = 70) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


class ProgressLine:
    """The progress of a job: on a terminal one line that is updated, elsewhere a new line now and then.

    Args:
        stream: the stream to write to.
        quiet: whether to write nothing unless the stream is a terminal.
    """

    def __init__(self, stream: TextIO = sys.stderr, *, quiet: bool = False) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._quiet = quiet and not self._terminal
        self._shown = False
        self._tenth = -1
        self._state = ""

    def tell(self, progress: Progress) -> None:
        """Show the progress of a job."""
        from lydian.views.words.words import duration

        if progress.state in _STATES:
            if progress.state != self._state:
                self.note(_STATES[progress.state])
        elif progress.state == "running":
            done = progress.done + progress.under_way
            text = f"{count(done)} of {plural(progress.total, 'run')}"
            text += f", {count(progress.failed)} failed" if progress.failed else ""
            text += f", {number(progress.rate)} per second" if progress.rate else ""
            text += f", about {duration(progress.left)} left" if progress.left else ""
            tenth = 10 * progress.done // max(progress.total, 1)
            if self._terminal or tenth > self._tenth:
                self._tenth = tenth
                self.note(text)
        self._state = progress.state

    def note(self, text: str) -> None:
        """Replace the current text with a note."""
        if self._terminal:
            print(f"\r\x1b[K  {text}", end="", file=self._stream, flush=True)
            self._shown = True
        elif not self._quiet:
            print(f"  {text}", file=self._stream, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=self._stream, flush=True)
            self._shown = False
