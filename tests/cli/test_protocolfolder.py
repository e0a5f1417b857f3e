"""A protocol that is a folder, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydian.trace.parquet.file import load
from tests.protocolfolder import FILES, made


@pytest.fixture
def rumour(tmp_path: Path) -> Path:
    return made(tmp_path / "work" / "rumour")


def test_a_folder_is_run_by_path_and_by_name(lydian, rumour: Path, monkeypatch) -> None:
    told = [
        json.loads(lydian("run", *words, "--network", "ring:6", "--json").out)
        for words in ((rumour,), ("--protocol", rumour), (rumour / "__init__.py",), ("--protocol", "rumour"))
        if monkeypatch.chdir(rumour.parent) is None
    ]
    assert {each["fingerprint"] for each in told} == {told[0]["fingerprint"]} and told[0]["messages"] > 0
    assert [each["holds"] for each in told[0]["checks"]] == [True]


@pytest.mark.slow
def test_a_folder_is_found_in_the_users_archive(lydian, tmp_path: Path) -> None:
    made(tmp_path / "home" / "protocols" / "rumour")
    assert "rumour" in lydian("archive").out
    assert "Rumour" in lydian("archive", "rumour").out
    assert lydian("run", "rumour").code == 0


def test_a_folder_is_checked_explored_and_run_many_times(lydian, rumour: Path) -> None:
    assert lydian("check", rumour).code == 0
    assert lydian("explore", "--protocol", rumour, "--network", "line:3").code == 0
    assert lydian("run", "--protocol", rumour, "--network", "ring:5", "--runs", "3").code == 0


def test_its_source_is_included_in_trace_page_and_hand_in(lydian, rumour: Path, tmp_path: Path) -> None:
    trace, page, packed = tmp_path / "run.parquet", tmp_path / "run.html", tmp_path / "mine.lydian"
    assert lydian("run", rumour, "--network", "ring:5", "--trace", trace).code == 0
    assert "# ---- messages.py ----" in load(trace).source
    assert lydian("trace", "export", trace, "--to", "html", "-o", page).code == 0
    assert "The protocol: rumour<" in page.read_text(encoding="utf-8")
    assert lydian("handin", rumour, "--network", "ring:5", "-o", packed).code == 0
    assert lydian("run", packed).code == 0


def test_errors_name_their_file(lydian, rumour: Path) -> None:
    wrong = FILES["messages.py"].replace("(Message)", "(Mesage)")
    (rumour / "messages.py").write_text(wrong, encoding="utf-8")
    said = lydian("check", rumour)
    assert said.code == 2 and f"{rumour / 'messages.py'}, line 8: " in said.out
    told = json.loads(lydian("check", rumour, "--json").out)
    assert (told["problems"][0]["file"], told["problems"][0]["line"]) == (str(rumour / "messages.py"), 8)
    (rumour / "messages.py").write_text(FILES["messages.py"] + "1 / 0\n", encoding="utf-8")
    assert lydian("run", rumour).err.startswith(f"lydian: {rumour / 'messages.py'}, line 12: ")
    (rumour / "__init__.py").unlink()
    assert "this folder is not a protocol" in lydian("run", rumour).err
