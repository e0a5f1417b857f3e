"""The record of a run of programs: rows of a trace with the columns of every other trace, written in real time."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

from lydian.model.errors import shown
from lydian.trace.events import NO_STATE, ROW_FORMAT, Kind
from lydian.trace.parquet.recorder import ROW_BYTES, Recorder

__all__ = ["IDLE", "PAUSED", "RUNNING", "SERVING", "STATES", "WAITING", "Recording"]

#: The states of programs, of clients and of services, and their codes.
STATES = ("running", "paused", "idle", "waiting", "serving")
RUNNING, PAUSED, IDLE, WAITING, SERVING = range(5)
#: The length of a round in milliseconds.
ROUND = 1000.0
#: The largest number of labels; other messages are called ``message``. The longest contents that are recorded.
MOST_LABELS, LONGEST = 1000, 4000
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_pack = struct.Struct(ROW_FORMAT).pack_into


class Recording:
    """The rows so far.

    Attributes:
        processes, labels: the tables of names; both may grow.
        time: the time of the last row, below which no later one goes.
        acted: process -> the last event at which it received something, which is taken as the cause of what it sends.
        chain: the number of messages on the longest causal chain so far.
    """

    def __init__(self) -> None:
        self.recorder = Recorder(ROUND)
        self.processes: list[str] = []
        self.labels: list[str] = []
        self.time = 0.0
        self.count = self.used = self.events = self.messages = self.chain = 0
        self.acted: list[int] = []
        self.lamport: list[int] = []
        self.chains: list[int] = []
        self.states: list[int] = []
        self.codes: dict[str, int] = {}
        self._label_codes: dict[str, int] = {}
        self.printed: Callable[[float, str, str], None] | None = None

    def add(self, name: str, state: int = RUNNING) -> int:
        """Add a process in a state; return its code."""
        self.codes[name] = len(self.processes)
        self.processes.append(name)
        for column, first in ((self.acted, -1), (self.lamport, 0), (self.chains, 0), (self.states, state)):
            column.append(first)
        return self.codes[name]

    def label(self, name: Any) -> int:
        """Return the code of a class of messages."""
        text = name if isinstance(name, str) and name and name.isprintable() else "message"
        code = self._label_codes.get(text)
        if code is None:
            if len(self.labels) >= MOST_LABELS:
                return self.label("message") if text != "message" else 0
            code = self._label_codes[text] = len(self.labels)
            self.labels.append(text)
        return code

    def row(
        self, time: float, kind: int, p: int, peer: int = -1, message: int = -1, label: int = -1, cause: int = -1,
        bits: int = -1, detail: str | None = None,
    ) -> int:  # fmt: skip
        """Write a row of a process that has no causes at other processes; return its number."""
        if p < 0:
            return self._write(time, kind, p, peer, message, 0, 0, cause, bits, label, NO_STATE, detail)
        if kind < Kind.PRINT and kind not in (Kind.LINK_DOWN, Kind.LINK_UP):
            self.lamport[p] += 1
        return self._write(
            time, kind, p, peer, message, self.lamport[p], self.chains[p], cause, bits, label, self.states[p], detail
        )

    def receive(
        self, time: float, p: int, peer: int, message: int, label: int, sent: int, lamport: int, chain: int, bits: int
    ) -> int:
        """Write the row of a message that arrives, given its number, its sending and the clocks it carries."""
        self.lamport[p] = max(self.lamport[p], lamport) + 1
        self.chains[p] = max(self.chains[p], chain + 1)
        self.chain = max(self.chain, self.chains[p])
        clocks, state = (self.lamport[p], self.chains[p]), self.states[p]
        self.acted[p] = self._write(time, Kind.RECEIVE, p, peer, message, *clocks, sent, bits, label, state, None)
        return self.acted[p]

    def drop(
        self, time: float, p: int, peer: int, message: int, label: int, sent: int, lamport: int, chain: int, bits: int,
        reason: str,
    ) -> None:  # fmt: skip
        """Write the row of a message that is lost."""
        detail = f'{{"reason":"{reason}"}}'
        self._write(time, Kind.DROP, p, peer, message, lamport, chain, sent, bits, label, NO_STATE, detail)

    def note(self, time: float, p: int, text: str) -> int:
        """Write a remark at a process."""
        return self.row(time, Kind.NOTE, p, detail=contents({"text": text}, None))

    def print(self, time: float, p: int, text: str) -> None:
        """Write a line that a program printed on standard error."""
        self.row(time, Kind.PRINT, p, cause=self.acted[p], detail=contents({"text": text}, None))
        if self.printed is not None:
            self.printed(max(time, self.time), self.processes[p], text)

    def _write(
        self, time: float, kind: int, p: int, peer: int, message: int, lamport: int, chain: int, cause: int, bits: int,
        label: int, state: int, detail: str | None,
    ) -> int:  # fmt: skip
        self.time = time = max(time, self.time)
        if detail is not None:
            self.recorder.note((self.count, detail))
        buffer = self.recorder.buffer
        _pack(buffer, self.used, time, p, peer, message, lamport, chain, cause, bits, label, kind, state)
        self.used += ROW_BYTES
        self.count += 1
        self.events += kind < Kind.PRINT
        self.messages += kind == Kind.SEND
        if self.used == len(buffer):
            self.recorder.roll(self.used)
            self.used = 0
        return self.count - 1


def contents(detail: Mapping[str, Any], fields: Mapping[str, Any] | None) -> str:
    """Return the text of a detail, with the fields of a message if there are any; long values are cut."""
    whole = dict(detail) if fields is None else {**detail, "fields": fields}
    text = _encode(whole)
    if len(text) > LONGEST and fields is not None:
        some = dict(list(fields.items())[:50])
        short = {name: value if len(json.dumps(value)) <= 200 else shown(value, 200) for name, value in some.items()}
        text = _encode({**detail, "fields": short})
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, written as an escape by the program
        return json.dumps(json.loads(text), separators=(",", ":"))
    return text
