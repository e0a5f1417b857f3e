"""The animation of election by voting, majority ballots.

The line below a process shows its term and its vote; processes with the same vote are in one area.  The bar beside a
candidate shows the number of votes that it has.  Triangles ask for votes, and rings are votes on their way back.  The
leader wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Group, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "candidate": 4, "follower": 3, "leader": 1},
    messages={"ReqVote": 0, "Vote": 1, "Leader": 2, "Retry": 3},
    words={"follower": "follows"},
    labels={"ReqVote": "Request for votes", "Leader": "Announcement", "Retry": "Ballot too long"},
    carries=Carries("c", word="candidate"),
    groups=Group("vote", word="voted for, in its term"),
    values=(Value("mine", style="bar", low=0, word="votes in its term"),),
    watch=Watch("term {term}: {vote}"),
    badge="term",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Retry"): "No candidate has won, so it opens the ballot of term {term}.",
        ("idle", "Vote"): "It forwards the vote to the candidate.",
        ("follower", "Vote"): "It forwards the vote to the candidate.",
        ("follower", "ReqVote"): "It follows {leader}, but would still forward a new request.",
    },
)
