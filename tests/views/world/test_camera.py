"""The camera: projection, its inverse, and its movements."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.views.world.camera import NEAR, STEEPEST, Camera, Eye, between, fitted, flight, look_at

ANGLE = st.floats(-3.0, 3.0)
CAMERAS = st.builds(
    lambda yaw, pitch, reach: Camera((0.0, 0.0, 0.0)).around(np.array([0.2, -0.1, 0.3]), yaw, pitch, reach),
    ANGLE, st.floats(-1.4, 1.4), st.floats(0.5, 8.0),
)  # fmt: skip


@given(CAMERAS, st.floats(0.0, 1.0))
def test_the_pivot_is_in_the_middle_of_the_screen(camera: Camera, depth: float) -> None:
    at, weight = Eye(camera, 800, 600, depth).project(camera.pivot[None, :])
    assert np.allclose(at, [[400, 300]], atol=1e-6)
    assert math.isclose(weight[0], camera.reach, rel_tol=1e-9)


@given(CAMERAS)
def test_up_stays_up(camera: Camera) -> None:
    """A vertical line through the pivot is vertical on the screen, with its upper end above."""
    ends = camera.pivot + np.array([[0, -0.05, 0], [0, 0.05, 0]])
    at, _ = Eye(camera, 800, 600).project(ends)
    assert abs(at[0, 0] - at[1, 0]) < 1e-6
    assert at[1, 1] < at[0, 1]
    assert abs(float(camera.axes[0, 1])) < 1e-12
    assert np.allclose(camera.axes @ camera.axes.T, np.eye(3))


@given(CAMERAS, st.floats(0, 800), st.floats(0, 600), st.floats(0.3, 5.0), st.floats(0.0, 1.0))
def test_the_line_of_sight_inverts_projecting(camera: Camera, x: float, y: float, far: float, depth: float) -> None:
    eye = Eye(camera, 800, 600, depth)
    start, way = eye.ray(x, y)
    at, weight = eye.project((start + far * way)[None, :])
    assert weight[0] > NEAR
    assert np.allclose(at, [[x, y]], atol=1e-6)


def test_nearer_things_are_larger_and_farther_ones_paler():
    eye = Eye(Camera((0.0, 0.0, 3.0)), 800, 600)
    _, weight = eye.project(np.array([[0.0, 0, 0.8], [0, 0, 0], [0, 0, -0.8]]))
    assert np.all(np.diff(eye.size(0.1, weight)) < 0)
    assert np.all(np.diff(eye.fog(weight)) > 0)
    assert not Eye(eye.camera, 800, 600, 0.0).fog(weight).any()


def test_lines_are_cut_where_they_pass_the_viewer():
    eye = Eye(Camera((0.0, 0.0, 3.0)), 800, 600)
    a, b, weight, which = eye.segments(
        np.array([[0.0, -0.5, 0], [0, 0, 5], [9, 0, 0]]), np.array([[0.0, -0.5, 9], [0, 0, 6], [9, 1, 0]])
    )
    assert which.tolist() == [0]  # the second is behind the viewer, the third outside the screen
    assert np.isfinite(a).all() and np.isfinite(b).all()
    assert math.isclose(weight[0], (3 + NEAR) / 2)


def test_the_camera_keeps_its_distance_when_it_turns_and_never_turns_over():
    camera = Camera((0.0, 0.0, 3.0)).orbit(0.4, -0.3)
    assert np.allclose(camera.pivot, 0)
    assert math.isclose(np.linalg.norm(camera.eye), 3.0)
    assert camera.orbit(0, 9).pitch == STEEPEST and camera.look(0, -9).pitch == -STEEPEST
    assert camera.nearer(2.0).reach == 1.5


def test_walking_moves_the_eye_and_looking_does_not():
    camera = Camera((0.0, 0.0, 3.0))
    assert np.allclose(camera.walk(1, 2, 1).eye, (1, 2, 2))
    assert camera.look(0.3, 0.1).eye == camera.eye
    assert np.allclose(camera.slide(0.5, 0.25).eye, (0.5, 0.25, 3))


def test_looking_at_a_target_puts_it_in_the_middle():
    camera = look_at(np.array([1.0, 2, 3]), np.array([-1.0, 0.5, -2]))
    at, _ = Eye(camera, 640, 480).project(np.array([[-1.0, 0.5, -2]]))
    assert np.allclose(at, [[320, 240]])


@pytest.mark.parametrize("size", [(800, 600), (300, 900), (1600, 400)])
@pytest.mark.parametrize("depth", [0.0, 1.0])
def test_everything_fits_the_screen(size: tuple[int, int], depth: float) -> None:
    points = np.random.default_rng(3).uniform(-1, 1, (40, 3))
    eye = Eye(Camera((0.0, 0.0, 3.0), 0.4, -0.3), *size, depth)
    at, _ = Eye(fitted(points, eye, 0.8), *size, depth).project(points)
    share = np.ptp(at, axis=0) / size
    assert np.all(share <= 0.8 + 1e-3) and share.max() > 0.78
    assert np.allclose((at.min(axis=0) + at.max(axis=0)) / 2, np.array(size) / 2, atol=4)


def test_a_glide_turns_the_shorter_way_and_ends_where_it_should():
    a, b = (Camera((0.0, 0.0, 0.0)).around(np.zeros(3), yaw, 0.1, 2.0) for yaw in (3.0, -3.0))
    assert abs(between(a, b, 0.5).yaw - math.pi) < 1e-9
    for share, end in ((0.0, a), (1.0, b)):
        assert np.allclose(between(a, b, share).eye, end.eye)


def test_a_flight_passes_its_keys_and_goes_round_without_a_jump():
    keys = tuple(Camera((0.0, 0.0, 0.0)).around(np.zeros(3), yaw, -0.2, 2.0) for yaw in (0.0, 1.6, 3.2, 4.8))
    for number in range(8):
        assert np.allclose(flight(keys, number).eye, keys[number % 4].eye)
    eyes = np.array([flight(keys, at).eye for at in np.linspace(0, 4, 200)])
    assert np.linalg.norm(np.diff(eyes, axis=0), axis=1).max() < 0.15
    assert np.allclose(flight(keys[:1], 0.7).eye, keys[0].eye)


@given(CAMERAS, st.floats(0.3, 0.95), st.floats(0.0, 1.0))
def test_two_eyes_agree_on_the_pivot_and_see_nearer_things_farther_apart(
    camera: Camera, near: float, depth: float
) -> None:
    """The eye on the left sees what is before the pivot farther to the right (Wheatstone, 1838)."""
    left, right = (Eye(camera, 800, 600, depth, 1.0, side * 0.03 * camera.reach) for side in (-0.5, 0.5))
    points = np.vstack((camera.pivot, np.asarray(camera.eye) + near * camera.reach * camera.axes[2]))
    points = np.vstack((points, np.asarray(camera.eye) + camera.reach / near * camera.axes[2]))
    one, two = left.project(points)[0], right.project(points)[0]
    assert np.allclose(one[:, 1], two[:, 1])
    pivot, before, behind = (one - two)[:, 0].tolist()
    assert abs(pivot) < 1e-6
    if depth > 0.01:
        assert before > 0 > behind
    start, way = left.ray(*one[1].tolist())
    back = left.project((start + 2.0 * way / np.linalg.norm(way))[None, :])[0]
    assert np.allclose(back, one[1], atol=1e-5)
