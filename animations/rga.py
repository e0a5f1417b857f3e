"""How the replicated growable array is drawn: the text of each process below it, and all texts in a table.

Green squares gossip, and blue diamonds have nothing new to send.  A message shows the number of operations that it
contains; the table shows how many operations a process knows, and how many erased characters it keeps as tombstones.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Table, Wall, Watch, derived


@derived
def number(p):
    """Return how many operations a process knows."""
    return len(p.log)


@derived
def stones(p):
    """Return the number of erased characters that it keeps."""
    return len(p.erased)


animation = Animation(
    states={"quiet": 3, "gossiping": 2},
    messages={"Edits": 0, "Next": 1, "Gossip": 3, "Type": 1, "Erase": 4},
    labels={"Edits": "Operations"},
    carries=Carries("len(log)", word="operations"),
    watch=Watch("{shown}", when="shown"),
    table=Table(
        (Column("shown", word="text", agree=True), Column("[number, number]", word="operations", style="tint"),
         Column("stones", word="tombstones")), title="The text of each process"),
    chart=Chart((Line("shown", of="different", word="different texts"), Line("number", of="max", word="operations")),
                title="Over time", share=0.2),
    wall=Wall(),
)  # fmt: skip
