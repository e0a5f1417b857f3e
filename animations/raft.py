"""How Raft is drawn: one leader with a crown, and logs that become equal.

The leader wears the crown; a candidate is an orange triangle, and dots show the votes it has received.  Arrows lead to
the leader that a process follows.  The ring has the tint of the term; the pie is the election timeout of a process that
waits for a leader.  Beside the network are the logs, a column for each process; an entry has the tint of its term, and
those above the green line are committed.  A partition is a wall.
"""

from lydian.pieces.animation import (
    Animation,
    Carries,
    Chart,
    Countdown,
    Glyph,
    Line,
    Logs,
    Marks,
    Pointer,
    Value,
    Wall,
    Watch,
)

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"


animation = Animation(
    states={"follower": 0, "candidate": 4, "leader": 1},
    messages={
        "RequestVote": 0,
        "Vote": 1,
        "AppendEntries": 2,
        "Answer": 4,
        "Write": 5,
        "Election": 3,
        "Beat": 5,
    },
    labels={"RequestVote": "Vote request", "AppendEntries": "Append", "Election": "Election timeout"},
    carries=Carries(
        {"RequestVote": "term", "Vote": "term if granted else None", "AppendEntries": "term", "Answer": "term"},
        word="term",
        words={"none": "no vote"},
    ),
    pointers=(Pointer("leader", style="arrow", while_states=("follower",), word="follows"),),
    marks=(Marks("votes", slot=4, word="has the vote of", while_states=("candidate",)),),
    values=(Value("term", style="tint", word="term"),),
    countdown=Countdown("Election", word="election timeout"),
    logs=Logs("log", commit="commit", item=1, tint=0, now="term", title="Logs side by side", word="term"),
    chart=Chart(
        (
            Line("log", of="max", word="longest log"),
            Line("commit", of="max", word="committed"),
            Line("term", of="max", word="term"),
        ),
        title="Over time",
        share=0.2,
    ),
    wall=Wall(),
    watch=Watch("term {term}", when="term"),
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Vote"): "Process {peer} has answered: {votes:vote|votes}, its own included.",
        ("candidate", "AppendEntries"): "Another process was elected: it follows {leader}.",
        ("leader", "RequestVote"): "Process {peer} is a candidate; if its term is higher, the leader steps down.",
    },
)
