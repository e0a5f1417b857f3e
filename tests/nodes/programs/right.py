"""Programs for each workload: ``right.py WORKLOAD [BUG]``; a bug is planted if one is named.

A request is answered only after every process that must know of it has confirmed it, so the results do not depend on
the speed of the machine.
"""

from __future__ import annotations

import sys

from node import Node


class Echo(Node):
    def echo(self, m):
        self.numbers += 1
        wrong = self.bug == "wrong" and self.numbers % 3 == 0
        self.reply(m, type="echo_ok", echo="something else" if wrong else m["body"]["echo"])


class UniqueIds(Node):
    def generate(self, m):
        self.numbers += 1
        self.reply(m, type="generate_ok", id=self.numbers if self.bug == "local" else f"{self.me}-{self.numbers}")


class Set(Node):
    """Each value is stored at all processes before it is acknowledged."""

    field, answer = "element", "value"

    def __init__(self, bug=""):
        super().__init__(bug)
        self.values = []

    def _add(self, m):
        value, self.numbers = m["body"][self.field], self.numbers + 1
        ok = m["body"]["type"] + "_ok"
        if self.bug == "forget" and self.numbers % 4 == 0:
            self.reply(m, type=ok)
            return
        self.values.append(value)
        self.ask_all(lambda: self.reply(m, type=ok), type="store", value=value)

    add = broadcast = _add

    def store(self, m):
        self.values.append(m["body"]["value"])
        if self.bug == "twice":
            self.values.append(m["body"]["value"])
        self.reply(m, type="store_ok")

    def read(self, m):
        found = [*self.values, 987654] if self.bug == "invent" else self.values
        self.reply(m, type="read_ok", **{self.answer: found})


class Broadcast(Set):
    field, answer = "message", "messages"


class PNCounter(Node):
    """Each addition is counted at all processes before it is acknowledged."""

    def __init__(self, bug=""):
        super().__init__(bug)
        self.sum = 0

    def add(self, m):
        delta = m["body"]["delta"]
        self.sum += 0 if self.bug == "no-negatives" and delta < 0 else delta
        self.ask_all(lambda: self.reply(m, type="add_ok"), type="count", delta=delta)

    def count(self, m):
        delta = m["body"]["delta"]
        times = 2 if self.bug == "twice" else 1
        self.sum += 0 if self.bug == "no-negatives" and delta < 0 else delta * times
        self.reply(m, type="count_ok")

    def read(self, m):
        self.reply(m, type="read_ok", value=self.sum)


class GCounter(Node):
    """Each process keeps its own sum in seq-kv; a write before reading makes the state that is read a recent one."""

    def __init__(self, bug=""):
        super().__init__(bug)
        self.sum = 0

    def add(self, m):
        self.sum += m["body"]["delta"]
        if self.bug == "forget":
            self.sum = m["body"]["delta"]
        self.ask("seq-kv", lambda _: self.reply(m, type="add_ok"), type="write", key=self.me, value=self.sum)

    def read(self, m):
        if self.bug == "stale":
            self.reply(m, type="read_ok", value=self.sum)
            return
        self.ask("seq-kv", lambda _: self._sum(m, list(self.all), 0), type="write", key=f"now-{self.me}",
                 value=self.numbers)  # fmt: skip

    def _sum(self, m, left, total):
        if not left:
            self.reply(m, type="read_ok", value=total)
            return
        process = left.pop()
        self.ask("seq-kv", lambda b: self._sum(m, left, total + b.get("value", 0)), type="read", key=process)


