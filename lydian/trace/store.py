"""The rows of a trace, column by column, and columns that are looked up in other columns.

Ten million events shall take less than 100 bytes each in the open application, all indexes included.  So a column is
stored once: what a file holds is read into :class:`Columns`, which the timeline uses as they are, and what follows
from columns by an index (the sender of a message is the process of the event that sent it) is a :class:`Picked`,
which stores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

__all__ = ["Columns", "Picked"]


class Columns:
    """Rows as one contiguous array a column; read like a structured array, but for less memory and copying.

    ``columns["time"]`` is the column itself, ``columns[7]`` a row, ``columns[3:9]`` or any other index an array of
    packed rows, a copy.

    Args:
        columns: name -> array, all of the same length, in the order and of the types of ``dtype``.
        dtype: the structured type of a packed row.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]], dtype: np.dtype[np.void]) -> None:
        self.dtype = dtype
        self._columns = {name: np.ascontiguousarray(columns[name], dtype=dtype[name]) for name in dtype.names or ()}
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")
        self._length = lengths.pop() if lengths else 0

    @classmethod
    def of(cls, rows: NDArray[np.void]) -> Columns:
        """Packed rows, unpacked."""
        return cls({name: rows[name] for name in rows.dtype.names or ()}, rows.dtype)

    def __len__(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        """Memory that the columns take."""
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
        """The rows as tuples of Python's own numbers."""
        rows: list[Any] = self[:].tolist()
        return rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        packed: NDArray[Any] = self[:]
        return packed if dtype is None else packed.astype(dtype)


class Picked(NDArrayOperatorsMixin):
    """``column[rows]`` with ``null`` where there is no row: an array that is looked up when it is asked for.

    It takes indexes of all kinds, numpy's functions and operators like the array it stands for, but stores nothing;
    a question about all of it makes the array for that one answer.

    Args:
        column: what is looked up; it is kept, not copied.
        rows: where each entry stands in it, -1 where there is none.
        null: the entry there; an array has one for each.
        dtype: of the entries, the column's own by default.
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
        """Memory that it takes of its own: none."""
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
        """Whatever else an array can do, done by the array it stands for."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self[:], name)

    def __repr__(self) -> str:
        return f"Picked({self[:]!r})"
