"""The network between the programs of a run: messages in transit, services, and the replies that clients wait for."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from random import Random
from typing import Any

from lydian.model.streams import stream_key
from lydian.nodes.course import Course, Message, Process
from lydian.nodes.recording import IDLE, SERVING, contents
from lydian.nodes.services import SERVICES
from lydian.trace.events import Kind

__all__ = ["Network", "decode", "fields", "written"]

#: The largest number of messages in transit.
MOST_FLYING = 200_000


class Network(Course):
    """A run whose processes send messages."""

    def _send(self, process: Process, target: str, body: Mapping[str, Any], line: bytes) -> None:
        """Take a message that a process sends."""
        recording = self.recording
        label = recording.label(body.get("type"))
        reply_to = body.get("in_reply_to")
        cause = process.asked.get(reply_to, -1) if isinstance(reply_to, int) and target in self.clients else -1
        cause = recording.acted[process.code] if cause < 0 else cause
        bits = min(8 * len(line), 2**31 - 1)
        if target in self.clients and not self.plan.drawn:
            detail = contents({"text": f"answers {target}: {recording.labels[label]}"}, fields(body))
            seq = recording.row(self.now(), Kind.NOTE, process.code, label=label, cause=cause, detail=detail)
            self._reply(target, body, seq)
            return
        if target in SERVICES and target not in self.services:
            recording.add(target, SERVING)
        if target in SERVICES:
            self.services.setdefault(target, set()).add(process.name)
        message = self._message(process.code, recording.codes[target], body, line, label, cause, bits)
        if self._start == math.inf:
            self._early.append(message)
        else:
            self._carry(message)
        if recording.events >= self.plan.events:
            self._stop("limit")

    def _message(
        self, source: int, target: int, body: Mapping[str, Any], line: bytes, label: int, cause: int, bits: int
    ) -> Message:
        """Record that a message is sent."""
        recording, number = self.recording, self._numbers
        self._numbers += 1
        detail = contents({}, fields(body))
        seq = recording.row(self.now(), Kind.SEND, source, target, number, label, cause, bits, detail)
        return Message(
            number, source, target, line, body, label, bits, seq, recording.lamport[source], recording.chains[source]
        )

    def _carry(self, message: Message) -> None:
        """Send a message on its way."""
        names = self.recording.processes
        if names[message.source] in self.clients or names[message.target] in self.clients:
            self._arrive(message)
            return
        line = self._lines.between(names[message.source], names[message.target])
        arrival = line.arrival(self.now())
        if line.down:
            self._drop(message, "link down")
            return
        reason = "loss" if line.lose is not None and line.lose() else ""
        handle = self._loop.call_at(self._start + arrival / 1000, self._landed, message.number)
        self._flying[message.number] = handle, message, reason
        if len(self._flying) > MOST_FLYING:
            sender = names[message.source]
            self.fail(f"{sender} sent a message while {MOST_FLYING:,} others were in transit; programs must not send "
                      "more than they can receive")  # fmt: skip

    def _landed(self, number: int) -> None:
        _, message, reason = self._flying.pop(number)
        if self.stopped is None:
            if reason:
                self._drop(message, reason)
            else:
                self._arrive(message)

    def _drop(self, message: Message, reason: str) -> None:
        m = message
        self.recording.drop(
            self.now(), m.target, m.source, m.number, m.label, m.sent, m.lamport, m.chain, m.bits, reason
        )

    def _arrive(self, message: Message) -> None:
        """Deliver a message to a program, a client or a service."""
        recording, m = self.recording, message
        name = recording.processes[m.target]
        process = self._by_name.get(name)
        if process is not None:
            if process.crashed or process.program is None:
                self._drop(message, "crash")
                return
            if process.paused:
                process.held.append(message)
                return
        if name in self.clients:
            recording.states[m.target] = IDLE
        seq = recording.receive(self.now(), m.target, m.source, m.number, m.label, m.sent, m.lamport, m.chain, m.bits)
        if process is not None:
            sender = recording.processes[m.source]
            if sender in self.clients:
                process.asked[m.body.get("msg_id")] = seq
            process.program.write(m.line if m.line.endswith(b"\n") else m.line + b"\n")  # type: ignore[union-attr]  # it has one
        elif name in self.clients:
            self._reply(name, m.body, seq)
        else:
            self._serve(name, message, seq)

    def _serve(self, name: str, message: Message, seq: int) -> None:
        """Answer a request to a service."""
        service = self._serving.get(name)
        if service is None:
            service = self._serving[name] = SERVICES[name](Random(stream_key(self.plan.seed, "service", name)))
        client = self.recording.processes[message.source]
        reply = service.answer(client, message.body)
        if "msg_id" in message.body:
            reply["in_reply_to"] = message.body["msg_id"]
        line = written(name, client, reply)
        label = self.recording.label(reply["type"])
        self._carry(self._message(message.target, message.source, reply, line, label, seq, 8 * len(line)))

    def _reply(self, client: str, body: Mapping[str, Any], seq: int) -> None:
        """Give a reply to the client that waits for it; a late one is ignored."""
        number = body.get("in_reply_to")
        waiting = self._replies.pop(number, None) if isinstance(number, int) else None
        if waiting is not None and waiting[0] == client and not waiting[1].done():
            waiting[1].set_result((body, seq))

    def flying(self) -> list[tuple[int, float]]:
        """Return the messages in transit with the times at which they arrive."""
        return [(number, (handle.when() - self._start) * 1000) for number, (handle, _, _) in self._flying.items()]


def written(source: str, target: str, body: Mapping[str, Any]) -> bytes:
    """Return a message as a program reads it."""
    return _encode({"src": source, "dest": target, "body": body}).encode() + b"\n"


def fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of a message apart from its type."""
    return {name: value for name, value in body.items() if name != "type"}


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


decode = json.JSONDecoder(parse_constant=_no_number).decode
_encode = json.JSONEncoder(separators=(",", ":")).encode
