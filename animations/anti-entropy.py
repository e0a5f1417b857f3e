"""How anti-entropy is drawn: grey processes have an empty database, and green ones have entries.

A message shows the number of entries that it contains; a question and an empty database have none.  The grid shows
which process has which key, and the chart how many processes have entries.
"""

from lydian.pieces.animation import Animation, Carries, Cell, Chart, Grid, Line

animation = Animation(
    states={"empty": 7, "filled": 2},
    messages={"Push": 0, "Ask": 3, "Exchange": 1, "Answer": 2, "Write": 4, "ROUND": 3},
    labels={"Push": "Entries", "Exchange": "Entries and question", "Ask": "Question", "ROUND": "Round"},
    carries=Carries({"Push": "len(database)", "Exchange": "len(database)", "Answer": "len(database)"}, word="entries"),
    grid=Grid((Cell("database", slot=2, word="has an entry"),), title="Databases", word="key"),
    chart=Chart(
        (Line("database", of="count", word="have entries"), Line("database", of="mean", word="entries per process")),
        title="Over time", share=0.24,
    ),
)  # fmt: skip
