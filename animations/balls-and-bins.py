"""The appearance of balls and bins: grey bins not yet hit, red ones that throw balls, and blue ones at rest.

Each arrow is a ball on its way to a bin; in a round all balls are thrown and land together.  The chart below shows
how many processes have heard the rumour and how many throw in each round.  The chart beside it shows the balls of the
round, all balls so far, and n log n; above that number no bin remains empty, with high probability.
"""

from lydian.pieces.animation import Animation, Chart, Line

animation = Animation(
    states={"susceptible": 7, "infectious": 1, "resistant": 3},
    messages={"Gossip": 0, "Publish": 1, "ROUND": 3},
    words={"resistant": "knows, and rests"},
    labels={"Gossip": "Ball", "Publish": "Something happened", "ROUND": "Round"},
    chart=(
        Chart(
            (Line("history", of="count", word="have heard"), Line("state == 'infectious'", word="throw balls")),
            title="Processes",
        ),
        Chart(
            (
                Line("K if told else 0", of="sum", word="in this round"),
                Line("sum([thrown[i] for i in thrown])", of="sum", word="so far"),
                Line("n * log(n, 2)", of="max", word="n log n"),
            ),
            title="Balls",
        ),
    ),
    phrases={
        ("infectious", "ROUND"): "It has received balls or has news of its own, and throws K balls.",
        ("resistant", "ROUND"): "It throws nothing in this round; the next ball that hits it may wake it again.",
        ("susceptible", "ROUND"): "Nothing has arrived.",
    },
)
