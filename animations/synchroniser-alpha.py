"""How synchroniser alpha is drawn.

The bar beside a process shows its pulse: the bars of neighbours differ by at most one step.  Green squares wait for
acknowledgements of their values, orange triangles are safe and wait for neighbours, and blue diamonds are done.  The
line below a process shows its pulse and the highest name it knows: names travel exactly one link in each pulse.
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
        ("sleeping", "Value"): "It is woken by the first value, and also begins pulse 0.",
        ("unsafe", "Value"): "It acknowledges the value and stores it until pulse {pulse} ends.",
        ("safe", "Value"): "It acknowledges the value and stores it; {peer} may be one pulse ahead.",
        ("unsafe", "Ack"): "It has {unacked:value|values} that may still be in transit.",
        ("safe", "Safe"): "All the values that {peer} sent in its current pulse have arrived.",
    },
)
