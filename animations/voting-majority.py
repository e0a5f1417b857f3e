"""The looks of election by voting, majority ballots.

The line below a process is the term it is in and whom it voted for; those with the same vote lie in one area.
Candidates are trying, the bar beside each is the votes that it has.  Triangles ask for votes, rings are votes on their
way back.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Glyph, Group, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "candidate": 4, "follower": 3, "leader": 1},
    messages={"ReqVote": 0, "Vote": 1, "Leader": 2, "Retry": 3},
    words={"follower": "follows"},
    labels={"ReqVote": "Request for votes", "Leader": "Who is the leader", "Retry": "Ballot too long"},
    groups=Group("vote", word="voted for, in its term"),
    values=(Value("mine", style="bar", low=0, word="votes in its term"),),
    watch=Watch("term {term}: {vote}"),
    badge="term",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Retry"): "Nobody has won: it opens the ballot of term {term}.",
        ("idle", "Vote"): "A vote passes on its way to the candidate.",
        ("follower", "Vote"): "A vote passes on its way to the candidate.",
        ("follower", "ReqVote"): "It follows {leader}; a new request is passed on all the same.",
    },
)
