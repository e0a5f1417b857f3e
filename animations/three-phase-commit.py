"""How three-phase commit is drawn: there is a step between the votes and the decision.

The red hexagon leads: it collects votes, or has taken over and asks for the states of the others.  An uncertain or
prepared process waits for the process at the end of its red band; when the coordinator is silent, the bands turn to
another process.  A tick is a commit, and a cross is an abort; no tick appears while there is a question mark.  The
table shows which processes have voted, which know that all have voted yes, and which have decided.
"""

from lydian.pieces.animation import Animation, Carries, Column, Glyph, Pointer, Table, Wall, Watch, derived

TICK = "M -0.8 0.05 L -0.25 0.6 L 0.8 -0.6"
CROSS = "M -0.6 -0.6 L 0.6 0.6 M 0.6 -0.6 L -0.6 0.6"


@derived
def vote(p):
    """Return its vote, or None before it."""
    if p.state == "initial":
        return None
    return p.me in p.yes or p.state in ("uncertain", "prepared", "committed", "preparing")


@derived
def knows(p):
    """Return True if it knows that all have voted yes, and None before."""
    return True if p.state in ("prepared", "preparing", "committed") else None


@derived
def decision(p):
    """Return whether it has decided to commit, or None before its decision."""
    return {"committed": True, "aborted": False}.get(p.state)


animation = Animation(
    states={
        "initial": 0,
        "collecting": 1,
        "asking": 9,
        "preparing": 5,
        "uncertain": 4,
        "prepared": 2,
        "committed": 3,
        "aborted": 7,
    },
    messages={
        "VoteReq": 0,
        "Yes": 1,
        "No": 3,
        "PreCommit": 2,
        "Ack": 1,
        "Commit": 2,
        "Abort": 4,
        "StateReq": 5,
        "Report": 1,
        "Timeout": 3,
    },
    words={"uncertain": "uncertain after voting yes"},
    labels={"VoteReq": "Vote request", "StateReq": "State request", "PreCommit": "Pre-commit"},
    letters={"VoteReq": "?"},
    carries=Carries(
        {"Yes": "'yes'", "No": "'no'", "PreCommit": "'pre-commit'", "Commit": "'commit'", "Abort": "'abort'"},
        colours={"yes": 0, "pre-commit": 3, "commit": 1, "no": 2, "abort": 4},
        letters={"yes": "Y", "no": "N"},
        stays=True,
    ),
    pointers=(Pointer("coordinator", style="waiting", while_states=("uncertain", "prepared"), word="waits for"),),
    watch=Watch("waits for {pending}", while_states=("preparing", "asking")),
    badge="pending",
    table=Table(
        (
            Column("vote", word="votes yes", style="tick"),
            Column("knows", word="knows of all", style="tick"),
            Column("decision", word="commits", style="tick"),
        ),
        title="Votes and decisions",
        share=0.34,
    ),
    wall=Wall(),
    glyphs=(
        Glyph("?", while_states=("uncertain",)),
        Glyph(TICK, while_states=("committed",)),
        Glyph(CROSS, while_states=("aborted",)),
    ),
    phrases={
        ("collecting", "Timeout"): "A vote is missing: it aborts and informs all others.",
        ("collecting", "No"): "Process {peer} votes no: it aborts, without waiting for the others.",
        ("preparing", "Ack"): "One more process knows that all have voted yes; answers missing: {pending:len}.",
        ("asking", "Report"): "Process {peer} has reported its state; answers missing: {pending:len}.",
        ("uncertain", "StateReq"): "The coordinator is silent; it now waits for {peer}.",
        ("prepared", "StateReq"): "The coordinator is silent; it now waits for {peer}.",
    },
)