class LinKV(Node):
    """Each request is passed on to the service lin-kv."""

    def __init__(self, bug=""):
        super().__init__(bug)
        self.cache, self.first = {}, {}

    def read(self, m):
        key = m["body"]["key"]
        if self.bug == "stale" and key in self.cache:
            self.reply(m, type="read_ok", value=self.cache[key])
            return
        if self.bug == "repeat" and key in self.first:
            self.ask("lin-kv", lambda _: self._pass(m), type="write", key=key, value=self.first[key])
            return
        self._pass(m)

    def write(self, m):
        self.numbers += 1
        if self.bug == "lost" and self.numbers % 3 == 0:
            self.reply(m, type="write_ok")
            return
        self.first.setdefault(m["body"]["key"], m["body"]["value"])
        self._pass(m)

    def cas(self, m):
        self._pass(m)

    def _pass(self, m):
        body = {name: value for name, value in m["body"].items() if name != "msg_id"}

        def answered(b):
            if b["type"] == "read_ok":
                self.cache[body["key"]] = b["value"]
            self.reply(m, **{name: value for name, value in b.items() if name not in ("msg_id", "in_reply_to")})

        self.ask("lin-kv", answered, **body)


class Kafka(Node):
    """The first process keeps all logs; the others ask it."""

    def __init__(self, bug=""):
        super().__init__(bug)
        self.logs, self.committed = {}, {}

    def _mine(self, m):
        if self.me == self.all[0] or self.bug == "everywhere":
            return True
        body = {name: value for name, value in m["body"].items() if name != "msg_id"}
        self.ask(self.all[0], lambda b: self.reply(m, **{k: v for k, v in b.items() if k != "in_reply_to"}), **body)
        return False

    def send_(self, m):
        if self._mine(m):
            log = self.logs.setdefault(m["body"]["key"], [])
            log.append([len(log), m["body"]["msg"]])
            self.reply(m, type="send_ok", offset=len(log) - 1)

    def poll(self, m):
        if self._mine(m):
            found = {key: self.logs.get(key, [])[start:][:10] for key, start in m["body"]["offsets"].items()}
            if self.bug == "skip":
                found = {key: pairs[1:] for key, pairs in found.items()}
            if self.bug == "reverse":
                found = {key: pairs[::-1] for key, pairs in found.items()}
            self.reply(m, type="poll_ok", msgs=found)

    def commit_offsets(self, m):
        if self._mine(m):
            for key, offset in m["body"]["offsets"].items():
                self.committed[key] = max(self.committed.get(key, 0), offset)
            self.reply(m, type="commit_offsets_ok")

    def list_committed_offsets(self, m):
        if self._mine(m):
            more = 1000 if self.bug == "ahead" else 0
            found = {key: self.committed[key] + more for key in m["body"]["keys"] if key in self.committed}
            self.reply(m, type="list_committed_offsets_ok", offsets=found)


class TxnListAppend(Node):
    """All lists are one value of lin-kv, which is replaced if nobody else has replaced it since it was read."""

    def txn(self, m):
        if self.bug == "local":
            self.reply(m, type="txn_ok", txn=self._done(self.__dict__.setdefault("lists", {}), m["body"]["txn"]))
            return

        def read(b):
            before = b.get("value", {})
            lists = {key: list(values) for key, values in before.items()}
            done = self._done(lists, m["body"]["txn"])

            def written(b):
                if b["type"] == "error":
                    self.reply(m, type="error", code=30, text="another transaction was first")
                else:
                    self.reply(m, type="txn_ok", txn=done)

            if self.bug == "blind":
                self.ask("lin-kv", written, type="write", key="lists", value=lists)
            else:
                change = {"from": before, "to": lists, "create_if_not_exists": True}
                self.ask("lin-kv", written, type="cas", key="lists", **change)

        self.ask("lin-kv", read, type="read", key="lists")

    def _done(self, lists, txn):
        found = []
        for do, key, value in txn:
            here = lists.setdefault(str(key), [])
            if do == "append":
                here.append(value)
            found.append([do, key, value if do == "append" else list(here)])
        return found


PROGRAMS = {
    "echo": Echo, "unique-ids": UniqueIds, "broadcast": Broadcast, "g-set": Set, "g-counter": GCounter,
    "pn-counter": PNCounter, "lin-kv": LinKV, "kafka": Kafka, "txn-list-append": TxnListAppend,
}  # fmt: skip

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](*sys.argv[2:]).run()
