"""Verdicts on properties over time."""

from __future__ import annotations

import pytest

from lydian.views.words.verdicts import concerned, stretches, verdict
from tests.views.others.test_clocks import chatter

TIMELINE = chatter(3, [(0, 1, 0), (1, 2, 0), (0, 1, 0)])
LAST = TIMELINE.length


@pytest.mark.parametrize(
    ("check", "states"),
    [
        ({"kind": "always", "holds": True, "at": None}, (True, True)),
        ({"kind": "always", "holds": False, "at": 3}, (True, False)),
        ({"kind": "eventually", "holds": True, "at": 3}, (None, True)),
        ({"kind": "eventually", "holds": False, "at": None}, (None, False)),
        ({"kind": "at_end", "holds": True, "at": LAST - 1}, (None, True)),
        ({"kind": "messages", "holds": False, "at": None}, (None, False)),
    ],
)
def test_a_strip_matches_the_verdicts(check: dict[str, object], states: tuple[bool | None, ...]) -> None:
    strip = stretches(check, TIMELINE)
    assert tuple(each.state for each in strip) == states
    assert (strip[0].start, strip[-1].end) == (0.0, TIMELINE.end) and strip[0].end == strip[1].start
    assert verdict(check, LAST, LAST) == states[-1]
    for position in range(1, LAST):
        now = float(TIMELINE.time[position - 1])
        if now < strip[1].start:
            assert verdict(check, position, LAST) == states[0]


def test_only_a_violation_names_a_process() -> None:
    event = 3
    whom = {int(TIMELINE.process[event]), int(TIMELINE.peer[event])} - {-1}
    assert concerned({"kind": "always", "holds": False, "at": event}, TIMELINE) == whom
    for other in ({"kind": "always", "holds": True, "at": None}, {"kind": "at_end", "holds": False, "at": event}):
        assert concerned(other, TIMELINE) == frozenset()
