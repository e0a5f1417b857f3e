"""A report on a batch as one page: figures, plots, the most unusual runs, the sweep, and the software versions.

The page is self-contained HTML without scripts, so that it can be sent, archived and printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from lydian.batch.folder import Folder
from lydian.batch.spark.surprise import Strange
from lydian.batch.stats import Summary, summary
from lydian.language import language, tr, trn
from lydian.model.reading import without_none
from lydian.views.plots.data import Results
from lydian.views.plots.options import sensible
from lydian.views.plots.plots import Plot, plot_of
from lydian.views.plots.published import HEAD, NUMERIC, table_of_published
from lydian.views.plots.scale import number_text
from lydian.views.words.words import plural

__all__ = ["MOST_GROUPS", "MOST_PLOTS", "Paper", "page", "report_plots", "verdict"]

#: The largest number of groups, plots and unusual runs in a report; it says if there are more.
MOST_GROUPS, MOST_PLOTS, MOST_STRANGE = 200, 4, 12
_STYLE = """\
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1060px; padding: 32px 24px 48px; color: #1b1d21; background: #fff;
  font: 15px/1.5 Inter, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 36px 0 10px; }
p { margin: 6px 0; } .of { margin-top: 18px; } .about, .note { color: #5a6069; }
.verdict { display: inline-block; margin: 10px 0 0; padding: 3px 12px; border: 1px solid #1a7f4b; border-radius: 12px;
  background: #e3f4ea; color: #12643a; font-weight: 600; }
.verdict.bad { border-color: #b3261e; background: #fbe7e6; color: #8c1d18; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: 5px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid #e2e5ea; }
th { color: #5a6069; font-weight: 600; border-bottom-color: #c3c8d0; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; } figure { margin: 12px 0 22px; break-inside: avoid; }
figure img { display: block; width: 100%; height: auto; border: 1px solid #e2e5ea; border-radius: 8px; }
pre { margin: 0; padding: 12px 14px; background: #f5f6f8; border: 1px solid #e2e5ea; border-radius: 8px;
  font: 13px/1.5 "JetBrains Mono", "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: 13px "JetBrains Mono", "DejaVu Sans Mono", monospace; }
@media print { body { max-width: none; padding: 0; } tr { break-inside: avoid; } h2 { break-after: avoid; } }
"""


@dataclass(frozen=True, eq=False)
class Paper:
    """The contents of a report.

    Args:
        folder: the batch.
        results: what there is of its results.
        strange: its strangest runs, the strangest first.
        pictures: title, note and the bytes of an SVG, of each plot.
        versions: what -> its version.
        made: the day on which the report was made.
    """

    folder: Folder
    results: Results
    strange: Sequence[Strange]
    pictures: Sequence[tuple[str, str, bytes]]
    versions: Mapping[str, str]
    made: str


def report_plots(results: Results) -> list[Plot]:
    """Return the plots of a report: each measure of the sweep in its most informative plot."""
    wish = sensible(results)
    names = list(dict.fromkeys([wish.y, *results.measures]))
    plots = (plot_of(results, replace(wish, y=name)) for name in names)
    return [plot for plot in plots if not plot.empty][:MOST_PLOTS]


def verdict(results: Results) -> tuple[str, bool]:
    """Return the verdict of the checks on all runs together, and whether it is good; nothing without checks."""
    if results.violated:
        count = results.violated
        return trn("✗ {count:,} run violates a property", "✗ {count:,} runs violate a property", count), False
    if not results.judged:
        return (tr("✓ no property violated") if not bool(results.failed.all()) else ""), True
    good = results.kept == results.judged
    what = (
        tr("messages = {formula}", formula=results.formula)
        if 0 < len(results.formula) <= 28
        else tr("messages as the formula expects")
    )
    if good:
        return tr("✓ {what} in all {count:,} runs", what=what, count=results.judged), True
    return tr("✗ {what} in {kept:,} of {count:,} runs", what=what, kept=results.kept, count=results.judged), False


def page(paper: Paper) -> str:
    """Return the whole page."""
    results = paper.results
    name = escape(results.name)
    parts = [
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">',
        f"<title>{name}: {_numbers(results)}</title>",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>\n{_STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>",
        *([f'<p class="about">{escape(results.about)}</p>'] if results.about else []),
        f"<p>{_numbers(results)}.</p>",
    ]
    words, good = verdict(results)
    if words:
        parts.append(f'<p class="verdict{"" if good else " bad"}">{escape(words)}</p>')
    parts += [*_plots(paper), *_published(results), *_strange(paper), *_groups(paper), *_failed(results)]
    parts += _asked(paper)
    return "\n".join([*parts, "</body>\n</html>\n"])


def _numbers(results: Results) -> str:
    done, failed = len(results), int(results.failed.sum())
    whole = (
        plural(done, "run")
        if done == results.total
        else trn("{done:,} of {count:,} run", "{done:,} of {count:,} runs", results.total, done=done)
    )
    return whole + (tr(", {count:,} of them without a result", count=failed) if failed else "")


def _plots(paper: Paper) -> list[str]:
    from base64 import b64encode

    if not paper.pictures:
        return []
    parts = [f"<h2>{tr('Plots')}</h2>"]
    for title, note, svg in paper.pictures:
        data = b64encode(svg).decode()
        words = f"{escape(title)}: {escape(note)}"
        parts.append(f'<figure><img alt="{words}" src="data:image/svg+xml;base64,{data}"></figure>')
    return parts


def _published(results: Results) -> list[str]:
    """Return a table of published values and results."""
    rows = table_of_published(results)
    if not rows:
        return []
    kinds = [' class="n"' if numeric else "" for numeric in NUMERIC]
    head = "".join(f"<th{kind}>{escape(word)}</th>" for word, kind in zip(HEAD, kinds, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{kind}>{escape(cell)}</td>' for cell, kind in zip(row, kinds, strict=True))}</tr>"
        for row in rows
    )
    return [
        f"<h2>{tr('Published, and here')}</h2>",
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>',
        '<p class="note">' + tr("Here: the mean of the runs. Apart: its difference from the published value.") + "</p>",
    ]


def _cut(count: int) -> str:
    return trn("The first {most} of {count:,} group.", "The first {most} of {count:,} groups.", count, most=MOST_GROUPS)


def _groups(paper: Paper) -> list[str]:
    """Return a table of each combination: runs, and for each measure its median, mean with interval, and spread."""
    results = paper.results
    varied = [each for each in results.varied if not each.drawn]
    levels = [results.levels(each.name) for each in varied]
    shape = tuple(len(names) for names, _codes in levels)
    if not len(results) or not results.measures:
        return []
    keys = np.zeros(len(results), np.int64)
    for (_names, codes), size in zip(levels, shape, strict=True):
        keys = keys * size + np.maximum(codes, 0)
    groups = np.unique(keys)
    head = "".join(f"<th>{escape(each.head)}</th>" for each in varied)
    own = [each.name for each in paper.folder.sweep.measure if each.name in results.measures]
    measures = [results.variables[name] for name in own or results.measures[:MOST_PLOTS]]
    parts = [f"<h2>{tr('Groups')}</h2>"]
    if len(groups) > MOST_GROUPS:
        parts.append(f'<p class="note">{_cut(len(groups))}</p>')
    for measure in measures:
        rows = []
        for key in groups[:MOST_GROUPS].tolist():
            rest, names = key, []
            for (texts, _codes), size in zip(reversed(levels), reversed(shape), strict=True):
                rest, at = divmod(rest, size)
                names.append(texts[at])
            found = summary(results.numbers[measure.name][(keys == key) & ~results.failed])
            cells = "".join(f"<td>{escape(_said(name))}</td>" for name in reversed(names))
            rows.append(f"<tr>{cells}{_cells(found)}</tr>")
        titles = "".join(f'<th class="n">{word}</th>' for word in _FIGURES)
        parts.append(
            f'<p class="of"><b>{escape(_capital(measure.words))}</b></p><div class="wide"><table>'
            f"<thead><tr>{head}{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        )
    return parts


_FIGURES = (tr("Runs"), tr("Median"), tr("Mean"), tr("95 % interval"), tr("25 to 75 %"), tr("Least"), tr("Most"))


def _cells(found: Summary | None) -> str:
    if found is None:
        return '<td class="n">0</td>' + '<td class="n"></td>' * (len(_FIGURES) - 1)
    of = _figure
    texts = (
        f"{found.count:,}",
        of(found.median),
        of(found.mean),
        tr("{low} to {high}", low=of(found.low), high=of(found.high)),
        tr("{low} to {high}", low=of(found.q25), high=of(found.q75)),
        of(found.least),
        of(found.most),
    )
    return "".join(f'<td class="n">{escape(text)}</td>' for text in texts)


def _strange(paper: Paper) -> list[str]:
    results, found = paper.results, paper.strange[:MOST_STRANGE]
    parts = [f"<h2>{tr('Most unusual runs')}</h2>"]
    if not found:
        return [*parts, f"<p>{tr('No run stands out from its group.')}</p>"]
    varied = results.varied
    head = "".join(f"<th>{escape(each.head)}</th>" for each in varied)
    rows = [
        f'<tr><td class="n">{each.rank}</td><td>{escape(each.why)}</td>'
        + "".join(f"<td>{escape(_said(each.values.get(v.name)))}</td>" for v in varied)
        + f'<td class="n">{each.seed}</td><td class="n">{each.run}</td></tr>'
        for each in found
    ]
    where = escape(paper.folder.path.name)
    return [
        *parts,
        f'<div class="wide"><table><thead><tr><th class="n"></th><th>{tr("Why it stands out")}</th>{head}'
        f'<th class="n">{tr("Seed")}</th><th class="n">{tr("Run")}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        '<p class="note">'
        + tr(
            "Each can be watched again, as the same execution: {first} is the strangest, {any} any run by its number.",
            first=f"<code>lydian open {where}#1</code>",
            any=f"<code>lydian open {where}#run={found[0].run}</code>",
        )
        + "</p>",
    ]


def _failed(results: Results) -> list[str]:
    if not results.failures:
        return []
    rows = [
        f'<tr><td class="n">{each.count:,}</td><td>{escape(each.words)}</td><td>{escape(each.error)}</td>'
        f'<td class="n">{each.run}</td></tr>'
        for each in results.failures
    ]
    return [
        f"<h2>{tr('Runs without a result')}</h2>",
        f'<div class="wide"><table><thead><tr><th class="n">{tr("Runs")}</th><th>{tr("Failure")}</th>'
        f'<th>{tr("Why")}</th><th class="n">{tr("First run")}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
    ]


def _asked(paper: Paper) -> list[str]:
    import tomli_w

    folder = paper.folder
    text = tomli_w.dumps(without_none(folder.sweep.to_dict()))
    parts = [f"<h2>{tr('Sweep')}</h2>", f"<pre>{escape(text.strip())}</pre>"]
    for _stem, source in folder.luggage.protocols.values():
        stem = escape(_stem)
        parts.append(
            f"<details><summary>{tr('The protocol {protocol}', protocol=stem)}</summary>"
            f"<pre>{escape(source.strip())}</pre></details>"
        )
    rows = "".join(f"<tr><td>{escape(what)}</td><td>{escape(said)}</td></tr>" for what, said in paper.versions.items())
    return [
        *parts,
        f"<h2>{tr('Software')}</h2>",
        f"<table><tbody>{rows}</tbody></table>",
        f'<p class="note">{escape(paper.made)}. '
        + tr(
            "The runs depend on nothing but this text and these versions: the same sweep gives the same rows, on one "
            "core or on a cluster."
        )
        + "</p>",
    ]


def _figure(value: float) -> str:
    return number_text(round(value, 2) if abs(value) >= 10 else value)


def _said(value: Any) -> str:
    if value is None:
        return ""
    return number_text(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
