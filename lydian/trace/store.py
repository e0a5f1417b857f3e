"""The rows of a trace, column by column, and columns that are looked up in other columns.

In the open application, each of ten million events must take less than 100 bytes, including all indexes. So every
column is stored only once: the contents of a file are read into :class:`Columns`, which the timeline uses directly, and
a column that follows from others by an index (the sender of a message is the process of the event that sent it) is a
:class:`Picked`, which stores nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

__all__ = ["Columns", "Picked"]


class Columns:
    """Rows stored as one contiguous array per column; read like a structured array, but with less memory and copying.

    ``columns["time"]`` is the column itself, ``columns[7]`` is a row, and ``columns[3:9]``, as with any other index, is
    an array of packed rows, which is a copy.

    Args:
        columns: name -> array, all of the same length, in the order and of the types of ``dtype``.
        dtype: the structured type of a packed row.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]], dtype: np.dtype[np.void]) -> None:
        self.dtype = dtype
        self._columns = {name: np.ascontiguousarray(columns[name], dtype=dtype[name]) for name in dtype.names or ()}
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}; they must have the same length")
        self._length = lengths.pop() if lengths else 0

    @classmethod
    def of(cls, rows: NDArray[np.void]) -> Columns:
        """Return packed rows as columns."""
        return cls({name: rows[name] for name in rows.dtype.names or ()}, rows.dtype)

    def __len__(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        """The memory that the columns take, in bytes."""
        return sum(column.nbytes for column in self._columns.values())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            return self._columns[index]
        parts = {name: column[index] for name, column in self._columns.items()}
        packed = np.empty(np.shape(next(iter(parts.values()))), dtype=self.dtype)
        for name, part in parts.items():
            packed[name] = part
        return packed[()]

    def tolist(self) -> list[Any]:
        """Return the rows as tuples of plain Python numbers."""
        rows: list[Any] = self[:].tolist()
        return rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        packed: NDArray[Any] = self[:]
        return packed if dtype is None else packed.astype(dtype)


class Picked(NDArrayOperatorsMixin):
    """The array ``column[rows]``, with ``null`` where there is no row, which is looked up only when it is needed.

    It supports all kinds of index, numpy's functions and the operators, like the array that it represents, but stores
    nothing; an operation on all of it creates the array for that one operation.

    Args:
        column: the column that is looked up; it is kept, not copied.
        rows: the row in the column for each entry, -1 if there is none.
        null: the value of the entries without a row; an array has one value for each entry.
        dtype: the type of the entries, by default that of the column.
    """

    __slots__ = ("_column", "_missing", "_null", "_rows", "dtype")

    def __init__(self, column: Any, rows: NDArray[Any], null: Any, dtype: Any = None) -> None:
        self._column, self._rows, self._null = column, rows, null
        self.dtype = np.dtype(column.dtype if dtype is None else dtype)
        self._missing = bool((rows < 0).any())

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._rows.shape

    @property
    def size(self) -> int:
        return self._rows.size

    @property
    def ndim(self) -> int:
        return 1

    @property
    def nbytes(self) -> int:
        """The memory that it takes itself: none."""
        return 0

    def __getitem__(self, index: Any) -> Any:
        rows = self._rows[index]
        if not self._missing:
            found = self._column[rows]
            return found.astype(self.dtype, copy=False)
        if not len(self._column):
            found = np.zeros(np.shape(rows), dtype=self.dtype)
        else:
            found = np.asarray(self._column[rows]).astype(self.dtype)
        null = self._null[index] if isinstance(self._null, np.ndarray | Picked) else self._null
        return np.where(rows < 0, null, found).astype(self.dtype, copy=False)[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        whole: NDArray[Any] = self[:]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        plain = [value[:] if isinstance(value, Picked) else value for value in inputs]
        return getattr(ufunc, method)(*plain, **keywords)

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of an array from the array that this object represents."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self[:], name)

    def __repr__(self) -> str:
        return f"Picked({self[:]!r})"
