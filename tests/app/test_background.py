"""Long work in the background: it reports progress, can be cancelled, and leaves no thread behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from lydian.app.work.background import Background, Report
from lydian.model.errors import BadInput


@pytest.fixture
def background(qtbot: QtBot) -> Iterator[Background]:
    background = Background()
    yield background
    background.close()
    background.deleteLater()


def test_progress_and_result_are_reported(background: Background, qtbot: QtBot) -> None:
    shares: list[float] = []
    background.progress.connect(shares.append)

    def work(report: Report) -> int:
        for i in range(1000):
            report(i / 1000)
        return 42

    with qtbot.waitSignal(background.done) as blocker:
        background.start(work)
    assert blocker.args == [42]
    assert shares == sorted(shares)
    assert 1 < len(shares) <= 100
    assert not background.busy


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BadInput("there is no process", file="x.gml"), "x.gml: there is no process"),
        (MemoryError(), "There is not enough memory."),
        (ZeroDivisionError("oh"), "Error inside LYDIAN (ZeroDivisionError: oh)."),
    ],
)
def test_a_failure_is_reported_in_one_sentence(
    background: Background, qtbot: QtBot, error: Exception, sentence: str
) -> None:
    def work(_report: Report) -> None:
        raise error

    with qtbot.waitSignal(background.failed) as blocker:
        background.start(work)
    assert blocker.args == [sentence]


def test_cancelled_work_ends_and_reports_nothing(background: Background, qtbot: QtBot) -> None:
    told: list[object] = []
    background.done.connect(told.append)
    background.failed.connect(told.append)
    begun, ended = threading.Event(), threading.Event()

    def work(report: Report) -> None:
        begun.set()
        try:
            while True:
                report(0.5)
        finally:
            ended.set()

    background.start(work)
    assert begun.wait(5)
    with qtbot.waitSignal(background.ended):
        background.cancel()
    assert ended.wait(5)
    qtbot.wait(10)
    assert told == []


def test_new_work_replaces_the_old(background: Background, qtbot: QtBot) -> None:
    def endless(report: Report) -> str:
        while True:
            report(0.0)

    background.start(endless)
    with qtbot.waitSignal(background.done) as blocker:
        background.start(lambda _report: "new")
    assert blocker.args == ["new"]
