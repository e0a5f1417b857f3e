"""The animation of election by voting, full tally.

Processes that have voted for the same candidate are in one area.  Triangles ask for votes, and rings carry ballots
back; the bar beside a candidate shows the number of votes for it that it has counted.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Group, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "voter": 2, "leader": 1, "informed": 3},
    messages={"ReqVote": 0, "Ballot": 1, "Leader": 2},
    labels={"ReqVote": "Request for votes", "Leader": "Announcement"},
    carries=Carries({"ReqVote": "c", "Ballot": "c", "Leader": "id"}, word="candidate"),
    groups=Group("vote", word="voted for"),
    values=(Value("mine", style="bar", word="votes counted"),),
    watch=Watch("voted for {vote}"),
    badge="vote",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("sleeping", "ReqVote"): "It votes for {vote}, whose request is the first to arrive.",
        ("voter", "ReqVote"): "It has voted for {vote}; it forwards a new request and answers a known one at once.",
        ("voter", "Ballot"): "It adds these votes to those that it will send back.",
        ("candidate", "Ballot"): "It adds these votes; {mine} are for itself so far.",
    },
)
