"""Arrow and Parquet, loaded without pandas.

The first array that pyarrow makes asks whether what it was given is a pandas object, and loads pandas for that if it
is installed: 0.3 seconds of each run's process, for nothing.  Here the question is put while pandas cannot be found;
pyarrow remembers the answer.  Whoever wants tables of pandas afterwards gets them (``to_pandas`` looks again).
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["pa", "pq"]


class _NoPandas(MetaPathFinder):
    """Finds everything but pandas."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not wanted here", name=fullname)
        return None


if "pandas" not in sys.modules:
    _finder = _NoPandas()
    sys.meta_path.insert(0, _finder)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_finder)
