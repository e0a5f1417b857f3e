"""The knowledge view as data: which processes know of which others, in numbers and sentences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.views.others import knowledge
from lydian.views.others.knowledge import PairHit, explain, frame
from lydian.views.selection import Hit, Selection
from tests.desk.test_playhead import echo_run, run
from tests.views.others.test_clocks import SENDS, chatter


def test_initially_each_process_knows_only_itself() -> None:
    timeline = echo_run()
    seen = frame(timeline, -1.0)
    assert (seen.known == np.eye(timeline.n, dtype=bool)).all()
    assert seen.title == "12 of 144 pairs: no process has heard of another yet"
    assert seen.everybody is None and seen.fresh is None and seen.coming is None


def test_the_title_names_the_process_that_knows_most() -> None:
    # 0 -> 1 -> 2 -> 3, then 3 sends to all
    timeline = chatter(4, [(0, 1, 0), (1, 2, 0), (2, 3, 0), (3, 0, 0), (3, 1, 0), (3, 2, 0)])
    titles = [frame(timeline, t).title for t in (0.5, 1.5, 2.5, 5.5)]
    assert titles == [
        "5 of 16 pairs: 1 knows of the most processes (2)",
        "7 of 16 pairs: 2 knows of the most processes (3)",
        "10 of 16 pairs: 3 knows of the most processes (4)",
        "16 of 16 pairs: every process knows of every other since 5.50",
    ]
    assert frame(timeline, 5.4).everybody is None
    assert frame(timeline, 9.0).everybody == 5.5


def test_ties_for_the_most_are_named_or_counted() -> None:
    counts = np.array([2, 2, 1, 2])
    assert (
        knowledge.summary(("a", "b", "c", "d"), counts, None)
        == "7 of 16 pairs: a, b and d know of the most processes (2 each)"
    )
    names = tuple("abcdef")
    assert (
        knowledge.summary(names, np.array([3, 3, 3, 3, 1, 1]), None)
        == "14 of 36 pairs: 4 processes know of the most processes (3 each)"
    )


def test_a_cell_is_explained() -> None:
    timeline = chatter(4, [(0, 1, 0), (1, 2, 0), (0, 1, 0), (2, 3, 5)])
    seen = frame(timeline, 4.0)
    assert explain(seen, 2, 0) == [
        "2 knows of 0 since 1.50, through 1",
        "the path was 0 → 1 → 2",
        "it knows what 0 did up to 0.00 (Lamport time 0)",
    ]
    assert explain(seen, 1, 0) == [
        "1 knows of 0 since 0.50, directly",
        "it knows what 0 did up to 2.00 (Lamport time 0)",
    ]
    assert explain(seen, 3, 0) == ["3 has not heard of 0 yet", "a message that could inform it is in transit"]
    assert explain(seen, 0, 3) == ["0 never hears of 3 in this execution"]
    assert explain(seen, 2, 2) == ["2 knows of 3 of 4 processes, itself included", "0 others have heard of it"]
    assert explain(frame(timeline, 4.0, future=False), 0, 3) == ["0 has not heard of 3 yet"]


def test_information_in_transit_fills_its_cells_gradually() -> None:
    timeline = chatter(2, [(0, 1, 3)])
    shares = []
    for t in (0.0, 0.875, 1.75, 3.5):
        coming = frame(timeline, t).coming
        shares.append(None if coming is None else float(coming[1, 0]))
    assert shares == [0.0, 0.25, 0.5, None]
    fresh = [frame(timeline, t).fresh for t in (3.4, 3.5, 4.55, 5.7)]
    assert [None if f is None else round(float(f[1, 0]), 3) for f in fresh] == [None, 1.0, 0.5, None]


def test_shades() -> None:
    timeline = chatter(3, [(0, 1, 0), (2, 1, 0), (0, 1, 3)])
    recent = frame(timeline, 2.0)
    assert recent.strength[1, 0] == 0.0 and recent.strength[1, 2] == 0.5
    assert frame(timeline, 2.0, shade="first").strength[1, 0] == 0.25
    assert frame(timeline, 9.0).strength[1, 0] == pytest.approx(2 / 5.5)


def test_selection_and_pointer_mark_rows_and_columns() -> None:
    timeline = chatter(4, [(0, 1, 0), (1, 2, 0)])
    seen = frame(timeline, 9.0, Selection(processes=frozenset((2, 99)), event=3), hover=PairHit("process", 2, 0))
    assert seen.selected.tolist() == [False, False, True, False]
    assert seen.hover == (2, 0)
    assert seen.taught is not None and np.argwhere(seen.taught).tolist() == [[2, 0], [2, 1]]
    assert frame(timeline, 9.0, hover=Hit("process", 1)).hover == (1, 1)
    assert frame(timeline, 9.0, hover=Hit("link", (0, 1))).hover == (-1, -1)


def test_orders_group_what_is_known_together() -> None:
    timeline = echo_run()
    plain = frame(timeline, 5.0)
    for sort in ("knows", "known"):
        seen = frame(timeline, 5.0, sort=sort)
        assert sorted(seen.processes.tolist()) == list(range(timeline.n))
        assert (seen.known == plain.known[np.ix_(seen.processes, seen.processes)]).all()
        assert seen.names == tuple(timeline.processes[p] for p in seen.processes)
        assert (frame(timeline, 8.0, sort=sort).processes == seen.processes).all()


def test_unknown_words_and_too_many_processes() -> None:
    with pytest.raises(BadInput, match="unknown sort 'knowz'"):
        frame(echo_run(), 1.0, sort="knowz")
    with pytest.raises(BadInput, match="unknown shade 'pale'"):
        frame(echo_run(), 1.0, shade="pale")


def test_above_the_limit_a_reason_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "LIMIT", 3)
    seen = frame(chatter(4, [(0, 1, 0)]), 9.0)
    assert seen.missing == "This view is shown for up to 3 processes; this execution has 4."
    assert seen.names == () and seen.known.size == 0


def test_a_run_without_events_and_one_of_a_single_process() -> None:
    assert frame(run(), 0.0).title == "2 of 4 pairs: no process has heard of another yet"
    assert frame(chatter(1, []), 0.0).title == "1 of 1 pairs: every process knows of every other"


@given(n=st.integers(1, 7), sends=SENDS, ts=st.lists(st.floats(-1, 80), min_size=2, max_size=4).map(sorted))
def test_knowledge_only_grows_and_travels_with_messages(
    n: int, sends: list[tuple[int, int, int]], ts: list[float]
) -> None:
    timeline = chatter(n, sends)
    before = None
    for t in ts:
        seen = frame(timeline, t)
        assert seen.known.diagonal().all()
        assert (seen.counts == seen.known.sum(axis=1)).all()
        assert ((seen.strength >= 0) & (seen.strength <= 1)).all()
        assert (seen.everybody is not None) == bool(seen.known.all())
        assert seen.coming is None or not (seen.known & (seen.coming > 0)).any()
        assert seen.fresh is None or not (~seen.known & (seen.fresh > 0)).any()
        assert seen.finally_ is not None and (seen.finally_ >= seen.counts).all()
        if before is not None:
            assert (seen.known | ~before).all()
        before = seen.known
