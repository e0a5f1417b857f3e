"""Publications, flooded along the ring and repaired by comparing tries."""

from lydian import on

from .member import Member
from .messages import OUTSIDE, READERS, CheckAndPublish, CheckTrie, Publish, PublishNew, PublishTimeout, Say
from .tries import EMPTY, find, h


class Publications(Member):
    """Publications."""

    @on(READERS, Say)
    def say(self, m):
        """Its user has a publication, which it floods over ring and shortcuts.

        sends: Its user has a publication, which it floods over ring and shortcuts.
        otherwise: Its user has a publication.
        """
        self.said += 1
        self.publish(f"{self.me}: {m.content} {self.said}", self.flooding)

    def publish(self, text, flood):
        tries = 0
        while (key := format(int(h(f"{text} {tries}"), 16) >> (32 - self.bits), f"0{self.bits}b")) in self.T:
            tries += 1
        self.insert(key, text)
        if flood:
            self.flood(PublishNew(key, text), None)

    @on(READERS, PublishNew)
    def learn(self, m, q):
        """It receives a flooded publication; if it is new, it forwards it over ring and shortcuts.

        delivers and sends PublishNew: The publication is new to it, so it delivers it and forwards it over its links.
        delivers: The publication is new to it, so it delivers it; it has no link to forward it over.
        otherwise: It already has this publication, or the key is wrong.
        """
        if self.is_new(m.key):
            self.depth = max(self.depth, m.hops)
            self.insert(m.key, m.text)
            self.flood(PublishNew(m.key, m.text, m.hops + 1), None if self.back else q)

    def flood(self, m, without):
        for v in self.friends():
            if v != without:
                self.tell(m, v)

    def friends(self):
        """Return all processes that it is linked with."""
        return tuple(dict.fromkeys([*(c[1] for c in (self.left, self.right, self.ring) if c),
                                   *(v for v in self.shortcuts.values() if v)]))  # fmt: skip

    def is_new(self, key):
        return key not in self.T and len(key) == self.bits and not key.strip("01")

    def insert(self, key, text):
        if self.is_new(key):
            self.T[key] = text
            self.had += 1
            self.got = self.clock
            self.deliver(text)
            self.look()

    @on(READERS, PublishTimeout)
    def compare(self):
        """It sends the root of its trie to a neighbour.

        sends CheckTrie: It sends the root of its trie to a neighbour, which checks whether their tries differ.
        otherwise: It has no neighbour with which to compare its trie.
        """
        some = list(dict.fromkeys(c[1] for c in (self.left, self.right, self.ring) if c))
        if some:
            self.tell(CheckTrie((self.node(""),)), self.random.choice(some))
        self.wind(1 + self.random.random(), PublishTimeout())

    @on(READERS, CheckTrie)
    def check_trie(self, m, q):
        """It compares nodes of a neighbour's trie with its own, and answers where they differ.

        always:
        """
        self.check_nodes(m.nodes, q)

    @on(READERS, CheckAndPublish)
    def check_and_publish(self, m, q):
        """A neighbour lacks the keys with this prefix, and it sends all of them.

        sends Publish: Process {peer} requests the keys with a prefix, and it sends all that it has.
        sends: It has no key with the prefix, but their tries differ elsewhere, so they continue to compare.
        otherwise: It has no key with the prefix.
        """
        self.check_nodes(m.nodes, q)
        wanted = tuple((key, text) for key, text in self.T.items() if key.startswith(m.prefix))
        if wanted:
            self.tell(Publish(wanted), q)

    @on(READERS, Publish)
    def catch_up(self, m):
        """It receives publications that it lacked.

        changes: It receives publications that it lacked.
        nothing: It receives only publications that it already had.
        """
        for key, text in m.publications:
            self.insert(key, text)

    @on(OUTSIDE, (PublishNew, Publish, CheckTrie, CheckAndPublish, PublishTimeout, Say))
    def no_reader(self):
        """It has not subscribed."""

    def node(self, prefix):
        """Return the uppermost node of its trie below a prefix; the root of an empty trie has no label."""
        keys = [key for key in self.T if len(key) == self.bits]
        found = find(keys, prefix, 1 if self.hashes == "hashes" else 0)
        return found or (("", EMPTY) if not keys and not prefix else None)

    def check_nodes(self, nodes, q):
        for label, other in nodes:
            mine = self.node(label)
            if mine and mine[0] == label:
                if mine[1] not in (other, EMPTY) and len(label) < self.bits:
                    self.tell(CheckTrie((self.node(label + "0"), self.node(label + "1"))), q)
            elif mine:
                bit = "1" if mine[0][len(label)] == "0" else "0"
                self.tell(CheckAndPublish((mine,), label + bit), q)
            else:
                self.tell(CheckAndPublish((), label), q)
