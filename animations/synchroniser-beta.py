"""How synchroniser beta is drawn.

The bar beside a process shows its pulse: no two bars differ by more than one step.  Blue links are the tree; green
squares wait for acknowledgements or for their children, orange triangles are safe with their subtrees, and the links
above them are red until the next pulse.  The line below a process shows its pulse and the highest name it knows.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"sleeping": 0, "joining": 5, "unsafe": 2, "safe": 4, "done": 3},
    messages={"Join": 3, "Value": 0, "Ack": 1, "Safe": 2, "Pulse": 4},
    letters={"Safe": "S", "Pulse": "P"},
    pointers=(
        Pointer("parent", style="waited", while_states=("safe",), word="safe subtree"),
        Pointer("parent", style="tree", while_states=("joining", "unsafe", "done"), word="tree"),
    ),
    values=(Value("pulse", style="bar", word="pulse"),),
    watch=Watch("pulse {pulse}, max {best}", when="best"),
    badge="pulse",
    phrases={
        ("sleeping", "Join"): "It hears of the tree for the first time, and {peer} becomes its parent.",
        ("unsafe", "Ack"): "It has {unacked:value|values} that may still be in transit.",
        ("unsafe", "Safe"): "The subtree of {peer} is safe.",
        ("safe", "Pulse"): "The root knows that all processes are safe, and pulse {pulse} begins.",
    },
)
