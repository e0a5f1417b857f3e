"""The students' package contains the properties and measures of public checks, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.assignment.assignment import Assignment, read
from lydian.assignment.package import published
from lydian.model.protocol.protocol import properties_from_source

TITLE = 'title = "Two bells"\nhand_in = ["bells.py"]\n'
PROPERTIES = '''"""Bells."""

from lydian import always, at_end, measure


def ringing(p):
    return p.state == "ringing"


@always("at most one rings")
def one(c):
    return sum(map(ringing, c.processes)) <= 1


@at_end("some bell has rung")
def some(c):
    return any(map(ringing, c.processes))


@measure("rung")
def rung(c):
    return sum(map(ringing, c.processes))


@measure("silent")
def silent(c):
    return c.n
'''


def written(folder: Path, *checks: str) -> Assignment:
    texts = [f'[[check]]\nid = "c{i}"\ntitle = "t"\npoints = 1\n{check}\n' for i, check in enumerate(checks)]
    (folder / "lecturer").mkdir()
    (folder / "lecturer" / "properties.py").write_text(PROPERTIES, encoding="utf-8")
    (folder / "assignment.toml").write_text(TITLE + "".join(texts), encoding="utf-8")
    return read(folder)


def names(source: str) -> list[str]:
    properties, measures = properties_from_source(source)
    return [each.name for each in (*properties, *measures)]


@pytest.mark.parametrize(
    ("checks", "kept"),
    [
        (('kind = "property"\nproperties = ["some bell has rung"]',), ["some bell has rung"]),
        (('kind = "schedules"\nproperties = ["at most one rings"]', 'kind = "property"\nhidden = true'),
         ["at most one rings"]),
        (('kind = "property"',), ["at most one rings", "some bell has rung", "rung", "silent"]),
        (('kind = "scenario"\nexpect = { holds = ["some bell has rung"] }',), ["some bell has rung"]),
        (('kind = "formula"\nmeasure = "own.rung"\nformula = "n"',), ["rung"]),
        (('kind = "runs"',), []),
    ],
)  # fmt: skip
def test_only_what_public_checks_name_is_given_to_students(tmp_path, checks, kept):
    found = published(written(tmp_path, *checks))
    assert names(found) == kept
    assert "def ringing(p):" in found  # a function that properties call
    assert "\n\n\n\n" not in found
