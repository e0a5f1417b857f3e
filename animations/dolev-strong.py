"""How Dolev-Strong is drawn.

A message has the colour and the letter of its value.  Processes that have accepted
the same values share one area; the table shows for each value the chain of signatures with which it was accepted.
"""

from lydian.pieces.animation import Animation, Carries, Column, Group, Table, derived


@derived
def values(p):
    """Return the values that it has accepted."""
    return ", ".join(sorted(p.accepted)) or None


@derived
def chain_yes(p):
    """Return the signatures on yes."""
    return " ".join(p.accepted.get("yes", ()))


@derived
def chain_no(p):
    """Return the signatures on no."""
    return " ".join(p.accepted.get("no", ()))


animation = Animation(
    states={"idle": 0, "relaying": 2, "decided": 3},
    messages={"Signed": 0},
    carries=Carries("x", word="value"),
    groups=Group("values", word="have accepted the same values"),
    table=Table(
        (
            Column("chain_yes", word="yes signed by"),
            Column("chain_no", word="no signed by"),
            Column("decision", word="decision"),
        ),
        title="Signatures",
    ),
)
