"""``lydian watch``: events are printed as they arrive, and recorded."""

from __future__ import annotations

from pathlib import Path

from lydian.trace.parquet.file import load
from tests.formats.test_structured import HISTORY
from tests.watching.test_watching import CLOCKS

SPEC = """\
from lydian import always

@always("nothing is read before it is written")
def read(c):
    return all(each.result is None for each in c.history if each.name == "read")
"""


def test_a_file_is_watched_judged_and_recorded(lydian, tmp_path):
    Path("history.edn").write_text(HISTORY)
    Path("spec.py").write_text(SPEC)
    words = ("--check", "spec.py", "--events", "7", "--trace", "out.parquet")
    said = lydian("watch", "history.edn", *words)
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[1].split()[:3] == ["1", "0.0020", "1"]
    assert "  ✗ nothing is read before it is written: event 3, time 0.004" in lines
    assert lines[-2:] == ["3 hosts, 7 events", "out.parquet"]
    assert len(load(Path("out.parquet"))) == 7 and load(Path("out.parquet")).summary["checks"][0]["at"] == 3


def test_unusable_lines_and_sources_are_reported(lydian, tmp_path):
    Path("servers.log").write_text("nonsense\n" + CLOCKS)
    said = lydian("watch", "servers.log", "--events", "3")
    assert said.code == 0 and said.err.startswith("lydian: line 1: a host and its clock were expected")
    assert lydian("watch", "none.log").code == 2
    assert lydian("watch", "http://10.0.0.1:80").code == 2
    assert lydian("watch", "servers.log", "--format", "clock").code == 2
