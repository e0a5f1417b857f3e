"""The frames of the view World, and what is seen of them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import lydian
from lydian.model.errors import BadInput
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.selection import Hit, Selection
from lydian.views.world.camera import Camera, Eye
from lydian.views.world.places import LAYOUTS
from lydian.views.world.tower import HEIGHT
from lydian.views.world.world import frame, hit_at, home, riding, seen_from, sight

SIZE = (900.0, 600.0)


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return lydian.run("two-wings").timeline


def seen(timeline: Timeline, t: float, **options: object):
    drawn = frame(timeline, t, **options)  # type: ignore[arg-type]
    return drawn, sight(drawn, seen_from(drawn, None, *SIZE))


def test_a_frame_contains_the_flat_one(timeline):
    selection = Selection(processes=frozenset({3}))
    drawn, flat = frame(timeline, 8.2, selection), basic.frame(timeline, 8.2, selection)
    for name in ("slots", "crashed", "link_ends"):
        assert np.array_equal(getattr(drawn.flat, name), getattr(flat, name))
    assert np.array_equal(drawn.flat.flights.id, flat.flights.id)
    assert drawn.flat.selection == selection and drawn.title.startswith(flat.title)
    with pytest.raises(BadInput, match=r"unknown layout 'shpere' .did you mean 'sphere'.*choose from shape"):
        frame(timeline, 1.0, layout="shpere")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_without_depth_the_picture_is_the_flat_drawing(timeline, layout):
    """All layouts have the same picture, in which positions are scaled and shifted, but neither turned nor bent."""
    drawn, what = seen(timeline, 8.2, layout=layout, depth=0.0)
    flat = drawn.flat.scene.positions
    scale = np.ptp(what.everywhere[:, 0]) / np.ptp(flat[:, 0])
    offset = what.everywhere[0] - scale * flat[0]
    assert np.allclose(what.everywhere, scale * flat + offset, atol=1e-6)
    assert not what.fog.any() and np.ptp(what.size) < 1e-9


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_way_from_flat_to_deep_is_one_continuous_motion(timeline, layout):
    steps = [seen(timeline, 8.2, layout=layout, depth=share)[1].everywhere for share in np.linspace(0, 1, 60)]
    moves = np.linalg.norm(np.diff(steps, axis=0), axis=2)
    assert moves.max() < 40  # pixels in a sixtieth of the way
    assert np.linalg.norm(steps[-1] - steps[0], axis=1).max() > 40


def test_everything_is_sorted_from_the_farthest_to_the_nearest(timeline):
    drawn, what = seen(timeline, 8.2)
    assert sorted(what.process.tolist()) == list(range(12))
    assert np.all(np.diff(what.weight[what.process]) <= 0) and np.all(np.diff(what.size) >= 0)
    assert np.all(np.diff(what.fog) <= 1e-12) and np.all(np.diff(what.light_fog) <= 1e-12)
    assert np.all(np.diff(what.link_fog) <= 1e-12)
    assert len(what.entry) == len(drawn.flat.flights) and len(what.link) == 17


def test_messages_fly_along_their_links_and_leave_the_bodies_free(timeline):
    for t in np.linspace(0.5, 14, 20):
        drawn = frame(timeline, float(t))
        flights, eye = drawn.flat.flights, Eye(Camera((0.0, 0.0, 3.0)), *SIZE)
        what = sight(drawn, eye)
        at, _ = eye.project(drawn.places)
        for entry, (x, y) in zip(what.entry.tolist(), what.lights.tolist(), strict=True):
            a, b = at[flights.source[entry]], at[flights.target[entry]]
            way = b - a
            share = np.clip(np.dot((x, y) - a, way) / np.dot(way, way), 0, 1)
            assert math.dist((x, y), a + share * way) < 0.3 * what.size.max()


@pytest.mark.parametrize("layout", ["shape", "tower"])
def test_what_is_drawn_can_be_hit(timeline, layout):
    drawn, what = seen(timeline, 8.2, layout=layout)
    for process, (x, y) in zip(what.process.tolist(), what.at.tolist(), strict=True):
        found = hit_at(what, drawn, x, y)
        assert found is not None
        if found != Hit("process", process):  # something nearer covers it
            place = what.process.tolist().index(process)
            assert found.kind == "message" or what.process.tolist().index(found.id) > place
    for entry, (x, y) in zip(what.entry.tolist(), what.lights.tolist(), strict=True):
        assert hit_at(what, drawn, x, y).kind == "message", entry
    assert hit_at(what, drawn, 2, 2) is None
    middles = (what.link_a + what.link_b) / 2
    hits = {hit_at(what, drawn, x, y) for x, y in middles.tolist()}
    assert sum(hit is not None and hit.kind == "link" for hit in hits) >= 8


def test_the_first_view_shows_everything_and_is_the_same_during_a_run(timeline):
    _, what = seen(timeline, 3.0)
    assert ((what.everywhere > 0) & (what.everywhere < SIZE)).all()
    assert home(frame(timeline, 1.0), *SIZE) == home(frame(timeline, 12.0), *SIZE)


def test_the_camera_rides_behind_its_message_and_looks_at_the_receiver(timeline):
    drawn = frame(timeline, 8.2)
    for entry, message in enumerate(drawn.flat.flights.id.tolist()):
        camera = riding(drawn, message)
        assert camera is not None
        at, weight = Eye(camera, *SIZE).project(drawn.places)
        target, source = drawn.flat.flights.target[entry], drawn.flat.flights.source[entry]
        assert weight[target] > 0 and weight[target] > weight[source]
        assert math.dist(at[target], (450, 300)) < 200
    assert riding(drawn, 10**6) is None


# ---------------------------------------------------------------------- the tower


def test_heights_rise_with_time(timeline):
    tops = [frame(timeline, float(t), layout="tower").tower.tops[0, 1] for t in np.linspace(0, timeline.end, 12)]
    assert np.all(np.diff(tops) > 0)
    assert math.isclose(tops[-1] - tops[0], HEIGHT)


def test_messages_rise_and_nothing_is_above_the_present(timeline):
    tower = frame(timeline, 8.2, layout="tower").tower
    assert tower is not None
    assert (tower.arrows[:, 1, 1] > tower.arrows[:, 0, 1]).all()
    top = tower.tops[:, 1].max() + 1e-9
    for lines in (tower.arrows, tower.lives, tower.chain):
        assert lines[:, :, 1].max() <= top
    sent = (timeline.sends >= 0) & (timeline.sends < timeline.count(8.2))
    assert sorted(tower.messages.tolist()) == np.flatnonzero(sent).tolist()
    assert len(tower.dots) == int((timeline.message_arrived <= 8.2).sum())


def test_the_chain_of_a_tower_is_the_longest_one(timeline):
    tower = frame(timeline, 8.2, layout="tower").tower
    assert tower is not None
    assert tower.length == int(timeline.chain[: timeline.count(8.2)].max())
    assert np.allclose(tower.chain[1:, 0], tower.chain[:-1, 1])  # one piece begins where the last one ends
    assert (np.diff(tower.chain[:, 0, 1]) >= 0).all()


def test_process_lines_have_no_gaps_and_end_at_the_present_or_at_a_crash():
    timeline = lydian.run("echo-crash").timeline
    drawn = frame(timeline, 9.0, layout="tower")
    tower = drawn.tower
    assert tower is not None
    down = np.flatnonzero(drawn.flat.crashed)
    assert len(down) == 1
    assert tower.tops[down[0], 1] < np.delete(tower.tops[:, 1], down).min()
    lines = {}
    for a, b in tower.lives.tolist():
        lines.setdefault((round(a[0], 6), round(a[2], 6)), []).append((a[1], b[1]))
    assert len(lines) == 12
    for process, pieces in enumerate(lines[(round(x, 6), round(z, 6))] for x, _, z in tower.floor.tolist()):
        pieces = sorted(pieces)
        assert math.isclose(pieces[0][0], -HEIGHT / 2)
        assert all(math.isclose(one[1], two[0]) for one, two in pairwise(pieces))
        assert math.isclose(pieces[-1][1], tower.tops[process, 1])


def test_planes_are_at_round_times_before_the_present(timeline):
    tower = frame(timeline, 8.2, layout="tower").tower
    assert tower is not None
    times = [time for time, _ in tower.planes]
    assert times[-1] == 8.2 and times[:-1] == sorted(times[:-1]) and len(times) >= 3
    assert all(time == round(time, 1) for time in times)
