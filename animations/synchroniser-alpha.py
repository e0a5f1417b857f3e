"""The looks of synchroniser alpha.

The bar beside a process is its pulse: bars of neighbours differ by one step at most.  Green squares wait for
acknowledgements of their values, orange ones are safe and wait for neighbours, blue diamonds are done.  The line
below a process says its pulse and the highest name that it knows: names travel one link a pulse, no more, no less.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"sleeping": 0, "unsafe": 2, "safe": 4, "done": 3},
    messages={"Value": 0, "Ack": 1, "Safe": 2},
    words={"safe": "safe, waits for neighbours"},
    letters={"Safe": "S"},
    values=(Value("pulse", style="bar", word="pulse"),),
    watch=Watch("pulse {pulse}, max {best}", when="best"),
    badge="pulse",
    phrases={
        ("sleeping", "Value"): "The first value wakes it, and it begins with pulse 0, too.",
        ("unsafe", "Value"): "It acknowledges the value and keeps it until pulse {pulse} ends.",
        ("safe", "Value"): "It acknowledges the value and keeps it; {peer} may be one pulse ahead.",
        ("unsafe", "Ack"): "{unacked:len} of its values may still be under way.",
        ("safe", "Safe"): "All that {peer} sent in its pulse has arrived.",
    },
)
