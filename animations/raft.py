"""How Raft is drawn: one leader with a crown, and logs that become equal.

The leader wears the crown; a candidate is an orange triangle, and dots show the votes it has received.  Arrows lead to
the leader that a process follows.  The ring has the colour of the term; the bar is as long as the log.  The line below
a process is its log, with term and command of each entry; entries before the bar are committed.
"""

from lydian.pieces.animation import Animation, Glyph, Marks, Pointer, Value, Watch, derived

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"


@derived
def cells(p):
    """Return the log as text, "1:x | 2:y"; the entries before the bar are committed."""
    texts = [f"{term}:{x}" for term, x in p.log]
    return " ".join([*texts[: p.commit], "|", *texts[p.commit :]]) if texts else ""


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
    letters={"RequestVote": "?"},
    pointers=(Pointer("leader", style="arrow", while_states=("follower",), word="follows"),),
    marks=(Marks("votes", slot=4, word="has the vote of", while_states=("candidate",)),),
    values=(
        Value("term", style="colour", word="term"),
        Value("log", style="bar", word="length of the log"),
    ),
    watch=Watch("{cells}"),
    badge="log",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Vote"): "Process {peer} has answered: {votes:vote|votes}, its own included.",
        ("candidate", "AppendEntries"): "Another process was elected: it follows {leader}.",
        ("leader", "RequestVote"): "Process {peer} is a candidate; if its term is higher, the leader steps down.",
    },
)
