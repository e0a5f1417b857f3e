"""How Paxos is drawn: promises, and the values that have been accepted.

The ring round a process has the colour of the highest round that it has seen.  The line below it shows the value that
it has accepted, and in which ballot.  Red hexagons prepare a ballot, light triangles propose a value, orange ones were
outbid; a blue diamond has learned the chosen value.  Dots show the promises that a proposer has received.
"""

from lydian.pieces.animation import Animation, Marks, Value, Watch

animation = Animation(
    states={"listening": 0, "preparing": 1, "proposing": 5, "outbid": 4, "learned": 3},
    messages={"Prepare": 0, "Promise": 1, "Accept": 2, "Accepted": 4, "Reject": 3, "Retry": 3},
    letters={"Prepare": "?", "Accept": "v", "Reject": "-"},
    watch=Watch("accepted {value} in ballot {ballot}", when="value"),
    badge="value",
    marks=(Marks("promises", slot=1, word="has the promise of", while_states=("preparing", "proposing")),),
    values=(Value("round", style="colour", word="highest round seen"),),
    phrases={
        ("preparing", "Promise"): "Process {peer} has promised: {promises:promise|promises}, its own included.",
        ("proposing", "Reject"): "Process {peer} has promised a higher ballot: this one has failed.",
        ("preparing", "Reject"): "Process {peer} has promised a higher ballot: this one has failed.",
        ("outbid", "Retry"): "It tries again, in a higher ballot: {b}.",
        ("listening", "Accepted"): "Process {peer} has accepted; it counts the acceptances in each ballot.",
        ("learned", "Prepare"): "It promises, and reports what it has accepted: {value} in {ballot}.",
    },
)
