"""The lexer: every character belongs to one span, and strings and comments match those of Python."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.source.lex import KINDS, LexedText, Span, code_of_line, kind_at, lex, words

#: Incomplete Python: pieces that may confuse a lexer.
PIECES = st.lists(
    st.sampled_from(
        ["'", '"', "'''", '"""', "f'", 'rb"', "\\", "{", "}", "{{", "#", " ", "self", ".send", "(", ")", "def", "x",
         "@on", "match", ":", "1.5e-3", "0x1f", "é", "😀", "=", ",", "if", "None", "\t", "class Echo", "\x0c"]
    )
    | st.text(max_size=3).filter(lambda text: "\n" not in text),
    max_size=14,
).map("".join)  # fmt: skip


@given(PIECES, st.integers(0, 12).filter(lambda state: state == 0 or 1 <= state & 7 <= 4))
def test_spans_cover_a_line_and_never_overlap(line: str, state: int) -> None:
    spans, after = lex(line, state)
    at = 0
    for span in spans:
        assert span.start == at and span.end > at
        assert span.kind in KINDS
        at = span.end
    assert at == len(line)
    assert after & 7 <= 4


@given(st.lists(PIECES, max_size=6))
def test_a_line_depends_on_the_previous_one_only_by_its_state(lines: list[str]) -> None:
    state, spans = 0, []
    for line in lines:
        found, state = lex(line, state)
        spans.append(found)
    text = LexedText("\n".join(lines))
    if lines:
        assert [text.spans(n) for n in range(text.count())] == spans


def kinds(line: str, state: int = 0) -> list[tuple[str, str]]:
    return [(line[s.start : s.end], s.kind) for s in lex(line, state)[0] if s.kind != "blank"]


def test_a_line_of_a_protocol() -> None:
    assert kinds('    @on((WAITING, DONE), Ack)  # "what"') == [
        ("@on", "decorator"), ("(", "bracket"), ("(", "bracket"), ("WAITING", "name"), (",", "operator"),
        ("DONE", "name"), (")", "bracket"), (",", "operator"), ("Ack", "name"), (")", "bracket"),
        ('# "what"', "comment"),
    ]  # fmt: skip
    assert kinds("def close(self): return self.send(None, 1.5)") == [
        ("def", "keyword"), ("close", "defined"), ("(", "bracket"), ("self", "self"), (")", "bracket"),
        (":", "operator"), ("return", "keyword"), ("self", "self"), (".", "operator"), ("send", "called"),
        ("(", "bracket"), ("None", "constant"), (",", "operator"), ("1.5", "number"), (")", "bracket"),
    ]  # fmt: skip


def test_unterminated_strings() -> None:
    assert lex('say = "half')[1] == 0, "a text of one line ends with it"
    spans, state = lex('say = """half')
    assert spans[-1].kind == "string" and state
    assert lex("still # no remark", state) == ((Span(0, 17, "string"),), state)
    assert lex('over""" + 1', state)[1] == 0
    assert lex('"goes on \\')[1] and not lex('"ends \\"')[1]


def test_braces_in_f_strings_are_code() -> None:
    assert kinds('f"from {q} {{no}} {len(x)!r:>3}"') == [
        ('f"from ', "string"), ("{", "bracket"), ("q", "name"), ("}", "bracket"), (' {{no}} ', "string"),
        ("{", "bracket"), ("len", "called"), ("(", "bracket"), ("x", "name"), (")", "bracket"), ("!", "operator"),
        ("r", "name"), (":", "operator"), (">", "operator"), ("3", "number"), ("}", "bracket"), ('"', "string"),
    ]  # fmt: skip
    assert kinds('f"half {q') == [('f"half {q', "string")]


def test_soft_keywords() -> None:
    assert kinds("match m:")[0] == ("match", "keyword")
    assert kinds("match = 3")[0] == ("match", "name")
    assert kinds("x.match(y)")[2] == ("match", "called")
    assert kinds("p.if_ = self.None_")[2] == ("if_", "name")


@pytest.mark.parametrize("name", ["protocols/echo.py", "protocols/flooding.py", "lydian/model/source/lex.py"])
def test_strings_and_comments_match_those_of_python(root: Path, name: str) -> None:
    source = (root / name).read_text(encoding="utf-8")
    text = LexedText(source)
    expected: set[tuple[int, int, str]] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = {tokenize.STRING: "string", tokenize.COMMENT: "comment"}.get(token.type)
        if kind is None or (kind == "string" and "f" in token.string.split(token.string.rstrip()[-1])[0].lower()):
            continue
        for line in range(token.start[0], token.end[0] + 1):
            first = token.start[1] if line == token.start[0] else 0
            last = token.end[1] if line == token.end[0] else len(text.line(line - 1))
            if last > first:
                expected |= {(line - 1, column, kind) for column in range(first, last)}
    found = {
        (line, column, span.kind)
        for line in range(text.count())
        for span in text.spans(line)
        if span.kind in ("string", "comment")
        for column in range(span.start, span.end)
    }
    assert expected <= found
    assert all(kind == "string" for _, _, kind in found - expected), "formatted texts alone are left"


def test_simple_queries() -> None:
    line = "x = 1  # one"
    spans, _ = lex(line)
    assert code_of_line(line, spans) == "x = 1"
    assert kind_at(spans, 5) == "number" and kind_at(spans, 0) == "" and kind_at(spans, 12) == "comment"
    line = "    @lydian.on(IDLE)"
    assert [word for word, *_ in words(line, lex(line)[0])] == ["lydian", "on", "IDLE"]
