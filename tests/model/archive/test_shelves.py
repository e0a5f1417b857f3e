"""The folders of the archive: names, paths, specifications, and errors for missing entries."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lydian.model.archive.archive import Archive, archive
from lydian.model.archive.shelves import Shelves, called, located, looks_like_path, user_folder, written
from lydian.model.errors import BadInput, LydianError, ProtocolError


@pytest.fixture
def shelves(tmp_path):
    for folder in ("protocols", "networks", "animations"):
        (tmp_path / folder).mkdir()
    (tmp_path / "protocols" / "_hidden.py").write_text("x = 1", encoding="utf-8")
    (tmp_path / "protocols" / "echo.py").write_text("x = (", encoding="utf-8")
    (tmp_path / "protocols" / "notes.txt").write_text("", encoding="utf-8")
    (tmp_path / "animations" / "echo.py").write_text("", encoding="utf-8")
    return Shelves(tmp_path / "nobody", tmp_path)


def test_names_come_from_files_of_the_right_kind(shelves):
    assert shelves.names("protocols") == ["echo"]
    assert shelves.names("experiments") == []


def test_a_name_a_path_and_a_missing_name(shelves, tmp_path):
    assert shelves.find("protocols", "echo") == tmp_path / "protocols" / "echo.py"
    assert shelves.find("protocols", "./mine.py") == Path("mine.py")
    with pytest.raises(BadInput, match=r"unknown protocol 'eco' in the archive \(did you mean 'echo'\?\); choose"):
        shelves.find("protocols", "eco")
    with pytest.raises(BadInput, match="the archive has none"):
        shelves.find("networks", "pair")


def test_a_file_with_exactly_this_name_is_used_if_no_name_matches(shelves, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("plain").write_text("", encoding="utf-8")
    assert shelves.find("networks", "plain") == Path("plain")


def test_an_animation_is_optional(shelves, tmp_path):
    assert shelves.animation_path("echo") == tmp_path / "animations" / "echo.py"
    assert shelves.animation_path("flooding") is None


def test_an_unreadable_protocol_names_the_place_of_the_error(shelves):
    with pytest.raises(ProtocolError, match=r"echo\.py, line 1"):
        shelves.protocol("echo")


def test_networks_by_specification(shelves):
    assert shelves.network("ring:5").n == 5
    assert shelves.network("ring").connected
    with pytest.raises(BadInput, match=r"did you mean 'ring'"):
        shelves.network("rign:5")


@pytest.mark.parametrize(
    ("ref", "shelf", "path"),
    [
        ("echo", "protocols", None),
        ("echo.py", "protocols", Path("echo.py")),
        ("a/echo", "protocols", Path("a/echo")),
        ("grid:5x5", "networks", None),
        ("echo.py", "networks", None),
        (Path("echo"), "protocols", Path("echo")),
    ],
)
def test_recognising_paths(ref, shelf, path):
    assert looks_like_path(ref, shelf) == path


def test_a_null_character_is_not_a_name():
    with pytest.raises(BadInput, match="neither a name nor a path"):
        archive().network("a\0b")


def test_the_users_folder_is_chosen_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path))
    assert user_folder() == tmp_path
    assert archive().user == tmp_path


@pytest.mark.parametrize("shelf", ["protocols", "networks", "experiments"])
def test_everything_included_can_be_read(shelf):
    shelves = Archive(None, archive().ours)
    assert shelves.names(shelf)
    for name in shelves.names(shelf):
        getattr(shelves, shelf[:-1])(name)


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"\xff\xfe", b"x" * 10_000_000])
def test_a_file_that_is_not_a_protocol(tmp_path, content):
    path = tmp_path / "p.py"
    path.write_bytes(content)
    with pytest.raises(LydianError) as caught:
        archive().protocol(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="there such a path is what it is")
def test_a_windows_path_is_resolved_beside_the_experiment(tmp_path: Path) -> None:
    given, place = "C:\\Users\\bob\\five.json", tmp_path / "ex.toml"
    assert written(given, "networks", place, tmp_path / "more" / "ex.toml") == given
    (tmp_path / "five.json").write_text("{}")
    assert located(given, "networks", place) == tmp_path / "five.json"
    assert written(given, "networks", place, place) == "./five.json"
    assert called(given, "networks") == "five"


def test_an_experiment_that_is_not_there_may_be_a_protocol_with_a_slip() -> None:
    with pytest.raises(BadInput, match=r"unknown experiment 'eho' .*did you mean 'echo'.*lydian archive lists all \d+"):
        archive().experiment("eho")
