"""Analysis of a protocol file without running it: outline, problems, completion, state diagram."""

from __future__ import annotations

import builtins
import io
import re
import tokenize
import warnings
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.authoring.complete import complete, help_at
from lydian.authoring.diagram import diagram
from lydian.model.errors import ProtocolError
from lydian.model.protocol.folder import place_in, read_source
from lydian.model.protocol.protocol import load_protocol, protocol_from_source
from lydian.model.source.outline import outline
from lydian.model.source.problems import problems
from lydian.model.source.text import apply_fix

ROOT = Path(__file__).resolve().parents[2]
PROTOCOLS = [path for path in sorted((ROOT / "protocols").iterdir()) if not path.name.startswith("_")]
FILES = [*PROTOCOLS, ROOT / "resources" / "templates" / "protocol.py"]
SOURCES = {path: read_source(path) for path in FILES}
load = cache(load_protocol)
ECHO = SOURCES[ROOT / "protocols" / "echo.py"]
TOP = """from lydian import *
A, B, C = states("a", "b", "c")
class M(Message):
    hops: int
    text: str = ""
class T(Timer): pass
class P(Process):
    state = A
    seen: set[str] = set()
    missing: int = 0
    @on(A, M)
    def act(self, m, q):
"""
WHERE = len(TOP.splitlines()) + 1


