"""Layouts in space."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lydian.model.generators import from_spec
from lydian.model.network import Network
from lydian.model.viewnames import SPACES
from lydian.views.world.places import LAYOUTS, flattened, helix, levels, places_of, shape_of


def network(spec: str) -> Network:
    return from_spec(spec)


def lengths(net: Network, places: np.ndarray) -> np.ndarray:
    return np.linalg.norm(places[net.ends[:, 0]] - places[net.ends[:, 1]], axis=1)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("spec", ["line:2", "grid:3x4", "gnm:30,60,seed=2", "complete:5", "star:6"])
def test_every_layout_is_finite_repeatable_and_within_the_ball(layout: str, spec: str) -> None:
    net = network(spec)
    places = places_of(net, layout)
    assert places.shape == (net.n, 3) and np.isfinite(places).all()
    assert np.array_equal(places, places_of(net, layout))
    assert np.linalg.norm(places, axis=1).max() <= (1.8 if layout == "tower" else 1.3)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(net.n)
    assert gaps.min() > 0.02


@pytest.mark.parametrize("spec", ["gnm:40,80,seed=1", "smallworld:40", "grid:4x6"])
def test_forces_use_the_third_dimension(spec: str) -> None:
    size = np.linalg.svd(places_of(network(spec), "spring"))[1]
    assert size[2] > 0.25 * size[1]


def test_a_large_network_is_placed_by_distances():
    net = network("gnm:400,900,seed=1")
    places = places_of(net, "spring")
    far = np.linalg.norm(places[::7, None] - places[None, ::11], axis=2).mean()
    assert lengths(net, places).mean() < 0.9 * far
    assert np.array_equal(places, places_of(net, "spring"))


def test_a_hypercube_is_a_hypercube():
    cube = network("hypercube:3")
    assert shape_of(cube) == "hypercube"
    assert np.allclose(lengths(cube, places_of(cube, "shape")), 2 / np.sqrt(3))
    four = network("hypercube:4")
    places = places_of(four, "shape")
    assert np.allclose(np.unique(np.round(np.linalg.norm(places, axis=1), 6)), [0.46, 1.0])
    digits = four.ends[:, 0] ^ four.ends[:, 1]
    inwards = places[four.ends[digits == 8]]
    assert np.allclose(np.cross(inwards[:, 0], inwards[:, 1]), 0)  # the fourth direction leads to the middle
    six = network("hypercube:6")
    assert len(np.unique(np.round(places_of(six, "shape"), 6), axis=0)) == 64


def test_a_torus_is_a_torus():
    net = network("torus:4x7")
    assert shape_of(net) == "torus"
    x, y, z = places_of(net, "shape").T
    tube = np.hypot(np.hypot(x, z) - np.hypot(x, z).mean(), y)
    assert tube.max() / tube.min() < 1.3
    assert lengths(net, np.column_stack((x, y, z))).max() < 1.1


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("ring:7", "ring"), ("tree:7", "tree"), ("star:6", "star"), ("complete:5", "complete"), ("grid:3x4", ""),
     ("hypercube:2", "ring"), ("line:5", "tree")],
)  # fmt: skip
def test_networks_are_recognised(spec: str, kind: str) -> None:
    assert shape_of(network(spec)) == kind


def test_a_ring_is_a_circle_in_the_order_of_its_links():
    net = network("ring:9")
    places = places_of(net, "shape")
    assert np.allclose(np.linalg.norm(places, axis=1), 1)
    assert np.allclose(lengths(net, places), 2 * np.sin(np.pi / 9))


@pytest.mark.parametrize("n", [2, 30, 450])
def test_a_sphere_has_a_radius_of_one_and_room_for_everyone(n: int) -> None:
    places = places_of(network(f"gnm:{n},{2 * n if n > 2 else 1},seed=1"), "sphere")
    assert np.allclose(np.linalg.norm(places, axis=1), 1)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(n)
    assert gaps.min() > 2 / np.sqrt(n) * 0.8


def test_layers_are_distances_from_the_initiators():
    net = network("gnm:30,50,seed=3")
    net = net.replace(initiators=(net.processes[4],))
    places, level = places_of(net, "layers"), levels(net)
    assert level[4] == 0 and level.max() > 1
    assert len(np.unique(np.round(places[:, 1], 9))) == level.max() + 1
    heights = [places[level == each, 1] for each in range(level.max() + 1)]
    assert all(np.ptp(each) < 1e-9 for each in heights)
    assert np.all(np.diff([each[0] for each in heights]) < 0)  # the initiator is at the top
    ends = net.ends
    assert (np.abs(level[ends[:, 0]] - level[ends[:, 1]]) <= 1).all()


def test_the_flat_places_are_the_flat_positions():
    points = np.array([[0.0, 0], [10, 0], [10, 4]])
    flat = flattened(points)
    scale = np.linalg.norm(flat[1] - flat[0]) / 10
    assert np.allclose(flat, np.column_stack(((points - [5, 2]) * [1, -1], np.zeros(3))) * scale)
    assert np.allclose(flattened(points + np.array([0, 4]), like=points)[:, 1], flat[:, 1] - 4 * scale)


def test_the_layouts_have_the_names_that_files_use():
    assert tuple(LAYOUTS) == SPACES


@pytest.mark.parametrize("n", [8, 16, 64])
def test_on_a_helix_opposite_points_of_the_circle_are_above_one_another(n):
    angle = 2 * math.pi * np.arange(n) / n
    circle = np.column_stack((np.sin(angle), np.cos(angle), np.zeros(n)))
    places = helix(circle)
    assert np.all(np.diff(places[:, 1]) > 0) and np.linalg.norm(places, axis=1).max() <= 1 + 1e-9
    up = places[n // 2 :] - places[: n // 2]
    assert np.allclose(up[:, [0, 2]], 0) and np.all(up[:, 1] > 0.5)
    middle = helix(np.vstack((circle, np.zeros((1, 3)))))[-1]
    assert np.allclose(middle, 0)
    assert helix(np.zeros((0, 3))).shape == (0, 3)
