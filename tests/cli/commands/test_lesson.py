"""``lydian lesson``: the list, a played lesson, and errors in a bad one."""

from __future__ import annotations

import json

from lydian.cli import main

BAD = '# T\n\n## S\n\nw\n\n```experiment\nname = "two-wings"\n```\n\n```expect\nthat = "messages == 45"\n```\n'


def test_lessons_are_listed(capsys):
    assert main(["lesson"]) == 0
    printed = capsys.readouterr().out
    assert "The first wave: ECHO (introductory, 10 minutes, 7 steps)" in printed
    assert printed.index("Waves and traversal") < printed.index("Leader election")
    assert main(["lesson", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["lessons"]
    assert {"echo", "snapshots"} <= {each["name"] for each in told}
    (echo,) = (each for each in told if each["name"] == "echo")
    assert (echo["chapter"], echo["level"], echo["minutes"]) == ("waves", "introductory", 10)


def test_a_lesson_is_played(capsys):
    assert main(["lesson", "vector-clocks"]) == 0
    printed = capsys.readouterr().out
    assert "3. The longest chain" in printed
    assert "6 steps, all as the lesson expects" in printed


def test_a_different_result_is_an_error(tmp_path, capsys):
    file = tmp_path / "bad.md"
    file.write_text(BAD, encoding="utf-8")
    assert main(["lesson", str(file)]) == 1
    assert "messages is 46 (line 11)" in capsys.readouterr().out
    assert main(["lesson", str(file), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [each["good"] for each in told["played"]] == [False]


def test_every_mistake_is_reported_with_its_line(tmp_path, capsys):
    file = tmp_path / "bad.md"
    file.write_text(BAD.replace("two-wings", "two-wing") + "\n```do\nwiat = 1\n```\n", encoding="utf-8")
    assert main(["lesson", str(file)]) == 2
    told = capsys.readouterr()
    assert f"{file}, line 16: unknown key 'wiat' (did you mean 'wait'?)" in told.err
    assert main(["lesson", "no-such"]) == 2
    assert "unknown lesson 'no-such'" in capsys.readouterr().err


def test_a_lesson_opens_only_with_a_display(tmp_path, capsys, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "mine.md"
    file.write_text(BAD, encoding="utf-8")
    monkeypatch.setattr("lydian.cli.commands.opening.has_display", lambda: False)
    assert main(["open", str(file)]) == 2
    assert "lydian lesson" in capsys.readouterr().err
