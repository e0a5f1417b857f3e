"""How SWIM is drawn: arrows lead to the members that a process suspects; links to those it considers dead are struck
out.

Yellow circles wait for their next period, green squares for an answer, and orange triangles ask others to probe.  The
grid has a row for each process and a column for each member that is suspected or dead.
"""

from lydian.pieces.animation import Animation, Cell, Chart, Grid, Line, Marks, Watch, derived


@derived
def suspects(p):
    """Return the members that are suspected."""
    return sorted(q for q, (status, _) in p.view.items() if status == "suspect")


@derived
def dead(p):
    """Return the members that are considered dead."""
    return sorted(q for q, (status, _) in p.view.items() if status == "dead")


animation = Animation(
    states={"idle": 0, "probing": 2, "asking": 4},
    messages={"Ping": 0, "Ack": 1, "PingReq": 4, "Period": 5, "Timeout": 5, "Expire": 5},
    labels={"Ack": "Answer", "PingReq": "Please ping", "Expire": "End of suspicion"},
    marks=(
        Marks("suspects", slot=4, style="arrow", word="suspects"),
        Marks("dead", slot=1, style="struck", word="considers dead"),
    ),
    watch=Watch("pings {target}", while_states=("probing", "asking")),
    badge="incarnation",
    grid=Grid(
        (Cell("dead", slot=1, word="dead"), Cell("suspects", slot=4, style="hollow", word="suspected")),
        title="Views", word="member",
    ),
    chart=Chart((Line("suspects", of="sum", word="suspicions"), Line("dead", of="sum", word="considered dead")),
                title="Over time", share=0.2),
)  # fmt: skip
