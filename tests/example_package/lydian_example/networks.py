"""A kind of network: a ring whose processes are all joined with one in the middle."""

from __future__ import annotations

from lydian.model.generators import Argument, Generator, Plan


def wheel(spokes: int) -> Plan:
    """Build a wheel; process 0 is the hub."""
    rim = [(i, i % spokes + 1) for i in range(1, spokes + 1)]
    return Plan(spokes + 1, [(0, i) for i in range(1, spokes + 1)] + rim)


WHEEL = Generator(
    "wheel",
    "a ring around a hub",
    noun="a wheel",
    sentence="A wheel with {spokes} spokes.",
    parameters=(Argument("spokes", 8, "spokes", least=3, most=1000),),
    size=lambda spokes: (spokes + 1, 2 * spokes),
    build=wheel,
)
