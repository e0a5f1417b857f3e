"""Distances in a graph of configurations."""

from array import array

from lydian.engine.adversary.distances import FAR, Ahead, Distances
from lydian.engine.explorer.graph import Graph
from lydian.engine.explorer.search import UNKNOWN

#: 0 -> 1, 2; 1 -> 3; 2 -> 2, 4; 3 -> (end); 4 -> not explored
GRAPH = Graph(array("q", [0, 2, 3, 5, 5, 6]), array("i", [1, 2, 3, 2, 4, UNKNOWN]), array("i", [0] * 6))


def test_the_distance_is_the_least_number_of_steps():
    assert Distances(GRAPH, 5, [3]).steps.tolist() == [2, 1, FAR, 0, FAR]
    assert Distances(GRAPH, 5, [3, 4]).steps.tolist() == [2, 1, 1, 0, 0]
    assert Distances(GRAPH, 5, []).steps.tolist() == [FAR] * 5


def test_the_configurations_ahead_are_counted_within_the_steps_left():
    found = Distances(GRAPH, 5, [3])
    assert found.ahead(0, None) == Ahead(5, 3)
    assert found.ahead(0, 1) == Ahead(3, 0)
    assert found.ahead(0, 2) == Ahead(5, 3)
    assert found.ahead(2, None) == Ahead(2, 0)
    assert found.ahead(3, 0) == Ahead(1, 1)
