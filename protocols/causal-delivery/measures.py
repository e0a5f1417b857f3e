"""What is measured in a run."""

from lydian import measure

from .properties import made


@measure("loss")
def loss(c):
    """Share of events that a process does not deliver, on average."""
    return 1 - sum(len(set(p.got)) for p in c.processes) / (made(c) * c.n) if made(c) else None


@measure("gossip loss")
def gossip_loss(c):
    """Share of events that PrCast does not bring to a process, on average."""
    return 1 - sum(len(p.heard) for p in c.processes) / (made(c) * c.n) if made(c) else None


@measure("latency")
def latency(c):
    """Average time from the creation of an event to its delivery elsewhere."""
    told = sum(len(p.got) for p in c.processes) - made(c)
    return sum(p.got_after for p in c.processes) / told if told else None


@measure("gossip latency")
def gossip_latency(c):
    """Average time from the creation of an event until PrCast brings it elsewhere."""
    heard = sum(len(p.heard) for p in c.processes) - made(c)
    return sum(p.heard_after for p in c.processes) / heard if heard else None


@measure("throughput")
def throughput(c):
    """Number of events created in a unit of time."""
    span = max(p.worked for p in c.processes)
    return made(c) / span if span else None


@measure("message size")
def message_size(c):
    """Average number of bits of a gossip message; only if ``rate`` counts them."""
    parcels = sum(p.parcels for p in c.processes)
    return sum(p.size for p in c.processes) / parcels if parcels else None


@measure("reached all")
def reached_all(c):
    """Share of events that PrCast brought to all processes."""
    times = {}
    for p in c.processes:
        for id in sorted(p.heard):
            times[id] = times.get(id, 0) + 1
    return sum(k == c.n for k in times.values()) / len(times) if times else None
