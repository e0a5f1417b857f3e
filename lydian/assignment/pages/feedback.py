"""The page of feedback: one file for a student, which plays the shortest run that shows what is wrong."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lydian.assignment.pages.document import document, escaped, icon, with_code
from lydian.assignment.pages.playing import playing
from lydian.assignment.pages.shortrun import read_run, short_run
from lydian.assignment.pages.words import (
    Mistake,
    handed_in,
    mistakes,
    points,
    quoted,
    said,
    shortest,
    summary,
    verdict,
    whole,
)
from lydian.views.page.whole import coloured

__all__ = ["feedback"]

Result = Mapping[str, Any]

#: The mark for each state of a check: its icon and its class.
MARKS = {
    "full": ("tick", "holds"), "partly": ("warning", "warn"), "failed": ("cross", "wrong-mark"),
    "stopped": ("stop", "wrong-mark"), "open": ("clock", "open-mark"),
}  # fmt: skip
#: The largest file of a run that is put into the page, in bytes: pages are sent by mail.
MOST_BYTES = 2_000_000
#: The largest number of other failures whose runs play in the page.
MOST_RUNS = 6


def feedback(result: Result, folder: Path, assignment: Result) -> str:
    """Return the page of feedback on a hand-in.

    Args:
        result: the result of the hand-in.
        folder: the output folder of the grading, to which the paths of runs are relative.
        assignment: its ``title``, and optionally ``course``, ``number`` and ``due``.
    """
    found = mistakes(result)
    body = [_header(result, assignment), _summary(result)]
    if result["state"] == "marked" or found:
        body.append(_checks(result["checks"]))
    if found:
        body.append(_failure(found[0], folder))
    body += [_others(found[1:], folder), _notes(result, found), _footer(result, found, folder)]
    name = f"{assignment['title']}: {result['student']}"
    return document("feedback", name, f"<main>{''.join(body)}</main>", {})


# ---------------------------------------------------------------------- from top to bottom


def _header(result: Result, assignment: Result) -> str:
    course, number = assignment.get("course"), assignment.get("number")
    about = " · ".join([*([str(course)] if course else []), *([f"Assignment {number}"] if number else [])])
    when = handed_in(result, assignment.get("due"))
    return (
        "<header><div>"
        + (f'<p class="course">{escaped(about)}</p>' if about else "")
        + f"<h1>{escaped(assignment['title'])}</h1>"
        + f'<p class="name">{escaped(result["student"])}</p>'
        + (f'<p class="when hint">{escaped(when)}</p>' if when else "")
        + f"</div>{_ring(float(result['points']), float(result['most']))}</header>"
    )


def _ring(got: float, most: float) -> str:
    """Return the points as a ring."""
    round_ = 2 * math.pi * 56
    share = min(max(got / most, 0.0), 1.0) if most else 0.0
    arc = (
        ""
        if share <= 0
        else (
            f'<circle class="got" cx="64" cy="64" r="56" stroke-dasharray="{share * round_:.1f} 400" '
            'transform="rotate(-90 64 64)"/>'
        )
    )
    told = f"{points(got)} of {points(most)} points"
    return (
        f'<svg class="ring" width="128" height="128" viewBox="0 0 128 128" role="img" aria-label="{told}">'
        f'<circle cx="64" cy="64" r="56"/>{arc}<text x="64" y="72">{points(got)}</text>'
        f'<text class="of" x="64" y="92">of {points(most)}</text></svg>'
    )


def _summary(result: Result) -> str:
    good, begin, rest = summary(result)
    parts = [with_code(good), f"<b>{escaped(begin)}</b>" if begin else "", with_code(rest)]
    return f'<p id="summary">{" ".join(part for part in parts if part)}</p>'


def _checks(checks: Sequence[Result]) -> str:
    rows = []
    for check in checks:
        picture, look = MARKS.get(check["state"], MARKS["open"])
        words = f' <span class="hint">{escaped(check["words"])}</span>' if check.get("words") else ""
        marked = check["state"] != "open" or check["points"]
        got = f"<b>{points(check['points'])}</b>" if marked else '<span class="hint">open</span>'
        rows.append(
            f'<tr><td class="{look}" title="{verdict(check)}" aria-label="{verdict(check)}">{icon(picture)}</td>'
            f"<td><b>{escaped(check['title'])}</b>{words}</td>"
            f'<td class="kind"><span>{"hidden" if check["hidden"] else "public"}</span></td>'
            f'<td class="points">{got} <span class="hint">of {points(check["most"])}</span></td></tr>'
        )
    return (
        '<table><thead><tr><th></th><th>What was checked</th><th></th><th class="points">Points</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _failure(mistake: Mistake, folder: Path) -> str:
    """Return the failure that costs most, drawn large."""
    failure = mistake.failure
    size = shortest(failure)
    return (
        '<section id="failure"><div class="title" id="run">'
        f'<p class="check">{icon("cross", 17)}{escaped(mistake.check["title"])}</p>'
        f"<h2>{with_code(said(failure['sentence']))}</h2>"
        + (f'<p class="size">{escaped(size)}</p>' if size else "")
        + f"</div>{_run(failure, folder, 'run0')}{_code(failure)}{_why(mistake)}</section>"
    )


def _run(failure: Result, folder: Path, name: str) -> str:
    """Return the run of a failure; its moments as a list if there is no run."""
    path = _path(failure, folder)
    timeline = None if path is None else read_run(path)
    run = None if timeline is None else short_run(timeline, failure)
    if run is not None:
        return playing(run, name)
    moments = "".join(f"<li>{escaped(moment['text'])}</li>" for moment in failure.get("moments") or ())
    return f'<ol class="told">{moments}</ol>' if moments else ""


def _code(failure: Result) -> str:
    lines = failure.get("lines") or ()
    if not lines:
        return ""
    texts = coloured([str(text) for _, text in lines])
    rows = "".join(
        f'<li data-line="{int(number)}"{_broken(number == failure.get("line"))}>{text}</li>'
        for (number, _), text in zip(lines, texts, strict=True)
    )
    return f'<ol class="code">{rows}</ol>'


def _broken(yes: bool) -> str:
    return ' class="broken"' if yes else ""


def _why(mistake: Mistake) -> str:
    """Return where the failure is in the code, why it happens, and the lecturer's hint."""
    failure, hint = mistake.failure, mistake.check.get("hint")
    line, file = failure.get("line"), failure.get("file")
    place = f"<b>Line {int(line)} of {escaped(file)}.</b>" if line and file else ""
    said_already = str(failure["sentence"]).casefold()
    notes = [str(text) for text in (failure.get("why"), failure.get("note"), hint) if text]
    texts = [place, *(with_code(whole(text)) for text in notes if text.rstrip(".").casefold() not in said_already)]
    told = " ".join(text for text in texts if text)
    return f'<p class="why">{told}</p>' if told else ""


