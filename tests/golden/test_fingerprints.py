"""A refactoring that changes an execution changes a line of ``fingerprints.txt``.

Each line contains an experiment of the archive, its numbers of events and messages, and its fingerprint. Change a line
only on purpose, and give the reason in the changelog: ``python -m tests.golden.test_fingerprints`` rewrites the table.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.archive.ran import outcome, sparing

TABLE = Path(__file__).with_name("fingerprints.txt")
ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = sorted(path.stem for path in (ROOT / "resources" / "experiments").glob("*.toml"))


def line(name: str) -> str:
    ran = outcome(name)
    return f"{name:24} {ran.events:6} {ran.messages:6} {ran.fingerprint}"


def known() -> dict[str, str]:
    return {text.split()[0]: text for text in TABLE.read_text().splitlines() if text and not text.startswith("#")}


@pytest.mark.parametrize("name", sparing(EXPERIMENTS))
def test_the_execution_has_the_recorded_fingerprint(name: str) -> None:
    assert line(name) == known().get(name, f"{name} is not in {TABLE.name}")


def test_every_line_has_its_experiment() -> None:
    assert sorted(known()) == EXPERIMENTS


if __name__ == "__main__":
    TABLE.write_text(
        "# experiment            events messages fingerprint\n" + "".join(line(e) + "\n" for e in EXPERIMENTS)
    )
