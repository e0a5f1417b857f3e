"""The looks of asynchronous Bellman-Ford: costs that shrink, and a tree that changes its mind.

Yellow circles have heard of no way, the red hexagon is the initiator.  A green square waits for acknowledgements, a
blue diamond does not, for the time being.  The numbers on links are their weights, the arrows lead along the cheapest
ways known, what they cost stands below; the bar grows with every correction.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"outside": 0, "leading": 1, "finished": 1, "active": 2, "calm": 3},
    messages={"Length": 0, "Ack": 1},
    pointers=(Pointer("pred", style="arrow", word="cheapest way known"),),
    values=(Value("corrections", style="bar", word="corrections"),),
    watch=Watch("costs {dist}"),
    badge="num",
    phrases={
        ("outside", "Length"): "The first way it hears of leads over {peer} and costs {dist}.",
        ("active", "Length"): "The cheapest way it knows now costs {dist}, by {pred}.",
        ("calm", "Length"): "The cheapest way it knows now costs {dist}, by {pred}.",
        ("active", "Ack"): "One acknowledgement less to wait for: {num} still missing.",
        ("leading", "Ack"): "One acknowledgement less to wait for: {num} still missing.",
    },
)
