"""How primary-backup replication is drawn: the value of each server by its tint, and the role of each process by its
state.

A message has the colour and the letter of the value that it carries.
"""

from lydian.pieces.animation import Animation, Carries, Column, Table, Value

animation = Animation(
    states={"watching": 6, "spare": 0, "backup": 3, "primary": 1, "ready": 4, "waiting": 2},
    messages={
        "Who": 5, "Here": 5, "View": 5, "Request": 2, "Reply": 1, "Update": 3, "Updated": 3, "Write": 4, "Read": 2,
    },
    labels={"Who": "Who", "Here": "Here", "View": "View", "Write": "Write", "Read": "Read", "Updated": "Updated"},
    carries=Carries("value", word="value"),
    values=(Value("value", style="tint", word="value"),),
    table=Table((Column("view", word="view"), Column("value", word="value", style="tint")), title="Views"),
)  # fmt: skip
