"""The animation of Flooding: green squares have the news, and yellow circles do not; green triangles carry it."""

from lydian.pieces.animation import Animation

animation = Animation(
    states={"sleeping": 0, "received": 2},
    messages={"Broadcast": 0},
    phrases={("received", "Broadcast"): "It already has the news, so this copy from {peer} is redundant."},
)
