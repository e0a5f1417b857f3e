"""Ten million events in the open application: memory, first picture, seeking, scrolling, responsiveness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lydian.trace.parquet.file import save
from tests.benchmarks.conftest import Report
from tests.benchmarks.test_spacetime import synthetic

ROOT = Path(__file__).resolve().parents[2]
EVENTS, PROCESSES = 10_000_000, 200


@pytest.mark.skipif(sys.platform != "linux", reason="reads its memory from /proc")
def test_ten_million_events_in_the_window(tmp_path: Path, report: Report) -> None:
    file = tmp_path / "ten-million.parquet"
    save(synthetic(EVENTS, PROCESSES), file)
    home = str(tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.application", str(file)],
        check=True, capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "LYDIAN_HOME": home},
    )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["events"] == EVENTS
    assert found["messages"] == EVENTS // 2
    assert found["views"] >= 5
    name = f"window with {EVENTS:,} events"
    report.add(f"{name}: memory, opened", found["opened"], "bytes/event", "under 100")
    report.add(f"{name}: memory, everything used", found["used"], "bytes/event", "under 100")
    assert 100_000 < found["beginning"] < EVENTS
    report.add(f"{name}: until the first picture, of its beginning", found["first"], "s", "below 3")
    report.add(f"{name}: the same, CPU", found["cpu"], "s")
    report.add(f"{name}: until the whole run can be seen", found["whole"], "s")
    report.add(f"{name}: seek, five views, 95 %", found["seek"]["p95"], "ms", "below 33 on a quiet machine")
    report.add(f"{name}: scroll, five views, median", found["scroll"]["p50"], "ms")
    report.add(f"{name}: scroll, five views, 95 %", found["scroll"]["p95"], "ms")
    assert found["progress"] > 20
    assert found["opened"] < 100
    assert found["used"] < 100
    report.within(
        f"{name}: longest gap while it opens", found["gap"] / 1000, "painting", 8
    )  # one gap in a run of seconds
    report.within(f"{name}: seek, five views, median", found["seek"]["p50"] / 1000, "painting", 1.2)
    report.within(f"{name}: past and future of an event", found["selected"] / 1000, "arrays", 30)
