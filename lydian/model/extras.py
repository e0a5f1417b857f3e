"""The packages that ``pip install lydian`` does not bring, and the extras that do: ``app``, ``layouts``, ``sound``,
``movies``, ``spark``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lydian.model.errors import BadInput

__all__ = ["extra"]


@contextlib.contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Turn an import that fails in the block into one sentence that says what to install.

    Args:
        name: the extra that provides the package.
        what: what cannot be done without it, with its verb, such as ``a movie needs PyAV``.

    Raises:
        BadInput: a package cannot be imported.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or str(error)).partition(".")[0]
        raise BadInput(f'{what} ({package} is not installed); pip install "lydian[{name}]"') from None
