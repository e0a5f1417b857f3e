"""How three-phase commit is drawn: there is a step between the votes and the decision.

The red hexagon leads: it collects votes, or has taken over and asks for the states of the others.  An uncertain or
prepared process waits for the process at the end of its red band; when the coordinator is silent, the bands turn to
another process.  A tick is a commit, a cross an abort; no tick appears while there is a question mark.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer, Watch

TICK = "M -0.8 0.05 L -0.25 0.6 L 0.8 -0.6"
CROSS = "M -0.6 -0.6 L 0.6 0.6 M 0.6 -0.6 L -0.6 0.6"

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
    letters={"VoteReq": "?", "No": "n", "PreCommit": "p", "Commit": "C"},
    pointers=(Pointer("coordinator", style="waiting", while_states=("uncertain", "prepared"), word="waits for"),),
    watch=Watch("waits for {pending}", while_states=("preparing", "asking")),
    badge="pending",
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
