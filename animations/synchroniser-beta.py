"""The looks of synchroniser beta.

The bar beside a process is its pulse: no two bars differ by more than a step.  Blue links are the tree; green squares
wait for acknowledgements or for their children, orange ones are safe with all that is below them, and the link above
them is red until the next pulse.  The line below a process says its pulse and the highest name that it knows.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"sleeping": 0, "joining": 5, "unsafe": 2, "safe": 4, "done": 3},
    messages={"Join": 3, "Value": 0, "Ack": 1, "Safe": 2, "Pulse": 4},
    letters={"Safe": "S", "Pulse": "P"},
    pointers=(
        Pointer("parent", style="waited", while_states=("safe",), word="safe below"),
        Pointer("parent", style="tree", while_states=("joining", "unsafe", "done"), word="tree"),
    ),
    values=(Value("pulse", style="bar", word="pulse"),),
    watch=Watch("pulse {pulse}, max {best}", when="best"),
    badge="pulse",
    phrases={
        ("sleeping", "Join"): "It hears of the tree for the first time, and {peer} becomes its parent.",
        ("unsafe", "Ack"): "{unacked:len} of its values may still be under way.",
        ("unsafe", "Safe"): "The part of the tree below {peer} is safe.",
        ("safe", "Pulse"): "The root knows that all are safe, and pulse {pulse} begins.",
    },
)
