"""How view synchrony is drawn: blue diamonds are members of a view, and orange triangles wait for the next one.

The ring of a process has the tint of its view; the table shows what each process has delivered in its view.
"""

from lydian.pieces.animation import Animation, Carries, Column, Pointer, Table, Value, Watch, derived


@derived
def name(p):
    """Return the view with its members."""
    return f"{p.view}: {' '.join(p.members)}" if p.view else ""


@derived
def delivered(p):
    """Return what it has delivered in its view, sorted, because each process may deliver in a different order."""
    return ", ".join(sorted(p.log))


animation = Animation(
    states={"asleep": 0, "member": 3, "blocked": 4},
    messages={"Data": 0, "Flush": 4, "State": 5, "View": 1, "Say": 2, "Crashed": 3},
    labels={"Data": "Message", "State": "Log", "View": "New view", "Crashed": "Crash noticed"},
    carries=Carries({"Data": "x", "View": "view"}, word="message or view"),
    values=(Value("view", style="tint", word="view"),),
    pointers=(Pointer("answered", style="arrow", while_states=("blocked",), word="answers"),),
    table=Table(
        (Column("view", word="view", style="tint"), Column("delivered", word="delivered in this view")), title="Views"
    ),
    watch=Watch("view {name}", when="view"),
)
