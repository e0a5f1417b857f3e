"""Examples at each commit, everything in `make test-all`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

__all__ = ["some"]


def some(values: Sequence[Any], count: int) -> list[Any]:
    """Return values as parameters of a test; all but ``count``, evenly spaced, are marked exhaustive."""
    chosen = {number * len(values) // count for number in range(count)}
    return [
        value if number in chosen else pytest.param(value, marks=pytest.mark.exhaustive)
        for number, value in enumerate(values)
    ]
