"""The looks of many mobile DAGs: the layer of one topic, and who is privileged in any.

Heads in the middle of the links show where they lead in the layer that is shown; links without one do not belong to
it; if they lead in a circle, it is a red one.  Coins lie at whoever is privileged in some layer; the line below a
process names its topics.  Who gives way sends green triangles with the number of the topic if it has news, else pale
bars.  The grid says who knows which news, the curves how many privileges there are in all layers.
"""

from lydian.views.animation import Animation, Cell, Chart, Dress, Grid, Line, Orientation, Token, Watch

animation = Animation(
    states={"asleep": 0, "member": 2, "sink": 6},
    messages={"Hello": 1, "News": 0, "Hold": 3, "Publish": 2},
    words={"asleep": "has heard nothing yet", "member": "in its layers", "sink": "privileged in some layer"},
    labels={"Hello": "Interested or not", "Hold": "Time to give way"},
    dresses=(
        Dress("News", "not batch", kind=5, word="Gives way, no news"),
        Dress("News", word="Gives way with news", letter="{topic}"),
    ),
    orientation=Orientation("out", by="members", word="leads to, in the layer shown", cycles=True),
    tokens=(Token(while_states=("sink",), letter="P", word="privilege"),),
    watch=Watch("{topics_of}"),
    badge="holding",
    grid=Grid((Cell("seen", slot=2, word="known"),), title="Who knows which news", word="news", most=16, share=0.26),
    chart=Chart(
        (
            Line("len(holding)", of="sum", word="privileges, in all layers"),
            Line("len(holding) > 1", word="privileged in several"),
        ),
        title="Over time",
        share=0.2,
        faults=False,
    ),
    phrases={
        ("sink", "Hold"): "In one layer it sends all it has, and its links turn round; the others go on.",
        ("member", "News"): "{peer} gave way in one layer; privileged now in {holding:len} layers.",
    },
)
