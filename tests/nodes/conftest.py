"""Runs of small programs, and a look at what they leave behind."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest

from lydian.nodes import program
from lydian.nodes.run import Run


@pytest.fixture
def carry_out(monkeypatch):
    """Return a function that carries out a plan and returns the run; afterwards nothing may be left of it."""
    marks, before = [], set(threading.enumerate())
    start = program.Program.start

    async def marked(self, command, mark, memory, processes):
        marks.append(mark)
        await start(self, command, mark, memory, processes)

    monkeypatch.setattr(program.Program, "start", marked)

    def call(plan, during=None):
        run = Run(plan)

        async def both():
            work = asyncio.ensure_future(run.main())
            if during is not None:
                await during(run)
            await work
            assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

        asyncio.run(both())
        run.found = run.result()
        return run

    yield call
    assert [number for mark in set(marks) for number in program.leftovers(mark)] == []
    for thread in set(threading.enumerate()) - before:  # asyncio's, which have just reported the end of a program
        thread.join(30)
    assert set(threading.enumerate()) <= before


@pytest.fixture
def script(tmp_path):
    """Return a function that writes a Python program and returns the command that runs it."""

    def call(text, name="program.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return sys.executable, str(path)

    return call
