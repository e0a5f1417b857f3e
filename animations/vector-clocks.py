"""How vector clocks are drawn: the line below a process shows of how many processes it knows any events.

Yellow circles have had no event; blue diamonds have.  The number at the corner counts the entries of the vector; the
bar shows how many events the process itself has had.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"fresh": 0, "ticking": 3},
    messages={"Letter": 0},
    watch=Watch("knows of {v:len}", while_states=("ticking",)),
    values=(Value("own", style="bar", word="own events"),),
    badge="v",
    phrases={
        ("ticking", "Letter"): "It now knows all that {peer} knew on sending: it has counted events of "
        "{v:process|processes}.",
        ("fresh", "Letter"): "It learns the causal past of {peer}: it now counts events of {v:process|processes}.",
    },
)
