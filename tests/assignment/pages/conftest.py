from pathlib import Path

import pytest

from tests.assignment.pages.classroom import MISTAKES, run_with


@pytest.fixture(scope="session")
def graded(tmp_path_factory) -> Path:
    """Return the output folder of a grading with the runs that show the planted mistakes."""
    folder = tmp_path_factory.mktemp("graded")
    for mistake in MISTAKES:
        path = folder / "runs" / mistake.alike / f"{mistake.check}.lydian"
        path.parent.mkdir(parents=True)
        run_with(mistake, path)
    return folder
