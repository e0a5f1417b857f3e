"""How asynchronous Bellman-Ford is drawn: costs decrease and the tree of paths changes.

Yellow circles have heard of no path; the red hexagon is the initiator.  A green square waits for acknowledgements; a
blue diamond currently does not.  The numbers on links are their weights; the arrows lead along the cheapest paths
known, whose costs are below the processes; the bar grows with every correction.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"outside": 0, "leading": 1, "finished": 1, "active": 2, "calm": 3},
    messages={"Length": 0, "Ack": 1},
    pointers=(Pointer("pred", style="arrow", word="cheapest path known"),),
    values=(Value("corrections", style="bar", word="corrections"),),
    watch=Watch("costs {dist}"),
    badge="num",
    phrases={
        ("outside", "Length"): "The first path it hears of leads through {peer} and costs {dist}.",
        ("active", "Length"): "The cheapest path it knows now costs {dist} and leads through {pred}.",
        ("calm", "Length"): "The cheapest path it knows now costs {dist} and leads through {pred}.",
        ("active", "Ack"): "It waits for one acknowledgement fewer; number still missing: {num}.",
        ("leading", "Ack"): "It waits for one acknowledgement fewer; number still missing: {num}.",
    },
)
