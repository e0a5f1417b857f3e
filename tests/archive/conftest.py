"""The archive's protocols are read once for all tests of a module here, not once for each of some thousand runs.

That a file is read anew when it has changed, and that runs have nothing in common, is tested in ``tests/model`` and
``tests/batch``; a protocol that kept something from one run to the next would fail here the more surely.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lydian.model.archive import Archive
from lydian.model.protocol import Protocol

OURS = Path(__file__).resolve().parents[2] / "protocols"


@pytest.fixture(scope="module", autouse=True)
def protocols_are_read_once() -> Iterator[None]:
    read, known = Archive.protocol, {}

    def protocol(self: Archive, ref: str | Path) -> Protocol:
        path = Path(self.find("protocols", ref))
        if not path.is_relative_to(OURS):  # a test's own, or a planted bug
            return read(self, ref)
        if path not in known:
            known[path] = read(self, ref)
        return known[path]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Archive, "protocol", protocol)
        yield
