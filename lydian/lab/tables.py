"""What every result is that has rows: a table for pyarrow, pandas, polars and whatever else reads Arrow."""

from __future__ import annotations

from typing import Any

__all__ = ["Tabular"]


class Tabular:
    """Something whose :meth:`table` is a table of pyarrow, which other libraries take as it is."""

    def table(self) -> Any:
        """Return the rows as a table of pyarrow."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return the rows as a data frame of pandas.

        Raises:
            LydianError: pandas is not installed.
        """
        try:
            import pandas  # noqa: F401
        except ImportError:
            from lydian.model.errors import BadInput

            raise BadInput("pandas is not installed; pip install pandas, or use table(), which needs none") from None
        return self.table().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows through the PyCapsule interface of Arrow."""
        return self.table().__arrow_c_stream__(requested_schema)

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """Return the rows through the interchange protocol of data frames."""
        return self.table().__dataframe__(nan_as_null, allow_copy)
