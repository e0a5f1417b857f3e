"""A protocol with a planted bug is read once for all of its runs, as those of the archive always are.

``tests/model`` and ``tests/batch`` test that a changed file is read again and that runs share nothing; a protocol that
carried something from one run to the next would be all the more certain to fail here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lydian.model.archive.archive import Archive
from lydian.model.protocol.folder import stamp
from lydian.model.protocol.protocol import Protocol


@pytest.fixture(scope="module", autouse=True)
def protocols_are_read_once() -> Iterator[None]:
    read, known = Archive.protocol, {}

    def protocol(self: Archive, ref: str | Path) -> Protocol:
        path = self.find("protocols", ref)
        key = path, stamp(path)
        if key not in known:
            known[key] = read(self, ref)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Archive, "protocol", protocol)
        yield
