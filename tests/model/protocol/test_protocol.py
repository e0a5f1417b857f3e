"""Protocol files: the data read from them, and the errors in bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput, ProtocolError
from lydian.model.lang.formula import Formula
from lydian.model.protocol.protocol import Protocol, load_protocol, protocol_from_source

ROOT = Path(__file__).resolve().parents[3]
TOP = "from lydian import *\nA, B, C = states('a', 'b', 'c')\nclass M(Message): pass\nclass T(Timer): pass\n"


def protocol(body: str, top: str = TOP) -> Protocol:
    return protocol_from_source(top + "class P(Process):\n" + "".join(f"    {line}\n" for line in body.splitlines()))


def refused(source: str) -> str:
    with pytest.raises(ProtocolError) as raised:
        protocol_from_source(source, name="p")
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_echo_has_its_description() -> None:
    echo = load_protocol(ROOT / "protocols" / "echo.py")
    assert (echo.name, echo.title) == ("echo", "Echo")
    assert echo.about.startswith("Echo: a broadcast with acknowledgements; the initiator learns when")
    assert echo.states == ("sleeping", "waiting", "acked", "initiating", "finished")
    assert echo.labels == ("Broadcast", "Ack")
    assert {v.name: v.type for v in echo.variables.values()} == {"parent": "str | None", "pending": "set[str]"}
    assert [need.name for need in echo.needs] == [
        "connected", "two-way links", "one initiator", "reliable", "no crashes",
    ]  # fmt: skip
    assert echo.table.events == ("INIT", "Broadcast", "Ack")
    cell = echo.table.get("sleeping", "Broadcast")
    assert cell is not None
    assert (cell.action, cell.next_states) == ("adopt", ("waiting", "acked"))
    source = echo.source.splitlines()
    assert source[cell.line - 1].strip() == "def adopt(self, m, q):"
    assert echo.table.get("waiting", "INIT") is None


def test_the_state_diagram_of_echo_matches_the_assignment_sheet() -> None:
    echo = load_protocol(ROOT / "protocols" / "echo.py")
    moves = {edge for edge in echo.table.edges() if edge[0] != edge[1]}
    assert moves == {
        ("sleeping", "initiating", "INIT"),
        ("sleeping", "finished", "INIT"),
        ("sleeping", "waiting", "Broadcast"),
        ("sleeping", "acked", "Broadcast"),
        ("waiting", "acked", "Ack"),
        ("initiating", "finished", "Ack"),
    }


FLOWS = {
    "self.state = B": ("b",),
    "if x: self.state = B": ("a", "b"),
    "self.state = B if x else C": ("b", "c"),
    "if self.state == A: self.state = C\nelse: self.state = B": ("c",),
    "if self.state != A: self.state = B": ("a",),
    "if self.state in (A, B) and x: self.state = C": ("a", "c"),
    "if not self.state == A or x: self.state = C": ("a", "c"),
    "for q in self.neighbours:\n    if self.state == B: self.state = C\n    self.state = B": ("a", "b"),
    "while x:\n    self.state = C if self.state == B else B": ("a", "b", "c"),
    "self.state = B\nself.helper()": ("c",),
    "if x: return\nself.state = B": ("a", "b"),
    "if x: raise ValueError\nself.state = B": ("a", "b"),
    "self.state = choose()": ("a", "b", "c"),
    "try: self.state = B\nexcept ValueError: self.state = C": ("b", "c", "a"),
    "x.state = B": ("a",),
    "pass": ("a",),
}


@pytest.mark.parametrize("code", FLOWS)
def test_next_states_are_read_from_the_code_of_an_action(code: str) -> None:
    body = "state = A\n@on(A, M)\ndef act(self, m, q):\n" + "".join(f"    {line}\n" for line in code.splitlines())
    body += "def helper(self):\n    if self.state == B: self.state = C\n    elif self.state == A: self.state = B"
    cell = protocol(body).table.get("a", "M")
    assert cell is not None
    assert set(cell.next_states) == set(FLOWS[code])


def test_any_yields_to_a_specific_state_in_either_order() -> None:
    one = "@on(ANY, M)\ndef every(self): pass\n"
    two = "@on(B, M)\ndef special(self): pass\n"
    for body in (one + two, two + one):
        table = protocol("state = A\n" + body).table
        assert [table.cells[s, "M"].action for s in ("a", "b", "c")] == ["every", "special", "every"]


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ("def (", ["p.py, line 1: ", "Python cannot read it"]),
        ("x = 1", ["the file contains no protocol; write class"]),
        (TOP + "class P(Process):\n state = A\n @on(A, M)\n def x(self): pass\n @on(A, M)\n def y(self): pass",
         ["two actions for M in state a: 'x' (line 7) and 'y'; keep one", "line 9"]),
        (TOP + "class P(Process):\n state = A\n @on(A, M)\n def x(self): pass\n @on(B, M)\n def x(self): pass",
         ["two actions are called 'x' (the first in line 7); rename one of them"]),
        (TOP + "class P(Process):\n state = A\n @on('bb', M)\n def x(self): pass",
         ["@on names the unknown state 'bb' (did you mean 'b'?); choose from", "line 7"]),
        (TOP + "class P(Process):\n state = 'aa'", ["the initial state 'aa' is not declared (did you mean 'a'?)"]),
        (TOP + "class P(Process):\n @on(M, A)\n def x(self): pass", ["@on needs a state first", "line 6"]),
        (TOP + "class P(Process):\n @on(A, 3)\n def x(self): pass", ["@on needs INIT or a Message"]),
        (TOP + "class P(Process):\n state = A\n @on(A, INIT)\n def x(self, m): pass", ["'x' for INIT takes (self)"]),
        (TOP + "class P(Process):\n state = A\n @on(A, M)\n def x(self, m, q, r): pass", ["takes (self, m, q)"]),
        (TOP + "class P(Process):\n needs = 3", ["needs = ... must list assumptions such as connected"]),
        (TOP + "class P(Process):\n messages = '4*'", ["the formula '4*' cannot be read"]),
        (TOP + "class P(Process):\n random: int = 3", ["a variable cannot be called 'random'"]),
        (TOP + "class P(Process):\n messages = '4*k'", ["the formula '4*k' uses 'k'; it may use n, m"]),
        (TOP + "class P(Process):\n messages = '[n][0]'", ["may use numbers, n, m, parameters"]),
        (TOP + "class P(Process):\n k = parameter(0, minimum=1)", ["k must be at least 1, not 0", "line 5"]),
        (TOP + "class P(Process):\n def __init__(self): pass", ["a process has no __init__", "line 5"]),
        (TOP + "class P(Process):\n @on(A, INIT)\n def x(self): pass", ["the initial state of P is missing"]),
        (TOP + "class P(Process):\n state = A\n @on(A, INIT)\n def x(self): yield", ["the action 'x'", "line 7"]),
        (TOP + "class P(Process):\n state = A\n @on(A, INIT)\n async def x(self): pass", ["the action 'x' contains"]),
        ("raise GeneratorExit", ["line 1: GeneratorExit"]),
        ("x = " + "-" * 200_000 + "1", ["it is nested too deeply"]),
        ("from lydian import Proces", ["lydian has no 'Proces' (did you mean 'Process'?)", "line 1"]),
        ("import sys\nsys.exit()", ["line 2", "the file ends the program"]),
        ("x = 1\nx.foo", ["line 2", "1 has no 'foo'"]),
        ("states = 1\nfrom lydian import states\nstates('a', 'a')", ["two states are called 'a'"]),
    ],
)  # fmt: skip
def test_bad_protocols_are_refused_with_file_line_and_reason(source: str, sentences: list[str]) -> None:
    text = refused(source)
    assert text.startswith("p.py")
    for sentence in sentences:
        assert sentence in text


def test_a_file_that_never_finishes_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.model.protocol.protocol.LOAD_SECONDS", 0.2)
    assert "loading it took more than 0.2 s; is there an endless loop?" in refused("while True: pass")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00binary", b"", b"x" * 3_000_000])
def test_files_that_are_not_protocols(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "p.py"
    path.write_bytes(content)
    with pytest.raises(ProtocolError, match=r"p\.py"):
        load_protocol(path)
    with pytest.raises(ProtocolError, match="there is no such file"):
        load_protocol(tmp_path / "none.py")


def test_parameters_are_checked() -> None:
    p = protocol(
        "k = parameter(5, minimum=1, maximum=9)\nf = parameter(1.0)\nmode = parameter('x', choices=('x', 'y'))"
    )
    assert p.configure({"k": 3, "f": 2}) == {"k": 3, "f": 2.0, "mode": "x"}
    for values, sentence in [
        ({"kk": 1}, "unknown parameter 'kk' of P (did you mean 'k'?); choose from k"),
        ({"k": 0}, "k must be at least 1, not 0"),
        ({"k": 10}, "k must be at most 9, not 10"),
        ({"k": "3"}, "k must be a whole number such as 5, not '3'"),
        ({"k": True}, "k must be a whole number such as 5, not True"),
        ({"f": float("nan")}, "f must be a finite number, not nan"),
        ({"mode": "z"}, "mode must be one of 'x', 'y', not 'z'"),
    ]:
        with pytest.raises(BadInput) as raised:
            p.configure(values)
        assert sentence in str(raised.value)


def test_a_state_may_be_plain_text() -> None:
    p = protocol(
        "state = 'off'\n@on('off', M)\ndef x(self): self.state = 'on'", "from lydian import *\nclass M(Message): pass\n"
    )
    assert p.states == ("off",)


@given(st.integers(1, 50), st.integers(0, 99))
def test_formulas(n: int, m: int) -> None:
    names = {"n": n, "m": m, "way": "all"}
    assert Formula("4*m - 2*n + 2").value(names) == 4 * m - 2 * n + 2
    assert Formula("2*m if way == 'all' else 0").value(names) == 2 * m
    assert Formula("<= n*m").holds(n * m, names)
    assert not Formula("< n*m").holds(n * m, names)
    assert Formula("max(n, m)**2 + ceil(log2(n + 1))").value(names) >= 1


@pytest.mark.parametrize("text", ["__import__('os')", "n.real", "[1]", "9**9**9", "1/0", "x", "f(n)", "(lambda: 1)()"])
def test_formulas_contain_only_arithmetic(text: str) -> None:
    with pytest.raises(BadInput):
        Formula(text).value({"n": 1, "m": 1})
