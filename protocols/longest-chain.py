"""Longest chain: processes find blocks at random times, and each extends the longest chain that it knows.

Processes agree on a growing ledger, a chain of blocks, although none of them is special and no process knows all
others: the chain with the most blocks is valid, because it took the most work.

Finding a block takes a random time (a process tries until a hash is small enough), so usually one process is first,
and the others receive its block before they find one.  If two blocks are found nearly simultaneously, the chain forks,
and processes continue with the block that they receive first, until one branch is longer.  A block counts as committed
when ``depth`` blocks follow it.

Pseudo-code (chain: the longest chain known, by its last block, the tip)::

    after a random time:             b := (new name, my tip); send Block(b) to all neighbours; accept b; begin anew
    Block(b) from q, not known:      send Block(b) to all other neighbours
                                     if its parent is known: accept b, and all that wait for it; else let b wait
    accept b:                        if its height is greater than that of my tip: my tip := b
    committed:                       all blocks of the chain but the last ``depth``

A process stops when its chain has ``height`` blocks, so that the run ends.  The process with the name ``private`` has
the share ``power`` of all computing power and keeps its blocks to itself, until its chain is longer than that of the
others and would replace a committed block; if it falls behind by more than ``depth`` blocks, it begins a new branch.
The others share the rest of the power equally.

Needs a connected network with names, reliable links, and processes that all start and do not crash; the time between
two blocks must be much longer than messages take, and honest processes need most of the power.
Complexity: at most 2m messages for each block, of which there are at most n for each height.

Reference: S. Nakamoto, Bitcoin: a peer-to-peer electronic cash system, 2008; J. Garay, A. Kiayias and N. Leonardos,
The Bitcoin backbone protocol: analysis and applications, EUROCRYPT 2015 (common prefix).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    everybody_starts,
    measure,
    named,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

MINING, PRIVATE, FINISHED = states(
    "mining", "private", "finished",
    reads={"mining": "is looking for a block", "private": "keeps its blocks to itself", "finished": "has stopped"},
)  # fmt: skip
GENESIS = "-"  # the block from which every chain begins


class Block(Message):
    """A block with the block before it and its height."""

    name: str
    parent: str
    height: int


class Found(Timer):
    """The moment at which a process finds a block."""


class LongestChain(Process):
    title = "Longest chain"
    needs = connected, two_way, named, everybody_starts, reliable, no_crashes
    messages = "<= 2*m*n*height"

    state = MINING
    blocks: dict[str, tuple[str, int]] = {}  # the blocks that I know: name -> parent, height
    waiting: list[tuple[str, str, int]] = []  # blocks whose parent is missing
    tip: str = GENESIS  # the last block of the chain that I extend
    chain: list[str] = []  # this chain, the oldest block first
    committed: int = 0  # how many of its blocks are committed
    found: int = 0  # how many blocks I have found
    hidden: list[str] = []  # the blocks that I keep to myself
    public: int = 0  # the height of the longest chain of the others, as far as I know

    height = parameter(8, minimum=1, maximum=200, help="the number of blocks at which a process stops")
    depth = parameter(3, minimum=0, maximum=50, help="how many blocks must follow a block before it is committed")
    interval = parameter(40.0, minimum=0.1, maximum=10000.0, help="the mean time between two blocks of all processes")
    private = parameter("", help="the process that keeps its blocks to itself")
    power = parameter(0.6, minimum=0.01, maximum=0.99, help="its share of the computing power of all processes")
    miners = parameter(8, minimum=1, maximum=1000, help="the number of processes, which determines the share of each")

    @on(MINING, INIT)
    def start(self):
        """It begins to look for a block.

        becomes private: It begins to look for a block, which it will keep to itself.
        otherwise: It begins to look for a block.
        """
        if self.me == self.private:
            self.state = PRIVATE
        self.look()

    @on((PRIVATE, FINISHED), INIT)
    def begun_already(self):
        """It is looking for a block already, or has stopped."""

    @on((MINING, PRIVATE), Found)
    def find(self):
        """It finds a block that extends its chain.

        becomes mining: It finds a block; its chain is longer than that of the others, and it publishes all its blocks.
        while private: It finds a block and keeps it to itself.
        becomes finished: It finds the last block, and sends it to all its neighbours.
        otherwise: It finds a block that extends its chain, and sends it to all its neighbours.
        """
        self.found += 1
        name = f"{self.me}.{self.found}"
        self.blocks[name] = (self.tip, len(self.chain) + 1)
        if self.state == PRIVATE:
            self.hidden.append(name)
        else:
            self.tell(name, self.neighbours)
        self.follow(name)
        self.publish()

    @on(ANY, Block)
    def receive(self, m, q):
        """It passes the block on and extends its chain, if the block is new.

        changes tip and becomes mining: It publishes its blocks, as its chain replaces a committed block.
        changes tip: It passes the block on; its chain now ends with {tip}.
        sends Block: The block is new, so it passes it on, but its own chain is not shorter.
        otherwise: It knows the block already.
        """
        if m.name in self.blocks or any(m.name == name for name, _, _ in self.waiting):
            return
        self.send(m, to=[r for r in self.neighbours if r != q])
        self.waiting.append((m.name, m.parent, m.height))
        while ready := next((b for b in self.waiting if b[1] == GENESIS or b[1] in self.blocks), None):
            self.waiting.remove(ready)
            name, parent, height = ready
            self.blocks[name] = (parent, height)
            self.public = max(self.public, height)
            behind = self.public - len(self.chain)
            if behind > (self.depth if self.state == PRIVATE else 0) and height == self.public:
                self.hidden = []
                self.follow(name)
        self.publish()

    @on(FINISHED, Found)
    def no_more(self):
        """It has stopped."""

    def look(self):
        if len(self.chain) >= self.height:
            self.state = FINISHED
            self.cancel_timer(Found)
            return
        if not self.private:
            share = 1 / self.miners
        elif self.me == self.private:
            share = self.power
        else:
            share = (1 - self.power) / max(self.miners - 1, 1)
        self.set_timer(Found(), after=self.random.expovariate(share / self.interval))

    def follow(self, name):
        """Extend the chain that ends with this block from now on."""
        self.tip, self.chain = name, []
        while name != GENESIS:
            self.chain.insert(0, name)
            name = self.blocks[name][0]
        if self.state != PRIVATE:
            self.committed = max(len(self.chain) - self.depth, 0)
        self.look()

    def publish(self):
        """Publish the hidden blocks if they replace a block that others consider committed."""
        if self.state in (PRIVATE, FINISHED) and self.hidden:
            first = self.blocks[self.hidden[0]][1]
            if len(self.chain) > self.public >= first + self.depth or self.state == FINISHED:
                for name in self.hidden:
                    self.tell(name, self.neighbours)
                self.hidden = []
                if self.state == PRIVATE:
                    self.state = MINING
                self.committed = max(len(self.chain) - self.depth, 0)

    def tell(self, name, to):
        self.send(Block(name, *self.blocks[name]), to=to)


@always("common prefix: no two processes have committed different blocks at the same height")
def common_prefix(c):
    longest = max((p.chain[: p.committed] for p in c.processes), key=len)
    return all(p.chain[: p.committed] == longest[: p.committed] for p in c.processes)


@always("each chain consists of blocks that are linked by their parents")
def linked(c):
    for p in c.processes:
        before = GENESIS
        for height, name in enumerate(p.chain, 1):
            if p.blocks[name] != (before, height):
                return False
            before = name
    return True


@always("an honest process follows a chain that is as long as any that it knows")
def longest(c):
    return all(
        len(p.chain) >= max((height for _, height in p.blocks.values()), default=0)
        for p in c.processes
        if p.me != p.private
    )


@at_end("all chains have the same length")
def equally_long(c):
    return len({len(p.chain) for p in c.processes}) == 1


@measure("share of blocks that are not in the longest chain")
def stale(c):
    blocks = {name for p in c.processes for name in p.blocks}
    return 1 - len(max((p.chain for p in c.processes), key=len)) / max(len(blocks), 1)
