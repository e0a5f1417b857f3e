"""Several classes of processes in one file: their description, and which process plays which role."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.model.errors import BadInput, ProtocolError
from lydian.model.generators import from_spec
from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.protocol.roles import check_roles, role_name

TOP = """from lydian import *
class Ask(Message): pass
class Answer(Message): total: int
class Want(Command): pass
IDLE, WAITING, SERVING = states("idle", "waiting", "serving")
"""
SERVER = """
class Server(Process, processes=1):
    state = SERVING
    total: int = 0
    @on(SERVING, Ask)
    def count(self, m, q):
        self.total += 1
        self.send(Answer(self.total), to=q)
"""
CLIENT = """
class Client(Process):
    state = IDLE
    seen: int = 0
    @on(IDLE, Want)
    def ask(self):
        self.send(Ask(), to=self.neighbours[0])
        self.state = WAITING
    @on(WAITING, Answer)
    def learn(self, m):
        self.seen = m.total
        self.state = IDLE
"""
SOURCE = TOP + SERVER + CLIENT


def cast(given: dict[str, Any], known: dict[str, str] | None = None, spec: str = "star:5", text: str = SOURCE) -> str:
    """Return the first letters of the roles of all processes."""
    network = from_spec(spec).replace(roles=known or {})
    found = protocol_from_source(text).cast(network, check_roles(given), {}).roles
    return "".join(found[name][0] for name in network.processes)


def test_each_role_is_described_like_a_protocol_and_the_whole_contains_all() -> None:
    protocol = protocol_from_source(SOURCE, name="count-all")
    server, client = protocol.roles["server"], protocol.roles["client"]
    assert (server.states, client.states) == (("serving",), ("idle", "waiting"))
    assert (tuple(server.variables), tuple(client.variables)) == (("total",), ("seen",))
    assert protocol.states == ("serving", "idle", "waiting")
    assert protocol.table.parts == [server.states, client.states]
    assert protocol.table.cells == {**server.table.cells, **client.table.cells}
    assert protocol.table.cells["waiting", "Answer"].next_states == ("idle",)
    assert [each.__name__ for each in protocol.classes] == ["Server", "Client"]
    assert protocol.title == "Count all"


def test_actions_of_the_same_name_belong_to_their_own_classes() -> None:
    text = SOURCE.replace("def count", "def ask")
    protocol = protocol_from_source(text)
    assert protocol.table.cells["serving", "Ask"].next_states == ("serving",)
    assert protocol.table.cells["idle", "Want"].next_states == ("waiting",)


def test_a_file_with_one_class_has_no_roles() -> None:
    protocol = protocol_from_source(TOP + SERVER)
    network = from_spec("star:3")
    assert protocol.roles == {} and protocol.played("server") is protocol
    assert protocol.cast(network, {}, {}) is network


def test_a_role_without_states_has_one_that_is_called_like_it() -> None:
    text = TOP + CLIENT + "class ViewServer(Process, processes=1):\n    @on(ANY, Ask)\n    def hear(self): pass\n"
    assert protocol_from_source(text).roles["view-server"].states == ("view-server",)


@pytest.mark.parametrize(
    ("given", "known", "roles"),
    [
        ({}, {}, "scccc"),
        ({"server": ["1", "3"]}, {}, "cscsc"),
        ({"server": ["4"], "client": "*"}, {}, "ccccs"),
        ({"client": ["0"]}, {}, "csccc"),
        ({"server": "*", "client": ["2"]}, {}, "sscss"),
        ({}, {"3": "server"}, "cccsc"),
        ({"client": ["3"]}, {"3": "server"}, "scccc"),
    ],
)  # fmt: skip
def test_processes_are_shared_out(given: dict[str, Any], known: dict[str, str], roles: str) -> None:
    assert cast(given, known) == roles


def test_numbers_of_processes_may_depend_on_the_network() -> None:
    assert cast({}, spec="star:7", text=SOURCE.replace("processes=1", 'processes="n // 2"')) == "ssscccc"


@pytest.mark.parametrize(
    ("given", "known", "sentence"),
    [
        ({"serfer": ["1"]}, {}, "roles.serfer: unknown role 'serfer' (did you mean 'server'?)"),
        ({"server": ["9"]}, {}, "roles.server: unknown process '9'"),
        ({"server": ["1"], "client": ["1"]}, {}, "roles.client: process 1 is also server; a process has one role"),
        ({"client": "*"}, {}, "roles: the role server needs 1 process, but too few are left for it in a network of 5"),
        ({}, {"2": "judge"}, "process 2 has the unknown role 'judge'; choose from server, client"),
        ({"server": 3}, {}, "roles.server: must be a list of names of processes"),
        ({"server": "*", "client": "*"}, {}, "roles: only one role can have"),
    ],
)  # fmt: skip
def test_impossible_roles_are_refused(given: dict[str, Any], known: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadInput) as raised:
        cast(given, known)
    assert sentence in str(raised.value)


def test_roles_are_refused_if_the_protocol_has_none() -> None:
    with pytest.raises(BadInput, match="Server has no roles, because all its processes are of one class"):
        cast({"server": ["1"]}, text=TOP + SERVER)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SOURCE.replace("state = IDLE", "state = SERVING").replace("IDLE, Want", "SERVING, Want"),
         "the state 'serving' belongs to server and to client; give each role states of its own"),
        (SOURCE + "class CLIENT(Process): pass\n", "the classes Client and CLIENT have the same name as roles, client"),
        (SOURCE.replace("total: int = 0", "k: int = parameter(1)").replace("seen: int = 0", "k: int = parameter(2)"),
         "the parameter 'k' is declared differently in two classes"),
        (SOURCE.replace("processes=1", "processes='k + 1'"), "k"),
        (SOURCE.replace("processes=1", "processes=1.5"), "processes = ... must be a number or a formula"),
        (SOURCE + "class Odd(Process):\n    @when(lambda p: True)\n    def x(self): pass\n",
         "Odd has guarded actions or a program, but the file has several classes"),
        (SOURCE + "class Odd(Process):\n    needs = rounds\n", "Odd has rounds, but the file has several classes"),
    ],
)  # fmt: skip
def test_classes_that_do_not_fit_together_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ProtocolError) as raised:
        protocol_from_source(text)
    assert sentence in str(raised.value)


def test_the_name_of_a_role_follows_that_of_the_class() -> None:
    names = {each: role_name(each) for each in ("Server", "ViewServer", "DNSCache", "Node2", "My_Role")}
    assert [*names.values()] == ["server", "view-server", "dns-cache", "node2", "my-role"]
