"""How the benchmarks measure and report.

Machines are shared and noisy, so variants are interleaved in one run and compared with each other. The results are
ratios to a competitor or, if there is none, to a yardstick (tests/benchmarks/yardstick.py). No benchmark demands
milliseconds; they are reported beside the ratio. :class:`Report` collects the lines; the last table of ``make bench``
shows them beside the numbers in ``reference.json``, which ``make bench ARGS=--remember`` rewrites.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.yardstick import Clock, measured

REFERENCE = Path(__file__).with_name("reference.json")
_lines: dict[str, tuple[float, str, str]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--remember", action="store_true", help="write the measured figures to reference.json")


class Report:
    """Collects the numbers of a benchmark: a name, a value, its unit, and its requirement in words."""

    def add(self, name: str, value: float, unit: str = "", demanded: str = "") -> None:
        _lines[name] = (value, unit, demanded)

    def within(self, name: str, seconds: float, kind: str, most: float, *, clock: Clock = time.perf_counter) -> None:
        """Add a time in milliseconds, which must be at most a given multiple of a yardstick measured now.

        Args:
            kind: the yardstick, as in :data:`tests.benchmarks.yardstick.KINDS`.
            clock: the clock by which the time and the yardstick are measured.
        """
        ratio = seconds / measured(kind, clock)
        self.add(name, seconds * 1000, "ms")
        self.add(f"{name}, to the yardstick '{kind}'", ratio, "", f"at most {most:g}")
        assert ratio <= most, f"{name}: {seconds * 1000:.1f} ms is {ratio:.2f} times '{kind}', at most {most:g} allowed"


@pytest.fixture
def report() -> Report:
    return Report()


def interleaved(variants: dict[str, Callable[[], Callable[[], Any]]], repetitions: int = 7) -> dict[str, float]:
    """Return the median CPU seconds of each variant; they take turns, so that a busy moment affects all of them.

    Args:
        variants: name -> function that prepares a run (not timed) and returns the function to time.
    """
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(repetitions):
        for name, prepare in variants.items():
            timed = prepare()
            gc.collect()
            start = time.process_time()
            timed()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(found) for name, found in times.items()}


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not _lines:
        return
    known = json.loads(REFERENCE.read_text()) if REFERENCE.exists() else {}
    terminalreporter.section("measured")
    width = max(map(len, _lines))
    for name, (value, unit, demanded) in _lines.items():
        before = f"   (reference {known[name]:.4g})" if name in known else ""
        terminalreporter.write_line(f"{name:<{width}}  {value:10.4g} {unit:<8} {demanded:<24}{before}")
    if config.getoption("--remember"):
        figures = {**known, **{name: float(f"{value:.4g}") for name, (value, _, _) in _lines.items()}}
        REFERENCE.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")
