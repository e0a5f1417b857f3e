"""The common parts of layers that maintain a structure."""

from lydian import Layer, parameter


class Kept(Layer):
    """A layer with a maintained structure."""

    latency = parameter(1.0, minimum=0.0, help="time until a broken connection is detected")
    maintain = parameter(
        80.0, minimum=0.0, help="time until which the ring, the trees and the views are maintained",
        reached=lambda p: p.clock + 10 >= p.maintain > 0,  # no period is longer
    )

    def again(self, timer, period):
        """Schedule the next round not quite after ``period``, so that processes do not stay in step."""
        if self.clock + period <= self.maintain:
            self.set_timer(timer, after=period * self.random.uniform(0.9, 1.1))
