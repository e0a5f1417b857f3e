"""What layers have in common that keep something in order."""

from lydian import Layer, parameter


class Kept(Layer):
    """What layers have in common that keep something in order."""

    latency = parameter(1.0, minimum=0.0, help="how long it takes until a broken connection is noticed")
    maintain = parameter(
        80.0, minimum=0.0, help="until when the ring, the trees and the views are looked after",
        reached=lambda p: p.clock + 10 >= p.maintain > 0,  # no period is longer
    )

    def again(self, timer, period):
        """Not quite after ``period``, so that processes do not stay in step."""
        if self.clock + period <= self.maintain:
            self.set_timer(timer, after=period * self.random.uniform(0.9, 1.1))
