"""How the ABD register is drawn: the copy of each process by its tint, and which processes have answered.

A message has the colour and the letter of the value that it carries.  Dots show the processes that have answered.
"""

from lydian.pieces.animation import Animation, Carries, Column, Marks, Table, Value, derived


@derived
def answering(p):
    """Return the processes that have answered its last question."""
    return sorted(p.answers)


animation = Animation(
    states={"idle": 0, "asking": 2, "storing": 4},
    messages={"Ask": 2, "Copy": 1, "Store": 4, "Stored": 3, "Write": 4, "Read": 2},
    labels={"Stored": "Stored", "Write": "Write", "Read": "Read"},
    carries=Carries("value", word="value"),
    marks=(Marks("answering", slot=4, word="has answered", while_states=("asking", "storing")),),
    values=(Value("value", style="tint", word="copy"),),
    table=Table(
        (Column("value", word="value", style="tint"), Column("number", word="number"), Column("name", word="writer")),
        title="Copies",
    ),
)
