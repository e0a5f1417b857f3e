"""What the programs of the tests share: reading, sending, replying, and requests with a function for the reply."""

from __future__ import annotations

import json
import sys


class Node:
    """One process; a subclass has a method for each type of message."""

    def __init__(self, bug=""):
        self.bug = bug
        self.me, self.all, self.others = "", [], []
        self.numbers, self.waiting = 0, {}

    def send(self, dest, **body):
        print(json.dumps({"src": self.me, "dest": dest, "body": body}), flush=True)

    def reply(self, m, **body):
        self.send(m["src"], in_reply_to=m["body"]["msg_id"], **body)

    def ask(self, dest, then, **body):
        """Make a request and call ``then`` with the body of the reply."""
        self.numbers += 1
        self.waiting[self.numbers] = then
        self.send(dest, msg_id=self.numbers, **body)

    def ask_all(self, then, **body):
        """Make a request of all other processes and call ``then`` when all have replied."""
        left = [len(self.others)]

        def one(_):
            left[0] -= 1
            if not left[0]:
                then()

        for q in self.others:
            self.ask(q, one, **body)
        if not self.others:
            then()

    def init(self, m):
        self.me, self.all = m["body"]["node_id"], m["body"]["node_ids"]
        self.others = [q for q in self.all if q != self.me]
        self.reply(m, type="init_ok")

    def topology(self, m):
        self.reply(m, type="topology_ok")

    def run(self):
        for line in sys.stdin:
            m = json.loads(line)
            then = self.waiting.pop(m["body"].get("in_reply_to"), None)
            if then is not None:
                then(m["body"])
            elif "in_reply_to" not in m["body"]:
                kind = m["body"]["type"]
                getattr(self, "send_" if kind == "send" else kind)(m)
