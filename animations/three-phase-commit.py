"""The looks of three-phase commit: a step between the votes and the decision.

The red hexagon leads: it collects votes, or has taken over and asks how far the others are.  Who is uncertain or
prepared waits for the one at the end of its red band; when the coordinator is silent, the bands turn to another one.
A tick is a commit, a cross an abort; no tick appears as long as there is a question mark.
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
    words={"uncertain": "uncertain: has voted yes"},
    labels={"VoteReq": "Vote?", "StateReq": "How far?", "PreCommit": "All voted yes"},
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
        ("collecting", "Timeout"): "A vote is missing: it aborts and tells everybody.",
        ("collecting", "No"): "{peer} refuses: it aborts, without waiting for the others.",
        ("preparing", "Ack"): "One more knows that all have voted yes; still to answer: {pending:len}.",
        ("asking", "Report"): "One more has told how far it is; still to answer: {pending:len}.",
        ("uncertain", "StateReq"): "The coordinator is silent; it waits for {peer} from now on.",
        ("prepared", "StateReq"): "The coordinator is silent; it waits for {peer} from now on.",
    },
)
