"""The services that programs may ask: key-value stores of different consistency, and a source of timestamps.

They follow doc/services.md of Maelstrom: ``lin-kv`` is linearizable, ``seq-kv`` sequentially consistent, ``lww-kv``
eventually consistent (the last write wins), and ``lin-tso`` gives each request a larger number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from random import Random
from typing import Any

from lydian.model.history.linearizable import same

__all__ = ["SERVICES", "Service"]

#: The number of past states that ``seq-kv`` may show, and the number of replicas of ``lww-kv``.
_PAST, _REPLICAS = 32, 5
#: Key -> value, both as the service keeps them.
_State = dict[str, Any]
Body = Mapping[str, Any]


def _error(code: int, text: str) -> dict[str, Any]:
    return {"type": "error", "code": code, "text": text}


def _handled(state: _State, body: Body) -> tuple[_State | None, dict[str, Any]]:
    """Return the state after a request, or ``None`` if it stays the same, and the reply."""
    do = body.get("type")
    needs = {"read": ("key",), "write": ("key", "value"), "cas": ("key", "from", "to")}.get(str(do))
    if needs is None:
        return None, _error(10, f"this service has no {do}; choose from read, write, cas")
    absent = [name for name in needs if name not in body]
    if absent:
        return None, _error(12, f"{do} needs {' and '.join(absent)}")
    key = same(body["key"])
    if do == "read":
        return None, {"type": "read_ok", "value": state[key]} if key in state else _error(20, "key does not exist")
    if do == "write":
        return {**state, key: body["value"]}, {"type": "write_ok"}
    if key not in state:
        if body.get("create_if_not_exists") is True:
            return {**state, key: body["to"]}, {"type": "cas_ok"}
        return None, _error(20, "key does not exist")
    if same(state[key]) != same(body["from"]):
        return None, _error(22, f"current value {state[key]!r} is not {body['from']!r}")
    return {**state, key: body["to"]}, {"type": "cas_ok"}


class Service:
    """A service: it answers one request at a time."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw

    def answer(self, client: str, body: Body) -> dict[str, Any]:
        """Return the body of the reply to a request, without its number."""
        raise NotImplementedError


class _Linearizable(Service):
    """Each request takes place when it arrives."""

    def __init__(self, draw: Random) -> None:
        super().__init__(draw)
        self._state: _State = {}

    def answer(self, client: str, body: Body) -> dict[str, Any]:
        state, reply = _handled(self._state, body)
        self._state = self._state if state is None else state
        return reply


class _Sequential(Service):
    """A request that changes nothing may see any recent state, but none older than the same client saw before.

    A request that would change a past state takes place in the present one.
    """

    def __init__(self, draw: Random) -> None:
        super().__init__(draw)
        self._states: deque[_State] = deque([{}], maxlen=_PAST)
        self._newest = 0
        self._seen: dict[str, int] = {}

    def answer(self, client: str, body: Body) -> dict[str, Any]:
        oldest = self._newest - len(self._states) + 1
        place = self.draw.randint(max(self._seen.get(client, 0), oldest), self._newest)
        state, reply = _handled(self._states[place - oldest], body)
        if state is not None:
            state, reply = _handled(self._states[-1], body)
            place = self._newest
            if state is not None:
                self._states.append(state)
                self._newest = place = self._newest + 1
        self._seen[client] = place
        return reply


class _LastWriteWins(Service):
    """Several replicas with Lamport clocks, each of which answers by itself; two of them meet at each request."""

    def __init__(self, draw: Random) -> None:
        super().__init__(draw)
        self._clocks = [0] * _REPLICAS
        self._states: list[_State] = [{} for _ in range(_REPLICAS)]  # key -> (clock, value)

    def answer(self, client: str, body: Body) -> dict[str, Any]:
        source, target, asked = (self.draw.randrange(_REPLICAS) for _ in range(3))
        self._clocks[target] = max(self._clocks[target], self._clocks[source])
        for key, (clock, value) in self._states[source].items():
            mine = self._states[target].get(key)
            if mine is None or (clock, same(value)) > (mine[0], same(mine[1])):
                self._states[target][key] = (clock, value)
        plain = {key: value for key, (_, value) in self._states[asked].items()}
        state, reply = _handled(plain, body)
        if state is not None:
            key = same(body["key"])
            self._states[asked][key] = (self._clocks[asked], state[key])
            self._clocks[asked] += 1
        return reply


class _Timestamps(Service):
    """Each request gets a number that is larger than all earlier ones."""

    def __init__(self, draw: Random) -> None:
        super().__init__(draw)
        self._next = 0

    def answer(self, client: str, body: Body) -> dict[str, Any]:
        if body.get("type") != "ts":
            return _error(10, f"this service has no {body.get('type')}; it only has ts")
        self._next += 1
        return {"type": "ts_ok", "ts": self._next - 1}


#: The services by name.
SERVICES: dict[str, type[Service]] = {
    "seq-kv": _Sequential, "lin-kv": _Linearizable, "lww-kv": _LastWriteWins, "lin-tso": _Timestamps,
}  # fmt: skip
