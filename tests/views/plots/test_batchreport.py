"""The report of a batch as one page: each section is computed from the measurements."""

from __future__ import annotations

import re

import pytest

from lydian.batch.oddest import oddest
from lydian.cli.batchwords import told_summary
from lydian.views.plots.batchreport import Paper, page, report_plots, verdict
from lydian.views.plots.read import Reader
from tests.batchfolder import folder_of


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    folder = folder_of(tmp_path_factory.mktemp("report") / "small", failing=(3, 40), name="small & <good>")
    read = Reader(folder.path).read()
    strange = oddest(folder, read.table, 10)
    return Paper(folder, read.results, strange, [("Depth", "a note", b"<svg/>")], {"LYDIAN": "9.8.7"}, "Made today")


def rows_of(text, head):
    part = text.split(f"<h2>{head}</h2>")[1].split("<h2>")[0]
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(<td.*?)</tr>", part)]


def test_every_section_is_present(paper):
    text = page(paper)
    heads = re.findall(r"<h2>(.*?)</h2>", text)
    assert heads == ["Plots", "Most unusual runs", "Groups", "Runs without a result", "Sweep", "Software"]
    assert "<h1>small &amp; &lt;good&gt;</h1>" in text
    assert f"{len(paper.results)} runs, 2 of them without a result" in text
    assert verdict(paper.results)[0] in text
    assert "data:image/svg+xml;base64,PHN2Zy8+" in text
    assert "9.8.7" in text
    assert not re.findall(r"<script|https?://", text.split("<h2>Sweep</h2>")[0])  # nothing is fetched


def test_its_numbers_match_the_rows(paper):
    found = rows_of(page(paper), "Groups")
    measures = len(paper.folder.sweep.measure)
    assert len(found) == measures * paper.folder.sweep.groups
    table = [row for row in paper.folder.table().to_pylist() if row["failure"] is None]
    first = sorted(row["messages"] for row in table if row["group"] == 0)
    n, kind, delay, runs, _median, mean, _interval, _half, least, most = found[0]
    assert (n, kind, delay, runs) == ("5", "ring", "constant", str(len(first)))
    assert (float(least), float(most)) == (first[0], first[-1])
    assert float(mean) == pytest.approx(sum(first) / len(first), rel=1e-3)


def test_a_label_and_a_unit_are_at_the_head_of_columns(tmp_path):
    vary = [{"name": "n", "values": [5, 8], "label": "size of the ring", "unit": "processes"},
            {"field": "network", "values": ["ring:{n}"]}]  # fmt: skip
    folder = folder_of(tmp_path / "labelled", vary=vary, seeds=2)
    results = Reader(folder.path).read().results
    assert "<th>Size of the ring (processes)</th>" in page(Paper(folder, results, [], [], {}, "Made today"))
    row = {"measure": "messages", "count": 2, "mean": 9.0, "least": 9.0, "most": 9.0}
    rows = [{"values": {"n": n}, **row} for n in (5, 8)]
    found = {"statistics": rows, "fits": [], "formula": [], "failures": [], "strangest": []}
    assert "size of the ring (processes)" in told_summary(folder, found, "labelled").splitlines()[0]


def test_the_strangest_runs_have_their_reasons(paper):
    found = rows_of(page(paper), "Most unusual runs")
    assert [row[0] for row in found] == [str(each.rank) for each in paper.strange]
    assert [row[1] for row in found] == [each.why.replace('"', "&quot;") for each in paper.strange]
    assert "lydian open small#1" in page(paper)


def test_the_sweep_can_be_repeated_from_the_report(paper):
    import tomllib
    from html import unescape

    from lydian.batch.sweep.file import from_dict as sweep_from

    text = unescape(page(paper).split("<h2>Sweep</h2>")[1].split("<pre>")[1].split("</pre>")[0])
    assert sweep_from(tomllib.loads(text)) == sweep_from(paper.folder.sweep.to_dict())


def test_a_plot_of_every_measure(paper):
    assert [plot.wish.y for plot in report_plots(paper.results)][:3] == ["messages", "time", "tree_depth"]


def test_published_numbers_are_shown_beside_those_of_the_runs(tmp_path):
    told = [{"measure": "messages", "at": {"kind": "ring", "n": 8}, "value": 18, "source": "chapter <1>"}]
    folder = folder_of(tmp_path / "told", published=told)
    text = page(Paper(folder, Reader(folder.path).read().results, (), (), {}, ""))
    (row,) = rows_of(text, "Published, and here")
    assert row == ["messages", "kind ring, n 8", "18", "18", "", "equal", "chapter &lt;1&gt;"]
