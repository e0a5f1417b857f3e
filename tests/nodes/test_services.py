"""The services that programs may ask."""

from __future__ import annotations

from random import Random

import pytest

from lydian.nodes.services import SERVICES

KV = ("seq-kv", "lin-kv", "lww-kv")


def service(name, seed=1):
    return SERVICES[name](Random(seed))


@pytest.mark.parametrize("name", KV)
def test_a_store_refuses_what_it_cannot_do(name):
    store = service(name)
    assert store.answer("n0", {"type": "read", "key": 1})["code"] == 20
    assert store.answer("n0", {"type": "cas", "key": 1, "from": 1, "to": 2})["code"] == 20
    assert store.answer("n0", {"type": "delete", "key": 1})["code"] == 10
    assert store.answer("n0", {"type": "write", "key": 1})["code"] == 12


def test_lin_kv_shows_each_write_at_once():
    store = service("lin-kv")
    assert store.answer("n0", {"type": "write", "key": "x", "value": [1]}) == {"type": "write_ok"}
    assert store.answer("n1", {"type": "read", "key": "x"}) == {"type": "read_ok", "value": [1]}
    assert store.answer("n1", {"type": "cas", "key": "x", "from": [2], "to": 3})["code"] == 22
    assert store.answer("n1", {"type": "cas", "key": "x", "from": [1], "to": 3}) == {"type": "cas_ok"}
    made = store.answer("n1", {"type": "cas", "key": "y", "from": 0, "to": 3, "create_if_not_exists": True})
    assert made == {"type": "cas_ok"}
    assert store.answer("n0", {"type": "read", "key": "y"})["value"] == 3


def test_seq_kv_never_shows_a_client_an_older_state_than_before():
    store, last = service("seq-kv"), {"n1": -1, "n2": -1}
    stale = 0
    for value in range(300):
        store.answer("n0", {"type": "write", "key": "x", "value": value})
        for client in last:
            seen = store.answer(client, {"type": "read", "key": "x"}).get("value", -1)
            assert seen >= last[client]
            last[client] = seen
            stale += seen < value
        assert store.answer("n0", {"type": "read", "key": "x"})["value"] == value  # its own write
    assert stale > 0


def test_lww_kv_converges_to_the_last_write():
    store = service("lww-kv")
    for value in range(20):
        store.answer("n0", {"type": "write", "key": "x", "value": value})
    answers = [store.answer("n1", {"type": "read", "key": "x"}).get("value") for _ in range(400)]
    assert len(set(answers[-50:])) == 1


def test_lin_tso_gives_larger_and_larger_numbers():
    source = service("lin-tso")
    assert [source.answer("n0", {"type": "ts"})["ts"] for _ in range(3)] == [0, 1, 2]
    assert source.answer("n0", {"type": "tick"})["code"] == 10
