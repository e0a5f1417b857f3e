"""Labels in space never overlap."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lydian.views.world.labels import kept

BOXES = st.lists(st.tuples(*[st.floats(-100, 400)] * 2, st.floats(1, 150), st.floats(1, 40)), max_size=40)


@given(BOXES)
def test_labels_never_overlap_and_a_dropped_one_would(rows: list[tuple[float, ...]]) -> None:
    boxes = np.array([(x, y, x + wide, y + tall) for x, y, wide, tall in rows]).reshape(-1, 4)
    left = kept(boxes)

    def overlaps(a: int, b: int) -> bool:
        (l1, t1, r1, b1), (l2, t2, r2, b2) = boxes[a], boxes[b]
        return bool(l1 < r2 and l2 < r1 and t1 < b2 and t2 < b1)

    assert not any(overlaps(a, b) for a in left for b in left if a < b)
    assert np.all(np.diff(left) > 0)
    for dropped in set(range(len(boxes))) - set(left.tolist()):
        assert any(overlaps(dropped, nearer) for nearer in left if nearer < dropped)


def test_only_so_many_labels_remain():
    boxes = np.array([(100.0 * i, 0, 100 * i + 50, 10) for i in range(9)])
    assert kept(boxes, 4).tolist() == [0, 1, 2, 3]
