"""The time window of the desk: what follows the play head, what the user chooses, and how the two meet."""

from __future__ import annotations

import pytest

from lydian.desk.timewindow import REST, TimeWindow
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import fit
from tests.views.book import Book


def run(events: int, *, stopped: str | None = "quiescent") -> Timeline:
    """Return a run with one event for each unit of time."""
    book = Book("abcd")
    for number in range(events):
        book.write(float(number), "timer", "abcd"[number % 4])
    return Timeline(book.trace(stopped=stopped))


def shown(timeline: Timeline, t: float = 0.0) -> TimeWindow:
    window = TimeWindow()
    window.load(timeline)
    window.follow(t)
    settle(window)
    return window


def settle(window: TimeWindow) -> None:
    for _ in range(100):
        if not window.moving:
            return
        window.advance(0.1)
    raise AssertionError("it never rests")


def test_a_short_run_is_shown_whole_and_a_longer_one_in_part() -> None:
    short, longer = shown(run(120)), shown(run(121))
    assert short.fits and short.short and short.events == 120
    assert not longer.fits and not longer.short and 80 <= longer.events <= 82
    assert shown(run(1000)).window == pytest.approx((0.0, 79.0), abs=0.5)


def test_the_narrowest_visible_view_decides_how_many_events_have_room() -> None:
    window = shown(run(1000), 500.0)
    window.set_room("causality", 1000.0)
    assert window.wanted == 111 and window.events in range(111, 114)
    window.set_room("occupation", 630.0)
    assert window.wanted == 70 and window.events in range(70, 73)
    assert sum(window.window) / 2 == pytest.approx(500, abs=1)
    window.set_room("occupation", 0.0)
    assert window.wanted == 111


def test_the_window_stands_still_glides_and_stands_still_again() -> None:
    window = shown(run(1000), 500.0)
    seen, moved = [window.window], 0
    for frame in range(1200):
        window.follow(500 + frame / 12, 0.22)
        window.advance(1 / 60)
        moved += window.window != seen[-1]
        if window.window != seen[-1]:
            seen.append(window.window)
        assert window.window[0] <= 500 + frame / 12 <= window.window[1]
    assert 2 * 13 <= moved <= 2 * 15  # two steps of 13 or 14 frames each, in 20 seconds
    assert window.events in range(80, 83)


def test_without_motion_the_window_jumps() -> None:
    window, told = shown(run(1000), 500.0), []
    window.listen(lambda: told.append(window.window))
    window.follow(530.0)
    window.follow(531.0)
    assert len(told) == 1 and (530 - window.window[0]) / 80 == pytest.approx(0.2, abs=0.01)


def test_the_window_makes_at_most_three_steps_a_second() -> None:
    window, told = shown(run(10_000), 100.0), []
    window.listen(lambda: told.append(window.window))
    for frame in range(61):  # 50 events a frame
        window.follow(100.0 + 50 * frame)
        window.advance(1 / 60)
    assert 2 <= len(told) <= 4
    settle(window)
    assert window.window[0] <= 3100 <= window.window[1]


def test_scrolling_by_hand_stops_following_until_it_is_asked_for() -> None:
    window = shown(run(1000), 500.0)
    window.move(2.0)
    here = window.window
    window.follow(600.0)
    settle(window)
    assert window.window == here and window.chosen and not window.following
    window.following = True
    window.follow(601.0)
    assert window.window != here and window.window[0] <= 601 <= window.window[1]


def test_the_whole_run_and_back() -> None:
    window = shown(run(1000), 500.0)
    window.toggle()
    assert window.fits and window.window == fit(run(1000)) and window.events == 1000
    window.follow(700.0)
    assert window.fits
    window.toggle()
    assert sum(window.window) / 2 == pytest.approx(700, abs=1) and window.events in range(80, 83)


def test_fewer_and_more_events_in_round_numbers_up_to_the_whole_run() -> None:
    window, counts = shown(run(1000), 500.0), []
    window.more(-1)
    assert window.events in (60, 61)
    for _ in range(9):
        window.more(1)
        counts.append(window.events)
        assert sum(window.window) / 2 == pytest.approx(500, rel=0.05)
    assert counts == pytest.approx([80, 100, 150, 200, 300, 400, 600, 800, 1000], abs=2) and window.fits
    window.more(1)
    assert window.fits
    window.more(-1)
    assert window.events == pytest.approx(800, abs=2)


def test_a_chosen_number_of_events_is_kept_while_following() -> None:
    window = shown(run(1000), 500.0)
    window.zoom(0.5, 500.0)
    count = window.events
    assert count == pytest.approx(160, abs=2) and window.wanted == count
    window.follow(570.0)
    assert window.events == pytest.approx(count, abs=2) and window.window[0] > 530
    window.load(run(900))
    assert window.wanted == 80 and window.window[0] == 0.0


def test_a_growing_run_is_shown_whole_until_it_is_long() -> None:
    window = shown(run(50, stopped=None))
    for events in range(50, 400, 7):
        grown = run(events, stopped=None)
        window.grow(grown)
        window.follow(grown.end)
        settle(window)
        assert window.fits == (events <= 120)
        assert window.window[0] <= grown.end <= window.window[1]
        assert window.events <= 120


def test_a_growing_run_stays_whole_if_the_user_wants_that() -> None:
    window = shown(run(200, stopped=None))
    window.fit()
    window.grow(run(400, stopped=None))
    assert window.fits


def test_after_a_step_the_window_rests_although_nothing_else_moves() -> None:
    window = shown(run(1000), 500.0)
    window.follow(700.0, 0.22)
    assert window.moving and window.window[0] <= 700 <= window.window[1]  # a jump, as the head was out of view
    window.advance(REST)
    assert not window.moving
