"""A script with two protocols, which the tests of the functions for scripts import and execute."""

from __future__ import annotations

import json

import lydian
from lydian import INIT, Message, Process, always, at_end, connected, on, one_initiator, parameter, states

QUIET, LOUD = states("quiet", "loud")
FIRST = len(json.loads("[1, 2, 3]"))  # computed by what a protocol cannot import
NAMES = ["a", "b"]


class Word(Message):
    """A word."""

    hops: int = 0


def louder(hops):
    return hops + 1


def unrelated():
    return lydian.run("no such protocol")


class Flood(Process):
    """Flood: each process passes the first word on."""

    needs = connected, one_initiator
    state = QUIET
    times: int = parameter(1, minimum=1)
    heard: int = 0

    @on(QUIET, INIT)
    def start(self):
        self.state = LOUD
        self.tell_all(FIRST)

    @on(QUIET, Word)
    def hear(self, m, q):
        self.state = LOUD
        self.heard = m.hops
        self.tell_all(louder(m.hops))

    @on(LOUD, Word)
    def ignore(self, m, q):
        pass

    def tell_all(self, hops):
        for _ in range(self.times):
            for q in self.neighbours:
                self.send(Word(hops), to=q)


@at_end("everybody is loud")
def everybody(c):
    return all(p.state == LOUD for p in c.processes)


class Wrong(Process):
    """Wrong: it has no action for a word that arrives late."""

    state = QUIET

    @on(QUIET, INIT)
    def start(self):
        self.state = LOUD
        for q in self.neighbours:
            self.send(Word(), to=q)

    @on(QUIET, Word)
    def hear(self, m, q):
        self.state = LOUD
        self.send(Word(1 // (m.hops - m.hops)), to=q)


@always("nobody is loud")
def nobody(c):
    return all(p.state == QUIET for p in c.processes)


if __name__ == "__main__":
    run = lydian.run(Flood, network="ring:5", seed=3)
    print(run.ok, run.messages, run.checks[0].name)
