"""The looks of Flooding: yellow circles have not heard, green squares have; green triangles carry the news."""

from lydian.pieces.animation import Animation

animation = Animation(
    states={"sleeping": 0, "received": 2},
    messages={"Broadcast": 0},
    phrases={("received", "Broadcast"): "It has heard the news before, so this copy from {peer} was in vain."},
)
