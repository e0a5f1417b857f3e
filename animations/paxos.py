"""How Paxos is drawn: promises, and the values that have been accepted.

The ring round a process has the tint of the highest round that it has seen.  The table shows for each acceptor the
highest ballot that it has promised, and the ballot and the value that it has accepted; a value is chosen when a
majority has accepted it in the same ballot.  Red hexagons prepare a ballot, light triangles propose a value, and orange
ones were outbid; a blue diamond has learned the chosen value.  Dots show the promises that a proposer has received.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Marks, Table, Value, Wall, derived


@derived
def promise(p):
    """Return the ballot that it has promised, or None."""
    return [p.promised[0], f"{p.promised[0]} of {p.promised[1]}"] if p.promised[0] else None


@derived
def accepted(p):
    """Return the ballot in which it has accepted, or None."""
    return [p.ballot[0], f"{p.ballot[0]} of {p.ballot[1]}"] if p.ballot[0] else None


animation = Animation(
    states={"listening": 0, "preparing": 1, "proposing": 5, "outbid": 4, "learned": 3},
    messages={"Prepare": 0, "Promise": 1, "Accept": 2, "Accepted": 4, "Reject": 3, "Retry": 3},
    carries=(
        Carries({"Prepare": "b", "Promise": "b", "Reject": "promised"}, word="ballot"),
        Carries({"Accept": "value", "Accepted": "value"}, word="value"),
    ),
    table=Table(
        (
            Column("promise", word="promised", style="tint"),
            Column("accepted", word="accepted in", style="tint", agree=True),
            Column("value", word="value"),
            Column("learned", word="learned"),
        ),
        title="Acceptors and their ballots",
        share=0.4,
    ),
    chart=Chart(
        (Line("round", of="max", word="highest round"), Line("learned", of="different", word="chosen")),
        title="Over time",
        share=0.2,
    ),
    wall=Wall(),
    marks=(Marks("promises", slot=1, word="has the promise of", while_states=("preparing", "proposing")),),
    values=(Value("round", style="tint", word="highest round seen"),),
    phrases={
        ("preparing", "Promise"): "Process {peer} has promised: {promises:promise|promises}, its own included.",
        ("proposing", "Reject"): "Process {peer} has promised a higher ballot: this one has failed.",
        ("preparing", "Reject"): "Process {peer} has promised a higher ballot: this one has failed.",
        ("outbid", "Retry"): "It tries again, in a higher ballot: {b}.",
        ("listening", "Accepted"): "Process {peer} has accepted; it counts the acceptances in each ballot.",
        ("learned", "Prepare"): "It promises, and reports what it has accepted: {value} in {ballot}.",
    },
)
