"""Hypothesis strategies: networks, timings, faults."""

from __future__ import annotations

from hypothesis import strategies as st

from lydian.model.delays import parse
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network

DELAYS = (
    "constant(1)",
    "uniform(0.5, 1.5)",
    "exponential(mean=1)",
    "lognormal(mean=1, sd=0.6)",
    "pareto(mean=1, a=2.5)",
    "gamma(mean=1, k=4)",
)


@st.composite
def connected_networks(
    draw: st.DrawFn,
    most: int = 12,
    anonymous: bool = False,
    orders: tuple[str, ...] = ("unordered", "fifo"),
    losses: tuple[float, ...] = (0.0,),
) -> Network:
    """Generate connected networks: a random tree and further random links, some with individual delays, and one
    initiator.
    """
    n = draw(st.integers(1, most))
    names = [str(i) for i in range(n)]
    pairs = {(draw(st.integers(0, i - 1)), i) for i in range(1, n)}
    if n > 1:
        more = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=2 * n))
        pairs |= {(min(a, b), max(a, b)) for a, b in more if a != b}
    own = st.one_of(st.none(), st.sampled_from([parse(text) for text in DELAYS]))
    links = [Link(names[a], names[b], delay=draw(own)) for a, b in sorted(pairs)]
    return Network(
        name="random",
        processes=tuple(names),
        links=tuple(links),
        initiators=(draw(st.sampled_from(names)),),
        delay=parse(draw(st.sampled_from(DELAYS))),
        order=draw(st.sampled_from(orders)),
        loss=draw(st.sampled_from(losses)),
        step=draw(st.sampled_from([None, None, parse("uniform(0.1, 0.4)")])),
        anonymous=anonymous,
    )


@st.composite
def faults(draw: st.DrawFn, network: Network, labels: tuple[str, ...], most: int = 4) -> tuple[Intervention, ...]:
    """Generate timed faults that make sense in a network: crashes, cuts, messages dropped, delayed and duplicated."""
    found = []
    for _ in range(draw(st.integers(0, most))):
        time = draw(st.floats(0, 6).map(lambda t: round(t, 3)))
        name = draw(st.sampled_from(network.processes))
        kinds = ["crash", "recover"] + (["link_down", "link_up", "drop", "delay", "duplicate"] if network.m else [])
        do = draw(st.sampled_from(kinds))
        if do in ("crash", "recover"):
            found.append(Intervention(time=time, do=do, process=name, keep=draw(st.booleans()) or do == "crash"))
            continue
        link = draw(st.sampled_from(network.links))
        ends = (link.a, link.b) if draw(st.booleans()) else (link.b, link.a)
        if do in ("link_down", "link_up"):
            found.append(Intervention(time=time, do=do, link=ends))
        else:
            label = draw(st.one_of(st.none(), st.sampled_from(labels)))
            later = 3.0 if do == "delay" else None
            found.append(Intervention(time=time, do=do, link=ends, label=label, delay=later))
    return tuple(found)
