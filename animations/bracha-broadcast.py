"""How Bracha's reliable broadcast is drawn.

Messages have the colour and the letter of their value, and those of the sender, echoes and readies have different
heads.  Green squares have echoed a value, orange triangles are ready for one, and blue diamonds have delivered one;
processes that have delivered the same value share one area.  The table counts echoes and readies.
"""

from lydian.pieces.animation import Animation, Carries, Column, Group, Table, derived


@derived
def echoed_for(p):
    """Return the values with the number of processes that have echoed them."""
    said = list(p.echoes.values())
    return ", ".join(f"{x} {said.count(x)}" for x in sorted(set(said)))


@derived
def ready_for(p):
    """Return the values with the number of processes that have declared themselves ready."""
    said = list(p.readies.values())
    return ", ".join(f"{x} {said.count(x)}" for x in sorted(set(said)))


animation = Animation(
    states={"waiting": 0, "echoed": 2, "ready": 4, "delivered": 3},
    messages={"Send": 0, "Echo": 1, "Ready": 2},
    carries=Carries("x", word="value"),
    groups=Group("value", word="have delivered the same value"),
    table=Table(
        (
            Column("echoed_for", word="echoes"),
            Column("ready_for", word="readies"),
            Column("value", word="delivered"),
        ),
        title="Echoes and readies",
    ),
)
