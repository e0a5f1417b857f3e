"""The labels of the network hide nothing, in all experiments of the archive and at the sizes of two windows.

Everything is compared as arrays of boxes and segments; nothing is painted.
"""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.network.linklayer import segments_of
from lydian.app.painters.network.tags import ground_of
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.fit import crossed, overlapped
from lydian.views.network.labels import Floats, leader
from tests.archive.ran import ARCHIVE, once

pytestmark = pytest.mark.usefixtures("qapp")

#: The view of the network in a window of 1280x720 and of 1920x1080, with the layout Watch.
SIZES = ((1266, 405), (1235, 764))
#: Experiments with lines, values, delays, queues, tokens, bars, arcs, crashes, and places on a circle.
QUICK = (
    "echo-corrupt-parent", "raft-partition", "chandy-misra", "paxos", "byzantine-generals", "flooding-grid",
    "echo-crash", "chord-scribe", "causal-delivery",
)  # fmt: skip
#: Kinds of label that touch their process; all others are apart from everything.
TOUCHING = ("bar", "token", "corner")


def names() -> list[object]:
    """Return the experiments of the archive; `make test-all` alone looks at those that are not in :data:`QUICK`."""
    return [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.exhaustive)
        for name in ARCHIVE.names("experiments")
    ]


def rows(boxes: list[QRectF]) -> Floats:
    return np.array([(box.left(), box.top(), box.right(), box.bottom()) for box in boxes]).reshape(-1, 4)


@pytest.mark.parametrize("name", names())
def test_no_label_overlaps_a_label_a_process_a_link_or_an_arrow(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    timeline = Timeline(result.trace)
    for size in SIZES:
        painter, rect = BasicPainter(Theme("light")), QRectF(0, 0, *size)
        frame = basic.frame(timeline, 0.8 * timeline.end)
        rest = painter._placed(rect, frame, None)
        m, legend = rest[0].rest or rest[0], rest[1]
        places = painter._tags.places(m, frame, painter._taken(m, legend, frame))
        boxes, taken = rows(list(places.values())), rows(list(painter._taken(m, legend, frame)))
        # no label overlaps another, the legend or a weight, or leaves the view
        assert np.argwhere(np.triu(overlapped(boxes, boxes), 1)).tolist() == []
        assert not overlapped(boxes, taken).any()
        assert (boxes[:, :2] >= 0).all() and (boxes[:, 2:] <= size).all()
        shapes = np.hstack((m.points - m.d / 2, m.points + m.d / 2))[m.visible]
        ground = ground_of(m, frame)
        for (what, number), box in zip(places, boxes, strict=True):
            if what in TOUCHING:
                assert not overlapped(box[None], np.delete(shapes, number, axis=0)).any(), (what, number)
                continue
            assert not overlapped(box[None], shapes).any(), (what, number)
            hit = set(np.flatnonzero(crossed(box[None], ground.segments)[0]).tolist())
            assert hit <= ({number} if what == "chip" else set()), (what, number)
            line = None if what == "chip" else leader(m.points[number], m.half, box)
            if line is not None:
                assert not crossed(np.delete(shapes, number, axis=0), line[None]).any(), (what, number)
                others = [other for other, key in zip(boxes, places, strict=True) if key != (what, number)]
                assert not crossed(np.array(others).reshape(-1, 4), line[None]).any(), (what, number)
        # the legend covers nothing, and all labels stand still
        if legend.shown and m.level == "full":
            card = rows([legend.card])
            assert not overlapped(card, shapes).any()
            assert not legend.corner or not crossed(card, segments_of(m, frame)).any()
        assert (
            painter._tags.places(m, basic.frame(timeline, 0.3 * timeline.end), painter._taken(m, legend, frame))
            == places
        )
