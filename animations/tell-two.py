"""The appearance of Tell two others: yellow circles have heard nothing, red ones are calling, and blue ones are
silent."""

from lydian.pieces.animation import Animation, Chart, Line

animation = Animation(
    states={"ignorant": 0, "telling": 1, "silent": 3},
    messages={"Rumour": 0, "Call": 1, "Tell": 2},
    words={"silent": "knows, and is silent"},
    chart=Chart(
        (Line("state != 'ignorant'", word="know the rumour"), Line("state == 'telling'", word="are calling")),
        title="Processes",
    ),
)
