"""Links that double or change messages: which ones, drawn from streams of their own."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from lydian.engine.lies import Lies, groups_of
from lydian.engine.queue import INTERVENTION, Delivery
from lydian.engine.setup import chances
from lydian.model.streams import stream_key

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["Noise", "make_noise", "overlay_noise"]


class Noise:
    """What goes wrong on one channel, or on all ways of one process of an overlay, beside loss.

    Its streams are named after the channel, so that the delays and losses of a run without it stay as they are.

    Args:
        simulator: of the run.
        ends: the names that the streams carry: sender and receiver, or ``overlay`` and the sender.
        duplication, corruption: shares of the messages that come twice, and that are changed.
    """

    __slots__ = ("_copy", "_lies", "_simulator", "_spoil", "_twice", "corruption", "duplication")

    def __init__(self, simulator: Simulator, ends: tuple[str, str], duplication: float, corruption: float) -> None:
        seed = simulator.seed
        self.duplication, self.corruption = duplication, corruption
        self._simulator = simulator
        self._twice = chances(stream_key(seed, "duplication", *ends))
        self._spoil = chances(stream_key(seed, "corruption", *ends))
        self._copy: Callable[[], float] = chances(stream_key(seed, "copy", *ends))
        names = () if simulator.network.anonymous else simulator.network.processes
        chance = random.Random(stream_key(seed, "garbled", *ends))
        self._lies = Lies(chance, groups_of(simulator.protocol, names), names, simulator.network.n)

    def send(self, delivery: Delivery) -> None:
        """Put a message on its way; if something goes wrong with it, that follows at once."""
        kernel = self._simulator.kernel
        twice = self.duplication > 0 and self._twice() < self.duplication
        spoilt = self.corruption > 0 and self._spoil() < self.corruption
        kernel.queue.push(delivery)
        if twice or spoilt:
            kernel.at(kernel.now, self._strike, (delivery, twice, spoilt), INTERVENTION)

    def _strike(self, found: tuple[Delivery, bool, bool]) -> None:
        delivery, twice, spoilt = found
        faults = self._simulator.faults
        if twice:  # the copy is made before the original is changed, and takes up to as long again
            now = self._simulator.kernel.now
            later = delivery.time + (delivery.time - now) * self._copy()
            channel = delivery.channel
            if channel.fifo:
                later = channel.in_order(later)
            faults.forge(channel, delivery.message, later, f'{{"copy_of":{delivery.id}}}')
        if spoilt and self._simulator.kernel.queue.withdraw(delivery):
            changed = self._lies.about(delivery.message)
            if changed is delivery.message:  # nothing in it can be changed
                self._simulator.kernel.queue.push(delivery)
            else:
                faults.rewrite(delivery, changed)


def make_noise(simulator: Simulator) -> None:
    """Give every channel that doubles or changes messages its noise."""
    known = simulator.network.channels()
    if known.duplication.any() or known.corruption.any():
        for channel, twice, spoilt in zip(
            simulator.channels, known.duplication.tolist(), known.corruption.tolist(), strict=True
        ):
            if twice > 0 or spoilt > 0:
                channel.noise = Noise(simulator, (channel.source._name, channel.target._name), twice, spoilt)
                channel.look_closer()


def overlay_noise(simulator: Simulator, sender: str) -> Noise | None:
    """The noise of the ways of one process of an overlay that are no links."""
    network = simulator.network
    if network.duplication <= 0 and network.corruption <= 0:
        return None
    return Noise(simulator, ("overlay", sender), network.duplication, network.corruption)
