"""``lydian trace check`` and ``trace import --check``: recorded events are judged by properties of one's own."""

from __future__ import annotations

import json
from pathlib import Path

from lydian.trace.parquet.file import load
from tests.formats.test_structured import HISTORY

SPEC = """\
from lydian import always, measure

@always("nothing is read before it is written")
def read(c):
    return all(each.result is None for each in c.history if each.name == "read")

@measure("operations")
def operations(c):
    return len(c.history)
"""


def test_a_violation_is_reported_with_its_event_and_stays_in_the_trace(lydian, tmp_path):
    Path("history.edn").write_text(HISTORY)
    Path("spec.py").write_text(SPEC)
    said = lydian("trace", "import", "history.edn", "-o", "plain.parquet")
    assert (said.code, load(Path("plain.parquet")).summary.get("checks")) == (0, None)
    said = lydian("trace", "check", "plain.parquet", "--check", "spec.py", "-o", "judged.parquet")
    assert said.code == 1
    assert "✗ nothing is read before it is written: event 3, time 0.004" in said.out
    assert "Process 1 delivers 3." in said.out and "operations: 3" in said.out
    assert "lydian open judged.parquet --event 3" in said.out
    check = {"name": "nothing is read before it is written", "kind": "always", "holds": False, "at": 3}
    assert load(Path("judged.parquet")).summary["checks"] == [check]
    said = lydian("trace", "check", "plain.parquet", "--check", "spec.py", "--json")
    found = json.loads(said.out)
    assert said.code == 1 and found["checks"] == [check | {"time": 0.004, "process": "1"}]
    assert found["measures"] == {"operations": 3}
    said = lydian("trace", "import", "history.edn", "-o", "both.parquet", "--check", "spec.py")
    assert said.code == 1 and load(Path("both.parquet")).summary["checks"] == [check]
    assert lydian("trace", "check", "both.parquet", "--check", "spec.py", "-o", "both.parquet").code == 2


def test_a_file_without_properties_is_refused_before_anything_is_written(lydian, tmp_path):
    Path("history.edn").write_text(HISTORY)
    Path("spec.py").write_text("x = 1\n")
    said = lydian("trace", "import", "history.edn", "-o", "out.parquet", "--check", "spec.py")
    assert said.code == 2 and not Path("out.parquet").exists()
    assert said.err.startswith("lydian: spec.py: this file declares no property; write, for example, @always")


def test_open_has_the_moment_of_an_event(lydian, tmp_path):
    Path("history.edn").write_text(HISTORY)
    lydian("trace", "import", "history.edn", "-o", "out.parquet")
    said = lydian("open", "out.parquet", "--event", "7")
    assert (said.code, said.err) == (2, "lydian: out.parquet: the trace has no event 7; its last one is 6\n")
    assert lydian("open", "out.parquet", "--event", "x").code == 2


def test_links_open_files_and_experiments(lydian, tmp_path):
    Path("history.edn").write_text(HISTORY)
    lydian("trace", "import", "history.edn", "-o", "out.parquet")
    said = lydian("open", f"lydian://open?file={Path('out.parquet').absolute()}&event=7")
    assert said.code == 2 and "the trace has no event 7" in said.err
    said = lydian("open", "lydian://two-wing")
    assert said.code == 2 and "the archive contains no experiment 'two-wing' (did you mean" in said.err
    lydian("run", "two-wings", "--html", "run.html")
    assert 'href="lydian://two-wings?seed=291"' in Path("run.html").read_text()
    lydian("run", "--protocol", "echo", "--network", "ring:5", "--html", "ring.html")
    assert "lydian://" not in Path("ring.html").read_text().partition("<script")[0]