def _others(others: Sequence[Mistake], folder: Path) -> str:
    if not others:
        return ""
    rows = []
    for number, mistake in enumerate(others, 1):
        failure = mistake.failure
        run = _run(failure, folder, f"run{number}") if number <= MOST_RUNS else ""
        size = shortest(failure)
        inside = (f'<p class="size">{escaped(size)}</p>' if size else "") + run + _code(failure) + _why(mistake)
        sentence = f"<b>{escaped(mistake.check['title'])}.</b> {with_code(said(failure['sentence']))}"
        mark = f'<i class="wrong-mark">{icon("cross", 15)}</i>'
        if inside:
            rows.append(
                f'<details><summary>{mark}<span>{sentence}</span><b class="show">Show</b></summary>'
                f'<div class="inside">{inside}</div></details>'
            )
        else:
            rows.append(f"<details><summary>{mark}<span>{sentence}</span></summary></details>")
    title = "Another failure" if len(others) == 1 else "Other failures"
    return f'<section class="others"><h2>{title}</h2>{"".join(rows)}</section>'


def _notes(result: Result, found: Sequence[Mistake]) -> str:
    parts = [_same(result, found), _missed(result["checks"]), _answers(result)]
    shown = "".join(part for part in parts if part)
    return f'<div class="notes">{shown}</div>' if shown else ""


def _same(result: Result, found: Sequence[Mistake]) -> str:
    """Return which other checks fail for the same reason as the one that is drawn large."""
    if not found or not found[0].others:
        return ""
    others = found[0].others
    verb = "fails" if len(others) == 1 else "fail"
    all_ = float(result["most"]) - sum(float(check["points"]) for check in result["checks"])
    text = f"{quoted(check['title'] for check in others)} {verb} in the same way. "
    text += (
        f"Together they cost {points(found[0].lost)} of the {points(max(all_, found[0].lost))} points that are missing."
    )
    return f"<section><h2>From the same mistake</h2><p>{escaped(text)}</p></section>"


def _missed(checks: Sequence[Result]) -> str:
    missed = [sentence for check in checks for sentence in check.get("missed") or ()]
    if not missed:
        return ""
    title = "The mistake you did not catch" if len(missed) == 1 else "Mistakes you did not catch"
    rows = "".join(f"<li>{with_code(sentence)}</li>" for sentence in missed)
    return f"<section><h2>{title}</h2><ul>{rows}</ul></section>"


def _answers(result: Result) -> str:
    titles = {check["id"]: check["title"] for check in result["checks"]}
    given = {key: value for key, value in (result.get("answers") or {}).items() if key in titles}
    if not given:
        return ""
    rows = "".join(f"<dt>{escaped(titles[key])}</dt><dd>{escaped(_answer(value))}</dd>" for key, value in given.items())
    title = "Your answer" if len(given) == 1 else "Your answers"
    return f"<section><h2>{title}</h2><dl>{rows}</dl></section>"


def _answer(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _footer(result: Result, found: Sequence[Mistake], folder: Path) -> str:
    mark = str(result.get("fingerprint") or "")
    groups = " ".join(mark[i : i + 4] for i in range(0, len(mark), 4))
    told = f'<br>fingerprint <span class="mono fingerprint">{escaped(groups)}</span>' if mark else ""
    text = f"<p>Graded with LYDIAN {escaped(result.get('version', ''))} · same hand-in, same points{told}</p>"
    return f"<footer>{text}{_saving(result, found, folder)}</footer>"


def _saving(result: Result, found: Sequence[Mistake], folder: Path) -> str:
    """Return the button that saves the run which is drawn large, and how to open it."""
    path = _path(found[0].failure, folder) if found else None
    if path is None or path.stat().st_size > MOST_BYTES:
        return ""
    name = f"{result['id']}-{found[0].check['id']}.lydian"
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    how = (
        "Save this run, then choose <b>Open</b> in LYDIAN and the file "
        f"<code>{escaped(name)}</code>; or type <code>lydian open {escaped(name)}</code> in a terminal."
    )
    return (
        f'<a class="button" download="{escaped(name)}" href="data:application/zip;base64,{data}">'
        f"{icon('save', 16)}Save this run</a>"
        f'<details class="opening"><summary class="button main">{icon("popout", 16)}Open in LYDIAN</summary>'
        f'<p class="how">{how}</p></details>'
    )


def _path(failure: Result, folder: Path) -> Path | None:
    """Return the file of a failure's run; ``None`` if there is none, or if it is not inside the folder."""
    if not failure.get("run"):
        return None
    path = (folder / str(failure["run"])).resolve()
    return path if path.is_file() and folder.resolve() in path.parents else None
