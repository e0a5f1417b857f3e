"""How the grow-only counter is drawn: the value below each process, and the tables of all processes side by side.

Green squares gossip, and blue diamonds have nothing new to send.  The ring has the tint of the value, and a message has
the colour and the number of the value that its table adds up to."""

from lydian.pieces.animation import Animation, Carries, Chart, Line, Value, Wall, Watch

animation = Animation(
    states={"quiet": 3, "gossiping": 2},
    messages={"Counts": 0, "Next": 1, "Gossip": 3, "Increment": 1},
    labels={"Counts": "Table"},
    carries=Carries("sum([counts[q] for q in counts])", word="value"),
    values=(Value("value", style="tint", word="value"),),
    watch=Watch("shows {value}"),
    chart=(
        Chart((Line("made", of="sum", word="increments made"), Line("value", of="max", word="largest value"),
               Line("value", of="mean", word="mean value")), title="Over time", share=0.2),
    ),
    wall=Wall(),
    phrases={
        ("quiet", "Increment"): "Its user increments the counter: it now shows {value}.",
        ("gossiping", "Increment"): "Its user increments the counter: it now shows {value}.",
    },
)  # fmt: skip
