"""How Ben-Or is drawn.

Processes with the same value share one area; the line below each shows its round and value.  The bar shows how often a
process has tossed a coin.  One round in which all processes share one area is enough for all to decide.
"""

from lydian.pieces.animation import Animation, Carries, Group, Value, Watch

animation = Animation(
    states={"idle": 0, "reporting": 2, "proposing": 4, "decided": 3},
    messages={"Report": 0, "Proposal": 1},
    carries=Carries(
        {"Report": "x", "Proposal": "v"}, word="value", words={"none": "no majority"}, letters={"none": "?"}
    ),
    groups=Group("x", word="have the same value"),
    values=(Value("coins", style="bar", low=0, word="coins tossed"),),
    watch=Watch("round {r}: {x}"),
    badge="r",
    phrases={
        ("idle", "INIT"): "It begins with “{value}” and reports it.",
        ("reporting", "Report"): "It receives a report; n - f of its round are enough to continue.",
        ("proposing", "Proposal"): "Its own round is {r}, and its own value is “{x}”.",
    },
)
