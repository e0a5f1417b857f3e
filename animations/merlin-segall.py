"""The animation of Merlin-Segall: a round runs down the tree of fathers and up again.

Yellow circles have heard of no path; the red hexagon is the initiator.  A green square has been reached by the round
and waits for the distances of its neighbours; a blue diamond has completed its part.  The numbers on links are their
weights; arrows lead from each process to its father; dots mark the neighbours from which it has heard in this round.
The line below a process shows its distance, and messages carry that of their sender.
"""

from lydian.pieces.animation import Animation, Carries, Marks, Pointer, Watch

animation = Animation(
    states={"outside": 0, "leading": 1, "finished": 1, "asking": 2, "calm": 3},
    messages={"Dist": 0},
    labels={"Dist": "Distance of the sender"},
    carries=Carries("dist", word="distance"),
    pointers=(Pointer("father", style="arrow", word="father"),),
    marks=(Marks("heard", slot=2, word="has told its distance"),),
    watch=Watch("costs {dist}"),
    badge="heard",
    phrases={("outside", "Dist"): "The first path that it hears of leads through {peer} and costs {dist}."},
)
