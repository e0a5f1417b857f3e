"""How consistent broadcast is drawn.

Messages have the colour and the letter of their value; those of the sender and echoes have different heads.  Green
squares have echoed a value, and blue diamonds have delivered one; processes that have delivered the same value share
one area.  The table counts echoes.
"""

from lydian.pieces.animation import Animation, Carries, Column, Group, Table, derived


@derived
def echoed_for(p):
    """Return the values with the number of processes that have echoed them."""
    said = list(p.echoes.values())
    return ", ".join(f"{x} {said.count(x)}" for x in sorted(set(said)))


animation = Animation(
    states={"waiting": 0, "echoed": 2, "delivered": 3},
    messages={"Send": 0, "Echo": 1},
    carries=Carries("x", word="value"),
    groups=Group("value", word="have delivered the same value"),
    table=Table(
        (
            Column("echoed_for", word="echoes"),
            Column("value", word="delivered"),
        ),
        title="Echoes",
    ),
)
