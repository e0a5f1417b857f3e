"""A program for the workload ``broadcast`` that tells each new value to its neighbours."""

from __future__ import annotations

from node import Node


class Flood(Node):
    def __init__(self):
        super().__init__()
        self.near, self.seen = [], []

    def topology(self, m):
        self.near = m["body"]["topology"][self.me]
        super().topology(m)

    def read(self, m):
        self.reply(m, type="read_ok", messages=self.seen)

    def broadcast(self, m):
        value = m["body"]["message"]
        if value not in self.seen:
            self.seen.append(value)
            for q in self.near:
                if q != m["src"]:
                    self.send(q, type="broadcast", message=value)
        if "msg_id" in m["body"]:
            self.reply(m, type="broadcast_ok")


if __name__ == "__main__":
    Flood().run()
