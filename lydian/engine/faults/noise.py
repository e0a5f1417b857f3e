"""Duplication and corruption on links; the affected messages are drawn from separate streams."""

from __future__ import annotations

import random
from collections.abc import Callable

from lydian.engine.faults.interventions import Faults
from lydian.engine.faults.lies import Lies, groups_of
from lydian.engine.queue import INTERVENTION, Delivery
from lydian.engine.setup import chances
from lydian.model.streams import stream_key

__all__ = ["make_noise"]


class Noise:
    """The duplication and corruption on one channel, or on all ways of one process of an overlay.

    It has streams of its own, named after the channel, so that the delays and losses are the same as without it.

    Args:
        faults: the interventions of the run.
        ends: the names in the names of its streams: sender and receiver, or ``overlay`` and the sender.
        duplication, corruption: the shares of messages that are duplicated, and that are corrupted.
    """

    __slots__ = ("_bounded", "_copy", "_faults", "_kernel", "_lies", "_spoil", "_twice", "corruption", "duplication")

    def __init__(self, faults: Faults, ends: tuple[str, str], duplication: float, corruption: float) -> None:
        run, seed = faults.run, faults.run.seed
        self.duplication, self.corruption = duplication, corruption
        self._faults, self._kernel = faults, run.kernel
        self._bounded = run.network.gst is not None
        self._twice = chances(stream_key(seed, "duplication", *ends))
        self._spoil = chances(stream_key(seed, "corruption", *ends))
        self._copy: Callable[[], float] = chances(stream_key(seed, "copy", *ends))
        names = () if run.network.anonymous else run.network.processes
        chance = random.Random(stream_key(seed, "garbled", *ends))
        self._lies = Lies(chance, groups_of(run.protocol, names), names, run.network.n)

    def send(self, delivery: Delivery) -> None:
        """Send a message, and duplicate or corrupt it immediately afterwards if it is affected."""
        kernel = self._kernel
        twice = self.duplication > 0 and self._twice() < self.duplication
        spoilt = self.corruption > 0 and self._spoil() < self.corruption
        kernel.queue.push(delivery)
        if twice or spoilt:
            kernel.at(kernel.now, self._strike, (delivery, twice, spoilt), INTERVENTION)

    def _strike(self, found: tuple[Delivery, bool, bool]) -> None:
        delivery, twice, spoilt = found
        faults, kernel = self._faults, self._kernel
        if twice:  # the copy is made before the original is changed, and its delay is at most twice as long
            later = delivery.time + (delivery.time - kernel.now) * self._copy()
            channel = delivery.channel
            if self._bounded:
                later = max(delivery.time, kernel.now + channel.draw())
            if channel.fifo:
                later = channel.in_order(later)
            faults.forge(channel, delivery.message, later, f'{{"copy_of":{delivery.id}}}')
        if spoilt and kernel.queue.withdraw(delivery):
            changed = self._lies.about(delivery.message)
            if changed is delivery.message:  # no field can be changed
                kernel.queue.push(delivery)
            else:
                faults.rewrite(delivery, changed)


def make_noise(faults: Faults) -> None:
    """Attach noise to every channel with duplication or corruption, and to the ways of an overlay without links."""
    run, network = faults.run, faults.run.network
    known = network.channels()
    if known.duplication.any() or known.corruption.any():
        for channel, twice, spoilt in zip(
            run.channels, known.duplication.tolist(), known.corruption.tolist(), strict=True
        ):
            if twice > 0 or spoilt > 0:
                channel.noise = Noise(faults, (channel.source._name, channel.target._name), twice, spoilt)
                channel.look_closer()
    if run.overlay is not None and (network.duplication > 0 or network.corruption > 0):
        run.overlay.noise = lambda sender: Noise(faults, ("overlay", sender), network.duplication, network.corruption)
