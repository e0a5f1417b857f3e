"""How the PN-counter is drawn: the value below each process, and the two tables beside the network.

Green squares gossip, and blue diamonds have nothing new to send.  The ring has the tint of the value, and a message has
the colour and the number of the value that its tables add up to."""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Table, Value, Wall, Watch, derived


@derived
def plus(p):
    """Return the increments that it knows."""
    return sum(p.ups.values())


@derived
def minus(p):
    """Return the decrements that it knows."""
    return sum(p.downs.values())


animation = Animation(
    states={"quiet": 3, "gossiping": 2},
    messages={"Counts": 0, "Next": 1, "Gossip": 3, "Increment": 1, "Decrement": 4},
    labels={"Counts": "Tables"},
    carries=Carries("sum([ups[q] for q in ups]) - sum([downs[q] for q in downs])", word="value"),
    values=(Value("value", style="tint", word="value"),),
    watch=Watch("shows {value}"),
    table=Table(
        (Column("plus", word="increments"), Column("minus", word="decrements"),
         Column("[value, value]", word="value", style="tint", agree=True)), title="What each process knows"),
    chart=(
        Chart((Line("added", of="sum", word="increments made"), Line("taken", of="sum", word="decrements made"),
               Line("value", of="different", word="different values")), title="Over time", share=0.2),
    ),
    wall=Wall(),
)  # fmt: skip
