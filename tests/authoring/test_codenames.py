"""The meaning of names in ECHO: roles, declarations, and names that can be renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.authoring.codenames import (
    Renamed,
    Role,
    action_marks,
    definition_of,
    renamable,
    roles_of,
    state_texts,
    word_at,
)
from lydian.model.source.draft import Draft, read


@pytest.fixture(scope="module")
def echo(root: Path) -> Draft:
    return read((root / "protocols" / "echo.py").read_text(encoding="utf-8"))


def place(draft: Draft, piece: str, word: str, nth: int = 0) -> tuple[int, int]:
    """Return line and column of a word in the nth line that contains a piece of text."""
    lines = [n for n, line in enumerate(draft.text.lines, 1) if piece in line]
    line = lines[nth]
    return line, draft.text.line(line).index(piece) + piece.index(word)


def test_states_and_messages_have_their_slots(echo: Draft) -> None:
    roles = roles_of(echo)
    assert roles["WAITING"] == Role("state", "waiting", 1)
    assert roles["Ack"] == Role("message", "Ack", 1)
    assert "Echo" not in roles and "Message" not in roles
    chosen = roles_of(echo, ({"waiting": 2}, {"Ack": 4}))
    assert chosen["WAITING"].slot == 2 and chosen["Ack"].slot == 4
    assert state_texts(echo)["acked"].slot == 2


@pytest.mark.parametrize(
    ("piece", "word", "goal", "name"),
    [
        ("self.state = WAITING", "WAITING", "WAITING, ACKED", "WAITING"),
        ("@on(SLEEPING, Broadcast)", "Broadcast", "class Broadcast", "Broadcast"),
        ("self.pending.remove", "pending", "pending: set", "pending"),
        ("self.unexpected(m, q)", "unexpected", "def unexpected", "unexpected"),
        ("self.deliver(m.payload)", "payload", "payload: str", "payload"),
        ("self.state = WAITING", "state", "state = SLEEPING", "state"),
        ("for r in to:", "to", "def spread(self, m, to)", "to"),
        ("c.across(p, p.parent)", "p, p.", ", p):", "p"),
        ("or parent_of(c, p) is None", "parent_of", "def parent_of", "parent_of"),
    ],
)
def test_place_of_a_declaration(echo: Draft, piece: str, word: str, goal: str, name: str) -> None:
    assert definition_of(echo, *place(echo, piece, word)) == place(echo, goal, name)


def test_a_name_declared_elsewhere_has_no_place(echo: Draft) -> None:
    assert definition_of(echo, *place(echo, "self.send(m", "send")) is None
    assert definition_of(echo, *place(echo, "class Ack(Message)", "Message")) is None
    assert definition_of(echo, 1, 400) is None


def test_states_written_as_texts() -> None:
    draft = read(
        "from lydian import Message, Process, on\n\n\nclass A(Message):\n    pass\n\n\nclass P(Process):\n"
        "    state = 'idle'\n\n    @on('idle', A)\n    def f(self, m, q):\n        self.state = 'done'\n"
    )
    assert renamable(draft, 11, 10) == Renamed("state", "idle")
    assert definition_of(draft, 11, 10) == (9, 4)


def test_lines_of_actions(echo: Draft) -> None:
    marks = action_marks(echo)
    assert marks[place(echo, "@on(SLEEPING, INIT)", "@")[0]] == ("sleeping",)
    assert marks[place(echo, "@on((WAITING, ACKED", "@")[0]] == ("waiting", "acked", "initiating", "finished")
    assert marks[place(echo, "@on(ANY, Ack)", "@")[0]] == ("ANY",)


def test_names_that_can_be_renamed(echo: Draft) -> None:
    assert renamable(echo, *place(echo, "self.state = WAITING", "WAITING")) == Renamed("state", "waiting")
    assert renamable(echo, *place(echo, "def close", "close")) == Renamed("function", "close")
    assert renamable(echo, *place(echo, "self.close()", "close")) == Renamed("function", "close")
    assert renamable(echo, *place(echo, "def last", "last")) is None
    assert renamable(echo, *place(echo, "self.pending.remove", "pending")) is None


def test_the_word_at_a_position() -> None:
    assert word_at("a.bc = 1", 4) == ("bc", 2, 4)
    assert word_at("a.bc = 1", 2) == ("bc", 2, 4)
    assert word_at(" = ", 1) is None
