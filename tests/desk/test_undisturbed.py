"""How far a run that failed would have gone without its faults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lydian.desk.runs import undisturbed
from lydian.desk.runs.undisturbed import Undisturbed, disturbed
from lydian.model.archive.archive import archive
from tests.archive.ran import once
from tests.desk.inprocess import InProcess

ARCHIVE = archive()


class Looking:
    """A search for the end of a run without faults, and the times that it announced."""

    def __init__(self, folder: Path) -> None:
        self.loop, self.trace = InProcess(), folder / "trace.parquet"
        self.undisturbed = Undisturbed(self.loop)
        self.said: list[float | None] = []
        self.undisturbed.changed.connect(self._note)

    def _note(self) -> None:
        self.said.append(self.undisturbed.end)

    def look(self, name: str, events: int = 1000) -> float | None:
        self.undisturbed.look(ARCHIVE.experiment(name), events, self.trace, None)
        assert self.undisturbed.asked
        self.loop.until(lambda: not self.undisturbed.busy)
        return self.undisturbed.end


@pytest.fixture
def looking(tmp_path: Path) -> Iterator[Looking]:
    made = Looking(tmp_path)
    yield made
    made.undisturbed.close()
    made.loop.close()


def test_the_same_run_without_its_crash_ends_later(looking: Looking) -> None:
    _, result = once(ARCHIVE.experiment("echo-crash"))
    _, sound = once(ARCHIVE.experiment("two-wings"))
    assert looking.look("echo-crash") == looking.said[-1] == sound.time > result.time
    looking.undisturbed.forget()
    assert looking.said == [sound.time, None] and not looking.undisturbed.asked


def test_nothing_is_run_without_faults_or_found_if_the_run_fails_all_the_same(looking: Looking) -> None:
    assert not disturbed(ARCHIVE.experiment("causal-broadcast-none"))
    assert looking.look("causal-broadcast-none") is None and not looking.loop.children
    (crash,) = ARCHIVE.experiment("echo-crash").faults
    late = replace(crash, time=1000.0, keys={"process": "5"})
    failing = ARCHIVE.experiment("causal-broadcast-none").with_(faults=(late,))
    assert disturbed(failing)
    looking.undisturbed.look(failing, 1000, looking.trace, None)
    looking.loop.until(lambda: not looking.undisturbed.busy)
    assert looking.loop.children and looking.trace.exists() and looking.said == []


def test_a_run_that_goes_on_and_on_is_given_up(looking: Looking, monkeypatch: pytest.MonkeyPatch) -> None:
    from lydian.engine import wire

    monkeypatch.setattr(undisturbed, "MORE", 50)
    looking.undisturbed.look(ARCHIVE.experiment("echo-crash"), 0, looking.trace, None)
    looking.undisturbed._heard(wire.Progress({"events": 51}))
    assert not looking.undisturbed.busy and looking.said == []
