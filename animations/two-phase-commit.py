"""How two-phase commit is drawn: which processes depend on the coordinator, and which have decided.

The red hexagon collects the votes.  A process that has voted yes is uncertain: a red band leads to the coordinator, on
which it depends, and remains until the decision arrives.  A tick is a commit, and a cross is an abort.  The table shows
which processes have voted, and which have decided.
"""

from lydian.pieces.animation import Animation, Carries, Column, Glyph, Pointer, Table, Wall, Watch, derived

TICK = "M -0.8 0.05 L -0.25 0.6 L 0.8 -0.6"
CROSS = "M -0.6 -0.6 L 0.6 0.6 M 0.6 -0.6 L -0.6 0.6"


@derived
def vote(p):
    """Return its vote, or None before it."""
    if p.state == "initial":
        return None
    return p.me in p.yes or p.state in ("uncertain", "committed")


@derived
def decision(p):
    """Return whether it has decided to commit, or None before its decision."""
    return {"committed": True, "aborted": False}.get(p.state)


animation = Animation(
    states={"initial": 0, "collecting": 1, "uncertain": 4, "committed": 3, "aborted": 7},
    messages={"VoteReq": 0, "Yes": 1, "No": 3, "Commit": 2, "Abort": 4, "DecisionReq": 5, "Timeout": 3},
    words={"uncertain": "uncertain after voting yes"},
    labels={"VoteReq": "Vote request", "DecisionReq": "Decision request"},
    letters={"VoteReq": "?"},
    carries=Carries(
        {"Yes": "'yes'", "No": "'no'", "Commit": "'commit'", "Abort": "'abort'"},
        colours={"yes": 0, "commit": 1, "no": 2, "abort": 4},
        letters={"yes": "Y", "no": "N"},
        stays=True,
    ),
    pointers=(Pointer("coordinator", style="waiting", while_states=("uncertain",), word="depends on"),),
    watch=Watch("votes yes: {yes}", while_states=("collecting",)),
    badge="yes",
    table=Table(
        (Column("vote", word="votes yes", style="tick"), Column("decision", word="commits", style="tick")),
        title="Votes and decisions",
        share=0.3,
    ),
    wall=Wall(),
    glyphs=(
        Glyph(TICK, while_states=("committed",)),
        Glyph(CROSS, while_states=("aborted",)),
    ),
    phrases={
        ("collecting", "Yes"): "It counts a yes: {yes:process has|processes have} voted yes so far.",
        ("collecting", "No"): "Process {peer} votes no: it aborts, without waiting for the others.",
        ("uncertain", "DecisionReq"): "It is just as uncertain as process {peer}, and cannot help it.",
    },
)