def told(body: str) -> list[str]:
    """Return the problems of an action as ``line kind: sentence``, with the action's first line as 1."""
    source = TOP + "".join(f"        {line}\n" for line in body.splitlines())
    return [
        f"{p.line - WHERE + 1} {p.kind}: {p.sentence}"
        for p in problems(source)
        if "this stops the run" not in p.sentence
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_outline_matches_the_loaded_protocol(path: Path) -> None:
    seen, loaded = outline(SOURCES[path]), load(path)
    assert seen.problem is None
    formula = next((cls.messages for cls in loaded.classes if cls.messages is not None), None)
    assert (seen.name, seen.start, seen.formula) == (loaded.cls.__name__, loaded.start, formula)
    assert seen.state_names == loaded.states
    words = {name: loaded.state_words.get(name, "") for name in loaded.states}  # one that is only "active" has none
    assert {s.name: s.word for s in seen.states} == words
    assert seen.events == loaded.table.events
    assert tuple(e.name for e in (*seen.messages, *seen.timers, *seen.commands, *seen.rules)) == tuple(
        label for label in loaded.labels if label != "ROUND"
    )
    assert {e.name: [f.name for f in e.fields] for e in seen.messages} == {
        cls.__name__: list(cls._fields) for cls in loaded.messages
    }
    assert {v.name: v.type for v in seen.variables} == {v.name: v.type for v in loaded.variables.values()}
    assert [(p.name, p.help) for p in seen.parameters] == [(p.name, p.help) for p in loaded.parameters.values()]
    assert [need.name for need in seen.needs] == [need.name for need in loaded.needs]
    assert [(p.kind, p.sentence, p.line) for p in seen.properties] == [
        (p.kind, p.name, p.line) for p in loaded.properties
    ]
    assert {pair: (c.function, c.for_any) for pair, c in seen.cells.items()} == {
        pair: (c.action, c.for_any) for pair, c in loaded.table.cells.items()
    }
    lines = SOURCES[path].splitlines()
    assert all(lines[cell.line - 1].strip().startswith(f"def {cell.function}(") for cell in seen.cells.values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_good_files_have_no_problems(path: Path) -> None:
    assert problems(SOURCES[path]) == ()


def mutated(source: str, draw: st.DrawFn) -> str:
    """Return the source with one line or token removed, duplicated, misspelt or replaced by another."""
    lines = source.split("\n")
    how = draw(st.sampled_from(["line", "line twice", "token", "token twice", "misspelt", "other"]))
    if how.startswith("line"):
        at = draw(st.integers(0, len(lines) - 1))
        return "\n".join(lines[:at] + (lines[at : at + 1] * 2 if how == "line twice" else []) + lines[at + 1 :])
    words = [t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.string.strip()]
    names = [t for t in words if t.type == tokenize.NAME]
    if how == "other":  # a function named like a word of the language would run, and fail inside
        names = [
            t for before, t in pairwise(words) if t.type == tokenize.NAME and before.string not in ("def", "class")
        ]
    token = draw(st.sampled_from(words if how.startswith("token") else names))
    row, column = token.start
    at = sum(len(line) + 1 for line in lines[: row - 1]) + column
    new = {
        "token": "",
        "token twice": f"{token.string} {token.string}",
        "misspelt": token.string + "x",
        "other": draw(st.sampled_from(sorted({t.string for t in names if not hasattr(builtins, t.string)}))),
    }[how]
    return source[:at] + new + source[at + len(token.string) :]


@st.composite
def mutants(draw: st.DrawFn) -> str:
    return mutated(draw(st.sampled_from(sorted(SOURCES.values()))), draw)


def refusal(source: str) -> ProtocolError | None:
    """Return the reason why loading refuses a source, or ``None``."""
    try:
        protocol_from_source(source)
    except ProtocolError as error:
        return error
    return None


@pytest.mark.slow
@given(mutants())
@settings(deadline=None)
def test_a_file_that_does_not_load_has_a_problem_at_the_same_line(source: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = problems(source)
        refused = refusal(source)
    errors = [(place_in(source, each.line) or ("", each.line))[1] for each in found if each.kind == "error"]
    assert all(1 <= each.line <= source.count("\n") + 1 for each in found)
    if refused is not None:
        assert errors, str(refused)
        line = re.fullmatch(r"line (\d+)", refused.place or "")
        assert line is None or int(line[1]) in errors, str(refused)


def test_an_action_used_as_a_decorator_is_a_problem_at_its_line() -> None:
    source = SOURCES[ROOT / "protocols" / "maekawa.py"].replace("@on(HELD, (Use, Leave))", "@asked(HELD, (Use, Leave))")
    refused = refusal(source)
    assert refused is not None and refused.place in [f"line {each.line}" for each in problems(source)]


@pytest.mark.slow
@given(
    st.text(alphabet="abM(){}[]@:=,.'\"\n #\\\t\r\x00é", max_size=60),
    st.sampled_from(sorted(SOURCES.values())),
    st.integers(0, 9999),
)
@settings(deadline=None)
def test_any_text_may_be_typed(text: str, source: str, at: int) -> None:
    for whole in (text, source[: at % len(source)] + text + source[at % len(source) :], source[: at % len(source)]):
        found = problems(whole)
        assert all(
            each.line >= 1 and 0 <= each.column < each.end_column and "\n" not in each.sentence for each in found
        )
        line = whole.count("\n", 0, at % (len(whole) + 1)) + 1
        complete(whole, line, 5)
        help_at(whole, line, 5)
        diagram(whole)
        outline(whole)


@pytest.mark.parametrize(
    ("wrong", "right", "sentence"),
    [
        ("    def adopt(self, m, q)", "    def adopt(self, m, q):", "a ':' is missing"),
        ("    def adopt(self, m, q:", "    def adopt(self, m, q):", ""),
        ("        self.deliver(m.payload", "        self.deliver(m.payload)", "this '(' is not closed"),
        ("        return 'x", "        self.deliver(m.payload)", "no closing quote"),
        ("        if self.", "        self.deliver(m.payload)", "Python cannot read this line"),
        ("        self.", "        self.close()", "Python cannot read this line"),
    ],
)
def test_a_file_with_a_syntax_error_keeps_its_outline(wrong: str, right: str, sentence: str) -> None:
    assert right in ECHO
    source = ECHO.replace(right, wrong, 1)
    seen, whole = outline(source), outline(ECHO)
    assert seen.problem is not None
    assert seen.problem == problems(source)[0]
    assert sentence in seen.problem.sentence
    assert seen.states == whole.states
    assert [m.name for m in seen.messages] == [m.name for m in whole.messages]
    assert seen.cell("waiting", "Ack").function == "acknowledged"  # below it
    assert seen.cell("sleeping", "Broadcast").function == "adopt"  # in it
    assert seen.cell("sleeping", "INIT").function == "start"  # above it


BODIES = {
    "self.mising = 1": ["1 error: P has no variable 'mising' (did you mean 'missing'?)"],
    "self.note(self.seem)": ["1 error: P has no variable 'seem' (did you mean 'seen'?)"],
    "self.zzz = 1": ["1 error: P has no variable 'zzz'; declare it in the class: zzz: int = 0"],
    "self.me = 'x'": ["1 error: self.me is given to a process; it cannot be changed"],
    "return missing": ["1 error: 'missing' is not known here; write self.missing"],
    "self.note(str(mm.hops))": ["1 error: 'mm' is not known here"],
    "self.note(m.hop)": ["1 error: M has no field 'hop' (did you mean 'hops'?); its fields are hops, text"],
    "m.hops = 2": ["1 error: a received message cannot be changed; create a new one with another field"],
    "self.send(M(), to=q)": ["1 error: M needs hops: write M(hops=...)"],
    "self.send(M(hop=1), to=q)": ["1 error: M has no field 'hop' (did you mean 'hops'?)", "1 error: M needs hops"],
    "self.send(M(1, 'x', 2), to=q)": ["1 error: M takes 2 values, not 3"],
    "self.send(M('x'), to=q)": ["1 error: M.hops is declared as int, not 'x'"],
    "self.send(M(1))": ["1 error: send has no receiver; write self.send(Ack(), to=q)"],
    "self.send(M, to=q)": ["1 error: send needs a message: write M(...), not its class"],
    "self.send(T(), to=q)": ["1 error: send needs a message; T is a timer"],
    "self.send('hello', to=q)": ["1 error: send needs a message, not 'hello'"],
    "self.set_timer(T())": ["1 error: set_timer has no time"],
    "self.act(m)": ["1 error: self.act is called with no q; it is declared act(self, m, q)"],
    "self.state = M": ["1 error: M is not a state; choose from a, b, c"],
    "self.state = 'd'": ["1 error: 'd' is not a state"],
    "self.state = B if self.missing else 'bb'": ["1 error: 'bb' is not a state (did you mean 'b'?)"],
    "if self.state == 'cc':\n    pass": ["1 warning: 'cc' is not a state (did you mean 'c'?)"],
    "if q.state == A:\n    pass": ["1 error: q is the name of a neighbour, not the process"],
    "for r in self.neighbours:\n    self.note(r.state)": ["2 warning: r is the name of a neighbour"],
    "for r in self.seen:\n    self.send(M(1), to=r)": ["1 warning: a set has no order"],
    "for r in sorted(self.seen):\n    self.send(M(1), to=r)": [],
    "self.note(str(sum(len(r) for r in self.seen)))": [],
    "self.seen.pop()": ["1 warning: which item pop() removes from a set may differ from run to run"],
    "import random\nself.note(random.random())": [],  # its own import is read as a local name
    "self.state = self.random.choice([B, C])": [],
    "self.send(M(m.hops + 1, text=m.text), q)": [],
    "self.set_timer(T(), after=2.0)": [],
    "self._effects.clear()": ["1 warning: self._effects belongs to the simulator"],
}


@pytest.mark.parametrize("body", BODIES)
def test_errors_in_an_action(body: str) -> None:
    found = told(body)
    assert len(found) == len(BODIES[body]), found
    for sentence, expected in zip(found, BODIES[body], strict=True):
        assert sentence.startswith(expected)


@pytest.mark.parametrize(
    ("top", "body", "sentence"),
    [
        ("import random", "self.missing = random.randint(1, 2)", "does not follow the seed"),
        ("from random import randint", "self.missing = randint(1, 2)", "does not follow the seed"),
        ("import time", "self.missing = int(time.time())", "the real time"),
        ("import time", "time.sleep(1)", "a process must not wait by sleeping; set a timer"),
        ("HEARD = []", "HEARD.append(q)", "this is shared by all processes"),
        ("HEARD = {}", "HEARD[q] = 1", "this is shared by all processes"),
        ("HEARD = 0", "global HEARD\nHEARD = 1", "HEARD is shared by all processes"),
    ],
)
def test_sources_of_nondeterminism_are_reported(top: str, body: str, sentence: str) -> None:
    source = f"{top}\n{TOP}" + "".join(f"        {line}\n" for line in body.splitlines())
    found = [p for p in problems(source) if "may reach" not in p.sentence]
    assert [(p.kind, sentence in p.sentence) for p in found] == [("warning", True)]


def test_two_actions_for_one_cell_are_reported_at_both() -> None:
    source = TOP + "        pass\n    @on((A, B), M)\n    def other(self): pass\n"
    assert [(p.line, p.sentence) for p in problems(source) if p.kind == "error"] == [
        (11, "two actions for M in state a: 'other' (line 14) and 'act'; keep one"),
        (14, "two actions for M in state a: 'act' (line 11) and 'other'; keep one"),
    ]


def test_an_unexpected_message_is_a_warning() -> None:
    source = TOP + "        self.state = B\n        self.send(M(1), to=q)\n"
    (only,) = problems(source)
    assert (only.line, only.kind) == (14, "warning")
    assert "M may reach a process that is b: P has no @on(B, M); this stops the run" in only.sentence
    assert problems(source + "    @on(B, M)\n    def more(self): pass\n") == ()


def test_fixes_solve_the_problem() -> None:
    wrong = {
        "self.mising = 1": "self.missing = 1",
        "self.send(M(1))": "self.send(M(1), to=q)",
        "self.note(m.hop)": "self.note(m.hops)",
        "if missing: pass": "if self.missing: pass",
        "for r in self.seen: self.note(r)": "for r in sorted(self.seen): self.note(r)",
        "if self.missing = 1: pass": "if self.missing == 1: pass",
        "if self.missing\n            pass": "if self.missing:\n            pass",
    }
    for body, right in wrong.items():
        source = TOP + f"        {body}\n"
        (fix,) = [p.fix for p in problems(source) if p.fix is not None]
        assert apply_fix(source, fix) == TOP + f"        {right}\n"
    source = TOP + "        self.count = 1\n"
    (fix,) = [p.fix for p in problems(source) if p.fix is not None]
    assert [p for p in problems(apply_fix(source, fix)) if p.kind == "error"] == []


def test_loops_over_states_and_named_groups_are_read() -> None:
    source = (
        "from lydian import *\nALL = A, B, C = states('a', 'b', 'c')\nREST = tuple(s for s in ALL if s != A)\n"
        "class M(Message): pass\nclass P(Process):\n state = A\n"
        " @on(A, INIT)\n @on(REST, M)\n def rest(self): pass\n"
        " for s in (A,):\n  @on(s, M)\n  def first(self): self.state = C\n"
    )
    assert {pair: cell.function for pair, cell in outline(source).cells.items()} == {
        pair: cell.action for pair, cell in protocol_from_source(source).table.cells.items()
    }
    assert [p for p in problems(source) if p.kind == "error"] == []


def texts(source: str, mark: str = "|") -> list[str]:
    at = source.index(mark)
    line = source.count("\n", 0, at) + 1
    return [each.text for each in complete(source.replace(mark, "", 1), line, at - source.rfind("\n", 0, at) - 1)]


def test_completion_suggests_what_a_process_can_use() -> None:
    body = TOP + "        "
    assert texts(body + "self.mi|\n") == ["missing"]
    assert {"seen", "missing", "act", "send", "neighbours", "random"} <= set(texts(body + "self.|\n"))
    assert texts(body + "self.state = |\n") == ["A", "B", "C"]
    assert texts(body + "if self.state == |\n") == ["A", "B", "C"]
    assert texts(body + "self.note(m.|)\n") == ["hops", "text", "bits"]
    assert texts(body + "self.send(M(|\n")[:2] == ["hops=", "text="]
    assert texts(body + "pass\n    @on(|\n") == ["A", "B", "C", "ANY"]
    assert texts(body + "pass\n    @on((A, B), |\n") == ["M", "T", "INIT", "ROUND"]
    assert texts(body + "pass\n    needs = con|\n") == ["connected"]
    assert texts(body + "pass\n@al|") == ["always"]
    assert {"processes", "in_transit"} <= set(texts(body + "pass\n@always('x')\ndef f(c):\n    return c.|\n"))
    assert texts(body + "self.note('self.|')\n") == []


def test_help_for_a_word() -> None:
    def help_of(word: str, line: str) -> str:
        row = next(n for n, text in enumerate(ECHO.splitlines(), 1) if line in text)
        return help_at(ECHO, row, ECHO.splitlines()[row - 1].index(word))

    said = "set[str], initially set(): neighbours that have not yet acknowledged"
    assert help_of("pending", "if q in self.pending") == said
    assert help_of("send", "self.send(Ack(), to=q)").startswith("self.send(message, to): Send message to the neighbour")
    assert help_of("Ack", "self.send(Ack(), to=q)").startswith("message Ack(): The acknowledgement that")
    assert help_of("WAITING", "self.state = WAITING") == "the state 'waiting'"
    assert help_of("payload", "self.deliver(m.payload)") == 'str = "news"'
    assert help_of("connected", "needs = connected") == "a need: every process can reach every other"
    assert help_of("q", "if q in self.pending") == "the neighbour that sent it"


@pytest.mark.slow
def test_the_state_diagram_matches_the_table() -> None:
    for path, source in SOURCES.items():
        seen, table = diagram(source), load(path).table
        assert {(e.source, e.target, event) for e in seen.edges for event in e.events} == set(table.edges())
    echo = diagram(ECHO)
    assert [s.name for s in echo.states if s.start] == ["sleeping"]
    assert [s.name for s in echo.states if s.final] == ["acked", "finished"]
    assert all(s.reachable for s in echo.states)
