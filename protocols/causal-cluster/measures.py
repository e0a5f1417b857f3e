"""What is measured of a run."""

from lydian import measure

from .properties import owners


@measure("coordinators")
def coordinators(c):
    """How many coordinators there are in the end."""
    return len(owners(c))


@measure("gave up")
def gave_up(c):
    """How often a coordinator left because it heard from too few."""
    return sum(p.gave_up for p in c.processes)


@measure("excluded")
def excluded(c):
    """How many owners were excluded."""
    return sum(p.excluded for p in c.processes)


@measure("loss")
def loss(c):
    """The share of events that a process that lives does not deliver."""
    here, made = [p for p in c.processes if not c.crashed(p)], sum(p.made for p in c.processes)
    return 1 - sum(len(set(p.got)) for p in here) / (made * len(here)) if made and here else None
