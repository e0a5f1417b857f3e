"""The command line called in this process, in an empty folder, without any user's archive."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from lydian.cli import main


class Said(NamedTuple):
    """The result of a command: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def archive_is_read_once(one_catalogue):
    """Let commands that list the archive read it once for all tests."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Change to an empty folder in which the command runs."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    root = str(Path(__file__).resolve().parents[2])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lydian(here, capsys):
    """Return a function that calls ``lydian`` with arguments."""

    def call(*arguments):
        code = main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call
