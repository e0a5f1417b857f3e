"""What is measured in a run."""

from lydian import measure

from .properties import owners


@measure("coordinators")
def coordinators(c):
    """Number of coordinators at the end."""
    return len(owners(c))


@measure("gave up")
def gave_up(c):
    """Number of times that a coordinator left because it heard from too few others."""
    return sum(p.gave_up for p in c.processes)


@measure("excluded")
def excluded(c):
    """Number of owners that were excluded."""
    return sum(p.excluded for p in c.processes)


@measure("loss")
def loss(c):
    """Share of events that a live process does not deliver, on average."""
    here, made = [p for p in c.processes if not c.crashed(p)], sum(p.made for p in c.processes)
    return 1 - sum(len(set(p.got)) for p in here) / (made * len(here)) if made and here else None
