"""The preview of an import: what is recognised in the beginning of a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.formats.logs import FORMATS
from lydian.formats.logs.importer import import_log
from lydian.formats.logs.matching import matches
from lydian.formats.logs.preview import BYTES, LINES, around, looks_like_log, preview, suited
from lydian.model.errors import BadInput

SHOP = 'web {"web": 1}\nask\ncart {"web": 1, "cart": 1}\nasked\n'
CALLS = "12:00:01.250 a call #1 to b\n12:00:01.500 b call #1 from a\noops\n12:00:01.900 b done\n"
#: A log for each preset, with one message.
EXAMPLES = {
    "govector": '1700000000000000000 web {"web": 1}\nINFO ask\n'
    '1700000000100000000 cart {"web": 1, "cart": 1}\nINFO asked\n',
    "below": 'ask\nweb {"web": 1}\nasked\ncart {"web": 1, "cart": 1}\n',
    "timed": '12:00:01.250 web {"web": 1} ask\n12:00:01.350 cart {"web": 1, "cart": 1} asked\n',
    "dated": '2024-05-01 12:00:01,250 INFO web {"web": 1} ask\n'
    '2024-05-01 12:00:02 WARN [cart] {"web": 1, "cart": 1} y\n',
    "numbered": CALLS.replace("oops\n", ""),
    "verbs": "1 a sends Ack to b\n2.5 b receives Ack from a\n3 b rests\n",
}


def written(folder: Path, text: str, name: str = "servers.log") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_documented_format(tmp_path: Path) -> None:
    found = preview(written(tmp_path, SHOP))
    assert (found.kind, found.hosts, found.events, found.messages) == ("clocks", ("cart", "web"), 2, 1)
    assert [(row.host, row.what, row.text) for row in found.rows] == [
        ("web", "sends message to cart", "ask"), ("cart", "receives message from web", "asked")
    ]  # fmt: skip
    assert (found.whole, found.problems, found.why) == (True, (), "")


def test_unusable_lines_are_listed_with_reasons(tmp_path: Path) -> None:
    path = written(tmp_path, CALLS)
    found = preview(path, regex=FORMATS["numbered"].regex)
    assert (found.events, found.messages) == (3, 1)
    assert [(problem.line, problem.why) for problem in found.problems] == [(3, "the expression does not match here")]
    nothing = preview(path)
    assert nothing.events == 0 and nothing.why and [problem.line for problem in nothing.problems] == [1, 2, 3, 4]


@pytest.mark.parametrize("regex", ["(?<x", "(?<hots>.*)", "(?<host>.*)"])
def test_an_invalid_expression_is_an_error(tmp_path: Path, regex: str) -> None:
    found = preview(written(tmp_path, CALLS), regex=regex)
    assert found.why.startswith("The regular expression") and found.why.endswith(".")
    assert len(found.lines) == 5


@pytest.mark.parametrize("key", [key for key, form in FORMATS.items() if form.regex])
def test_the_common_expressions_read_and_recognise_their_logs(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, EXAMPLES[key])
    found = preview(path, form=key)
    assert (found.messages, found.problems) == (1, ())
    best = suited(path)
    assert best and preview(path, regex=FORMATS[best].regex).messages == 1


def test_a_text_that_is_not_a_log_matches_nothing(tmp_path: Path) -> None:
    assert suited(written(tmp_path, "It was a dark and stormy night.\nThe rain fell in torrents.\n")) == ""


def test_several_executions(tmp_path: Path) -> None:
    found = preview(written(tmp_path, f"=== 1\n{SHOP}=== 2\n{SHOP}"), delimiter="===")
    assert (found.executions, found.events, found.messages) == (2, 4, 2)


def test_only_the_beginning_of_a_long_log_is_examined(tmp_path: Path) -> None:
    """What is missing at the beginning may follow later: host b's events come after all those of a."""
    count = LINES
    a = "".join(f'a {{"a": {i}, "b": {i - 1}}} x\n' for i in range(1, count))
    b = "".join(f'b {{"a": {i}, "b": {i}}} x\n' for i in range(1, count))
    path = written(tmp_path, a.replace(', "b": 0', "") + b)
    found = preview(path)
    assert not found.whole and len(found.lines) == LINES
    assert found.problems == ()
    assert import_log(path)[0].problems == ()
    wide = preview(written(tmp_path, 'a {"a": 1} ' + "é" * BYTES + "\n", "wide.log"))
    assert wide.why or wide.problems


def test_descriptions_of_a_line(tmp_path: Path) -> None:
    path = written(tmp_path, "".join(f"line {i}\n" for i in range(1, 101)))
    assert around(path, 50, room=2) == (48, ("line 48", "line 49", "line 50", "line 51", "line 52"))
    assert around(path, 1, room=1) == (1, ("line 1", "line 2"))


def test_files_that_may_be_logs(tmp_path: Path) -> None:
    assert looks_like_log(written(tmp_path, "anything", "a.log"))
    assert looks_like_log(written(tmp_path, SHOP, "a.out"))
    assert not looks_like_log(written(tmp_path, "anything", "a.dat"))
    assert not looks_like_log(tmp_path / "missing.log")
    (tmp_path / "b.log").write_bytes(b"\0\1\2")
    assert not looks_like_log(tmp_path / "b.log")


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such file; a log was expected here"):
        preview(tmp_path / "missing.log")


class Enough(Exception):
    pass


def test_an_import_reports_progress_and_can_be_cancelled(tmp_path: Path) -> None:
    path = written(tmp_path, "".join(f'a {{"a": {i}}} x\n' for i in range(1, 5_000)))
    shares: list[float] = []
    import_log(path, watch=shares.append)
    assert shares == sorted(shares) and len(shares) > 8 and min(shares) >= 0 and max(shares) <= 1

    def stop(share: float) -> None:
        if share > 0.2:
            raise Enough

    with pytest.raises(Enough):
        import_log(path, watch=stop)


@pytest.mark.slow
def test_a_slow_expression_may_take_several_turns() -> None:
    turns: list[float] = []
    found = matches("(?<host>(a?){24}a{24})", "a" * 24 + "\n", 60.0, turns.append)
    assert [answer["groups"]["host"] for answer in found[1:]] == ["a" * 24]
    assert len(turns) > 1, "several turns, so that the input goes to the child only once"


def test_a_stuck_expression_can_be_interrupted(tmp_path: Path) -> None:
    def stop(_share: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        matches("(?<host>(a+)+)b", "a" * 40 + "\n", 60.0, stop)
