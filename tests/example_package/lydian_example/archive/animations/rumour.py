"""Rumour: a star over each process that the rumour has reached."""

from lydian.pieces.animation import Animation, Star

animation = Animation(states={"idle": 0, "informed": 1}, stars=Star("distance", "has heard"))
