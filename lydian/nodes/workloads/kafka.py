"""The workload of logs in the manner of Kafka: messages are appended, polled by offset, and offsets are committed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from lydian.language import later
from lydian.model.errors import shown
from lydian.model.history.linearizable import same
from lydian.nodes.history import History, Operation
from lydian.nodes.workloads.workload import Finding, Reply, Requests, Workload, always, plainly

__all__ = ["Kafka"]

_KEYS = ("k0", "k1", "k2")
#: The largest number of polls with which a process is read at the end of a run.
_MOST_POLLS = 200


class Kafka(Workload):
    """Append-only logs by key; each message has an offset in its log."""

    name = "kafka"
    title = later("logs with offsets")
    replies: ClassVar[Mapping[str, Reply]] = {
        "send": Reply("send_ok", {"offset": int}), "poll": Reply("poll_ok", {"msgs": dict}),
        "commit_offsets": Reply("commit_offsets_ok"),
        "list_committed_offsets": Reply("list_committed_offsets_ok", {"offsets": dict}),
    }  # fmt: skip

    def __init__(self, clients: Sequence[str]) -> None:
        super().__init__(clients)
        #: client -> key -> the offset from which it polls next.
        self._places: dict[str, dict[str, int]] = {client: dict.fromkeys(_KEYS, 0) for client in clients}

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        share, places = draw.random(), self._places[client]
        processed = {key: place - 1 for key, place in places.items() if place > 0}
        if share < 0.5:
            return {"type": "send", "key": draw.choice(_KEYS), "msg": self.fresh(client)}
        if share < 0.85 or (share < 0.95 and not processed):
            return {"type": "poll", "offsets": dict(places)}
        if share < 0.95:
            return {"type": "commit_offsets", "offsets": processed}
        return {"type": "list_committed_offsets", "keys": list(_KEYS)}

    def taken(self, operation: Operation) -> None:
        places = self._places.get(operation.client)
        if not operation.ok or places is None or operation.last:
            return
        if operation.type == "poll":
            _advance(places, operation)
        elif operation.type == "list_committed_offsets":
            for key, offset in (operation.reply or {})["offsets"].items():
                if key in places and _whole(offset):
                    places[key] = offset + 1

    def last(self) -> Requests:
        places = dict.fromkeys(_KEYS, 0)
        for _ in range(_MOST_POLLS):
            found = yield {"type": "poll", "offsets": dict(places)}
            before = dict(places)
            if found.ok:
                _advance(places, found)
            if places == before:
                return

    def check(self, history: History) -> list[Finding]:
        polls = list(history.of("poll", outcome="ok"))
        malformed = [(each.told, problem) for each in polls if (problem := _malformed(each))]
        found = [self.served(history), always("polls return lists of [offset, message] pairs", malformed)]
        if malformed:
            return found
        known = _known(history)
        return [
            *found,
            always("each offset of a log has one message", _conflicts(known)),
            always("each message has one offset", _copies(known)),
            always("polls return offsets in order, from the one asked for", _disorder(polls)),
            always("no poll skips a message of its log", _skips(polls, known)),
            always("no committed offset is higher than those that clients committed", _committed(history)),
        ]

    def measure(self, history: History) -> dict[str, float]:
        polled = {(key, same(msg)) for each in history.of("poll", outcome="ok") for key, _, msg in _polled(each)}
        sent = {(each.body["key"], same(each.body["msg"])) for each in history.of("send", outcome="ok")}
        return {"messages never polled": len(sent - polled)}


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _malformed(each: Operation) -> str:
    for key, pairs in (each.reply or {})["msgs"].items():
        good = isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 and _whole(p[0]) for p in pairs)
        if not good:
            return f"{each.process} returned {shown(pairs)} for log {key}"
    return ""


def _polled(each: Operation) -> Iterator[tuple[str, int, Any]]:
    """Yield key, offset and message of everything that a poll returned."""
    if not _malformed(each):
        for key, pairs in (each.reply or {})["msgs"].items():
            for offset, message in pairs:
                yield key, offset, message


def _advance(places: dict[str, int], poll: Operation) -> None:
    """Move the offset of each log behind the messages that a poll returned."""
    for key, offset, _ in _polled(poll):
        if key in places:
            places[key] = max(places[key], offset + 1)


#: (key, offset) -> the messages reported there, as texts, with the event and the process that reported them first.
_Known = dict[tuple[str, int], dict[str, tuple[int, str]]]


def _known(history: History) -> _Known:
    found: _Known = {}
    for each in sorted(history.of("send", "poll", outcome="ok"), key=lambda each: each.told):
        if each.type == "send":
            reports = [(each.body["key"], (each.reply or {})["offset"], each.body["msg"])]
        else:
            reports = list(_polled(each))
        for key, offset, message in reports:
            found.setdefault((key, offset), {}).setdefault(same(message), (each.told, each.process))
    return found


def _conflicts(known: _Known) -> Iterator[tuple[int, str]]:
    for (key, offset), messages in known.items():
        if len(messages) > 1:
            at, process = list(messages.values())[1]
            yield at, f"{process} reported another message at offset {offset} of log {key}: {', '.join(messages)}"


def _copies(known: _Known) -> Iterator[tuple[int, str]]:
    places: dict[tuple[str, str], int] = {}
    for (key, offset), messages in known.items():
        for message, (at, process) in messages.items():
            first = places.setdefault((key, message), offset)
            if first != offset:
                yield at, f"{process} reported message {message} of log {key} at offset {offset} and not at {first}"


def _disorder(polls: Sequence[Operation]) -> Iterator[tuple[int, str]]:
    for each in polls:
        before = {key: start - 1 for key, start in each.body["offsets"].items()}
        for key, offset, _ in _polled(each):
            if offset <= before.get(key, -1):
                yield each.told, f"{each.process} returned offset {offset} of log {key} after {before[key]}"
            before[key] = offset


def _skips(polls: Sequence[Operation], known: _Known) -> Iterator[tuple[int, str]]:
    offsets: dict[str, list[int]] = {}
    for key, offset in known:
        offsets.setdefault(key, []).append(offset)
    for each in polls:
        there: dict[str, set[int]] = {}
        for key, offset, _ in _polled(each):
            there.setdefault(key, set()).add(offset)
        for key, some in there.items():
            first, last = each.body["offsets"].get(key, 0), max(some)
            lost = [offset for offset in offsets.get(key, ()) if first <= offset < last and offset not in some]
            if lost:
                text = f"left out {plainly(sorted(lost))} and returned {last}"
                yield each.told, f"{each.process}, polled from offset {first} of log {key}, {text}"


def _committed(history: History) -> Iterator[tuple[int, str]]:
    commits = [(each.start, each.body["offsets"]) for each in history.of("commit_offsets") if each.outcome != "fail"]
    for each in history.of("list_committed_offsets", outcome="ok"):
        for key, offset in (each.reply or {})["offsets"].items():
            most = max((some[key] for start, some in commits if start <= each.end and key in some), default=-1)
            if not _whole(offset) or offset > most:
                given = f"the highest committed is {most}" if most >= 0 else "none was committed"
                yield each.told, f"{each.process} returned {shown(offset)} as committed in log {key}, but {given}"
