"""What is measured of a run."""

from lydian import measure

from .properties import made


@measure("loss")
def loss(c):
    """The share of events that a process does not deliver."""
    return 1 - sum(len(set(p.got)) for p in c.processes) / (made(c) * c.n) if made(c) else None


@measure("gossip loss")
def gossip_loss(c):
    """The share of events that PrCast does not bring to a process."""
    return 1 - sum(len(p.heard) for p in c.processes) / (made(c) * c.n) if made(c) else None


@measure("latency")
def latency(c):
    """The time from creating an event to delivering it elsewhere, on average."""
    told = sum(len(p.got) for p in c.processes) - made(c)
    return sum(p.got_after for p in c.processes) / told if told else None


@measure("gossip latency")
def gossip_latency(c):
    """The time from creating an event to PrCast's bringing it elsewhere, on average."""
    heard = sum(len(p.heard) for p in c.processes) - made(c)
    return sum(p.heard_after for p in c.processes) / heard if heard else None


@measure("throughput")
def throughput(c):
    """How many events are created in a unit of time."""
    span = max(p.worked for p in c.processes)
    return made(c) / span if span else None


@measure("message size")
def message_size(c):
    """The bits of a gossip message, on average; only if ``rate`` counts them."""
    parcels = sum(p.parcels for p in c.processes)
    return sum(p.size for p in c.processes) / parcels if parcels else None


@measure("reached all")
def reached_all(c):
    """The share of events that PrCast brought to everybody."""
    times = {}
    for p in c.processes:
        for id in sorted(p.heard):
            times[id] = times.get(id, 0) + 1
    return sum(k == c.n for k in times.values()) / len(times) if times else None
