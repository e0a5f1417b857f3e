"""The command ``lydian run EXPERIMENT --runs N``: it runs many seeds of one experiment and lists those that differ."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lydian.cli.parser import Usage, whole
from lydian.cli.summary import how_it_ended
from lydian.cli.words import coloured, grid, mark, number, plural

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["run_many"]

#: Options of a single run that are meaningless for many.
_SINGLE = {
    "trace": "--trace", "html": "--html", "explain": "--explain", "branch": "--branch", "seconds": "--seconds",
    "no_check": "--no-check", "no_variables": "--no-variables",
}  # fmt: skip
#: The sums: column of a row -> what it counts.
_SUMS = ("messages", "events", "time", "chain")
_MOST_LINES = 40
#: Two runs count as alike if these agree: how they ended, and the verdict on every property.
Ending = tuple[str | None, tuple[tuple[str, bool | None], ...], str | None]


def run_many(args: Namespace, experiment: Experiment) -> int:
    """Run the seeds and print the results; return 1 if a property was violated or a run failed, 130 after Ctrl+C."""
    given = next((option for name, option in _SINGLE.items() if getattr(args, name)), None)
    if given is not None:
        raise Usage(f"{given} belongs to a single run; remove --runs, or give --seed instead")
    count = whole(args.runs, "--runs", 1)
    first = 1 if args.seed is None else experiment.seed
    experiment.resolve()  # an error in the experiment is reported once, and not by every run

    from lydian.batch.pool import runs
    from lydian.batch.sweep.sweep import Limits

    memory = None if args.memory is None else whole(args.memory, "--memory", 1)
    limits = Limits(seconds=3600.0) if memory is None else Limits(seconds=3600.0, memory=memory)
    rows: list[dict[str, Any]] = []
    stopped = False
    pool = runs(experiment, range(first, first + count), limits=limits)
    try:
        for row in pool:
            rows.append(row)
            _progress(len(rows), count)
    except KeyboardInterrupt:
        stopped = True
    finally:
        pool.close()  # type: ignore[attr-defined]
        _progress(0, 0)
    rows.sort(key=lambda row: int(row["seed"]))
    found = _summed(experiment, rows, count)
    if args.json:
        print(json.dumps(found, indent=2))
    elif rows:
        print(_told(found, experiment, args))
    if stopped:
        print(f"lydian: stopped after {len(rows)} of {plural(count, 'run')}", file=sys.stderr)
        return 130
    return 1 if found["violated"] or found["failed"] else 0


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        text = f"  {done} of {plural(of, 'run')} ... (Ctrl+C stops)" if of else ""
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _ending(row: Mapping[str, Any]) -> Ending:
    checks = tuple((str(check["name"]), check["holds"]) for check in row.get("checks") or ())
    return row.get("stopped"), checks, row.get("failure")


def _summed(experiment: Experiment, rows: Sequence[Mapping[str, Any]], count: int) -> dict[str, Any]:
    """Return the object that ``--json`` prints."""
    endings = Counter(_ending(row) for row in rows)
    common = endings.most_common(1)[0][0] if endings else (None, (), None)
    whole_rows = [row for row in rows if row.get("failure") is None]
    sums = {
        name: {
            "least": min(values), "mean": sum(values) / len(values), "most": max(values),
        }
        for name in _SUMS if (values := [row[name] for row in whole_rows])
    }  # fmt: skip
    return {
        "experiment": experiment.name,
        "protocol": next((row["protocol"] for row in whole_rows), experiment.protocol),
        "network": next((row["network"] for row in whole_rows), ""),
        "runs": count,
        "done": len(rows),
        "violated": sum(bool(row.get("violated")) for row in rows),
        "failed": sum(row.get("failure") is not None for row in rows),
        "common": {
            "runs": endings[common], "stopped": common[0], "failure": common[2],
            "checks": [{"name": name, "holds": holds} for name, holds in common[1]],
        },
        "differ": [_differing(row, common) for row in rows if _ending(row) != common],
        "measures": sums,
        "seeds": [
            {key: row.get(key) for key in ("seed", "stopped", *_SUMS, "violated", "failure", "fingerprint")}
            for row in rows
        ],
    }  # fmt: skip


def _differing(row: Mapping[str, Any], common: Ending) -> dict[str, Any]:
    """Return what distinguishes a run: its seed, its end, and the properties with a different verdict."""
    stopped, checks, failure = _ending(row)
    usual = dict(common[1])
    return {
        "seed": row["seed"],
        "stopped": stopped,
        "failure": failure,
        "error": row.get("error"),
        "checks": [{"name": n, "holds": holds} for n, holds in checks if n not in usual or usual[n] != holds],
    }


def _told(found: Mapping[str, Any], experiment: Experiment, args: Namespace) -> str:
    """Return the same as text: how most runs ended, one line for each that differs, and the sums."""
    seeds = [row["seed"] for row in found["seeds"]]
    which = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    common = found["common"]
    lines = [coloured(f"{experiment.name}: {found['protocol']} on {found['network']}", "1") + f"  ({which})", ""]
    done, same = found["done"], common["runs"]
    how = "the run failed" if common["failure"] else how_it_ended(common["stopped"])
    lines.append(f"  {plural(done, 'run')}" if same == done else f"  {same} of {plural(done, 'run')}: {how}")
    if same == done:
        lines[-1] += f", all alike: {how}"
    lines += [f"  {mark(check['holds'])} {check['name']}" for check in common["checks"]]
    if found["differ"]:
        lines += ["", f"  {plural(len(found['differ']), 'run')} ended differently:"]
        lines += [f"    {_line(each, common)}" for each in found["differ"][:_MOST_LINES]]
        if len(found["differ"]) > _MOST_LINES:
            lines.append(f"    and {len(found['differ']) - _MOST_LINES} more (--json lists them all)")
        named = args.experiment or f"--protocol {args.protocol}"
        lines.append(f"    To see one, run it alone: lydian run {named} --seed {found['differ'][0]['seed']}")
    if found["measures"]:
        table = [["", "least", "mean", "most"]]
        table += [[name, *(number(each[key]) for key in ("least", "mean", "most"))]
                  for name, each in found["measures"].items()]  # fmt: skip
        lines += ["", grid(table)]
    return "\n".join(lines)


def _line(each: Mapping[str, Any], common: Mapping[str, Any]) -> str:
    parts = []
    if each["error"]:
        parts.append(f"{mark(False)} {each['error']}")
    elif each["stopped"] != common["stopped"]:
        parts.append(how_it_ended(each["stopped"]))
    words = {True: "holds", False: "violated", None: "open"}
    parts += [f"{mark(check['holds'])} {check['name']}: {words[check['holds']]}" for check in each["checks"]]
    return f"seed {each['seed']}: {'; '.join(parts)}"
