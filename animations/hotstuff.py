"""How chained HotStuff is drawn: a leader with a crown, and a chain of blocks that grows by one in each view.

Proposals go out and votes come in; a vote and a change of the view have the colour and the number of their view.
Arrows lead to the leader for which a replica waits; the pie empties until the replica gives the view up, and blue
diamonds have executed all requests.  The table shows the latest certificate of each replica, its lock, and what it has
executed."""

from lydian.pieces.animation import Animation, Carries, Column, Countdown, Glyph, Pointer, Table, Value, derived

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"


@derived
def blocks(p):
    """Return the length of the chain with the latest certificate."""
    return len(p.high)


@derived
def executed(p):
    """Return the requests that it has executed."""
    return " ".join(p.log)


animation = Animation(
    states={"idle": 0, "voting": 2, "leading": 1, "finished": 3},
    messages={"Proposal": 2, "Vote": 1, "NewView": 3, "Proof": 4, "Block": 4, "Silence": 3},
    labels={"NewView": "Change of the view", "Silence": "Timeout"},
    carries=Carries({"Vote": "view", "NewView": "view"}, word="view"),
    pointers=(Pointer("leader", style="arrow", while_states=("voting",), word="waits for"),),
    values=(Value("v", style="tint", word="view"),),
    countdown=Countdown("Silence", word="time until it gives the view up"),
    table=Table(
        (
            Column("v", word="view", style="tint"),
            Column("blocks", word="certified blocks"),
            Column("locked_view", word="locked in view", style="tint"),
            Column("executed", word="executed", agree=True),
        ),
        title="Chains",
    ),
    glyphs=(Glyph(CROWN, while_states=("leading",), word="the leader"),),
)
