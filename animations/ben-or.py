"""The looks of Ben-Or.

Processes that have the same value lie in one area, and below each stand its round and its value.  The bar beside it is
how often it threw a coin.  One round in which the areas have become one is enough for all to decide.
"""

from lydian.pieces.animation import Animation, Group, Value, Watch

animation = Animation(
    states={"idle": 0, "reporting": 2, "proposing": 4, "decided": 3},
    messages={"Report": 0, "Proposal": 1},
    groups=Group("x", word="have the same value"),
    values=(Value("coins", style="bar", low=0, word="coins thrown"),),
    watch=Watch("round {r}: {x}"),
    badge="r",
    phrases={
        ("idle", "INIT"): "It begins with “{value}” and reports it.",
        ("reporting", "Report"): "A report; n - f of its round are enough to go on.",
        ("proposing", "Proposal"): "A proposal; n - f of its round are enough to go on. It is in round {r} with “{x}”.",
    },
)
