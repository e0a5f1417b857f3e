"""Arrow and Parquet, loaded without pandas.

When pyarrow creates its first array, it checks whether the argument is a pandas object, and loads pandas for this if it
is installed. This would add 0.3 seconds to each run, which has a process of its own. Here the check is made while
pandas cannot be found, and pyarrow caches the result. ``to_pandas`` still works later, as it checks again.
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
    """A finder that hides pandas and leaves all other modules to the next finder."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is hidden while pyarrow is loaded", name=fullname)
        return None


if "pandas" not in sys.modules:
    _finder = _NoPandas()
    sys.meta_path.insert(0, _finder)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_finder)
